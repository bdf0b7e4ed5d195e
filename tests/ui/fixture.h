// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QWidget>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "core/io/model_file.h"
#include "core/trace/trace.h"
#include "tests/core/opened.h"
#include "ui/widgets/theme/theme.h"

namespace headlight::fixture {

struct Size {
    int layers = 2;
    int heads = 8;
    int words = 5;
};

/// Adds values to a trace as a module does.
struct Maker {
    Trace& trace;
    ModuleRef module = {};

    void of(ModuleKind kind, const std::string& scope, const ModulePlace& place,
            AttentionOver over = AttentionOver::Itself, int heads = 1) {
        module = std::make_shared<const Module>(
            Module{.kind = kind, .scope = scope, .place = place, .over = over, .heads = heads});
    }
    void add(const std::string& name, Part part, Operation operation, std::vector<int> shape = {1},
             std::vector<float> values = {0}) const {
        TraceRecord record{name, operation, {}, std::move(shape), std::move(values), {}};
        record.module = module;
        record.part = part;
        trace.append(std::move(record));
    }
};

/// Scores and weights of one block; row-wise softmax, so that the weights are what the program promises they are.
inline void addAttention(const Maker& maker, std::mt19937& random, const Size& size, bool causal) {
    std::normal_distribution<float> normal(0, 1.6F);
    const int n = size.words;
    const float never = -std::numeric_limits<float>::infinity();
    std::vector<float> scores, mask, weights;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            mask.push_back(causal && j > i ? never : 0);
    for (int h = 0; h < size.heads; ++h) {
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            std::vector<double> row;
            for (int j = 0; j < n; ++j) {
                const float score = normal(random) + (i == j ? 3.0F : 0.0F) * static_cast<float>(h % 3 == 1);
                scores.push_back(score);
                row.push_back(causal && j > i ? 0 : std::exp(score));
                sum += row.back();
            }
            for (const double e : row)
                weights.push_back(static_cast<float>(e / sum));
        }
    }
    const std::string& scope = maker.module->scope;
    maker.add(scope + ".scores", Part::Scores, Operation::AttentionScores, {size.heads, n, n}, std::move(scores));
    maker.add(scope + ".mask", Part::Mask, Operation::Mask, {n, n}, std::move(mask));
    maker.add(scope + ".weights", Part::Weights, Operation::Softmax, {size.heads, n, n}, std::move(weights));
}

inline void addBlock(const Maker& maker, std::mt19937& random, const Size& size, bool causal) {
    const std::string& scope = maker.module->scope;
    maker.add(scope + ".q", Part::Query, Operation::Linear);
    maker.add(scope + ".k", Part::Key, Operation::Linear);
    maker.add(scope + ".v", Part::Value, Operation::Linear);
    addAttention(maker, random, size, causal);
    maker.add(scope + ".heads", Part::Heads, Operation::WeightedSum);
    maker.add(scope + ".concat", Part::Concat, Operation::Concat);
    maker.add(scope + ".output", Part::Output, Operation::Linear);
}

inline void addNorm(Maker& maker, const std::string& layer, const ModulePlace& place, int index) {
    const std::string number = std::to_string(index);
    maker.of(ModuleKind::Norm, layer + ".norm" + number, place);
    maker.add(layer + ".residual" + number, Part::Residual, Operation::Add);
    maker.add(layer + ".norm" + number, Part::Norm, Operation::LayerNorm);
}

inline void addFeedForward(Maker& maker, const std::string& layer, const ModulePlace& place) {
    maker.of(ModuleKind::FeedForward, layer + ".ffn", place);
    maker.add(layer + ".ffn.hidden", Part::Hidden, Operation::Linear);
    maker.add(layer + ".ffn.activation", Part::Activation, Operation::Activation);
    maker.add(layer + ".ffn.output", Part::Output, Operation::Linear);
}

/// A trace with the names of a real one and made-up numbers; the same for the same arguments.
inline std::shared_ptr<const Trace> makeTrace(const Size& size = {}, unsigned seed = 7) {
    const std::vector<std::string> source = {"tôi", "đang", "học", "tiếng", "anh"};
    const std::vector<std::string> target = {"<bos>", "i", "am", "learning", "english"};
    std::mt19937 random(seed);
    auto trace = std::make_shared<Trace>();
    for (int i = 0; i < size.words; ++i) {
        trace->sourceTokens.push_back(source[static_cast<size_t>(i) % source.size()]);
        trace->targetTokens.push_back(i == 0 ? target[0] : target[1 + static_cast<size_t>(i - 1) % 4]);
    }
    Maker maker{*trace};
    for (const Stack side : {Stack::Encoder, Stack::Decoder}) {
        const bool decoder = side == Stack::Decoder;
        const std::string stack = decoder ? "decoder" : "encoder";
        maker.of(ModuleKind::Embedding, stack + ".embedding", {side, Section::Start});
        maker.add(decoder ? "target.ids" : "source.ids", Part::Ids, Operation::Input);
        maker.add(stack + ".embedding", Part::Embedding, Operation::Embedding);
        maker.of(ModuleKind::Positions, stack + ".positional_encoding", {side, Section::Start});
        maker.add(stack + ".positional_encoding", Part::Positions, Operation::PositionalEncoding);
        maker.add(stack + ".input", Part::Input, Operation::Add);
        for (int i = 0; i < size.layers; ++i) {
            const std::string layer = stack + ".layers." + std::to_string(i);
            const ModulePlace place{side, Section::Layer, i};
            maker.of(ModuleKind::Attention, layer + ".self_attn", place, AttentionOver::Itself, size.heads);
            addBlock(maker, random, size, decoder);
            addNorm(maker, layer, place, 1);
            if (decoder) {
                maker.of(ModuleKind::Attention, layer + ".cross_attn", place, AttentionOver::Memory, size.heads);
                addBlock(maker, random, size, false);
                addNorm(maker, layer, place, 2);
            }
            addFeedForward(maker, layer, place);
            addNorm(maker, layer, place, decoder ? 3 : 2);
        }
        maker.of(ModuleKind::Norm, stack + ".output", {side, Section::End});
        maker.add(stack + ".output", Part::Output, Operation::LayerNorm);
    }
    maker.of(ModuleKind::Head, "logits", {Stack::Shared, Section::Head});
    maker.add("logits", Part::Logits, Operation::Linear);
    maker.add("log_probs", Part::LogProbs, Operation::LogSoftmax);
    return trace;
}

/// A model that ships, by its name without the ending.
inline std::shared_ptr<const TrainedModel> shippedModel(const QString& name) {
    return std::make_shared<const TrainedModel>(loadShipped(name));
}

/// The names of all of them.
inline QStringList shippedModelNames() {
    QStringList names;
    const QDir directory(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models"));
    for (const QString& file : directory.entryList({QStringLiteral("*.safetensors")}))
        names << file.section(u'.', 0, 0);
    return names;
}

/// What the labels in a widget say that are visible, a line each.
inline QString shownText(const QWidget& widget) {
    QStringList all;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisible()) all << label->text();
    return all.join(u'\n');
}

/// The light theme on the application, as long as it lives.
class LightTheme {
public:
    LightTheme() : m_manager(qApp) { m_manager.setMode(ThemeManager::Mode::Light); }

private:
    ThemeManager m_manager;
};

/// The colour in the middle of a rectangle of the widget.
inline QColor colorAt(QWidget& widget, const QPointF& at) {
    const QImage image = widget.grab().toImage();
    const double ratio = image.devicePixelRatio();
    return image.pixelColor((at * ratio).toPoint());
}

}  // namespace headlight::fixture
