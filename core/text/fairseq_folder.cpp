// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/fairseq_folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "core/error.h"
#include "core/text/base64.h"
#include "core/text/language_tokens.h"
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

/// The merges of pieces that have scores instead: whatever two pieces make a third, the best third first; of one
/// third's the pair whose pieces stand first.
pipeline::MergeList mergesOf(const SentencePieceContents& contents, const std::string& file) {
    struct Merge {
        float score;
        std::size_t left, right;
    };
    std::unordered_map<std::string_view, std::size_t> ids;
    for (std::size_t id = 0; id < contents.pieces.size(); ++id)
        ids.emplace(contents.pieces[id].text, id);
    std::vector<Merge> all;
    for (std::size_t id = ownSpecials.size(); id < contents.pieces.size(); ++id) {
        const auto& [text, score] = contents.pieces[id];
        for (std::size_t cut = 1; cut < text.size(); ++cut) {
            const auto left = ids.find(std::string_view(text).substr(0, cut));
            if (left == ids.end()) continue;
            const auto right = ids.find(std::string_view(text).substr(cut));
            if (right == ids.end()) continue;
            if (all.size() >= pipeline::VocabularyReader::mostMerges)
                throw Error(file + " has more than " + std::to_string(all.size()) + " merges: it is damaged");
            all.push_back({score, left->second, right->second});
        }
    }
    std::ranges::sort(all, [](const Merge& a, const Merge& b) {
        return std::tuple(-a.score, a.left, a.right) < std::tuple(-b.score, b.left, b.right);
    });
    pipeline::MergeList merges;
    for (const Merge& merge : all)
        merges.emplace_back(contents.pieces[merge.left].text, contents.pieces[merge.right].text);
    return merges;
}

bool hasFairseqIds(const std::string& modelType) {
    constexpr std::array known{"xlm-roberta", "camembert", "mbart", "m2m_100"};
    return std::ranges::find(known, modelType) != known.end();
}

}  // namespace

Definition fairseqDefinition(const platform::Folder& folder, const std::string& modelType,
                             const TokenizerSettings& settings, int vocabularySize) {
    Definition definition;
    definition.file = folder.shown(fairseqFile);
    const bool isCamembert = modelType == "camembert", isNllb = modelType == "m2m_100";
    // M2M-100's own ids stand in a file beside it.
    if (!hasFairseqIds(modelType) || (isNllb && folder.has("vocab.json")))
        throw Error(definition.file +
                    " has ids that Headlight knows for XLM-R, CamemBERT, mBART and NLLB alone: put the model's "
                    "tokenizer.json beside it");
    const SentencePieceContents contents =
        sentencePieceContents(folder.read(fairseqFile, mostFairseqBytes), definition.file);
    const bool merges = isNllb && contents.cut == SentencePieceContents::Cut::Merges;
    if (!merges && contents.cut != SentencePieceContents::Cut::Unigram)
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
    const int behind = vocabularySize - static_cast<int>(definition.tokens.size());
    const std::optional<LanguageTokens> languages = languageTokens(modelType, settings, behind);
    if (languages)
        for (const std::string_view code : languages->codes) {
            definition.added.push_back(
                {.id = static_cast<int>(definition.tokens.size()), .content = std::string(code)});
            addScored(definition, std::string(code), 0);
        }
    addScored(definition, "<mask>", 0);

    constexpr int unknown = 3;
    if (merges) {
        definition.merges = mergesOf(contents, definition.file);
        definition.scores.clear();
        definition.model = {{"type", "BPE"}, {"unk_token", "<unk>"}, {"fuse_unk", true}, {"byte_fallback", false}};
    } else {
        definition.model = {{"type", "Unigram"}, {"unk_id", unknown}, {"byte_fallback", false}};
    }
    definition.normalizer = fairseqNormalizer(contents.normalForms);
    definition.preTokenizer = {
        {"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}, {"split", true}};
    definition.decoder = definition.preTokenizer;
    return definition;
}

}  // namespace headlight
