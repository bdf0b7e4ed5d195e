// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

template <class T>
struct Tensor;

/// A head that is silenced: attention block by its trace scope, head from 0.
struct MutedHead {
    std::string block;  ///< `decoder.layers.1.cross_attn`
    int head = 0;
    bool operator==(const MutedHead&) const = default;
};

/// A change of one value of a forward pass, made where the trace would record it: whatever is computed from the value
/// is computed from the changed one (Vig et al. 2020; Meng et al. 2022: causal tracing). Several at one place take
/// effect in their order. Where a pass has no such row or column (decoding has not come so far), nothing is changed.
struct Intervention {
    enum class Act {
        Replace,  ///< by `values`
        Scale,    ///< multiplied by `values`
        Add,      ///< `values` are added
    };
    std::string place;              ///< a name of the trace: `decoder.layers.1.cross_attn.weights`
    int head = -1;                  ///< of a value [H, rows, columns]; -1: all of them
    std::vector<int> rows = {};     ///< words; empty: all of them
    std::vector<int> columns = {};  ///< empty: all of them
    Act act = Act::Replace;
    std::vector<float> values = {0};  ///< [valueHeads, valueRows, valueColumns], each of which is 1 or one for each
                                      ///< that is named above, in that order; 1 serves them all
    int valueHeads = 1, valueRows = 1, valueColumns = 1;

    bool operator==(const Intervention&) const = default;
    /// Does it tell one word from another? Then sentences of a batch are computed one by one.
    bool tellsRows() const { return !rows.empty() || valueRows > 1; }
};

/// Where the rows of a value stand.
struct ChangedRows {
    int heads = 1;   ///< a matrix [rows, heads·width] has them side by side
    int first = 0;   ///< position of its first row
    int stride = 1;  ///< from one row's position to the next one's; 0: all stand at `first`
};

/// Makes all changes of `place` in `value`: a matrix, [heads, rows, columns], or [batch, heads, rows, columns].
void applyInterventions(std::span<const Intervention> interventions, std::string_view place, const Tensor<float>& value,
                        const ChangedRows& rows);

/// Does any of them tell rows apart?
bool tellRows(std::span<const Intervention> interventions);

}  // namespace headlight
