// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/position_arithmetic.h"

#include <QCoreApplication>
#include <cmath>

#include "core/nn/attention_positions.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/module_weights.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

struct PositionArithmeticText {
    Q_DECLARE_TR_FUNCTIONS(CellArithmetic)
};

QString positionWritten(double value) {
    return formatNumber(value, 4);
}

CellArithmetic learned(const TraceRecord& record, const Tensor<const float>& table, const ValueCell& cell) {
    const int at = record.weight(UsedWeight::As::Table)->firstRow + cell.row;
    CellArithmetic result;
    result.steps = {{PositionArithmeticText::tr("Row %1 of the learned positions").arg(at),
                     static_cast<double>(table.at(at, cell.column))}};
    return result;
}

CellArithmetic sinusoid(const ModelConfig& config, const TraceRecord& record, const ValueCell& cell) {
    const int width = matrixColumns(record), sines = (width + 1) / 2;
    const bool halves = config.sinusoidLayout == SinusoidLayout::Halves;
    const int pair = halves ? cell.column % sines : cell.column / 2;
    const int position = config.positionOffset + cell.row;
    const double turn = std::pow(config.positionalBase, 2.0 * pair / width);
    const bool sine = halves ? cell.column < sines : cell.column % 2 == 0;
    CellArithmetic result;
    result.formula = PositionArithmeticText::tr("%1(%2 / %3<sup>%4/%5</sup>)")
                         .arg(sine ? QStringLiteral("sin") : QStringLiteral("cos"))
                         .arg(position)
                         .arg(config.positionalBase)
                         .arg(2 * pair)
                         .arg(width);
    result.steps = {
        {PositionArithmeticText::tr("Position %1 over %2").arg(position).arg(positionWritten(turn)), position / turn},
        {sine ? PositionArithmeticText::tr("Its sine") : PositionArithmeticText::tr("Its cosine"),
         sine ? std::sin(position / turn) : std::cos(position / turn)}};
    return result;
}

/// A pair of numbers turned by the angle of its position.
CellArithmetic rotation(const ModelConfig& config, const TraceRecord& record, const TraceRecord& from,
                        const ValueCell& cell) {
    const RotarySpeeds speeds = config.rotarySpeeds(config.isWindowed(record.owner().place.layer));
    const int half = speeds.width / 2, pair = cell.column % half;
    const auto at = [&](int column) { return static_cast<double>(numberAt(from, {cell.head, cell.row, column})); };
    CellArithmetic result;
    if (cell.column >= speeds.width) {
        result.steps = {
            {PositionArithmeticText::tr("Only the first %1 numbers of a head are turned: it stays").arg(speeds.width),
             at(cell.column)}};
        return result;
    }
    const double angle = cell.row * speeds.of(pair);
    const bool first = cell.column < half;
    const double own = at(cell.column), other = at(first ? pair + half : pair);
    const double kept = own * std::cos(angle), turned = (first ? -1 : 1) * other * std::sin(angle);
    result.formula = first ? PositionArithmeticText::tr("x<sub>%1</sub> cos φ − x<sub>%2</sub> sin φ")
                                 .arg(pair + 1)
                                 .arg(pair + half + 1)
                           : PositionArithmeticText::tr("x<sub>%1</sub> cos φ + x<sub>%2</sub> sin φ")
                                 .arg(pair + half + 1)
                                 .arg(pair + 1);
    result.steps = {
        {PositionArithmeticText::tr("The angle φ: position %1 times the speed of pair %2").arg(cell.row).arg(pair + 1),
         angle},
        {PositionArithmeticText::tr("The number %1 times cos φ").arg(positionWritten(own)), kept},
        {(first ? PositionArithmeticText::tr("Less its partner %1 times sin φ")
                : PositionArithmeticText::tr("Plus its partner %1 times sin φ"))
             .arg(positionWritten(other)),
         kept + turned}};
    return result;
}

/// What the distance from query to key counts for this head.
CellArithmetic relativeBias(const ModelConfig& config, const TraceRecord& record, const Tensor<const float>& table,
                            const ValueCell& cell) {
    const RelativeBuckets buckets{config.relativeBuckets, config.relativeMaxDistance,
                                  config.seesBothWays(record.owner().place.stack)};
    const int distance = cell.column - cell.row, bucket = buckets.of(distance);
    CellArithmetic result;
    result.formula = formulaText(record);
    result.steps = {{PositionArithmeticText::tr("Distance %1 is bucket %2: its number for head %3")
                         .arg(distance)
                         .arg(bucket)
                         .arg(cell.head + 1),
                     static_cast<double>(table.at(bucket, cell.head))}};
    return result;
}

}  // namespace

std::optional<CellArithmetic> positionArithmetic(const TrainedModel& model, const Trace& trace,
                                                 const TraceRecord& record, const ValueCell& cell) {
    const ModelConfig& config = model.network->config();
    const Tensor<const float> table = weightOf(model, record, UsedWeight::As::Table);
    if (record.operation == Operation::Rotation) return rotation(config, record, trace.at(record.inputs.front()), cell);
    if (record.operation == Operation::PositionalEncoding)
        return table ? learned(record, table, cell) : sinusoid(config, record, cell);
    if (!table) return {};
    return relativeBias(config, record, table, cell);
}

}  // namespace headlight
