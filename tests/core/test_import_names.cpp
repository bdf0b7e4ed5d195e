// SPDX-License-Identifier: GPL-3.0-or-later
// Names of tensors as programs around a model write them: what they put in front is taken off, whatever the kind.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <functional>

#include "core/error.h"
#include "core/import/import_model.h"
#include "core/io/safetensors.h"
#include "tests/foreign_folder.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path importNamesGoldens = HEADLIGHT_SOURCE_DIR "/tests/golden/foreign";

/// A golden folder once more, its tensors under the names that `rename` makes of theirs: of each one or several.
class Renamed {
public:
    Renamed(const std::string& model, const std::function<std::vector<std::string>(const std::string&)>& rename) {
        fs::copy_file(importNamesGoldens / model / "config.json", path() / "config.json");
        const auto old = safetensors::File::read((importNamesGoldens / model / "model.safetensors").string());
        std::vector<std::vector<float>> kept;  // the writer reads them as it writes
        kept.reserve(old.entries().size());
        safetensors::Writer writer;
        for (const auto& [name, entry] : old.entries()) {
            kept.push_back(old.floats(name));
            for (const std::string& each : rename(name))
                writer.add(each, entry.shape, std::span<const float>(kept.back()));
        }
        writer.write((path() / "model.safetensors").string());
    }
    fs::path path() const { return m_folder.path().toStdString(); }
    TrainedModel open() const { return openModel(path().string()); }

private:
    QTemporaryDir m_folder;
};

/// "" where the two are one model.
QByteArray difference(const TrainedModel& a, const TrainedModel& b) {
    if (!(a.network->config() == b.network->config())) return "another configuration";
    const auto flat = [](const TrainedModel& of) { return std::as_const(*of.network).parameters().flat(); };
    return std::ranges::equal(flat(a), flat(b)) ? "" : "other weights";
}

bool isOneFile(const std::string& model) {
    return fs::exists(importNamesGoldens / model / "model.safetensors");
}

}  // namespace

class TestImportNames : public QObject {
    Q_OBJECT
private slots:
    void whatStandsBeforeAllNamesIsTakenOff_data();
    void whatStandsBeforeAllNamesIsTakenOff();
    void somebodysOwnProgramMayBeWrappedToo();
    void twoNamesOfOneTensorAreRefused();
};

void TestImportNames::whatStandsBeforeAllNamesIsTakenOff_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("prefix");
    for (const char* name : fixture::huggingFaceGoldens)
        for (const char* prefix : {"module.", "_orig_mod.", "base_model.model.", "model.", "transformer.",
                                   "module._orig_mod.", "_orig_mod.module.model.", "base_model.model.transformer."})
            if (isOneFile(name)) QTest::addRow("%s, %s", name, prefix) << QString(name) << QString(prefix);
}

void TestImportNames::whatStandsBeforeAllNamesIsTakenOff() {
    QFETCH(QString, name);
    QFETCH(QString, prefix);
    const Renamed wrapped(name.toStdString(), [&](const std::string& own) -> std::vector<std::string> {
        return {prefix.toStdString() + own};
    });
    const TrainedModel plain = openModel((importNamesGoldens / name.toStdString()).string());
    QCOMPARE(difference(wrapped.open(), plain), QByteArray());
}

void TestImportNames::somebodysOwnProgramMayBeWrappedToo() {
    const auto old = safetensors::File::read((importNamesGoldens / "pytorch_transformer.safetensors").string());
    const QTemporaryDir folder;
    const fs::path file = folder.filePath("own.safetensors").toStdString();
    fs::copy_file(importNamesGoldens / "pytorch_transformer.json", fs::path(file).replace_extension(".json"));
    std::vector<std::vector<float>> kept;
    kept.reserve(old.entries().size());
    safetensors::Writer writer;
    for (const auto& [name, entry] : old.entries())
        writer.add("module._orig_mod." + name, entry.shape,
                   std::span<const float>(kept.emplace_back(old.floats(name))));
    writer.write(file.string());
    const TrainedModel plain = openModel((importNamesGoldens / "pytorch_transformer.safetensors").string());
    QCOMPARE(difference(openModel(file.string()), plain), QByteArray());
}

void TestImportNames::twoNamesOfOneTensorAreRefused() {
    for (const char* prefix : {"module.", "model.", "transformer.", "base_model.model."}) {
        const Renamed twice("gpt2_by_layer", [&](const std::string& own) -> std::vector<std::string> {
            if (own.ends_with("wpe.weight")) return {own, prefix + own};
            return {own};
        });
        QByteArray refusal;
        try {
            twice.open();
        } catch (const Error& error) {
            refusal = error.what();
        }
        QVERIFY2(refusal.contains("two names of one") && refusal.contains(QByteArray(prefix) + "wpe.weight"), refusal);
        QVERIFY(!refusal.contains('\n'));
    }
}

QTEST_APPLESS_MAIN(TestImportNames)
#include "test_import_names.moc"
