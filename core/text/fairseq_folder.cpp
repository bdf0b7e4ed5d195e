// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/fairseq_folder.h"

#include <array>
#include <cmath>

#include "core/error.h"
#include "core/text/base64.h"
#include "core/text/sentencepiece_check.h"

namespace headlight {
namespace {

using pipeline::Definition;

constexpr std::size_t mostFairseqBytes = std::size_t{1} << 25;
constexpr std::array ownSpecials = {"<unk>", "<s>", "</s>"};

void addScored(Definition& definition, const std::string& token, double score) {
    definition.tokens.push_back(token);
    definition.scores.push_back(score);
}

nlohmann::json fairseqNormalizer(const std::string& normalForms) {
    nlohmann::json parts = nlohmann::json::array();
    if (!normalForms.empty())
        parts.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", toBase64(normalForms)}});
    parts.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
    parts.push_back({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", "▁"}});
    return {{"type", "Sequence"}, {"normalizers", parts}};
}

}  // namespace

Definition fairseqDefinition(const platform::Folder& folder, const std::string& modelType) {
    Definition definition;
    definition.file = folder.shown(fairseqFile);
    const bool isCamembert = modelType == "camembert";
    if (!isCamembert && modelType != "xlm-roberta")
        throw Error(definition.file +
                    " has ids that Headlight knows for XLM-R and CamemBERT alone: put the model's "
                    "tokenizer.json beside it");
    const SentencePieceContents contents =
        sentencePieceContents(folder.read(fairseqFile, mostFairseqBytes), definition.file);
    if (!contents.isUnigram)
        throw Error(definition.file +
                    " does not cut by scores (Unigram), as such models do: put the model's "
                    "tokenizer.json beside it");
    if (contents.pieces.size() <= ownSpecials.size())
        throw Error(definition.file + " has no pieces but special ones: it is damaged");
    for (std::size_t id = 0; id < ownSpecials.size(); ++id)
        if (contents.pieces[id].text != ownSpecials[id])
            throw Error(definition.file + " does not begin with <unk>, <s>, </s>: it is not the file of such a model");

    for (const char* token : isCamembert ? std::array{"<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>"}
                                         : std::array{"<s>", "<pad>", "</s>", "<unk>"})
        addScored(definition, token, 0);
    if (isCamembert) addScored(definition, "<unk>NOTUSED", -100);
    for (std::size_t id = isCamembert ? 1 : ownSpecials.size(); id < contents.pieces.size(); ++id) {
        const auto& [text, score] = contents.pieces[id];
        if (!std::isfinite(score))
            throw Error(definition.file + " gives the piece '" + text +
                        "' a score that is not a number: it is damaged");
        addScored(definition, text, static_cast<double>(score));
    }
    addScored(definition, "<mask>", 0);

    constexpr int unknown = 3;
    definition.model = {{"type", "Unigram"}, {"unk_id", unknown}, {"byte_fallback", false}};
    definition.normalizer = fairseqNormalizer(contents.normalForms);
    definition.preTokenizer = {
        {"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}, {"split", true}};
    definition.decoder = definition.preTokenizer;
    return definition;
}

}  // namespace headlight
