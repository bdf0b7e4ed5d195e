// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/blas.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include <cblas.h>

#include "core/error.h"
#include "core/platform/process.h"
#include "core/tensor/unpacked_products.h"

// What OpenBLAS' products take their memory with. No header tells of it, and another build may lack it.
#if defined(__GNUC__)
extern "C" __attribute__((weak)) void* blas_memory_alloc(int);
extern "C" __attribute__((weak)) void blas_memory_free(void*);
#else
constexpr void* (*blas_memory_alloc)(int) = nullptr;
constexpr void (*blas_memory_free)(void*) = nullptr;
#endif

namespace headlight::blas {

namespace {

CBLAS_TRANSPOSE flag(Transpose transpose) {
    return transpose == Transpose::Yes ? CblasTrans : CblasNoTrans;
}

std::atomic<int> runningProducts = 0, providedProducts = 0;

/// A product that runs. Where more run than were ever reserved, it reserves.
class Running {
public:
    Running() {
        const int running = ++runningProducts;
        if (running <= providedProducts.load(std::memory_order_relaxed)) return;
        try {
            reserve(running);
        } catch (...) {
            --runningProducts;
            throw;
        }
    }
    ~Running() { --runningProducts; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
};

struct Sizes {
    int m, n, k;
};

template <class T>
Sizes sizes(Transpose transA, [[maybe_unused]] Transpose transB, const Tensor<T>& a,
            [[maybe_unused]] const Tensor<T>& b, const Tensor<T>& c) {
    const bool ta = transA == Transpose::Yes;
    [[maybe_unused]] const bool tb = transB == Transpose::Yes;
    const Sizes s{c.rows(), c.cols(), ta ? a.rows() : a.cols()};
    assert((ta ? a.cols() : a.rows()) == s.m);
    assert((tb ? b.rows() : b.cols()) == s.n);
    assert((tb ? b.cols() : b.rows()) == s.k);
    return s;
}

void sgemm(Transpose transA, Transpose transB, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
           const Tensor<float>& c) {
    const auto [m, n, k] = sizes(transA, transB, a, b, c);
    const Running running;
    cblas_sgemm(CblasRowMajor, flag(transA), flag(transB), m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data,
                c.ld);
}

// Before it multiplies, OpenBLAS copies both factors into the order in which its kernels read them. Where c has few
// rows, the copy of b costs as much as the product. For AVX-512 it also has kernels that read the factors where they
// lie, and takes them up to 10^6 multiplications; so a product of few rows is handed over in pieces of that size: the
// recurrent steps of a shard and the rows of a beam are such products. So is a weight's gradient, c += aᵀ b over all
// rows of a shard, as long as c stays in the cache near the processor.

constexpr double mostAtOnce = 1e6;

bool hasFewRows(Transpose transA, const Sizes& s) {
    constexpr int few = 32;
    return transA == Transpose::No && s.m <= few;
}

bool isSmallGradient(Transpose transA, Transpose transB, const Sizes& s) {
    constexpr int cached = 1 << 14;
    return transA == Transpose::Yes && transB == Transpose::No && s.m * s.n <= cached;
}

void fewRowsInPieces(Transpose transB, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
                     const Tensor<float>& c, const Sizes& s) {
    const bool tb = transB == Transpose::Yes;
    // Where b is read along its rows the kernels want pieces of c of at most about 1024 numbers.
    const int wide = tb ? std::clamp(1024 / s.m / 16 * 16, 32, 128) : 128, deep = tb ? 512 : 208;
    for (int column = 0; column < s.n; column += wide) {
        const int columns = std::min(wide, s.n - column);
        for (int inner = 0; inner < s.k; inner += deep) {
            const int depth = std::min(deep, s.k - inner);
            const Tensor<float> piece = tb ? b.rowRange(column, columns).columns(inner, depth)
                                           : b.rowRange(inner, depth).columns(column, columns);
            sgemm(Transpose::No, transB, alpha, a.columns(inner, depth), piece, inner == 0 ? beta : 1.0f,
                  c.columns(column, columns));
        }
    }
}

void gradientInPieces(float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta, const Tensor<float>& c,
                      const Sizes& s) {
    constexpr int high = 128, wide = 64, deep = 120;
    for (int inner = 0; inner < s.k; inner += deep) {
        const int depth = std::min(deep, s.k - inner);
        const Tensor<float> aRows = a.rowRange(inner, depth), bRows = b.rowRange(inner, depth);
        for (int row = 0; row < s.m; row += high) {
            const int rows = std::min(high, s.m - row);
            const Tensor<float> cRows = c.rowRange(row, rows);
            for (int column = 0; column < s.n; column += wide) {
                const int columns = std::min(wide, s.n - column);
                sgemm(Transpose::Yes, Transpose::No, alpha, aRows.columns(row, rows), bRows.columns(column, columns),
                      inner == 0 ? beta : 1.0f, cRows.columns(column, columns));
            }
        }
    }
}

/// All but the columns that fill no vector.
void unpacked(Transpose transA, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
              const Tensor<float>& c, const Sizes& s) {
    const int whole = s.n / floatsInVector() * floatsInVector(), rest = s.n - whole;
    multiplyUnpacked(transA == Transpose::Yes, alpha, a, b.columns(0, whole), beta, c.columns(0, whole));
    if (rest > 0) sgemm(transA, Transpose::No, alpha, a, b.columns(whole, rest), beta, c.columns(whole, rest));
}

/// Where OpenBLAS' kernels are narrower than the processor's vectors, a product whose b stays in the cache is faster
/// without them. Rows of b that are too long would share their place in the cache with one another.
bool isReadInPlace(Transpose transB, const Sizes& s) {
    constexpr int longestRow = 512, longestColumn = 1024, cached = 1 << 18;
    const bool narrowKernels = floatsInVector() >= 16 && !hasWideKernels();
    return narrowKernels && transB == Transpose::No && s.n % floatsInVector() == 0 && s.n <= longestRow &&
           s.m <= longestColumn && s.n * s.k <= cached;
}

Path fastestPath(Transpose transA, Transpose transB, const Sizes& s) {
    const bool large = static_cast<double>(s.m) * s.n * s.k > mostAtOnce;
    if (!large) return Path::Whole;
    if (isReadInPlace(transB, s)) return Path::Unpacked;
    if (!hasWideKernels()) return Path::Whole;
    if (hasFewRows(transA, s)) return Path::FewRowsInPieces;
    return isSmallGradient(transA, transB, s) ? Path::GradientInPieces : Path::Whole;
}

}  // namespace

void gemmOnPath(Path path, Transpose transA, Transpose transB, float alpha, const Tensor<float>& a,
                const Tensor<float>& b, float beta, const Tensor<float>& c) {
    const Sizes s = sizes(transA, transB, a, b, c);
    if (s.m == 0 || s.n == 0) return;
    switch (path) {
        case Path::Whole:
            return sgemm(transA, transB, alpha, a, b, beta, c);
        case Path::FewRowsInPieces:
            assert(transA == Transpose::No && s.k > 0);
            return fewRowsInPieces(transB, alpha, a, b, beta, c, s);
        case Path::GradientInPieces:
            assert(transA == Transpose::Yes && transB == Transpose::No && s.k > 0);
            return gradientInPieces(alpha, a, b, beta, c, s);
        case Path::Unpacked:
            assert(transB == Transpose::No);
            return unpacked(transA, alpha, a, b, beta, c, s);
    }
}

template <>
void gemm(Transpose transA, Transpose transB, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
          const Tensor<float>& c) {
    gemmOnPath(fastestPath(transA, transB, sizes(transA, transB, a, b, c)), transA, transB, alpha, a, b, beta, c);
}

template <>
void gemm(Transpose transA, Transpose transB, double alpha, const Tensor<double>& a, const Tensor<double>& b,
          double beta, const Tensor<double>& c) {
    const auto [m, n, k] = sizes(transA, transB, a, b, c);
    if (m == 0 || n == 0) return;
    const Running running;
    cblas_dgemm(CblasRowMajor, flag(transA), flag(transB), m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data,
                c.ld);
}

void useOneThread() {
    openblas_set_num_threads(1);
}

// OpenBLAS keeps what it once took and gives it to the next product; so what is held here all at once, and given back,
// is there for so many products.
void reserve(int products) {
    constexpr size_t taken = size_t{128} << 20, room = size_t{8} << 20;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (products <= providedProducts) return;
    struct Held {
        std::vector<void*> buffers;
        ~Held() {
            for (void* buffer : buffers)
                blas_memory_free(buffer);
        }
    } held;
    for (int i = 0; i < products; ++i) {
        if (!platform::canSetAside(taken + room))
            throw Error(
                "there is not enough memory for a product of matrices: use fewer threads, or close other programs");
        if (blas_memory_alloc && blas_memory_free) held.buffers.push_back(blas_memory_alloc(0));
    }
    providedProducts = products;
}

std::string coreName() {
    return openblas_get_corename();
}

bool hasWideKernels() {
    static const bool has = [] {
        const std::string core = coreName();
        return core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids";
    }();
    return has;
}

}  // namespace headlight::blas
