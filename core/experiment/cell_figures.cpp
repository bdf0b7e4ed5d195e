// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/cell_figures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/data/evaluation.h"
#include "core/error.h"
#include "core/models/language_model.h"
#include "core/models/seq2seq.h"

namespace headlight {

namespace {

/// One sentence on its way through the model, with what it left on the tape.
class Pass {
public:
    Pass(const TrainedModel& model, const Example& example, CellPlace place)
        : m_model(model),
          m_place(place),
          m_tape(m_arena, Tape<float>::Mode::Training),
          m_context(m_tape, model.network->parameters()),
          m_gradients(model.network->parameters().flatSize()) {
        m_context.kept = &m_kept;
        m_context.gradients = m_gradients.data();
        const ModelConfig& config = model.network->config();
        if (config.encoderDecoder()) {
            m_source = example.source;
            m_read = {config.decoderStart()};
            m_read.insert(m_read.end(), example.target.begin(), example.target.end());
            m_written = example.target;
            m_written.push_back(config.eosId);
            m_logits = model.seq2seq().forward(m_context, batchOf(m_source), batchOf(m_read)).variable;
        } else {
            // The last word of a text is only predicted: nobody says what follows it.
            m_read.assign(example.target.begin(), example.target.end() - 1);
            m_written.assign(example.target.begin() + 1, example.target.end());
            m_logits = model.languageModel().forward(m_context, batchOf(m_read)).variable;
        }
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    /// What the layer reads, word by word.
    const std::vector<int>& ids() const { return m_place.stack == Stack::Encoder ? m_source : m_read; }

    /// ‖∂ log p / ∂ (h, c)‖ of each of its words.
    std::vector<double> norms() {
        const size_t first = m_place.stack == Stack::Encoder ? 0 : m_written.size() - 1;
        m_logits.prepareGradient();
        for (size_t row = first; row < m_written.size(); ++row)
            startFrom(static_cast<int>(row), m_written[row]);
        m_tape.backward();
        std::vector<double> squares(ids().size());
        add(squares, "hidden");
        if (m_model.network->config().cell == Cell::Lstm) add(squares, "cell");
        std::ranges::transform(squares, squares.begin(), [](double square) { return std::sqrt(square); });
        return squares;
    }

    /// What a unit writes at a word.
    float written(int word, int unit) const {
        switch (m_model.network->config().cell) {
            case Cell::Lstm:
                return at("gates.input", word, unit) * at("gates.cell_candidate", word, unit);
            case Cell::Gru:
                return (1 - at("gates.update", word, unit)) * at("gates.candidate", word, unit);
            case Cell::Rnn:
                break;
        }
        return at("hidden", word, unit);
    }

private:
    TokenBatch batchOf(const std::vector<int>& ids) const {
        const std::vector<std::vector<int>> sentence{ids};
        return TokenBatch::pad(sentence, m_model.network->config().padId);
    }
    const Variable<float>& kept(const std::string& part) const {
        static constexpr std::string_view stacks[] = {"encoder.", "decoder.", "", ""};
        const std::string stack(stacks[static_cast<size_t>(m_place.stack)]);
        return m_kept.at(stack + "layers." + std::to_string(m_place.layer) + "." + part);
    }
    float at(const std::string& part, int word, int unit) const { return kept(part).value.row(word)[unit]; }

    /// ∂ log p(id) / ∂ logits: one at its place, less the probabilities.
    void startFrom(int row, int id) {
        const float* const values = m_logits.value.row(row);
        const int words = m_logits.cols();
        const float largest = *std::max_element(values, values + words);
        double sum = 0;
        for (int i = 0; i < words; ++i)
            sum += std::exp(static_cast<double>(values[i] - largest));
        float* const gradient = m_logits.gradient().row(row);
        for (int i = 0; i < words; ++i)
            gradient[i] = static_cast<float>(-std::exp(static_cast<double>(values[i] - largest)) / sum);
        gradient[id] += 1;
    }
    void add(std::vector<double>& squares, const std::string& part) const {
        const Variable<float>& value = kept(part);
        value.prepareGradient();
        for (size_t word = 0; word < squares.size(); ++word)
            for (int unit = 0; unit < value.cols(); ++unit)
                squares[word] += std::pow(static_cast<double>(value.gradient().row(static_cast<int>(word))[unit]), 2);
    }

    const TrainedModel& m_model;
    const CellPlace m_place;
    Arena m_arena;
    Tape<float> m_tape;
    ForwardContext m_context;
    std::vector<float> m_gradients;  ///< of the weights: nobody asks for them
    KeptValues m_kept;
    std::vector<int> m_source, m_read, m_written;
    Variable<float> m_logits;
};

/// Those that have a word to be read and one to be written.
std::vector<Example> readable(const TrainedModel& model, const Corpus& corpus) {
    if (!model.network->config().recurrent()) throw Error("only a recurrent model has cells");
    std::vector<Example> examples = encode(corpus, model, Purpose::Evaluation).pairs;
    const bool translates = model.network->config().encoderDecoder();
    std::erase_if(examples, [&](const Example& each) {
        return translates ? each.source.empty() || each.target.empty() : each.target.size() < 3;
    });
    if (examples.empty()) throw Error("there is no sentence that the model can read: see max_length");
    return examples;
}

/// The model with the layer's recurrent weights multiplied; itself where they are not.
TrainedModel scaled(const TrainedModel& model, CellPlace place, double factor) {
    TrainedModel result = model;
    if (factor == 1) return result;
    result.network = model.network->clone();
    ParameterSet& weights = result.network->parameters();
    const char* const stack = place.stack == Stack::Encoder   ? "encoder"
                              : place.stack == Stack::Decoder ? "decoder"
                                                              : "rnn";
    const std::string name = std::string(stack) + ".weight_hh_l" + std::to_string(place.layer);
    const auto found = std::ranges::find_if(weights.entries(), [&](const auto& entry) { return entry.name == name; });
    if (found == weights.entries().end()) throw Error("the model has no weights " + name);
    float* const first = weights.flat().data() + found->offset;
    std::transform(first, first + found->shape.count(), first,
                   [&](float weight) { return static_cast<float>(weight * factor); });
    return result;
}

}  // namespace

GradientReach gradientReach(const TrainedModel& model, const Corpus& corpus, CellPlace place, size_t most,
                            const StillWanted& wanted, double factor) {
    std::vector<Example> examples = readable(model, corpus);
    const bool bySource = place.stack == Stack::Encoder;
    const auto length = [&](const Example& each) { return bySource ? each.source.size() : each.target.size(); };
    std::ranges::stable_sort(examples, std::ranges::greater(), length);
    if (examples.size() > most) examples.resize(most);
    const TrainedModel changed = scaled(model, place, factor);
    GradientReach result;
    std::vector<double> logs;
    std::vector<long> counts;
    for (const Example& example : examples) {
        if (wanted && !wanted()) break;
        Pass pass(changed, example, place);
        const std::vector<double> norms = pass.norms();
        const int words = static_cast<int>(norms.size());
        result.shortest = result.sentences == 0 ? words : std::min(result.shortest, words);
        result.longest = std::max(result.longest, words);
        ++result.sentences;
        if (!(norms.back() > 0)) continue;
        for (size_t back = 0; back < norms.size(); ++back) {
            if (logs.size() == back) {
                logs.push_back(0);
                counts.push_back(0);
            }
            // What vanished from a float altogether counts as the smallest that there is.
            constexpr double smallest = 1e-38;
            logs[back] += std::log(std::max(norms[norms.size() - 1 - back], smallest) / norms.back());
            ++counts[back];
        }
    }
    for (size_t back = 0; back < logs.size() && counts[back] * 4 >= counts.front(); ++back)
        result.share.push_back(std::exp(logs[back] / static_cast<double>(counts[back])));
    return result;
}

CellWrites cellWrites(const TrainedModel& model, const Corpus& corpus, CellPlace place, size_t most,
                      const StillWanted& wanted) {
    std::vector<Example> examples = readable(model, corpus);
    if (examples.size() > most) examples.resize(most);
    const int units = model.network->config().hiddenSize;
    CellWrites result;
    std::map<int, size_t> places;
    std::vector<std::vector<double>> sums;
    for (const Example& example : examples) {
        if (wanted && !wanted()) break;
        const Pass pass(model, example, place);
        ++result.sentences;
        const Tokenizer& tokenizer = place.stack == Stack::Decoder ? *model.target : *model.source;
        for (size_t word = 0; word < pass.ids().size(); ++word) {
            const int id = pass.ids()[word];
            const auto [at, isNew] = places.try_emplace(id, sums.size());
            if (isNew) {
                sums.emplace_back(static_cast<size_t>(units));
                result.words.push_back({tokenizer.displayOne(id), 0, {}});
            }
            ++result.words[at->second].count;
            for (int unit = 0; unit < units; ++unit)
                sums[at->second][static_cast<size_t>(unit)] +=
                    static_cast<double>(pass.written(static_cast<int>(word), unit));
        }
    }
    for (size_t i = 0; i < sums.size(); ++i)
        for (const double sum : sums[i])
            result.words[i].mean.push_back(static_cast<float>(sum / static_cast<double>(result.words[i].count)));
    return result;
}

}  // namespace headlight
