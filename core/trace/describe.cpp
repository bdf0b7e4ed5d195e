// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"
#include "core/words.h"

namespace headlight {

OperationDescription describe(Operation operation) {
    switch (operation) {
        case Operation::Input:
            return {"Token ids", R"(x_1, \dots, x_n)",
                    HEADLIGHT_WORDS("Operation", "Look each word up in the vocabulary")};
        case Operation::Embedding:
            return {"Embedding", R"(E_{x_i}\sqrt{d_{model}})",
                    HEADLIGHT_WORDS("Operation", "Fetch the vector of each word")};
        case Operation::PositionalEncoding:
            return {"Positional encoding", R"(PE_{pos,2i}=\sin(pos/n^{2i/d}))",
                    HEADLIGHT_WORDS("Operation", "Fetch the vector of each position")};
        case Operation::Add:
            return {"Sum", R"(x + y)", HEADLIGHT_WORDS("Operation", "Add the two, number by number")};
        case Operation::Linear:
            return {"Linear", R"(x W^\top + b)",
                    HEADLIGHT_WORDS("Operation", "Multiply by a weight matrix, add a bias")};
        case Operation::AttentionScores:
            return {"Scores", R"(\frac{Q K^\top}{\sqrt{d_k}})",
                    HEADLIGHT_WORDS("Operation", "Score every query against every key")};
        case Operation::Mask:
            return {"Mask", R"(M)", HEADLIGHT_WORDS("Operation", "Say which keys may be looked at")};
        case Operation::Softmax:
            return {"Softmax", R"(\mathrm{softmax}(S + M))",
                    HEADLIGHT_WORDS("Operation", "Turn each row of scores into weights that sum to 1")};
        case Operation::WeightedSum:
            return {"Weighted sum", R"(A V)", HEADLIGHT_WORDS("Operation", "Mix the values by the weights")};
        case Operation::Concat:
            return {"Concatenate", R"([z_1; \dots; z_h])",
                    HEADLIGHT_WORDS("Operation", "Put the outputs of the heads side by side")};
        case Operation::LayerNorm:
            return {"Layer norm", R"(\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}} \gamma + \beta)",
                    HEADLIGHT_WORDS("Operation", "Bring each row to mean 0 and variance 1, then scale and shift")};
        case Operation::RmsNorm:
            return {"RMS norm", R"(\frac{x}{\sqrt{\overline{x^2}+\epsilon}} \gamma)",
                    HEADLIGHT_WORDS("Operation", "Bring each row to a root mean square of 1, then scale")};
        case Operation::Multiply:
            return {"Product", R"(x \odot y)", HEADLIGHT_WORDS("Operation", "Multiply the two, number by number")};
        case Operation::Rotation:
            return {"Rotation", R"(R_{pos} x)",
                    HEADLIGHT_WORDS("Operation", "Turn pairs of numbers by an angle that grows with the position")};
        case Operation::RelativeBias:
            return {"Relative bias", R"(b_{j-i})",
                    HEADLIGHT_WORDS("Operation", "Fetch a learned number for each distance")};
        case Operation::Activation:
            return {"Activation", R"(f(x))", HEADLIGHT_WORDS("Operation", "Let the positive numbers through")};
        case Operation::SoftCap:
            return {"Soft cap", R"(c\tanh(x / c))",
                    HEADLIGHT_WORDS("Operation", "Bend large numbers so that none goes beyond the cap")};
        case Operation::LogSoftmax:
            return {"Log-softmax", R"(\log\mathrm{softmax}(x))",
                    HEADLIGHT_WORDS("Operation", "Turn the scores into log-probabilities")};
        case Operation::Gate:
            return {"Gate", R"(\sigma(W x_t + U h_{t-1} + b))",
                    HEADLIGHT_WORDS("Operation", "Decide for each number how much may pass, from 0 to 1")};
        case Operation::Candidate:
            return {"Candidate", R"(\tanh(W x_t + U h_{t-1} + b))",
                    HEADLIGHT_WORDS("Operation", "Propose what is new to remember")};
        case Operation::CellState:
            return {"Cell state", R"(f_t \odot c_{t-1} + i_t \odot g_t)",
                    HEADLIGHT_WORDS("Operation", "Keep what the forget gate keeps, add what the input gate lets in")};
        case Operation::HiddenState:
            return {"Hidden state", R"(h_t)",
                    HEADLIGHT_WORDS("Operation", "What the cell tells the world after this word")};
        case Operation::Tanh:
            return {"Tanh", R"(\tanh(x W^\top + b))",
                    HEADLIGHT_WORDS("Operation", "Multiply by a weight matrix, then squash between -1 and 1")};
        case Operation::DotScores:
            return {"Scores", R"(s_t \cdot W h_i)",
                    HEADLIGHT_WORDS("Operation", "Score the decoder's state against every state of the encoder")};
        case Operation::AdditiveScores:
            return {"Scores", R"(v \cdot \tanh(W_k h_i + W_q s_t))",
                    HEADLIGHT_WORDS("Operation", "Ask a small network how well each state of the encoder fits")};
        case Operation::Identity:
            return {"Handed on", R"(x)", HEADLIGHT_WORDS("Operation", "Hand on what was computed")};
    }
    return {};
}

}  // namespace headlight
