// SPDX-License-Identifier: GPL-3.0-or-later
// headlight-cli on the machine that it finds: OpenBLAS's kernels, and the memory of a large model.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>

#include "tests/cli/command_line.h"

using namespace cli;

class TestCliMachine : public cli::Test {
    Q_OBJECT
private slots:
    void init() { makeFolder(); }

    void kernelsThatOpenBlasFoundAreReplacedByTheBestThatTheProcessorRuns_data() {
        QTest::addColumn<QString>("found");
        for (const char* name : {"Prescott", "Haswell", "SkylakeX"})
            QTest::newRow(name) << name;
    }
    void kernelsThatOpenBlasFoundAreReplacedByTheBestThatTheProcessorRuns() {
        QFETCH(QString, found);
        const Result result = run({"bench", "--kernels", "--json"}, {},
                                  {{"OPENBLAS_CORETYPE", found}, {"HEADLIGHT_TEST_CORETYPE_FOUND", "1"}});
        QCOMPARE(result.status, 0);
        QCOMPARE(result.error, QByteArray());
        const QJsonObject told = jsonLines(result.out).value(0);
        const QString features = told["features"].toString(), kernels = told["kernels"].toString();
        const auto is = [&kernels](std::initializer_list<const char*> names) {
            return std::ranges::any_of(names, [&](const char* name) { return kernels == QLatin1String(name); });
        };
        if (features.contains("AVX-512"))
            QVERIFY2(is({"SkylakeX", "Cooperlake", "SapphireRapids"}), qPrintable(kernels));
        else if (features.contains("AVX2"))
            QVERIFY2(is({"Haswell", "Zen", "Excavator"}), qPrintable(kernels));
        else
            QVERIFY2(!kernels.isEmpty(), qPrintable(kernels));
    }

    void kernelsChosenOutsideStayWhereTheyRunAndAreWarnedOfWherePoor() {
        const Result chosen = run({"bench", "--kernels", "--json"}, {}, {{"OPENBLAS_CORETYPE", "Prescott"}});
        QCOMPARE(chosen.status, 0);
        const QJsonObject told = jsonLines(chosen.out).value(0);
        // An OpenBLAS that was built for one processor has no choice.
        if (told["kernels"].toString() == "Prescott" && told["features"].toString().contains("SSE4.2"))
            QVERIFY2(chosen.error.contains("warning") && chosen.error.contains("OPENBLAS_CORETYPE"), chosen.error);
        const Result own = run({"bench", "--kernels"}, {}, {{"OPENBLAS_CORETYPE", ""}});
        QCOMPARE(own.status, 0);
        QCOMPARE(own.error, QByteArray());
        QVERIFY(own.out.contains("OpenBLAS kernels for "));
        // Kernels that the processor cannot run would end the program at its first product.
        const Result beyond = run({"translate", shippedModel, "tôi yêu bạn"}, {}, {{"OPENBLAS_CORETYPE", "SkylakeX"}});
        QVERIFY2(beyond.status == 0, beyond.error);
        QCOMPARE(beyond.out, QByteArray("i love you\n"));
    }

    void aLargeModelTakesTheMemoryOfItsWeights_data() {
        QTest::addColumn<QString>("dtype");
        QTest::newRow("F32") << "F32";
        QTest::newRow("F16") << "F16";
    }
    void aLargeModelTakesTheMemoryOfItsWeights() {
        QFETCH(QString, dtype);
        const int vocabulary = 32000, width = 512, layers = 4, positions = 64;
        QDir(folder()).mkdir("large");
        QJsonObject header;
        qint64 size = 0;
        const auto add = [&](const QString& name, const QList<int>& shape) {
            qint64 bytes = dtype == "F32" ? 4 : 2;
            QJsonArray dims;
            for (const int dim : shape) {
                bytes *= dim;
                dims.append(dim);
            }
            header[name] =
                QJsonObject{{"dtype", dtype}, {"shape", dims}, {"data_offsets", QJsonArray{size, size + bytes}}};
            size += bytes;
        };
        add("wte.weight", {vocabulary, width});
        add("wpe.weight", {positions, width});
        const auto addNorm = [&](const QString& name) {
            for (const char* part : {".weight", ".bias"})
                add(name + part, {width});
        };
        for (int i = 0; i < layers; ++i) {
            const QString layer = QStringLiteral("h.%1.").arg(i);
            const auto addMap = [&](const QString& name, int in, int out) {
                add(layer + name + ".weight", {in, out});
                add(layer + name + ".bias", {out});
            };
            addMap("attn.c_attn", width, 3 * width);
            addMap("attn.c_proj", width, width);
            addMap("mlp.c_fc", width, 4 * width);
            addMap("mlp.c_proj", 4 * width, width);
            addNorm(layer + "ln_1");
            addNorm(layer + "ln_2");
        }
        addNorm("ln_f");
        QByteArray json = QJsonDocument(header).toJson(QJsonDocument::Compact);
        json.append(QByteArray(-json.size() & 7, ' '));
        const qint64 length = json.size();
        write(path("large/model.safetensors"), QByteArray(reinterpret_cast<const char*>(&length), 8) + json);
        QVERIFY(QFile::resize(path("large/model.safetensors"), 8 + length + size));
        write(path("large/config.json"), QJsonDocument(QJsonObject{{"model_type", "gpt2"},
                                                                   {"n_embd", width},
                                                                   {"n_layer", layers},
                                                                   {"n_head", 8},
                                                                   {"n_positions", positions},
                                                                   {"vocab_size", vocabulary}})
                                             .toJson());

        const Result result = run({"bench", "--model", "large", "--tokens", "8", "--json"});
        QVERIFY2(result.status == 0, result.error);
        const QJsonObject told = jsonLines(result.out).value(0);
        const double weights = 4 * told["parameters"].toDouble(), peak = told["peak_bytes"].toDouble();
        QVERIFY(weights > 100e6);
        // Beside the weights: the program itself, what OpenBLAS holds, and the values.
        QVERIFY2(peak < 1.3 * weights + 40e6, qPrintable(QStringLiteral("%1 of %2").arg(peak).arg(weights)));
    }
};

QTEST_GUILESS_MAIN(TestCliMachine)
#include "test_machine.moc"
