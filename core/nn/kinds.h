// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What there is to choose from in a network: what a configuration names, without the modules that it is built of.

namespace headlight {

/// What brings a row to one size.
enum class NormKind {
    Layer,  ///< mean 0, variance 1 (Ba, Kiros, Hinton 2016)
    Rms,    ///< root mean square 1; no mean is taken off, nothing is added (Zhang, Sennrich 2019)
};

/// Which of a Transformer's maps and norms add a learned vector. The head's is asked for apart.
enum class Biases { All, None };

/// How a model learns where a word stands. The last two tell it to attention alone, not to the words' vectors.
enum class PositionalKind {
    Sinusoidal,
    Learned,
    None,
    Rotary,    ///< queries and keys turned by an angle that grows with the position (Su et al. 2021)
    Relative,  ///< a learned number for each distance, added to the scores (Raffel et al. 2020: T5)
};
enum class PositionalCombine { Add, Concat };

/// Where the cosines of a sinusoidal table stand.
enum class SinusoidLayout {
    Interleaved,  ///< sine, cosine, sine, …: the paper's
    Halves,       ///< all sines, then all cosines: Marian's
};

/// Of a PositionalEncoding.
struct PositionOptions {
    PositionalKind kind = PositionalKind::Sinusoidal;
    PositionalCombine combine = PositionalCombine::Add;
    double base = 10000;
    int width = 0;      ///< of the encoding
    int maxLength = 0;  ///< positions that there are
    SinusoidLayout layout = SinusoidLayout::Interleaved;
    int offset = 0;  ///< row of the first position, of a learned table
};

/// How a decoder's state s is scored against an encoder's output h.
enum class AttentionKind {
    None,
    Dot,        ///< s·h (Luong, Pham, Manning 2015)
    ScaledDot,  ///< s·h/√d (Vaswani et al. 2017)
    General,    ///< s·(W_k h) (Luong)
    Additive,   ///< v·tanh(W_k h + W_q s) (Bahdanau, Cho, Bengio 2015)
};

}  // namespace headlight
