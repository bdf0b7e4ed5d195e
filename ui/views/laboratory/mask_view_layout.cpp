// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand in the mask laboratory.
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "ui/views/laboratory/mask_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/tinted_box.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/batch_strip.h"

namespace headlight {

namespace {

QLabel* sign(const QString& text) {
    auto* label = new Caption(text, 15, QFont::DemiBold, Caption::Tone::Secondary);
    label->setAlignment(Qt::AlignCenter);
    label->setFixedWidth(28);
    return label;
}

QWidget* titled(const QString& title, const QString& caption, QWidget* content) {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->addWidget(new Caption(title, 13, QFont::DemiBold, Caption::Tone::Main));
    row->addWidget(new Caption(caption, 12, QFont::Normal, Caption::Tone::Faint), 1);
    column->addLayout(row);
    column->addWidget(content, 1);
    return part;
}

}  // namespace

QWidget* MaskView::makeHeading() {
    auto* heading = new QWidget;
    auto* row = new QHBoxLayout(heading);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(new Caption(tr("Masks"), 18, QFont::DemiBold, Caption::Tone::Main));
    words->addWidget(m_subtitle);
    row->addLayout(words, 1);
    row->addWidget(new Caption(tr("Padding"), 12, QFont::Medium, Caption::Tone::Secondary));
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
    m_second->setFixedWidth(220);
    row->addWidget(m_batch, 1);
    row->addWidget(new Caption(tr("Sentence 2"), 12, QFont::Medium, Caption::Tone::Secondary), 0, Qt::AlignBottom);
    row->addWidget(m_second, 0, Qt::AlignBottom);
    m_batchRow = new QWidget;
    m_batchRow->setLayout(row);
    return m_batchRow;
}

QWidget* MaskView::makeMasks() {
    auto* card = new Card(tr("What may be looked at"), tr("a hatched cell is closed"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(titled(tr("Padding"), tr("closes columns that hold no word"), m_paddingGrid), 1);
    row->addWidget(sign(tr("or")));
    row->addWidget(titled(tr("Causal"), tr("closes words not written yet"), m_causalGrid), 1);
    row->addWidget(sign(QStringLiteral("=")));
    row->addWidget(titled(tr("Both"), tr("click a cell to open or close it"), m_combined), 1);
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
    auto* card = new Card(tr("From scores to weights"));
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    card->header()->insertWidget(1, m_note, 1);
    card->header()->addWidget(m_way);
    m_way->setAccessibleName(tr("Way of masking"));
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(titled(tr("Scores"), tr("before the mask"), m_before), 1);
    row->addWidget(titled(tr("Masked"), tr("what the softmax is given"), m_masked), 1);
    row->addWidget(titled(tr("Weights"), tr("below each word the sum of its row"), m_weights), 1);
    card->body()->addLayout(row, 1);
    return card;
}

}  // namespace headlight
