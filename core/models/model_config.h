// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/autograd/operations.h"
#include "core/nn/layers.h"
#include "core/nn/positional_encoding.h"
#include "core/nn/recurrent_attention.h"

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
    None,  ///< it is that position
    Tanh,  ///< a map and tanh: BERT's
    Relu,  ///< a map and max(0, x): DistilBERT's
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
    bool gatedFfn = false;
    int numKvHeads = 0;               ///< heads of keys and values; 0: as many as of queries
    int headSize = 0;                 ///< width of a head; 0: d_model / num_heads
    bool scaleScoresByLayer = false;  ///< attention's scores divided by the layer's number, from 1
    SinusoidLayout sinusoidLayout = SinusoidLayout::Interleaved;
    int positionOffset = 0;      ///< rows of the learned table before that of the first position
    bool sharePositions = true;  ///< encoder and decoder learn one table
    int relativeBuckets = 32;
    int relativeMaxDistance = 128;
    bool embeddingNorm = false;          ///< a norm of the sum of word and position, before the first layer
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
    /// Columns of an embedding: d_model, or half of it where the positions stand beside it.
    int embeddingWidth() const;
    /// What embeddings are multiplied by: √d_model or 1.
    float embeddingScale() const;
    PositionalEncoding::Options positionOptions() const;
    /// Heads of keys and values; width of one head; width of all heads' queries.
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
    visit("gated_ffn", config.gatedFfn);
    visit("num_kv_heads", config.numKvHeads);
    visit("head_size", config.headSize);
    visit("scale_scores_by_layer", config.scaleScoresByLayer);
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
    if (!config.saysWords()) visit("pooler", config.pooler, {"none", "tanh", "relu"});
    if (config.architecture == "encoder-classifier") visit("starts_at_bos", config.startsAtBos);
    if (!config.saysWords() || config.masked()) {
        visit("token_types", config.tokenTypes);
        visit("separator_id", config.separatorId);
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
