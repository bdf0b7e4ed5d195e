// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/explore_room.h"

#include <QVBoxLayout>

#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/views/values/values_view.h"
#include "ui/widgets/time/timeline.h"

namespace headlight {

ExploreRoom::ExploreRoom(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      m_workbench(workbench),
      m_sentence(new SentenceBar(workbench.session, this)),
      m_pages(new QStackedWidget(this)),
      m_architecture(new ArchitectureView(&workbench.selection, this)),
      m_attention(new AttentionView(&workbench.selection, this)),
      m_queryKeyValue(new QueryKeyValueView(this)),
      m_masks(new MaskView(this)),
      m_positions(new PositionView(this)),
      m_recurrent(new RecurrentView(this)),
      m_values(new ValuesView(&workbench.selection, this)),
      m_timeline(new Timeline(&workbench.cursor, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    m_pages->addWidget(m_architecture);
    m_pages->addWidget(m_attention);
    m_pages->addWidget(m_queryKeyValue);
    m_pages->addWidget(m_masks);
    m_pages->addWidget(m_positions);
    m_pages->addWidget(m_recurrent);
    m_pages->addWidget(m_values);
    column->addWidget(m_pages, 1);
    column->addWidget(m_timeline);
    connect(&workbench.session, &Session::readingChanged, this, &ExploreRoom::showReading);
    connect(&workbench.session, &Session::goldFound, this,
            [this] { m_attention->setGold(m_workbench.session.reading()->gold); });
    connect(m_attention, &AttentionView::mutedHeadsChanged, &workbench.session, &Session::setMutedHeads);
    connect(m_attention, &AttentionView::openModelRequested, &workbench,
            [&workbench] { emit workbench.roomRequested(QStringLiteral("models")); });
    connect(m_architecture, &ArchitectureView::openModelRequested, &workbench,
            [&workbench] { emit workbench.roomRequested(QStringLiteral("models")); });
    connect(&workbench.cursor, &StepCursor::changed, this, &ExploreRoom::showStep);
}

void ExploreRoom::showReading() {
    const auto& reading = m_workbench.session.reading();
    if (!reading) {
        m_attention->setTrace(nullptr);
        m_timeline->setTrace(nullptr);
        fillPage();
        return;
    }
    m_workbench.cursor.setTrace(*reading->trace);
    m_timeline->setTrace(reading->trace);
    m_attention->setTrace(reading->trace);
    m_attention->setGold(reading->gold);
    m_attention->setBaseline(reading->baseline);
    std::vector<QString> muted;
    for (const QString& head : m_workbench.session.mutedHeads())
        muted.push_back(head);
    m_attention->setMuted(reading->muted.value_or(TranslationRow()), muted);
    showStep();
    fillPage();
}

QStringList ExploreRoom::tabs() const {
    return {tr("Architecture"), tr("Attention"), tr("Q K V"), tr("Masks"),
            tr("Positions"),    tr("Recurrent"), tr("Values")};
}

void ExploreRoom::showTab(int index) {
    m_pages->setCurrentIndex(index);
    QWidget* const page = m_pages->currentWidget();
    m_timeline->setVisible(page == m_attention || page == m_architecture || page == m_values);
    fillPage();
}

/// The laboratories compute when they are looked at, and not before.
void ExploreRoom::fillPage() {
    const auto& reading = m_workbench.session.reading();
    if (m_pages->currentWidget() == m_architecture)
        m_architecture->setReading(m_workbench.session.model(), reading ? reading->trace : nullptr);
    if (m_pages->currentWidget() == m_values)
        m_values->setReading(m_workbench.session.model(), reading ? reading->trace : nullptr);
    if (!reading) return;
    if (m_pages->currentWidget() == m_queryKeyValue) m_queryKeyValue->setTrace(reading->trace);
    if (m_pages->currentWidget() == m_masks) m_masks->setReading(m_workbench.session.model(), reading->trace);
    if (m_pages->currentWidget() == m_positions) m_positions->setReading(m_workbench.session.model(), reading->trace);
    if (m_pages->currentWidget() == m_recurrent) m_recurrent->setReading(m_workbench.session.model(), reading->trace);
}

void ExploreRoom::showStep() {
    const StepCursor& cursor = m_workbench.cursor;
    const bool all = cursor.position() + 1 >= cursor.count();
    m_attention->setRevealed(all ? -1 : cursor.position());
    m_architecture->setRevealed(all ? -1 : cursor.position());
    m_values->setRevealed(all ? -1 : cursor.position());
    // What a step computed is what the reader looks at.
    const auto& reading = m_workbench.session.reading();
    if (reading && cursor.position() != m_step && (!all || cursor.playing()))
        m_workbench.selection.setValue(
            QString::fromStdString(reading->trace->records()[static_cast<size_t>(cursor.position())].name));
    m_step = cursor.position();
}

}  // namespace headlight
