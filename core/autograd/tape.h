// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "core/tensor/arena.h"
#include "core/tensor/free_memory.h"
#include "core/tensor/tensor.h"

namespace headlight {

class PackedWeights;

/// A gradient's memory. It is found when something is added for the first time, and not initialised before: most
/// gradients have one part only, and setting them to zero first would cost as much as adding.
template <class T>
struct GradientMemory {
    T* data = nullptr;
    size_t count = 0;
    bool fresh = true;               ///< nothing was added yet
    FreeMemory* room = nullptr;      ///< where it is found; null: data is there
    GradientMemory* next = nullptr;  ///< that the same way back is the last to read
    bool taken = false;              ///< data is of `room`

    void find() {
        if (data) return;
        data = static_cast<T*>(room->take(count * sizeof(T)));
        taken = true;
    }
    void giveBack() {
        if (taken) room->give(data, count * sizeof(T));
    }
};

/// A value and, while training, the derivative of the loss by it. Both are views of the same shape.
template <class T>
struct Variable {
    Tensor<T> value;
    GradientMemory<T>* memory = nullptr;  ///< of the gradient; null where no derivative is wanted
    size_t first = 0;                     ///< number in it with which the gradient begins

    const Shape& shape() const { return value.shape; }
    int rows() const { return value.rows(); }
    int cols() const { return value.cols(); }
    bool wantsGradient() const { return memory != nullptr; }
    /// Null where no derivative is wanted. Its memory is there once it was prepared.
    Tensor<T> gradient() const {
        if (!memory) return {};
        assert(memory->data);
        return {memory->data + first, value.shape, value.ld};
    }
    Variable columns(int at, int n) const { return {value.columns(at, n), memory, first + static_cast<size_t>(at)}; }
    Variable rowRange(int at, int n) const {
        return {value.rowRange(at, n), memory, first + static_cast<size_t>(at) * static_cast<size_t>(value.ld)};
    }

    /// Zeros where nothing was added yet. Every way back calls it for what it reads and for what it adds to.
    void prepareGradient() const {
        if (!memory || !memory->fresh) return;
        memory->find();
        std::memset(memory->data, 0, memory->count * sizeof(T));
        memory->fresh = false;
    }
    /// Room for a gradient, all of which a way back is about to set.
    void takeGradient() const {
        memory->find();
        memory->fresh = false;
    }
    /// A gradient, all of which a way back is about to add to, and what it is multiplied by before: 0, so that it may
    /// set, where nothing was added yet, and 1 otherwise.
    struct Receiving {
        T factor;
        Tensor<T> gradient;
        bool sets() const { return factor == T(0); }
    };
    Receiving receiveGradient() const {
        if (!memory) return {T(1), {}};
        const bool sets = memory->fresh && value.packed() && value.count() == memory->count;
        if (!sets) prepareGradient();
        takeGradient();
        return {sets ? T(0) : T(1), gradient()};
    }
    /// Lets the gradient, where it has no memory yet, take the value's: of the last that reads the value.
    void overwriteWithGradient() const {
        if (memory && !memory->data && value.packed() && value.count() == memory->count) memory->data = value.data;
    }
};

/// Reverse-mode differentiation. An operation computes its value at once and leaves behind how to go back; backward()
/// runs what was left in reverse order.
///
/// The contract of every operation: gradients ACCUMULATE. A value that is used twice gets the sum of both derivatives;
/// the first to come may set it (Variable::receiveGradient).
///
/// Values, gradients and the ways back live in the arena: a tape allocates nothing of its own.
template <class T>
class Tape {
public:
    enum class Mode {
        Inference,  ///< values only
        Training,   ///< values, gradients, ways back
    };

    /// What becomes of values and gradients once the way back no longer reads them.
    enum class Afterwards {
        Kept,
        Reused,  ///< their memory serves the gradients that are still to come; parameters keep theirs
    };

    Tape(Arena& arena, Mode mode, Afterwards afterwards = Afterwards::Kept)
        : m_arena(arena), m_mode(mode), m_afterwards(afterwards), m_free(arena), m_mark(arena.mark()) {}
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    Arena& arena() const { return m_arena; }
    bool training() const { return m_mode == Mode::Training; }

    /// Where nobody goes back, and what is computed is float: products read the weights from these copies.
    void readWeightsFrom(PackedWeights* packed) { m_packed = packed; }
    PackedWeights* packedWeights() const { return m_packed; }

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
        if (!training()) return result;
        result.memory = new (m_arena.allocate(sizeof(GradientMemory<T>)))
            GradientMemory<T>{.count = shape.count(), .room = &m_free, .next = m_made};
        m_made = result.memory;
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
        held->gradients = std::exchange(m_made, nullptr);
        held->memory = m_arena.since(m_mark);
        m_mark = m_arena.mark();
        m_last = held;
    }

    /// Runs the ways back, last first, once.
    void backward() {
        for (Node* node = std::exchange(m_last, nullptr); node;) {
            const auto [run, previous, gradients, memory] = *node;
            run(node);
            node = previous;
            if (m_afterwards == Afterwards::Kept) continue;
            for (GradientMemory<T>* each = gradients; each; each = each->next)
                each->giveBack();
            m_free.give(memory.data(), memory.size());
        }
    }

private:
    struct Node {
        void (*run)(Node*) = nullptr;
        Node* previous = nullptr;
        // What was made since the way back before it: nobody reads it once this one has run.
        GradientMemory<T>* gradients = nullptr;
        std::span<std::byte> memory = {};
    };

    Arena& m_arena;
    Mode m_mode;
    Afterwards m_afterwards;
    PackedWeights* m_packed = nullptr;
    FreeMemory m_free;
    Arena::Mark m_mark;                   ///< behind the last way back
    GradientMemory<T>* m_made = nullptr;  ///< since then
    Node* m_last = nullptr;
};

}  // namespace headlight
