// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand in the mask laboratory.
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/controls/tinted_box.h"
#include "ui/widgets/matrix/label_step.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/batch_strip.h"

namespace headlight {

namespace {

QLabel* sign(const QString& text) {
    auto* label = new Caption(text, 15, QFont::DemiBold, Caption::Tone::Secondary);
    label->setAlignment(Qt::AlignCenter);
    label->setFixedWidth(28);
    return label;
}

/// A caption that gives way where it is narrow; the whole of it is its tool tip.
Caption* saying(const QString& text = {}) {
    auto* caption = new Caption(text, 12, QFont::Normal, Caption::Tone::Faint);
    caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return caption;
}

QWidget* titled(const QString& title, QLabel* caption, QWidget* content) {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->addWidget(new Caption(title, 13, QFont::DemiBold, Caption::Tone::Main));
    row->addWidget(caption, 1);
    column->addLayout(row);
    column->addWidget(content, 1);
    return part;
}

}  // namespace

RowSums::RowSums(MatrixView* matrix) : m_matrix(matrix) {
    setFixedWidth(48);
    setAccessibleName(MaskView::tr("Sums of the rows"));
    QObject::connect(matrix->verticalScrollBar(), &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
}

void RowSums::setSums(std::vector<double> sums) {
    m_sums = std::move(sums);
    update();
}

void RowSums::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QPointF scrolled(m_matrix->horizontalScrollBar()->value(), m_matrix->verticalScrollBar()->value());
    const QRectF first = m_matrix->cellRect({0, 0});
    const auto place = [&](double y) {
        return QPointF(width() - 1.0, mapFrom(window(), m_matrix->viewport()->mapTo(window(), QPointF(0, y))).y());
    };
    // As the names of the rows stand: low ones have no room for each.
    const auto step = static_cast<size_t>(labelStep(first.height() + 1));
    for (size_t row = 0; row < m_sums.size(); row += step) {
        // A row that is scrolled away has no sum in sight either.
        const double middle = m_matrix->cellRect({static_cast<int>(row), 0}).center().y();
        if (!m_matrix->cellAt({first.left() + scrolled.x() + 1, middle}).valid()) continue;
        const QPointF at = place(middle);
        const bool isOne = std::abs(m_sums[row] - 1) < 5e-4;
        paint::centredText(p, at, formatNumber(m_sums[row], 3), monoFont(11, QFont::Medium), isOne ? t.good : t.bad,
                           Anchor::End);
    }
    if (m_sums.empty()) return;
    paint::centredText(p, place(first.top() + scrolled.y() - 12), MaskView::tr("sum"), uiFont(11), t.text3,
                       Anchor::End);
}

/// On a low screen what is around the matrices gives way, not their rows.
void MaskView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareHeight();
}

void MaskView::shareHeight() {
    constexpr int kLow = 700, kLowest = 640;  // below 700 the rows of a padded batch would be too low for numbers
    const bool low = height() < kLow;
    m_title->setVisible(!low);  // the tab says it
    m_column->setContentsMargins(24, low ? 8 : 12, 20, low ? 8 : 16);
    m_column->setSpacing(low ? 6 : 10);
    // Ticks need less than matrices; of one sentence, above which no batch stands, they have their share.
    const bool crowded = height() < kLowest, padded = !m_batchRow->isHidden();
    m_column->setStretchFactor(m_masks, crowded && padded ? 3 : 5);
    m_column->setStretchFactor(m_stages, !crowded ? 6 : padded ? 8 : 7);
    for (Card* card : {m_masks, m_stages}) {
        card->body()->setContentsMargins(20, low ? 8 : 14, 20, low ? 8 : 16);
        card->body()->setSpacing(low ? 4 : 8);
    }
}

QWidget* MaskView::makeHeading() {
    auto* heading = new QWidget;
    auto* row = new QHBoxLayout(heading);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_title = new Caption(tr("Masks"), 18, QFont::DemiBold, Caption::Tone::Main));
    m_subtitle->setWordWrap(true);
    words->addWidget(m_subtitle);
    row->addLayout(words, 1);
    row->addWidget(m_padsTitle = new Caption(tr("Padding"), 12, QFont::Medium, Caption::Tone::Secondary));
    row->addWidget(m_pads);
    row->addWidget(m_stack);
    row->addWidget(m_head);
    m_pads->setAccessibleName(tr("Padding tokens behind the sentence"));
    return heading;
}

QWidget* MaskView::makeBatch() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_second->setPlaceholderText(tr("A second sentence"));
    m_second->setAccessibleName(tr("The second sentence of the batch"));
    // It takes what the words of the batch leave.
    m_second->setMinimumWidth(220);
    m_batch->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    row->addWidget(m_batch);
    auto* second = new QHBoxLayout;
    second->setSpacing(12);
    second->addWidget(new Caption(tr("Sentence 2"), 12, QFont::Medium, Caption::Tone::Secondary));
    second->addWidget(m_second);
    auto* atBottom = new QVBoxLayout;
    atBottom->addStretch();
    atBottom->addLayout(second);
    row->addLayout(atBottom, 1);
    m_batchRow = new QWidget;
    m_batchRow->setLayout(row);
    return m_batchRow;
}

QWidget* MaskView::makeMasks() {
    auto* card = m_masks = new Card(tr("What may be looked at"), tr("a hatched cell is closed"));
    card->setPanelName("masks");
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(titled(tr("Padding"), m_paddingSays = saying(), m_paddingGrid), 1);
    row->addWidget(sign(tr("and")));
    row->addWidget(
        titled(tr("Causal"), m_causalSays = new FittingCaption(12, QFont::Normal, Caption::Tone::Faint), m_causalGrid),
        1);
    row->addWidget(sign(QStringLiteral("=")));
    row->addWidget(titled(tr("Both"), saying(tr("click a cell to open or close it")), m_combined), 1);
    card->body()->addLayout(row);
    return card;
}

QWidget* MaskView::makeBanner() {
    m_banner = new TintedBox(TintedBox::Tone::Now);
    m_banner->setFixedHeight(48);
    auto* row = new QHBoxLayout(m_banner);
    row->setContentsMargins(46, 0, 12, 0);
    m_bannerText = new Caption({}, 13, QFont::Normal, Caption::Tone::Main);
    auto* reset = new Button(Button::Kind::Ghost, tr("As it should be"), Icon::Reset);
    connect(reset, &Button::clicked, this, &MaskView::restoreMask);
    row->addWidget(m_bannerText, 1);
    row->addWidget(reset);
    m_banner->hide();
    return m_banner;
}

QWidget* MaskView::makeStages() {
    m_stages = new Card(tr("From scores to weights"));
    m_stages->setPanelName("weights");
    m_stages->header()->addWidget(m_way);
    m_way->setAccessibleName(tr("Way of masking"));
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(titled(tr("Scores"), saying(tr("before the mask")), m_before), 1);
    row->addWidget(titled(tr("Masked"), saying(tr("what the softmax is given")), m_masked), 1);
    row->addWidget(titled(tr("Weights"), m_sums = saying(), m_weights), 1);
    // Beside the third, not within it: the three are as wide as each other, so that their heads stand alike.
    row->addWidget(m_rowSums);
    m_note->setTextFormat(Qt::RichText);
    m_stages->body()->addWidget(m_note);
    m_stages->body()->addLayout(row, 1);
    return m_stages;
}

}  // namespace headlight
