// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/head_glance.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/experiment/head_habits.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/trace/attention_block.h"

namespace headlight {

namespace {

struct HeadGlanceText {
    Q_DECLARE_TR_FUNCTIONS(HeadGlance)
};

constexpr double kMost = 0.5, kNearlyAll = 0.75;  ///< of a row's weight

double glanceEntropy(std::span<const double> shares) {
    double bits = 0;
    for (const double share : shares)
        if (share > 0) bits -= share * std::log2(share);
    return bits;
}

/// A word and the places of its pieces.
struct GlanceWord {
    QString text;
    int first = 0, last = 0;
    bool isWord = true;  ///< neither a mark nor a special token

    bool operator==(const GlanceWord& other) const { return first == other.first; }
};

std::vector<GlanceWord> glanceWords(const QStringList& drawn) {
    std::vector<GlanceWord> words;
    for (int i = 0; i < drawn.size(); ++i) {
        const QString text = PieceText(drawn[i]).text;
        const bool isSpecial = text.size() > 2 && text.startsWith(u'<') && text.endsWith(u'>');
        const bool isWord = !isSpecial && !isPunctuation(text.toStdString());
        if (isWord && !words.empty() && words.back().isWord && touchesBefore(drawn, i)) {
            words.back().text += text;
            words.back().last = i;
        } else {
            words.push_back({text, i, i, isWord});
        }
    }
    return words;
}

class Facts {
public:
    explicit Facts(const HeadGlance& glance)
        : m_glance(glance), m_reads(glanceWords(glance.reads)), m_writes(glanceWords(glance.writes)) {}

    std::optional<GlanceFact> oneForTwo() const;
    std::optional<GlanceFact> turnedRound() const;
    std::optional<GlanceFact> nearlyAll() const;

private:
    /// Of the weight of each piece of `written`, at least that much lies on the pieces of `read`.
    double share(const GlanceWord& written, const GlanceWord& read) const {
        double least = 1;
        for (int row = written.first; row <= written.last; ++row) {
            double sum = 0;
            for (int column = read.first; column <= read.last; ++column)
                sum += static_cast<double>(
                    m_glance.weights[static_cast<size_t>(row) * static_cast<size_t>(m_glance.reads.size()) +
                                     static_cast<size_t>(column)]);
            least = std::min(least, sum);
        }
        return least;
    }
    /// The word that has more than half of it; null: none has.
    const GlanceWord* lookedAtBy(const GlanceWord& written) const {
        for (const GlanceWord& read : m_reads)
            if (read.isWord && share(written, read) > kMost) return &read;
        return nullptr;
    }
    static void light(GlanceFact& fact, const GlanceWord& written, const GlanceWord& read) {
        for (int row = written.first; row <= written.last; ++row)
            for (int column = read.first; column <= read.last; ++column)
                fact.cells.emplace_back(row, column);
    }

    const HeadGlance& m_glance;
    std::vector<GlanceWord> m_reads, m_writes;
};

/// Of several such words the one whose looks are the surest.
std::optional<GlanceFact> Facts::oneForTwo() const {
    std::optional<GlanceFact> fact;
    double surest = 0;
    for (const GlanceWord& read : m_reads) {
        if (!read.isWord) continue;
        std::vector<size_t> places;
        double least = 1;
        for (size_t i = 0; i < m_writes.size(); ++i) {
            if (!m_writes[i].isWord || share(m_writes[i], read) <= kMost) continue;
            places.push_back(i);
            least = std::min(least, share(m_writes[i], read));
        }
        const auto apart = [](size_t left, size_t right) { return right - left > 1; };
        if (std::ranges::adjacent_find(places, apart) == places.end() || least <= surest) continue;
        surest = least;
        fact.emplace();
        QStringList quoted;
        for (const size_t place : places) {
            quoted << HeadGlanceText::tr("“%1”").arg(m_writes[place].text);
            light(*fact, m_writes[place], read);
        }
        fact->sentence = quoted.size() == 2
                             ? HeadGlanceText::tr("One head writes both %1 and %2 with its eyes on “%3”.")
                                   .arg(quoted[0], quoted[1], read.text)
                             : HeadGlanceText::tr("One head keeps its eyes on “%1” while it writes %2.")
                                   .arg(read.text, quoted.join(QStringLiteral(", ")));
    }
    return fact;
}

std::optional<GlanceFact> Facts::turnedRound() const {
    for (size_t i = 0; i + 1 < m_writes.size(); ++i) {
        if (!m_writes[i].isWord || !m_writes[i + 1].isWord) continue;
        const GlanceWord *one = lookedAtBy(m_writes[i]), *two = lookedAtBy(m_writes[i + 1]);
        if (!one || !two || one->first <= two->first) continue;
        GlanceFact fact;
        fact.sentence = HeadGlanceText::tr("The order turns round: “%1” looks at “%2”, then “%3” back at “%4”.")
                            .arg(m_writes[i].text, one->text, m_writes[i + 1].text, two->text);
        light(fact, m_writes[i], *one);
        light(fact, m_writes[i + 1], *two);
        return fact;
    }
    return {};
}

std::optional<GlanceFact> Facts::nearlyAll() const {
    std::optional<GlanceFact> fact;
    double surest = kNearlyAll;
    for (const GlanceWord& written : m_writes) {
        const GlanceWord* const read = written.isWord ? lookedAtBy(written) : nullptr;
        if (!read || share(written, *read) <= surest) continue;
        surest = share(written, *read);
        fact.emplace();
        fact->sentence = HeadGlanceText::tr("While this head writes “%1”, “%2” has %3 of its weight.")
                             .arg(written.text, read->text, formatPercent(surest, 0));
        light(*fact, written, *read);
    }
    return fact;
}

}  // namespace

double lookedAtBits(std::span<const float> weights, int rows, int columns) {
    if (rows == 0) return 0;
    std::vector<double> mean(static_cast<size_t>(columns), 0.0), row(static_cast<size_t>(columns));
    double within = 0;
    for (int r = 0; r < rows; ++r) {
        for (size_t c = 0; c < row.size(); ++c) {
            row[c] = static_cast<double>(weights[static_cast<size_t>(r) * row.size() + c]);
            mean[c] += row[c] / rows;
        }
        within += glanceEntropy(row) / rows;
    }
    return glanceEntropy(mean) - within;
}

std::optional<HeadGlance> sharpestHead(const Trace& trace, int unwritten) {
    std::optional<HeadGlance> sharpest;
    double most = -1;
    for (const AttentionBlock& block : attentionBlocks(trace)) {
        if (block.kind != AttentionBlock::Kind::Cross) continue;
        const int rows = block.rows - unwritten;
        for (int head = 0; head < block.heads; ++head) {
            const auto weights =
                block.headWeights(head).first(static_cast<size_t>(rows) * static_cast<size_t>(block.columns));
            const double bits = lookedAtBits(weights, rows, block.columns);
            if (bits <= most) continue;
            most = bits;
            sharpest = HeadGlance{block.scope, head, columnLabels(trace, block), rowLabels(trace, block).first(rows),
                                  std::vector<float>(weights.begin(), weights.end())};
        }
    }
    return sharpest;
}

std::optional<GlanceFact> factOf(const HeadGlance& glance) {
    const Facts facts(glance);
    if (auto fact = facts.oneForTwo()) return fact;
    if (auto fact = facts.turnedRound()) return fact;
    return facts.nearlyAll();
}

}  // namespace headlight
