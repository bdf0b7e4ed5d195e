// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fork_changes.h"

#include <algorithm>

#include "core/error.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr size_t mostChanges = 10000;

/// `STEP:WHAT,…`; `take` says whether it is that.
template <class Take>
void readEach(std::string_view text, const Take& take, const char* how) {
    while (!text.empty()) {
        const std::string_view each = text.substr(0, text.find(','));
        const size_t colon = each.find(':');
        long step = 0;
        if (colon == std::string_view::npos || !readNumber(each.substr(0, colon), step) ||
            !take(step, each.substr(colon + 1)))
            throw Error(how + std::string(", not ") + std::string(each));
        text.remove_prefix(std::min(text.size(), each.size() + 1));
    }
}

}  // namespace

void ForkChanges::check() const {
    if (order.size() > mostChanges || muted.size() > mostChanges)
        throw Error("order-changes and mute-changes are at most 10,000 each: leave some out");
    long last = 0;
    for (const OrderChange& change : order) {
        if (change.step <= last) throw Error("order-changes name steps from 1 on, each later than the one before");
        last = change.step;
    }
    last = 1;
    for (const MuteChange& change : muted) {
        if (change.step < last) throw Error("mute-changes name steps from 1 on, none before the one before it");
        if (change.head.find('.') == std::string::npos || change.head.find_first_of(",:") != std::string::npos)
            throw Error("mute-changes name heads as decoder.layers.1.cross_attn.3, not " + change.head);
        last = change.step;
    }
}

ForkChanges ForkChanges::upTo(long step) const {
    ForkChanges all = *this;
    std::erase_if(all.order, [step](const OrderChange& change) { return change.step > step; });
    std::erase_if(all.muted, [step](const MuteChange& change) { return change.step > step; });
    return all;
}

uint64_t ForkChanges::seedAt(long step, uint64_t planned) const {
    for (const OrderChange& change : order)
        if (change.step <= step) planned = change.seed;
    return planned;
}

std::vector<OrderChange> parseOrderChanges(std::string_view text) {
    ForkChanges changes;
    const auto take = [&](long step, std::string_view what) {
        OrderChange change{step, 0};
        if (!readNumber(what, change.seed)) return false;
        changes.order.push_back(change);
        return true;
    };
    readEach(text, take, "order-changes are written STEP:SEED,STEP:SEED as 200:7");
    changes.check();
    return changes.order;
}

std::vector<MuteChange> parseMuteChanges(std::string_view text) {
    ForkChanges changes;
    const auto take = [&](long step, std::string_view what) {
        changes.muted.push_back({step, std::string(what)});
        return true;
    };
    readEach(text, take, "mute-changes are written STEP:HEAD,STEP:HEAD as 200:decoder.layers.1.cross_attn.3");
    changes.check();
    return changes.muted;
}

std::string textOf(const std::vector<OrderChange>& changes) {
    std::string text;
    for (const OrderChange& change : changes)
        text += (text.empty() ? "" : ",") + std::to_string(change.step) + ":" + std::to_string(change.seed);
    return text;
}

std::string textOf(const std::vector<MuteChange>& changes) {
    std::string text;
    for (const MuteChange& change : changes)
        text += (text.empty() ? "" : ",") + std::to_string(change.step) + ":" + change.head;
    return text;
}

}  // namespace headlight
