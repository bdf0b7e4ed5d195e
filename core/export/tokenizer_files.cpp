// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/tokenizer_files.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "core/text/base64.h"
#include "core/text/id_tokenizer.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/special_tokens.h"

namespace headlight {

namespace {

constexpr const char* settingsFile = "tokenizer_config.json";

std::string text(const nlohmann::json& json) {
    return jsonText(json, 1) + "\n";
}

/// `{"eos_token": "</s>", …}`
nlohmann::json namedSpecials(const Tokenizer& tokenizer) {
    nlohmann::json json = nlohmann::json::object();
    for (const SpecialRole& role : specialRoles)
        if (const std::optional<int> id = tokenizer.specials().*role.id)
            json[std::string(role.name) + "_token"] = tokenizer.vocabulary().token(*id);
    return json;
}

void writePipeline(const Tokenizer& tokenizer, const nlohmann::json& json, const NewFolder& folder) {
    folder.write("tokenizer.json", text(json.at("tokenizer")));
    nlohmann::json settings = namedSpecials(tokenizer);
    settings["tokenizer_class"] = "PreTrainedTokenizerFast";
    folder.write(settingsFile, text(settings));
}

void writeModel(const nlohmann::json& json, const char* name, const NewFolder& folder) {
    folder.write(name, fromBase64(json.at("model").get_ref<const std::string&>()).value_or(""));
}

/// Marian's: the pieces of each side by its own model, their ids in a file.
void writeMarian(const TrainedModel& model, const NewFolder& folder) {
    const nlohmann::json source = model.source->toJson(), target = model.target->toJson();
    const auto ids = [](const nlohmann::json& side) {
        nlohmann::json json = nlohmann::json::object();
        for (const nlohmann::json& token : side.at("tokens"))
            json[token.get<std::string>()] = json.size();
        return json;
    };
    writeModel(source, "source.spm", folder);
    writeModel(target, "target.spm", folder);
    folder.write("vocab.json", text(ids(source)));
    const bool two = source.at("tokens") != target.at("tokens");
    if (two) folder.write("target_vocab.json", text(ids(target)));
    nlohmann::json settings = namedSpecials(*model.source);
    settings["tokenizer_class"] = "MarianTokenizer";
    settings["separate_vocabs"] = two;
    folder.write(settingsFile, text(settings));
}

void writeSentencePiece(const Tokenizer& tokenizer, const nlohmann::json& json, bool t5, const NewFolder& folder) {
    writeModel(json, t5 ? "spiece.model" : "tokenizer.model", folder);
    nlohmann::json settings = namedSpecials(tokenizer);
    settings["tokenizer_class"] = t5 ? "T5Tokenizer" : "LlamaTokenizer";
    settings["add_bos_token"] = !json.at("before").empty();
    settings["add_eos_token"] = !json.at("after").empty();
    int extra = 0;
    nlohmann::json& added = settings["added_tokens_decoder"] = nlohmann::json::object();
    for (nlohmann::json token : json.at("added")) {
        extra += token.at("content").get_ref<const std::string&>().starts_with("<extra_id_");
        const std::string id = jsonText(token.at("id"));
        token.erase("id");
        added[id] = std::move(token);
    }
    if (t5) settings["extra_ids"] = extra;
    folder.write(settingsFile, text(settings));
}

}  // namespace

std::string writeTokenizerFiles(const TrainedModel& model, const std::string& kind, const NewFolder& folder) {
    const nlohmann::json json = model.source->toJson();
    const std::string form = json.at("kind");
    if (form == PipelineTokenizer::kindName)
        writePipeline(*model.source, json, folder);
    else if (form == SentencePieceTokenizer::kindName && kind == "marian")
        writeMarian(model, folder);
    else if (form == SentencePieceTokenizer::kindName)
        writeSentencePiece(*model.source, json, kind == "t5", folder);
    else if (form != IdTokenizer::kindName)
        return "the tokenizer (" + form +
               ") is Headlight's own, which other programs do not have: the folder holds none, and is read with ids";
    return "";
}

}  // namespace headlight
