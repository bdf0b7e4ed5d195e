// SPDX-License-Identifier: GPL-3.0-or-later
// The batch of the mask laboratory: two sentences, filled up, read in the background.
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "core/data/translate.h"
#include "core/error.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/words/batch_strip.h"

namespace headlight {

/// Without a wish of its own a shorter sentence stands beside the one that is read, once it is found.
void MaskView::showSecond() {
    m_shownSecond = m_wantedSecond == kNoSecond ? QString() : m_wantedSecond;
    if (m_wantedSecond.isEmpty() && m_trace && m_foundFor.lock() == m_trace) m_shownSecond = m_found;
    m_second->setText(m_shownSecond);
    m_second->setCursorPosition(0);
}

/// An encoder-decoder reads the chosen sentence once more, filled up to the length of the batch. A second sentence that
/// it cannot read leaves the batch with one. A model of one stack reads the beginning of a text that is too long.
MaskView::Batch MaskView::readBatch(const Wanted& wanted) {
    Batch batch;
    if (!wanted.model->network->config().encoderDecoder()) {
        batch.padded = beginningOf(*wanted.model, wanted.trace, kMostLaidOut);
        return batch;
    }
    batch.second = wanted.findsSecond ? shorterSentence(*wanted.model, *wanted.trace) : wanted.second;
    std::vector<const Trace*> sentences{wanted.trace.get()};
    std::optional<Trace> second;
    try {
        if (!batch.second.isEmpty()) second = traceSentence(*wanted.model, batch.second.toStdString());
    } catch (const Error& error) {
        batch.why = QString::fromUtf8(error.what());
    }
    if (second) sentences.push_back(&*second);
    const auto chosen = std::min(static_cast<size_t>(wanted.sentence), sentences.size()) - 1;
    batch.padded = padBatch(*wanted.model, sentences, chosen, wanted.side, wanted.pads, kMostLaidOut);
    return batch;
}

/// What is seen stays until the batch is read.
void MaskView::readPadded() {
    const Wanted wanted{m_model,
                        m_trace,
                        m_shownSecond,
                        m_wantedSecond.isEmpty() && m_foundFor.lock() != m_trace,
                        m_wantedSentence,
                        m_pads->currentIndex(),
                        isCausal() ? BatchSide::Target : BatchSide::Source};
    if (m_padded && wanted == m_read) {
        m_reader.drop();
        return showScores();
    }
    m_reader.ask<Batch>([wanted] { return readBatch(wanted); },
                        [this, wanted](Batch batch) { takeBatch(wanted, std::move(batch)); },
                        [this](const QString& why) { m_subtitle->setText(why); });
}

void MaskView::takeBatch(const Wanted& wanted, Batch batch) {
    m_read = wanted;
    if (wanted.findsSecond) {
        m_foundFor = wanted.trace;
        m_found = batch.second;
        m_read.findsSecond = false;
        m_read.second = m_found;
        showSecond();
    }
    m_batchWords = batch.padded.words;
    m_longest = batch.padded.isCut ? batch.padded.longest : 0;
    m_padded = std::move(batch.padded.trace);
    m_second->setToolTip(batch.why);
    const auto rows = static_cast<int>(batch.padded.rows.size());
    m_batch->setRows(std::move(batch.padded.rows));
    m_batch->setChosen(std::min(wanted.sentence, rows) - 1);
    showScores();
}

}  // namespace headlight
