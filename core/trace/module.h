// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

namespace headlight {

/// What a module is. Everything that is said or drawn of a model follows from this and from where the module stands,
/// never from its name: a model with names of its own needs nothing but modules that say it.
enum class ModuleKind {
    Embedding,
    Positions,
    Attention,
    FeedForward,
    Norm,       ///< with the residual sum that belongs to it
    Recurrent,  ///< one layer in one direction
    Result,     ///< what a stack hands on, where no norm and no map makes it
    Bridge,     ///< from one width to another: an encoder's to its decoder's, words' to their layers'
    Combine,    ///< a recurrent decoder's state and what it attends to become one vector
    Head,       ///< from the last stack to the words or labels
};

/// Whose module it is.
enum class Stack {
    Encoder,
    Decoder,
    Only,    ///< of a language model or a classifier, which has one stack
    Shared,  ///< weights that several stacks use
};

/// Where in its stack it stands.
enum class Section {
    Start,  ///< before the layers
    Layer,
    End,   ///< behind the layers
    Head,  ///< behind the last stack
};

struct ModulePlace {
    Stack stack = Stack::Only;
    Section section = Section::Layer;
    int layer = -1;  ///< from 0; -1 outside of the layers
    bool operator==(const ModulePlace&) const = default;
};

/// What an attention looks at.
enum class AttentionOver {
    Itself,
    Memory,  ///< what the encoder made
};

enum class Direction { Forward, Backward };

/// The cell of a recurrent network, with PyTorch's order of gates.
enum class Cell {
    Rnn,   ///< Elman 1990: h = tanh(W x + U h₋₁ + b)
    Gru,   ///< Cho et al. 2014: gates r, z, n
    Lstm,  ///< Hochreiter, Schmidhuber 1997: gates i, f, g, o
};

/// A module of a model, told by itself: its weights and its values share one.
struct Module {
    ModuleKind kind = ModuleKind::Result;
    std::string scope = {};  ///< in the trace: `decoder.layers.1.cross_attn`; unique in its model
    ModulePlace place = {};
    AttentionOver over = AttentionOver::Itself;  ///< of an attention
    Direction direction = Direction::Forward;    ///< of a recurrent layer
    Cell cell = Cell::Rnn;                       ///< likewise
    int heads = 1;                               ///< of an attention
    int keyHeads = 0;                            ///< of its keys and values; 0: heads. Neighbours share one
    bool sumApart = false;  ///< of a norm that stands before its sublayer: the residual sum is made behind that
    int width = 0;          ///< a head's, a hidden layer's, a state's; 0 where it has none
};

using ModuleRef = std::shared_ptr<const Module>;

}  // namespace headlight
