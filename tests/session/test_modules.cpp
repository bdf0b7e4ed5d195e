// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a model follows from what its modules tell, not from their names: of every model that there is, and
// of one of a kind and with names that the program has never seen.
#include <QDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/data/translate.h"
#include "core/io/model_file.h"
#include "core/models/stack_parts.h"
#include "core/nn/masks.h"
#include "core/nn/multi_head_attention.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/cell_arithmetic.h"
#include "ui/session/trace/module_states.h"
#include "ui/session/trace/module_tree.h"
#include "ui/session/trace/step_scope.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"

using namespace headlight;

namespace {

QStringList modelFiles() {
    QStringList paths;
    for (const char* folder : {HEADLIGHT_SOURCE_DIR "/resources/models", HEADLIGHT_SOURCE_DIR "/tests/golden"})
        for (const QFileInfo& file :
             QDir(QLatin1String(folder)).entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files))
            if (!file.fileName().contains(QLatin1String(".expected."))) paths << file.filePath();
    return paths;
}

Module block(ModuleKind kind, const std::string& scope, int layer) {
    return {kind, scope, {Stack::Only, Section::Layer, layer}};
}

/// A layer of the made-up kind: x + attention(norm(x)), then x + network(norm(x)).
struct Floor {
    Norm first;
    MultiHeadAttention attention;
    Norm second;
    FeedForward network;

    Floor(ParameterSet& weights, const std::string& name, int layer)
        : first(weights, weights.addModule(block(ModuleKind::Norm, name + ".ln_a", layer)), name + ".a", {.width = 8}),
          attention(weights, name + ".mix", name + ".attn",
                    {.width = 8, .numHeads = 2, .scaled = false, .place = {Stack::Only, Section::Layer, layer}}),
          second(weights, weights.addModule(block(ModuleKind::Norm, name + ".ln_b", layer)), name + ".b", {.width = 8}),
          network(weights,
                  {name + ".mlp", name + ".mlp", 8, 12, ops::Activation::Relu, {Stack::Only, Section::Layer, layer}}) {}

    Value forward(ForwardContext& context, const Value& x, int length, const std::string& name) const {
        const auto normed = [&](const Norm& norm, const Value& from, const char* part) {
            Value y{norm.forward(context, from.variable)};
            context.record(y, name + part, norm.made(Part::Norm), Axis::SourceToken, {from.name});
            return y;
        };
        const auto sum = [&](const Norm& norm, const Value& a, const Value& b, const char* part) {
            Value y{ops::addInPlace(context.tape, a.variable, b.variable)};
            context.record(y, name + part, norm.madeSum(), Axis::SourceToken, {a.name, b.name});
            return y;
        };
        const Value quiet = normed(first, x, ".ln_a");
        const std::vector<int> lengths{length};
        const Value mixed = attention.forward(context, quiet, quiet, causalMask(context.tape, lengths, length),
                                              {1, length, length, Axis::SourceToken, Axis::SourceToken});
        const Value between = sum(first, x, mixed, ".plus_a");
        return sum(second, between, network.forward(context, normed(second, between, ".ln_b"), Axis::SourceToken),
                   ".plus_b");
    }
};

/// A language model whose names and weights are called as nothing else here is.
class Tower final : public Model {
public:
    Tower()
        : Model(ModelConfig{.architecture = "language-model",
                            .dModel = 8,
                            .numHeads = 2,
                            .numLayers = 2,
                            .dFf = 12,
                            .positionalEncoding = PositionalKind::None,
                            .sourceVocabSize = 9,
                            .targetVocabSize = 9}),
          m_words(
              m_parameters,
              {.fileScope = "wte", .traceName = "wte.row", .idsName = "tok", .vocabulary = 9, .width = 8, .scale = 3}),
          m_head(m_parameters, addHead(m_parameters), "unembed", 8, 9) {
        for (int i = 0; i < 2; ++i)
            m_floors.emplace_back(m_parameters, "h." + std::to_string(i), i);
    }

    std::unique_ptr<Model> clone() const override { return std::make_unique<Tower>(*this); }
    ops::CrossEntropyResult loss(ForwardContext&, std::span<const Example* const>,
                                 ops::CrossEntropyOptions) const override {
        return {};
    }
    long targetTokens(const Example&) const override { return 0; }

    Trace read(const std::vector<int>& ids) const {
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ForwardContext context(tape, m_parameters);
        TraceRecorder recorder;
        context.tracer = &recorder;
        Value x = m_words.forward(context, ids, Axis::SourceToken);
        for (size_t i = 0; i < m_floors.size(); ++i)
            x = m_floors[i].forward(context, x, static_cast<int>(ids.size()), "h." + std::to_string(i));
        recordLogits(context, {m_head.forward(context, x.variable)}, m_head, x.name, Axis::SourceToken);
        return recorder.take();
    }

private:
    Embedding m_words;
    std::vector<Floor> m_floors;
    Linear m_head;
};

struct Opened {
    TrainedModel model;
    std::shared_ptr<const Trace> trace;

    Opened() {
        auto tower = std::make_shared<Tower>();
        tower->initialize(3);
        trace = std::make_shared<const Trace>(tower->read({4, 7, 5, 8}));
        model.network = tower;
    }
};

}  // namespace

class TestModules : public QObject {
    Q_OBJECT
private slots:
    void everyValueAndEveryWeightTellsItsModule_data() {
        QTest::addColumn<QString>("path");
        for (const QString& path : modelFiles())
            QTest::newRow(qPrintable(path.section(u'/', -1))) << path;
    }

    void everyValueAndEveryWeightTellsItsModule() {
        QFETCH(QString, path);
        const TrainedModel model = loadModel(path.toStdString());
        const ParameterSet& weights = std::as_const(*model.network).parameters();
        const std::vector<ModuleRef>& modules = model.network->modules();
        for (const ParameterSet::Entry& entry : weights.entries())
            QVERIFY2(entry.module && std::ranges::count(modules, entry.module) == 1, entry.name.c_str());
        const QString example = exampleSentence(model);
        const Trace trace = traceSentence(model, example.isEmpty() ? "w4 w9 w5" : example.toStdString());
        std::set<int> used;
        std::set<std::pair<const Module*, Part>> parts;
        for (const TraceRecord& record : trace.records()) {
            QVERIFY2(record.module && std::ranges::count(modules, record.module) == 1, record.name.c_str());
            QVERIFY2(parts.insert({record.module.get(), record.part}).second, record.name.c_str());
            QVERIFY2(!valueTitle(record).isEmpty(), record.name.c_str());
            for (const UsedWeight& weight : record.weights)
                used.insert(weight.parameter);
        }
        // Each weight made something that a reader sees.
        for (size_t i = 0; i < weights.entries().size(); ++i)
            QVERIFY2(used.contains(static_cast<int>(i)), weights.entries()[i].name.c_str());
    }

    void parametersAreGroupedByWhatTheyAre() {
        const auto groups = [](const char* name) {
            const TrainedModel model =
                loadModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/%1.safetensors").arg(name).toStdString());
            QStringList titles;
            for (const ParameterSet::Entry& entry : std::as_const(*model.network).parameters().entries())
                titles << groupTitle(*entry.module);
            titles.removeDuplicates();
            titles.sort();
            return titles;
        };
        QCOMPARE(groups("pre_gelu_learned"),
                 QStringList({"Decoder cross-attention", "Decoder feed-forward", "Decoder self-attention",
                              "Encoder attention", "Encoder feed-forward", "Layer norm", "Output layer", "Positions",
                              "Source embedding", "Target embedding"}));
        QCOMPARE(groups("lstm_scaled_dot_two_ways"), QStringList({"Attention", "Decoder", "Encoder", "Output layer",
                                                                  "Source embedding", "Target embedding"}));
        QCOMPARE(groups("classifier"),
                 QStringList({"Embedding", "Feed-forward", "Layer norm", "Output layer", "Self-attention"}));
    }

    void aModelWithOtherNamesHasItsOwnTree() {
        const Opened opened;
        const ModuleTree tree = moduleTree(*opened.trace);
        QCOMPARE(tree.stacks.size(), 1u);
        QCOMPARE(tree.stacks[0].label, QStringLiteral("Model"));
        QStringList drawn;
        for (const ModuleLayer& layer : tree.stacks[0].layers) {
            drawn << layer.label;
            for (const ModuleBlock& each : layer.blocks)
                if (layer.isLayer) drawn << each.label + u' ' + each.more;
        }
        // The first sum belongs to the first norm, and the second norm follows it.
        const QStringList floor{"Norm ", "Self-attention 2 heads", "Norm ", "Norm ", "Feed-forward 12", "Norm "};
        QCOMPARE(drawn, QStringList{"Embed"} + QStringList{"Layer 1"} + floor + QStringList{"Layer 2"} + floor +
                            QStringList{"Linear + softmax"});
        QCOMPARE(tree.stacks[0].layers[1].blocks[1].scope, std::string("h.0.attn"));
        const int main = tree.stacks[0].layers[1].blocks[1].mainRecord(*opened.trace);
        QCOMPARE(main, opened.trace->indexOf("h.0.attn.scores"));
    }

    void itsAttentionIsFound() {
        const Opened opened;
        const std::vector<AttentionBlock> blocks = attentionBlocks(*opened.trace);
        QCOMPARE(blocks.size(), 2u);
        QCOMPARE(blocks[1].scope, QStringLiteral("h.1.attn"));
        QCOMPARE(blocks[1].kind, AttentionBlock::Kind::Self);
        QCOMPARE(blocks[1].layer, 1);
        QCOMPARE(blocks[1].heads, 2);
        QVERIFY(blocks[1].scores && blocks[1].mask && blocks[1].query);
        QCOMPARE(opened.model.network->attentionBlocks(), std::vector<std::string>({"h.0.attn", "h.1.attn"}));
        Selection selection;
        selection.setValue(QStringLiteral("h.0.attn.scores"));
        QCOMPARE(selection.block(), QString());
        selection.setTrace(opened.trace);
        QCOMPARE(selection.block(), QStringLiteral("h.0.attn"));
        selection.setValue(QStringLiteral("h.1.attn.q"));
        QCOMPARE(selection.block(), QStringLiteral("h.1.attn"));
        selection.setValue(QStringLiteral("h.1.mlp.hidden"));
        QCOMPARE(selection.block(), QStringLiteral("h.1.attn"));
    }

    void itsValuesHaveTitles() {
        const Opened opened;
        const auto title = [&](const char* name) {
            const TraceRecord& record = opened.trace->at(name);
            return QStringLiteral("%1: %2").arg(scopeTitle(record), valueTitle(record));
        };
        QCOMPARE(title("h.1.attn.weights"), QStringLiteral("Layer 2, self-attention: Weights"));
        QCOMPARE(title("h.0.attn.output"), QStringLiteral("Layer 1, self-attention: Joined"));
        QCOMPARE(title("h.0.plus_a"), QStringLiteral("Layer 1: Sum"));
        QCOMPARE(title("h.0.mlp.hidden"), QStringLiteral("Layer 1, feed-forward: Hidden"));
        QCOMPARE(title("tok"), QStringLiteral(": Ids"));
        QCOMPARE(formulaText(opened.trace->at("h.0.attn.scores")), QStringLiteral("S = Q Kᵀ"));
        QCOMPARE(stepScope(opened.trace->at("h.0.plus_a")), stepScope(opened.trace->at("h.0.ln_a")));
        // Where norms stand before what they belong to, a sum is a step of its own.
        const TrainedModel pre = loadModel(HEADLIGHT_SOURCE_DIR "/tests/golden/pre_gelu_learned.safetensors");
        const Trace sums = traceIds(pre, {4, 5}, {1, 4});
        QCOMPARE(stepScope(sums.at("encoder.layers.0.residual1")).sublayer.label, QStringLiteral("Add"));
        QVERIFY(stepScope(sums.at("encoder.layers.0.residual1")).sublayer !=
                stepScope(sums.at("encoder.layers.0.norm1")).sublayer);
        QVERIFY(stepScope(opened.trace->at("h.0.ln_a")).sublayer != stepScope(opened.trace->at("h.0.ln_b")).sublayer);
        QStringList modules;
        const std::vector<double> norms(std::as_const(*opened.model.network).parameters().entries().size(), 1.0);
        for (const ModuleState& module : moduleStates(*opened.model.network, norms))
            modules << module.name;
        QCOMPARE(modules, QStringList({"Embedding", "Output layer", "Layer 1, norm", "Layer 1, self-attention",
                                       "Layer 1, feed-forward", "Layer 2, norm", "Layer 2, self-attention",
                                       "Layer 2, feed-forward"}));
    }

    void everyNumberOfItIsItsOwnArithmetic() {
        const Opened opened;
        int compared = 0;
        for (const TraceRecord& record : opened.trace->records()) {
            if (record.operation == Operation::Input || record.operation == Operation::Mask) continue;
            for (int head = 0; head < matrixHeads(record); ++head)
                for (int row = 0; row < matrixRows(record); ++row)
                    for (int column = 0; column < matrixColumns(record); ++column, ++compared) {
                        const ValueCell cell{head, row, column};
                        const auto written = cellArithmetic(opened.model, *opened.trace, record, cell);
                        QVERIFY2(written, record.name.c_str());
                        const double want = static_cast<double>(numberAt(record, cell));
                        QVERIFY2(std::abs(written->steps.back().value - want) < 1e-4 * std::max(1.0, std::abs(want)),
                                 record.name.c_str());
                    }
        }
        QVERIFY(compared > 1000);
    }
};

QTEST_GUILESS_MAIN(TestModules)
#include "test_modules.moc"
