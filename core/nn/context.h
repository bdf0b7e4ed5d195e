// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/autograd/operations.h"
#include "core/nn/parameter_set.h"
#include "core/trace/tracer.h"

namespace headlight {

/// A head that is silenced: attention block by its trace scope, head from 0.
struct MutedHead {
    std::string block;  ///< `decoder.layers.1.cross_attn`
    int head = 0;
    bool operator==(const MutedHead&) const = default;
};

/// A variable on its way through the modules, with the name under which the trace knows it ("" where nobody watches).
struct Value {
    Variable<float> variable;
    std::string name = {};
};

/// What a module says of a value that it records: see TraceRecord.
struct Origin {
    ModuleRef module;
    Part part = Part::Output;
    Operation operation = Operation::Input;
    std::vector<UsedWeight> weights = {};
    double factor = 1;
};

/// Variables of a pass by their names in the trace, so that their gradients can be read after the way back.
using KeptValues = std::map<std::string, Variable<float>>;

/// What a forward pass needs besides its input. One a pass; not shared by threads.
struct ForwardContext {
    ForwardContext(Tape<float>& onTape, const ParameterSet& weights) : tape(onTape), parameters(weights) {}

    Tape<float>& tape;
    const ParameterSet& parameters;
    float* gradients = nullptr;  ///< a buffer of parameters.flatSize() floats that is added to; null: inference
    /// Of each parameter, where the buffer is not initialised; empty: it is.
    std::span<GradientMemory<float>> gradientMemory = {};
    Tracer* tracer = nullptr;    ///< passes of one sentence only
    KeptValues* kept = nullptr;  ///< likewise; what is named is kept here
    float dropout = 0;
    uint64_t seed = 0;          ///< of dropout
    double teacherForcing = 1;  ///< share of decoder inputs that are the truth; the others are the model's own words
    std::span<const MutedHead> mutedHeads = {};

    Variable<float> parameter(ParameterId id) const;
    /// A fresh seed for each use of dropout, the same in each pass with the same seed.
    uint64_t nextSeed() { return mix(seed + m_uses++); }
    /// Where lists that live as long as the pass find room.
    std::pmr::memory_resource* memory() const { return &tape.arena(); }
    bool tracing() const { return tracer || kept; }

    /// Shows a value to the tracer, and names it so. Call only where tracing().
    void record(Value& value, std::string name, Origin origin, std::vector<Axis> axes, std::vector<int> shape,
                std::vector<std::string> inputs) const;
    /// The same for a matrix [tokens, features].
    void record(Value& value, std::string name, Origin origin, Axis tokens, std::vector<std::string> inputs,
                Axis features = Axis::Feature) const;

private:
    uint64_t m_uses = 0;
};

/// `scope.name`, or `name` where the scope is empty.
std::string join(const std::string& scope, std::string_view name);

}  // namespace headlight
