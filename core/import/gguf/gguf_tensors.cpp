// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/import/gguf/gguf_keys.h"
#include "core/import/gguf/gguf_model.h"
#include "core/import/gguf/gguf_rotary.h"
#include "core/io/safetensors_header.h"

namespace headlight {

namespace {

/// Where the rows of a tensor stand in the file.
enum class RowOrder {
    AsTheyAre,
    /// Of each head the two numbers that are turned together stand side by side, and with Hugging Face half a head
    /// apart: llama's queries and keys.
    Pairs,
    /// All queries, all keys, all values, and with Hugging Face those of one head together: GPT-NeoX's.
    ByKind,
};

/// A tensor as its kind asks for it.
struct View {
    std::string theirs;  ///< its name in the file
    RowOrder order = RowOrder::AsTheyAre;
    int64_t heads = 0;     ///< where the order goes by heads
    int64_t firstRow = 0;  ///< of theirs
    int64_t rows = 0;      ///< of a part of theirs; 0: all
    float added = 0;       ///< what the converter added to each number
};

/// Is it a count that its tensor can be divided by?
bool divides(int64_t parts, int64_t rows) {
    return parts > 0 && rows % parts == 0;
}

/// Row `row` of Hugging Face's, in the file. `rows`: of the whole.
int64_t rowInFile(const View& view, int64_t row, int64_t rows) {
    if (view.order == RowOrder::Pairs) {
        const int64_t width = rows / view.heads, head = row / width, in = row % width;
        return head * width + 2 * (in % (width / 2)) + in / (width / 2);
    }
    if (view.order == RowOrder::ByKind) {
        const int64_t width = rows / (3 * view.heads), head = row / (3 * width), in = row % (3 * width);
        return (in / width * view.heads + head) * width + in % width;
    }
    return row;
}

class GgufTensors final : public TensorFile {
public:
    GgufTensors(std::shared_ptr<const gguf::File> file, std::map<std::string, View> views)
        : m_file(std::move(file)), m_views(std::move(views)) {
        for (const auto& [name, view] : m_views)
            m_shapes.emplace(name, shapeOf(view));
    }

    const std::string& name() const override { return m_file->name(); }
    const std::map<std::string, Shape>& shapes() const override { return m_shapes; }
    std::string nameInFile(const std::string& tensor) const override { return m_views.at(tensor).theirs; }
    std::string floatTypes() const override { return m_file->types(); }

    void read(const std::string& tensor, std::span<float> values) const override {
        const View& view = m_views.at(tensor);
        if (view.order == RowOrder::AsTheyAre && view.rows == 0) {
            m_file->readFloats(view.theirs, values);
        } else {
            const std::vector<float> stored = m_file->floats(view.theirs);
            const int64_t rows = m_shapes.at(tensor).front();
            const size_t width = values.size() / static_cast<size_t>(rows);
            for (int64_t row = 0; row < rows; ++row) {
                const auto from = static_cast<size_t>(view.firstRow + rowInFile(view, row, rows)) * width;
                std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(from), width,
                            values.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(row) * width));
            }
        }
        if (view.added != 0)
            for (float& value : values)
                value -= view.added;
    }

private:
    /// Throws Error where its rows are not those of so many heads.
    Shape shapeOf(const View& view) const {
        Shape shape = m_file->tensor(view.theirs).shape;
        if (view.order == RowOrder::AsTheyAre && view.rows == 0) return shape;
        const int64_t all = shape.empty() ? 0 : shape.front(), rows = view.rows > 0 ? view.rows : all;
        const bool fits =
            view.order == RowOrder::AsTheyAre || divides(view.heads * (view.order == RowOrder::ByKind ? 3 : 2), rows);
        if (all == 0 || view.firstRow > all || rows > all - view.firstRow || !fits)
            throw m_file->fault("the tensor " + safetensors::quotedName(view.theirs) + " has " + std::to_string(all) +
                                " rows, which are not those of its heads: the file is damaged");
        shape.front() = rows;
        return shape;
    }

    std::shared_ptr<const gguf::File> m_file;
    std::map<std::string, View> m_views;
    std::map<std::string, Shape> m_shapes;
};

/// GGUF's name of a part, and Hugging Face's.
struct Named {
    std::string_view theirs, ours;
};

constexpr std::array llamaNames{
    Named{"token_embd", "embed_tokens"},
    Named{"output_norm", "norm"},
    Named{"output", "lm_head"},
    Named{"attn_norm", "input_layernorm"},
    Named{"attn_q", "self_attn.q_proj"},
    Named{"attn_k", "self_attn.k_proj"},
    Named{"attn_v", "self_attn.v_proj"},
    Named{"attn_q_norm", "self_attn.q_norm"},
    Named{"attn_k_norm", "self_attn.k_norm"},
    Named{"attn_output", "self_attn.o_proj"},
    Named{"ffn_norm", "post_attention_layernorm"},
    Named{"ffn_gate", "mlp.gate_proj"},
    Named{"ffn_up", "mlp.up_proj"},
    Named{"ffn_down", "mlp.down_proj"},
};
// What these have otherwise stands before what they share.
constexpr std::array gemmaNames{
    Named{"ffn_norm", "pre_feedforward_layernorm"},
    Named{"post_attention_norm", "post_attention_layernorm"},
    Named{"post_ffw_norm", "post_feedforward_layernorm"},
};
constexpr std::array phi3Names{Named{"attn_qkv", "self_attn.qkv_proj"}, Named{"ffn_up", "mlp.gate_up_proj"}};
constexpr std::array phi2Names{
    Named{"output_norm", "final_layernorm"},
    Named{"attn_output", "self_attn.dense"},
    Named{"ffn_up", "mlp.fc1"},
    Named{"ffn_down", "mlp.fc2"},
};
constexpr std::array gpt2Names{
    Named{"token_embd", "wte"},      Named{"position_embd", "wpe"},       Named{"output_norm", "ln_f"},
    Named{"output", "lm_head"},      Named{"attn_norm", "ln_1"},          Named{"attn_qkv", "attn.c_attn"},
    Named{"ffn_norm", "ln_2"},       Named{"attn_output", "attn.c_proj"}, Named{"ffn_up", "mlp.c_fc"},
    Named{"ffn_down", "mlp.c_proj"},
};
constexpr std::array neoxNames{
    Named{"token_embd", "embed_in"},
    Named{"output_norm", "final_layer_norm"},
    Named{"output", "embed_out"},
    Named{"attn_norm", "input_layernorm"},
    Named{"attn_qkv", "attention.query_key_value"},
    Named{"attn_output", "attention.dense"},
    Named{"ffn_norm", "post_attention_layernorm"},
    Named{"ffn_up", "mlp.dense_h_to_4h"},
    Named{"ffn_down", "mlp.dense_4h_to_h"},
};

/// How an architecture calls its tensors.
struct Names {
    std::span<const Named> own, shared;
    std::string_view layers = "layers.";

    std::string_view of(std::string_view theirs) const {
        for (const std::span<const Named> list : {own, shared})
            if (const auto found = std::ranges::find(list, theirs, &Named::theirs); found != list.end())
                return found->ours;
        return {};
    }
};

Names namesOf(const std::string& architecture) {
    if (architecture == "gpt2") return {gpt2Names, {}, "h."};
    if (architecture == "gptneox") return {neoxNames, {}};
    if (architecture == "phi2") return {phi2Names, llamaNames};
    if (architecture == "phi3") return {phi3Names, llamaNames};
    if (architecture == "gemma2" || architecture == "gemma3") return {gemmaNames, llamaNames};
    return {{}, llamaNames};
}

/// A name taken apart: `blk.3.attn_q.weight`.
struct Parts {
    std::string_view layer, part, end;
};

Parts takenApart(std::string_view name) {
    constexpr std::string_view block = "blk.";
    Parts parts;
    if (name.starts_with(block)) {
        name.remove_prefix(block.size());
        const size_t dot = std::min(name.find('.'), name.size());
        parts.layer = name.substr(0, dot);
        name.remove_prefix(std::min(dot + 1, name.size()));
    }
    const size_t dot = std::min(name.rfind('.'), name.size());
    parts.part = name.substr(0, dot);
    parts.end = name.substr(std::min(dot + 1, name.size()));
    return parts;
}

/// Writes down where each tensor that a kind asks for comes from.
class ViewMaker {
public:
    explicit ViewMaker(const gguf::File& file)
        : m_file(file),
          m_keys(file),
          m_names(namesOf(m_keys.architecture())),
          m_heads(m_keys.size("attention.head_count")),
          m_keyHeads(m_keys.has("attention.head_count_kv") ? m_keys.size("attention.head_count_kv") : m_heads),
          m_isLlama(m_keys.architecture() == "llama"),
          m_addsToNorms(m_keys.architecture().starts_with("gemma")) {}

    std::map<std::string, View> make() {
        for (const auto& [name, tensor] : m_file.tensors())
            if (!m_isLlama || name != ggufDivisors) add(name, tensor);
        return std::move(m_views);
    }

private:
    void add(const std::string& name, const gguf::Tensor& tensor) {
        const Parts parts = takenApart(name);
        const std::string_view ours = m_names.of(parts.part);
        // What a converter may fuse.
        if (parts.part == "attn_qkv" && ours.empty()) return addFused(name, tensor, parts);
        // A name that no kind asks for: its plan says that it has no place.
        if (ours.empty()) return put("no part of " + m_keys.architecture() + ", " + name, {name});
        View view{name};
        if (m_isLlama && (parts.part == "attn_q" || parts.part == "attn_k")) {
            view.order = RowOrder::Pairs;
            view.heads = parts.part == "attn_q" ? m_heads : m_keyHeads;
        } else if (m_keys.architecture() == "gptneox" && parts.part == "attn_qkv") {
            view.order = RowOrder::ByKind;
            view.heads = m_heads;
        }
        if (m_addsToNorms && parts.part.ends_with("norm")) view.added = 1;
        put(full(parts, ours), std::move(view));
    }

    /// Queries, keys and values below one another, of a kind that has them apart.
    void addFused(const std::string& name, const gguf::Tensor& tensor, const Parts& parts) {
        const int64_t all = tensor.shape.empty() ? 0 : tensor.shape.front(), heads = m_heads + 2 * m_keyHeads;
        if (!divides(heads, all)) return put("no part of " + m_keys.architecture() + ", " + name, {name});
        const int64_t width = all / heads, keys = m_keyHeads * width, queries = m_heads * width;
        const RowOrder order = m_isLlama ? RowOrder::Pairs : RowOrder::AsTheyAre;
        put(full(parts, "self_attn.q_proj"), {name, order, m_heads, 0, queries});
        put(full(parts, "self_attn.k_proj"), {name, order, m_keyHeads, queries, keys});
        put(full(parts, "self_attn.v_proj"), {name, RowOrder::AsTheyAre, 0, queries + keys, keys});
    }

    std::string full(const Parts& parts, std::string_view ours) const {
        std::string name;
        if (!parts.layer.empty()) name = std::string(m_names.layers) + std::string(parts.layer) + ".";
        return name + std::string(ours) + "." + std::string(parts.end);
    }

    void put(std::string name, View view) {
        const std::string theirs = view.theirs;
        if (const auto [other, isNew] = m_views.emplace(std::move(name), std::move(view)); !isNew)
            throw m_file.fault("the tensors " + safetensors::quotedName(other->second.theirs) + " and " +
                               safetensors::quotedName(theirs) + " are the same part: convert the model again");
    }

    const gguf::File& m_file;
    GgufKeys m_keys;
    Names m_names;
    int64_t m_heads, m_keyHeads;
    bool m_isLlama, m_addsToNorms;
    std::map<std::string, View> m_views;
};

}  // namespace

std::unique_ptr<const TensorFile> ggufTensors(std::shared_ptr<const gguf::File> file) {
    std::map<std::string, View> views = ViewMaker(*file).make();
    return std::make_unique<GgufTensors>(std::move(file), std::move(views));
}

}  // namespace headlight
