// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/number_edit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight {

namespace {

constexpr std::array kMatrixWords = {"Q", "K", "V", "scores", "weights", "output"};
constexpr int kLastGiven = 2;  ///< V; those behind it are computed

}  // namespace

int matrixOf(const std::string& word) {
    const auto at = std::ranges::find(kMatrixWords, word);
    return at == kMatrixWords.end() ? -1 : static_cast<int>(at - kMatrixWords.begin());
}

std::optional<NumberEdit> numberEditFrom(const std::string& text) {
    const size_t open = text.find('['), comma = text.find(','), close = text.find("]=");
    if (open == std::string::npos || comma == std::string::npos || close == std::string::npos) return {};
    if (open > comma || comma > close) return {};
    NumberEdit edit{.matrix = matrixOf(text.substr(0, open))};
    const auto read = [&](size_t from, size_t to, auto& number) {
        const char* const end = text.data() + to;
        const auto [stopped, error] = std::from_chars(text.data() + from, end, number);
        return error == std::errc() && stopped == end;
    };
    const bool whole = read(open + 1, comma, edit.row) && read(comma + 1, close, edit.column) &&
                       read(close + 2, text.size(), edit.value);
    if (!whole || edit.matrix < 0 || edit.matrix > kLastGiven) return {};
    if (edit.row-- < 1 || edit.column-- < 1 || !std::isfinite(edit.value)) return {};
    return edit;
}

const char* matrixWord(int matrix) {
    return kMatrixWords.at(static_cast<size_t>(matrix));
}

std::string textOf(const NumberEdit& edit) {
    std::array<char, 32> number{};
    const auto [end, error] = std::to_chars(number.data(), number.data() + number.size(), edit.value);
    return std::string(matrixWord(edit.matrix)) + "[" + std::to_string(edit.row + 1) + "," +
           std::to_string(edit.column + 1) + "]=" + std::string(number.data(), end);
}

}  // namespace headlight
