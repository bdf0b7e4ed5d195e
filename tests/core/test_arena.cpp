// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of a step: what is given back is handed out anew, and a way back that reuses it finds the same gradients.
#include <QTest>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/models/transformer.h"
#include "core/nn/context.h"
#include "core/tensor/free_memory.h"

using namespace headlight;

class TestArena : public QObject {
    Q_OBJECT
private slots:
    void piecesThatWereGivenBackAreHandedOutBestFitFirst();
    void neighboursGivenBackInAnyOrderBecomeOnePiece();
    void whatFitsNowhereComesFromTheArena();
    void sinceAMarkIsWhatWasHandedOutInOneRun();
    void arenasOfAPoolHaveTheRoomOfTheLargest();
    void reusedMemoryChangesNoGradient();
};

void TestArena::piecesThatWereGivenBackAreHandedOutBestFitFirst() {
    Arena arena;
    FreeMemory memory(arena);
    void* const large = arena.allocate(4096);
    arena.allocate(64);  // no neighbours
    void* const small = arena.allocate(1024);
    memory.give(large, 4096);
    memory.give(small, 1024);
    QCOMPARE(memory.take(1000), small);
    QCOMPARE(memory.take(1024), large);
    QCOMPARE(memory.take(3072), static_cast<void*>(static_cast<std::byte*>(large) + 1024));
}

void TestArena::neighboursGivenBackInAnyOrderBecomeOnePiece() {
    std::vector<int> order{0, 1, 2, 3};
    do {
        Arena arena;
        FreeMemory memory(arena);
        std::vector<void*> pieces;
        for (size_t i = 0; i < order.size(); ++i)
            pieces.push_back(arena.allocate(512));
        for (const int i : order)
            memory.give(pieces[static_cast<size_t>(i)], 512);
        QCOMPARE(memory.take(2048), pieces[0]);
    } while (std::ranges::next_permutation(order).found);
}

void TestArena::whatFitsNowhereComesFromTheArena() {
    Arena arena;
    FreeMemory memory(arena);
    void* const piece = arena.allocate(512);
    memory.give(piece, 512);
    void* const more = memory.take(513);
    QVERIFY(more != piece);
    QCOMPARE(reinterpret_cast<uintptr_t>(more) % 64, uintptr_t{0});
    QCOMPARE(memory.take(512), piece);
}

void TestArena::sinceAMarkIsWhatWasHandedOutInOneRun() {
    Arena arena;
    QVERIFY(arena.since(arena.mark()).empty());
    arena.allocate(100);
    const Arena::Mark mark = arena.mark();
    QVERIFY(arena.since(mark).empty());
    void* const first = arena.allocate(100);
    arena.allocate(64);
    QCOMPARE(static_cast<void*>(arena.since(mark).data()), first);
    QCOMPARE(arena.since(mark).size(), size_t{128 + 64});
    void* const elsewhere = arena.allocate(arena.capacity());  // a block of its own
    QCOMPARE(static_cast<void*>(arena.since(mark).data()), elsewhere);
}

void TestArena::arenasOfAPoolHaveTheRoomOfTheLargest() {
    ArenaPool pool(2);
    {
        const ArenaPool::Loan one(pool), two(pool);
        QVERIFY(&*one != &*two);
        (*one).allocate(size_t{3} << 20);
        (*two).allocate(64);
    }
    pool.level();
    const size_t held = pool.capacity();
    QVERIFY(held >= size_t{6} << 20);
    {
        const ArenaPool::Loan one(pool), two(pool);
        for (Arena* arena : {&*one, &*two})
            arena->allocate(size_t{3} << 20);
    }
    QCOMPARE(pool.capacity(), held);
}

/// To the bit: the same sums in the same order, in other places.
void TestArena::reusedMemoryChangesNoGradient() {
    ModelConfig config{.dModel = 32, .numHeads = 2, .numEncoderLayers = 2, .numDecoderLayers = 2, .dFf = 64};
    config.maxLength = 16;
    config.sourceVocabSize = config.targetVocabSize = 12;
    Transformer model(config);
    model.initialize(1);
    const std::vector<Example> examples{{{4, 5, 6}, {6, 5, 4, 7}}, {{8, 9, 10, 11, 4}, {11, 10}}};
    const std::vector<const Example*> batch{&examples[0], &examples[1]};
    const auto gradientsOf = [&](Tape<float>::Afterwards afterwards, size_t& room) {
        std::vector<float> gradients(model.parameters().flatSize());
        Arena arena;
        for (int pass = 0; pass < 2; ++pass) {  // the second in one block
            std::ranges::fill(gradients, 0.0f);
            arena.reset();
            Tape<float> tape(arena, Tape<float>::Mode::Training, afterwards);
            ForwardContext context(tape, std::as_const(model).parameters());
            context.gradients = gradients.data();
            context.dropout = 0.1f;
            model.loss(context, batch, {.labelSmoothing = 0.1});
            tape.backward();
            room = arena.mark().used;
        }
        return gradients;
    };
    size_t kept = 0, reused = 0;
    const std::vector<float> expected = gradientsOf(Tape<float>::Afterwards::Kept, kept);
    QVERIFY(gradientsOf(Tape<float>::Afterwards::Reused, reused) == expected);
    QVERIFY2(reused < kept * 3 / 4, qPrintable(QStringLiteral("%1 of %2").arg(reused).arg(kept)));
}

QTEST_APPLESS_MAIN(TestArena)
#include "test_arena.moc"
