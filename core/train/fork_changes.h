// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// From that step on the data are dealt in the order of another seed.
struct OrderChange {
    long step = 1;
    uint64_t seed = 1;
    bool operator==(const OrderChange&) const = default;
};

/// From that step on a head is silent: what reads it in its attention's output map, or a recurrent decoder's context in
/// the combining map, is zero, and stays so.
struct MuteChange {
    long step = 1;
    std::string head;  ///< `decoder.layers.1.cross_attn.3`, heads from 0; a recurrent model's `decoder.attention.0`
    bool operator==(const MuteChange&) const = default;
};

/// What is otherwise in a run from a step on: a fork is one that has it, and repeats what it left up to there.
struct ForkChanges {
    std::vector<OrderChange> order;  ///< the steps rise
    std::vector<MuteChange> muted;   ///< the steps do not fall

    bool empty() const { return order.empty() && muted.empty(); }
    /// Throws Error for steps that are none, and for what is no head's name.
    void check() const;
    /// Those of later steps are left out.
    ForkChanges upTo(long step) const;
    /// Which seed deals the data of a step.
    uint64_t seedAt(long step, uint64_t planned) const;
    bool operator==(const ForkChanges&) const = default;
};

/// `STEP:SEED,…` as `200:7`, and `STEP:HEAD,…` as `200:decoder.layers.1.cross_attn.3`. Throws Error for anything else.
std::vector<OrderChange> parseOrderChanges(std::string_view text);
std::vector<MuteChange> parseMuteChanges(std::string_view text);
std::string textOf(const std::vector<OrderChange>& changes);
std::string textOf(const std::vector<MuteChange>& changes);

}  // namespace headlight
