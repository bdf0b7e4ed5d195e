// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/attention_facts.h"

#include <QCoreApplication>
#include <algorithm>
#include <climits>

#include <Eigen/Core>

namespace headlight {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Kind = AttentionBlock::Kind;

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

QString habitName(HeadHabit habit) {
    switch (habit) {
        case HeadHabit::None:
            return {};
        case HeadHabit::Previous:
            return QCoreApplication::translate("HeadHabit", "previous");
        case HeadHabit::Next:
            return QCoreApplication::translate("HeadHabit", "next");
        case HeadHabit::Itself:
            return QCoreApplication::translate("HeadHabit", "itself");
        case HeadHabit::SameWord:
            return QCoreApplication::translate("HeadHabit", "same word");
        case HeadHabit::AfterSame:
            return QCoreApplication::translate("HeadHabit", "induction");
        case HeadHabit::First:
            return QCoreApplication::translate("HeadHabit", "first");
        case HeadHabit::Punctuation:
            return QCoreApplication::translate("HeadHabit", "punctuation");
        case HeadHabit::Alignment:
            return QCoreApplication::translate("HeadHabit", "alignment");
        case HeadHabit::Broad:
            return QCoreApplication::translate("HeadHabit", "broad");
    }
    return {};
}

QString habitPhrase(HeadHabit habit, bool causal) {
    switch (habit) {
        case HeadHabit::None:
            return QCoreApplication::translate("HeadHabit", "no clear habit");
        case HeadHabit::Previous:
            return QCoreApplication::translate("HeadHabit", "the word before");
        case HeadHabit::Next:
            return QCoreApplication::translate("HeadHabit", "the next word");
        case HeadHabit::Itself:
            return QCoreApplication::translate("HeadHabit", "the word itself");
        case HeadHabit::SameWord:
            return causal ? QCoreApplication::translate("HeadHabit", "the same word before")
                          : QCoreApplication::translate("HeadHabit", "the same word elsewhere");
        case HeadHabit::AfterSame:
            return QCoreApplication::translate("HeadHabit", "after the same word");
        case HeadHabit::First:
            return QCoreApplication::translate("HeadHabit", "the first word");
        case HeadHabit::Punctuation:
            return QCoreApplication::translate("HeadHabit", "punctuation");
        case HeadHabit::Alignment:
            return QCoreApplication::translate("HeadHabit", "the word that belongs to it");
        case HeadHabit::Broad:
            return QCoreApplication::translate("HeadHabit", "everything a little");
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
