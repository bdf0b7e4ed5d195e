// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_options.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/cli/config_file.h"
#include "core/error.h"
#include "core/train/training_memory.h"

namespace headlight::cli {

namespace {

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
    {"qkv_bias", "A bias of the maps to queries, keys and values"},
    {"out_proj_bias", "A bias of the map behind the heads"},
    {"ffn_bias", "A bias of the feed-forward networks' maps"},
    {"norm_from_one", "RMS norms scale by 1 + their weight"},
    {"output_norms", "A norm of what each sublayer makes, before it is added; with norm_order pre"},
    {"parallel", "Attention beside the network, with two norms or one; with norm_order pre"},
    {"head_norms", "An RMS norm of each head's queries and keys"},
    {"query_scale", "Scores of attention divided by the root of it; 0: of d_k"},
    {"score_cap", "Scores of attention bent so that none goes beyond it; 0: they stay"},
    {"logit_cap", "The same of logits"},
    {"sliding_window", "Words that a word sees before it and, where it sees them, behind it, itself counted; 0: all"},
    {"first_norm", "A norm before the first layer's attention; with norm_order pre"},
    {"word_width", "Columns of an embedding, which a map brings to d_model; 0: d_model"},
    {"window_base", "positional_base of layers with a window; 0: as the others'"},
    {"rotary_size", "Numbers of a head that rotary positions turn; 0: all"},
    {"rotary_scaling", "How rotary angles are made smaller"},
    {"rotary_factor", "By which they are made smaller"},
    {"rotary_low_factor", "Of llama3: turns over the original length below which they are"},
    {"rotary_high_factor", "And above which they are not"},
    {"rotary_original_length", "Positions of the model's first training, for llama3"},
    {"sinusoid_layout", "Sines and cosines in turn, or all sines before all cosines"},
    {"share_positions", "One table of learned positions for encoder and decoder"},
    {"relative_buckets", "Distances that a relative encoding tells apart"},
    {"relative_max_distance", "From here on a relative encoding tells none apart"},
    {"embedding_norm", "A norm of word and position, before the first layer"},
    {"pooler", "A map of its own between a classifier's first position and its labels, and what follows it"},
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

void readRateChanges(const std::string& text, TrainOptions& options) {
    try {
        options.rateChanges = parseRateChanges(text);
    } catch (const Error& error) {
        throw CLI::ValidationError("--rate-changes", error.what());
    }
}

void readForks(const char* name, const std::string& text, TrainOptions& options) {
    try {
        if (std::string_view(name) == "--order-changes")
            options.forks.order = parseOrderChanges(text);
        else
            options.forks.muted = parseMuteChanges(text);
    } catch (const Error& error) {
        throw CLI::ValidationError(name, error.what());
    }
}

void addForkOptions(CLI::App& command, TrainOptions& train) {
    const auto add = [&](const char* name, const char* what, const char* text) {
        command
            .add_option_function<std::string>(
                name, [&train, name](const std::string& given) { readForks(name, given, train); }, what)
            ->option_text(text);
    };
    add("--order-changes", "The seed of the data's order from a step on, as 200:7", "STEP:SEED,…");
    add("--mute-changes", "A head that is silent from a step on, as 200:decoder.layers.1.cross_attn.3", "STEP:HEAD,…");
}

/// How text becomes what the model reads.
void addWordOptions(CLI::App& command, TrainingChoices& options) {
    TokenizerOptions& words = options.words;
    command
        .add_option("--tokenizer", options.tokenizer,
                    "How text becomes tokens; whitespace: it is cut already; bpe: learns N merges a side")
        ->option_text("word|whitespace|char|bpe:N");
    command.add_flag("--lowercase", words.lowercase, "Read and write lower case");
    command.add_option("--min-count", words.minCount, "Leave tokens that stand less often out of the vocabulary")
        ->option_text("N");
    command.add_flag("--joint-bpe", words.jointBpe, "Learn merges from both sides together, a vocabulary for each");
    command
        .add_option("--source-codes", words.sourceCodes,
                    "Merges of subword-nmt that cut the source's words, instead of learning some")
        ->option_text("FILE");
    command.add_option("--target-codes", words.targetCodes, "Likewise of the target")->option_text("FILE");
    command
        .add_option("--source-embeddings", options.vectors.source,
                    "Vectors that source words start with, in word2vec's text format")
        ->option_text("FILE");
    command.add_option("--target-embeddings", options.vectors.target, "Likewise of the target")->option_text("FILE");
}

/// Files of one's own in the place of a part.
void addOwnFiles(CLI::App& command, CorpusFiles& files, const std::string& part, const std::string& what) {
    command.add_option("--" + part + "-pairs", files.pairs, "Pairs " + what)->option_text("FILE.tsv");
    command.add_option("--" + part + "-source-file", files.sourceFile, "Source sentences " + what)->option_text("FILE");
    command.add_option("--" + part + "-target-file", files.targetFile, "Their translations")->option_text("FILE");
    command.add_option("--" + part + "-text-file", files.textFile, "Text " + what)->option_text("FILE");
}

}  // namespace

void TrainingChoices::check(const ModelConfig& model) const {
    data().check(model);
    train.validate();
    vectors.check(model);
    refuseWhateverTheWords(model, train);
}

TokenizerOptions TrainingChoices::tokenizerOptions() const {
    const TokenizerOptions kind = parseTokenizer(tokenizer);
    TokenizerOptions how = words;
    how.kind = kind.kind;
    how.merges = kind.merges;
    return how;
}

CorpusSplits TrainingChoices::splits() const {
    ReadingNotes notes;
    CorpusSplits splits;
    {
        Progress progress("reading");
        splits = data().splits(train.seed, &notes, progress.work());
    }
    noteReading(notes);
    return splits;
}

void addTrainingChoices(CLI::App& command, TrainingChoices& options) {
    options.corpus.addTo(command);
    command
        .add_option("--title", options.corpus.title,
                    "What the sentences are (\"English to French\"): how the window calls what the model learned")
        ->option_text("TEXT");
    command
        .add_option("--credit", options.corpus.credit, "Who wrote the sentences, and their licence: told by the model")
        ->option_text("TEXT");
    command.add_option("--longest", options.rules.longest, "Leave out pairs with more words on a side; 0: none")
        ->option_text("N");
    command
        .add_option("--most-ratio", options.rules.mostRatio,
                    "Leave out pairs with more than X words on one side for a word on the other; 0: none")
        ->option_text("X");
    command.add_option("--validation-size", options.sizes.validation, "Pairs of the files kept for validation")
        ->check(CLI::NonNegativeNumber)
        ->option_text("N");
    command.add_option("--test-size", options.sizes.test, "Pairs of the files that are kept away altogether")
        ->check(CLI::NonNegativeNumber)
        ->option_text("N");
    nlohmann::json& config = options.config;
    std::vector<std::string> trained = architectures();
    std::erase_if(trained, [](const std::string& name) { return ModelConfig{.architecture = name}.headless(); });
    command
        .add_option_function<std::string>(
            "--arch", [&config](const std::string& v) { config["architecture"] = v; }, "The architecture")
        ->option_text(joined(trained, "|"));
    std::set<std::string> added;
    for (const std::string& architecture : trained) {
        ModelConfig defaults{.architecture = architecture};
        visitFields(defaults, AddConfigOption{command, options.config, added});
    }
    addWordOptions(command, options);
    TrainOptions& train = options.train;
    command.add_option("--steps", train.steps, "Training steps")->required()->option_text("N");
    command.add_option("--seed", train.seed, "Of the weights, the order of the data, and dropout")->option_text("N");
    CLI::Option* pairs = command.add_option("--batch-size", train.batchSize, "Sentence pairs a step");
    pairs->option_text("N");
    command
        .add_option("--tokens-per-batch", train.tokensPerBatch,
                    "Instead: pairs of like length that have, padding counted, N tokens on their longer side")
        ->check(CLI::PositiveNumber)
        ->excludes(pairs)
        ->option_text("N");
    command.add_option("--accumulate", train.accumulate, "Batches whose gradients are added for one step")
        ->option_text("N");
    command
        .add_option("--learning-rate", train.learningRate,
                    "Its peak (cosine, constant) or a factor (noam); by default what suits the schedule")
        ->option_text("X");
    addChoice<ScheduleKind>(command, "--schedule", train.schedule,
                            {{nameOf(ScheduleKind::Noam), ScheduleKind::Noam},
                             {nameOf(ScheduleKind::Constant), ScheduleKind::Constant},
                             {nameOf(ScheduleKind::Cosine), ScheduleKind::Cosine}},
                            "How the learning rate moves; cosine by default");
    command
        .add_option("--warmup-steps", train.warmupSteps,
                    "Steps in which the learning rate rises; by default 200 (cosine), 400 (noam), 0 (constant)")
        ->option_text("N");
    command
        .add_option_function<std::string>(
            "--rate-changes", [&train](const std::string& text) { readRateChanges(text, train); },
            "The learning rate from a step on, times what the schedule says, as 200:0.5,400:2")
        ->option_text("STEP:X,…");
    addForkOptions(command, train);
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
    command.add_option("--beta1", train.adam.beta1, "Of Adam's mean of the gradient; 0.9 by default")->option_text("X");
    command.add_option("--beta2", train.adam.beta2, "Of Adam's mean of its square; 0.98 by default")->option_text("X");
    command
        .add_option("--weight-decay", train.adam.weightDecay,
                    "Adam's weights shrink by this share of the learning rate at each step")
        ->option_text("X");
    command.add_option("--threads", train.threads, "Threads; the result is the same with any")->option_text("N");
}

void addTrainOptions(CLI::App& command, TrainCommandOptions& options) {
    addTrainingChoices(command, options);
    addOwnFiles(command, options.validation, "validation", "to validate on, in place of some that are set aside");
    addOwnFiles(command, options.test, "test", "that are kept away to the end, and then judged by");
    command.add_option("--example", options.example, "The sentence with which the model opens; else one of the data")
        ->option_text("TEXT");
    command.add_option("--report-every", options.reportEvery, "Steps between two reports")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command.add_option("--validate-every", options.keep.validateEvery, "Steps between two validations; 0: none")
        ->check(CLI::NonNegativeNumber)
        ->option_text("N");
    command.add_option("--out", options.out, "Where to write the model")->required()->option_text("MODEL.safetensors");
    addDtype(command, options.weights);
    command.add_option("--checkpoint", options.checkpoint, "Where to write checkpoints")->option_text("FILE");
    command.add_option("--checkpoint-every", options.checkpointEvery, "Steps between two checkpoints")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command.add_option("--resume", options.resume, "Go on from a checkpoint")->option_text("FILE");
    command
        .add_option("--from", options.from, "A model to train on, with its words and settings, in place of a new one")
        ->option_text("MODEL");
    command
        .add_option("--stop-after", options.stopAfter,
                    "Leave the run after step N: it is then what a run of --steps was at that step")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command
        .add_option("--patience", options.keep.patience,
                    "Stop after N validations whose loss was not the least, and write the model of the least; 0: go on")
        ->check(CLI::NonNegativeNumber)
        ->option_text("N");
    command.add_option("--average", options.keep.average, "Write the mean of the weights at the last N validations")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    addConfigFile(command);
    command.add_flag("--json", options.json, "One JSON object a line");
}

}  // namespace headlight::cli
