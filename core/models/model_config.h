// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/autograd/activation.h"
#include "core/nn/kinds.h"
#include "core/nn/rotary.h"
#include "core/trace/module.h"

namespace headlight {

enum class NormOrder {
    Post,  ///< norm(x + sublayer(x)): the paper's
    Pre,   ///< x + sublayer(norm(x))
};

/// How a recurrent decoder is told what the encoder read.
enum class ContextUse {
    InitialState,  ///< its first state is the encoder's last (Sutskever, Vinyals, Le 2014)
    EveryInput,    ///< joined to each of its inputs (Cho et al. 2014)
};

/// How one vector of a sentence is made, of its first position (core/models/pooler.h).
enum class PoolerKind {
    None,      ///< it is that position
    Tanh,      ///< a map and tanh: BERT's
    Relu,      ///< a map and max(0, x): DistilBERT's
    Gelu,      ///< a map and the exact GELU: ELECTRA's
    GeluNorm,  ///< the same and a norm: ModernBERT's
};

/// Does a map add a learned vector? Of maps for which models of one kind say it apart from the others.
enum class OwnBias {
    AsOthers,  ///< as `bias` says
    All,
    None,
};

/// Do attention and the network of a layer read the same input, and are added to it together?
enum class Parallel {
    None,
    TwoNorms,  ///< x + attention(norm₁ x) + network(norm₂ x): GPT-NeoX
    OneNorm,   ///< the same with one norm for both: GPT-J, Phi
};

/// What a model learns from.
enum class CorpusKind {
    Translation,  ///< pairs: a sentence and its translation, or question and reply
    Text,         ///< no source; the targets are the sentences of a text in their order
    Labels,       ///< a sentence and its label
};

/// The sizes and switches of a model: `headlight.config` of its file and the options of `headlight-cli train`, under
/// the same names (CONTRACTS, section 2).
struct ModelConfig {
    std::string architecture = "transformer";
    int dModel = 64;
    int numHeads = 4;
    int numEncoderLayers = 2;
    int numDecoderLayers = 2;
    int numLayers = 1;
    int dFf = 256;
    double dropout = 0.1;
    ops::Activation activation = ops::Activation::Relu;
    NormOrder normOrder = NormOrder::Post;
    bool finalNorm = false;
    double layerNormEps = 1e-5;
    PositionalKind positionalEncoding = PositionalKind::Sinusoidal;
    double positionalBase = 10000;
    PositionalCombine positionalCombine = PositionalCombine::Add;
    bool scaleEmbeddings = true;
    bool scaleScores = true;  ///< attention's scores divided by √d_k
    bool residuals = true;    ///< each sublayer's input is added to its output
    Cell cell = Cell::Lstm;
    int embeddingSize = 64;
    int hiddenSize = 128;
    bool bidirectional = false;  ///< the encoder
    ContextUse context = ContextUse::InitialState;
    AttentionKind attention = AttentionKind::None;
    int maxLength = 128;
    bool tieEmbeddings = false;

    // What other kinds of Transformer do otherwise than the paper's: see visitVariantFields().
    NormKind norm = NormKind::Layer;
    Biases bias = Biases::All;
    OwnBias qkvBias = OwnBias::AsOthers;      ///< of the maps to queries, keys and values
    OwnBias outProjBias = OwnBias::AsOthers;  ///< of the map behind the heads
    OwnBias ffnBias = OwnBias::AsOthers;
    bool normFromOne = false;            ///< RMS norms scale by 1 + their weight
    bool outputNorms = false;            ///< what a sublayer makes goes through a norm before it is added
    Parallel parallel = Parallel::None;  ///< attention beside the network
    bool headNorms = false;              ///< an RMS norm of each head's queries and keys
    bool gatedFfn = false;
    int numKvHeads = 0;               ///< heads of keys and values; 0: as many as of queries
    int headSize = 0;                 ///< width of a head; 0: d_model / num_heads
    bool scaleScoresByLayer = false;  ///< attention's scores divided by the layer's number, from 1
    double queryScale = 0;            ///< scores divided by the root of it, not of a head's width; 0: of that
    double scoreCap = 0;              ///< attention's scores are bent so that none goes beyond it; 0: they stay
    double logitCap = 0;              ///< the same of logits
    int slidingWindow = 0;  ///< words that a word sees on either side that it sees, itself one of them; 0: all
    std::vector<int> windowLayers = {};  ///< the layers that have it, from 0; none named: all
    double windowBase = 0;  ///< positional_base of those layers, which is not scaled then; 0: as the others
    int rotarySize = 0;     ///< numbers of a head that are turned, the first; 0: all
    RotaryScaling rotaryScaling = RotaryScaling::None;
    double rotaryFactor = 1;
    double rotaryLowFactor = 1;
    double rotaryHighFactor = 4;
    int rotaryOriginalLength = 8192;
    SinusoidLayout sinusoidLayout = SinusoidLayout::Interleaved;
    int positionOffset = 0;      ///< rows of the learned table before that of the first position
    bool sharePositions = true;  ///< encoder and decoder learn one table
    int relativeBuckets = 32;
    int relativeMaxDistance = 128;
    bool embeddingNorm = false;          ///< a norm of the sum of word and position, before the first layer
    bool firstNorm = true;               ///< the first layer's attention reads through a norm
    int wordWidth = 0;                   ///< columns of an embedding, which a map brings to d_model; 0: d_model
    bool findsReplaced = false;          ///< a head says of each word whether another stood in its place
    int tokenTypes = 0;                  ///< kinds of segment (BERT's first and second sentence); 0: none
    bool shareEmbeddings = false;        ///< source and target read with one matrix
    bool outputBias = true;              ///< of the head
    bool scaleOutput = false;            ///< what the head reads is divided by √d_model
    bool startsAtEnd = true;             ///< a text is read behind an <eos>, as if another had ended; else as it stands
    int decoderStartId = -1;             ///< what the decoder reads first; −1: <bos>
    int forcedFirstId = -1;              ///< what the decoder always writes first; −1: nothing
    std::vector<int> forbiddenIds = {};  ///< what decoding never writes
    std::vector<int> moreEndIds = {};    ///< what ends a text besides <eos>
    PoolerKind pooler = PoolerKind::None;
    bool startsAtBos = true;  ///< a classifier reads a <bos> before a sentence; else it as it stands
    int maskId = -1;          ///< what stands where a word is to be filled in; −1: <unk>
    int separatorId = -1;     ///< words behind its first are of the second type; −1: all are of the first

    int sourceVocabSize = 0;
    int targetVocabSize = 0;
    int padId = 0;
    int bosId = 1;
    int eosId = 2;
    int unkId = 3;

    bool recurrent() const { return architecture == "rnn" || architecture == "rnn-language-model"; }
    /// Has a source and a target: transformer, rnn.
    bool encoderDecoder() const { return architecture == "transformer" || architecture == "rnn"; }
    /// Says which word comes next in a text: language-model, rnn-language-model.
    bool continuesTexts() const { return architecture == "language-model" || architecture == "rnn-language-model"; }
    /// Writes word after word until one ends the text.
    bool writesTexts() const { return encoderDecoder() || continuesTexts(); }
    /// Fills in words that were taken out of a text, and sees what follows them too.
    bool masked() const { return architecture == "masked-language-model"; }
    /// Reads, and has no head that would say anything.
    bool headless() const { return architecture == "encoder"; }
    /// Its head says words: it may be the embedding.
    bool saysWords() const { return !headless() && architecture != "encoder-classifier"; }
    CorpusKind corpusKind() const;
    /// What it reads and what it writes are words of one vocabulary.
    bool hasOneVocabulary() const { return corpusKind() == CorpusKind::Text || shareEmbeddings; }
    /// The width that stands for the model's size: d_model or hidden_size.
    int width() const { return recurrent() ? hiddenSize : dModel; }
    /// Columns of an embedding: d_model, half of it where the positions stand beside it, or word_width.
    int embeddingWidth() const;
    /// What embeddings are multiplied by: √d_model or 1.
    float embeddingScale() const;
    PositionOptions positionOptions() const;
    /// Heads of keys and values; width of one head; width of all heads' queries.
    Biases qkvBiases() const { return biasesOf(qkvBias); }
    Biases outProjBiases() const { return biasesOf(outProjBias); }
    Biases ffnBiases() const { return biasesOf(ffnBias); }
    /// Does that layer of the one stack see a window?
    bool isWindowed(int layer) const;
    /// Of rotary positions, in layers with a window or without.
    RotarySpeeds rotarySpeeds(bool windowed) const;
    int keyHeads() const { return numKvHeads > 0 ? numKvHeads : numHeads; }
    int headWidth() const { return headSize > 0 ? headSize : dModel / numHeads; }
    int queryWidth() const { return numHeads * headWidth(); }
    /// Do the words of this stack see those behind them?
    bool seesBothWays(Stack stack) const {
        return stack == Stack::Encoder || (stack == Stack::Only && architecture != "language-model");
    }
    int decoderStart() const { return decoderStartId >= 0 ? decoderStartId : bosId; }
    /// Is a text at its end behind that word?
    bool ends(int id) const;
    int mask() const { return maskId >= 0 ? maskId : unkId; }
    /// The id of the first of a classifier's labels.
    int firstLabel() const;
    /// The weights of such a model, every one: a file with fewer does not hold it. Throws Error where they are too many
    /// to be counted.
    size_t weightCount() const;

    Biases biasesOf(OwnBias own) const {
        return own == OwnBias::AsOthers ? bias : own == OwnBias::All ? Biases::All : Biases::None;
    }

    /// Throws Error for sizes that do not go together, naming both and what would.
    void validate() const;
    nlohmann::json toJson() const;
    /// Missing keys keep their defaults (final_norm: on with `pre`, off with `post`). Throws Error for a wrong type or
    /// value, and for a key that it does not know.
    static ModelConfig fromJson(const nlohmann::json& json);

    bool operator==(const ModelConfig&) const = default;
};

/// The architectures there are, as `architecture` spells them.
const std::vector<std::string>& architectures();

/// The fields that a file always has.
template <class Config, class Visit>
void visitPlainFields(Config& config, Visit&& visit) {
    visit("architecture", config.architecture);
    if (config.recurrent()) {
        visit("cell", config.cell, {"rnn", "gru", "lstm"});
        visit("embedding_size", config.embeddingSize);
        visit("hidden_size", config.hiddenSize);
        visit("num_layers", config.numLayers);
        if (config.encoderDecoder()) {
            visit("bidirectional", config.bidirectional);
            visit("context", config.context, {"initial_state", "every_input"});
            visit("attention", config.attention, {"none", "dot", "scaled_dot", "general", "additive"});
        }
    } else {
        visit("d_model", config.dModel);
        visit("num_heads", config.numHeads);
        if (config.encoderDecoder()) {
            visit("num_encoder_layers", config.numEncoderLayers);
            visit("num_decoder_layers", config.numDecoderLayers);
        } else {
            visit("num_layers", config.numLayers);
        }
        visit("d_ff", config.dFf);
        visit("activation", config.activation, {"relu", "gelu", "gelu_tanh", "silu", "quick_gelu"});
        visit("norm_order", config.normOrder, {"post", "pre"});
        visit("final_norm", config.finalNorm);
        visit("layer_norm_eps", config.layerNormEps);
        visit("positional_encoding", config.positionalEncoding,
              {"sinusoidal", "learned", "none", "rotary", "relative"});
        visit("positional_base", config.positionalBase);
        visit("positional_combine", config.positionalCombine, {"add", "concat"});
        visit("scale_embeddings", config.scaleEmbeddings);
        visit("scale_scores", config.scaleScores);
        visit("residuals", config.residuals);
        if (config.saysWords()) visit("tie_embeddings", config.tieEmbeddings);
    }
    visit("dropout", config.dropout);
    visit("max_length", config.maxLength);
    visit("source_vocab_size", config.sourceVocabSize);
    visit("target_vocab_size", config.targetVocabSize);
    visit("pad_id", config.padId);
    visit("bos_id", config.bosId);
    visit("eos_id", config.eosId);
    visit("unk_id", config.unkId);
}

/// The fields of a model that is not the papers'. A file says those alone that are not at their defaults, so that
/// a model that needs none of them is written as it was before there were any.
template <class Config, class Visit>
void visitVariantFields(Config& config, Visit&& visit) {
    if (config.continuesTexts()) visit("starts_at_end", config.startsAtEnd);
    if (config.writesTexts()) {
        visit("forbidden_ids", config.forbiddenIds);
        visit("more_end_ids", config.moreEndIds);
    }
    if (config.recurrent()) return;
    visit("norm", config.norm, {"layer", "rms"});
    visit("bias", config.bias, {"all", "none"});
    visit("qkv_bias", config.qkvBias, {"as_others", "all", "none"});
    visit("out_proj_bias", config.outProjBias, {"as_others", "all", "none"});
    visit("ffn_bias", config.ffnBias, {"as_others", "all", "none"});
    visit("norm_from_one", config.normFromOne);
    visit("gated_ffn", config.gatedFfn);
    visit("num_kv_heads", config.numKvHeads);
    visit("head_size", config.headSize);
    visit("scale_scores_by_layer", config.scaleScoresByLayer);
    visit("query_scale", config.queryScale);
    visit("score_cap", config.scoreCap);
    visit("rotary_size", config.rotarySize);
    visit("rotary_scaling", config.rotaryScaling, {"none", "linear", "llama3"});
    visit("rotary_factor", config.rotaryFactor);
    visit("rotary_low_factor", config.rotaryLowFactor);
    visit("rotary_high_factor", config.rotaryHighFactor);
    visit("rotary_original_length", config.rotaryOriginalLength);
    if (!config.encoderDecoder()) {
        visit("output_norms", config.outputNorms);
        visit("parallel", config.parallel, {"none", "two_norms", "one_norm"});
        visit("head_norms", config.headNorms);
        visit("first_norm", config.firstNorm);
        visit("sliding_window", config.slidingWindow);
        visit("window_layers", config.windowLayers);
        visit("window_base", config.windowBase);
    }
    if (config.continuesTexts()) visit("logit_cap", config.logitCap);
    visit("sinusoid_layout", config.sinusoidLayout, {"interleaved", "halves"});
    visit("position_offset", config.positionOffset);
    visit("relative_buckets", config.relativeBuckets);
    visit("relative_max_distance", config.relativeMaxDistance);
    visit("embedding_norm", config.embeddingNorm);
    if (config.saysWords()) {
        visit("output_bias", config.outputBias);
        visit("scale_output", config.scaleOutput);
    }
    if (config.encoderDecoder()) {
        visit("share_positions", config.sharePositions);
        visit("share_embeddings", config.shareEmbeddings);
        visit("decoder_start_id", config.decoderStartId);
        visit("forced_first_id", config.forcedFirstId);
    }
    if (!config.saysWords()) visit("pooler", config.pooler, {"none", "tanh", "relu", "gelu", "gelu_norm"});
    if (config.headless()) visit("finds_replaced", config.findsReplaced);
    if (config.architecture == "encoder-classifier") visit("starts_at_bos", config.startsAtBos);
    if (!config.saysWords() || config.masked()) {
        visit("token_types", config.tokenTypes);
        visit("separator_id", config.separatorId);
        visit("word_width", config.wordWidth);
    }
    if (config.masked()) visit("mask_id", config.maskId);
}

/// Calls visit(name, member) for every field that its architecture has, so that the file, the command line and the help
/// are one list. An enum is visited with its words: visit(name, member, {"relu", "gelu", …}) in the order of its
/// values.
template <class Config, class Visit>
void visitFields(Config& config, Visit&& visit) {
    visitPlainFields(config, visit);
    visitVariantFields(config, visit);
}

}  // namespace headlight
