// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs' models against what PyTorch computes with them: tests/golden/foreign/*.py made the folders and the
// expectations. And folders that a stranger made worse.
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/data/evaluation.h"
#include "core/data/translate.h"
#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/import/import_model.h"
#include "core/io/safetensors.h"
#include "core/models/classifier.h"
#include "core/models/language_model.h"
#include "core/models/seq2seq.h"
#include "tests/foreign_folder.h"
#include "tests/thread_time.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

constexpr double importModelTolerance = 1e-4;
const fs::path goldens = HEADLIGHT_SOURCE_DIR "/tests/golden/foreign";

safetensors::File expectation(const QString& name) {
    return safetensors::File::read((goldens / (name.toStdString() + ".expected.safetensors")).string());
}

/// A folder, or a file with its JSON beside it.
std::string modelPath(const QString& name) {
    const fs::path folder = goldens / name.toStdString();
    return fs::exists(folder) ? folder.string() : folder.string() + ".safetensors";
}

std::vector<int> idsOf(const safetensors::File& file, const std::string& name) {
    std::vector<int> ids;
    for (const int64_t id : file.integers(name))
        ids.push_back(static_cast<int>(id));
    return ids;
}

std::string joined(const std::vector<int>& ids) {
    std::string text;
    for (const int id : ids)
        text += (text.empty() ? "" : " ") + std::to_string(id);
    return text;
}

double largestDifference(std::span<const float> found, std::span<const float> expected) {
    if (found.size() != expected.size()) return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        const double error = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
        worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
    }
    return worst;
}

/// Ids as text: exactly what stands in the expectation; the decoder reads its start token by itself.
Trace traceOf(const TrainedModel& model, const safetensors::File& expected) {
    if (!expected.contains("source.ids")) return traceSentence(model, joined(idsOf(expected, "ids")));
    std::vector<int> target = idsOf(expected, "target.ids");
    target.erase(target.begin());
    return traceSentence(model, joined(idsOf(expected, "source.ids")), joined(target));
}

void models() {
    QTest::addColumn<QString>("name");
    for (const char* name : fixture::huggingFaceGoldens)
        QTest::newRow(name) << QString(name);
    for (const char* name : {"pytorch_transformer", "pytorch_lstm", "pytorch_gru"})
        QTest::newRow(name) << QString(name);
}

using Json = QJsonObject;
struct Values {
    std::vector<int64_t> shape;
    std::vector<float> numbers;
};
using Tensors = std::map<std::string, Values>;

/// A folder of its own with GPT-2 in it, to be made worse.
class Hostile {
public:
    explicit Hostile(const std::string& model = "gpt2_by_layer") {
        for (const char* file : {"config.json", "model.safetensors"})
            fs::copy_file(goldens / model / file, path() / file);
    }
    fs::path path() const { return m_folder.path().toStdString(); }

    void write(const char* name, const QByteArray& bytes) const {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    void editConfig(const std::function<void(Json&)>& edit) const {
        QFile file(m_folder.filePath("config.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        Json json = QJsonDocument::fromJson(file.readAll()).object();
        edit(json);
        write("config.json", QJsonDocument(json).toJson());
    }
    void editTensors(const std::function<void(Tensors&)>& edit) const {
        const std::string file = (path() / "model.safetensors").string();
        Tensors tensors;
        {
            const auto old = safetensors::File::read(file);
            for (const auto& [name, entry] : old.entries())
                tensors[name] = {entry.shape, old.floats(name)};
        }
        edit(tensors);
        safetensors::Writer writer;
        for (const auto& [name, values] : tensors)
            writer.add(name, values.shape, std::span<const float>(values.numbers));
        writer.write(file);
    }
    /// What is said of it; empty where it opens.
    std::string refusal(const char* file = "") const {
        try {
            openModel(*file ? (path() / file).string() : path().string());
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    }

private:
    QTemporaryDir m_folder;
};

using Edit = std::function<void(const Hostile&)>;

Edit config(const char* key, const QJsonValue& value) {
    return [=](const Hostile& model) { model.editConfig([&](Json& json) { json[key] = value; }); };
}

Edit index(const char* file) {
    return [=](const Hostile& model) {
        fs::rename(model.path() / "model.safetensors", model.path() / "part.safetensors");
        model.write("model.safetensors.index.json", R"({"weight_map": {"wte.weight": ")" + QByteArray(file) + R"("}})");
    };
}

}  // namespace

Q_DECLARE_METATYPE(Edit)

class TestImportModel : public QObject {
    Q_OBJECT
private slots:
    void everyHeadLooksWherePyTorchsDoes_data() { models(); }
    void everyHeadLooksWherePyTorchsDoes();
    void aBeamOfFourFindsThePlainSearchsSentences_data();
    void aBeamOfFourFindsThePlainSearchsSentences();
    void aTextGoesOnAsPyTorchDoesWithoutACache_data();
    void aTextGoesOnAsPyTorchDoesWithoutACache();
    void importedAndSavedItIsTheSameToTheBit_data() { models(); }
    void importedAndSavedItIsTheSameToTheBit();
    void placesThatAreCountedInTheFileAreNoWeights_data();
    void placesThatAreCountedInTheFileAreNoWeights();
    void aVocabularyOfAnySizeOpens_data();
    void aVocabularyOfAnySizeOpens();
    void aClassifierNamesItsLabels();
    void aModelWithoutAHeadSaysSo();
    void electraTellsReplacedWordsAndItsOtherHeadsAreRefused();
    void theLanguageThatIsWrittenComesFirst();
    void theCardIsReadWithoutTheWeights();
    void aFileInTheFolderOpensTheFolder();
    void whatDecodingAsksForMayStandInAFileOfItsOwn();
    void whatItsSearchKeepsToBesidesIsTold();
    void whatAStrangerMadeWorseIsRefusedInOneLine_data();
    void whatAStrangerMadeWorseIsRefusedInOneLine();
    void aConfigurationForATrillionWeightsTakesNoMemoryAndEndsWithinItsDeadline();
    void idsThatTheModelDoesNotHaveAreRefused();
    void nothingOfAPickleIsRead();
};

void TestImportModel::everyHeadLooksWherePyTorchsDoes() {
    QFETCH(QString, name);
    const safetensors::File expected = expectation(name);
    const TrainedModel model = openModel(modelPath(name));
    const Trace trace = traceOf(model, expected);
    size_t heads = 0;
    for (const auto& [key, entry] : expected.entries()) {
        if (key.starts_with("beam.") || key == "continuation") continue;
        const TraceRecord* record = trace.find(key);
        QVERIFY2(record, qPrintable(QString::fromStdString(key + " is not traced")));
        QCOMPARE(std::vector<int64_t>(record->shape.begin(), record->shape.end()), entry.shape);
        const double worst = largestDifference(record->values, expected.floats(key));
        QVERIFY2(worst < importModelTolerance,
                 qPrintable(QString("%1 differs by %2").arg(QString::fromStdString(key)).arg(worst)));
        heads += key.ends_with(".weights");
    }
    QCOMPARE(heads, model.network->attentionBlocks().size() * !name.startsWith("pytorch"));
}

void TestImportModel::aBeamOfFourFindsThePlainSearchsSentences_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"marian", "marian_two_vocabularies", "marian_settings", "bart", "bart_settings", "mbart",
                             "mbart_50", "nllb", "nllb_settings", "t5", "flan_t5", "t5_settings"})
        QTest::newRow(name) << QString(name);
}

void TestImportModel::aBeamOfFourFindsThePlainSearchsSentences() {
    QFETCH(QString, name);
    const safetensors::File expected = expectation(name);
    const TrainedModel model = openModel(modelPath(name));
    const std::vector<std::vector<int>> sources{idsOf(expected, "source.ids")};
    const auto found =
        beamSearch(model.seq2seq(), sources, {.beam = 4, .nBest = 4, .maxLength = 12, .threads = 1}).front();
    const std::vector<int> tokens = idsOf(expected, "beam.tokens");
    const std::vector<float> logProbs = expected.floats("beam.log_probs");
    QCOMPARE(found.size(), logProbs.size());
    const size_t width = tokens.size() / logProbs.size();
    for (size_t i = 0; i < found.size(); ++i) {
        std::vector<int> row(tokens.begin() + static_cast<std::ptrdiff_t>(i * width),
                             tokens.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        std::erase(row, -1);
        QCOMPARE(found[i].tokens, row);
        QVERIFY(std::abs(found[i].logProb - static_cast<double>(logProbs[i])) < 1e-3);
    }
}

void TestImportModel::aTextGoesOnAsPyTorchDoesWithoutACache_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : fixture::huggingFaceGoldens)
        if (expectation(name).contains("continuation")) QTest::newRow(name) << QString(name);
}

void TestImportModel::aTextGoesOnAsPyTorchDoesWithoutACache() {
    QFETCH(QString, name);
    const safetensors::File expected = expectation(name);
    const TrainedModel model = openModel(modelPath(name));
    const ModelConfig& config = model.network->config();
    // PyTorch wrote on behind an end, and what this program never writes; as far as that the two are one.
    std::vector<int> wanted = idsOf(expected, "continuation");
    const std::vector<int> never = neverWritten(config);
    const auto first = std::ranges::find_if(
        wanted, [&](int word) { return std::ranges::find(never, word) != never.end() || config.ends(word); });
    wanted.erase(first == wanted.end() ? first : first + (config.ends(*first) ? 1 : 0), wanted.end());
    QVERIFY(!wanted.empty());
    const GeneratedText text =
        generate(model.languageModel(), idsOf(expected, "ids"), static_cast<int>(wanted.size()), {.temperature = 0});
    QCOMPARE(text.words, wanted);
}

void TestImportModel::importedAndSavedItIsTheSameToTheBit() {
    QFETCH(QString, name);
    QTemporaryDir folder;
    const std::string file = folder.filePath("model.safetensors").toStdString();
    const TrainedModel model = openModel(modelPath(name));
    saveModel(model, file);
    const TrainedModel again = openModel(file);
    QVERIFY(again.network->config() == model.network->config());
    const auto flat = [](const TrainedModel& of) { return std::as_const(*of.network).parameters().flat(); };
    QCOMPARE(std::vector<float>(flat(again).begin(), flat(again).end()),
             std::vector<float>(flat(model).begin(), flat(model).end()));
    QCOMPARE(again.source->vocabulary().tokens(), model.source->vocabulary().tokens());
    QVERIFY(again.training.json().contains("imported"));
}

/// Older files of these kinds hold 0, 1, 2, … as a tensor beside the embeddings.
void TestImportModel::placesThatAreCountedInTheFileAreNoWeights_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("counted");
    QTest::newRow("bert") << "bert"
                          << "bert.embeddings.position_ids";
    QTest::newRow("bert_classifier") << "bert_classifier"
                                     << "bert.embeddings.position_ids";
    QTest::newRow("roberta") << "roberta"
                             << "roberta.embeddings.position_ids";
    QTest::newRow("distilbert") << "distilbert"
                                << "distilbert.embeddings.position_ids";
    QTest::newRow("distilbert_classifier") << "distilbert_classifier"
                                           << "distilbert.embeddings.position_ids";
    QTest::newRow("distilbert_model") << "distilbert_model"
                                      << "embeddings.position_ids";
}

void TestImportModel::placesThatAreCountedInTheFileAreNoWeights() {
    QFETCH(QString, name);
    QFETCH(QString, counted);
    const Hostile plain(name.toStdString()), older(name.toStdString());
    plain.editTensors([&](Tensors& tensors) { tensors.erase(counted.toStdString()); });
    older.editTensors([&](Tensors& tensors) { tensors[counted.toStdString()] = {{1, 4}, {0, 1, 2, 3}}; });
    const TrainedModel one = openModel(plain.path().string()), other = openModel(older.path().string());
    const auto flat = [](const TrainedModel& of) { return std::as_const(*of.network).parameters().flat(); };
    QVERIFY(one.network->config() == other.network->config());
    QVERIFY(std::ranges::equal(flat(one), flat(other)));
    // A tensor that is no count is a weight that the model would lack.
    older.editTensors([&](Tensors& tensors) { tensors[counted.toStdString() + "_more"] = {{1}, {0}}; });
    QVERIFY(older.refusal().find(counted.toStdString() + "_more") != std::string::npos);
}

void TestImportModel::aVocabularyOfAnySizeOpens_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("size");
    for (const char* name : {"gpt2_by_layer", "llama", "bert", "distilbert", "bart", "t5", "marian", "gemma2",
                             "electra_generator", "nllb", "modernbert", "gpt_neox", "opt", "phi", "phi3", "gpt_neo"})
        for (const int size : {1, 2, 3})
            // Marian's pad is its last word, and is never written: of one word none would be left.
            if (size > 1 || QString(name) != "marian") QTest::addRow("%s, %d", name, size) << QString(name) << size;
}

void TestImportModel::aVocabularyOfAnySizeOpens() {
    QFETCH(QString, name);
    QFETCH(int, size);
    const Hostile small(name.toStdString());
    int words = 0;
    small.editConfig([&](Json& json) {
        words = json["vocab_size"].toInt();
        for (const QString& key : json.keys())
            if (key.endsWith("_token_id") || key == "bad_words_ids") json.remove(key);
        json["vocab_size"] = size;
        if (json.contains("decoder_vocab_size")) json["decoder_vocab_size"] = size;
    });
    small.editTensors([&](Tensors& tensors) {
        for (auto& [tensor, values] : tensors) {
            if (values.shape.empty()) continue;
            // Rows are words, or columns are.
            if (values.shape.front() == words) {
                values.numbers.resize(values.numbers.size() / static_cast<size_t>(words) * static_cast<size_t>(size));
                values.shape.front() = size;
            } else if (values.shape.size() == 2 && values.shape.front() == 1 && values.shape.back() == words) {
                values.numbers.resize(static_cast<size_t>(size));
                values.shape.back() = size;
            }
        }
    });
    const TrainedModel model = openModel(small.path().string());
    const ModelConfig& config = model.network->config();
    QCOMPARE(config.targetVocabSize, size);
    const Trace trace = traceSentence(model, "0 0");
    QCOMPARE(trace.at("logits").shape.back(), size);
    for (const float logit : trace.at("logits").values)
        QVERIFY(std::isfinite(logit));
    const std::string saved = (small.path() / "saved").string();
    saveModel(model, saved);
    QCOMPARE(openModel(saved).network->config(), config);
    if (config.continuesTexts()) {
        const GeneratedText more = generate(model.languageModel(), std::vector<int>{0}, 4, {.temperature = 0});
        for (const int word : more.words)
            QVERIFY(word >= 0 && word < size);
    } else if (config.encoderDecoder()) {
        QVERIFY(!translate(model, {"0 0"}).front().hypotheses.empty());
    }
}

void TestImportModel::aClassifierNamesItsLabels() {
    const TrainedModel model = openModel(modelPath("bert_classifier"));
    QCOMPARE(model.network->config().architecture, std::string("encoder-classifier"));
    QCOMPARE(model.classifier().labels(), 3);
    QCOMPARE(model.target->vocabulary().token(model.classifier().firstLabel()), std::string("very_negative"));
    const safetensors::File expected = expectation("bert_classifier");
    const std::vector<float> logits = expected.floats("logits");
    const auto likeliest = std::ranges::max_element(logits) - logits.begin();
    const std::vector<std::string> names{"very_negative", "negative", "positive"};
    QCOMPARE(respond(model, joined(idsOf(expected, "ids"))).text, names[static_cast<size_t>(likeliest)]);
    const TrainedModel unnamed = openModel(modelPath("distilbert_classifier"));
    QCOMPARE(unnamed.target->vocabulary().token(unnamed.classifier().firstLabel() + 1), std::string("LABEL_1"));
}

void TestImportModel::aModelWithoutAHeadSaysSo() {
    const TrainedModel model = openModel(modelPath("bert_model"));
    QVERIFY(model.network->config().headless());
    QVERIFY(respond(model, "5 9 11").text.empty());
    const Corpus sentences{{"", "5 9 11"}};
    try {
        encode(sentences, model, Purpose::Evaluation);
        QFAIL("there is nothing to evaluate");
    } catch (const Error& error) {
        QVERIFY2(std::string(error.what()).starts_with("this model has no head"), error.what());
    }
    QVERIFY_EXCEPTION_THROWN(model.classifier(), Error);
    QVERIFY_EXCEPTION_THROWN(model.languageModel(), Error);
}

void TestImportModel::electraTellsReplacedWordsAndItsOtherHeadsAreRefused() {
    const TrainedModel model = openModel(modelPath("electra"));
    QVERIFY(model.network->config().headless() && model.network->config().findsReplaced);
    // As its own program tells it: a word above zero was put in another's place.
    const Trace trace = traceSentence(model, "5 9 11 3");
    QCOMPARE(trace.at("replaced").shape, (std::vector<int>{4, 1}));
    const Hostile alone("electra"), headed("electra");
    alone.editTensors([](Tensors& tensors) {
        std::erase_if(tensors, [](const auto& each) { return each.first.starts_with("discriminator_"); });
    });
    QVERIFY(!openModel(alone.path().string()).network->config().findsReplaced);
    headed.editTensors([](Tensors& tensors) { tensors["qa_outputs.weight"] = {{2, 16}, std::vector<float>(32, 1.F)}; });
    QVERIFY2(headed.refusal().find("qa_outputs.weight") != std::string::npos, headed.refusal().c_str());
    // Without its size the words are 128 wide, as its own program takes it.
    const Hostile small("electra");
    small.editConfig([](Json& json) { json.remove("embedding_size"); });
    QVERIFY2(small.refusal().find("belong together") != std::string::npos, small.refusal().c_str());
}

/// Where no configuration says it, the tokenizer does.
void TestImportModel::theLanguageThatIsWrittenComesFirst() {
    const Hostile model("nllb_settings");
    QCOMPARE(openModel(model.path().string()).network->config().forcedFirstId, -1);
    Json tokens, added;
    for (int id = 0; id < 53; ++id)
        tokens[id == 2 ? "</s>" : id == 3 ? "<unk>" : id == 50 ? "fra_Latn" : QString("t%1").arg(id)] = id;
    const Json french{{"id", 50}, {"content", "fra_Latn"}, {"special", true}};
    model.write("tokenizer.json",
                QJsonDocument(Json{{"version", "1.0"},
                                   {"added_tokens", QJsonArray{french}},
                                   {"model", Json{{"type", "WordLevel"}, {"unk_token", "<unk>"}, {"vocab", tokens}}}})
                    .toJson());
    model.write("tokenizer_config.json", R"({"tokenizer_class": "NllbTokenizer", "tgt_lang": "fra_Latn"})");
    QCOMPARE(openModel(model.path().string()).network->config().forcedFirstId, 50);
    model.editConfig([](Json& json) { json["forced_bos_token_id"] = 7; });
    QCOMPARE(openModel(model.path().string()).network->config().forcedFirstId, 7);
    model.editConfig([](Json& json) {
        json["forced_bos_token_id"] = QJsonValue::Null;
        json["decoder_start_token_id"] = 50;
    });
    QCOMPARE(openModel(model.path().string()).network->config().forcedFirstId, -1);
}

void TestImportModel::theCardIsReadWithoutTheWeights() {
    const ModelCard card = readCardOf(modelPath("llama"));
    QCOMPARE(card.config.numKvHeads, 2);
    QVERIFY(card.config == openModel(modelPath("llama")).network->config());
}

void TestImportModel::aFileInTheFolderOpensTheFolder() {
    const ModelConfig wanted = openModel(modelPath("t5")).network->config();
    for (const char* file : {"config.json", "model.safetensors"})
        QVERIFY(openModel(modelPath("t5") + "/" + file).network->config() == wanted);
    QVERIFY(openModel(modelPath("gpt2") + "/model.safetensors.index.json").network->config().numLayers == 2);
}

void TestImportModel::whatDecodingAsksForMayStandInAFileOfItsOwn() {
    QTemporaryDir folder;
    const fs::path copy = folder.filePath("bart").toStdString();
    fs::copy(goldens / "bart", copy);
    QCOMPARE(openModel(copy.string()).network->config().forcedFirstId, -1);
    QFile file(folder.filePath("bart/generation_config.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"forced_bos_token_id": 7, "eos_token_id": 9})");
    file.close();
    const ModelConfig config = openModel(copy.string()).network->config();
    QCOMPARE(config.forcedFirstId, 7);
    QCOMPARE(config.eosId, 2);  // config.json has one: a text ends at either
    QCOMPARE(config.moreEndIds, std::vector<int>{9});
}

void TestImportModel::whatItsSearchKeepsToBesidesIsTold() {
    QTemporaryDir folder;
    const fs::path copy = folder.filePath("bart").toStdString();
    fs::copy(goldens / "bart", copy);
    QVERIFY(searchLeftOut(openModel(copy.string())).empty());
    QFile file(folder.filePath("bart/generation_config.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"no_repeat_ngram_size": 3, "min_length": 56, "repetition_penalty": 1.0, "diversity_penalty": 0.5,
                   "num_beam_groups": "many", "bad_words_ids": [[4], [5, 6]]})");
    file.close();
    const std::vector<std::string> wanted{"no_repeat_ngram_size 3", "min_length 56", "diversity_penalty 0.5",
                                          "bad_words_ids of several tokens"};
    QCOMPARE(searchLeftOut(openModel(copy.string())), wanted);
}

void TestImportModel::whatAStrangerMadeWorseIsRefusedInOneLine_data() {
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const Edit& edit, const char* says) {
        QTest::newRow(name) << edit << QByteArray(says);
    };
    const auto file = [](const char* name, const QByteArray& bytes) -> Edit {
        return [=](const Hostile& model) { model.write(name, bytes); };
    };
    const auto tensors = [](const std::function<void(Tensors&)>& edit) -> Edit {
        return [=](const Hostile& model) { model.editTensors(edit); };
    };
    const auto link = [](const char* name) -> Edit {
        return [=](const Hostile& model) {
            fs::remove(model.path() / name);
            fs::create_symlink(goldens / "gpt2_by_layer" / name, model.path() / name);
        };
    };
    row(
        "no configuration", [](const Hostile& model) { fs::remove(model.path() / "config.json"); }, "no config.json");
    row(
        "no weights", [](const Hostile& model) { fs::remove(model.path() / "model.safetensors"); },
        "neither model.safetensors nor");
    row("config: no JSON", file("config.json", "{"), "config.json");
    row("config: a list", file("config.json", "[]"), "not a JSON object");
    row("config: deep", file("config.json", QByteArray(100000, '[')), "config.json");
    row("config: a key twice", file("config.json", R"({"n_embd": 16, "n_embd": 8})"), "n_embd");
    row("config: no kind", file("config.json", "{}"), "lacks model_type");
    row("config: another kind", config("model_type", "mamba"), "\"mamba\", and Headlight reads gpt2");
    row("config: no size", config("n_embd", QJsonValue::Null), "lacks n_embd");
    row("config: a size of text", config("n_embd", "16"), "n_embd is \"16\"");
    row("config: a negative size", config("n_head", -4), "n_head is -4");
    row("config: a size of 2^40", config("n_layer", 1e12), "n_layer");
    row("config: heads that do not fit", config("n_head", 5), "cannot be shared out");
    row("config: another activation", config("activation_function", "mish"), "\"mish\"");
    row("config: cross-attention", config("add_cross_attention", true), "add_cross_attention");
    row("config: quantized", config("quantization_config", QJsonObject{{"bits", 4}}), "quantized");
    row("config: an eos that is no word", config("eos_token_id", 53), "special token");
    row("config: a trillion weights", config("n_inner", 1 << 17), "asks for");
    row("config: more words than there are", config("vocab_size", 1 << 20), "asks for");
    row("config: more positions than there are", config("n_positions", 1 << 16), "asks for");
    row("config: fewer words than there are", config("vocab_size", 50), "special token");
    row("config: fewer positions than there are", config("n_positions", 20), "\"wpe.weight\" is 24×16");
    row("config: fewer layers than there are", config("n_layer", 1), "\"h.1.");
    row("a tensor too many", tensors([](Tensors& all) { all["h.0.attn.lora_A"] = {{1}, {1}}; }), "\"h.0.attn.lora_A\"");
    row("a tensor too few", tensors([](Tensors& all) { all["more"] = all.extract("ln_f.weight").mapped(); }),
        "\"more\" has no place");
    row("a bias too few", tensors([](Tensors& all) { all["h.0.attn.bias"] = all.extract("h.1.ln_2.bias").mapped(); }),
        "lacks the tensor \"h.1.ln_2.bias\"");
    row("another shape", tensors([](Tensors& all) { all["wpe.weight"].shape = {12, 32}; }), "\"wpe.weight\" is 12×32");
    row("NaN", tensors([](Tensors& all) { all["h.1.ln_1.bias"].numbers[3] = std::nanf(""); }),
        "\"h.1.ln_1.bias\" has a weight that is not a number");
    row("infinity", tensors([](Tensors& all) { all["wte.weight"].numbers[5] = -INFINITY; }),
        "\"wte.weight\" has a weight that is not a number");
    row("another head", tensors([](Tensors& all) {
            all["lm_head.weight"] = all["wte.weight"];
            all["lm_head.weight"].numbers[7] += 0.5f;
        }),
        "\"lm_head.weight\" and \"wte.weight\" hold different numbers");
    row("two names of one", tensors([](Tensors& all) { all["transformer.wte.weight"] = all["wte.weight"]; }),
        "two names of one");
    row("a link out: the configuration", link("config.json"), "leads out of the folder");
    row("a link out: the weights", link("model.safetensors"), "leads out of the folder");
    row(
        "a link out: a shard",
        [](const Hostile& model) {
            index("part.safetensors")(model);
            fs::remove(model.path() / "part.safetensors");
            fs::create_symlink(goldens / "gpt2_by_layer" / "model.safetensors", model.path() / "part.safetensors");
        },
        "leads out of the folder");
    row(
        "a link out: what decoding asks for",
        [](const Hostile& model) {
            fs::create_symlink(goldens / "gpt2_by_layer" / "config.json", model.path() / "generation_config.json");
        },
        "generation_config.json is a link that leads out");
    row(
        "a pipe for a configuration",
        [](const Hostile& model) {
            fs::remove(model.path() / "config.json");
            QCOMPARE(mkfifo((model.path() / "config.json").c_str(), 0600), 0);
        },
        "config.json is not a plain file");
    row(
        "cut short", [](const Hostile& model) { fs::resize_file(model.path() / "model.safetensors", 20000); },
        "bytes of data");
    row(
        "index: nothing in it",
        [](const Hostile& model) {
            fs::remove(model.path() / "model.safetensors");
            model.write("model.safetensors.index.json", "{}");
        },
        "weight_map");
    row("index: a file elsewhere", index("../model.safetensors"), "no file of this folder");
    row("index: a file in a folder within", index("sub/model.safetensors"), "no file of this folder");
    row("index: an absolute file", index("/etc/passwd"), "no file of this folder");
    row("index: a file that is not there", index("missing.safetensors"), "missing.safetensors");
    row(
        "index: a tensor that is not there",
        [](const Hostile& model) {
            fs::rename(model.path() / "model.safetensors", model.path() / "part.safetensors");
            model.write("model.safetensors.index.json", R"({"weight_map": {"wxe.weight": "part.safetensors"}})");
        },
        "\"wxe.weight\" in part.safetensors");
}

void TestImportModel::whatAStrangerMadeWorseIsRefusedInOneLine() {
    QFETCH(Edit, edit);
    QFETCH(QByteArray, says);
    const Hostile model;
    QCOMPARE(model.refusal(), std::string());  // before
    edit(model);
    const std::string refusal = model.refusal();
    QVERIFY2(QByteArray::fromStdString(refusal).contains(says), refusal.c_str());
    QVERIFY2(refusal.find('\n') == std::string::npos && refusal.size() < 600, refusal.c_str());
    QVERIFY2(refusal.starts_with(fs::canonical(model.path()).string()), refusal.c_str());
}

void TestImportModel::aConfigurationForATrillionWeightsTakesNoMemoryAndEndsWithinItsDeadline() {
    const Hostile model;
    model.editConfig([](Json& json) {
        json["n_embd"] = 16384;
        json["n_head"] = 1;
        json["n_layer"] = 64;
        json["n_inner"] = 1 << 17;
        json["n_positions"] = 16384;
        json["vocab_size"] = 1 << 20;
    });
    const auto kilobytes = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    const long before = kilobytes();
    std::string refusal;
    const double seconds = fixture::secondsFor([&] { refusal = model.refusal(); });
    QVERIFY(QByteArray::fromStdString(refusal).contains("asks for"));
    QVERIFY2(seconds < 10, qPrintable(QString::number(seconds)));
    QVERIFY2(kilobytes() - before < 20000, "more than 20 MB were taken");
}

void TestImportModel::idsThatTheModelDoesNotHaveAreRefused() {
    const TrainedModel model = openModel(modelPath("gpt2"));
    QCOMPARE(model.source->encode(" 5  9\t52 "), (std::vector<int>{5, 9, 52}));
    QCOMPARE(model.source->decode({5, 9, 52}), std::string("5 9 52"));
    for (const char* text : {"53", "-1", "5 x", "99999999999999999999"})
        QVERIFY_EXCEPTION_THROWN(model.source->encode(text), Error);
}

void TestImportModel::nothingOfAPickleIsRead() {
    const Hostile model;
    fs::remove(model.path() / "model.safetensors");
    model.write("pytorch_model.bin", "PK\x03\x04 and a pickle");
    model.write("old.pt", "\x80\x02}q");
    const std::string folder = model.refusal(), file = model.refusal("pytorch_model.bin"),
                      old = model.refusal("old.pt");
    for (const std::string& refusal : {folder, file, old}) {
        QVERIFY2(refusal.find("carries out whatever instructions it holds") != std::string::npos, refusal.c_str());
        QVERIFY2(refusal.find("python3 -c") != std::string::npos, refusal.c_str());
        QVERIFY2(refusal.find('\n') == std::string::npos, refusal.c_str());
    }
    QVERIFY(folder.find("torch.load('pytorch_model.bin'") != std::string::npos);
    QVERIFY(old.find("torch.load('old.pt'") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestImportModel)
#include "test_import_model.moc"
