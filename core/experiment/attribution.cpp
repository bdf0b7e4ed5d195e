// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/attribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/interventions.h"
#include "core/nn/context.h"
#include "core/words.h"

namespace headlight {

namespace {

struct MethodWords {
    AttributionMethod method;
    std::string_view name, claim, weakness;
};

constexpr std::array<MethodWords, 5> methodWords{{
    {AttributionMethod::Gradient, "gradient",
     HEADLIGHT_WORDS("Attribution", "What a small change of a word's vector would do, times the vector."),
     HEADLIGHT_WORDS("Attribution",
                     "Where the model is sure the slope is almost flat, however much the word mattered.")},
    {AttributionMethod::Integrated, "integrated",
     HEADLIGHT_WORDS("Attribution",
                     "The slope, averaged on the way from no words to these: it adds up to what they make of log p."),
     HEADLIGHT_WORDS("Attribution",
                     "On the way lie vectors that are no words, and the model was never trained on them.")},
    {AttributionMethod::Occlusion, "occlusion",
     HEADLIGHT_WORDS("Attribution", "What log p loses where the word's vector is replaced by zeros."),
     HEADLIGHT_WORDS("Attribution", "Of two words that say the same neither is missed.")},
    {AttributionMethod::Attention, "attention",
     HEADLIGHT_WORDS("Attribution", "Where the model looks, averaged over heads and layers."),
     HEADLIGHT_WORDS("Attribution",
                     "A look is no use: what is taken there may be next to nothing, and behind the first layer a "
                     "place holds more than its word.")},
    {AttributionMethod::Values, "values",
     HEADLIGHT_WORDS("Attribution", "What is taken from where the model looks: the length of weight times value."),
     HEADLIGHT_WORDS("Attribution", "Length without direction: it may speak against the answer as well as for it.")},
}};

const MethodWords& wordsOf(AttributionMethod method) {
    return *std::ranges::find(methodWords, method, &MethodWords::method);
}

/// log softmax of a row, at one column.
double logProbOf(std::span<const float> row, int column) {
    const double most = static_cast<double>(*std::ranges::max_element(row));
    double sum = 0;
    for (const float logit : row)
        sum += std::exp(static_cast<double>(logit) - most);
    return static_cast<double>(row[static_cast<size_t>(column)]) - most - std::log(sum);
}

void refuseRow(const TraceRecord& logits, int row) {
    if (row < 0 || row >= logits.dim(0))
        throw Error("there is no word " + std::to_string(row + 1) + ": they go from 1 to " +
                    std::to_string(logits.dim(0)));
}

/// A question about one row of the logits, asked of the model again and again.
class Asked {
public:
    Asked(const TrainedModel& model, const Trace& trace, int row, int word)
        : m_model(model), m_prompt(Prompt::of(trace)), m_row(row) {
        const ModelConfig& config = model.network->config();
        const TraceRecord& logits = trace.at("logits");
        m_width = logits.dim(1);
        m_column = config.corpusKind() == CorpusKind::Labels ? word - config.firstLabel() : word;
        refuseRow(logits, row);
        if (m_column < 0 || m_column >= m_width) throw Error("the model has no logit for word " + std::to_string(word));
        for (const TraceRecord& record : trace.records())
            if (record.is(ModuleKind::Embedding, Part::Embedding)) m_read.push_back(&record);
    }

    /// Embeddings of what is read, source first.
    const std::vector<const TraceRecord*>& read() const { return m_read; }

    double logProb(std::span<const Intervention> changes = {}) const {
        const std::vector<float> logits = logitsOf(m_model, m_prompt, changes);
        return logProbOf(std::span(logits).subspan(static_cast<size_t>(m_row) * static_cast<size_t>(m_width),
                                                   static_cast<size_t>(m_width)),
                         m_column);
    }

    /// ∂ log p / ∂ each number of the embeddings, all of which are multiplied by `scale` before they are read.
    std::vector<std::vector<float>> gradients(float scale) {
        const auto& parameters = std::as_const(*m_model.network).parameters();
        m_arena.reset();
        Tape<float> tape(m_arena, Tape<float>::Mode::Training);
        ForwardContext context(tape, parameters);
        m_buffer.assign(parameters.flatSize(), 0.0F);
        context.gradients = m_buffer.data();
        KeptValues kept;
        context.kept = &kept;
        std::vector<Intervention> scales;
        if (scale != 1)
            for (const TraceRecord* const record : m_read)
                scales.push_back(scaled({record->name}, scale));
        context.interventions = scales;
        startFrom(forwardOf(m_model, context, m_prompt).variable);
        tape.backward();
        std::vector<std::vector<float>> result;
        for (const TraceRecord* const record : m_read) {
            const Variable<float>& value = kept.at(record->name);
            value.prepareGradient();
            std::vector<float>& all = result.emplace_back();
            for (int row = 0; row < value.rows(); ++row)
                all.insert(all.end(), value.gradient().row(row), value.gradient().row(row) + value.cols());
        }
        return result;
    }

private:
    /// One at the word's place, less the probabilities.
    void startFrom(const Variable<float>& logits) const {
        logits.prepareGradient();
        const float* const values = logits.value.row(m_row);
        float* const gradient = logits.gradient().row(m_row);
        const std::span<const float> row(values, static_cast<size_t>(m_width));
        for (int i = 0; i < m_width; ++i)
            gradient[i] = static_cast<float>((i == m_column ? 1 : 0) - std::exp(logProbOf(row, i)));
    }

    const TrainedModel& m_model;
    Prompt m_prompt;
    int m_row, m_column = 0, m_width = 0;
    std::vector<const TraceRecord*> m_read;
    Arena m_arena;
    std::vector<float> m_buffer;
};

/// gradient · x of each word.
std::vector<double> timesInput(const TraceRecord& read, const std::vector<float>& gradients) {
    std::vector<double> result(static_cast<size_t>(read.dim(0)));
    const auto width = static_cast<size_t>(read.dim(1));
    for (size_t i = 0; i < gradients.size(); ++i)
        result[i / width] += static_cast<double>(gradients[i]) * static_cast<double>(read.values[i]);
    return result;
}

void setWords(Attribution& result, Asked& asked, const std::vector<std::vector<float>>& gradients) {
    result.source = timesInput(*asked.read().front(), gradients.front());
    if (asked.read().size() > 1) result.target = timesInput(*asked.read().back(), gradients.back());
}

using Wanted = std::function<bool()>;

bool isWanted(const Wanted& wanted) {
    return !wanted || wanted();
}

/// The mean of the gradients in the middles of so many pieces of the way.
std::vector<std::vector<float>> meanGradients(Asked& asked, int steps, const Wanted& wanted) {
    std::vector<std::vector<double>> sums;
    for (int i = 0; i < steps && (i == 0 || isWanted(wanted)); ++i) {
        const auto each = asked.gradients((static_cast<float>(i) + 0.5F) / static_cast<float>(steps));
        sums.resize(each.size());
        for (size_t k = 0; k < each.size(); ++k) {
            sums[k].resize(each[k].size());
            std::ranges::transform(sums[k], each[k], sums[k].begin(),
                                   [](double sum, float more) { return sum + static_cast<double>(more); });
        }
    }
    std::vector<std::vector<float>> means;
    for (const std::vector<double>& sum : sums)
        std::ranges::transform(sum, std::back_inserter(means.emplace_back()),
                               [&](double number) { return static_cast<float>(number / steps); });
    return means;
}

void integrate(Attribution& result, Asked& asked, const Wanted& wanted) {
    constexpr int fewest = 32, most = 2048;
    std::vector<Intervention> nothing;
    for (const TraceRecord* const record : asked.read())
        nothing.push_back(replacedByZero({record->name}));
    result.whole = result.logProb - asked.logProb(nothing);
    for (result.steps = fewest;; result.steps *= 2) {
        setWords(result, asked, meanGradients(asked, result.steps, wanted));
        const bool closes = std::abs(result.sum() - result.whole) <= 0.005 * std::abs(result.whole);
        if (closes || result.steps == most || !isWanted(wanted)) return;
    }
}

void occlude(Attribution& result, const Asked& asked, const Wanted& wanted) {
    for (const TraceRecord* const record : asked.read()) {
        std::vector<double>& to = record == asked.read().front() ? result.source : result.target;
        for (int row = 0; row < record->dim(0) && isWanted(wanted); ++row) {
            const Intervention without = replacedByZero({record->name, -1, {row}});
            to.push_back(result.logProb - asked.logProb(std::span(&without, 1)));
        }
    }
}

/// One attention block of a trace, at a row.
class Look {
public:
    Look(const TrainedModel& model, const Trace& trace, const TraceRecord& weights)
        : m_model(model), m_trace(trace), m_weights(weights), m_hasHeads(weights.shape.size() == 3) {}

    int heads() const { return m_hasHeads ? m_weights.dim(0) : 1; }
    int words() const { return m_weights.shape.back(); }
    double weight(int head, int row, int word) const {
        const auto rows = static_cast<size_t>(m_weights.shape[m_weights.shape.size() - 2]);
        const size_t line = static_cast<size_t>(head) * rows + static_cast<size_t>(row);
        return static_cast<double>(m_weights.values[line * static_cast<size_t>(words()) + static_cast<size_t>(word)]);
    }

    /// Its mean over the heads.
    std::vector<double> weights(int row) const {
        std::vector<double> result(static_cast<size_t>(words()));
        for (int head = 0; head < heads(); ++head)
            for (int word = 0; word < words(); ++word)
                result[static_cast<size_t>(word)] += weight(head, row, word) / heads();
        return result;
    }

    /// The length of what is taken from each word, in shares.
    std::vector<double> values(int row) const {
        std::vector<double> result(static_cast<size_t>(words()));
        for (int word = 0; word < words(); ++word) {
            const std::vector<double> taken = m_hasHeads ? takenByHeads(row, word) : takenAlone(row, word);
            result[static_cast<size_t>(word)] =
                std::sqrt(std::inner_product(taken.begin(), taken.end(), taken.begin(), 0.0));
        }
        const double sum = std::accumulate(result.begin(), result.end(), 0.0);
        for (double& share : result)
            share /= sum > 0 ? sum : 1;
        return result;
    }

private:
    std::vector<double> takenByHeads(int row, int word) const {
        const Module& module = m_weights.owner();
        const TraceRecord& values = *m_trace.find(module, Part::Value);
        const TraceRecord& output = *m_trace.find(module, Part::Output);
        const auto matrix =
            std::as_const(*m_model.network).parameters().value(output.weight(UsedWeight::As::Matrix)->parameter);
        const int width = values.dim(2), shared = heads() / values.dim(0);
        std::vector<double> taken(static_cast<size_t>(matrix.rows()));
        for (int head = 0; head < heads(); ++head) {
            const auto value =
                values.head(head / shared).subspan(static_cast<size_t>(word) * static_cast<size_t>(width));
            for (size_t i = 0; i < taken.size(); ++i)
                for (int k = 0; k < width; ++k)
                    taken[i] += weight(head, row, word) * static_cast<double>(value[static_cast<size_t>(k)]) *
                                static_cast<double>(matrix.at(static_cast<int>(i), head * width + k));
        }
        return taken;
    }
    /// A recurrent decoder mixes the encoder's states themselves.
    std::vector<double> takenAlone(int row, int word) const {
        const TraceRecord& context = *m_trace.find(m_weights.owner(), Part::Context);
        const TraceRecord& states = m_trace.at(context.inputs[1]);
        const auto width = static_cast<std::ptrdiff_t>(states.dim(1));
        const auto first = states.values.begin() + word * width;
        std::vector<double> taken(first, first + width);
        for (double& number : taken)
            number *= weight(0, row, word);
        return taken;
    }

    const TrainedModel& m_model;
    const Trace& m_trace;
    const TraceRecord& m_weights;
    bool m_hasHeads;
};

/// The mean over all blocks that look at what is read.
std::vector<double> looked(const TrainedModel& model, const Trace& trace, int row, AttributionMethod method) {
    const auto over = model.network->config().encoderDecoder() ? AttentionOver::Memory : AttentionOver::Itself;
    std::vector<double> result;
    int blocks = 0;
    for (const TraceRecord& record : trace.records()) {
        if (!record.is(ModuleKind::Attention, Part::Weights) || record.owner().over != over) continue;
        const Look look(model, trace, record);
        const std::vector<double> each = method == AttributionMethod::Values ? look.values(row) : look.weights(row);
        result.resize(each.size());
        std::ranges::transform(result, each, result.begin(), std::plus<>());
        ++blocks;
    }
    if (blocks == 0) throw Error("this model has no attention: use gradient, integrated or occlusion");
    for (double& share : result)
        share /= blocks;
    return result;
}

}  // namespace

bool suits(AttributionMethod method, const Model& model) {
    const bool looks = method == AttributionMethod::Attention || method == AttributionMethod::Values;
    return !looks || !model.attentionBlocks().empty();
}

std::string_view nameOf(AttributionMethod method) {
    return wordsOf(method).name;
}
std::string_view claimOf(AttributionMethod method) {
    return wordsOf(method).claim;
}
std::string_view weaknessOf(AttributionMethod method) {
    return wordsOf(method).weakness;
}

const std::vector<AttributionMethod>& attributionMethods() {
    static const std::vector<AttributionMethod> all = [] {
        std::vector<AttributionMethod> methods(methodWords.size());
        std::ranges::transform(methodWords, methods.begin(), &MethodWords::method);
        return methods;
    }();
    return all;
}

double Attribution::sum() const {
    return std::accumulate(source.begin(), source.end(), 0.0) + std::accumulate(target.begin(), target.end(), 0.0);
}

int saidAt(const TrainedModel& model, const Trace& trace, int row) {
    const TraceRecord& logits = trace.at("logits");
    refuseRow(logits, row);
    const ModelConfig& config = model.network->config();
    const auto next = static_cast<size_t>(row) + 1;
    if (config.saysWords() && !config.masked()) {
        const bool pair = config.encoderDecoder();
        const Prompt prompt = Prompt::of(trace);
        const std::vector<int>& fed = pair ? prompt.target : prompt.source;
        if (next < fed.size()) return fed[next];
        if (pair) return trace.lastWritten.id;
    }
    const auto width = static_cast<size_t>(logits.dim(1));
    return wordOfColumn(model, likeliest(std::span(logits.values).subspan((next - 1) * width, width)));
}

Attribution attribute(const TrainedModel& model, const Trace& trace, int row, int word, AttributionMethod method,
                      const std::function<bool()>& wanted) {
    Asked asked(model, trace, row, word);
    Attribution result;
    result.logProb = asked.logProb();
    switch (method) {
        case AttributionMethod::Gradient:
            setWords(result, asked, asked.gradients(1));
            break;
        case AttributionMethod::Integrated:
            integrate(result, asked, wanted);
            break;
        case AttributionMethod::Occlusion:
            occlude(result, asked, wanted);
            break;
        case AttributionMethod::Attention:
        case AttributionMethod::Values:
            result.source = looked(model, trace, row, method);
            break;
    }
    return result;
}

AlignmentError attributionError(const TrainedModel& model, const Corpus& corpus, AttributionMethod method,
                                const std::function<bool(double)>& progress) {
    refuseUnaligned(model, corpus);
    AlignmentError error{std::string(nameOf(method)), -1};
    for (size_t i = 0; i < corpus.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(corpus.size()))) break;
        const SentencePair& pair = corpus[i];
        const Trace trace = traceSentence(model, pair.source, pair.target);
        const int written = wordsOfAligned(trace, pair);
        const std::vector<int> fed = trace.at("target.ids").ids();
        error.gold += static_cast<long>(pair.alignment.size());
        error.proposed += written;
        for (int target = 0; target < written; ++target) {
            const Attribution each = attribute(model, trace, target, fed[static_cast<size_t>(target) + 1], method);
            const int source = static_cast<int>(std::ranges::max_element(each.source) - each.source.begin());
            error.common += std::ranges::binary_search(pair.alignment, std::pair(source, target));
        }
    }
    return error;
}

}  // namespace headlight
