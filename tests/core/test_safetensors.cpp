// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <sys/stat.h>

#include "core/error.h"
#include "core/io/safetensors.h"
#include "core/io/trace_file.h"
#include "core/trace/trace.h"

using headlight::Error;
using headlight::safetensors::DType;
using headlight::safetensors::File;
using headlight::safetensors::Writer;

namespace {

/// A file by hand: the length of the header, the header, the data.
std::vector<char> fileOf(const std::string& header, const std::string& data = {}) {
    std::vector<char> bytes;
    for (size_t i = 0; i < 8; ++i)
        bytes.push_back(static_cast<char>((header.size() >> (8 * i)) & 0xff));
    bytes.insert(bytes.end(), header.begin(), header.end());
    bytes.insert(bytes.end(), data.begin(), data.end());
    return bytes;
}

/// The message with which a file is refused; empty where it is accepted.
std::string refusal(std::vector<char> bytes) {
    try {
        File::parse(std::move(bytes), "test.safetensors");
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<char> sample() {
    static const std::vector<float> weights = {1.5f, -2.0f, 0.25f, 3.0f, 0.0f, 7.0f};
    static const std::vector<float> bias = {0.5f};
    static const std::vector<int64_t> ids = {1, -5, 1LL << 40};
    Writer writer;
    writer.setMetadata("format", "headlight");
    writer.setMetadata("note", "tab\t, quote \", Việt");
    writer.add("weights", {2, 3}, weights);
    writer.add("bias", {}, bias);
    writer.add("empty", {0, 4}, std::span<const float>());
    writer.add("ids", {3}, ids);
    return writer.toBytes();
}

}  // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private slots:
    void roundTrip();
    void roundTripThroughAFile();
    void equalContentsGiveEqualBytes();
    void writtenLayoutIsTheReference();
    void readsBytesMadeByHand();
    void convertsHalfPrecision();
    void everyHalfAndEveryBfloatIsWhatItsBitsSay();
    void savesFractionsAsTheNearestHalves();
    void whatNoHalfCanHoldIsRefusedByName_data();
    void whatNoHalfCanHoldIsRefusedByName();
    void readsOnlyWhatIsAskedFor();
    void convertsEveryType();
    void corruptionsAreRefused_data();
    void corruptionsAreRefused();
    void acceptsWhatTheFormatAllows_data();
    void acceptsWhatTheFormatAllows();
    void truncationAtEveryByteIsRefused();
    void randomDamageNeverCrashes();
    void tooManyTensorsAreRefused();
    void messagesAreOneShortLine();
    void filesThatAreNoFilesAreRefused();
    void aFileThatShrinksWhileItIsOpenIsAnError();
    void writerRefusesMistakes();
    void savesATrace();
    void readsWhatAnotherProgramWrote();
};

void TestSafetensors::roundTrip() {
    const File file = File::parse(sample(), "sample");
    QCOMPARE(file.entries().size(), size_t(4));
    QCOMPARE(file.metadata().at("format"), std::string("headlight"));
    QCOMPARE(file.metadata().at("note"), std::string("tab\t, quote \", Việt"));
    QCOMPARE(file.entry("weights").shape, (std::vector<int64_t>{2, 3}));
    QCOMPARE(file.floats("weights"), (std::vector<float>{1.5f, -2.0f, 0.25f, 3.0f, 0.0f, 7.0f}));
    QVERIFY(file.entry("bias").shape.empty());
    QCOMPARE(file.floats("bias"), std::vector<float>{0.5f});
    QCOMPARE(file.entry("empty").shape, (std::vector<int64_t>{0, 4}));
    QVERIFY(file.floats("empty").empty());
    QCOMPARE(file.integers("ids"), (std::vector<int64_t>{1, -5, 1LL << 40}));
    QVERIFY(file.contains("ids"));
    QVERIFY(!file.contains("absent"));
    QVERIFY_EXCEPTION_THROWN(file.entry("absent"), Error);
    QVERIFY_EXCEPTION_THROWN(file.floats("absent"), Error);
    QVERIFY_EXCEPTION_THROWN(file.integers("weights"), Error);
}

void TestSafetensors::roundTripThroughAFile() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("a.safetensors").toStdString();
    const std::vector<float> values = {-0.0f, std::numeric_limits<float>::infinity(), 1e-40f};
    Writer writer;
    writer.add("values", {3}, values);
    writer.write(path);
    const std::vector<float> back = File::read(path).floats("values");
    QCOMPARE(std::memcmp(back.data(), values.data(), sizeof(float) * 3), 0);  // to the last bit: -0, inf, subnormal
}

void TestSafetensors::equalContentsGiveEqualBytes() {
    const std::vector<float> values = {1, 2};
    const std::vector<int64_t> ids = {3};
    Writer one, other;
    one.add("b", {2}, values);
    one.add("a", {1}, ids);
    one.add("c", {2}, values);
    one.setMetadata("x", "1");
    one.setMetadata("y", "2");
    other.setMetadata("y", "2");
    other.add("c", {2}, values);
    other.setMetadata("x", "1");
    other.add("a", {1}, ids);
    other.add("b", {2}, values);
    QCOMPARE(one.toBytes(), other.toBytes());
}

void TestSafetensors::writtenLayoutIsTheReference() {
    const std::vector<float> values = {1.0f};
    const std::vector<int64_t> ids = {3};
    Writer writer;
    writer.setMetadata("format", "headlight");
    writer.add("a", {1}, values);
    writer.add("z", {1}, ids);
    // The widest type first, then by name; spaces up to a multiple of 8.
    std::string header =
        R"({"__metadata__":{"format":"headlight"},"z":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
        R"("a":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})";
    header.append((8 - header.size() % 8) % 8, ' ');
    QCOMPARE(writer.toBytes(), fileOf(header, std::string("\x03\0\0\0\0\0\0\0\0\0\x80\x3f", 12)));

    const Writer nothing;
    QCOMPARE(nothing.toBytes(), fileOf("{}      "));
}

void TestSafetensors::readsBytesMadeByHand() {
    // Entries in any order, blanks around the JSON, data that begin at an odd byte.
    const std::string header =
        " \n{\"second\":{\"data_offsets\":[1,9],\"shape\":[2,1],\"dtype\":\"F32\"},"
        "\"first\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}\r\n ";
    const File file = File::parse(fileOf(header, std::string("\x2a\0\0\x80\x3f\0\0\0\xc0", 9)), "by hand");
    QCOMPARE(file.integers("first"), std::vector<int64_t>{42});
    QCOMPARE(file.floats("second"), (std::vector<float>{1.0f, -2.0f}));
    QVERIFY(file.metadata().empty());
}

void TestSafetensors::convertsHalfPrecision() {
    const std::string data(
        "\x00\x00\x00\x80\x00\x3c\x00\xc0\xff\x7b\x01\x00\xff\x03\x00\x04\x00\x7c\x00\xfc\x01\x7e\x55\x35", 24);
    const File file = File::parse(fileOf(R"({"h":{"dtype":"F16","shape":[12],"data_offsets":[0,24]}})", data), "half");
    const std::vector<float> h = file.floats("h");
    QCOMPARE(h[0], 0.0f);
    QVERIFY(h[1] == 0.0f && std::signbit(h[1]));
    QCOMPARE(h[2], 1.0f);
    QCOMPARE(h[3], -2.0f);
    QCOMPARE(h[4], 65504.0f);
    QVERIFY(h[5] == 0x1p-24f);            // the smallest subnormal
    QVERIFY(h[6] == 1023.0f * 0x1p-24f);  // the largest
    QVERIFY(h[7] == 0x1p-14f);            // the smallest normal
    QVERIFY(std::isinf(h[8]) && h[8] > 0);
    QVERIFY(std::isinf(h[9]) && h[9] < 0);
    QVERIFY(std::isnan(h[10]));
    QVERIFY(h[11] == 0.333251953125f);
}

void TestSafetensors::everyHalfAndEveryBfloatIsWhatItsBitsSay() {
    constexpr size_t all = 65536;
    std::string data;
    for (size_t bits = 0; bits < all; ++bits) {
        data += static_cast<char>(bits & 0xff);
        data += static_cast<char>(bits >> 8);
    }
    // Data that begin at an odd byte: nothing in the format aligns them.
    const std::string header = R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                               R"("h":{"dtype":"F16","shape":[65536],"data_offsets":[1,131073]},)"
                               R"("b":{"dtype":"BF16","shape":[65536],"data_offsets":[131073,262145]}})";
    const File file = File::parse(fileOf(header, "x" + data + data), "all");
    const std::vector<float> halves = file.floats("h"), brains = file.floats("b");
    for (size_t bits = 0; bits < all; ++bits) {
        const int exponent = static_cast<int>((bits >> 10) & 31), fraction = static_cast<int>(bits & 1023);
        const double sign = bits & 0x8000 ? -1 : 1;
        const auto found = static_cast<double>(halves[bits]);
        if (exponent == 31) {
            QVERIFY2(fraction ? std::isnan(found) : std::isinf(found) && found * sign > 0,
                     std::to_string(bits).c_str());
        } else {
            const double wanted = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
            QVERIFY2(found == sign * wanted && std::signbit(found) == (sign < 0), std::to_string(bits).c_str());
        }
        const uint32_t wide = static_cast<uint32_t>(bits) << 16;
        QCOMPARE(std::memcmp(&brains[bits], &wide, sizeof wide), 0);
    }
}

void TestSafetensors::savesFractionsAsTheNearestHalves() {
    // Every half that is not negative, what lies between it and the next, and what lies on either side of that.
    constexpr size_t infinite = 0x7c00;
    std::string data;
    for (size_t bits = 0; bits < infinite; ++bits) {
        data += static_cast<char>(bits & 0xff);
        data += static_cast<char>(bits >> 8);
    }
    const File all =
        File::parse(fileOf(R"({"h":{"dtype":"F16","shape":[31744],"data_offsets":[0,63488]}})", data), "all");
    const std::vector<float> halves = all.floats("h");
    std::vector<float> values, wanted;
    const auto add = [&](float value, size_t half) {
        values.insert(values.end(), {value, -value});
        wanted.insert(wanted.end(), {halves[half], -halves[half]});
    };
    for (size_t half = 0; half < halves.size(); ++half) {
        add(halves[half], half);
        if (half + 1 == halves.size()) break;
        const float between = (halves[half] + halves[half + 1]) / 2;
        add(between, half % 2 == 0 ? half : half + 1);
        add(std::nextafter(between, 0.0f), half);
        add(std::nextafter(between, 1e9f), half + 1);
    }
    add(std::nextafter(65520.0f, 0.0f), halves.size() - 1);
    add(1e-30f, 0);
    const std::vector<int64_t> ids = {7, 8};
    Writer writer(DType::F16);
    writer.add("h", {static_cast<int64_t>(values.size())}, values);
    writer.add("ids", {2}, ids);
    const std::vector<char> bytes = writer.toBytes();
    const File file = File::parse(bytes, "halves");
    QCOMPARE(file.floatTypes(), std::string("F16"));
    QCOMPARE(file.integers("ids"), ids);
    const std::vector<float> found = file.floats("h");
    for (size_t i = 0; i < values.size(); ++i)
        QVERIFY2(found[i] == wanted[i] && std::signbit(found[i]) == std::signbit(values[i]),
                 qPrintable(QString("%1 → %2").arg(values[i], 0, 'g', 9).arg(found[i], 0, 'g', 9)));
    // What came out of a file goes into one as it was.
    Writer again(DType::F16);
    again.add("h", {static_cast<int64_t>(found.size())}, found);
    again.add("ids", {2}, ids);
    QCOMPARE(again.toBytes(), bytes);
    std::vector<float> rounded = values;
    headlight::safetensors::roundTo(DType::F16, rounded, "h");
    QCOMPARE(std::memcmp(rounded.data(), found.data(), found.size() * sizeof(float)), 0);
}

void TestSafetensors::whatNoHalfCanHoldIsRefusedByName_data() {
    QTest::addColumn<float>("value");
    QTest::newRow("halfway to what would come next") << 65520.0f;
    QTest::newRow("large") << -1e9f;
    QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
    QTest::newRow("no number") << std::numeric_limits<float>::quiet_NaN();
}

void TestSafetensors::whatNoHalfCanHoldIsRefusedByName() {
    QFETCH(float, value);
    std::vector<float> values = {1.1f, value};
    Writer writer(DType::F16);
    try {
        writer.add("layer.weight", {2}, values);
        QFAIL("it was taken all the same");
    } catch (const Error& error) {
        QVERIFY2(std::string(error.what()).find("layer.weight") != std::string::npos, error.what());
        QVERIFY2(std::string(error.what()).find("65504") != std::string::npos, error.what());
    }
    QVERIFY_EXCEPTION_THROWN(headlight::safetensors::roundTo(DType::F16, values, "w"), Error);
    QCOMPARE(values[0], 1.1f);
}

void TestSafetensors::readsOnlyWhatIsAskedFor() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("a.safetensors").toStdString();
    std::vector<float> many(100'000), few = {1, 2, 3};
    Writer writer;
    writer.add("a", {3}, few);
    writer.add("b", {100'000}, many);
    writer.write(path);
    const File file = File::read(path);
    // What stands in the file when a tensor is asked for is what is read.
    {
        QFile changed(QString::fromStdString(path));
        QVERIFY(changed.open(QIODevice::ReadWrite));
        changed.seek(changed.size() - 4);
        const float last = 5;
        changed.write(reinterpret_cast<const char*>(&last), sizeof last);
    }
    QCOMPARE(file.floats("b").back(), 5.0f);
    QCOMPARE(file.floats("a"), few);
}

void TestSafetensors::convertsEveryType() {
    struct Case {
        const char* dtype;
        std::string data;
        float value;
    };
    const Case cases[] = {
        {"F32", std::string("\0\0\x80\xbf", 4), -1.0f},
        {"F64", std::string("\0\0\0\0\0\0\x04\x40", 8), 2.5f},
        {"BF16", std::string("\xc0\xbf", 2), -1.5f},
        {"I64", std::string(8, '\xff'), -1.0f},
        {"I32", std::string("\xfe\xff\xff\xff", 4), -2.0f},
        {"U8", std::string("\xff", 1), 255.0f},
        {"BOOL", std::string("\x01", 1), 1.0f},
    };
    for (const Case& c : cases) {
        const std::string header = std::string(R"({"x":{"dtype":")") + c.dtype + R"(","shape":[1],"data_offsets":[0,)" +
                                   std::to_string(c.data.size()) + "]}}";
        const File file = File::parse(fileOf(header, c.data), c.dtype);
        QVERIFY2(file.floats("x")[0] == c.value, c.dtype);
        const bool whole = c.dtype[0] == 'I' || c.dtype[0] == 'U' || c.dtype[1] == 'O';
        if (whole) QVERIFY2(file.integers("x")[0] == static_cast<int64_t>(c.value), c.dtype);
        if (!whole) QVERIFY_EXCEPTION_THROWN(file.integers("x"), Error);
    }
}

void TestSafetensors::corruptionsAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const std::vector<char>& bytes, const char* says) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << QByteArray(says);
    };
    const auto f32 = [](const std::string& shape, const std::string& offsets) {
        return R"({"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
    };
    const std::string four(4, '\0'), eight(8, '\0');
    const auto many = [](const char* text) {
        std::string result;
        for (int i = 0; i < 100'000; ++i)
            result += text;
        return result;
    };

    row("1 HeaderTooSmall: empty", {}, "only 0 bytes");
    row("1 HeaderTooSmall: 7 bytes", std::vector<char>(7, '\0'), "only 7 bytes");
    row("2 HeaderTooLarge", std::vector<char>(20, '\xff'), "more than the 16777216 allowed");
    row("2 HeaderTooLarge: by one", {1, 0, 0, 1, 0, 0, 0, 0, '{', '}'}, "more than the 16777216 allowed");
    row("3 InvalidHeaderLength", {3, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, "cut short");
    row("4 no header", fileOf(""), "not valid JSON");
    row("4 not UTF-8", fileOf("{\"\xff\xfe\":" + f32("[0]", "[0,0]") + "}"), "not valid JSON");
    row("4 UTF-8 of a surrogate", fileOf("{\"\xed\xa0\x80\":" + f32("[0]", "[0,0]") + "}"), "not valid JSON");
    row("4 byte-order mark", fileOf("\xef\xbb\xbf{}"), "not valid JSON");
    row("4 not an object", fileOf("[]"), "not valid JSON");
    row("4 JSON cut short", fileOf(R"({"a":{"dtype")"), "not valid JSON");
    row("4 something behind the JSON", fileOf("{}{}"), "not valid JSON");
    row("4 NUL behind the JSON", fileOf(std::string("{}\0{", 4)), "not valid JSON");
    row("4 comment", fileOf("{}/**/"), "not valid JSON");
    row("4 too deep: lists", fileOf(R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", four), "a list");
    row("4 too deep: objects", fileOf(R"({"a":{"shape":{}}})"), "an object");
    row("4 too deep: thousands", fileOf(R"({"a":{"shape":)" + std::string(100000, '[')), "a list");
    row("4 duplicate tensor", fileOf("{\"a\":" + f32("[1]", "[0,4]") + ",\"a\":" + f32("[1]", "[4,8]") + "}", eight),
        "\"a\" twice");
    row("4 duplicate tensor, escaped",
        fileOf("{\"a\":" + f32("[1]", "[0,4]") + ",\"\\u0061\":" + f32("[1]", "[4,8]") + "}", eight), "\"a\" twice");
    row("4 duplicate property", fileOf(R"({"a":{"dtype":"F32","dtype":"F32","shape":[0],"data_offsets":[0,0]}})"),
        "\"dtype\" twice");
    row("4 duplicate metadata", fileOf(R"({"__metadata__":{"k":"1","k":"2"}})"), "\"k\" twice");
    row("4 metadata twice", fileOf(R"({"__metadata__":{},"__metadata__":{}})"), "\"__metadata__\" twice");
    row("4 metadata of numbers", fileOf(R"({"__metadata__":{"k":1}})"), "a number");
    row("4 metadata of objects", fileOf(R"({"__metadata__":{"k":{}}})"), "an object");
    row("4 tensor of null", fileOf(R"({"a":null})"), "null");
    row("4 unknown property", fileOf(R"({"a":{"stride":[1]}})"), "unknown property \"stride\"");
    row("4 no dtype", fileOf(R"({"a":{"shape":[0],"data_offsets":[0,0]}})"), "lacks its dtype");
    row("4 no shape", fileOf(R"({"a":{"dtype":"F32","data_offsets":[0,0]}})"), "lacks its shape");
    row("4 no offsets", fileOf(R"({"a":{"dtype":"F32","shape":[0]}})"), "lacks its data_offsets");
    row("4 one offset", fileOf("{\"a\":" + f32("[0]", "[0]") + "}"), "two data_offsets");
    row("4 three offsets", fileOf("{\"a\":" + f32("[0]", "[0,0,0]") + "}"), "two data_offsets");
    row("4 offsets without end", fileOf("{\"a\":" + f32("[0]", "[0,0" + many(",0") + "]") + "}"), "two data_offsets");
    row("4 dimensions without end", fileOf("{\"a\":" + f32("[0" + many(",1") + "]", "[0,0]") + "}"),
        "more than 64 dimensions");
    std::string metadata = "\"k\":\"\"";
    for (int i = 0; i < 10'000; ++i)
        metadata += ",\"" + std::to_string(i) + "\":\"\"";
    row("4 metadata without end", fileOf("{\"__metadata__\":{" + metadata + "}}"), "more than 10000 entries");
    row("4 unknown dtype", fileOf(R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", "x"), "\"F8_E4M3\"");
    row("4 negative dim", fileOf("{\"a\":" + f32("[-1]", "[0,0]") + "}"), "negative");
    row("4 fraction", fileOf("{\"a\":" + f32("[1.5]", "[0,4]") + "}", four), "fraction");
    row("4 dim of 2^64", fileOf("{\"a\":" + f32("[18446744073709551616]", "[0,4]") + "}", four), "too large");
    row("4 dim of 2^63", fileOf("{\"a\":" + f32("[9223372036854775808]", "[0,4]") + "}", four), "too large");
    row("5 InvalidOffset: starts late", fileOf("{\"a\":" + f32("[1]", "[4,8]") + "}", eight), "byte 0 was to come");
    row("5 InvalidOffset: hole",
        fileOf("{\"a\":" + f32("[1]", "[0,4]") + ",\"b\":" + f32("[1]", "[8,12]") + "}", eight + four),
        "byte 4 was to come");
    row("5 InvalidOffset: overlap",
        fileOf("{\"a\":" + f32("[2]", "[0,8]") + ",\"b\":" + f32("[2]", "[4,12]") + "}", eight + four),
        "byte 8 was to come");
    row("5 InvalidOffset: the same bytes twice",
        fileOf("{\"a\":" + f32("[1]", "[0,4]") + ",\"b\":" + f32("[1]", "[0,4]") + "}", four), "byte 4 was to come");
    row("5 InvalidOffset: backwards", fileOf("{\"a\":" + f32("[1]", "[4,0]") + "}", four), "was to come");
    row("6 ValidationOverflow: dims", fileOf("{\"a\":" + f32("[4294967296,4294967296]", "[0,0]") + "}"),
        "too large for any memory");
    row("6 ValidationOverflow: bytes", fileOf("{\"a\":" + f32("[4611686018427387904]", "[0,0]") + "}"),
        "too large for any memory");
    row("7 TensorInvalidInfo: too few", fileOf("{\"a\":" + f32("[2]", "[0,4]") + "}", four), "its shape needs 8");
    row("7 TensorInvalidInfo: too many", fileOf("{\"a\":" + f32("[1]", "[0,8]") + "}", eight), "its shape needs 4");
    row("7 TensorInvalidInfo: scalar", fileOf("{\"a\":" + f32("[]", "[0,8]") + "}", eight), "its shape needs 4");
    row("8 MetadataIncompleteBuffer: short", fileOf("{\"a\":" + f32("[2]", "[0,8]") + "}", four), "there are 4");
    row("8 MetadataIncompleteBuffer: more behind", fileOf("{\"a\":" + f32("[1]", "[0,4]") + "}", eight), "there are 8");
    row("8 MetadataIncompleteBuffer: no tensors", fileOf("{}", four), "there are 4");
}

void TestSafetensors::corruptionsAreRefused() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, says);
    const std::string message = refusal(std::vector<char>(bytes.begin(), bytes.end()));
    QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.starts_with("test.safetensors: "), message.c_str());
    QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
}

void TestSafetensors::acceptsWhatTheFormatAllows_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("dataBytes");
    QTest::newRow("nothing at all") << QByteArray("{}") << 0;
    QTest::newRow("metadata only") << QByteArray(R"({"__metadata__":{"a":"b"}})") << 0;
    QTest::newRow("empty metadata") << QByteArray(R"({"__metadata__":{}})") << 0;
    QTest::newRow("scalar") << QByteArray(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})") << 4;
    QTest::newRow("zero dim") << QByteArray(R"({"a":{"dtype":"F32","shape":[0,9],"data_offsets":[0,0]}})") << 0;
    QTest::newRow("zero dim between others") << QByteArray(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]},)"
                                                           R"("z":{"dtype":"F32","shape":[0],"data_offsets":[2,2]},)"
                                                           R"("c":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})")
                                             << 3;
    QTest::newRow("white space") << QByteArray("\t\r\n {} \t\r\n") << 0;
    QTest::newRow("the empty name") << QByteArray(R"({"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})") << 1;
}

void TestSafetensors::acceptsWhatTheFormatAllows() {
    QFETCH(QByteArray, header);
    QFETCH(int, dataBytes);
    QCOMPARE(refusal(fileOf(header.toStdString(), std::string(static_cast<size_t>(dataBytes), '\0'))), std::string());
}

void TestSafetensors::truncationAtEveryByteIsRefused() {
    const std::vector<char> whole = sample();
    QCOMPARE(refusal(whole), std::string());
    for (size_t size = 0; size < whole.size(); ++size) {
        const std::vector<char> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        QVERIFY2(!refusal(part).empty(), std::to_string(size).c_str());
    }
}

void TestSafetensors::randomDamageNeverCrashes() {
    const std::vector<char> whole = sample();
    std::mt19937 random(20240607);
    for (int round = 0; round < 20000; ++round) {
        std::vector<char> bytes = whole;
        for (unsigned flips = 1 + random() % 4; flips > 0; --flips)
            bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
        try {
            const File file = File::parse(bytes, "damaged");
            // What is accepted is as large as it claims to be: each value can be read.
            for (const auto& [name, entry] : file.entries()) {
                QCOMPARE(file.floats(name).size(), static_cast<size_t>(entry.count()));
            }
        } catch (const Error&) {  // refused, as it may be
        }
    }
}

void TestSafetensors::tooManyTensorsAreRefused() {
    std::string header = "{";
    for (int i = 0; i <= 100000; ++i) {
        header += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    }
    const std::string message = refusal(fileOf(header + "}"));
    QVERIFY2(message.find("more than 100000 tensors") != std::string::npos, message.c_str());
}

void TestSafetensors::messagesAreOneShortLine() {
    const std::string name = "line\\nbreak" + std::string(100000, 'x');
    const std::string message = refusal(fileOf("{\"" + name + "\":3}"));
    QVERIFY(!message.empty());
    QVERIFY(message.find('\n') == std::string::npos);
    QVERIFY(message.size() < 400);
}

void TestSafetensors::filesThatAreNoFilesAreRefused() {
    QTemporaryDir folder;
    QVERIFY_EXCEPTION_THROWN(File::read(folder.path().toStdString()), Error);
    QVERIFY_EXCEPTION_THROWN(File::read(folder.filePath("absent").toStdString()), Error);
    QVERIFY_EXCEPTION_THROWN(File::read("/dev/zero"), Error);
    // A pipe that nobody writes to: opening it must not wait.
    const std::string pipe = folder.filePath("pipe").toStdString();
    QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
    QVERIFY_EXCEPTION_THROWN(File::read(pipe), Error);
}

void TestSafetensors::aFileThatShrinksWhileItIsOpenIsAnError() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.safetensors");
    const std::vector<float> many(1 << 20, 1.0f);
    Writer writer;
    writer.add("first", {1}, std::span(many).first(1));
    writer.add("many", {1 << 20}, many);
    writer.write(path.toStdString());
    const File file = File::read(path.toStdString());
    QVERIFY(QFile::resize(path, 4096));
    QCOMPARE(file.floats("first"), std::vector<float>{1.0f});
    try {
        file.floats("many");
        QFAIL("it was read");
    } catch (const Error& error) {
        QVERIFY2(QByteArray(error.what()).contains("has become shorter"), error.what());
        QVERIFY(QByteArray(error.what()).startsWith(path.toUtf8()));
    }
}

void TestSafetensors::writerRefusesMistakes() {
    const std::vector<float> two = {1, 2};
    Writer writer;
    QVERIFY_EXCEPTION_THROWN(writer.add("a", {3}, two), Error);
    QVERIFY_EXCEPTION_THROWN(writer.add("__metadata__", {2}, two), Error);
    writer.add("a", {2}, two);
    QVERIFY_EXCEPTION_THROWN(writer.add("a", {2}, two), Error);
    writer.setMetadata("text", "\xff");
    QVERIFY_EXCEPTION_THROWN(writer.toBytes(), Error);
    writer.setMetadata("text", std::string(17 << 20, 'x'));  // what could not be read again is not written
    QVERIFY_EXCEPTION_THROWN(writer.toBytes(), Error);
}

void TestSafetensors::savesATrace() {
    using namespace headlight;
    const float minusInfinity = -std::numeric_limits<float>::infinity();
    Trace trace;
    trace.append({"source.ids", Operation::Input, {Axis::SourceToken}, {2}, {4, 5}, {}});
    trace.append({"mask", Operation::Mask, {Axis::SourceToken, Axis::SourceToken}, {1, 2}, {0, minusInfinity}, {}});
    trace.sourceTokens = {"a", "\"b\""};
    QTemporaryDir folder;
    const std::string path = folder.filePath("trace.safetensors").toStdString();
    saveTrace(trace, path);
    const std::string tokens = R"(["a","\"b\""])";
    const File file = File::read(path);
    QCOMPARE(file.metadata().at("format"), std::string("headlight-trace"));
    QCOMPARE(file.metadata().at("headlight.tokens.source"), tokens);
    QCOMPARE(file.metadata().at("headlight.tokens.target"), std::string("[]"));
    QVERIFY(file.entry("source.ids").dtype == DType::I64);
    QCOMPARE(file.integers("source.ids"), (std::vector<int64_t>{4, 5}));
    QVERIFY(file.entry("mask").dtype == DType::F32);
    QCOMPARE(file.floats("mask"), (std::vector<float>{0, minusInfinity}));
    QCOMPARE(file.entries().size(), size_t(2));
}

void TestSafetensors::readsWhatAnotherProgramWrote() {
    const std::string golden = HEADLIGHT_SOURCE_DIR "/tests/golden/";
    const File model = File::read(golden + "post_relu_sinusoidal.safetensors");
    QCOMPARE(model.metadata().at("format"), std::string("headlight"));
    QCOMPARE(model.entry("transformer.encoder.layers.0.self_attn.in_proj_weight").shape,
             (std::vector<int64_t>{48, 16}));
    const File expected = File::read(golden + "post_relu_sinusoidal.expected.safetensors");
    QCOMPARE(expected.integers("batch.source").size(), size_t(18));
    QVERIFY(expected.entry("loss").shape.empty());
    // Probabilities of a row sum to one: the values are read in their right order.
    const std::vector<float> weights = expected.floats("trace.decoder.layers.1.cross_attn.weights");
    for (size_t row = 0; row < weights.size(); row += 4) {
        QVERIFY(std::abs(weights[row] + weights[row + 1] + weights[row + 2] + weights[row + 3] - 1) < 1e-6f);
    }
}

QTEST_APPLESS_MAIN(TestSafetensors)
#include "test_safetensors.moc"
