// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/why_picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "ui/session/format/number_format.h"

namespace headlight {

using PartKind = WhyPart::Kind;

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
    : SaidWords(std::move(model), std::move(trace), question.row) {
    findWords(question);
    m_why = std::make_unique<const Why>(this->model(), this->trace(), row(), m_word, m_against);
    findStrongest(wanted);
}

void WhyPicture::findWords(const WhyQuestion& question) {
    if (candidates().size() < 2) throw Error("the model knows one word only: there is nothing to compare it with");
    const int likeliest = candidates()[0], second = candidates()[1];
    m_word = idOf(question.word).value_or(likeliest);
    m_against = idOf(question.against).value_or(m_word == likeliest ? second : likeliest);
    if (m_against == m_word) m_against = m_word == likeliest ? second : likeliest;
    offer(m_word);
    offer(m_against);
}

std::vector<WhyColumn> WhyPicture::columns(const std::vector<WhyStep>& opened) const {
    std::vector<WhyColumn> all{first()};
    for (const WhyStep& step : opened) {
        const auto& rows = all.back().rows;
        if (step.index < 0 || static_cast<size_t>(step.index) >= rows.size()) break;
        const WhyColumn::Row row = rows[static_cast<size_t>(step.index)];
        if (!row.part.opens || (step.score && row.part.kind != PartKind::Source)) break;
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
        parts, [](const WhyPart& part) { return part.kind == PartKind::Attention || part.kind == PartKind::Context; });
    while (!parts.empty()) {
        int best = -1;
        for (size_t i = 0; i < parts.size(); ++i) {
            const WhyPart& part = parts[i];
            const bool leads = part.kind == PartKind::Attention || part.kind == PartKind::Head ||
                               part.kind == PartKind::Context || part.kind == PartKind::Source ||
                               (part.kind == PartKind::State && !attends);
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
        if (part.kind != PartKind::Attention && part.kind != PartKind::Context) continue;
        for (const WhyPart& inside : m_why->open(part)) {
            if (inside.kind == PartKind::Source) take(inside);
            if (inside.kind != PartKind::Head) continue;
            for (const WhyPart& source : m_why->open(inside))
                if (source.kind == PartKind::Source) take(source);
        }
    }
}

}  // namespace headlight
