// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

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

/// Keeps every value.
class TraceRecorder : public Tracer {
public:
    bool wants(std::string_view) override { return true; }
    void observe(TraceRecord record, const Tensor<float>& view) override;
    Trace take() { return std::move(m_trace); }

private:
    Trace m_trace;
};

}  // namespace headlight
