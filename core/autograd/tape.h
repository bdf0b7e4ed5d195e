// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "core/tensor/arena.h"
#include "core/tensor/tensor.h"

namespace headlight {

/// A gradient's memory, which is not initialised before something is added for the first time: most gradients have one
/// part only, and setting them to zero first would cost as much as adding.
template <class T>
struct GradientMemory {
    T* data = nullptr;
    size_t count = 0;
    bool fresh = true;
};

/// A value and, while training, the derivative of the loss by it. Both are views.
template <class T>
struct Variable {
    Tensor<T> value;
    Tensor<T> gradient = {};              ///< null where no derivative is wanted
    GradientMemory<T>* memory = nullptr;  ///< that the gradient is a view of; null: it is initialised

    const Shape& shape() const { return value.shape; }
    int rows() const { return value.rows(); }
    int cols() const { return value.cols(); }
    bool wantsGradient() const { return static_cast<bool>(gradient); }
    Variable columns(int first, int n) const { return {value.columns(first, n), gradient.columns(first, n), memory}; }
    Variable rowRange(int first, int n) const {
        return {value.rowRange(first, n), gradient.rowRange(first, n), memory};
    }

    /// Zeros where nothing was added yet. Every way back calls it for what it reads and for what it adds to.
    void prepareGradient() const {
        if (!memory || !memory->fresh) return;
        std::memset(memory->data, 0, memory->count * sizeof(T));
        memory->fresh = false;
    }
    /// What the gradient is multiplied by before a way back adds to all of it: 0, so that it may set, where nothing was
    /// added yet, and 1 otherwise.
    T gradientFactor() const {
        const bool sets = memory && memory->fresh && gradient.packed() && gradient.count() == memory->count;
        if (!sets) prepareGradient();
        if (memory) memory->fresh = false;
        return sets ? T(0) : T(1);
    }
};

/// Reverse-mode differentiation. An operation computes its value at once and leaves behind how to go back; backward()
/// runs what was left in reverse order.
///
/// The contract of every operation: gradients ACCUMULATE. A value that is used twice gets the sum of both derivatives;
/// the first to come may set it (Variable::gradientFactor).
///
/// Values, gradients and the ways back live in the arena: a tape allocates nothing of its own.
template <class T>
class Tape {
public:
    enum class Mode {
        Inference,  ///< values only
        Training,   ///< values, gradients, ways back
    };

    Tape(Arena& arena, Mode mode) : m_arena(arena), m_mode(mode) {}
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    Arena& arena() const { return m_arena; }
    bool training() const { return m_mode == Mode::Training; }

    /// Scratch memory, not initialised, alive as long as the tape.
    Tensor<T> allocate(Shape shape) { return {m_arena.allocate<T>(shape.count()), shape}; }

    /// A copy of numbers that the caller may forget.
    const int* keep(std::span<const int> numbers) {
        int* kept = m_arena.allocate<int>(numbers.size());
        std::copy(numbers.begin(), numbers.end(), kept);
        return kept;
    }

    /// A new value (not initialised), with a gradient where the tape trains.
    Variable<T> variable(Shape shape) {
        Variable<T> result{allocate(shape)};
        if (training()) {
            result.gradient = allocate(shape);
            result.memory = new (m_arena.allocate(sizeof(GradientMemory<T>)))
                GradientMemory<T>{result.gradient.data, shape.count(), true};
        }
        return result;
    }

    /// Leaves a way back. `way` is copied into the arena and never destroyed: it may hold views and numbers only.
    template <class Way>
    void onBackward(Way way) {
        static_assert(std::is_trivially_destructible_v<Way>, "a way back holds views and numbers only");
        if (!training()) return;
        struct Held : Node {
            Way way;
            explicit Held(Way w) : way(std::move(w)) {}
        };
        static_assert(alignof(Held) <= 64);
        Held* held = new (m_arena.allocate(sizeof(Held))) Held(std::move(way));
        held->run = [](Node* node) { static_cast<Held*>(node)->way(); };
        held->previous = m_last;
        m_last = held;
    }

    /// Runs the ways back, last first, once.
    void backward() {
        for (Node* node = std::exchange(m_last, nullptr); node; node = node->previous)
            node->run(node);
    }

private:
    struct Node {
        void (*run)(Node*) = nullptr;
        Node* previous = nullptr;
    };

    Arena& m_arena;
    Mode m_mode;
    Node* m_last = nullptr;
};

}  // namespace headlight
