// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/attention_facts.h"

#include <QCoreApplication>
#include <algorithm>
#include <climits>
#include <cmath>

#include <Eigen/Core>

namespace headlight {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Kind = AttentionBlock::Kind;

/// The weights of a head, with what its rows and columns are.
class Head {
public:
    Head(const Trace& trace, const AttentionBlock& block, int head)
        : m_weights(block.headWeights(head)),
          m_rows(block.rows),
          m_columns(block.columns),
          m_tokens(block.kind == Kind::DecoderSelf || trace.sourceTokens.empty() ? trace.targetTokens
                                                                                 : trace.sourceTokens) {}

    double at(int row, int column) const {
        return static_cast<double>(
            m_weights[static_cast<size_t>(row) * static_cast<size_t>(m_columns) + static_cast<size_t>(column)]);
    }
    /// Mean weight on the columns that `wants` names, over the rows that have such a column, and another one that they
    /// could have looked at.
    template <class Wants>
    double share(Wants wants) const {
        double sum = 0;
        int counted = 0;
        for (int row = 0; row < m_rows; ++row) {
            double weight = 0;
            int wanted = 0, open = 0;
            for (int column = 0; column < m_columns; ++column) {
                open += at(row, column) > 0 ? 1 : 0;
                if (!wants(row, column)) continue;
                weight += at(row, column);
                ++wanted;
            }
            if (wanted == 0 || open < 2) continue;
            sum += weight;
            ++counted;
        }
        return counted > 0 ? sum / counted : 0;
    }
    double distance() const {
        double sum = 0;
        for (int row = 0; row < m_rows; ++row)
            for (int column = 0; column < m_columns; ++column)
                sum += at(row, column) * std::abs(row - column);
        return m_rows > 0 ? sum / m_rows : 0;
    }
    bool sameToken(int a, int b) const {
        return a != b && m_tokens[static_cast<size_t>(a)] == m_tokens[static_cast<size_t>(b)];
    }
    /// Of the words that gold links to something, those whose heaviest weight lies on a link.
    double aligned(const GoldLinks& gold) const {
        int linked = 0, hit = 0;
        for (int row = 0; row < m_rows; ++row) {
            if (std::ranges::none_of(gold, [&](const auto& link) { return link.second == row; })) continue;
            ++linked;
            int best = 0;
            for (int column = 1; column < m_columns; ++column)
                if (at(row, column) > at(row, best)) best = column;
            hit += std::ranges::count(gold, std::pair(best, row)) > 0 ? 1 : 0;
        }
        return linked > 0 ? static_cast<double>(hit) / linked : 0;
    }

private:
    std::span<const float> m_weights;
    int m_rows, m_columns;
    const std::vector<std::string>& m_tokens;
};

Matrix meanOfHeads(const AttentionBlock& block) {
    Matrix mean = Matrix::Zero(block.rows, block.columns);
    for (int head = 0; head < block.heads; ++head)
        mean += Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                    block.headWeights(head).data(), block.rows, block.columns)
                    .cast<double>();
    return mean / std::max(1, block.heads);
}

/// Of the self-attention blocks of a kind up to and with a layer.
Matrix selfRollout(const Trace& trace, Kind kind, int lastLayer) {
    Matrix rollout;
    for (const AttentionBlock& block : attentionBlocks(trace)) {
        if (block.kind != kind || block.layer > lastLayer) continue;
        const Matrix identity = Matrix::Identity(block.rows, block.columns);
        const Matrix layer = 0.5 * meanOfHeads(block) + 0.5 * identity;
        rollout = rollout.size() == 0 ? layer : Matrix(layer * rollout);
    }
    return rollout;
}

}  // namespace

HeadFacts headFacts(const Trace& trace, const AttentionBlock& block, int head, const GoldLinks& gold) {
    HeadFacts facts;
    facts.entropy = meanEntropy(block.headWeights(head), block.rows, block.columns);
    const Head weights(trace, block, head);
    const auto offer = [&](HeadRole role, double share) {
        if (share < kRoleShare || share <= facts.share) return;
        facts.role = role;
        facts.share = share;
    };
    if (block.kind == Kind::Cross) {
        offer(HeadRole::Alignment, weights.aligned(gold));
        offer(HeadRole::First, weights.share([](int, int column) { return column == 0; }));
        return facts;
    }
    facts.distance = weights.distance();
    offer(HeadRole::Previous, weights.share([](int row, int column) { return column == row - 1; }));
    offer(HeadRole::Next, weights.share([](int row, int column) { return column == row + 1; }));
    offer(HeadRole::Itself, weights.share([](int row, int column) { return column == row; }));
    offer(HeadRole::SameToken, weights.share([&](int row, int column) { return weights.sameToken(row, column); }));
    // The second word's first word is its previous one.
    offer(HeadRole::First, weights.share([](int row, int column) { return row > 1 && column == 0; }));
    return facts;
}

QString roleName(HeadRole role) {
    switch (role) {
        case HeadRole::None:
            return {};
        case HeadRole::Itself:
            return QCoreApplication::translate("HeadRole", "itself");
        case HeadRole::Previous:
            return QCoreApplication::translate("HeadRole", "previous");
        case HeadRole::Next:
            return QCoreApplication::translate("HeadRole", "next");
        case HeadRole::First:
            return QCoreApplication::translate("HeadRole", "first");
        case HeadRole::SameToken:
            return QCoreApplication::translate("HeadRole", "same word");
        case HeadRole::Alignment:
            return QCoreApplication::translate("HeadRole", "alignment");
    }
    return {};
}

std::vector<float> attentionRollout(const Trace& trace, const AttentionBlock& block) {
    Matrix rollout;
    if (block.kind == Kind::Cross) {
        rollout = meanOfHeads(block);
        const Matrix encoder = selfRollout(trace, Kind::EncoderSelf, INT_MAX);
        if (encoder.size() > 0) rollout = Matrix(rollout * encoder);
    } else {
        rollout = selfRollout(trace, block.kind, block.layer);
    }
    std::vector<float> result;
    result.reserve(static_cast<size_t>(rollout.size()));
    for (Eigen::Index i = 0; i < rollout.size(); ++i)
        result.push_back(static_cast<float>(rollout.data()[i]));
    return result;
}

}  // namespace headlight
