// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/cell_side.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/views/recurrent/cell_gates.h"
#include "ui/views/recurrent/reach_chart.h"
#include "ui/views/recurrent/write_bars.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/theme/math_text.h"

namespace headlight {

namespace {

constexpr int kCurvesAbove = 770;
constexpr int kHalvings = 2;  ///< of the slider: a quarter to eight times, in steps of √2

QLabel* sentence() {
    auto* label = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    return label;
}

QLabel* heading(const QString& text) {
    return new Caption(text, 13, QFont::DemiBold, Caption::Tone::Main);
}

}  // namespace

CellSide::CellSide(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_gates(new CellGates),
      m_verdict(sentence()),
      m_equations(new CellEquations),
      m_writesTitle(heading({})),
      m_writesText(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_bars(new WriteBars),
      m_reachText(sentence()),
      m_gain(new LabelledSlider(tr("Before training, U ×"), {-2 * kHalvings, 6, 0})),
      m_gainText(sentence()),
      m_chart(new ReachChart),
      m_failure(new FailureBox) {
    takeShare(kNarrowest, kWidest);
    yieldBelow(kYieldsBelow);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 0, 0, 0);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 12, 20, 10);
    column->setSpacing(6);
    auto* top = new QHBoxLayout;
    top->addWidget(m_title);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    top->addWidget(m_subtitle, 1);
    column->addLayout(top);
    column->addWidget(m_gates);
    column->addWidget(m_verdict);
    column->addWidget(new Rule);
    column->addWidget(m_equations);
    column->addWidget(new Rule);
    auto* writes = new QHBoxLayout;
    writes->addWidget(m_writesTitle, 1);
    writes->addWidget(m_writesText);
    column->addLayout(writes);
    column->addWidget(m_bars);
    column->addWidget(new Rule);
    column->addWidget(heading(tr("How far back the gradient reaches")));
    column->addWidget(m_reachText);
    column->addWidget(m_chart, 1);
    column->addWidget(m_gain);
    column->addWidget(m_gainText);
    m_gainText->hide();
    m_gain->setText(formatNumber(1));
    connect(m_gain, &LabelledSlider::valueChanged, this,
            [this](int step) { emit gainChosen(std::pow(2.0, step / 2.0)); });
    column->addWidget(m_failure);
    m_failure->hide();
    outer->addWidget(scrolling(content));
}

void CellSide::setGain(double gain) {
    const QSignalBlocker quiet(m_gain);
    m_gain->setValue(std::clamp(static_cast<int>(std::lround(2 * std::log2(gain))), -2 * kHalvings, 6));
    m_gain->setText(formatNumber(gain));
}

/// The curves give way where the panel is low.
void CellSide::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    m_gates->setCurvesShown(height() >= kCurvesAbove);
}

void CellSide::showUnit(const CellPicture* picture) {
    m_gates->setPicture(picture);
    m_equations->setPicture(picture);
    if (!picture) return;
    m_title->setText(tr("Unit %1").arg(picture->unit() + 1));
    m_subtitle->setText(
        tr("at word %1 of %2, “%3”").arg(picture->word() + 1).arg(picture->words()).arg(picture->token()));
    m_verdict->setText(picture->verdict());
}

void CellSide::showStudy(const CellPicture* picture, const CellStudy& study) {
    m_failure->hide();
    if (!picture) return;
    showWrites(*picture, study);
    showReach(*picture, study);
}

void CellSide::showFailure(const QString& why) {
    m_failure->setText(tr("This was not worked out over many sentences: %1").arg(why));
    m_failure->show();
}

void CellSide::showWrites(const CellPicture& picture, const CellStudy& study) {
    const bool plain = picture.cell() == Cell::Rnn;
    m_writesTitle->setText(plain ? tr("Largest after these words") : tr("Words at which it writes"));
    const CellWrites* const writes = study.writes();
    if (!writes) {
        m_writesText->setText(tr("reading …"));
        m_bars->setBars({});
        return;
    }
    m_writesText->setText(study.isOfOneSentence() ? tr("mean")
                                                  : tr("mean, %1 sentences").arg(formatCount(writes->sentences)));
    const auto unit = static_cast<size_t>(picture.unit());
    const bool anyOften = std::ranges::any_of(writes->words, [](const auto& each) { return each.count >= kOften; });
    std::vector<WriteBars::Bar> bars;
    for (const CellWrites::Word& word : writes->words)
        if (!anyOften || word.count >= kOften) {
            const QString text = QString::fromStdString(word.text);
            bars.push_back({text, static_cast<double>(word.mean[unit]), word.count, text == picture.token()});
        }
    std::ranges::stable_sort(bars, std::ranges::greater(), [](const auto& bar) { return std::abs(bar.mean); });
    if (bars.size() > kBars) bars.resize(kBars);
    m_bars->setBars(std::move(bars));
}

QString CellSide::wordsOfGain(const CellStudy& study) const {
    if (study.gain() == 1) return {};
    if (study.gains().empty()) return tr("Working out the way back …");
    const GainReach &first = study.gains()[0], &changed = study.gains()[1];
    return tr("Before training: the largest singular value of U is %1, and times %2 it is %3. %4 words back %5 of the "
              "gradient is there.")
        .arg(formatNumber(first.singularValue, 3), formatNumber(study.gain()), formatNumber(changed.singularValue, 3))
        .arg(changed.reach.share.size() - 1)
        .arg(formatScientific(changed.reach.share.back(), 1));
}

void CellSide::setReachHidden(bool hidden) {
    m_isReachHidden = hidden;
    m_chart->setHidden(hidden);
    m_gain->setEnabled(!hidden);
}

void CellSide::showReach(const CellPicture& picture, const CellStudy& study) {
    if (m_isReachHidden) {
        m_reachText->clear();
        m_gainText->hide();
        return m_chart->setLines({});
    }
    if (study.reaches().empty()) {
        m_reachText->setText(tr("Working out the way back …"));
        m_chart->setLines({});
        return;
    }
    std::vector<ReachChart::Line> lines;
    QStringList others;
    bool isOfSameTask = true;
    for (const CellStudy::Reach& each : study.reaches()) {
        const QString cell = cellName(each.cell);
        lines.push_back({cell, each.reach.share, each.key.isEmpty()});
        if (each.key.isEmpty() || study.sibling(each.cell) == each.key) continue;
        others << tr("%1: %2").arg(cell, each.key);
        isOfSameTask = isOfSameTask && each.isOfSameTask;
    }
    for (size_t i = 0; i < study.gains().size(); ++i)
        lines.push_back(
            {tr("U × %1").arg(i == 0 ? 1 : study.gain(), 0, 'g', 3), study.gains()[i].reach.share, false, i == 1});
    m_gainText->setText(wordsOfGain(study));
    m_gainText->setVisible(!m_gainText->text().isEmpty());
    const GradientReach& own = study.reaches().front().reach;
    const QString state = picture.cell() == Cell::Lstm ? tr("(h, c)") : tr("h");
    const QString of =
        picture.cellPlace().stack == Stack::Encoder ? tr("log p of the translation") : tr("log p of the last word");
    QString text = tr("Norm of ∂ %1 by each earlier state %2; that by the last counts as 1.").arg(of, state);
    if (own.share.size() > 1)
        text += u' ' + tr("%1 words back %2 is left.")
                           .arg(own.share.size() - 1)
                           .arg(own.share.back() < 0.001 ? formatScientific(own.share.back(), 0)
                                                         : formatNumber(own.share.back(), 3));
    if (!others.isEmpty())
        text += u' ' + (isOfSameTask ? tr("Other models of this task: %1.") : tr("On another task: %1."))
                           .arg(others.join(QStringLiteral(", ")));
    m_reachText->setText(text);
    m_chart->setLines(std::move(lines));
}

}  // namespace headlight

#include "moc_cell_side.cpp"
