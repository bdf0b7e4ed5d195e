// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/said_words.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/experiment/gap.h"
#include "ui/session/trace/value_words.h"
#include "ui/session/trace/word_behind.h"

namespace headlight {

SaidWords::SaidWords(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace, int row)
    : m_model(std::move(model)), m_trace(std::move(trace)) {
    const TraceRecord& logits = m_trace->at("logits");
    const int words = logits.dim(1), shown = std::min(likely, words);
    m_row = row < 0 ? closestRow() : std::min(row, logits.dim(0) - 1);
    const auto at = logits.values.begin() + static_cast<std::ptrdiff_t>(m_row) * words;
    std::vector<int> order(static_cast<size_t>(words));
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + shown, order.end(), [&](int a, int b) { return at[a] > at[b]; });
    for (int i = 0; i < shown; ++i)
        m_candidates.push_back(firstId() + order[static_cast<size_t>(i)]);
    m_written = wordsOfRows();
}

void SaidWords::offer(int id) {
    if (std::ranges::find(m_candidates, id) == m_candidates.end()) m_candidates.push_back(id);
}

int SaidWords::firstId() const {
    const ModelConfig& config = m_model->network->config();
    return config.corpusKind() == CorpusKind::Labels ? config.firstLabel() : 0;
}

/// Where the first word leads the second by least: the question that is worth most. Of a text with a gap, the gap.
int SaidWords::closestRow() const {
    if (const auto gap = firstGap(m_model->network->config(), *m_trace)) return *gap;
    const TraceRecord& logits = m_trace->at("logits");
    int best = 0;
    float least = INFINITY;
    std::vector<float> row;
    for (int i = 0; i < logits.dim(0); ++i) {
        const auto at = logits.values.begin() + static_cast<std::ptrdiff_t>(i) * logits.dim(1);
        row.assign(at, at + logits.dim(1));
        std::ranges::partial_sort(row, row.begin() + std::min<std::ptrdiff_t>(2, logits.dim(1)), std::greater());
        const float lead = row.size() > 1 ? row[0] - row[1] : 0;
        if (lead >= least) continue;
        least = lead;
        best = i;
    }
    return best;
}

double SaidWords::probability(int id) const {
    const TraceRecord& said = m_trace->at("log_probs");
    return std::exp(static_cast<double>(said.values[static_cast<size_t>(m_row) * static_cast<size_t>(said.dim(1)) +
                                                    static_cast<size_t>(id - firstId())]));
}

QString SaidWords::nameAt(int row, int id) const {
    return wordAtRow(*m_model, *m_trace, row, id);
}

QString SaidWords::token(int id) const {
    return QString::fromStdString(m_model->target->vocabulary().token(id));
}

std::optional<int> SaidWords::idOf(const QString& token) const {
    const Vocabulary& vocabulary = m_model->target->vocabulary();
    const std::string text = token.trimmed().toStdString();
    if (text.empty()) return {};
    std::optional<int> id;
    if (vocabulary.contains(text))
        id = vocabulary.id(text);
    else if (const std::vector<int> ids = m_model->target->encode(text);
             ids.size() == 1 && !m_model->target->isSpecial(ids[0]) && ids[0] != m_model->target->specials().unk)
        id = ids[0];  // a piece that is written without the mark of its space
    if (!id || *id < firstId() || *id - firstId() >= m_trace->at("logits").dim(1)) return {};
    return id;
}

/// What is said at each row: of a translation what is written, of a text its next word.
QStringList SaidWords::wordsOfRows() const {
    const ModelConfig& config = m_model->network->config();
    if (!config.saysWords()) return {name(m_candidates.front())};
    if (config.encoderDecoder()) return writtenWords(*m_trace);
    QStringList words = wordList(m_trace->sourceTokens);
    if (config.masked() || words.isEmpty()) return words;
    words.removeFirst();
    words << QStringLiteral("…");
    return words;
}

}  // namespace headlight
