// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/why_picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

using Kind = WhyPart::Kind;

std::optional<WhyStep> WhyStep::parse(const std::string& text) {
    int place = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, place);
    const bool score = read.ptr != end && *read.ptr == 's';
    if (read.ec != std::errc() || place < 1 || read.ptr + (score ? 1 : 0) != end) return {};
    return WhyStep{place - 1, score};
}

std::string WhyStep::text() const {
    return std::to_string(index + 1) + (score ? "s" : "");
}

WhyPicture::WhyPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace,
                       const WhyQuestion& question, const std::function<bool()>& wanted)
    : m_model(std::move(model)), m_trace(std::move(trace)) {
    const int rows = m_trace->at("logits").dim(0);
    m_row = question.row < 0 ? likeliestRow() : std::min(question.row, rows - 1);
    findWords(question);
    m_why = std::make_unique<const Why>(*m_model, *m_trace, m_row, m_word, m_against);
    m_written = wordsOfRows();
    findStrongest(wanted);
}

int WhyPicture::firstId() const {
    const ModelConfig& config = m_model->network->config();
    return config.corpusKind() == CorpusKind::Labels ? config.firstLabel() : 0;
}

/// Where the first word leads the second by least: the question that is worth most.
int WhyPicture::likeliestRow() const {
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

void WhyPicture::findWords(const WhyQuestion& question) {
    const TraceRecord& logits = m_trace->at("logits");
    const int words = logits.dim(1), shown = std::min(likely, words);
    if (words < 2) throw Error("the model knows one word only: there is nothing to compare it with");
    const auto at = logits.values.begin() + static_cast<std::ptrdiff_t>(m_row) * words;
    std::vector<int> order(static_cast<size_t>(words));
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + shown, order.end(), [&](int a, int b) { return at[a] > at[b]; });
    for (int i = 0; i < shown; ++i)
        m_candidates.push_back(firstId() + order[static_cast<size_t>(i)]);
    m_word = idOf(question.word).value_or(m_candidates[0]);
    m_against = idOf(question.against).value_or(m_candidates[m_word == m_candidates[0] ? 1 : 0]);
    if (m_against == m_word) m_against = m_candidates[m_word == m_candidates[0] ? 1 : 0];
    for (const int id : {m_word, m_against})
        if (std::ranges::find(m_candidates, id) == m_candidates.end()) m_candidates.push_back(id);
}

double WhyPicture::probability(int id) const {
    const TraceRecord& said = m_trace->at("log_probs");
    return std::exp(static_cast<double>(said.values[static_cast<size_t>(m_row) * static_cast<size_t>(said.dim(1)) +
                                                    static_cast<size_t>(id - firstId())]));
}

QString WhyPicture::name(int id) const {
    return QString::fromStdString(m_model->target->displayOne(id));
}

QString WhyPicture::token(int id) const {
    return QString::fromStdString(m_model->target->vocabulary().token(id));
}

std::optional<int> WhyPicture::idOf(const QString& token) const {
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

std::vector<WhyColumn> WhyPicture::columns(const std::vector<WhyStep>& opened) const {
    std::vector<WhyColumn> all{first()};
    for (const WhyStep& step : opened) {
        const auto& rows = all.back().rows;
        if (step.index < 0 || static_cast<size_t>(step.index) >= rows.size()) break;
        const WhyColumn::Row row = rows[static_cast<size_t>(step.index)];
        if (!row.part.opens || (step.score && row.part.kind != Kind::Source)) break;
        WhyColumn next = column(row, step.score);
        if (next.rows.empty()) break;
        all.push_back(std::move(next));
    }
    return all;
}

std::vector<WhyStep> WhyPicture::largest() const {
    std::vector<WhyStep> way;
    std::vector<WhyPart> parts = m_why->parts();
    const bool attends = std::ranges::any_of(
        parts, [](const WhyPart& part) { return part.kind == Kind::Attention || part.kind == Kind::Context; });
    while (!parts.empty()) {
        int best = -1;
        for (size_t i = 0; i < parts.size(); ++i) {
            const WhyPart& part = parts[i];
            const bool leads = part.kind == Kind::Attention || part.kind == Kind::Head || part.kind == Kind::Context ||
                               part.kind == Kind::Source || (part.kind == Kind::State && !attends);
            if (!leads || !part.opens) continue;
            if (best < 0 || std::abs(part.amount) > std::abs(parts[static_cast<size_t>(best)].amount))
                best = static_cast<int>(i);
        }
        if (best < 0) break;
        way.push_back({best, false});
        parts = m_why->open(parts[static_cast<size_t>(best)]);
    }
    return way;
}

void WhyPicture::findStrongest(const std::function<bool()>& wanted) {
    const auto take = [this](const WhyPart& source) {
        if (std::abs(source.amount) <= std::abs(m_strongest.amount)) return;
        m_strongest = {readWord(source), readerOf(source), source.amount};
    };
    for (const WhyPart& part : m_why->parts()) {
        if (wanted && !wanted()) return;
        if (part.kind != Kind::Attention && part.kind != Kind::Context) continue;
        for (const WhyPart& inside : m_why->open(part)) {
            if (inside.kind == Kind::Source) take(inside);
            if (inside.kind != Kind::Head) continue;
            for (const WhyPart& source : m_why->open(inside))
                if (source.kind == Kind::Source) take(source);
        }
    }
}

}  // namespace headlight
