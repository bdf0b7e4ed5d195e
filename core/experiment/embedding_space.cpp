// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/embedding_space.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace headlight {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

Matrix asMatrix(const EmbeddingTable& table) {
    using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Rows>(table.values.data(), table.count(), table.width).cast<double>();
}

}  // namespace

EmbeddingTable embeddingTable(const TrainedModel& model, const std::string& name) {
    const ParameterSet& parameters = std::as_const(*model.network).parameters();
    const auto entry = std::ranges::find(parameters.entries(), name + ".weight", &ParameterSet::Entry::name);
    if (entry == parameters.entries().end()) return {};
    const Tensor<const float> weight = parameters.value(static_cast<ParameterId>(entry - parameters.entries().begin()));
    const Module& module = *entry->module;
    EmbeddingTable table;
    table.width = weight.cols();
    table.values.assign(weight.data, weight.data + weight.count());
    // A classifier's embedding is of the words that it reads, not of its labels.
    const Vocabulary& words =
        module.place.stack == Stack::Decoder ? model.target->vocabulary() : model.source->vocabulary();
    // Positions, and types of words, have no names.
    const bool isOfWords = module.kind == ModuleKind::Embedding && weight.rows() == words.size();
    table.names.reserve(static_cast<size_t>(weight.rows()));
    for (int row = 0; row < weight.rows(); ++row)
        table.names.push_back(isOfWords ? words.token(row) : std::to_string(row));
    return table;
}

Plane principalPlane(const EmbeddingTable& table) {
    Plane plane;
    if (table.count() < 2) return plane;
    Matrix centred = asMatrix(table);
    centred.rowwise() -= centred.colwise().mean();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(centred.transpose() * centred);
    const double whole = std::max(1e-12, solver.eigenvalues().sum());
    plane.points.resize(table.names.size());
    for (int axis = 0; axis < 2 && axis < table.width; ++axis) {
        const Eigen::Index at = table.width - 1 - axis;  // eigenvalues rise
        Eigen::VectorXd direction = solver.eigenvectors().col(at);
        Eigen::Index largest = 0;
        direction.cwiseAbs().maxCoeff(&largest);
        if (direction(largest) < 0) direction = -direction;
        const Eigen::VectorXd places = centred * direction;
        for (int row = 0; row < table.count(); ++row)
            plane.points[static_cast<size_t>(row)][static_cast<size_t>(axis)] = static_cast<float>(places(row));
        plane.shares[static_cast<size_t>(axis)] = solver.eigenvalues()(at) / whole;
    }
    return plane;
}

std::vector<Neighbour> nearestNeighbours(const EmbeddingTable& table, int index, int count) {
    const Matrix all = asMatrix(table);
    const Eigen::VectorXd own = all.row(index).transpose();
    std::vector<Neighbour> neighbours;
    neighbours.reserve(table.names.size());
    for (int row = 0; row < table.count(); ++row) {
        const double lengths = all.row(row).norm() * own.norm();
        if (row != index) neighbours.push_back({row, lengths > 0 ? all.row(row).dot(own) / lengths : 0});
    }
    std::ranges::stable_sort(neighbours, std::greater<>(), &Neighbour::cosine);
    neighbours.resize(std::min(neighbours.size(), static_cast<size_t>(count)));
    return neighbours;
}

}  // namespace headlight
