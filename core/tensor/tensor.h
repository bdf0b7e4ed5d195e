// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <string>

namespace headlight {

/// Up to four dimensions, outermost first.
class Shape {
public:
    static constexpr int maxRank = 4;

    Shape() = default;
    Shape(std::initializer_list<int> dims) {
        assert(dims.size() <= maxRank);
        for (int dim : dims)
            m_dims[static_cast<size_t>(m_rank++)] = dim;
    }

    int rank() const { return m_rank; }
    /// Negative axes count from the last: dim(-1) is the innermost.
    int dim(int axis) const { return m_dims[static_cast<size_t>(axis < 0 ? m_rank + axis : axis)]; }
    size_t count() const {
        size_t product = 1;
        for (int axis = 0; axis < m_rank; ++axis)
            product *= static_cast<size_t>(dim(axis));
        return product;
    }
    bool operator==(const Shape&) const = default;
    std::string text() const {  ///< "5×64"
        std::string result;
        for (int axis = 0; axis < m_rank; ++axis)
            result += (axis ? "×" : "") + std::to_string(dim(axis));
        return result;
    }

private:
    std::array<int, maxRank> m_dims{};
    int m_rank = 0;
};

/// A view of numbers that somebody else owns (an Arena, a ParameterSet), row-major. The rows of a matrix may lie `ld`
/// numbers apart, so that a range of columns is a view as well; everything else is packed.
template <class T>
struct Tensor {
    T* data = nullptr;
    Shape shape;
    int ld = 0;  ///< distance between rows, >= shape.dim(-1)

    Tensor() = default;
    Tensor(T* memory, Shape size) : data(memory), shape(size), ld(size.rank() ? size.dim(-1) : 1) {}
    Tensor(T* memory, Shape size, int leadingDimension) : data(memory), shape(size), ld(leadingDimension) {}

    explicit operator bool() const { return data != nullptr; }
    size_t count() const { return shape.count(); }
    int cols() const { return shape.dim(-1); }
    int rows() const { return cols() ? static_cast<int>(count() / static_cast<size_t>(cols())) : 0; }
    bool packed() const { return ld == cols(); }
    T* row(int index) const { return data + static_cast<size_t>(index) * static_cast<size_t>(ld); }
    T& at(int i, int j) const { return row(i)[j]; }

    /// Columns [first, first + n) of a matrix.
    Tensor columns(int first, int n) const { return data ? Tensor(data + first, {rows(), n}, ld) : Tensor(); }
    /// Rows [first, first + n) of a matrix.
    Tensor rowRange(int first, int n) const { return data ? Tensor(row(first), {n, cols()}, ld) : Tensor(); }
};

}  // namespace headlight
