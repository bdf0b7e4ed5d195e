// SPDX-License-Identifier: GPL-3.0-or-later
// What a model of its own size takes: to be opened, to read a text with every value kept, and to write one.
#include "app/cli/bench_model.h"

#include <algorithm>
#include <chrono>
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/import/import_model.h"
#include "core/models/language_model.h"
#include "core/platform/process.h"
#include "core/platform/shared_work.h"

namespace headlight::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct Measured {
    double openSeconds = 0, traceSeconds = 0, generateSeconds = 0;
    size_t parameters = 0, traceBytes = 0, peakBytes = 0;

    double weightBytes() const { return static_cast<double>(parameters * sizeof(float)); }
};

size_t bytesOf(const Trace& trace) {
    size_t bytes = 0;
    for (const TraceRecord& record : trace.records())
        bytes += record.values.size() * sizeof(float);
    return bytes;
}

/// Words from all over the vocabulary, always the same.
std::vector<int> textOf(int tokens, const ModelConfig& config) {
    Random random(1);
    std::vector<int> ids(static_cast<size_t>(tokens));
    for (int& id : ids)
        id = static_cast<int>(random.below(static_cast<uint64_t>(config.sourceVocabSize)));
    return ids;
}

Measured measure(const ModelBench& bench) {
    Measured found;
    TrainedModel model;
    found.openSeconds = secondsOf([&] { model = openModel(bench.model); });
    const LanguageModel& network = model.languageModel();
    if (bench.tokens > network.config().maxLength)
        throw Error("this model reads at most " + std::to_string(network.config().maxLength) +
                    " tokens: lower --tokens");
    found.parameters = network.parameters().count();
    const std::vector<int> text = textOf(bench.tokens, network.config());
    found.traceSeconds = 1e9;
    for (int round = 0; round < bench.rounds; ++round) {
        Trace trace;
        const double seconds = secondsOf([&] { trace = traceIds(model, text); });
        found.traceSeconds = std::min(found.traceSeconds, seconds);
        found.traceBytes = bytesOf(trace);
    }
    // As many words as asked for: a sentence's end, which a model may write early, is a word like any other here.
    found.generateSeconds = 1e9;
    for (int round = 0; round < bench.rounds; ++round) {
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ForwardContext begin(tape, network.parameters());
        const auto state = network.begin(begin, bench.tokens);
        const Arena::Mark kept = arena.mark();
        const double seconds = secondsOf([&] {
            for (const int word : text) {
                arena.rewind(kept);
                ForwardContext context(tape, network.parameters());
                network.step(context, word, *state);
            }
        });
        found.generateSeconds = std::min(found.generateSeconds, seconds);
    }
    found.peakBytes = platform::peakMemory();
    return found;
}

}  // namespace

double secondsOf(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return secondsSince(start);
}

void benchModel(const ModelBench& bench) {
    SharedWork::useThreads(bench.threads);
    const Measured found = measure(bench);
    const double rate = bench.tokens / found.generateSeconds, mib = 1 << 20;
    if (bench.json)
        return printJson({{"model", bench.model},
                          {"parameters", found.parameters},
                          {"tokens", bench.tokens},
                          {"open_seconds", found.openSeconds},
                          {"trace_ms", found.traceSeconds * 1e3},
                          {"trace_bytes", found.traceBytes},
                          {"tokens_per_second", rate},
                          {"peak_bytes", found.peakBytes},
                          {"peak_of_weights", static_cast<double>(found.peakBytes) / found.weightBytes()},
                          {"threads", bench.threads}});
    std::cout << grouped(static_cast<long>(found.parameters)) << " parameters, opened in "
              << fixed(found.openSeconds, 2) << " s; " << bench.tokens << " tokens with every value "
              << fixed(found.traceSeconds * 1e3, 0) << " ms (" << fixed(static_cast<double>(found.traceBytes) / mib, 0)
              << " MiB), one by one " << fixed(rate, 1) << " tokens/s; at most "
              << fixed(static_cast<double>(found.peakBytes) / mib, 0) << " MiB of memory, "
              << fixed(static_cast<double>(found.peakBytes) / found.weightBytes(), 2) << " × the weights" << std::endl;
}

}  // namespace headlight::cli
