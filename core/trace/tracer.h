// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/trace/trace.h"

namespace headlight {

/// Watches a forward pass. It is asked for each value before anything is copied; with no tracer the pass is the plain
/// one.
class Tracer {
public:
    virtual ~Tracer() = default;
    virtual bool wants(std::string_view name) = 0;
    /// `record` has everything but its values; `view` shows them as a matrix [rows, cols] whose number of elements is
    /// the shape's. Called before anything overwrites them.
    virtual void observe(TraceRecord record, const Tensor<float>& view) = 0;
};

/// Keeps every value, as long as they do not take more than so many bytes. Where they do, it does without what follows
/// from the rest by one operation, one kind after the other: scores (queries times keys), masks, and what stands before
/// an activation. Attention has n² numbers a head and layer of a text of n words, so it is long texts that lose scores.
/// A kind is kept of all modules or of none. observe() throws Error where even the rest takes more.
class TraceRecorder : public Tracer {
public:
    /// What a trace takes at most where nobody says otherwise: a thousand words of GPT-2 small without their scores.
    static constexpr size_t usualBytes = size_t{2} << 30;

    explicit TraceRecorder(size_t mostBytes = usualBytes) : m_mostBytes(mostBytes) {}

    bool wants(std::string_view) override { return true; }
    void observe(TraceRecord record, const Tensor<float>& view) override;
    Trace take();
    /// The kinds that it did without.
    const std::vector<Part>& leftOut() const { return m_leftOut; }

private:
    bool isLeftOut(Part part) const;
    void makeRoom(size_t bytes);

    size_t m_mostBytes;
    size_t m_bytes = 0;
    std::vector<TraceRecord> m_records;
    std::vector<Part> m_leftOut;
};

}  // namespace headlight
