// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/cost.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

struct CostText {
    Q_DECLARE_TR_FUNCTIONS(Cost)
};

/// `transformer.encoder.layers.0.self_attn.in_proj_weight` belongs to `transformer.encoder.layers.0.self_attn`.
QString moduleOf(const QString& tensor) {
    return tensor.section(u'.', 0, -2);
}

}  // namespace

int spacingOf(int layer, int k, Layering layering) {
    int spacing = 1;
    for (int below = 1; below < layer && layering == Layering::Dilated; ++below)
        spacing *= k;
    return spacing;
}

std::vector<int> convolutionWay(int n, int k, Layering layering) {
    std::vector<int> way{n - 1};
    for (int layer = convolutionLayers(n, k, layering); layer > 0; --layer) {
        const int spacing = spacingOf(layer, k, layering);
        way.push_back(way.back() - spacing * std::min(k - 1, way.back() / spacing));
    }
    std::ranges::reverse(way);
    return way;
}

std::vector<LayerCost> layerCosts(int n, int d, int k, Layering layering) {
    const auto work = layerWork(n, d, k, layering);
    const QString ns = formatCount(n), ds = formatCount(d);
    return {{work[0], CostText::tr("RNN"), QStringLiteral("n·d²"), QStringLiteral("%1·%2²").arg(ns, ds),
             QStringLiteral("n")},
            {work[1], CostText::tr("Convolution"), QStringLiteral("k·n·d²"),
             QStringLiteral("%1·%2·%3²").arg(QString::number(k), ns, ds),
             layering == Layering::Dilated ? QStringLiteral("⌈log n/log k⌉") : QStringLiteral("⌈(n−1)/(k−1)⌉")},
            {work[2], CostText::tr("Attention"), QStringLiteral("n²·d"), QStringLiteral("%1²·%2").arg(ns, ds),
             QStringLiteral("1")},
            {work[3], CostText::tr("Attention with projections"), QStringLiteral("n²·d + 4·n·d²"),
             QStringLiteral("%1²·%2 + 4·%1·%2²").arg(ns, ds), QStringLiteral("1")}};
}

std::vector<ModulePart> parametersByPart(const TrainedModel& model) {
    std::vector<ModulePart> parts;
    for (const ParameterSet::Entry& entry : std::as_const(*model.network).parameters().entries()) {
        const QString name = moduleOf(QString::fromStdString(entry.name));
        const QString shape = QString::fromStdString(entry.shape.text());
        if (parts.empty() || parts.back().name != name) parts.push_back({name, {}, 0});
        parts.back().shapes += (parts.back().shapes.isEmpty() ? QString() : QStringLiteral(", ")) + shape;
        parts.back().parameters += static_cast<long>(entry.shape.count());
    }
    return parts;
}

std::vector<WeightBlock> weightBlocks(const LstmTranslator& of) {
    const auto sizes = weightSizes(of);
    return {{sizes[0], CostText::tr("Source embedding"), false},
            {sizes[1], CostText::tr("LSTM"), false},
            {sizes[2], CostText::tr("Target embedding"), true},
            {sizes[3], CostText::tr("LSTM"), true},
            {sizes[4], CostText::tr("Output layer"), true}};
}

long parametersOf(const std::vector<WeightBlock>& blocks) {
    long sum = 0;
    for (const WeightBlock& block : blocks)
        sum += block.count();
    return sum;
}

}  // namespace headlight
