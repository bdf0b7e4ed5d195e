// SPDX-License-Identifier: GPL-3.0-or-later
// Models whose texts end with one of several tokens, as chat models' do.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/decode/beam_search.h"
#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/export/hugging_face_folder.h"
#include "core/import/import_model.h"
#include "core/io/safetensors.h"
#include "core/models/language_model.h"
#include "core/models/seq2seq.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path importEndsGoldens = HEADLIGHT_SOURCE_DIR "/tests/golden/foreign";

nlohmann::json readObject(const fs::path& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

/// A golden folder whose configuration says more, and a generation_config.json beside it.
class Ended {
public:
    Ended(const std::string& model, const nlohmann::json& more, const nlohmann::json& generation = {}) {
        fs::copy(importEndsGoldens / model, path());
        nlohmann::json config = readObject(path() / "config.json");
        if (!more.is_null()) config.update(more);
        std::ofstream(path() / "config.json") << config;
        if (!generation.is_null()) std::ofstream(path() / "generation_config.json") << generation;
    }
    fs::path path() const { return fs::path(m_folder.path().toStdString()) / "model"; }
    TrainedModel open() const { return openModel(path().string()); }

private:
    QTemporaryDir m_folder;
};

std::vector<int> idsIn(const std::string& model, const std::string& name) {
    const auto file = safetensors::File::read((importEndsGoldens / (model + ".expected.safetensors")).string());
    std::vector<int> ids;
    for (const int64_t id : file.integers(name))
        ids.push_back(static_cast<int>(id));
    return ids;
}

std::vector<int> continuation(const TrainedModel& model) {
    return generate(model.languageModel(), idsIn("llama", "ids"), 8, {.temperature = 0}).words;
}

}  // namespace

class TestImportEnds : public QObject {
    Q_OBJECT
private slots:
    void aTextEndsAtAnyOfThem();
    void theEndsOfBothFilesCount();
    void aTranslationEndsAtAnyOfThem();
    void theyAreKeptAndWrittenBack();
    void whatIsNoListOfIdsIsRefused();
};

void TestImportEnds::aTextEndsAtAnyOfThem() {
    const std::vector<int> whole = idsIn("llama", "continuation");
    const int third = whole[2];
    QVERIFY(std::ranges::find(whole, third) == whole.begin() + 2);
    const TrainedModel model = Ended("llama", {{"eos_token_id", {2, third}}}).open();
    QCOMPARE(model.network->config().eosId, 2);
    QCOMPARE(model.network->config().moreEndIds, std::vector<int>{third});
    const GeneratedText text = generate(model.languageModel(), idsIn("llama", "ids"), 8, {.temperature = 0});
    QCOMPARE(text.words, std::vector<int>(whole.begin(), whole.begin() + 3));
    QVERIFY(text.finished);
}

void TestImportEnds::theEndsOfBothFilesCount() {
    const std::vector<int> whole = idsIn("llama", "continuation"), cut(whole.begin(), whole.begin() + 3);
    const int third = whole[2];
    for (const nlohmann::json& generation :
         {nlohmann::json{{"eos_token_id", third}}, nlohmann::json{{"eos_token_id", {2, 5, third}}}})
        QCOMPARE(continuation(Ended("llama", {}, generation).open()), cut);
    // A file that says nothing of it, and an id that no word has, change nothing.
    QCOMPARE(continuation(Ended("llama", {}, {{"do_sample", true}}).open()), whole);
    const TrainedModel beyond = Ended("llama", {}, {{"eos_token_id", {2, 44, 128009}}}).open();
    QVERIFY(beyond.network->config().moreEndIds.empty());
    // Where config.json has none the second file's first is the first.
    const Ended second("llama", {{"eos_token_id", nullptr}}, {{"eos_token_id", {7, 9}}, {"pad_token_id", 3}});
    QCOMPARE(second.open().network->config().eosId, 7);
    QCOMPARE(second.open().network->config().moreEndIds, std::vector<int>{9});
    QCOMPARE(second.open().network->config().padId, 3);
}

void TestImportEnds::aTranslationEndsAtAnyOfThem() {
    const auto search = [](const TrainedModel& model) {
        const std::vector<std::vector<int>> sources{idsIn("bart", "source.ids")};
        return beamSearch(model.seq2seq(), sources, {.beam = 4, .nBest = 4, .maxLength = 12, .threads = 1}).front();
    };
    const TrainedModel plain = Ended("bart", {}).open();
    const int second = search(plain).front().tokens.at(1);
    const TrainedModel model = Ended("bart", {{"eos_token_id", {plain.network->config().eosId, second}}}).open();
    bool ended = false;
    for (const Hypothesis& hypothesis : search(model)) {
        const auto found = std::ranges::find(hypothesis.tokens, second);
        QVERIFY(found == hypothesis.tokens.end() || found + 1 == hypothesis.tokens.end());
        ended = ended || (found != hypothesis.tokens.end() && hypothesis.finished);
    }
    QVERIFY(ended);
}

void TestImportEnds::theyAreKeptAndWrittenBack() {
    QTemporaryDir folder;
    const std::string saved = folder.filePath("saved").toStdString(), out = folder.filePath("out").toStdString();
    for (const char* kind : {"llama", "gpt2_by_layer", "t5"}) {
        const Ended several(kind, {{"eos_token_id", {2, 5}}}, {{"eos_token_id", {2, 9}}});
        saveModel(several.open(), saved);
        const TrainedModel model = openModel(saved);
        QCOMPARE(model.network->config().moreEndIds, (std::vector<int>{5, 9}));
        fs::remove_all(out);
        writeHuggingFaceFolder(model, out);
        QCOMPARE(readObject(fs::path(out) / "config.json")["eos_token_id"], (nlohmann::json{2, 5, 9}));
        QVERIFY(openModel(out).network->config() == model.network->config());
    }
}

void TestImportEnds::whatIsNoListOfIdsIsRefused() {
    for (const nlohmann::json& wrong : {nlohmann::json{2, "x"}, nlohmann::json{2, -1}, nlohmann::json("2")}) {
        QByteArray refusal;
        try {
            Ended("llama", {}, {{"eos_token_id", wrong}}).open();
        } catch (const Error& error) {
            refusal = error.what();
        }
        QVERIFY2(refusal.contains("generation_config.json") && refusal.contains("eos_token_id"), refusal);
    }
}

QTEST_APPLESS_MAIN(TestImportEnds)
#include "test_import_ends.moc"
