// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lens/lens_side.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/views/lens/lens_curve.h"
#include "ui/views/lens/lens_layout.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/words/word_bars.h"

namespace headlight {

using namespace lens_layout;

LensSide::LensSide(const LensGrid* grid, QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_grid(grid),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_curve(new LensCurve(grid)),
      m_depth(new Caption({}, 12, QFont::Medium, Caption::Tone::Now)),
      m_bars(new WordBars(WordBars::Use::Read)) {
    takeShare(280, 392);
    yieldBelow(kSideYieldsBelow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kTop, 0, 12);
    column->setSpacing(0);
    m_title->setFixedHeight(kTitle);
    m_subtitle->setFixedHeight(kSubtitle);
    m_subtitle->setTextFormat(Qt::RichText);
    for (QLabel* label : {m_title, m_subtitle}) {
        label->setContentsMargins(kMargin, 0, kMargin, 0);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        column->addWidget(label);
    }
    column->addSpacing(kProgress);
    m_curve->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    column->addWidget(m_curve, 1000);
    auto* five = new QVBoxLayout;
    five->setContentsMargins(kMargin, 10, kMargin, 0);
    five->setSpacing(4);
    five->addWidget(new Rule);
    auto* heading = new QHBoxLayout;
    heading->addWidget(new Caption(tr("Top five there"), 13, QFont::DemiBold, Caption::Tone::Main));
    heading->addWidget(m_depth, 1, Qt::AlignRight);
    five->addLayout(heading);
    five->addWidget(m_bars);
    column->addLayout(five);
    column->addStretch(1);
    m_bars->setAccessibleName(tr("The five likeliest words of the chosen cell"));
    connect(grid, &LensGrid::laidOut, this, &LensSide::followGrid);
}

/// The curve ends where the cells do; it must not ask for room of its own, which would make the grid higher.
void LensSide::followGrid() {
    m_curve->setMaximumHeight(static_cast<int>(m_grid->cellsArea().bottom()) + 2);
}

void LensSide::showCell(const LensPicture* picture, bool sublayers) {
    const LensGrid::Cell cell = m_grid->chosen();
    if (!picture || !cell.valid()) {
        m_title->clear();
        m_subtitle->clear();
        m_depth->clear();
        m_curve->setPoints({});
        m_bars->setBars({});
        return;
    }
    const int position = cell.column, final = picture->finalWord(position);
    m_title->setText((picture->isMasked() ? tr("At “%1”") : tr("After “%1”")).arg(picture->heads().value(position)));
    m_subtitle->setText(tr("probability of %1 at every depth")
                            .arg(QStringLiteral("<b>%1</b>").arg(picture->word(position, final).toHtmlEscaped())));
    std::vector<LensCurve::Point> points;
    for (const size_t depth : m_grid->depths())
        points.push_back(picture->isRead(depth)
                             ? LensCurve::Point{static_cast<double>(picture->cell(depth, position).finalProbability),
                                                picture->cell(depth, position).finalRank}
                             : LensCurve::Point{});
    m_curve->setPoints(std::move(points));
    const size_t depth = m_grid->depths()[static_cast<size_t>(cell.row)];
    m_depth->setText(picture->title(depth, sublayers));
    std::vector<WordBars::Bar> bars;
    if (picture->isRead(depth))
        for (const LensCell::Word& word : picture->cell(depth, position).words)
            bars.push_back(
                {picture->word(position, word.id), static_cast<double>(word.probability), word.id == final, false});
    m_bars->setBars(std::move(bars));
}

}  // namespace headlight

#include "moc_lens_side.cpp"
