// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/float_run.h"
#include "core/tensor/random.h"
#include "core/tensor/tensor.h"
#include "core/trace/module.h"

namespace headlight {

/// A weight's place in a ParameterSet.
using ParameterId = int;

/// How a weight starts.
enum class Init {
    Zeros,
    Ones,
    XavierUniform,    ///< ±√(6/(in + out)) (Glorot, Bengio 2010): torch.nn.Transformer's choice for its matrices
    EmbeddingNormal,  ///< normal with deviation 1/√width, so that embeddings times √d_model have deviation 1
    StandardNormal,   ///< torch.nn.Embedding's choice, for embeddings that nothing scales
    FanInUniform,     ///< ±1/√fanIn: torch.nn.Linear's choice for its weight and its bias
};

/// All weights of a model by name, in one run of memory: the optimizer, clipping and the sums over shards are loops
/// over flat arrays, and a gradient buffer is an array of flatSize() floats with the same layout.
class ParameterSet {
public:
    struct Entry {
        std::string name;  ///< as in the model file
        Shape shape;
        Init init = Init::Zeros;
        int fanIn = 0;  ///< for FanInUniform
        size_t offset = 0;
        std::string twin = {};  ///< written beside it as zeros, and added to it when read; "" where there is none
        ModuleRef module = {};  ///< that made it
    };

    /// Notes a module of the model. What it is told once here, its weights and its values share. Scopes are unique;
    /// asserted.
    ModuleRef addModule(Module module);
    /// All of them, in the order in which they were added.
    const std::vector<ModuleRef>& modules() const { return m_modules; }

    /// Makes room for so many weights at once, where somebody knows how many there will be.
    void reserve(size_t weights);
    /// `shape` of rank 1 or 2; fanIn 0 where `init` does not ask for it. Names are unique; asserted.
    ParameterId add(const ModuleRef& module, std::string name, Shape shape, Init init, int fanIn = 0);
    /// Names what PyTorch keeps twice and this program once: the second bias of a recurrent layer.
    void setTwin(ParameterId id, std::string name) { m_entries[static_cast<size_t>(id)].twin = std::move(name); }
    /// Fills every weight from `seed`, in order of creation.
    void initialize(uint64_t seed);

    const std::vector<Entry>& entries() const { return m_entries; }
    const Entry& entry(ParameterId id) const { return m_entries[static_cast<size_t>(id)]; }
    Tensor<float> value(ParameterId id) { return view(id, m_values.data()); }
    Tensor<const float> value(ParameterId id) const;
    /// The weight of that name; null where there is none.
    Tensor<const float> value(std::string_view name) const;
    /// The weight's part of a buffer with this layout (gradients, moments).
    Tensor<float> view(ParameterId id, float* buffer) const;

    /// Numbers in a buffer with this layout: the weights and what pads each of them to a cache line.
    size_t flatSize() const { return m_values.size(); }
    std::span<float> flat() { return {m_values.data(), m_values.size()}; }
    std::span<const float> flat() const { return {m_values.data(), m_values.size()}; }
    /// Numbers that are weights.
    size_t count() const;

private:
    std::vector<ModuleRef> m_modules;
    std::vector<Entry> m_entries;
    FloatRun m_values;
};

}  // namespace headlight
