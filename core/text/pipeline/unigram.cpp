// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/unigram.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include <unicode/utf8.h>

#include "core/text/pipeline/byte_tokens.h"
#include "core/text/pipeline/component.h"

namespace headlight::pipeline {
namespace {

/// Finds all tokens that a text begins with.
class PrefixSearch {
public:
    explicit PrefixSearch(const std::vector<std::string>& tokens) : m_tokens(tokens), m_order(tokens.size()) {
        std::iota(m_order.begin(), m_order.end(), 0);
        std::erase_if(m_order, [this](int id) { return token(id).empty(); });
        std::ranges::sort(m_order, {}, [this](int id) { return std::string_view(token(id)); });
        for (std::size_t byte = 0, at = 0; byte < m_begins.size(); ++byte) {
            while (at < m_order.size() && byteOf(m_order[at], 0) < static_cast<int>(byte))
                ++at;
            m_begins[byte] = static_cast<std::ptrdiff_t>(at);
        }
    }

    /// Calls `found(id, length)` for each, the shortest first.
    template <typename Found>
    void forEach(std::string_view text, Found found) const {
        const auto first = static_cast<unsigned char>(text.front());
        auto begin = m_order.begin() + m_begins[first], end = m_order.begin() + m_begins[first + std::size_t{1}];
        for (std::size_t length = 1; begin != end; ++length) {
            // Of tokens that begin alike the shortest stands first.
            for (; begin != end && token(*begin).size() == length; ++begin)
                found(*begin, length);
            if (length == text.size()) return;
            const auto next = static_cast<int>(static_cast<unsigned char>(text[length]));
            const auto byte = [&](int id) { return byteOf(id, length); };
            begin = std::ranges::lower_bound(begin, end, next, {}, byte);
            end = std::ranges::upper_bound(begin, end, next, {}, byte);
        }
    }

private:
    const std::string& token(int id) const { return m_tokens[static_cast<std::size_t>(id)]; }
    int byteOf(int id, std::size_t at) const { return static_cast<unsigned char>(token(id)[at]); }

    const std::vector<std::string>& m_tokens;
    std::vector<int> m_order;
    std::array<std::ptrdiff_t, 257> m_begins{};  // by first byte: where its tokens begin in m_order
};

class Unigram : public SubwordModel {
public:
    Unigram(const ModelSource& source, const ComponentJson& json)
        : m_tokens(source.tokens), m_scores(source.scores), m_index(m_tokens), m_search(m_tokens) {
        if (m_tokens.empty() || m_scores.size() != m_tokens.size())
            json.refuse("vocab", "does not give each token its score: the file is damaged");
        const int size = static_cast<int>(m_tokens.size());
        m_unknownId = json.number("unk_id", -1, size - 1);
        if (m_unknownId >= 0) m_unknown = m_tokens[static_cast<std::size_t>(m_unknownId)];
        if (json.flag("byte_fallback", false)) m_bytes.emplace(m_index);
        constexpr double unknownPenalty = 10;
        m_unknownScore = *std::ranges::min_element(m_scores) - unknownPenalty;
    }

    void cut(std::string_view piece, std::vector<ModelToken>& tokens) const override {
        std::vector<Step> steps = bestSteps(piece);
        // From the end: what leads to each place is known there.
        std::vector<std::string_view> parts;
        bool isUnknown = false;
        for (std::size_t end = piece.size(); end > 0;) {
            const Step& step = steps[end];
            const std::string_view part = piece.substr(step.begin, end - step.begin);
            if (isUnknown && step.id == m_unknownId)
                parts.back() = {part.data(), part.size() + parts.back().size()};
            else
                parts.push_back(part);
            isUnknown = step.id == m_unknownId;
            end = step.begin;
        }
        for (auto part = parts.rbegin(); part != parts.rend(); ++part)
            addToken(*part, tokens);
    }

    const std::string& unknownToken() const override { return m_unknown; }
    bool fallsBackToBytes() const override { return m_bytes.has_value(); }

private:
    /// The last token of the best way to a place in the text.
    struct Step {
        int id = -1;
        double score = 0;  ///< of the whole way
        std::size_t begin = 0;
        bool isThere = false;
    };

    /// By the byte at which they end.
    std::vector<Step> bestSteps(std::string_view piece) const {
        std::vector<Step> steps(piece.size() + 1);
        for (std::size_t begin = 0; begin < piece.size();) {
            std::size_t next = begin;
            U8_FWD_1(piece.data(), next, piece.size());
            const double before = steps[begin].score;
            const auto offer = [&](int id, double score, std::size_t end) {
                Step& step = steps[end];
                if (!step.isThere || before + score > step.score) step = {id, before + score, begin, true};
            };
            bool hasCharacter = false;
            m_search.forEach(piece.substr(begin), [&](int id, std::size_t length) {
                offer(id, m_scores[static_cast<std::size_t>(id)], begin + length);
                hasCharacter = hasCharacter || begin + length == next;
            });
            if (!hasCharacter) offer(m_unknownId, m_unknownScore, next);
            begin = next;
        }
        return steps;
    }

    void addToken(std::string_view text, std::vector<ModelToken>& tokens) const {
        if (const int id = m_index.find(text); id >= 0)
            tokens.push_back({id});
        else if (m_bytes && m_bytes->hasAll(text))
            for (const char byte : text)
                tokens.push_back({m_bytes->id(byte)});
        else if (m_unknownId >= 0)
            tokens.push_back({-1, std::string(text)});
    }

    std::vector<std::string> m_tokens;
    std::vector<double> m_scores;
    TokenIndex m_index;
    PrefixSearch m_search;
    int m_unknownId = -1;
    std::string m_unknown;
    double m_unknownScore = 0;
    std::optional<ByteTokens> m_bytes;  // only with byte fallback
};

}  // namespace

std::unique_ptr<const SubwordModel> makeUnigram(const ModelSource& source, const ComponentJson& json) {
    return std::make_unique<Unigram>(source, json);
}

}  // namespace headlight::pipeline
