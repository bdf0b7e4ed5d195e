// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/attention_positions.h"

#include <algorithm>
#include <cmath>

namespace headlight {

int RelativeBuckets::of(int distance) const {
    const int share = bothWays ? count / 2 : count;
    const int first = bothWays && distance > 0 ? share : 0;
    const int far = bothWays ? std::abs(distance) : std::max(-distance, 0);
    const int exact = share / 2;
    if (far < exact) return first + far;
    // In floats, as PyTorch has it: the bound of a bucket is where its last place decides.
    const float wider = std::log(static_cast<float>(far) / static_cast<float>(exact)) /
                        static_cast<float>(std::log(static_cast<double>(farthest) / exact)) *
                        static_cast<float>(share - exact);
    return first + std::min(share - 1, exact + static_cast<int>(wider));
}

AttentionPositions::AttentionPositions(ParameterSet& parameters, const Options& options) : m_options(options) {
    if (options.kind != PositionalKind::Relative) return;
    m_module = parameters.addModule({ModuleKind::Positions, options.traceScope, {options.stack, Section::Start}});
    m_weight = parameters.add(m_module, options.fileScope + ".weight", {options.buckets.count, options.numHeads},
                              Init::EmbeddingNormal);
}

ops::Rotation<float> AttentionPositions::rotation(ForwardContext& context, const RotarySpeeds& speeds, int first,
                                                  int length) const {
    const int half = speeds.width / 2;
    const ops::Rotation<float> result{context.tape.allocate({length, half}), context.tape.allocate({length, half}),
                                      m_options.headWidth};
    for (int i = 0; i < half; ++i) {
        const double speed = speeds.of(i);
        for (int p = 0; p < length; ++p) {
            result.cosines.at(p, i) = static_cast<float>(std::cos((first + p) * speed));
            result.sines.at(p, i) = static_cast<float>(std::sin((first + p) * speed));
        }
    }
    return result;
}

Variable<float> AttentionPositions::bias(ForwardContext& context, int first, int length) const {
    std::pmr::vector<int> buckets(context.memory());
    buckets.reserve(static_cast<size_t>(length) * static_cast<size_t>(first + length));
    for (int query = first; query < first + length; ++query)
        for (int key = 0; key < first + length; ++key)
            buckets.push_back(m_options.buckets.of(key - query));
    return ops::relativeBias(context.tape, context.parameter(*m_weight), buckets, length);
}

AttentionPlaces AttentionPositions::of(ForwardContext& context, const PositionalEncoding::Rows& rows) const {
    AttentionPlaces places;
    if (m_options.kind == PositionalKind::Rotary) {
        places.rotation = rotation(context, m_options.speeds, rows.first, rows.length);
        places.windowRotation = m_options.windowSpeeds
                                    ? rotation(context, *m_options.windowSpeeds, rows.first, rows.length)
                                    : places.rotation;
    }
    if (!m_weight) return places;
    places.bias.variable = bias(context, rows.first, rows.length);
    if (context.tracing())
        context.record(places.bias, m_module->scope,
                       {m_module, Part::RelativeBias, Operation::RelativeBias, {{UsedWeight::As::Table, *m_weight}}},
                       {Axis::Head, rows.tokens, rows.tokens},
                       {m_options.numHeads, rows.length, rows.first + rows.length}, {});
    return places;
}

}  // namespace headlight
