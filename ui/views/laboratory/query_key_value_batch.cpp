// SPDX-License-Identifier: GPL-3.0-or-later
// A block of the open model in a batch of two sentences: how its queries are cut into heads.
#include <QHBoxLayout>
#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/views/laboratory/batch_shapes.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

QWidget* QueryKeyValueView::makeBatch() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 12, 20, 12);
    column->setSpacing(8);
    auto* card = new Card(tr("Queries of a batch"), tr("cut into heads"));
    m_second->setAccessibleName(tr("The other sentence of the batch"));
    m_second->setToolTip(tr("Type another sentence, and press Enter"));
    m_second->setMinimumWidth(120);
    m_second->setMaximumWidth(300);
    card->header()->addWidget(new Caption(tr("Beside"), 12, QFont::Medium, Caption::Tone::Secondary));
    card->header()->addWidget(m_second, 1);
    card->body()->setContentsMargins(16, 8, 16, 8);
    card->body()->addWidget(m_shapes, 1);
    m_batchNote->setWordWrap(true);
    card->body()->addWidget(m_batchNote);
    column->addWidget(card, 1);
    return stage;
}

void QueryKeyValueView::connectBatch() {
    connect(m_shapes, &BatchShapes::placeChosen, this, [this] {
        const BatchShapes::Place& place = m_shapes->chosen();
        m_sentence = place.sentence + 1;
        m_wantedHead = place.head + 1;
        m_batchCell = {place.word + 1, place.number + 1};
        load();
        emit optionsChanged();
    });
    connect(m_second, &QLineEdit::editingFinished, this, [this] {
        if (!m_second->isModified()) return;
        m_second->setModified(false);
        m_wantedSecond = m_second->text().simplified();
        readBatch();
        emit optionsChanged();
    });
}

void QueryKeyValueView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    setTrace(std::move(trace));
}

/// Of the chosen head, as the other pages have it.
void QueryKeyValueView::showBatch() {
    if (m_pages->currentIndex() != Batch) return;
    const StageCell cell = m_batchCell.valid() ? m_batchCell : StageCell{1, 1};
    m_shapes->setChosen({m_sentence - 1, cell.row - 1, m_wantedHead - 1, cell.column - 1});
    readBatch();
}

void QueryKeyValueView::readBatch() {
    const bool canRead = m_model && m_trace && !m_blocks.empty() && m_model->network->config().encoderDecoder();
    m_second->setEnabled(canRead);
    if (!canRead) {
        m_reader.drop();
        m_batchRead = {};
        m_shapes->setBatch({});
        m_batchNote->clear();
        return m_shapes->setEmptyText(
            tr("A batch is drawn of models with heads that read one sentence and write another. Open a Transformer "
               "that translates."));
    }
    if (!m_second->isModified() && !m_wantedSecond.isEmpty()) m_second->setText(m_wantedSecond);
    const BatchWanted wanted{m_model, m_trace, m_wantedSecond, m_block->currentData().toString()};
    if (wanted == m_batchRead) return;
    m_reader.ask<HeadBatch>(
        [wanted] { return readHeadBatch(*wanted.model, *wanted.trace, wanted.second, wanted.scope); },
        [this, wanted](HeadBatch batch) {
            m_batchRead = wanted;
            takeBatch(std::move(batch));
        },
        [this](const QString& why) {
            m_shapes->setBatch({});
            m_shapes->setEmptyText(why);
        });
}

void QueryKeyValueView::takeBatch(HeadBatch batch) {
    const auto sentences = static_cast<int>(batch.sentences.size());
    const QString why = batch.why;
    const int products = sentences * batch.heads;
    QString note =
        tr("%1 products of %2 × %3, each of one head of one sentence: no score has a row in one sentence and "
           "a column in the other. Hatched: masked.")
            .arg(products)
            .arg(batch.length)
            .arg(batch.keys);
    if (!why.isEmpty()) note = why;
    m_batchNote->setText(note);
    if (!m_second->isModified()) m_second->setText(batch.second);
    m_shapes->setBatch(std::move(batch));
    const StageCell cell = m_batchCell.valid() ? m_batchCell : StageCell{1, 1};
    m_shapes->setChosen({m_sentence - 1, cell.row - 1, m_wantedHead - 1, cell.column - 1});
}

}  // namespace headlight
