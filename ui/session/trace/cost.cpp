// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/cost.h"

#include <QCoreApplication>
#include <cmath>

namespace headlight {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("headlight", text);
}

/// `transformer.encoder.layers.0.self_attn.in_proj_weight` belongs to `transformer.encoder.layers.0.self_attn`.
QString moduleOf(const QString& tensor) {
    return tensor.section(u'.', 0, -2);
}

}  // namespace

std::vector<LayerCost> layerCosts(double n, double d, double k) {
    return {{tr("RNN"), n * d * d, n, n},
            {tr("Convolution"), k * n * d * d, 1, std::ceil(n / k)},
            {tr("Attention"), n * n * d, 1, 1},
            {tr("Attention with projections"), 2 * n * n * d + 4 * n * d * d, 1, 1}};
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

}  // namespace headlight
