// SPDX-License-Identifier: GPL-3.0-or-later
// A training step lives on what the steps before it left behind.
#include <QTest>
#include <atomic>
#include <cstdlib>
#include <new>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/new_model.h"
#include "core/data/task.h"
#include "core/train/trainer.h"

namespace {

std::atomic<long> allocations = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
    ++allocations;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) throw std::bad_alloc();
    return memory;
}

}  // namespace

// Every form of new in this program, in all threads.
void* operator new(std::size_t bytes) {
    return counted(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes) {
    return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, std::size_t(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, std::size_t(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(bytes, alignof(std::max_align_t));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}

using namespace headlight;

class TestAllocations : public QObject {
    Q_OBJECT
private slots:
    void aStepAllocatesNothingAfterTheFirstThree_data() {
        QTest::addColumn<QByteArray>("config");
        const auto row = [](const char* name, const char* task, const char* config) {
            QTest::newRow(name) << QByteArray(task) + " " + config;
        };
        row("transformer", "reverse", R"({"architecture": "transformer"})");
        row("transformer with learned positions", "reverse",
            R"({"architecture": "transformer", "positional_encoding": "learned", "norm_order": "pre"})");
        row("lstm", "reverse", R"({"architecture": "rnn", "cell": "lstm"})");
        row("gru that reads both ways and attends", "reverse",
            R"({"architecture": "rnn", "cell": "gru", "bidirectional": true, "attention": "additive", "num_layers": 2})");
        row("rnn told at every input", "reverse",
            R"({"architecture": "rnn", "cell": "rnn", "context": "every_input", "attention": "general"})");
        row("language model", "stories", R"({"architecture": "language-model", "max_length": 16})");
        row("rnn language model", "stories", R"({"architecture": "rnn-language-model", "max_length": 16})");
        row("classifier", "sentiment", R"({"architecture": "encoder-classifier"})");
    }

    void aStepAllocatesNothingAfterTheFirstThree() {
        QFETCH(QByteArray, config);
        const qsizetype space = config.indexOf(' ');
        CorpusSplits splits = findTask(config.left(space).toStdString()).corpus();
        splits.train.resize(200);  // several epochs
        const TrainedModel model =
            newModel(nlohmann::json::parse(config.mid(space).toStdString()), {}, splits.train, 1);
        std::vector<Example> pairs = encode(splits.train, model, Purpose::Training).pairs;
        // All as long as the longest: a longer batch than any before must find room somewhere.
        const Example longest = *std::ranges::max_element(
            pairs, {}, [](const Example& pair) { return 1000 * pair.target.size() + pair.source.size(); });
        std::ranges::fill(pairs, longest);
        Trainer trainer(*model.network, pairs, {.steps = 12, .batchSize = 48, .threads = 2});
        const long start = allocations;
        for (int i = 0; i < 3; ++i)
            trainer.step();
        const long before = allocations;
        QVERIFY(before > start);  // they are counted
        for (int i = 0; i < 9; ++i)
            trainer.step();
        QCOMPARE(allocations - before, 0L);
    }
};

QTEST_APPLESS_MAIN(TestAllocations)
#include "test_allocations.moc"
