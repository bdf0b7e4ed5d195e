// SPDX-License-Identifier: GPL-3.0-or-later
// The waves of the table: four of them as curves, or each pair as a hand that an offset turns on.
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/trace/position_turn.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/turning_hands.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

constexpr int kLeastWaves = 170;

}  // namespace

QWidget* PositionView::makeWaves() {
    m_waveCard = new Card({});
    m_waveCard->setPanelName("waves");
    m_hands->setToolTip(tr("Sine to the right, cosine up"));
    m_waves->setAccessibleName(tr("Waves as"));
    m_waveCard->header()->addWidget(m_waves);
    auto* turning = new QWidget;
    auto* column = new QVBoxLayout(turning);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_offset);
    column->addWidget(m_hands, 1);
    // A row of cards is as high whichever page is shown, and was shown before.
    m_wavePages->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_wavePages->setMinimumHeight(kLeastWaves);
    m_wavePages->addWidget(m_curves);
    m_wavePages->addWidget(turning);
    m_waveCard->body()->addWidget(m_wavePages, 1);
    connect(m_waves, &SegmentedControl::currentChanged, this, [this](int page) {
        showHands(page == 1, m_chosenOffset);
        emit optionsChanged();
    });
    connect(m_offset, &LabelledSlider::valueChanged, this, [this](int offset) {
        showHands(true, offset);
        emit optionsChanged();
    });
    connect(m_hands, &TurningHands::pairChosen, this, [this](int pair) {
        chooseCell(m_position, m_hands->turns()[static_cast<size_t>(pair)].sine);
        emit optionsChanged();
    });
    showHands(false, m_chosenOffset);
    return m_waveCard;
}

void PositionView::showHands(bool shown, int offset) {
    m_chosenOffset = std::clamp(offset, 0, kMostNumbers);
    const QSignalBlocker quiet(m_waves), quietOffset(m_offset);
    m_waves->setCurrentIndex(shown ? 1 : 0);
    m_wavePages->setCurrentIndex(shown ? 1 : 0);
    m_offset->setValue(std::min(m_chosenOffset, kFarthest));
    m_offset->setText(QString::number(m_chosenOffset));
    m_waveCard->setTitle(shown ? tr("Turning hands") : tr("Four dimensions"));
    m_waveCard->setCaption(shown ? tr("dashed: k on") : tr("chosen: blue"));
    if (m_table.length > 0) showTurns();
}

/// By k alone, and not by where it begins, each hand is turned.
void PositionView::showTurns() {
    if (m_waves->currentIndex() != 1) return;
    const ShownTable shown = shownTable();
    if (shown.kind == ShownTable::Kind::Learned) {
        const QString why = tr("The numbers of this table were learned. No angle turns one of its rows into the next.");
        return m_hands->setTurns({}, m_position, m_chosenOffset, 0, why);
    }
    const SinusoidLayout layout =
        shown.kind == ShownTable::Kind::Halves ? SinusoidLayout::Halves : SinusoidLayout::Interleaved;
    auto turns = positionTurns(m_table.width, shown.base, layout, m_position, m_chosenOffset);
    const auto isChosen = [this](const PositionTurn& turn) {
        return turn.sine == m_dimension || turn.cosine == m_dimension;
    };
    const auto chosen = std::ranges::find_if(turns, isChosen) - turns.begin();
    m_hands->setTurns(std::move(turns), m_position, m_chosenOffset, static_cast<int>(chosen));
}

}  // namespace headlight
