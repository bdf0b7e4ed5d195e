// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/sentences_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

enum SentencesColumn { Source, Written, Reference, Loss };

}  // namespace

SentencesView::SentencesView(QWidget* parent)
    : QWidget(parent),
      m_step(new LabelledSlider(tr("Step"), {0, 0, 0})),
      m_table(makePlainTable({tr("Source"), tr("The model writes"), tr("Reference"), tr("Loss")},
                             tr("Sentences for validation"))),
      m_curveCard(new Card(tr("Loss of a sentence"))),
      m_curve(new PlainChart) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 20);
    column->setSpacing(16);
    auto* card = new Card(tr("Sentences for validation"), tr("not trained on; move the slider to go back in time"));
    card->body()->addWidget(m_step);
    card->body()->addWidget(m_table, 1);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setFocusPolicy(Qt::StrongFocus);
    for (const int wide : {Source, Written, Reference})
        m_table->horizontalHeader()->setSectionResizeMode(wide, QHeaderView::Stretch);
    for (const int words : {Written, Reference})
        m_table->horizontalHeaderItem(words)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(Loss, QHeaderView::Fixed);
    m_table->setColumnWidth(Loss, 90);
    m_curveCard->body()->addWidget(m_curve, 1);
    m_curve->setAxisTitle(tr("step"));
    m_curve->setEmptyText(tr("No step taken yet: press Start under Run"));
    column->addWidget(card, 3);
    column->addWidget(m_curveCard, 2);
    connect(m_step, &LabelledSlider::valueChanged, this, &SentencesView::refresh);
    connect(m_table, &QTableWidget::currentCellChanged, this, &SentencesView::showCurve);
}

void SentencesView::clear() {
    m_frames.clear();
    m_step->setRange({0, 0, 0});
    refresh();
}

void SentencesView::cutBack(int step) {
    std::erase_if(m_frames, [step](const SentencesFrame& frame) { return frame.step > step; });
    const int last = std::max(0, static_cast<int>(m_frames.size()) - 1);
    m_step->setRange({0, last, last});
    refresh();
}

void SentencesView::append(const std::vector<SentencesFrame>& frames) {
    const bool atEnd = m_step->value() + 1 >= static_cast<int>(m_frames.size());
    m_frames.insert(m_frames.end(), frames.begin(), frames.end());
    const int last = static_cast<int>(m_frames.size()) - 1;
    m_step->setRange({0, last, atEnd ? last : m_step->value()});
    if (isVisible()) refresh();
}

void SentencesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

/// The rows hold the colours of the theme.
void SentencesView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

void SentencesView::refresh() {
    const QSignalBlocker quiet(m_table);
    if (m_frames.empty()) {
        m_table->setRowCount(0);
        m_step->setText({});
        return m_curve->setLines({}, {}, -1);
    }
    const SentencesFrame& frame =
        m_frames[static_cast<size_t>(std::clamp(m_step->value(), 0, static_cast<int>(m_frames.size()) - 1))];
    m_step->setText(formatCount(frame.step));
    m_table->setRowCount(static_cast<int>(frame.sentences.size()));
    const Theme& t = Theme::of(this);
    int row = 0;
    for (const SentenceState& sentence : frame.sentences) {
        setPlainRow(m_table, row,
                    {sentence.source, sentence.written, sentence.reference, formatNumber(sentence.loss, 3)});
        for (const int words : {Written, Reference}) {
            m_table->item(row, words)->setFont(uiFont(13));
            m_table->item(row, words)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        }
        m_table->item(row, Written)->setForeground(sentence.written == sentence.reference ? t.good : t.text);
        ++row;
    }
    if (m_table->currentRow() < 0 && row > 0) m_table->setCurrentCell(0, 0);
    showCurve();
}

void SentencesView::showCurve() {
    const int row = m_table->currentRow();
    PlainChart::Line line;
    double top = 0.1;
    for (const SentencesFrame& frame : m_frames) {
        if (row < 0 || row >= static_cast<int>(frame.sentences.size())) continue;
        line.emplace_back(frame.step, frame.sentences[static_cast<size_t>(row)].loss);
        top = std::max(top, line.back().y() * 1.05);
    }
    if (line.empty()) return;
    m_curveCard->setCaption(m_table->item(row, Source)->text());
    if (line.size() == 1) return m_curve->setLines({}, {}, -1);  // a point is no line
    const PlainChart::Range range{0, std::max(1.0, line.back().x()), 0, top};
    const double now = m_frames[static_cast<size_t>(m_step->value())].step;
    m_curve->setLines({std::move(line)}, range, now);
}

}  // namespace headlight

#include "moc_sentences_view.cpp"
