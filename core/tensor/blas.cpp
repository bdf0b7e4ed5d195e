// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/blas.h"

#include <cblas.h>

namespace headlight::blas {

namespace {

CBLAS_TRANSPOSE flag(Transpose transpose) {
    return transpose == Transpose::Yes ? CblasTrans : CblasNoTrans;
}

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

}  // namespace

template <>
void gemm(Transpose transA, Transpose transB, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
          const Tensor<float>& c) {
    const auto [m, n, k] = sizes(transA, transB, a, b, c);
    if (m == 0 || n == 0) return;
    cblas_sgemm(CblasRowMajor, flag(transA), flag(transB), m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data,
                c.ld);
}

template <>
void gemm(Transpose transA, Transpose transB, double alpha, const Tensor<double>& a, const Tensor<double>& b,
          double beta, const Tensor<double>& c) {
    const auto [m, n, k] = sizes(transA, transB, a, b, c);
    if (m == 0 || n == 0) return;
    cblas_dgemm(CblasRowMajor, flag(transA), flag(transB), m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data,
                c.ld);
}

void useOneThread() {
    openblas_set_num_threads(1);
}

std::string coreName() {
    return openblas_get_corename();
}

std::string betterCoreName() {
#if defined(__x86_64__)
    const std::string core = coreName();
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (wide && (core == "Haswell" || core == "Zen")) return "SkylakeX";
#endif
    return {};
}

}  // namespace headlight::blas
