// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of a training step, each at the sizes that `small` and `base` give it, and what the shipped model takes
// for a sentence: build/release/tests/bench_engine.
#include <benchmark/benchmark.h>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/io/model_file.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/tensor/number_formats.h"
#include "core/tensor/random.h"

using namespace headlight;

namespace {

std::vector<float> numbers(size_t count) {
    Random random(1);
    std::vector<float> result(count);
    for (float& number : result)
        number = static_cast<float>(random.uniform(-1, 1));
    return result;
}

/// Bytes that a kernel reads and writes for each number.
void countBytes(benchmark::State& state, size_t numbersMoved) {
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                            static_cast<int64_t>(numbersMoved * sizeof(float)));
}

void add(benchmark::State& state) {
    const size_t n = static_cast<size_t>(state.range(0));
    std::vector<float> x = numbers(n), y = numbers(n);
    for (auto _ : state)
        kernels<float>().add(n, x.data(), y.data(), y.data());
    countBytes(state, 3 * n);
}
BENCHMARK(add)->Arg(320 * 128)->Arg(480 * 256);

void widen(benchmark::State& state, void (*kernel)(size_t, const uint16_t*, float*)) {
    const size_t n = static_cast<size_t>(state.range(0));
    const std::vector<uint16_t> stored(n, 0x3C01);
    std::vector<float> wide(n);
    for (auto _ : state)
        kernel(n, stored.data(), wide.data());
    countBytes(state, n);  // of what comes out
}
BENCHMARK_CAPTURE(widen, half, floatsFromHalf)->Arg(32768)->Arg(16 << 20);
BENCHMARK_CAPTURE(widen, brain, floatsFromBrain)->Arg(32768)->Arg(16 << 20);

void dropout(benchmark::State& state) {
    const size_t n = static_cast<size_t>(state.range(0));
    std::vector<float> x = numbers(n);
    for (auto _ : state)
        kernels<float>().dropout(n, 0.1f, 7, x.data(), x.data());
    countBytes(state, 2 * n);
}
BENCHMARK(dropout)->Arg(320 * 128)->Arg(480 * 256);

void relu(benchmark::State& state) {
    const size_t n = static_cast<size_t>(state.range(0));
    std::vector<float> x = numbers(n);
    for (auto _ : state)
        kernels<float>().relu(n, x.data(), x.data());
    countBytes(state, 2 * n);
}
BENCHMARK(relu)->Arg(320 * 512);

void gelu(benchmark::State& state) {
    const size_t n = static_cast<size_t>(state.range(0));
    std::vector<float> x = numbers(n), y(n);
    for (auto _ : state)
        kernels<float>().gelu(n, x.data(), y.data());
    countBytes(state, 2 * n);
}
BENCHMARK(gelu)->Arg(320 * 512);

void softmaxRows(benchmark::State& state) {
    const int rows = static_cast<int>(state.range(0)), cols = static_cast<int>(state.range(1));
    const std::vector<float> x = numbers(static_cast<size_t>(rows) * static_cast<size_t>(cols));
    std::vector<float> y = x;
    for (auto _ : state)
        kernels<float>().softmaxRows(rows, cols, nullptr, y.data());
    countBytes(state, 2 * x.size());
}
BENCHMARK(softmaxRows)->Args({2560, 20})->Args({3840, 30});

void layerNorm(benchmark::State& state) {
    const int rows = static_cast<int>(state.range(0)), cols = static_cast<int>(state.range(1));
    const std::vector<float> x = numbers(static_cast<size_t>(rows) * static_cast<size_t>(cols));
    std::vector<float> y(x.size()), weight(static_cast<size_t>(cols), 1.0f), bias(static_cast<size_t>(cols));
    std::vector<float> mean(static_cast<size_t>(rows)), deviation(static_cast<size_t>(rows));
    for (auto _ : state)
        kernels<float>().layerNorm(rows, cols, x.data(), weight.data(), bias.data(), 1e-5f, y.data(), mean.data(),
                                   deviation.data());
    countBytes(state, 2 * x.size());
}
BENCHMARK(layerNorm)->Args({320, 128})->Args({480, 256});

/// c = a bᵀ (a layer forwards), a b (backwards), aᵀ b (a weight's gradient): m rows, n columns, k summed.
void product(benchmark::State& state, blas::Transpose transA, blas::Transpose transB) {
    const int m = static_cast<int>(state.range(0)), n = static_cast<int>(state.range(1)),
              k = static_cast<int>(state.range(2));
    const auto matrix = [](std::vector<float>& memory, bool transposed, int rows, int cols) {
        return transposed ? Tensor<float>(memory.data(), {cols, rows}) : Tensor<float>(memory.data(), {rows, cols});
    };
    std::vector<float> a = numbers(static_cast<size_t>(m) * static_cast<size_t>(k)),
                       b = numbers(static_cast<size_t>(n) * static_cast<size_t>(k)),
                       c(static_cast<size_t>(m) * static_cast<size_t>(n));
    const Tensor<float> left = matrix(a, transA == blas::Transpose::Yes, m, k),
                        right = matrix(b, transB == blas::Transpose::Yes, k, n), result = matrix(c, false, m, n);
    for (auto _ : state)
        blas::gemm(transA, transB, 1.0f, left, right, 0.0f, result);
    state.counters["FLOP/s"] =
        benchmark::Counter(2.0 * m * n * k * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(product, forwards, blas::Transpose::No, blas::Transpose::Yes)
    ->Args({320, 128, 128})
    ->Args({320, 512, 128})
    ->Args({480, 1024, 256})
    ->Args({16, 1024, 256});
BENCHMARK_CAPTURE(product, backwards, blas::Transpose::No, blas::Transpose::No)
    ->Args({320, 128, 128})
    ->Args({320, 128, 512})
    ->Args({480, 256, 1024})
    ->Args({16, 256, 1024});
BENCHMARK_CAPTURE(product, gradient, blas::Transpose::Yes, blas::Transpose::No)
    ->Args({64, 64, 96})
    ->Args({128, 128, 320})
    ->Args({1024, 256, 480});

const TrainedModel& shipped() {
    static const TrainedModel model = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
    return model;
}

void translateAndTrace(benchmark::State& state) {
    const std::string sentence = "tôi đang học tiếng anh";
    for (auto _ : state) {
        benchmark::DoNotOptimize(translate(shipped(), {sentence}));
        benchmark::DoNotOptimize(traceSentence(shipped(), sentence));
    }
}
BENCHMARK(translateAndTrace)->Unit(benchmark::kMillisecond);

/// A thousand sentences in batches, all processors.
void beamSearchOfAThousand(benchmark::State& state) {
    std::vector<std::string> sentences;
    const CorpusSplits& splits = findTask("vi-en").corpus();
    for (const Corpus* part : {&splits.test, &splits.validation})
        for (const SentencePair& pair : *part)
            sentences.push_back(pair.source);
    for (auto _ : state)
        benchmark::DoNotOptimize(translate(shipped(), sentences, {.beam = static_cast<int>(state.range(0))}));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(sentences.size()));
}
BENCHMARK(beamSearchOfAThousand)->Arg(1)->Arg(5)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    blas::useOneThread();
    benchmark::AddCustomContext("OpenBLAS kernels", blas::coreName());
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
