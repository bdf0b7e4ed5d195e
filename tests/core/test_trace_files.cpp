// SPDX-License-Identifier: GPL-3.0-or-later
// Traces for notebooks: NumPy's arrays and JSON. tests/export/check_export.py has NumPy itself read them.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <limits>

#include <nlohmann/json.hpp>
#include <zip.h>

#include "core/error.h"
#include "core/io/safetensors.h"
#include "core/io/trace_file.h"

using namespace headlight;

namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

Trace madeByHand() {
    Trace trace;
    trace.append({"source.ids", Operation::Input, {Axis::SourceToken}, {2}, {4, 5}, {}});
    trace.append(
        {"encoder.mask", Operation::Mask, {Axis::SourceToken, Axis::SourceToken}, {2, 2}, {0, never, 0, 0}, {}});
    trace.append({"encoder.layers.1.output",
                  Operation::Linear,
                  {Axis::Head, Axis::SourceToken, Axis::Feature},
                  {1, 2, 3},
                  {0.1F, 2, -3e-20F, 4, 5, 6},
                  {}});
    trace.append({"encoder.layers.10.output", Operation::Linear, {Axis::Feature}, {1}, {7}, {}});
    trace.sourceTokens = {"a", "ế\"🙂"};
    return trace;
}

QByteArray tracedFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The files of a zip, by name.
std::map<std::string, std::string> unzipped(const QString& path) {
    std::map<std::string, std::string> files;
    int error = 0;
    zip_t* archive = zip_open(path.toUtf8().constData(), ZIP_RDONLY, &error);
    if (archive == nullptr) return files;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        zip_stat_t status;
        zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &status);
        std::string& bytes = files[status.name];
        bytes.resize(status.size);
        zip_file_t* file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
        zip_fread(file, bytes.data(), bytes.size());
        zip_fclose(file);
    }
    zip_discard(archive);
    return files;
}

template <class T>
std::string bytesOf(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

class TestTraceFiles : public QObject {
    Q_OBJECT
private slots:
    void numpyArraysHaveTheirTypesShapesAndNumbers();
    void listsOfJsonAreReadAsTheSameNumbers();
    void onlyWhatWasAskedForIsWritten_data();
    void onlyWhatWasAskedForIsWritten();
    void aNameThatNoValueHasIsRefused();
    void equalTracesGiveEqualBytes();
};

void TestTraceFiles::numpyArraysHaveTheirTypesShapesAndNumbers() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("t.npz");
    saveTrace(madeByHand(), path.toStdString());
    const auto files = unzipped(path);
    QCOMPARE(files.size(), size_t(5));
    const auto check = [&](const char* name, const std::string& header, const std::string& numbers) {
        QVERIFY2(files.contains(name), name);
        const std::string& bytes = files.at(name);
        QCOMPARE(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
        const size_t start = 10 + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
        QCOMPARE(start % 64, size_t(0));
        QVERIFY2(bytes.substr(10, header.size()) == header, bytes.c_str() + 10);
        QCOMPARE(bytes[start - 1], '\n');
        QVERIFY2(bytes.substr(start) == numbers, name);
    };
    check("source.ids.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
          bytesOf(std::vector<int64_t>{4, 5}));
    check("encoder.mask.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
          bytesOf(std::vector<float>{0, never, 0, 0}));
    check("encoder.layers.1.output.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }",
          bytesOf(std::vector<float>{0.1F, 2, -3e-20F, 4, 5, 6}));
    check("tokens.source.npy", "{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }",
          bytesOf(std::vector<char32_t>{U'a', 0, 0, U'ế', U'"', U'🙂'}));
}

void TestTraceFiles::listsOfJsonAreReadAsTheSameNumbers() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("t.json");
    saveTrace(madeByHand(), path.toStdString());
    const nlohmann::json json = nlohmann::json::parse(tracedFile(path).toStdString());
    QVERIFY(json["format"] == "headlight-trace");
    QVERIFY((json["tokens"]["source"] == std::vector<std::string>{"a", "ế\"🙂"}));
    const nlohmann::json& values = json["values"];
    QCOMPARE(values.size(), size_t(4));
    QVERIFY(values["encoder.layers.1.output"]["shape"] == nlohmann::json({1, 2, 3}));
    const nlohmann::json& row = values["encoder.layers.1.output"]["values"][0][0];
    QVERIFY(row[0].get<float>() == 0.1F && row[2].get<float>() == -3e-20F);
    QVERIFY(values["encoder.mask"]["values"][0][1].is_null());
    QVERIFY((values["source.ids"]["values"] == std::vector<int>{4, 5}));
}

void TestTraceFiles::onlyWhatWasAskedForIsWritten_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"t.npz", "t.json", "t.safetensors"})
        QTest::newRow(file) << QString(file);
}

void TestTraceFiles::onlyWhatWasAskedForIsWritten() {
    QFETCH(QString, file);
    const QTemporaryDir folder;
    const QString path = folder.filePath(file);
    saveTrace(madeByHand(), path.toStdString(), {"encoder.layers.1", "source.ids"});
    std::vector<std::string> names;
    const nlohmann::json json =
        file.endsWith("json") ? nlohmann::json::parse(tracedFile(path).toStdString()) : nlohmann::json();
    if (file.endsWith("npz"))
        for (const auto& [name, bytes] : unzipped(path))
            names.push_back(name.substr(0, name.size() - 4));
    else if (file.endsWith("json"))
        for (const auto& [name, value] : json["values"].items())
            names.push_back(name);
    else {
        const auto tensors = safetensors::File::read(path.toStdString());
        for (const auto& [name, entry] : tensors.entries())
            names.push_back(name);
    }
    std::erase(names, "tokens.source");
    QCOMPARE(names, (std::vector<std::string>{"encoder.layers.1.output", "source.ids"}));
}

void TestTraceFiles::aNameThatNoValueHasIsRefused() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("t.npz");
    try {
        saveTrace(madeByHand(), path.toStdString(), {"encoder.lay"});
        QFAIL("it was written");
    } catch (const Error& error) {
        QCOMPARE(error.what(), "this trace has no value \"encoder.lay\": its names begin with encoder, source");
    }
    QVERIFY(!QFile::exists(path));
}

void TestTraceFiles::equalTracesGiveEqualBytes() {
    const QTemporaryDir folder;
    saveTrace(madeByHand(), folder.filePath("a.npz").toStdString());
    saveTrace(madeByHand(), folder.filePath("b.npz").toStdString());
    QVERIFY(!tracedFile(folder.filePath("a.npz")).isEmpty());
    QCOMPARE(tracedFile(folder.filePath("a.npz")), tracedFile(folder.filePath("b.npz")));
}

QTEST_APPLESS_MAIN(TestTraceFiles)
#include "test_trace_files.moc"
