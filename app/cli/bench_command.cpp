// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <thread>

#include "app/cli/bench_model.h"
#include "app/cli/cli.h"
#include "core/error.h"
#include "core/tensor/blas.h"
#include "core/tensor/blas_kernels.h"
#include "core/train/trainer.h"

namespace headlight::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// A training step of fixed size. Both sides have `length` tokens, all of them words.
struct BenchConfig {
    std::string name;
    ModelConfig model;
    int batch = 0;
    int length = 0;

    /// Floating-point operations of a step: forward, and twice that backward; products alone are counted.
    double flops() const {
        const double n = static_cast<double>(batch) * length, s = length, v = model.targetVocabSize;
        if (model.recurrent()) {
            const double h = model.hiddenSize, e = model.embeddingSize;
            return 3 * (2 * 2 * n * 4 * h * (e + h) + 2 * n * h * v);
        }
        const double d = model.dModel, ff = model.dFf, layers = model.numEncoderLayers;
        const double encoder = 2 * n * (4 * d * d + 2 * d * ff) + 4 * n * s * d;
        const double decoder = 2 * n * (8 * d * d + 2 * d * ff) + 8 * n * s * d;
        return 3 * (layers * (encoder + decoder) + 2 * n * d * v);
    }
};

BenchConfig transformer(const char* name, int vocabulary, int width, int heads, int layers, int batch, int length) {
    ModelConfig model{
        .dModel = width, .numHeads = heads, .numEncoderLayers = layers, .numDecoderLayers = layers, .dFf = 4 * width};
    model.sourceVocabSize = model.targetVocabSize = vocabulary;
    return {name, model, batch, length};
}

BenchConfig lstm(const char* name, int vocabulary, int embedding, int hidden, int batch, int length) {
    ModelConfig model{.architecture = "rnn", .dropout = 0, .embeddingSize = embedding, .hiddenSize = hidden};
    model.sourceVocabSize = model.targetVocabSize = vocabulary;
    return {name, model, batch, length};
}

// A new size is a line here.
const std::vector<BenchConfig>& configs() {
    static const std::vector<BenchConfig> all{
        transformer("tiny", 200, 64, 4, 2, 32, 12), transformer("small", 1000, 128, 8, 2, 64, 20),
        transformer("base", 8000, 256, 8, 3, 64, 30), lstm("lstm-small", 1000, 128, 256, 64, 20)};
    return all;
}

/// Measures a product of 2048 × 2048 matrices, its rows shared out among the threads.
class SgemmMeter {
public:
    explicit SgemmMeter(int threads) : m_threads(threads), m_memory(3 * matrix, 0.5f), m_pool(threads) {}

    void measure(int repetitions) {
        const Tensor<float> a(m_memory.data(), {n, n}), b(m_memory.data() + matrix, {n, n}),
            c(m_memory.data() + 2 * matrix, {n, n});
        const auto part = [&](int i) {
            const int first = n * i / m_threads, rows = n * (i + 1) / m_threads - first;
            blas::gemm(blas::Transpose::No, blas::Transpose::No, 1.0f, a.rowRange(first, rows), b, 0.0f,
                       c.rowRange(first, rows));
        };
        for (int i = 0; i < repetitions; ++i)
            m_best = std::min(m_best, secondsOf([&] { m_pool.run(m_threads, part); }));
    }
    /// Floating-point operations a second: the best that was measured, because anything else on the machine only slows
    /// it down.
    double rate() const { return 2.0 * n * n * n / m_best; }

private:
    static constexpr int n = 2048;
    static constexpr size_t matrix = static_cast<size_t>(n) * n;

    int m_threads;
    std::vector<float> m_memory;
    WorkerPool m_pool;
    double m_best = 1e9;
};

/// Seconds of a step: the median, after some to warm up. In between the machine's rate is measured, so that both have
/// seen the same weather.
double stepSeconds(const BenchConfig& config, int threads, SgemmMeter& sgemm) {
    constexpr int warmUp = 5, rounds = 4, least = 5;
    constexpr double budget = 0.6;  // seconds a round
    const std::unique_ptr<Model> model = Model::make(config.model);
    model->initialize(1);
    Random random(1);
    const auto words = [&](int count) {
        std::vector<int> ids(static_cast<size_t>(count));
        for (int& id : ids)
            id = 4 + static_cast<int>(random.below(static_cast<uint64_t>(config.model.targetVocabSize - 4)));
        return ids;
    };
    std::vector<Example> examples(static_cast<size_t>(8) * static_cast<size_t>(config.batch));
    for (Example& example : examples)
        example = {words(config.length), words(config.length - 1)};  // <bos> makes them as long
    Trainer trainer(*model, examples, {.steps = 1000000, .batchSize = config.batch, .threads = threads});
    std::vector<double> seconds;
    for (int i = 0; i < warmUp; ++i)
        trainer.step();
    for (int round = 0; round < rounds; ++round) {
        sgemm.measure(3);
        double spent = 0;
        for (int i = 0; i < least || spent < budget; ++i) {
            seconds.push_back(secondsOf([&] { trainer.step(); }));
            spent += seconds.back();
        }
    }
    sgemm.measure(3);
    const auto middle = seconds.begin() + static_cast<long>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
}

struct BenchOptions {
    std::vector<std::string> names;
    ModelBench model;  ///< instead of steps, where one is named
    int threads = 0;
    bool kernelsOnly = false;
    bool json = false;
};

/// Which kernels multiply, and what the processor could do.
nlohmann::json kernelsToJson() {
    return {{"kernels", blas::coreName()}, {"features", blas::featuresText(blas::processorFeatures())}};
}

void warnOfPoorKernels() {
    const std::string better = blas::betterKernels(blas::processorFeatures(), blas::coreName());
    if (!better.empty())
        std::cerr << "headlight-cli: warning: products use OpenBLAS' kernels for " << blas::coreName()
                  << ", and this processor runs those for " << better
                  << ", which are faster: leave OPENBLAS_CORETYPE unset\n";
}

void report(const BenchConfig& config, int threads, double seconds, double sgemm, bool json) {
    const double rate = config.flops() / seconds;
    const double tokens = static_cast<double>(config.batch) * config.length / seconds;
    if (json) {
        nlohmann::json line{{"config", config.name},
                            {"threads", threads},
                            {"step_ms", seconds * 1e3},
                            {"tokens_per_second", tokens},
                            {"gflops", rate / 1e9},
                            {"sgemm_gflops", sgemm / 1e9},
                            {"fraction_of_sgemm", rate / sgemm}};
        line.update(kernelsToJson());
        printJson(line);
        return;
    }
    std::cout << std::left << std::setw(12) << config.name << std::right << std::setw(9) << fixed(seconds * 1e3, 2)
              << " ms" << std::setw(12) << grouped(static_cast<long>(tokens)) << " tokens/s" << std::setw(9)
              << fixed(rate / 1e9, 1) << " GFLOP/s  of " << fixed(sgemm / 1e9, 1) << ": "
              << fixed(100 * rate / sgemm, 1) << " %" << std::endl;
}

void runBench(const BenchOptions& options) {
    const int threads = options.threads > 0 ? options.threads
                                            : std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1,
                                                         WorkerPool::mostThreads);
    blas::useOneThread();
    if (!options.kernelsOnly) blas::reserve(threads);
    warnOfPoorKernels();
    if (options.kernelsOnly && options.json) return printJson(kernelsToJson());
    if (!options.json)
        std::cout << threads << (threads == 1 ? " thread" : " threads") << ", OpenBLAS kernels for " << blas::coreName()
                  << ", the processor has " << blas::featuresText(blas::processorFeatures()) << std::endl;
    if (options.kernelsOnly) return;
    if (!options.model.model.empty()) {
        ModelBench model = options.model;
        model.threads = threads;
        model.json = options.json;
        return benchModel(model);
    }
    for (const BenchConfig& config : configs()) {
        if (!options.names.empty() && std::ranges::find(options.names, config.name) == options.names.end()) continue;
        SgemmMeter sgemm(threads);
        const double seconds = stepSeconds(config, threads, sgemm);
        report(config, threads, seconds, sgemm.rate(), options.json);
    }
}

}  // namespace

void addBench(CLI::App& app) {
    CLI::App* command = app.add_subcommand("bench", "Time training steps of fixed sizes against the machine's SGEMM");
    auto options = std::make_shared<BenchOptions>();
    std::vector<std::string> names;
    std::string choices;
    for (const BenchConfig& config : configs()) {
        names.push_back(config.name);
        choices += (choices.empty() ? "" : "|") + config.name;
    }
    command->add_option("--config", options->names, "Which; all by default")
        ->check(CLI::IsMember(names))
        ->option_text(choices + "…");
    command->add_option("--threads", options->threads, "Threads; by default one a processor")
        ->check(CLI::Range(1, WorkerPool::mostThreads))
        ->option_text("N");
    command->add_flag("--kernels", options->kernelsOnly, "Time nothing: only say which kernels multiply");
    command->add_option("--model", options->model.model, "Time this language model instead: opening, reading, writing")
        ->option_text("MODEL");
    command->add_option("--tokens", options->model.tokens, "Of the text that it reads; 64 unless said otherwise")
        ->check(CLI::Range(1, 1 << 20))
        ->option_text("N");
    command->add_flag("--json", options->json, "One JSON object a line");
    command->callback([options] { runBench(*options); });
}

}  // namespace headlight::cli
