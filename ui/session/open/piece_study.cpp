// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/piece_study.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/experiment/prompt.h"
#include "ui/session/trace/value_region.h"

namespace headlight {

namespace {

/// Of one column of a row of logits.
double probabilityIn(std::span<const float> logits, int column) {
    const auto most = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - most);
    return std::exp(static_cast<double>(logits[static_cast<size_t>(column)]) - most) / sum;
}

std::vector<double> probabilities(std::span<const float> logits, const std::vector<int>& words) {
    const size_t width = logits.size() / std::max<size_t>(1, words.size());
    std::vector<double> result(words.size());
    for (size_t row = 0; row < words.size(); ++row)
        result[row] = probabilityIn(logits.subspan(row * width, width), words[row]);
    return result;
}

}  // namespace

int PieceStudy::worst(size_t row) const {
    const auto least = std::ranges::min_element(alone, {}, [row](const auto& piece) { return piece[row]; });
    return static_cast<int>(least - alone.begin());
}

PieceStudy studyPieces(const PieceQuestion& question, const std::function<bool()>& wanted) {
    const TraceRecord* const logits = question.trace->find("logits");
    if (!logits) return {};
    std::vector<int> words;
    words.reserve(static_cast<size_t>(logits->dim(0)));
    for (int row = 0; row < logits->dim(0); ++row)
        words.push_back(likeliest(matrixRow(*logits, 0, row)));
    const Prompt prompt = Prompt::of(*question.trace);
    const auto under = [&](const std::vector<int>& pieces) {
        std::vector<Intervention> list = question.always;
        for (const int piece : pieces) {
            const auto& more = question.pieces[static_cast<size_t>(piece)];
            list.insert(list.end(), more.begin(), more.end());
        }
        return probabilities(logitsOf(*question.model, prompt, list), words);
    };
    PieceStudy study;
    study.none = probabilities(logits->values, words);
    std::vector<int> all;
    for (int piece = 0; piece < std::ssize(question.pieces); ++piece) {
        if (!wanted()) return {};
        study.alone.push_back(under({piece}));
        all.push_back(piece);
    }
    study.chosen = under(question.chosen);
    study.all = question.chosen == all ? study.chosen : under(all);
    return study;
}

}  // namespace headlight
