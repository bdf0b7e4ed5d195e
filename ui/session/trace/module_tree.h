// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// The smallest part that a reader opens: a sublayer, or what stands before and behind the layers.
struct ModuleBlock {
    enum class Kind { Embed, Attention, FeedForward, Norm, Recurrent, Output };

    std::string scope;  ///< "encoder.layers.0.self_attn"
    ModuleRef module;   ///< of its first value
    Kind kind = Kind::Output;
    QString label;             ///< "Self-attention"
    QString more;              ///< "8 heads"
    std::vector<int> records;  ///< of the trace, in the order of computation

    /// The value that is looked at first: an attention's scores, else the last one.
    int mainRecord(const Trace& trace) const;
};

/// A layer, or (isLayer false) a block that belongs to none.
struct ModuleLayer {
    QString label;  ///< "Layer 1"
    bool isLayer = false;
    std::vector<ModuleBlock> blocks;
};

/// What reads one sentence: the encoder, the decoder, or the one stack of a language model or classifier.
struct ModuleStack {
    enum class Side { Encoder, Decoder };

    QString label;
    Side side = Side::Encoder;
    std::vector<std::string> tokens;  ///< that it reads
    std::vector<ModuleLayer> layers;
};

/// A model as its own modules tell it in its trace: any number of stacks, layers and blocks.
struct ModuleTree {
    struct Place {
        int stack = -1, layer = -1, block = -1;
        bool operator==(const Place&) const = default;
        bool valid() const { return stack >= 0; }
    };

    std::vector<ModuleStack> stacks;

    Place placeOf(int record) const;
    const ModuleBlock& block(const Place& place) const { return layer(place).blocks[static_cast<size_t>(place.block)]; }
    const ModuleLayer& layer(const Place& place) const {
        return stacks[static_cast<size_t>(place.stack)].layers[static_cast<size_t>(place.layer)];
    }
};

ModuleTree moduleTree(const Trace& trace);

/// What the encoder made of each word; -1 where there is none.
int memoryRecord(const Trace& trace);
/// What a recurrent encoder hands on of a whole sentence; -1 where there is none.
int thoughtRecord(const Trace& trace);
/// Does this module look at what the encoder made?
bool looksAtMemory(const Module& module);

}  // namespace headlight
