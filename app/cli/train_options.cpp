// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_options.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/data/corpus_readers.h"
#include "core/data/task.h"

namespace headlight::cli {

namespace {

std::string optionName(std::string key) {
    std::ranges::replace(key, '_', '-');
    return "--" + key;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string result;
    for (const std::string& word : words)
        result += (result.empty() ? "" : between) + word;
    return result;
}

const std::map<std::string, std::string> configHelp{
    {"d_model", "Width of every vector"},
    {"num_heads", "Attention heads"},
    {"num_encoder_layers", "Encoder layers"},
    {"num_decoder_layers", "Decoder layers"},
    {"d_ff", "Width of the feed-forward networks"},
    {"cell", "What remembers: vanilla RNN, GRU or LSTM"},
    {"embedding_size", "Width of a recurrent model's embeddings"},
    {"hidden_size", "Width of a recurrent model's states"},
    {"num_layers", "Recurrent layers, of encoder and decoder each"},
    {"bidirectional", "A recurrent encoder that reads both ways"},
    {"context", "The encoder's last state starts the decoder, or joins its every input"},
    {"attention", "How a recurrent decoder scores the encoder's outputs"},
    {"dropout", "Share of numbers dropped while training"},
    {"activation", "Of the feed-forward networks"},
    {"norm_order", "Layer norm after (post) or before (pre) each sublayer"},
    {"final_norm", "A norm after each stack; by default with pre"},
    {"layer_norm_eps", "Added to the variance"},
    {"positional_encoding", "How the model learns where a word stands"},
    {"positional_base", "n of the sinusoids' frequencies"},
    {"positional_combine", "Encoding added to the embedding, or put beside it"},
    {"scale_embeddings", "Embeddings times the root of d_model"},
    {"scale_scores", "Scores of attention divided by the root of d_k"},
    {"residuals", "Each sublayer's input added to its output"},
    {"max_length", "Tokens of the longest sentence"},
    {"norm", "What a norm brings to 1: the variance (layer), or the root mean square (rms)"},
    {"bias", "Which maps and norms add a learned vector; the head's: output_bias"},
    {"gated_ffn", "Feed-forward networks multiplied by a second map of their input"},
    {"num_kv_heads", "Heads of keys and values that groups of queries share; 0: num_heads"},
    {"head_size", "Width of a head; 0: d_model / num_heads"},
    {"scale_scores_by_layer", "Scores of attention divided by the layer's number too"},
    {"sinusoid_layout", "Sines and cosines in turn, or all sines before all cosines"},
    {"share_positions", "One table of learned positions for encoder and decoder"},
    {"relative_buckets", "Distances that a relative encoding tells apart"},
    {"relative_max_distance", "From here on a relative encoding tells none apart"},
    {"embedding_norm", "A norm of word and position, before the first layer"},
    {"share_embeddings", "One vocabulary and one matrix for source and target"},
    {"output_bias", "A bias of the last map, to the words"},
    {"scale_output", "What the last map reads divided by the root of d_model; with tie_embeddings"},
    {"tie_embeddings", "One matrix for the target's embeddings and the generator"},
    {"source_vocab_size", "The most frequent source words only"},
    {"target_vocab_size", "The most frequent target words only"},
};

/// Makes an option of each configuration key: what was given lands in a JSON object that ModelConfig reads.
struct AddConfigOption {
    CLI::App& command;
    nlohmann::json& given;
    std::set<std::string>& added;  ///< by another architecture that has it too

    /// `architecture` is --arch; the ids of the special tokens are the vocabulary's.
    bool settled(const std::string& key) const { return configHelp.count(key) == 0 || !added.insert(key).second; }

    void operator()(const std::string& key, const std::string&) const { (void)key; }
    void operator()(const std::string& key, const std::vector<int>&) const { (void)key; }
    void operator()(const std::string& key, int) const { add<int>(key, "N"); }
    void operator()(const std::string& key, double) const { add<double>(key, "X"); }
    void operator()(const std::string& key, bool) const {
        if (settled(key)) return;
        nlohmann::json& json = given;
        command
            .add_option_function<std::vector<std::string>>(
                optionName(key),
                [&json, key](const std::vector<std::string>& values) {
                    const std::string text = values.empty() ? "true" : values.back();
                    static const std::set<std::string> yes{"", "true", "1", "yes", "on"}, no{"false", "0", "no", "off"};
                    if (!yes.count(text) && !no.count(text))
                        throw CLI::ValidationError(optionName(key), "write true or false, not " + text);
                    json[key] = yes.count(text) != 0;
                },
                configHelp.at(key))
            ->expected(0, 1)
            ->option_text("[true|false]");
    }
    template <class Enum>
    void operator()(const std::string& key, const Enum&, std::initializer_list<const char*> words) const {
        if (settled(key)) return;
        nlohmann::json& json = given;
        command
            .add_option_function<std::string>(
                optionName(key), [&json, key](const std::string& v) { json[key] = v; }, configHelp.at(key))
            ->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())))
            ->option_text(joined({words.begin(), words.end()}, "|"));
    }

    template <class T>
    void add(const std::string& key, const char* text) const {
        if (settled(key)) return;
        nlohmann::json& json = given;
        command
            .add_option_function<T>(
                optionName(key), [&json, key](const T& v) { json[key] = v; }, configHelp.at(key))
            ->option_text(text);
    }
};

template <class Enum>
void addChoice(CLI::App& command, const std::string& name, Enum& value, const std::map<std::string, Enum>& choices,
               const std::string& help) {
    std::vector<std::string> words;
    words.reserve(choices.size());
    for (const auto& [word, choice] : choices)
        words.push_back(word);
    command
        .add_option_function<std::string>(
            name, [&value, choices](const std::string& word) { value = choices.at(word); }, help)
        ->check(CLI::IsMember(words))
        ->option_text(joined(words, "|"));
}

/// `X` or `X:Y`.
void parseTeacherForcing(const std::string& text, TrainOptions& options) {
    const size_t colon = text.find(':');
    const std::string end = colon == std::string::npos ? text : text.substr(colon + 1);
    if (!CLI::detail::lexical_cast(text.substr(0, colon), options.teacherForcing) ||
        !CLI::detail::lexical_cast(end, options.teacherForcingEnd))
        throw CLI::ValidationError("--teacher-forcing", "write a share as 0.5, or two as 1:0, not " + text);
}

}  // namespace

TokenizerOptions TrainingChoices::tokenizerOptions() const {
    TokenizerOptions how = parseTokenizer(tokenizer);
    how.lowercase = lowercase;
    return how;
}

CorpusSplits TrainingChoices::splits() const {
    if (!corpus.task.empty()) return findTask(corpus.task).generate();
    Corpus sentences = corpus.readFiles();
    return corpus.textFile.empty() ? splitCorpus(std::move(sentences), static_cast<unsigned>(train.seed))
                                   : splitText(std::move(sentences));
}

void addTrainingChoices(CLI::App& command, TrainingChoices& options) {
    options.corpus.addTo(command);
    nlohmann::json& config = options.config;
    command
        .add_option_function<std::string>(
            "--arch", [&config](const std::string& v) { config["architecture"] = v; }, "The architecture")
        ->option_text(joined(architectures(), "|"));
    std::set<std::string> added;
    for (const std::string& architecture : architectures()) {
        ModelConfig defaults{.architecture = architecture};
        visitFields(defaults, AddConfigOption{command, options.config, added});
    }
    command.add_option("--tokenizer", options.tokenizer, "How text becomes tokens; bpe: learns N merges a side")
        ->option_text("word|char|bpe:N");
    command.add_flag("--lowercase", options.lowercase, "Read and write lower case");

    TrainOptions& train = options.train;
    command.add_option("--steps", train.steps, "Training steps")->required()->option_text("N");
    command.add_option("--seed", train.seed, "Of the weights, the order of the data, and dropout")->option_text("N");
    command.add_option("--batch-size", train.batchSize, "Sentence pairs a step")->option_text("N");
    command
        .add_option("--learning-rate", train.learningRate,
                    "Its peak (cosine, constant) or a factor (noam); by default what suits the schedule")
        ->option_text("X");
    addChoice<ScheduleKind>(
        command, "--schedule", train.schedule,
        {{"noam", ScheduleKind::Noam}, {"constant", ScheduleKind::Constant}, {"cosine", ScheduleKind::Cosine}},
        "How the learning rate moves; cosine by default");
    command
        .add_option("--warmup-steps", train.warmupSteps,
                    "Steps in which the learning rate rises; by default 200 (cosine), 400 (noam), 0 (constant)")
        ->option_text("N");
    command.add_option("--label-smoothing", train.labelSmoothing, "Probability given to all words alike")
        ->option_text("X");
    command
        .add_option_function<std::string>(
            "--teacher-forcing", [&train](const std::string& text) { parseTeacherForcing(text, train); },
            "Share of the decoder's inputs that are the truth, the others being its own words; X:Y moves from X to Y")
        ->option_text("X[:Y]");
    command.add_option("--clip-norm", train.clipNorm, "Longest gradient; 0: as it is")->option_text("X");
    addChoice<OptimizerKind>(command, "--optimizer", train.optimizer,
                             {{"adam", OptimizerKind::Adam}, {"sgd", OptimizerKind::Sgd}},
                             "How the weights follow the gradient");
    command.add_option("--threads", train.threads, "Threads; the result is the same with any")->option_text("N");
}

void addTrainOptions(CLI::App& command, TrainCommandOptions& options) {
    addTrainingChoices(command, options);
    command.add_option("--validation-pairs", options.validationPairs, "Pairs to validate on")->option_text("FILE.tsv");
    command.add_option("--validation-source-file", options.validationSource, "Source sentences to validate on")
        ->option_text("FILE");
    command.add_option("--validation-target-file", options.validationTarget, "Their translations")->option_text("FILE");
    command.add_option("--report-every", options.reportEvery, "Steps between two reports")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command.add_option("--validate-every", options.validateEvery, "Steps between two validations")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command.add_option("--out", options.out, "Where to write the model")->required()->option_text("MODEL.safetensors");
    command.add_option("--checkpoint", options.checkpoint, "Where to write checkpoints")->option_text("FILE");
    command.add_option("--checkpoint-every", options.checkpointEvery, "Steps between two checkpoints")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command.add_option("--resume", options.resume, "Go on from a checkpoint")->option_text("FILE");
    command.add_flag("--json", options.json, "One JSON object a line");
}

}  // namespace headlight::cli
