// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece_folder.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_text.h"
#include "core/text/pipeline/definition.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/special_tokens.h"

namespace headlight {
namespace {

using pipeline::AddedToken;
using Parts = SentencePieceTokenizer::Parts;

constexpr std::size_t mostModelBytes = std::size_t{1} << 25;
constexpr std::size_t mostPieceBytes = std::size_t{1} << 26;

bool isT5(const std::string& modelType) {
    static constexpr std::array<std::string_view, 3> all = {"t5", "mt5", "umt5"};
    return std::ranges::find(all, modelType) != all.end();
}

/// Special tokens that are among `tokens`: found in texts, and given their roles.
void addSpecials(Parts& parts, const std::vector<std::string>& tokens, const TokenizerSettings& settings) {
    const SpecialTokens usual = [&] {
        std::vector<AddedToken> named;
        for (const char* name : {"<pad>", "<s>", "</s>", "<unk>"})
            if (const auto found = std::ranges::find(tokens, name); found != tokens.end())
                named.push_back({.id = static_cast<int>(found - tokens.begin()), .content = name});
        return pipeline::specialsByName(named);
    }();
    for (const SpecialRole& role : specialRoles) {
        std::optional<int> id = usual.*role.id;
        if (const auto name = settings.special(role.name)) {
            const auto found = std::ranges::find(tokens, *name);
            const auto added = std::ranges::find(parts.added, *name, &AddedToken::content);
            if (added != parts.added.end())
                id = added->id;
            else if (found != tokens.end())
                id = static_cast<int>(found - tokens.begin());
        }
        if (!id) continue;
        parts.specials.*role.id = id;
        if (std::ranges::find(parts.added, *id, &AddedToken::id) == parts.added.end())
            parts.added.push_back({.id = *id, .content = tokens[static_cast<std::size_t>(*id)]});
    }
}

/// T5's `<extra_id_0>`, …: they count down to the end of the pieces, and are in no file of older folders.
void addExtraIds(Parts& parts, int pieces, const TokenizerFacts& facts, const TokenizerSettings& settings) {
    constexpr int usual = 100, most = 10000;
    const auto isExtra = [](const AddedToken& token) { return token.content.starts_with("<extra_id_"); };
    if (std::ranges::any_of(parts.added, isExtra)) return;
    const int room = facts.vocabularySize > 0 ? std::max(0, facts.vocabularySize - pieces) : usual;
    const int count = std::min(settings.number("extra_ids", most).value_or(usual), room);
    for (int i = 0; i < count; ++i)
        parts.added.push_back({.id = pieces + count - 1 - i, .content = "<extra_id_" + std::to_string(i) + '>'});
}

/// T5, Llama: the ids are the pieces' own.
FolderTokenizers oneModel(const platform::Folder& folder, const TokenizerFacts& facts,
                          const TokenizerSettings& settings, const char* name) {
    Parts parts{.file = folder.shown(name), .model = folder.read(name, mostModelBytes)};
    const std::vector<std::string> pieces = SentencePieceTokenizer::piecesOf(parts.model, parts.file);
    parts.added = settings.added();
    if (facts.vocabularySize > 0)
        std::erase_if(parts.added, [&](const AddedToken& token) { return token.id >= facts.vocabularySize; });
    if (isT5(facts.modelType)) addExtraIds(parts, static_cast<int>(pieces.size()), facts, settings);
    addSpecials(parts, pieces, settings);
    const bool endsTexts = settings.flag("add_eos_token").value_or(isT5(facts.modelType));
    const bool beginsTexts = settings.flag("add_bos_token").value_or(!isT5(facts.modelType));
    if (beginsTexts && parts.specials.bos) parts.before = {*parts.specials.bos};
    if (endsTexts && parts.specials.eos) parts.after = {*parts.specials.eos};
    parts.size = facts.vocabularySize;
    const auto tokenizer = std::make_shared<const SentencePieceTokenizer>(std::move(parts));
    requireFit(*tokenizer, facts.vocabularySize, folder.shown(name));
    return {tokenizer, tokenizer, name};
}

/// One side of Marian: pieces from `model`, their ids from `vocabulary`.
std::shared_ptr<const Tokenizer> marianSide(const platform::Folder& folder, const TokenizerSettings& settings,
                                            const char* model, const char* vocabulary, int size) {
    const std::string file = folder.shown(vocabulary);
    Parts parts{.file = file, .model = folder.read(model, mostModelBytes)};
    SentencePieceTokenizer::piecesOf(parts.model, folder.shown(model));  // what is wrong with it has its own name
    parts.tokens =
        pipeline::VocabularyReader(file).fromJson(parseBoundedJson(folder.read(vocabulary, mostPieceBytes), file));
    addSpecials(parts, parts.tokens, settings);
    if (!parts.specials.eos || !parts.specials.unk)
        throw Error(file + " lacks </s> or <unk>: it is not the vocabulary of a Marian model");
    parts.after = {*parts.specials.eos};
    parts.language = Parts::Language::OneToken;
    parts.size = size;
    auto tokenizer = std::make_shared<const SentencePieceTokenizer>(std::move(parts));
    requireFit(*tokenizer, size, file);
    return tokenizer;
}

FolderTokenizers marian(const platform::Folder& folder, const TokenizerFacts& facts,
                        const TokenizerSettings& settings) {
    const bool hasTwo = folder.has("target_vocab.json");
    const int targetSize = facts.targetVocabularySize > 0 ? facts.targetVocabularySize : facts.vocabularySize;
    return {marianSide(folder, settings, "source.spm", "vocab.json", facts.vocabularySize),
            marianSide(folder, settings, "target.spm", hasTwo ? "target_vocab.json" : "vocab.json", targetSize),
            hasTwo ? "source.spm, target.spm, vocab.json, target_vocab.json" : "source.spm, target.spm, vocab.json"};
}

}  // namespace

std::optional<FolderTokenizers> openSentencePiece(const platform::Folder& folder, const TokenizerFacts& facts,
                                                  const TokenizerSettings& settings, SentencePieceFiles files) {
    if (files == SentencePieceFiles::OfTheseModels) {
        if (facts.modelType == "marian" && (folder.has("source.spm") || folder.has("target.spm")))
            return marian(folder, facts, settings);
        if (isT5(facts.modelType) && folder.has("spiece.model"))
            return oneModel(folder, facts, settings, "spiece.model");
        return std::nullopt;
    }
    for (const char* name : {"tokenizer.model", "spiece.model"})
        if (folder.has(name)) return oneModel(folder, facts, settings, name);
    return std::nullopt;
}

}  // namespace headlight
