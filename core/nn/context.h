// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/autograd/operations.h"
#include "core/nn/intervention.h"
#include "core/nn/parameter_set.h"
#include "core/trace/tracer.h"

namespace headlight {

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
    /// Changes of its values: see Intervention. Of one sentence at a time where they tell rows apart (tellRows()). The
    /// way back takes a changed value as given, so that gradients are right for what stands behind it.
    std::span<const Intervention> interventions = {};
    int position = -1;  ///< where all rows of the decoder stand, in a step of decoding; -1: row after row

    Variable<float> parameter(ParameterId id) const;
    /// A fresh seed for each use of dropout, the same in each pass with the same seed.
    uint64_t nextSeed() { return mix(seed + m_uses++); }
    /// Where lists that live as long as the pass find room.
    std::pmr::memory_resource* memory() const { return &tape.arena(); }
    /// For as long as it lives, all rows of the decoder stand at one position.
    class AtPosition {
    public:
        AtPosition(ForwardContext& context, int position) : m_context(context) { m_context.position = position; }
        ~AtPosition() { m_context.position = -1; }
        AtPosition(const AtPosition&) = delete;
        AtPosition& operator=(const AtPosition&) = delete;

    private:
        ForwardContext& m_context;
    };
    /// Is there anybody who must be told of values by name?
    bool tracing() const { return tracer || kept || intervening(); }
    bool intervening() const { return !interventions.empty(); }
    /// Is anything to be changed at that place?
    bool changes(std::string_view place) const;
    /// Makes the changes of a value that is not shown: see record(). `heads` lie side by side in a matrix.
    void change(std::string_view place, const Tensor<float>& value, int heads = 1) const;

    /// Makes the changes that are asked for of a value, shows it to the tracer, and names it so. Call only where
    /// tracing(), before anything reads the value.
    void record(Value& value, std::string name, Origin origin, std::vector<Axis> axes, std::vector<int> shape,
                std::vector<std::string> inputs) const;
    /// The same for a matrix [tokens, features].
    void record(Value& value, std::string name, Origin origin, Axis tokens, std::vector<std::string> inputs,
                Axis features = Axis::Feature) const;
    /// The same of a value that has been changed already, or that nothing is to change.
    void show(Value& value, std::string name, Origin origin, std::vector<Axis> axes, std::vector<int> shape,
              std::vector<std::string> inputs) const;

private:
    uint64_t m_uses = 0;
};

/// `scope.name`, or `name` where the scope is empty.
std::string join(const std::string& scope, std::string_view name);

}  // namespace headlight
