// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// One sublayer of a Transformer as what flows past it sees it: names of the trace's values [words, d_model].
/// Post-norm (Vaswani et al. 2017) makes y = norm(x + f(x)), pre-norm (Xiong et al. 2020) x + f(norm(x)).
struct StreamSublayer {
    enum class Kind { SelfAttention, CrossAttention, FeedForward };
    Kind kind = Kind::SelfAttention;
    int layer = 0;     ///< from 0
    std::string x;     ///< what comes in
    std::string f;     ///< what attention or the feed-forward network makes
    std::string sum;   ///< x + f; empty where the model leaves residuals out
    std::string norm;  ///< what the norm makes: post-norm, of the sum; pre-norm, of x

    /// What the norm reads.
    const std::string& normed(NormOrder order) const { return order == NormOrder::Pre ? x : sum.empty() ? f : sum; }
    /// What goes on to the next sublayer.
    const std::string& handedOn(NormOrder order) const {
        return order == NormOrder::Post ? norm : sum.empty() ? f : sum;
    }
};

/// The sublayers of a stack in the order of computation. Empty where the trace has no such stack, or its layers are
/// recurrent.
std::vector<StreamSublayer> streamSublayers(const Trace& trace, Stack stack, NormOrder order);

/// Mean, √ of the mean squared distance from it (over n, not n − 1), and √ of the sum of squares.
struct RowMoments {
    double mean = 0, deviation = 0, length = 0;
};
RowMoments momentsOf(std::span<const float> row);
RowMoments momentsOf(std::span<const double> row);

/// One row through its norm, number by number in double precision: z = (r − μ) / √(σ² + ε), y = γ z + β (Ba, Kiros,
/// Hinton 2016). RMS norm (Zhang, Sennrich 2019) takes no mean off and adds no β: z = r / √(mean r² + ε).
struct NormedRow {
    bool takesMean = true;
    double mean = 0;      ///< 0 of an RMS norm
    double variance = 0;  ///< over n; of an RMS norm the mean square
    double epsilon = 0;
    double divisor = 1;                            ///< √(variance + ε)
    std::vector<double> in, z, scale, shift, out;  ///< shift: zeros where the norm has none
};
/// Of row `row` of the value `norm`, from what it was made of and its weights. Throws Error where no norm made it.
NormedRow normRow(const TrainedModel& model, const Trace& trace, const std::string& norm, int row);

/// What batch normalization (Ioffe, Szegedy 2015) would do to one number of a row in training: less the mean of its
/// column over all words of the batch, over the column's √(variance + ε). Rows have `width` numbers each.
double batchNormed(double value, size_t column, std::span<const std::vector<float>> sentences, size_t width,
                   double epsilon);

/// What a model does with the sentences of a corpus, stack by stack.
struct StreamSurvey {
    struct OfStack {
        Stack stack = Stack::Only;
        std::vector<double> lengths;  ///< mean ‖x‖ over all words: before the first sublayer, then behind each
        long words = 0;
        /// What the norm of each sublayer reads, of the first sentences: [sublayer][sentence], row-major.
        std::vector<std::vector<std::vector<float>>> normed;
    };
    std::vector<OfStack> stacks;
    std::vector<std::string> sources;  ///< of the sentences that `normed` has, in their order
    int sentences = 0;                 ///< that were read

    const OfStack* of(Stack stack) const;
};

/// Reads every pair of the corpus, the decoder being fed the true translation; keeps what the norms read of the first
/// `kept`. Sentences that the model cannot read are passed over. `wanted` is asked before each; where it says no, the
/// rest is left out. Throws Error for a model without such sublayers.
StreamSurvey surveyStream(const TrainedModel& model, const Corpus& corpus, int kept,
                          const std::function<bool()>& wanted = {});

/// The same of one reading.
StreamSurvey streamOf(const Trace& trace, const ModelConfig& config);

/// Are these two the same but for the order of norm and sublayer? A final norm goes with the order.
bool differInNormOrderOnly(const ModelConfig& one, const ModelConfig& other);
/// Are they the same but that one leaves residuals out?
bool differInResidualsOnly(const ModelConfig& one, const ModelConfig& other);

}  // namespace headlight
