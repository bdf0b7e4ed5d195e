// SPDX-License-Identifier: GPL-3.0-or-later
// How many weights a configuration asks for. It is asked of files by strangers before anything is allocated, so the
// arithmetic refuses what would overflow.
#include <cstdint>

#include "core/error.h"
#include "core/models/model_config.h"

namespace headlight {

namespace {

class Count {
public:
    Count(int number) : m_value(number < 0 ? refuse() : static_cast<uint64_t>(number)) {}
    size_t value() const { return m_value; }

    friend Count operator+(Count a, Count b) {
        if (__builtin_add_overflow(a.m_value, b.m_value, &a.m_value)) refuse();
        return a;
    }
    friend Count operator*(Count a, Count b) {
        if (__builtin_mul_overflow(a.m_value, b.m_value, &a.m_value)) refuse();
        return a;
    }

private:
    [[noreturn]] static uint64_t refuse() {
        throw Error("the configuration asks for more weights than can be counted: choose smaller sizes");
    }
    uint64_t m_value;
};

Count when(bool condition, Count count) {
    return condition ? count : Count(0);
}

Count linear(Count in, Count out, bool bias) {
    return in * out + when(bias, out);
}

/// A Transformer's, by its parts.
struct TransformerCount {
    const ModelConfig& config;
    const Count d = config.dModel;
    const bool bias = config.bias == Biases::All;

    Count norm(Count width) const { return config.norm == NormKind::Layer && bias ? width + width : width; }
    Count norm() const { return norm(d); }
    Count attention() const {
        const Count queries = Count(config.numHeads) * config.headWidth(),
                    keys = Count(config.keyHeads()) * config.headWidth();
        return linear(d, queries + keys + keys, config.qkvBiases() == Biases::All) +
               linear(queries, d, config.outProjBiases() == Biases::All) +
               when(config.headNorms, Count(2) * config.headWidth());
    }
    Count network() const {
        const bool biased = config.ffnBiases() == Biases::All;
        return Count(config.gatedFfn ? 2 : 1) * linear(d, config.dFf, biased) + linear(config.dFf, d, biased);
    }
    Count layers() const {
        const Count norms = (config.parallel == Parallel::OneNorm ? 1 : 2) * (config.outputNorms ? 2 : 1);
        const Count twoParts = attention() + network() + norms * norm();
        if (!config.encoderDecoder())
            return config.firstNorm ? Count(config.numLayers) * twoParts
                                    : Count(config.numLayers - 1) * twoParts + attention() + network() + norm();
        return Count(config.numEncoderLayers) * twoParts +
               Count(config.numDecoderLayers) * (twoParts + attention() + norm());
    }
    /// What tells words and places apart.
    Count start() const {
        const Count stacks = config.encoderDecoder() ? 2 : 1, width = config.embeddingWidth();
        const Count tables = config.encoderDecoder() && !config.sharePositions ? 2 : 1;
        const bool two = config.encoderDecoder() && !config.shareEmbeddings;
        return Count(config.sourceVocabSize) * width + when(two, Count(config.targetVocabSize) * width) +
               when(config.positionalEncoding == PositionalKind::Learned,
                    tables * (Count(config.maxLength) + config.positionOffset) * width) +
               when(config.positionalEncoding == PositionalKind::Relative,
                    stacks * config.relativeBuckets * config.numHeads) +
               Count(config.tokenTypes) * width + when(config.embeddingNorm, stacks * norm(width)) +
               when(config.wordWidth > 0, linear(width, d, true));
    }
    Count labels() const { return config.headless() ? 0 : config.targetVocabSize - config.firstLabel(); }
    Count pooler() const {
        if (config.pooler == PoolerKind::GeluNorm) return linear(d, d, bias) + norm();
        return when(config.pooler != PoolerKind::None, linear(d, d, true));
    }
    Count head() const {
        if (!config.saysWords())
            return pooler() + when(!config.headless(), linear(d, labels(), true)) +
                   when(config.findsReplaced, linear(d, d, true) + linear(d, 1, true));
        // A head that fills in words says them in their own width.
        const Count width = config.masked() ? Count(config.embeddingWidth()) : d;
        return when(!config.tieEmbeddings, width * config.targetVocabSize) +
               when(config.outputBias, config.targetVocabSize) +
               when(config.masked(), linear(d, width, bias) + norm(width));
    }
    Count all() const {
        return start() + layers() + when(config.finalNorm, Count(config.encoderDecoder() ? 2 : 1) * norm()) + head();
    }
};

Count recurrentCount(const ModelConfig& config) {
    const Count h = config.hiddenSize, embedding = config.embeddingSize;
    const Count gates = h * (config.cell == Cell::Rnn ? 1 : config.cell == Cell::Gru ? 3 : 4);
    const auto stack = [&](Count in, Count between, Count directions) {
        const Count biases = Count(config.cell == Cell::Gru ? 2 : 1) * gates;
        const auto layer = [&](Count from) { return directions * (gates * (from + h) + biases); };
        return layer(in) + Count(config.numLayers - 1) * layer(between);
    };
    const Count words = Count(config.sourceVocabSize) * embedding + linear(h, config.targetVocabSize, true);
    if (!config.encoderDecoder()) return words + stack(embedding, h, 1);
    const Count directions = config.bidirectional ? 2 : 1;
    const AttentionKind attention = config.attention;
    return words + Count(config.targetVocabSize) * embedding + stack(embedding, directions * h, directions) +
           stack(embedding + when(config.context == ContextUse::EveryInput, h), h, 1) +
           when(config.bidirectional, linear(h + h, h, true)) +
           when(attention != AttentionKind::None, linear(h + h, h, true)) +
           when(attention == AttentionKind::General, h * h) +
           when(attention == AttentionKind::Additive, (h + h + 1) * h);
}

}  // namespace

size_t ModelConfig::weightCount() const {
    return (recurrent() ? recurrentCount(*this) : TransformerCount{*this}.all()).value();
}

}  // namespace headlight
