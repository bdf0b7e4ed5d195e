// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/cell_arithmetic.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/module_weights.h"
#include "ui/session/trace/position_arithmetic.h"
#include "ui/session/trace/recurrent_arithmetic.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

using Vector = CellArithmetic::Vector;
using Role = CellArithmetic::Role;

class Writer {
public:
    Writer(const TrainedModel& model, const Trace& trace, const TraceRecord& record, const ValueCell& cell)
        : m_model(model), m_trace(trace), m_record(record), m_cell(cell) {}

    std::optional<CellArithmetic> write();

private:
    const TraceRecord& input(size_t index) const { return m_trace.at(m_record.inputs.at(index)); }
    bool hasInput(size_t index) const { return index < m_record.inputs.size() && m_trace.find(m_record.inputs[index]); }
    std::vector<float> row(const TraceRecord& record, int head, int row) const;
    std::vector<float> column(const TraceRecord& record, int head, int column) const;
    Tensor<const float> weight(UsedWeight::As as) const { return weightOf(m_model, m_record, as); }
    void step(const QString& text, double value) { m_result.steps.push_back({text, value}); }
    /// The head of an input that serves this one: keys and values may have fewer.
    int headOf(const TraceRecord& from) const {
        return m_cell.head * matrixHeads(from) / std::max(1, matrixHeads(m_record));
    }
    double sumOfProducts(Vector a, Vector b);
    void linear(bool squash);
    void scores();
    void additiveScores();
    void softmax();
    void mix();
    void norm();
    void embedding();
    void combineInputs();
    void activate(double x);
    void muteIfMuted();

    const TrainedModel& m_model;
    const Trace& m_trace;
    const TraceRecord& m_record;
    const ValueCell m_cell;
    CellArithmetic m_result;
};

struct CellArithmeticText {
    Q_DECLARE_TR_FUNCTIONS(CellArithmetic)
};

/// A number inside of a sentence of worked arithmetic.
QString written(double value) {
    return formatNumber(value, 4);
}

std::vector<float> Writer::row(const TraceRecord& record, int head, int row) const {
    const std::span<const float> all = matrixValues(record, head);
    const auto width = static_cast<size_t>(matrixColumns(record));
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(row) * width);
    return {from, from + static_cast<std::ptrdiff_t>(width)};
}

std::vector<float> Writer::column(const TraceRecord& record, int head, int column) const {
    std::vector<float> result;
    result.reserve(static_cast<size_t>(matrixRows(record)));
    for (int r = 0; r < matrixRows(record); ++r)
        result.push_back(numberAt(record, {head, r, column}));
    return result;
}

/// Adds both vectors, their products and the sum of these.
double Writer::sumOfProducts(Vector a, Vector b) {
    Vector products{QStringLiteral("×"), {}};
    double sum = 0;
    for (size_t i = 0; i < a.values.size(); ++i) {
        const double product = static_cast<double>(a.values[i]) * static_cast<double>(b.values[i]);
        products.values.push_back(static_cast<float>(product));
        sum += product;
    }
    step(CellArithmeticText::tr("Add the %1 products").arg(a.values.size()), sum);
    m_result.vectors = {std::move(a), std::move(b), std::move(products)};
    return sum;
}

void Writer::linear(bool squash) {
    const std::optional<LinearWeights> found = linearWeights(m_model, m_record, m_cell);
    if (!found) return;
    Vector x{squash ? CellArithmeticText::tr("input") : QStringLiteral("x") + subscript(m_cell.row + 1), {}};
    // What is joined is joined in the order of the inputs.
    for (size_t i = 0; i < m_record.inputs.size(); ++i) {
        const std::vector<float> part = row(input(i), 0, inputRegion(m_trace, m_record, i, m_cell)->row);
        x.values.insert(x.values.end(), part.begin(), part.end());
    }
    if (x.values.size() != found->weight.size()) return;
    m_result.formula =
        squash ? CellArithmeticText::tr("tanh(x · w + b)")
        : found->bias
            ? CellArithmeticText::tr("x<sub>%1</sub> · w<sub>%2</sub> + b<sub>%2</sub>")
                  .arg(m_cell.row + 1)
                  .arg(m_cell.column + 1)
            : CellArithmeticText::tr("x<sub>%1</sub> · w<sub>%2</sub>").arg(m_cell.row + 1).arg(m_cell.column + 1);
    double value = sumOfProducts(std::move(x), {QStringLiteral("w") + subscript(m_cell.column + 1), found->weight});
    if (m_record.factor != 1)
        step(CellArithmeticText::tr("Times %1").arg(written(m_record.factor)), value *= m_record.factor);
    if (found->bias) step(CellArithmeticText::tr("Add the bias %1").arg(written(*found->bias)), value += *found->bias);
    if (squash) step(CellArithmeticText::tr("Squash by tanh"), std::tanh(value));
}

void Writer::scores() {
    const TraceRecord &queries = input(0), &keys = input(1);
    std::vector<float> query = row(queries, m_cell.head, m_cell.row), key = row(keys, headOf(keys), m_cell.column);
    const Tensor<const float> map = weight(UsedWeight::As::KeyMap);
    const bool projected = queries.owner().kind == ModuleKind::Attention, scaled = m_record.factor != 1;
    if (map) {
        std::vector<float> mapped;
        mapped.reserve(static_cast<size_t>(map.rows()));
        for (int d = 0; d < map.rows(); ++d)
            mapped.push_back(std::inner_product(key.begin(), key.end(), map.row(d), 0.0F));
        key = std::move(mapped);
    }
    const QString q = projected ? QStringLiteral("q") : QStringLiteral("s");
    const QString k = projected ? QStringLiteral("k") : map ? QStringLiteral("W h") : QStringLiteral("h");
    m_result.formula = QStringLiteral("%1<sub>%2</sub> · %3<sub>%4</sub>%5")
                           .arg(q)
                           .arg(m_cell.row + 1)
                           .arg(k)
                           .arg(m_cell.column + 1)
                           .arg(scoreDivisor(m_record));
    const auto width = static_cast<double>(query.size());
    const double sum = sumOfProducts({q + subscript(m_cell.row + 1), std::move(query), Role::Query},
                                     {k + subscript(m_cell.column + 1), std::move(key), Role::Key});
    const std::optional<int> layer = layerDivisor(m_record);
    if (layer)
        step(CellArithmeticText::tr("Divide by √%1 = %2").arg(width).arg(written(std::sqrt(width))),
             sum / std::sqrt(width));
    // A layer may divide by its number as well.
    if (layer && *layer > 1)
        step(CellArithmeticText::tr("Divide by the layer's number, %1").arg(*layer), sum * m_record.factor);
    if (scaled && !layer) step(CellArithmeticText::tr("Times %1").arg(written(m_record.factor)), sum * m_record.factor);
    if (!hasInput(2)) return;
    const auto bias = static_cast<double>(numberAt(input(2), {headOf(input(2)), m_cell.row, m_cell.column}));
    step(CellArithmeticText::tr("Add what the distance counts, %1").arg(written(bias)), sum * m_record.factor + bias);
}

void Writer::additiveScores() {
    using As = UsedWeight::As;
    const Tensor<const float> toQuery = weight(As::QueryMap), toKey = weight(As::KeyMap), energy = weight(As::Energy);
    if (!toQuery || !toKey || !energy) return;
    const std::vector<float> state = row(input(0), 0, m_cell.row), memory = row(input(1), 0, m_cell.column);
    Vector v{QStringLiteral("v"), {energy.row(0), energy.row(0) + energy.cols()}};
    Vector inner{QStringLiteral("tanh"), {}};
    for (int d = 0; d < toQuery.rows(); ++d) {
        const double q = std::inner_product(state.begin(), state.end(), toQuery.row(d), 0.0);
        const double k = std::inner_product(memory.begin(), memory.end(), toKey.row(d), 0.0);
        inner.values.push_back(static_cast<float>(std::tanh(q + k)));
    }
    m_result.formula = CellArithmeticText::tr("v · tanh(W<sub>k</sub> h<sub>%1</sub> + W<sub>q</sub> s<sub>%2</sub>)")
                           .arg(m_cell.column + 1)
                           .arg(m_cell.row + 1);
    sumOfProducts(std::move(v), std::move(inner));
}

void Writer::softmax() {
    std::vector<float> scores = row(input(0), m_cell.head, m_cell.row);
    if (hasInput(1)) {
        const std::vector<float> mask = row(input(1), 0, m_cell.row);
        for (size_t i = 0; i < scores.size(); ++i)
            scores[i] += mask[i];
    }
    const auto at = static_cast<size_t>(m_cell.column);
    if (m_record.operation == Operation::LogSoftmax) {
        double sum = 0;
        for (const float s : scores)
            sum += std::exp(static_cast<double>(s));
        m_result.formula = CellArithmeticText::tr("z<sub>%1</sub> − log Σ e<sup>z</sup>").arg(m_cell.column + 1);
        step(CellArithmeticText::tr("The word's logit"), static_cast<double>(scores[at]));
        step(CellArithmeticText::tr("Subtract log of the sum of all %1, log %2").arg(scores.size()).arg(written(sum)),
             static_cast<double>(scores[at]) - std::log(sum));
        return;
    }
    m_result.formula = CellArithmeticText::tr("e<sup>s</sup> / Σ e<sup>s</sup> over row %1").arg(m_cell.row + 1);
    if (std::isinf(scores[at])) return step(CellArithmeticText::tr("Masked: e to the power of −∞"), 0);
    Vector exponentials{QStringLiteral("eˢ"), {}};
    double sum = 0;
    for (const float s : scores) {
        const double e = std::exp(static_cast<double>(s));
        exponentials.values.push_back(static_cast<float>(e));
        sum += e;
    }
    const double e = std::exp(static_cast<double>(scores[at]));
    m_result.vectors = {{QStringLiteral("s"), std::move(scores)}, std::move(exponentials)};
    step(CellArithmeticText::tr("e to the power of the score"), e);
    step(CellArithmeticText::tr("Divide by the sum of the row, %1").arg(written(sum)), e / sum);
}

void Writer::mix() {
    const TraceRecord &mixed = input(0), &values = input(1);
    m_result.formula = CellArithmeticText::tr("Σ<sub>j</sub> a<sub>%1j</sub> v<sub>j%2</sub>")
                           .arg(m_cell.row + 1)
                           .arg(m_cell.column + 1);
    sumOfProducts({QStringLiteral("a") + subscript(m_cell.row + 1), row(mixed, m_cell.head, m_cell.row)},
                  {QStringLiteral("v"), column(values, headOf(values), m_cell.column), Role::Value});
    muteIfMuted();
}

/// What a head has to say is counted as zero while it is muted.
void Writer::muteIfMuted() {
    if (numberAt(m_record, m_cell) == 0 && std::abs(m_result.steps.back().value) > 1e-6)
        step(CellArithmeticText::tr("The head is muted"), 0);
}

void Writer::norm() {
    const Tensor<const float> scale = weight(UsedWeight::As::Scale), shift = weight(UsedWeight::As::Shift);
    if (!scale) return;
    const bool centred = m_record.operation == Operation::LayerNorm;
    const std::vector<float> x = row(input(0), headOf(input(0)), m_cell.row);
    const auto n = static_cast<double>(x.size());
    const double mean = centred ? std::accumulate(x.begin(), x.end(), 0.0) / n : 0;
    double variance = 0;
    for (const float each : x)
        variance += (static_cast<double>(each) - mean) * (static_cast<double>(each) - mean) / n;
    const double deviation = std::sqrt(variance + m_model.network->config().layerNormEps);
    const auto at = static_cast<size_t>(m_cell.column);
    const double plus = m_record.weight(UsedWeight::As::Scale)->plus, own = static_cast<double>(x[at]),
                 gamma = static_cast<double>(scale.at(0, m_cell.column)),
                 beta = shift ? static_cast<double>(shift.at(0, m_cell.column)) : 0;
    m_result.formula = formulaText(m_record);
    m_result.vectors = {{QStringLiteral("x") + subscript(m_cell.row + 1), x}};
    step(CellArithmeticText::tr("The number"), own);
    if (centred) step(CellArithmeticText::tr("Subtract the mean of the row, μ = %1").arg(written(mean)), own - mean);
    step((centred ? CellArithmeticText::tr("Divide by its deviation, %1")
                  : CellArithmeticText::tr("Divide by the row's root mean square, %1"))
             .arg(written(deviation)),
         (own - mean) / deviation);
    step(shift       ? CellArithmeticText::tr("Times γ = %1, plus β = %2").arg(written(gamma), written(beta))
         : plus != 0 ? CellArithmeticText::tr("Times 1 + γ = %1").arg(written(plus + gamma))
                     : CellArithmeticText::tr("Times γ = %1").arg(written(gamma)),
         (own - mean) / deviation * (plus + gamma) + beta);
}

void Writer::embedding() {
    const Tensor<const float> table = weight(UsedWeight::As::Table);
    if (!table) return;
    const int id = static_cast<int>(std::lround(numberAt(input(0), {0, m_cell.row, 0})));
    const double raw = static_cast<double>(table.at(id, m_cell.column)), scale = m_record.factor;
    m_result.formula = CellArithmeticText::tr("E<sub>%1, %2</sub>").arg(id).arg(m_cell.column);
    step(CellArithmeticText::tr("Row %1, column %2 of the embedding").arg(id).arg(m_cell.column), raw);
    if (scale == 1) return;
    m_result.formula += CellArithmeticText::tr(" · √d<sub>model</sub>");
    step(CellArithmeticText::tr("Times √%1 = %2").arg(std::lround(scale * scale)).arg(written(scale)), raw * scale);
}

/// Sums, products, activations, concatenations and what is handed on: number by number.
void Writer::combineInputs() {
    const auto read = [&](size_t index) {
        const std::optional<InputRegion> region = inputRegion(m_trace, m_record, index, m_cell);
        return static_cast<double>(numberAt(input(index), {region->head, region->row, region->column}));
    };
    if (m_record.operation == Operation::Add) {
        m_result.formula = formulaText(m_record);
        double sum = read(0);
        step(valueTitle(input(0)), sum);
        for (size_t i = 1; i < m_record.inputs.size(); ++i)
            step(CellArithmeticText::tr("Add %1, %2").arg(valueTitle(input(i)), written(read(i))), sum += read(i));
    } else if (m_record.operation == Operation::Multiply) {
        m_result.formula = formulaText(m_record);
        step(valueTitle(input(0)), read(0));
        step(CellArithmeticText::tr("Times %1, %2").arg(valueTitle(input(1)), written(read(1))), read(0) * read(1));
    } else if (m_record.operation == Operation::SoftCap) {
        const double x = read(0), cap = m_record.factor;
        m_result.formula = formulaText(m_record);
        step(CellArithmeticText::tr("The number"), x);
        step(CellArithmeticText::tr("Divide by the cap, %1").arg(written(cap)), x / cap);
        step(CellArithmeticText::tr("Its tanh"), std::tanh(x / cap));
        step(CellArithmeticText::tr("Times the cap, %1").arg(written(cap)), cap * std::tanh(x / cap));
    } else if (m_record.operation == Operation::Activation) {
        const double x = read(0);
        step(CellArithmeticText::tr("The number"), x);
        activate(x);
    } else {
        for (size_t i = 0; i < m_record.inputs.size(); ++i)
            if (inputRegion(m_trace, m_record, i, m_cell))
                step(CellArithmeticText::tr("From %1").arg(valueTitle(input(i))), read(i));
    }
}

void Writer::activate(double x) {
    constexpr double toTanh = 0.7978845608028654;  // √(2/π) (Hendrycks, Gimpel 2016)
    const ModelConfig& config = m_model.network->config();
    const bool pools = m_record.owner().kind == ModuleKind::Head && config.pooler != PoolerKind::None;
    if (pools && config.pooler == PoolerKind::Tanh) {
        m_result.formula = QStringLiteral("tanh(x)");
        return step(CellArithmeticText::tr("Its tanh"), std::tanh(x));
    }
    const bool rectifies = config.pooler == PoolerKind::Relu;
    switch (pools ? (rectifies ? ops::Activation::Relu : ops::Activation::Gelu) : config.activation) {
        case ops::Activation::Relu:
            m_result.formula = QStringLiteral("max(0, x)");
            return step(CellArithmeticText::tr("Nothing below zero passes"), std::max(0.0, x));
        case ops::Activation::Gelu:
            m_result.formula = QStringLiteral("x · Φ(x)");
            return step(CellArithmeticText::tr("Times Φ(x), the share of a normal distribution below it"),
                        0.5 * x * (1 + std::erf(x / std::sqrt(2.0))));
        case ops::Activation::GeluTanh:
            m_result.formula = CellArithmeticText::tr("x · (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2");
            return step(CellArithmeticText::tr("Times a tanh that stands for Φ(x)"),
                        0.5 * x * (1 + std::tanh(toTanh * (x + 0.044715 * x * x * x))));
        case ops::Activation::Silu:
            m_result.formula = QStringLiteral("x · σ(x)");
            return step(CellArithmeticText::tr("Times σ(x), its sigmoid"), x / (1 + std::exp(-x)));
        case ops::Activation::QuickGelu:
            m_result.formula = QStringLiteral("x · σ(1.702 x)");
            return step(CellArithmeticText::tr("Times σ(1.702 x), which stands for Φ(x)"),
                        x / (1 + std::exp(-1.702 * x)));
    }
}

std::optional<CellArithmetic> Writer::write() {
    if (!m_cell.valid()) return {};
    for (const std::string& name : m_record.inputs)
        if (!m_trace.find(name)) return {};
    switch (m_record.operation) {
        case Operation::Input:
        case Operation::Mask:
            break;
        case Operation::Embedding:
            embedding();
            break;
        case Operation::PositionalEncoding:
        case Operation::RelativeBias:
        case Operation::Rotation:
            return positionArithmetic(m_model, m_trace, m_record, m_cell);
        case Operation::Add:
        case Operation::Multiply:
        case Operation::Activation:
        case Operation::SoftCap:
        case Operation::Concat:
        case Operation::Identity:
            combineInputs();
            break;
        case Operation::Linear:
        case Operation::Tanh:
            linear(m_record.operation == Operation::Tanh);
            break;
        case Operation::AttentionScores:
        case Operation::DotScores:
            scores();
            break;
        case Operation::AdditiveScores:
            additiveScores();
            break;
        case Operation::Softmax:
        case Operation::LogSoftmax:
            softmax();
            break;
        case Operation::WeightedSum:
            mix();
            break;
        case Operation::LayerNorm:
        case Operation::RmsNorm:
            norm();
            break;
        case Operation::Gate:
        case Operation::Candidate:
        case Operation::CellState:
        case Operation::HiddenState:
            return recurrentArithmetic(m_model, m_trace, m_record, m_cell);
    }
    if (m_result.steps.empty()) return {};
    return std::move(m_result);
}

}  // namespace

std::optional<CellArithmetic> cellArithmetic(const TrainedModel& model, const Trace& trace, const TraceRecord& record,
                                             const ValueCell& cell) {
    return Writer(model, trace, record, cell).write();
}

}  // namespace headlight
