// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/embedding_space.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace headlight {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;
using Rows = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

constexpr int kRowsAtOnce = 1024;  ///< as double numbers: a vocabulary is never copied whole

Rows rowsOf(const EmbeddingTable& table) {
    return {table.values.data(), table.count(), table.width};
}

}  // namespace

const Tokenizer* wordsOf(const TrainedModel& model, const ParameterSet::Entry& entry) {
    const Module& module = *entry.module;
    // A classifier's embedding is of the words that it reads, not of its labels.
    const Tokenizer& words = module.place.stack == Stack::Decoder ? *model.target : *model.source;
    const bool isTable = module.kind == ModuleKind::Embedding && entry.shape.dim(0) == words.vocabulary().size();
    return isTable ? &words : nullptr;
}

EmbeddingTable embeddingTable(const TrainedModel& model, const std::string& name) {
    const ParameterSet& parameters = std::as_const(*model.network).parameters();
    const auto entry = std::ranges::find(parameters.entries(), name + ".weight", &ParameterSet::Entry::name);
    if (entry == parameters.entries().end()) return {};
    const Tensor<const float> weight = parameters.value(static_cast<ParameterId>(entry - parameters.entries().begin()));
    EmbeddingTable table;
    table.width = weight.cols();
    table.values.assign(weight.data, weight.data + weight.count());
    const Tokenizer* const words = wordsOf(model, *entry);
    table.names.reserve(static_cast<size_t>(weight.rows()));
    table.ofWords = words != nullptr;
    for (int row = 0; row < weight.rows(); ++row) {
        table.names.push_back(words ? words->displayOne(row) : std::to_string(row));
        table.keys.push_back(words ? words->vocabulary().token(row) : table.names.back());
        if (words && (words->isSpecial(row) || row == words->specials().unk)) table.specials.push_back(row);
    }
    return table;
}

Plane principalPlane(const EmbeddingTable& table, const std::function<bool(double)>& progress) {
    const int count = table.count();
    if (count < 2) return {};
    const Rows rows = rowsOf(table);
    const Eigen::RowVectorXd mean = rows.cast<double>().colwise().mean();
    const auto centred = [&](int from) -> Matrix {
        return rows.middleRows(from, std::min(kRowsAtOnce, count - from)).cast<double>().rowwise() - mean;
    };
    Matrix products = Matrix::Zero(table.width, table.width);
    for (int from = 0; from < count; from += kRowsAtOnce) {
        products.selfadjointView<Eigen::Lower>().rankUpdate(centred(from).transpose());
        if (progress && !progress(std::min(1.0, static_cast<double>(from + kRowsAtOnce) / count))) return {};
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(products);  // reads the lower half alone
    const int axes = std::min(2, table.width);
    Matrix directions = solver.eigenvectors().rightCols(axes).rowwise().reverse();  // eigenvalues rise
    Plane plane;
    const double whole = std::max(1e-12, solver.eigenvalues().sum());
    for (int axis = 0; axis < axes; ++axis) {
        Eigen::Index largest = 0;
        directions.col(axis).cwiseAbs().maxCoeff(&largest);
        if (directions(largest, axis) < 0) directions.col(axis) *= -1;
        plane.shares[static_cast<size_t>(axis)] = solver.eigenvalues()(table.width - 1 - axis) / whole;
    }
    plane.points.resize(table.names.size());
    for (int from = 0; from < count; from += kRowsAtOnce) {
        const Matrix places = centred(from) * directions;
        for (Eigen::Index row = 0; row < places.rows(); ++row)
            for (int axis = 0; axis < axes; ++axis)
                plane.points[static_cast<size_t>(from + row)][static_cast<size_t>(axis)] =
                    static_cast<float>(places(row, axis));
    }
    return plane;
}

std::vector<double> cosinesWith(Tensor<const float> table, int index) {
    const Rows rows(table.data, table.rows(), table.cols());
    const Eigen::RowVectorXd own = rows.row(index).cast<double>();
    std::vector<double> cosines;
    cosines.reserve(static_cast<size_t>(table.rows()));
    for (int row = 0; row < table.rows(); ++row) {
        const auto other = rows.row(row).cast<double>();
        const double lengths = other.norm() * own.norm();
        cosines.push_back(lengths > 0 ? other.dot(own) / lengths : 0);
    }
    return cosines;
}

std::vector<Neighbour> nearestNeighbours(const EmbeddingTable& table, int index, int count) {
    const std::vector<double> cosines = cosinesWith({table.values.data(), {table.count(), table.width}}, index);
    std::vector<Neighbour> neighbours;
    neighbours.reserve(cosines.size());
    for (int row = 0; row < table.count(); ++row)
        if (row != index) neighbours.push_back({row, cosines[static_cast<size_t>(row)]});
    const auto nearer = [](const Neighbour& a, const Neighbour& b) {
        return a.cosine > b.cosine || (a.cosine == b.cosine && a.index < b.index);
    };
    const size_t kept = std::min(neighbours.size(), static_cast<size_t>(count));
    std::ranges::partial_sort(neighbours, neighbours.begin() + static_cast<std::ptrdiff_t>(kept), nearer);
    neighbours.resize(kept);
    return neighbours;
}

}  // namespace headlight
