// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/folder_tokenizers.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_text.h"
#include "core/text/fairseq_folder.h"
#include "core/text/id_tokenizer.h"
#include "core/text/language_tokens.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentencepiece_folder.h"
#include "core/text/special_tokens.h"
#include "core/text/tokenizer_settings.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

using pipeline::AddedToken;
using pipeline::Definition;

constexpr std::size_t mostVocabularyBytes = std::size_t{1} << 27;

/// The names of special tokens where no file of the folder has others; null: none.
struct UsualNames {
    const char *pad, *bos, *eos, *unk, *cls, *sep, *mask;

    const char* of(const std::string& role) const {
        return role == "pad"   ? pad
               : role == "bos" ? bos
               : role == "eos" ? eos
               : role == "unk" ? unk
               : role == "cls" ? cls
               : role == "sep" ? sep
                               : mask;
    }
};
constexpr const char* endOfText = "<|endoftext|>";
constexpr UsualNames gpt2Names{nullptr, endOfText, endOfText, endOfText, nullptr, nullptr, nullptr};
constexpr UsualNames bartNames{"<pad>", "<s>", "</s>", "<unk>", "<s>", "</s>", "<mask>"};
constexpr UsualNames bertNames{"[PAD]", nullptr, nullptr, "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

/// Special tokens of the vocabulary are found in texts.
void addSpecials(Definition& definition, const TokenizerSettings& settings, const UsualNames& names) {
    // What a file says of a token goes before what is known of it.
    std::vector<AddedToken> own = std::exchange(definition.added, settings.added());
    for (AddedToken& token : own)
        if (std::ranges::find(definition.added, token.content, &AddedToken::content) == definition.added.end())
            definition.added.push_back(std::move(token));
    for (const SpecialRole& role : specialRoles) {
        const char* usual = names.of(role.name);
        const auto token = settings.special(role.name);
        if (!token && usual == nullptr) continue;
        const std::string content = token.value_or(usual == nullptr ? "" : usual);
        const int id = idOfToken(definition, content);
        if (id < 0) continue;
        definition.specials.*role.id = id;
        if (std::ranges::find(definition.added, content, &AddedToken::content) != definition.added.end()) continue;
        AddedToken added{.id = id, .content = content};
        added.leftStrip = content == bartNames.mask;  // RoBERTa's and BART's: the space is part of the word
        definition.added.push_back(added);
    }
}

pipeline::MergeList mergesFromLines(std::string_view text, const std::string& file) {
    pipeline::MergeList merges;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if ((number == 1 && line.starts_with("#version")) || line.empty()) continue;
        const std::size_t space = line.find(' ');
        if (findInvalidUtf8(line) || space == std::string_view::npos || space == 0 || space + 1 == line.size() ||
            line.find(' ', space + 1) != std::string_view::npos)
            throw Error(file + ", line " + std::to_string(number) +
                        " is not a merge: two tokens with one space between them");
        if (merges.size() >= pipeline::VocabularyReader::mostMerges)
            throw Error(file + " has more than " + std::to_string(merges.size()) + " merges: it is damaged");
        merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
    return merges;
}

class FolderReader {
public:
    FolderReader(const platform::Folder& folder, const TokenizerFacts& facts)
        : m_folder(folder), m_facts(facts), m_settings(folder) {}

    FolderTokenizers read() const {
        if (auto found = openSentencePiece(m_folder, m_facts, m_settings, SentencePieceFiles::OfTheseModels))
            return *found;
        if (m_folder.has("tokenizer.json")) return both(tokenizerJson(), "tokenizer.json");
        if (m_folder.has("merges.txt")) return both(byteLevel(), "vocab.json, merges.txt");
        if (m_folder.has("vocab.txt")) return both(wordPiece(), "vocab.txt");
        if (m_folder.has(fairseqFile)) return both(fairseq(), fairseqFile);
        if (auto found = openSentencePiece(m_folder, m_facts, m_settings, SentencePieceFiles::OfAnyModel))
            return *found;
        if (m_folder.has("vocab.json"))
            throw Error(m_folder.shown("vocab.json") +
                        " is half a tokenizer: put merges.txt beside it, or source.spm and target.spm");
        return ids();
    }

private:
    FolderTokenizers both(Definition definition, const char* files) const {
        // What was added behind the model's rows (a padding token often is) it cannot be fed.
        if (m_facts.vocabularySize > 0)
            std::erase_if(definition.added,
                          [this](const AddedToken& token) { return token.id >= m_facts.vocabularySize; });
        for (const SpecialRole& role : specialRoles)
            if (m_facts.vocabularySize > 0 && definition.specials.*role.id >= m_facts.vocabularySize)
                definition.specials.*role.id = std::nullopt;
        definition.size = m_facts.vocabularySize;
        const std::optional<int> writtenFirst = languages() ? writtenLanguage(definition, m_settings) : std::nullopt;
        const auto tokenizer = std::make_shared<const PipelineTokenizer>(std::move(definition));
        requireFit(*tokenizer, m_facts.vocabularySize, m_folder.shown(files));
        return {tokenizer, tokenizer, files, writtenFirst};
    }

    Definition tokenizerJson() const {
        const std::string file = m_folder.shown("tokenizer.json");
        Definition definition = pipeline::definitionFromTokenizerJson(
            parseBoundedJson(m_folder.read("tokenizer.json", mostVocabularyBytes), file), file);
        for (const SpecialRole& role : specialRoles)
            if (const auto token = m_settings.special(role.name))
                if (const int id = idOfToken(definition, *token); id >= 0) definition.specials.*role.id = id;
        if (definition.normalizer.is_object() &&
            definition.normalizer.value("type", nlohmann::json()) == "BertNormalizer")
            definition.normalizer = bertNormalizer(definition.normalizer);
        // Their programs put the languages there anew; other classes take what the file says.
        const std::string name = m_settings.text("tokenizer_class").value_or("");
        const bool isOwnClass =
            name.starts_with("MBart") || name.starts_with("Nllb") || (name.empty() && m_facts.modelType == "m2m_100");
        if (const auto known = languages(); known && isOwnClass) readLanguage(definition, *known, m_settings);
        return definition;
    }

    /// tokenizer_config.json has the last word, as in Hugging Face's programs.
    nlohmann::json bertNormalizer(nlohmann::json normalizer) const {
        if (const auto lower = m_settings.flag("do_lower_case")) normalizer["lowercase"] = *lower;
        if (const auto strip = m_settings.flag("strip_accents")) normalizer["strip_accents"] = *strip;
        if (const auto part = m_settings.flag("tokenize_chinese_chars")) normalizer["handle_chinese_chars"] = *part;
        return normalizer;
    }

    Definition byteLevel() const {
        Definition definition;
        definition.file = m_folder.shown("vocab.json");
        definition.mergesFile = m_folder.shown("merges.txt");
        definition.tokens =
            pipeline::VocabularyReader(definition.file)
                .fromJson(parseBoundedJson(m_folder.read("vocab.json", mostVocabularyBytes), definition.file));
        definition.merges = mergesFromLines(m_folder.read("merges.txt", mostVocabularyBytes), definition.mergesFile);
        const bool isBart = m_facts.modelType == "bart" || m_facts.modelType == "roberta";
        const bool prefixesSpace = m_settings.flag("add_prefix_space").value_or(false);
        definition.preTokenizer = {{"type", "ByteLevel"}, {"add_prefix_space", prefixesSpace}, {"use_regex", true}};
        definition.decoder = {{"type", "ByteLevel"}};
        definition.model = {{"type", "BPE"}, {"unk_token", nullptr}};
        addSpecials(definition, m_settings, isBart ? bartNames : gpt2Names);
        if (isBart && definition.specials.cls && definition.specials.sep)
            definition.postProcessor = {{"type", "RobertaProcessing"},
                                        {"cls", pairOf(definition, *definition.specials.cls)},
                                        {"sep", pairOf(definition, *definition.specials.sep)}};
        else if (m_settings.flag("add_bos_token").value_or(false) && definition.specials.bos)
            definition.postProcessor = beginsWith(pairOf(definition, *definition.specials.bos));
        return definition;
    }

    /// How the languages of such a model are told; `behindPieces`: ids that are theirs.
    std::optional<LanguageTokens> languages(int behindPieces = 0) const {
        return languageTokens(m_facts.modelType, m_settings, behindPieces);
    }

    /// XLM-R's, CamemBERT's, mBART's, NLLB's.
    Definition fairseq() const {
        Definition definition = fairseqDefinition(m_folder, m_facts.modelType, m_settings, m_facts.vocabularySize);
        const std::optional<LanguageTokens> known = languages(static_cast<int>(definition.added.size()));
        addSpecials(definition, m_settings, bartNames);
        if (known)
            readLanguage(definition, *known, m_settings);
        else if (definition.specials.cls && definition.specials.sep)
            definition.postProcessor = {{"type", "RobertaProcessing"},
                                        {"cls", pairOf(definition, *definition.specials.cls)},
                                        {"sep", pairOf(definition, *definition.specials.sep)}};
        return definition;
    }

    /// A text behind one token: OPT's.
    static nlohmann::json beginsWith(const nlohmann::json& token) {
        const nlohmann::json& name = token[0];
        const nlohmann::json first = {{"SpecialToken", {{"id", name}, {"type_id", 0}}}};
        const auto sequence = [](const char* id) { return nlohmann::json{{"Sequence", {{"id", id}, {"type_id", 0}}}}; };
        return {{"type", "TemplateProcessing"},
                {"single", nlohmann::json::array({first, sequence("A")})},
                {"pair", nlohmann::json::array({first, sequence("A"), first, sequence("B")})},
                {"special_tokens",
                 {{name.get<std::string>(),
                   {{"id", name},
                    {"ids", nlohmann::json::array({token[1]})},
                    {"tokens", nlohmann::json::array({name})}}}}}};
    }

    Definition wordPiece() const {
        Definition definition;
        definition.file = m_folder.shown("vocab.txt");
        definition.tokens =
            pipeline::VocabularyReader(definition.file).fromLines(m_folder.read("vocab.txt", mostVocabularyBytes));
        definition.normalizer = bertNormalizer({{"type", "BertNormalizer"},
                                                {"clean_text", true},
                                                {"handle_chinese_chars", true},
                                                {"strip_accents", nullptr},
                                                {"lowercase", true}});
        definition.preTokenizer = {{"type", "BertPreTokenizer"}};
        definition.decoder = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
        addSpecials(definition, m_settings, bertNames);
        const SpecialTokens& specials = definition.specials;
        if (!specials.cls || !specials.sep || !specials.unk)
            throw Error(definition.file + " lacks [CLS], [SEP] or [UNK]: it is not the vocabulary of such a model");
        definition.model = {{"type", "WordPiece"},
                            {"unk_token", pairOf(definition, *specials.unk)[0]},
                            {"continuing_subword_prefix", "##"},
                            {"max_input_chars_per_word", 100}};
        definition.postProcessor = {{"type", "BertProcessing"},
                                    {"cls", pairOf(definition, *specials.cls)},
                                    {"sep", pairOf(definition, *specials.sep)}};
        return definition;
    }

    /// `["[SEP]", 102]`
    static nlohmann::json pairOf(const Definition& definition, int id) {
        const auto at = static_cast<std::size_t>(id);
        if (at < definition.tokens.size() && !definition.tokens[at].empty())
            return nlohmann::json::array({definition.tokens[at], id});
        return nlohmann::json::array({std::ranges::find(definition.added, id, &AddedToken::id)->content, id});
    }

    FolderTokenizers ids() const {
        const auto source = std::make_shared<const IdTokenizer>(m_facts.vocabularySize, m_facts.specials);
        if (m_facts.targetVocabularySize == 0 || m_facts.targetVocabularySize == m_facts.vocabularySize)
            return {source, source, ""};
        return {source, std::make_shared<const IdTokenizer>(m_facts.targetVocabularySize, m_facts.specials), ""};
    }

    const platform::Folder& m_folder;
    const TokenizerFacts& m_facts;
    TokenizerSettings m_settings;
};

}  // namespace

void requireFit(const Tokenizer& tokenizer, int modelSize, const std::string& files) {
    if (modelSize > 0 && tokenizer.vocabulary().size() > modelSize)
        throw Error(files + ": the tokenizer has " + std::to_string(tokenizer.vocabulary().size()) +
                    " tokens, and the model's vocabulary " + std::to_string(modelSize) +
                    ": the two do not belong together");
}

FolderTokenizers openTokenizers(const platform::Folder& folder, const TokenizerFacts& facts) {
    return FolderReader(folder, facts).read();
}

}  // namespace headlight
