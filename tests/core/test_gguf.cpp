// SPDX-License-Identifier: GPL-3.0-or-later
// The container of llama.cpp's files: blocks of every type against their definitions, number by number; keys of every
// type; and files that a stranger made worse.
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <QtTest/QtTest>

#include "core/error.h"
#include "core/io/gguf.h"
#include "tests/gguf_file.h"

using namespace headlight;
using fixture::GgufBytes;
using fixture::GgufKind;
using fixture::GgufType;
using fixture::GgufWriter;

namespace {

using BlockBytes = std::span<const unsigned char>;

/// An IEEE half by its definition.
float halfByDefinition(BlockBytes bytes) {
    const int bits = bytes[0] | (bytes[1] << 8), exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return static_cast<float>(bits & 0x8000 ? -size : size);
}

/// Four bits: of the first half of so many numbers the lower ones of a byte, of the second the upper ones.
int nibbleOf(BlockBytes bytes, size_t number, size_t half) {
    return number < half ? bytes[number] & 15 : bytes[number - half] >> 4;
}

int bitOf(BlockBytes bytes, size_t number) {
    return (bytes[number / 8] >> (number % 8)) & 1;
}

/// The scale, or the minimum, of a part of 32 of the 256 numbers of Q4_K and Q5_K: six bits each.
int sixBits(BlockBytes packed, size_t part, bool isMinimum) {
    const size_t own = part % 4 + (isMinimum ? 4 : 0);
    if (part < 4) return packed[own] & 63;
    const int lower = isMinimum ? packed[8 + part % 4] >> 4 : packed[8 + part % 4] & 15;
    return lower + 16 * (packed[own] >> 6);
}

float superblock(BlockBytes block, size_t i, int quant) {
    const size_t part = i / 32;
    const float scale = halfByDefinition(block) * static_cast<float>(sixBits(block.subspan(4), part, false));
    const float least = halfByDefinition(block.subspan(2)) * static_cast<float>(sixBits(block.subspan(4), part, true));
    return scale * static_cast<float>(quant) - least;
}

/// Four bits of number i of 256, which lie 64 by 64.
int quarterByte(BlockBytes numbers, size_t i) {
    return nibbleOf(numbers.subspan(i / 64 * 32), i % 64, 32);
}

struct BlockDefinition {
    const char* name;
    GgufType type;
    size_t numbers, bytes;
    std::vector<size_t> halves;  ///< where a block has halves
    std::function<float(BlockBytes, size_t)> number;
};

const std::vector<BlockDefinition>& blockDefinitions() {
    const auto at = [](BlockBytes block, size_t first) { return block.subspan(first); };
    static const std::vector<BlockDefinition> all{
        {"F32",
         GgufType::F32,
         1,
         4,
         {},
         [](BlockBytes block, size_t) {
             float value = 0;
             std::memcpy(&value, block.data(), sizeof value);
             return value;
         }},
        {"F16", GgufType::F16, 1, 2, {0}, [](BlockBytes block, size_t) { return halfByDefinition(block); }},
        {"BF16",
         GgufType::BF16,
         1,
         2,
         {},
         [](BlockBytes block, size_t) {
             return std::bit_cast<float>((uint32_t{block[1]} << 24U) | (uint32_t{block[0]} << 16U));
         }},
        {"Q4_0",
         GgufType::Q4_0,
         32,
         18,
         {0},
         [=](BlockBytes block, size_t i) {
             return static_cast<float>(nibbleOf(at(block, 2), i, 16) - 8) * halfByDefinition(block);
         }},
        {"Q4_1",
         GgufType::Q4_1,
         32,
         20,
         {0, 2},
         [=](BlockBytes block, size_t i) {
             return static_cast<float>(nibbleOf(at(block, 4), i, 16)) * halfByDefinition(block) +
                    halfByDefinition(at(block, 2));
         }},
        {"Q5_0",
         GgufType::Q5_0,
         32,
         22,
         {0},
         [=](BlockBytes block, size_t i) {
             return static_cast<float>(nibbleOf(at(block, 6), i, 16) + 16 * bitOf(at(block, 2), i) - 16) *
                    halfByDefinition(block);
         }},
        {"Q5_1",
         GgufType::Q5_1,
         32,
         24,
         {0, 2},
         [=](BlockBytes block, size_t i) {
             return static_cast<float>(nibbleOf(at(block, 8), i, 16) + 16 * bitOf(at(block, 4), i)) *
                        halfByDefinition(block) +
                    halfByDefinition(at(block, 2));
         }},
        {"Q8_0",
         GgufType::Q8_0,
         32,
         34,
         {0},
         [](BlockBytes block, size_t i) {
             const int byte = block[2 + i];
             return static_cast<float>(byte < 128 ? byte : byte - 256) * halfByDefinition(block);
         }},
        {"Q4_K",
         GgufType::Q4_K,
         256,
         144,
         {0, 2},
         [=](BlockBytes block, size_t i) { return superblock(block, i, quarterByte(at(block, 16), i)); }},
        {"Q5_K",
         GgufType::Q5_K,
         256,
         176,
         {0, 2},
         [=](BlockBytes block, size_t i) {
             const int fifth = (block[16 + i % 32] >> (i / 32)) & 1;
             return superblock(block, i, quarterByte(at(block, 48), i) + 16 * fifth);
         }},
        {"Q6_K",
         GgufType::Q6_K,
         256,
         210,
         {208},
         [=](BlockBytes block, size_t i) {
             const size_t half = i / 128, in = i % 128;
             const int lower = nibbleOf(at(block, half * 64), in, 64);
             const int upper = (block[128 + half * 32 + in % 32] >> (2 * (in / 32))) & 3;
             const int scale = static_cast<signed char>(block[192 + i / 16]);
             return halfByDefinition(at(block, 208)) * static_cast<float>(scale) *
                    static_cast<float>(lower + 16 * upper - 32);
         }},
    };
    return all;
}

/// A file with a key of each sort and two tensors.
GgufWriter plainGguf() {
    GgufWriter writer;
    writer.set("general.architecture", "llama");
    writer.set("llama.block_count", 2);
    writer.set("llama.epsilon", 1e-5);
    writer.set("some.flag", true);
    writer.set("some.texts", std::vector<std::string>{"a", "bc", ""});
    writer.set("some.scores", std::vector<float>{0.5F, -2});
    const std::vector<float> values{1, 2, 3, 4, 5, 6};
    writer.tensor("one", {2, 3}, GgufType::F32, std::span<const float>(values));
    writer.tensor("two", {6}, GgufType::F16, std::span<const float>(values));
    return writer;
}

constexpr const char* strangersGguf = "stranger.gguf";

std::string containerRefusal(std::vector<char> bytes) {
    try {
        gguf::File::parse(std::move(bytes), strangersGguf);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

using MakeFile = std::function<std::vector<char>()>;

/// With eight bytes of the file replaced.
MakeFile withBytesAt(size_t at, uint64_t value) {
    return [=] {
        std::vector<char> bytes = plainGguf().bytes();
        std::memcpy(bytes.data() + at, &value, sizeof value);
        return bytes;
    };
}

MakeFile changedGguf(const std::function<void(GgufWriter&)>& change) {
    return [=] {
        GgufWriter writer = plainGguf();
        change(writer);
        return writer.bytes();
    };
}

/// A key that ends in the middle of what it promises, at the end of the file.
MakeFile endsInKey(GgufKind kind, const GgufBytes& value) {
    return [=] {
        GgufBytes file;
        file.raw(std::string("GGUF")).put<uint32_t>(3).put<uint64_t>(0).put<uint64_t>(1);
        return file.text("a.key").put(kind).raw(value.bytes()).put<uint64_t>(0).bytes();
    };
}

constexpr uint64_t hugeCount = uint64_t{1} << 63U;

}  // namespace

Q_DECLARE_METATYPE(MakeFile)

class TestGguf : public QObject {
    Q_OBJECT

private slots:
    void everyTypeIsWidenedToTheBitAsItIsDefined_data() {
        QTest::addColumn<int>("which");
        for (size_t i = 0; i < blockDefinitions().size(); ++i)
            QTest::newRow(blockDefinitions()[i].name) << static_cast<int>(i);
    }
    void everyTypeIsWidenedToTheBitAsItIsDefined() {
        QFETCH(int, which);
        const BlockDefinition& type = blockDefinitions()[static_cast<size_t>(which)];
        // More than is read at a time, and not a multiple of it.
        const size_t blocks = 70'001 / type.bytes + 3;
        std::mt19937 random(7);
        std::vector<char> bytes(blocks * type.bytes);
        for (char& byte : bytes)
            byte = static_cast<char>(random() & 255U);
        for (size_t block = 0; block < blocks; ++block)
            for (const size_t half : type.halves)  // none infinite, some denormal
                if (char& upper = bytes[block * type.bytes + half + 1]; (upper & 0x7c) == 0x7c) upper &= 0x3f;
        GgufWriter writer;
        const auto width = static_cast<int64_t>(type.numbers);
        writer.tensor("numbers", {static_cast<int64_t>(blocks), width}, type.type, bytes);
        const gguf::File file = gguf::File::parse(writer.bytes(), strangersGguf);
        QCOMPARE(file.types(), std::string(type.name));
        QCOMPARE(file.isQuantized(), type.numbers > 1);
        const std::vector<float> found = file.floats("numbers");
        QCOMPARE(found.size(), blocks * type.numbers);
        for (size_t i = 0; i < found.size(); ++i) {
            const auto* block = reinterpret_cast<const unsigned char*>(bytes.data()) + i / type.numbers * type.bytes;
            const float wanted = type.number({block, type.bytes}, i % type.numbers);
            if (std::bit_cast<uint32_t>(found[i]) != std::bit_cast<uint32_t>(wanted) &&
                !(std::isnan(found[i]) && std::isnan(wanted)))
                QFAIL(qPrintable(QString("number %1 is %2, and not %3").arg(i).arg(found[i]).arg(wanted)));
        }
    }

    void aFileIsReadBack() {
        for (const uint32_t version : {2U, 3U}) {
            GgufWriter writer = plainGguf();
            writer.version = version;
            const gguf::File file = gguf::File::parse(writer.bytes(), strangersGguf);
            QCOMPARE(file.tensor("one").shape, (std::vector<int64_t>{2, 3}));
            QCOMPARE(file.floats("one"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
            QCOMPARE(file.floats("two"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
            QCOMPARE(file.types(), std::string("F32"));  // of matrices
            QCOMPARE(file.text("general.architecture").value(), std::string("llama"));
            QCOMPARE(file.number("llama.epsilon").value(), 1e-5);  // the decimal that was meant
            QVERIFY(file.flag("some.flag").value());
            QVERIFY(!file.flag("another.flag"));
            QCOMPARE(*file.texts("some.texts"), (std::vector<std::string>{"a", "bc", ""}));
            QCOMPARE(file.numbers("some.scores").value(), (std::vector<double>{0.5, -2}));
            QVERIFY_EXCEPTION_THROWN(file.whole("general.architecture"), Error);
            QVERIFY_EXCEPTION_THROWN(file.texts("some.scores"), Error);
            QVERIFY_EXCEPTION_THROWN(file.tensor("three"), Error);
        }
    }

    void keysOfEveryTypeAreRead() {
        GgufWriter writer = plainGguf();
        writer.key("u8", GgufKind::U8, GgufBytes().put<uint8_t>(200));
        writer.key("i8", GgufKind::I8, GgufBytes().put<int8_t>(-3));
        writer.key("u16", GgufKind::U16, GgufBytes().put<uint16_t>(60'000));
        writer.key("i16", GgufKind::I16, GgufBytes().put<int16_t>(-300));
        writer.key("i32", GgufKind::I32, GgufBytes().put<int32_t>(-70'000));
        writer.key("u64", GgufKind::U64, GgufBytes().put<uint64_t>(1ULL << 40U));
        writer.key("i64", GgufKind::I64, GgufBytes().put<int64_t>(-(1LL << 40)));
        writer.key("f64", GgufKind::F64, GgufBytes().put(0.1));
        writer.key("all", GgufKind::U64, GgufBytes().put(std::numeric_limits<uint64_t>::max()));
        writer.key("truths", GgufKind::List, GgufBytes().put(GgufKind::Bool).put<uint64_t>(2).put<uint16_t>(1));
        writer.key(
            "nested", GgufKind::List,
            GgufBytes().put(GgufKind::List).put<uint64_t>(1).put(GgufKind::U8).put<uint64_t>(2).put<uint16_t>(7));
        const gguf::File file = gguf::File::parse(writer.bytes(), strangersGguf);
        QCOMPARE(file.whole("u8").value(), 200);
        QCOMPARE(file.whole("i8").value(), -3);
        QCOMPARE(file.whole("u16").value(), 60'000);
        QCOMPARE(file.whole("i16").value(), -300);
        QCOMPARE(file.whole("i32").value(), -70'000);
        QCOMPARE(file.whole("u64").value(), int64_t{1} << 40);
        QCOMPARE(file.whole("i64").value(), -(int64_t{1} << 40));
        QCOMPARE(file.number("f64").value(), 0.1);
        QVERIFY_EXCEPTION_THROWN(file.whole("all"), Error);
        QCOMPARE(*file.wholes("truths"), (std::vector<int64_t>{1, 0}));
        QVERIFY(file.has("nested"));
        QVERIFY_EXCEPTION_THROWN(file.wholes("nested"), Error);
    }

    void alignmentIsKeptTo() {
        for (const uint32_t alignment : {1U, 8U, 64U, 4096U}) {
            GgufWriter writer = plainGguf();
            writer.alignment = alignment;
            writer.set("general.alignment", alignment);
            QCOMPARE(gguf::File::parse(writer.bytes(), strangersGguf).floats("two"),
                     (std::vector<float>{1, 2, 3, 4, 5, 6}));
        }
    }

    void cutShortAnywhereItIsRefused() {
        const std::vector<char> whole = plainGguf().bytes();
        for (size_t length = 0; length < whole.size(); ++length) {
            const std::string refusal =
                containerRefusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
            QVERIFY2(refusal.starts_with("stranger.gguf: ") && refusal.find('\n') == std::string::npos,
                     qPrintable(QString("%1 bytes: %2").arg(length).arg(QString::fromStdString(refusal))));
        }
        QCOMPARE(containerRefusal(whole), std::string());
    }

    void whatAStrangerMadeWorseIsRefusedByName_data();
    void whatAStrangerMadeWorseIsRefusedByName() {
        QFETCH(MakeFile, file);
        QFETCH(QString, what);
        const std::string refusal = containerRefusal(file());
        QVERIFY2(refusal.starts_with("stranger.gguf: ") && refusal.find('\n') == std::string::npos, refusal.c_str());
        QVERIFY2(refusal.find(what.toStdString()) != std::string::npos, refusal.c_str());
    }

    void typesThatAreNotReadAreNamed() {
        for (const auto& [id, name] : {std::pair(10U, "Q2_K"), std::pair(11U, "Q3_K"), std::pair(16U, "IQ2_XXS"),
                                       std::pair(23U, "IQ4_XS"), std::pair(39U, "MXFP4"), std::pair(777U, "777")}) {
            GgufWriter writer;
            writer.tensor("odd", {256}, static_cast<GgufType>(id), std::vector<char>(64));
            const std::string refusal = containerRefusal(writer.bytes());
            QVERIFY2(refusal.find("\"odd\" is of the type " + std::string(name)) != std::string::npos, refusal.c_str());
            QVERIFY2(refusal.find("Q4_K_M or Q8_0") != std::string::npos, refusal.c_str());
        }
    }

    void aFileThatGrowsShorterSaysSo() {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.gguf");
        plainGguf().write(path.toStdString());
        const gguf::File file = gguf::File::read(path.toStdString());
        QVERIFY(gguf::isGgufFile(path.toStdString()));
        QVERIFY(QFile::resize(path, 40));
        QVERIFY_EXCEPTION_THROWN(file.floats("two"), Error);
        QVERIFY(!gguf::isGgufFile(folder.path().toStdString()));
    }
};

void TestGguf::whatAStrangerMadeWorseIsRefusedByName_data() {
    QTest::addColumn<MakeFile>("file");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const MakeFile& file, const char* what) {
        QTest::newRow(name) << file << QString(what);
    };
    row("another magic", withBytesAt(0, 0x3544a4747ULL), "is not a GGUF file");
    row("the first version", changedGguf([](GgufWriter& file) { file.version = 1; }), "GGUF's first version");
    row("a later version", changedGguf([](GgufWriter& file) { file.version = 4; }), "GGUF's version 4");
    row("big-endian", changedGguf([](GgufWriter& file) { file.version = 0x03000000; }), "big-endian");
    row("tensors without end", withBytesAt(8, hugeCount), "9223372036854775808 tensors");
    row("more tensors than bytes", withBytesAt(8, 1000), "1000 tensors");
    row("keys without end", withBytesAt(16, hugeCount), "9223372036854775808 keys");
    row("more keys than bytes", withBytesAt(16, 1000), "1000 keys");
    row("a key more than there is", changedGguf([](GgufWriter& file) { file.moreKeys = 1; }), "damaged");
    row("a tensor more than there is", changedGguf([](GgufWriter& file) { file.moreTensors = 1; }), "damaged");
    row("a key's name without end", withBytesAt(24, hugeCount), "the name of key 1 of 6");
    row("a key's name that is long", withBytesAt(24, 5000), "at most 1024 are read");
    row("a text without end", endsInKey(GgufKind::Text, GgufBytes().put(hugeCount)), "\"a.key\" says that it is");
    row("a text that is long", endsInKey(GgufKind::Text, GgufBytes().put<uint64_t>(1U << 20U)),
        "\"a.key\" needs 1048576");
    row("a list without end", endsInKey(GgufKind::List, GgufBytes().put(GgufKind::U8).put(hugeCount)),
        "\"a.key\" says that it lists");
    row("a list whose bytes overflow",
        endsInKey(GgufKind::List, GgufBytes().put(GgufKind::U64).put(uint64_t{1} << 61U)),
        "\"a.key\" says that it lists");
    row("a list of texts without end", endsInKey(GgufKind::List, GgufBytes().put(GgufKind::Text).put(hugeCount)),
        "\"a.key\" says that it lists");
    row("a key of no type", endsInKey(static_cast<GgufKind>(13), GgufBytes()), "\"a.key\" is of the type 13");
    row("a list of no type", endsInKey(GgufKind::List, GgufBytes().put<uint32_t>(99)), "\"a.key\" is of the type 99");
    row("neither true nor false", endsInKey(GgufKind::Bool, GgufBytes().put<uint8_t>(2)), "neither true nor false");
    GgufBytes deep;
    for (int i = 0; i < 6; ++i)
        deep.put(GgufKind::List).put<uint64_t>(1);
    row("lists in lists", endsInKey(GgufKind::List, deep), "lists in lists without end");
    row("a key twice", changedGguf([](GgufWriter& file) { file.set("some.flag", false); }),
        "the key \"some.flag\" twice");
    row("a tensor twice",
        changedGguf([](GgufWriter& file) { file.tensor("one", {8}, GgufType::F32, std::vector<char>(32)); }),
        "the tensor \"one\" twice");
    row("five dimensions", changedGguf([](GgufWriter& file) {
            file.tensor("odd", {1, 1, 1, 1, 8}, GgufType::F32, std::vector<char>(32));
        }),
        "\"odd\" has 5 dimensions");
    row("a side of none", changedGguf([](GgufWriter& file) {
            file.tensor("odd", {0, 8}, GgufType::F32, std::vector<char>());
        }),
        "\"odd\" has a side of 0");
    row("a side below none",
        changedGguf([](GgufWriter& file) { file.tensor("odd", {-8}, GgufType::F32, std::vector<char>()); }),
        "\"odd\" has a side of -8");
    row("a shape above all memory", changedGguf([](GgufWriter& file) {
            file.tensor("odd", {int64_t{1} << 40, int64_t{1} << 40}, GgufType::F32, std::vector<char>());
        }),
        "\"odd\" has a shape too large");
    row("bytes above all memory", changedGguf([](GgufWriter& file) {
            file.tensor("odd", {int64_t{1} << 62}, GgufType::F32, std::vector<char>());
        }),
        "\"odd\" has a shape too large");
    row("a row that ends in a block", changedGguf([](GgufWriter& file) {
            file.tensor("odd", {2, 48}, GgufType::Q8_0, std::vector<char>(102));
        }),
        "\"odd\" has rows of 48 numbers, and Q8_0 has blocks of 32");
    row("more numbers than bytes",
        changedGguf([](GgufWriter& file) { file.tensor("odd", {1000}, GgufType::F32, std::vector<char>(32)); }),
        "\"odd\" ends at byte");
    row("tensors that overlap", changedGguf([](GgufWriter& file) {
            file.tensor("odd", {9}, GgufType::F32, std::vector<char>(32));
            file.tensor("even", {8}, GgufType::F32, std::vector<char>(32));
        }),
        "\"even\" lies at byte");
    row("a gap between tensors", changedGguf([](GgufWriter& file) {
            file.tensor("odd", {8}, GgufType::F32, std::vector<char>(96));
            file.tensor("even", {8}, GgufType::F32, std::vector<char>(32));
        }),
        "\"even\" lies at byte");
    for (const uint32_t alignment : {0U, 3U, 48U, 1U << 30U})
        QTest::addRow("an alignment of %u", alignment)
            << changedGguf([=](GgufWriter& file) { file.set("general.alignment", alignment); })
            << QString("general.alignment\" is no power of two");
    row("another alignment than its own", changedGguf([](GgufWriter& file) { file.set("general.alignment", 64U); }),
        "lies at byte");
    row("an alignment that is a text", changedGguf([](GgufWriter& file) { file.set("general.alignment", "32"); }),
        "general.alignment\" is no power of two");
}

QTEST_APPLESS_MAIN(TestGguf)
#include "test_gguf.moc"
