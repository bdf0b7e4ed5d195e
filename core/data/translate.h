// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/decode/beam_search.h"
#include "core/io/trained_model.h"
#include "core/trace/tracer.h"

namespace headlight {

/// A hypothesis as text.
struct Written {
    std::string text;
    std::vector<std::string> tokens;    ///< as they are drawn; with <eos> where it was reached
    std::vector<std::string> written;   ///< the same as the vocabulary writes them
    std::vector<double> tokenLogProbs;  ///< one a token
    double logProb = 0;
    double score = 0;  ///< under the length penalty
    bool finished = false;
};

/// A sentence and what a model makes of it.
struct Translation {
    std::string source;
    std::vector<std::string> sourceTokens;   ///< as the model reads them: `<unk>` for words that it does not know
    std::vector<std::string> sourceWritten;  ///< the same as the vocabulary writes them
    std::vector<Written> hypotheses;         ///< the best first, never empty

    const Written& best() const { return hypotheses.front(); }
};

/// Translates each text, greedily unless the options ask for a beam. Of a classifier the hypotheses are its labels, as
/// many of the likeliest as `nBest` asks for; each score is log P. Throws Error for a text without words or too long
/// for the model.
std::vector<Translation> translate(const TrainedModel& model, const std::vector<std::string>& texts,
                                   const BeamOptions& options = {});

/// How a model is meant to be searched, where its file says so: other programs' models may (`headlight.training`,
/// imported.decoding).
std::optional<BeamOptions> ownSearch(const TrainedModel& model);
/// What else its own program's search keeps to, and this one does not, as its file says it: "no_repeat_ngram_size 3".
std::vector<std::string> searchLeftOut(const TrainedModel& model);
/// The same as ownSearch(), and greedily where its file says nothing.
BeamOptions ownBeam(const TrainedModel& model, std::span<const MutedHead> muted = {},
                    std::span<const Intervention> interventions = {});

/// Translates a text and keeps the whole search.
struct RecordedTranslation {
    Translation translation;
    SearchTree tree;
};
RecordedTranslation recordTranslation(const TrainedModel& model, const std::string& text, const BeamOptions& options);

/// What a model makes of a text, whatever it is: the translation, as ownBeam() finds it; how a language model goes on
/// with the sentence, the likeliest word each time; the label of a classifier; the text with each mask (written as the
/// vocabulary has it,
/// `<mask>`) filled in, the tokens being the words that were. Throws Error as translate().
Written respond(const TrainedModel& model, const std::string& text, const std::vector<MutedHead>& muted = {},
                std::span<const Intervention> interventions = {});

/// What stands before, between and behind the gaps of a text whose words are to be filled in. The whole text where the
/// model fills in none, or its tokenizer finds them itself.
std::vector<std::string> textsAroundGaps(const TrainedModel& model, const std::string& text);

/// A text with one more word (an id) behind it, as the model's tokenizer joins the two: with a space, or with none
/// where the token goes on with a word.
std::string continued(const TrainedModel& model, const std::string& text, int word);

/// What a trace may take, and what it went without for that: see TraceRecorder.
struct TraceBound {
    size_t mostBytes = TraceRecorder::usualBytes;
    std::vector<Part> leftOut = {};  ///< set by who traces
};

/// Every intermediate value of reading `source` and writing `target` (without one: the model's own translation, as
/// respond() gives it), under teacher forcing; all other models read `source` alone. Throws Error as translate(), for a
/// muted head that the model does not have, and where the values take more memory than they may.
Trace traceSentence(const TrainedModel& model, const std::string& source, const std::optional<std::string>& target = {},
                    const std::vector<MutedHead>& muted = {}, TraceBound* bound = nullptr,
                    std::span<const Intervention> interventions = {});

/// The same of an encoder-decoder for ids as they are: special tokens such as <pad> may stand among them.
/// `target` is what the decoder reads, <bos> at its head. Throws Error for more tokens than the model has positions
/// for.
Trace traceIds(const TrainedModel& model, const std::vector<int>& source, const std::vector<int>& target,
               const std::vector<MutedHead>& muted = {}, TraceBound* bound = nullptr,
               std::span<const Intervention> interventions = {});

/// The same of a model of one stack: `ids` are what it reads, a classifier's without <bos>.
Trace traceIds(const TrainedModel& model, std::vector<int> ids, const std::vector<MutedHead>& muted = {},
               TraceBound* bound = nullptr, std::span<const Intervention> interventions = {});

/// Parses `decoder.layers.1.cross_attn.3` (heads from 0). Throws Error where the model has no such head, naming the
/// blocks.
MutedHead parseMutedHead(const std::string& text, const Model& model);
std::vector<MutedHead> parseMutedHeads(const std::vector<std::string>& texts, const Model& model);

}  // namespace headlight
