// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decode/sampling.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/models/language_model.h"
#include "core/tensor/kernels.h"

namespace headlight {

namespace {

/// Keeps the first candidates that have `share` of the probability together.
void keepNucleus(std::vector<Candidate>& sorted, double share) {
    double sum = 0;
    size_t kept = 0;
    while (kept < sorted.size() && sum < share)
        sum += sorted[kept++].probability;
    sorted.resize(std::max<size_t>(1, kept));
}

void normalize(std::vector<Candidate>& candidates) {
    double sum = 0;
    for (const Candidate& candidate : candidates)
        sum += candidate.probability;
    for (Candidate& candidate : candidates)
        candidate.probability /= sum;
}

/// The model on its way through a text, with what it remembers of it.
class Reader {
public:
    Reader(const LanguageModel& model, const SamplingOptions& options)
        : m_model(model),
          m_muted(options.mutedHeads),
          m_interventions(options.interventions),
          m_capacity(model.config().maxLength) {
        begin();
    }

    /// → logits of the next word.
    std::span<const float> read(int word) {
        if (m_length == m_capacity) reread();
        m_text.push_back(word);
        return feed(word);
    }

private:
    void begin() {
        m_tape.reset();
        m_state.reset();
        m_arena.reset();
        m_tape = std::make_unique<Tape<float>>(m_arena, Tape<float>::Mode::Inference);
        ForwardContext context(*m_tape, m_model.parameters());
        m_state = m_model.begin(context, m_capacity);
        m_kept = m_arena.mark();
        m_length = 0;
    }

    std::span<const float> feed(int word) {
        m_arena.rewind(m_kept);
        ForwardContext context(*m_tape, m_model.parameters());
        context.mutedHeads = m_muted;
        context.interventions = m_interventions;
        const Tensor<float> logits = m_model.step(context, word, *m_state);
        ++m_length;
        return {logits.data, logits.count()};
    }

    void reread() {
        begin();
        const size_t half = static_cast<size_t>(m_capacity / 2);
        for (size_t i = m_text.size() - half; i < m_text.size(); ++i)
            feed(m_text[i]);
    }

    const LanguageModel& m_model;
    std::span<const MutedHead> m_muted;
    std::span<const Intervention> m_interventions;
    int m_capacity;
    int m_length = 0;
    std::vector<int> m_text;
    Arena m_arena;
    Arena::Mark m_kept;
    std::unique_ptr<Tape<float>> m_tape;
    std::unique_ptr<LanguageModel::State> m_state;
};

int draw(const std::vector<Candidate>& from, Random& random) {
    double ticket = random.uniform();
    for (const Candidate& candidate : from) {
        ticket -= candidate.probability;
        if (ticket < 0) return candidate.word;
    }
    return from.back().word;
}

}  // namespace

void SamplingOptions::validate() const {
    if (!(temperature >= 0) || !std::isfinite(temperature))
        throw Error("temperature must be at least 0 (0: always the likeliest word)");
    if (topK < 0) throw Error("top-k must be at least 0 (0: all words)");
    if (!(topP > 0 && topP <= 1)) throw Error("top-p must be above 0 and at most 1");
}

std::vector<Candidate> candidates(std::span<const float> logits, const SamplingOptions& options,
                                  std::span<const int> never) {
    std::vector<Candidate> all;
    all.reserve(logits.size());
    const float largest = *std::ranges::max_element(logits);
    // The likeliest word keeps its place at any temperature; at 0 it is alone.
    const double temperature = options.temperature > 0 ? options.temperature : 1;
    for (size_t i = 0; i < logits.size(); ++i) {
        const int word = static_cast<int>(i);
        if (std::ranges::find(never, word) != never.end()) continue;
        all.push_back({word, std::exp(static_cast<double>(logits[i] - largest) / temperature)});
    }
    size_t kept = all.size();
    if (options.topK > 0) kept = std::min(kept, static_cast<size_t>(options.topK));
    if (options.temperature == 0) kept = std::min(kept, size_t{1});
    const auto likelier = [](const Candidate& a, const Candidate& b) {
        return a.probability > b.probability || (a.probability == b.probability && a.word < b.word);
    };
    // Of fifty thousand words few may be kept: to sort them all would take a tenth of the model's own step.
    if (kept < all.size())
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), likelier);
    else
        std::ranges::sort(all, likelier);
    all.resize(kept);
    normalize(all);
    if (options.topP < 1) {
        keepNucleus(all, options.topP);
        normalize(all);
    }
    return all;
}

std::vector<int> neverWritten(const ModelConfig& config) {
    std::vector<int> never = config.forbiddenIds;
    for (const int id : {config.padId, config.bosId})
        if (!config.ends(id)) never.push_back(id);
    return never;
}

GeneratedText generate(const LanguageModel& model, std::span<const int> prompt, int maxLength,
                       const SamplingOptions& options) {
    options.validate();
    const ModelConfig& config = model.config();
    if (static_cast<int>(prompt.size()) >= config.maxLength)
        throw Error("the prompt has " + std::to_string(prompt.size()) + " tokens, and this model reads at most " +
                    std::to_string(config.maxLength - 1) + ": shorten it");
    Reader reader(model, options);
    Random random(options.seed);
    std::span<const float> logits;
    // A sentence begins where another ended.
    if (config.startsAtEnd) logits = reader.read(config.eosId);
    for (int word : prompt)
        logits = reader.read(word);
    if (logits.empty()) logits = reader.read(config.bosId);
    const std::vector<int> never = neverWritten(config);
    GeneratedText text;
    std::vector<float> logProbs(logits.size());
    for (int i = 0; i < maxLength && !text.finished; ++i) {
        const int word = draw(candidates(logits, options, never), random);
        kernels<float>().logSoftmaxRows(1, static_cast<int>(logits.size()), logits.data(), logProbs.data());
        text.words.push_back(word);
        text.logProbs.push_back(static_cast<double>(logProbs[static_cast<size_t>(word)]));
        text.finished = config.ends(word);
        if (!text.finished) logits = reader.read(word);
    }
    return text;
}

}  // namespace headlight
