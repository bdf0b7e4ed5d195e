// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of attention as a whole, on matrices that were made to be it.
#include <QTest>

#include "core/io/model_file.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/session/trace/gold_alignment.h"

using namespace headlight;

namespace {

const ModulePlace kEncoder{Stack::Encoder, Section::Layer, 0}, kDecoder{Stack::Decoder, Section::Layer, 0};

/// A trace of blocks of one head each, n × n.
struct Made {
    Trace trace;
    int n;

    Made(std::vector<std::string> tokens) : n(static_cast<int>(tokens.size())) {
        trace.sourceTokens = tokens;
        trace.targetTokens = tokens;
    }
    void add(const std::string& scope, const ModulePlace& place, std::vector<float> weights,
             AttentionOver over = AttentionOver::Itself) {
        TraceRecord record;
        record.name = scope + ".weights";
        record.module = std::make_shared<const Module>(
            Module{.kind = ModuleKind::Attention, .scope = scope, .place = place, .over = over});
        record.part = Part::Weights;
        record.operation = Operation::Softmax;
        record.shape = {1, n, n};
        record.values = std::move(weights);
        trace.append(std::move(record));
    }
};

}  // namespace

class TestAttentionFacts : public QObject {
    Q_OBJECT
private slots:
    void rolloutIsTheProductOfHalfAttentionHalfIdentity() {
        Made made({"a", "b"});
        made.add("encoder.layers.0.self_attn", kEncoder, {.5f, .5f, 0, 1});
        made.add("encoder.layers.1.self_attn", {Stack::Encoder, Section::Layer, 1}, {0, 1, 1, 0});
        made.add("decoder.layers.0.cross_attn", kDecoder, {1, 0, 0, 1}, AttentionOver::Memory);
        const std::vector<AttentionBlock> blocks = attentionBlocks(made.trace);
        QCOMPARE(attentionRollout(made.trace, blocks[0]), std::vector<float>({.75f, .25f, 0, 1}));
        // [[.5, .5], [.5, .5]] · [[.75, .25], [0, 1]]
        QCOMPARE(attentionRollout(made.trace, blocks[1]), std::vector<float>({.375f, .625f, .375f, .625f}));
        QCOMPARE(attentionRollout(made.trace, blocks[2]), std::vector<float>({.375f, .625f, .375f, .625f}));
    }

    void goldLinksAreThoseOfTheTasksOwnPair() {
        const TrainedModel model = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
        const QStringList written = {"i", "am", "learning", "english"};
        // "tiếng anh" is "english".
        QCOMPARE(goldAlignment(model, QStringLiteral("tôi đang học tiếng anh"), written),
                 GoldLinks({{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 3}}));
        QVERIFY(goldAlignment(model, QStringLiteral("tôi đang học tiếng anh"), {"you", "sleep"}).empty());
        QVERIFY(goldAlignment(model, QStringLiteral("xyz"), {"i"}).empty());
    }
};

QTEST_GUILESS_MAIN(TestAttentionFacts)
#include "test_attention_facts.moc"
