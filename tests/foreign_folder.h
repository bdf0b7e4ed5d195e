// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/io/safetensors.h"
#include "core/tensor/random.h"

namespace headlight::fixture {

/// The folders of Hugging Face's kinds in tests/golden/foreign.
inline constexpr const char* huggingFaceGoldens[] = {"gpt2",
                                                     "gpt2_by_layer",
                                                     "gpt2_settings",
                                                     "nanogpt",
                                                     "bert",
                                                     "bert_settings",
                                                     "bert_classifier",
                                                     "bert_model",
                                                     "electra",
                                                     "electra_generator",
                                                     "electra_classifier",
                                                     "distilbert_classifier",
                                                     "distilbert_model",
                                                     "distilbert",
                                                     "distilbert_settings",
                                                     "marian",
                                                     "marian_two_vocabularies",
                                                     "marian_settings",
                                                     "bart",
                                                     "bart_settings",
                                                     "t5",
                                                     "flan_t5",
                                                     "t5_settings",
                                                     "llama",
                                                     "llama_settings",
                                                     "llama_scaled",
                                                     "llama_linear",
                                                     "mistral",
                                                     "qwen2",
                                                     "qwen3",
                                                     "phi3",
                                                     "gemma",
                                                     "gemma2",
                                                     "gemma3",
                                                     "gemma3_newer",
                                                     "gpt_neox",
                                                     "gpt_neox_settings",
                                                     "gpt_neo",
                                                     "gpt_neo_local",
                                                     "opt",
                                                     "opt_norms_behind",
                                                     "phi",
                                                     "phi_one_head",
                                                     "roberta",
                                                     "roberta_classifier",
                                                     "xlm_roberta_model",
                                                     "camembert",
                                                     "nllb",
                                                     "nllb_settings",
                                                     "modernbert",
                                                     "modernbert_classifier",
                                                     "modernbert_model",
                                                     "mbart",
                                                     "mbart_50"};

/// A model of tests/golden/foreign with one of the tokenizers of tests/golden/tokenizers, for which it gets rows.
struct ForeignWithWords {
    const char* model;
    const char* tokenizer;
    int words;            ///< of the tokenizer
    QJsonObject changed;  ///< of config.json
    const char* text;     ///< what it is asked
};

inline const std::vector<ForeignWithWords>& foreignWithWords() {
    static const std::vector<ForeignWithWords> all{
        {"gpt2_by_layer",
         "gpt2",
         1457,
         {{"bos_token_id", 1456}, {"eos_token_id", 1456}},
         "Tiếng Việt: 10 words 🙂"},
        {"gpt2_by_layer", "gpt2-json", 1457, {{"bos_token_id", 1456}, {"eos_token_id", 1456}}, "He walks home"},
        {"bert", "bert", 1482, {}, "The [MASK] is big."},
        {"distilbert", "bert-cased-json", 1674, {}, "Hà Nội is [MASK]."},
        {"marian",
         "marian",
         738,
         {{"decoder_start_token_id", 737},
          {"pad_token_id", 737},
          {"bad_words_ids", QJsonArray{QJsonArray{737}}},
          {"decoder_vocab_size", 738}},
         ">>vie<< I see the dog"},
        {"t5", "t5", 780, {}, "I see the dog"},
        {"flan_t5", "t5", 780, {}, "I see the dog"},
        {"llama", "llama", 900, {}, "I see the dog"},
        {"llama", "llama-json", 1509, {}, "tôi học"}};
    return all;
}

inline const ForeignWithWords& foreignWithWords(const char* model) {
    return *std::ranges::find(foreignWithWords(), std::string_view(model),
                              [](const ForeignWithWords& row) { return std::string_view(row.model); });
}

/// Writes such a folder. Its weights are the golden ones where there are any, and small random ones behind them.
inline void writeForeign(const ForeignWithWords& wanted, const std::filesystem::path& folder, int words) {
    namespace fs = std::filesystem;
    const fs::path goldens = HEADLIGHT_SOURCE_DIR "/tests/golden";
    const fs::path model = goldens / "foreign" / wanted.model;
    fs::create_directories(folder);
    QFile config(QString::fromStdString((model / "config.json").string()));
    if (!config.open(QIODevice::ReadOnly)) qFatal("no config.json");
    QJsonObject json = QJsonDocument::fromJson(config.readAll()).object();
    const int before = json["vocab_size"].toInt();
    json["vocab_size"] = words;
    for (auto it = wanted.changed.begin(); it != wanted.changed.end(); ++it)
        json[it.key()] = it.value();
    QFile written(QString::fromStdString((folder / "config.json").string()));
    if (!written.open(QIODevice::WriteOnly)) qFatal("cannot write config.json");
    written.write(QJsonDocument(json).toJson());

    const auto old = safetensors::File::read((model / "model.safetensors").string());
    std::vector<std::vector<float>> kept;  // the writer reads them as it writes
    kept.reserve(old.entries().size());
    safetensors::Writer writer;
    for (const auto& [name, entry] : old.entries()) {
        std::vector<int64_t> shape = entry.shape;
        size_t size = 1;
        for (int64_t& side : shape) {
            if (side == before) side = words;
            size *= static_cast<size_t>(side);
        }
        std::vector<float>& values = kept.emplace_back(old.floats(name));
        Random random(13);  // for each the same: copies of one matrix stay copies
        while (values.size() < size)
            values.push_back(static_cast<float>(random.uniform() - 0.5));
        writer.add(name, shape, std::span<const float>(values));
    }
    writer.write((folder / "model.safetensors").string());
    for (const auto& file : fs::directory_iterator(goldens / "tokenizers" / wanted.tokenizer))
        fs::copy_file(file.path(), folder / file.path().filename(), fs::copy_options::overwrite_existing);
}

inline void writeForeign(const ForeignWithWords& wanted, const std::filesystem::path& folder) {
    writeForeign(wanted, folder, wanted.words);
}

}  // namespace headlight::fixture
