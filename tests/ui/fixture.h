// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QDir>
#include <QWidget>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "core/io/model_file.h"
#include "core/trace/trace.h"
#include "ui/widgets/theme/theme.h"

namespace headlight::fixture {

struct Size {
    int layers = 2;
    int heads = 8;
    int words = 5;
};

/// Scores and weights of one block; row-wise softmax, so that the weights are what the program promises they are.
inline void addAttention(Trace& trace, std::mt19937& random, const std::string& scope, const Size& size, bool causal) {
    std::normal_distribution<float> normal(0, 1.6F);
    const int n = size.words;
    const float never = -std::numeric_limits<float>::infinity();
    TraceRecord scores{scope + ".scores", Operation::AttentionScores, {}, {size.heads, n, n}, {}, {}};
    TraceRecord mask{scope + ".mask", Operation::Mask, {}, {n, n}, {}, {}};
    TraceRecord weights{scope + ".weights", Operation::Softmax, {}, {size.heads, n, n}, {}, {}};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            mask.values.push_back(causal && j > i ? never : 0);
    for (int h = 0; h < size.heads; ++h) {
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            std::vector<double> row;
            for (int j = 0; j < n; ++j) {
                const float score = normal(random) + (i == j ? 3.0F : 0.0F) * static_cast<float>(h % 3 == 1);
                scores.values.push_back(score);
                row.push_back(causal && j > i ? 0 : std::exp(score));
                sum += row.back();
            }
            for (const double e : row)
                weights.values.push_back(static_cast<float>(e / sum));
        }
    }
    trace.append(std::move(scores));
    trace.append(std::move(mask));
    trace.append(std::move(weights));
}

inline void addPlain(Trace& trace, const std::string& name, Operation operation) {
    trace.append({name, operation, {}, {1}, {0}, {}});
}

inline void addBlock(Trace& trace, std::mt19937& random, const std::string& scope, const Size& size, bool causal) {
    for (const char* part : {".q", ".k", ".v"})
        addPlain(trace, scope + part, Operation::Linear);
    addAttention(trace, random, scope, size, causal);
    addPlain(trace, scope + ".heads", Operation::WeightedSum);
    addPlain(trace, scope + ".concat", Operation::Concat);
    addPlain(trace, scope + ".output", Operation::Linear);
}

inline void addNorm(Trace& trace, const std::string& layer, int index) {
    addPlain(trace, layer + ".residual" + std::to_string(index), Operation::Add);
    addPlain(trace, layer + ".norm" + std::to_string(index), Operation::LayerNorm);
}

inline void addFeedForward(Trace& trace, const std::string& layer) {
    addPlain(trace, layer + ".ffn.hidden", Operation::Linear);
    addPlain(trace, layer + ".ffn.activation", Operation::Activation);
    addPlain(trace, layer + ".ffn.output", Operation::Linear);
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
    for (const std::string stack : {"encoder", "decoder"}) {
        const bool decoder = stack == "decoder";
        addPlain(*trace, decoder ? "target.ids" : "source.ids", Operation::Input);
        addPlain(*trace, stack + ".embedding", Operation::Embedding);
        addPlain(*trace, stack + ".positional_encoding", Operation::PositionalEncoding);
        addPlain(*trace, stack + ".input", Operation::Add);
        for (int i = 0; i < size.layers; ++i) {
            const std::string layer = stack + ".layers." + std::to_string(i);
            addBlock(*trace, random, layer + ".self_attn", size, decoder);
            addNorm(*trace, layer, 1);
            if (decoder) addBlock(*trace, random, layer + ".cross_attn", size, false);
            if (decoder) addNorm(*trace, layer, 2);
            addFeedForward(*trace, layer);
            addNorm(*trace, layer, decoder ? 3 : 2);
        }
        addPlain(*trace, stack + ".output", Operation::LayerNorm);
    }
    addPlain(*trace, "logits", Operation::Linear);
    addPlain(*trace, "log_probs", Operation::LogSoftmax);
    return trace;
}

/// A model that ships, by its name without the ending.
inline std::shared_ptr<const TrainedModel> shippedModel(const QString& name) {
    const QString path = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/%1.safetensors").arg(name);
    return std::make_shared<const TrainedModel>(loadModel(path.toStdString()));
}

/// The names of all of them.
inline QStringList shippedModelNames() {
    QStringList names;
    const QDir directory(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models"));
    for (const QString& file : directory.entryList({QStringLiteral("*.safetensors")}))
        names << file.section(u'.', 0, 0);
    return names;
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
