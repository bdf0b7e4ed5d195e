// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/loss/loss_side.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/loss/loss_curve.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kYieldsBelow = 800, kSideMargin = 20, kBarRow = 26, kTableRow = 24, kFewRows = 4;
constexpr double kSideNames = 124, kNumbers = 60;

QString written(double number, bool isHidden) {
    return isHidden ? HiddenArea::mark() : formatNumber(number, 3);
}

}  // namespace

PerplexityBars::PerplexityBars(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Perplexity"));
}

void PerplexityBars::setBars(std::vector<Bar> bars) {
    m_bars = std::move(bars);
    QStringList spoken;
    for (const Bar& bar : m_bars)
        spoken << QStringLiteral("%1: %2").arg(
            bar.name, bar.isHidden ? tr("hidden until you have predicted it") : formatNumber(bar.perplexity));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize PerplexityBars::sizeHint() const {
    return {300, kBarRow * static_cast<int>(std::max<size_t>(1, m_bars.size())) + 20};
}

void PerplexityBars::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_bars.empty()) return;
    double most = 4;
    for (const Bar& bar : m_bars)
        if (!bar.isHidden) most = std::max(most, bar.perplexity);
    const double left = kSideNames + 12, room = width() - kNumbers - left;
    const double one = left + room / most;
    for (size_t i = 0; i < m_bars.size(); ++i) {
        const Bar& bar = m_bars[i];
        const double middle = kBarRow * (static_cast<double>(i) + 0.5);
        const QFont font = uiFont(12, bar.isNow ? QFont::DemiBold : QFont::Normal);
        paint::centredText(p, {kSideNames, middle}, paint::elided(bar.name, font, kSideNames), font,
                           bar.isNow ? t.nowText : t.text2, Anchor::End);
        if (bar.isHidden)
            paint::hatch(p, QRectF(left, middle - 5, room, 10).toAlignedRect(), t.hatchGround, t.hatch);
        else
            paint::box(p, QRectF(left, middle - 5, room * bar.perplexity / most, 10),
                       bar.isNow ? t.now : t.sequentialStops[5], {}, 2);
        paint::centredText(p, {static_cast<double>(width()), middle},
                           bar.isHidden ? HiddenArea::mark() : formatNumber(bar.perplexity),
                           monoFont(12, bar.isNow ? QFont::DemiBold : QFont::Medium), t.text, Anchor::End);
    }
    const double foot = kBarRow * static_cast<double>(m_bars.size());
    p.fillRect(QRectF(std::round(one), 2, 1, foot), t.text3);
    const QString note = tr("1: always right, and sure");
    const double from = std::min(one, width() - paint::textWidth(note, uiFont(11)));
    paint::centredText(p, {from, foot + 10}, note, uiFont(11), t.text3);
}

LossSide::LossSide(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_curve(new LossCurve),
      m_story(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_asks(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_table(makePlainTable({tr("Word"), tr("p"), tr("−log p"), tr("loss")}, tr("The loss of each word"))),
      m_perplexity(new PerplexityBars) {
    takeShare(308, 392);
    yieldBelow(kYieldsBelow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kSideMargin, 12, kSideMargin, 12);
    column->setSpacing(6);
    column->addWidget(m_title);
    m_asks->setWordWrap(true);
    column->addWidget(m_asks);
    nameWhatIsAsked(false);
    m_curve->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    m_curve->setMaximumHeight(300);
    column->addWidget(m_curve, 4);
    m_story->setWordWrap(true);
    m_story->setTextFormat(Qt::RichText);
    column->addWidget(m_story);
    column->addWidget(new Rule);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->setDefaultSectionSize(kTableRow);
    m_table->setMinimumHeight(kFewRows * kTableRow + 34);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_table, 5);
    column->addWidget(new Rule);
    auto* heading = new QHBoxLayout;
    heading->addWidget(new Caption(tr("Perplexity"), 13, QFont::DemiBold, Caption::Tone::Main));
    heading->addSpacing(8);
    heading->addWidget(new Caption(tr("e to the mean of −log p"), 12, QFont::Normal, Caption::Tone::Secondary), 1);
    column->addLayout(heading);
    column->addWidget(m_perplexity);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0 && row + 1 < m_table->rowCount()) emit chosen(row);
    });
}

void LossSide::show(const std::shared_ptr<const LossShown>& shown, std::optional<double> own) {
    m_curve->show(shown);
    const QSignalBlocker quiet(m_table);
    if (!shown) {
        m_table->setRowCount(0);
        m_story->clear();
        m_perplexity->setBars({});
        return;
    }
    nameWhatIsAsked(shown->picture->isClassifier());
    fillTable(*shown);
    const double at = m_curve->leastAt();
    const double least = leastLoss(at, shown->smoothing, shown->picture->vocabulary());
    m_story->setText(shown->smoothing > 0
                         ? tr("The line is the least loss that ε = %1 allows; the dashes are −log p, without ε. It is "
                              "least at p = <b>%2</b>, where it is <b>%3</b>; beyond that it rises again.")
                               .arg(formatNumber(shown->smoothing), formatNumber(at, 3), formatNumber(least, 3))
                         : tr("With ε = 0 the loss is −log p: it falls as long as p grows, so it always pays to be "
                              "surer."));
    std::vector<PerplexityBars::Bar> bars{{shown->picture->isClassifier() ? tr("this label") : tr("these words"),
                                           meanLoss(shown->costs, shown->smoothing).perplexity, true,
                                           shown->veil.hidesMean()}};
    if (own) bars.push_back({tr("its own translation"), *own});
    m_perplexity->setBars(std::move(bars));
}

void LossSide::nameWhatIsAsked(bool isLabel) {
    m_title->setText(isLabel ? tr("The loss of a label") : tr("The loss of a word"));
    m_asks->setText(isLabel ? tr("It asks one thing: how probable was the label that is the target?")
                            : tr("It asks one thing: how probable was the word that stands in the target?"));
}

void LossSide::fillTable(const LossShown& shown) {
    const int rows = static_cast<int>(shown.costs.size());
    m_table->setRowCount(rows + 1);
    m_table->setHorizontalHeaderLabels({shown.picture->isClassifier() ? tr("Label") : tr("Word"), tr("p"), tr("−log p"),
                                        tr("loss, ε = %1").arg(formatNumber(shown.smoothing))});
    for (int row = 0; row < rows; ++row) {
        const WordCost& cost = shown.costs[static_cast<size_t>(row)];
        setPlainRow(m_table, row,
                    {shown.picture->target(row),
                     written(std::exp(cost.logProbability), shown.veil.hidesShare(row, cost.target)),
                     written(cost.plain(), shown.veil.hidesCost(row)),
                     written(cost.loss(shown.smoothing), shown.veil.hidesCost(row))});
    }
    const SentenceLoss mean = meanLoss(shown.costs, shown.smoothing);
    const bool isMeanHidden = shown.veil.hidesMean();
    setPlainRow(m_table, rows,
                {tr("mean"), {}, written(mean.plain, isMeanHidden), written(mean.smoothed, isMeanHidden)});
    m_table->item(rows, 0)->setFont(uiFont(13, QFont::DemiBold));
    m_table->item(rows, 0)->setFlags(Qt::ItemIsEnabled);
    m_table->setCurrentCell(shown.chosen, 0);
}

}  // namespace headlight

#include "moc_loss_side.cpp"
