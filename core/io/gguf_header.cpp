// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "core/io/gguf.h"
#include "core/io/safetensors_header.h"

namespace headlight::gguf {

using safetensors::quotedName;

namespace {

// Bounds of what a stranger's header may ask for. The largest vocabularies have 262,144 tokens and half a million
// merges, which are some ten megabytes.
constexpr size_t mostHeaderBytes = size_t{1} << 28;
constexpr uint64_t mostKeys = 10'000;
constexpr uint64_t mostTensors = 20'000;
constexpr uint64_t mostElements = uint64_t{1} << 21;  ///< of all lists together
constexpr size_t longestName = 1024;
constexpr size_t longestText = size_t{1} << 24;
constexpr int deepestList = 4;
constexpr uint32_t mostDims = 4;
constexpr uint64_t usualAlignment = 32, mostAlignment = uint64_t{1} << 20;

constexpr const char* damagedGguf = ": the file is damaged or cut short, copy or download it again";

/// What a key's value, or an element of a list, is.
enum class Kind : uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, List, U64, I64, F64 };
constexpr uint32_t kinds = 13;

/// Bytes that a value takes at least.
size_t leastBytes(Kind kind) {
    static constexpr std::array<size_t, kinds> all{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};
    return all[static_cast<size_t>(kind)];
}

/// The number that its writer meant by a float32.
double shortestDouble(float value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double result = value;
    std::from_chars(text.data(), end, result);
    return result;
}

/// Walks through a file from its beginning, and never past its end.
class HeaderWalk {
public:
    HeaderWalk(const FileBytes& bytes, const std::string& file)
        : m_bytes(bytes), m_file(file), m_end(std::min(bytes.size(), mostHeaderBytes)) {}

    size_t at() const { return m_at; }
    /// Bytes that may still be read.
    size_t left() const { return m_end - m_at; }
    /// Throws Error where fewer than `count` are left.
    void require(uint64_t count, const std::string& what) const {
        if (count <= left()) return;
        if (m_end < m_bytes.size())
            throw fault(what + " lies behind the first " + std::to_string(mostHeaderBytes) +
                        " bytes, which are more than the keys of any model take: the file is damaged");
        throw fault(what + " needs " + std::to_string(count) + " bytes, and " + std::to_string(left()) + " are left" +
                    damagedGguf);
    }

    template <typename Number>
    Number number(const std::string& what) {
        Number value{};
        require(sizeof value, what);
        take(std::span(reinterpret_cast<char*>(&value), sizeof value));
        return value;
    }

    std::string text(size_t longest, const std::string& what) {
        const auto length = number<uint64_t>(what);
        if (length > longest)
            throw fault(what + " says that it is " + std::to_string(length) + " bytes long, and at most " +
                        std::to_string(longest) + " are read" + damagedGguf);
        require(length, what);
        std::string result(static_cast<size_t>(length), '\0');
        take(result);
        return result;
    }

    Error fault(const std::string& what) const { return Error(m_file + ": " + what); }

private:
    /// The next bytes, which are there.
    void take(std::span<char> into) {
        while (!into.empty()) {
            if (m_at < m_bufferAt || m_at >= m_bufferAt + m_buffer.size()) {
                m_bufferAt = m_at;
                m_buffer.resize(std::min(bufferBytes, m_end - m_at));
                m_bytes.read(m_bufferAt, m_buffer);
            }
            const size_t first = m_at - m_bufferAt, count = std::min(into.size(), m_buffer.size() - first);
            std::copy_n(m_buffer.begin() + static_cast<std::ptrdiff_t>(first), count, into.begin());
            into = into.subspan(count);
            m_at += count;
        }
    }

    static constexpr size_t bufferBytes = size_t{1} << 16;

    const FileBytes& m_bytes;
    const std::string& m_file;
    size_t m_end;
    size_t m_at = 0;
    std::vector<char> m_buffer;
    size_t m_bufferAt = 0;
};

/// The keys and their values.
class ValueReader {
public:
    explicit ValueReader(HeaderWalk& walk) : m_walk(walk) {}

    /// `what`: the key, for messages.
    Value read(const std::string& what) {
        const Kind kind = kindOf(what);
        if (kind == Kind::List) return list(what, 1);
        return single(kind, what);
    }

private:
    Kind kindOf(const std::string& what) {
        const auto id = m_walk.number<uint32_t>(what);
        if (id >= kinds)
            throw m_walk.fault(what + " is of the type " + std::to_string(id) + ", which GGUF does not have" +
                               damagedGguf);
        return static_cast<Kind>(id);
    }

    template <typename Number>
    int64_t whole(const std::string& what) {
        return static_cast<int64_t>(m_walk.number<Number>(what));
    }

    bool truth(const std::string& what) {
        const auto byte = m_walk.number<uint8_t>(what);
        if (byte > 1) throw m_walk.fault(what + " is neither true nor false" + damagedGguf);
        return byte == 1;
    }

    /// Of the kinds that are whole numbers, or truths.
    int64_t wholeOf(Kind kind, const std::string& what) {
        switch (kind) {
            case Kind::U8:
                return whole<uint8_t>(what);
            case Kind::I8:
                return whole<int8_t>(what);
            case Kind::U16:
                return whole<uint16_t>(what);
            case Kind::I16:
                return whole<int16_t>(what);
            case Kind::U32:
                return whole<uint32_t>(what);
            case Kind::I32:
                return whole<int32_t>(what);
            case Kind::Bool:
                return truth(what) ? 1 : 0;
            case Kind::U64:
            case Kind::I64:
                return whole<int64_t>(what);
            case Kind::F32:
            case Kind::F64:
            case Kind::Text:
            case Kind::List:
                break;
        }
        throw m_walk.fault(what + " is no whole number" + damagedGguf);
    }

    Value single(Kind kind, const std::string& what) {
        switch (kind) {
            case Kind::Bool:
                return {truth(what)};
            case Kind::Text:
                return {m_walk.text(longestText, what)};
            case Kind::F32:
                return {shortestDouble(m_walk.number<float>(what))};
            case Kind::F64:
                return {m_walk.number<double>(what)};
            case Kind::U64: {
                const auto value = m_walk.number<uint64_t>(what);
                if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
                    return {static_cast<double>(value)};
                return {static_cast<int64_t>(value)};
            }
            case Kind::U8:
            case Kind::I8:
            case Kind::U16:
            case Kind::I16:
            case Kind::U32:
            case Kind::I32:
            case Kind::I64:
            case Kind::List:
                break;
        }
        return {wholeOf(kind, what)};
    }

    Value list(const std::string& what, int depth) {
        const Kind kind = kindOf(what);
        const auto count = m_walk.number<uint64_t>(what);
        // Asked in this order nothing overflows.
        if (count > m_walk.left() / leastBytes(kind))
            throw m_walk.fault(what + " says that it lists " + std::to_string(count) +
                               " values, more than the rest of the file could hold" + damagedGguf);
        if (count > mostElements - m_elements)
            throw m_walk.fault(what + " and the lists before it have more than " + std::to_string(mostElements) +
                               " values, more than any model's: the file is damaged");
        m_elements += count;
        if (kind == Kind::List) {
            if (depth >= deepestList) throw m_walk.fault(what + " holds lists in lists without end" + damagedGguf);
            for (uint64_t i = 0; i < count; ++i)
                list(what, depth + 1);
            return {};
        }
        if (kind == Kind::Text) return {many<std::string>(count, [&] { return m_walk.text(longestText, what); })};
        if (kind == Kind::F32)
            return {many<double>(count, [&] { return static_cast<double>(m_walk.number<float>(what)); })};
        if (kind == Kind::F64) return {many<double>(count, [&] { return m_walk.number<double>(what); })};
        return {many<int64_t>(count, [&] { return wholeOf(kind, what); })};
    }

    template <typename Element, typename Next>
    static std::vector<Element> many(uint64_t count, Next next) {
        std::vector<Element> values;
        values.reserve(static_cast<size_t>(count));
        for (uint64_t i = 0; i < count; ++i)
            values.push_back(next());
        return values;
    }

    HeaderWalk& m_walk;
    uint64_t m_elements = 0;
};

void checkVersion(HeaderWalk& walk) {
    std::array<char, 4> magic{};
    for (char& c : magic)
        c = walk.number<char>("the file's first word");
    if (!isGguf({magic.data(), magic.size()}))
        throw walk.fault("this is not a GGUF file, whose first letters are GGUF: choose another");
    const auto version = walk.number<uint32_t>("the version");
    if (version != 0 && (version & 0xffffU) == 0)
        throw walk.fault(
            "it is a GGUF file for big-endian machines, and Headlight reads those for little-endian ones: "
            "convert it with gguf_convert_endian.py of llama.cpp");
    if (version == 1)
        throw walk.fault(
            "it is of GGUF's first version, and Headlight reads versions 2 and 3: convert the model again with a "
            "newer llama.cpp");
    if (version != 2 && version != 3)
        throw walk.fault(
            "it is of GGUF's version " + std::to_string(version) +
            ", and Headlight reads versions 2 and 3: take a newer Headlight, or another copy of the model");
}

void readKeys(HeaderWalk& walk, uint64_t count, Header& header) {
    ValueReader values(walk);
    for (uint64_t i = 0; i < count; ++i) {
        const std::string number = "key " + std::to_string(i + 1) + " of " + std::to_string(count);
        std::string key = walk.text(longestName, "the name of " + number);
        if (header.keys.count(key)) throw walk.fault("it has the key " + quotedName(key) + " twice" + damagedGguf);
        Value value = values.read("the key " + quotedName(key));
        header.keys.emplace(std::move(key), std::move(value));
    }
}

/// Bytes of a tensor of that type and shape.
size_t tensorBytes(const HeaderWalk& walk, const std::string& what, const Tensor& tensor) {
    constexpr auto most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    uint64_t count = 1;
    for (const int64_t dim : tensor.shape) {
        if (dim < 1) throw walk.fault(what + " has a side of " + std::to_string(dim) + damagedGguf);
        if (count > most / static_cast<uint64_t>(dim))
            throw walk.fault(what + " has a shape too large for any memory" + damagedGguf);
        count *= static_cast<uint64_t>(dim);
    }
    const int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
    if (static_cast<uint64_t>(row) % tensor.type->numbers != 0)
        throw walk.fault(what + " has rows of " + std::to_string(row) + " numbers, and " + tensor.type->name +
                         " has blocks of " + std::to_string(tensor.type->numbers) + damagedGguf);
    const uint64_t blocks = count / tensor.type->numbers;
    if (blocks > most / tensor.type->bytes)
        throw walk.fault(what + " has a shape too large for any memory" + damagedGguf);
    return static_cast<size_t>(blocks * tensor.type->bytes);
}

const BlockType* typeOf(HeaderWalk& walk, const std::string& what) {
    const auto id = walk.number<uint32_t>(what);
    const BlockType* type = blockType(id);
    if (type != nullptr && type->isRead()) return type;
    throw walk.fault(what + " is of the type " + (type != nullptr ? type->name : std::to_string(id)) +
                     ", and Headlight reads F32, F16, BF16, Q8_0, Q6_K, Q5_K, Q4_K, Q5_1, Q5_0, Q4_1 and Q4_0: get or "
                     "make the model in one of these, as Q4_K_M or Q8_0 (llama-quantize)");
}

void readTensors(HeaderWalk& walk, uint64_t count, Header& header) {
    for (uint64_t i = 0; i < count; ++i) {
        std::string name =
            walk.text(longestName, "the name of tensor " + std::to_string(i + 1) + " of " + std::to_string(count));
        const std::string what = "the tensor " + quotedName(name);
        const auto dims = walk.number<uint32_t>(what);
        if (dims > mostDims)
            throw walk.fault(what + " has " + std::to_string(dims) + " dimensions, and GGUF's have at most " +
                             std::to_string(mostDims) + damagedGguf);
        Tensor tensor;
        for (uint32_t d = 0; d < dims; ++d)
            tensor.shape.push_back(walk.number<int64_t>(what));
        std::ranges::reverse(tensor.shape);
        tensor.type = typeOf(walk, what);
        tensor.begin = walk.number<uint64_t>(what);
        tensor.bytes = tensorBytes(walk, what, tensor);
        if (!header.tensors.emplace(std::move(name), std::move(tensor)).second)
            throw walk.fault("it has " + what + " twice" + damagedGguf);
    }
}

size_t alignmentOf(const HeaderWalk& walk, const Header& header) {
    const auto found = header.keys.find("general.alignment");
    if (found == header.keys.end()) return usualAlignment;
    const auto* value = std::get_if<int64_t>(&found->second.held);
    if (value == nullptr || *value < 1 || *value > static_cast<int64_t>(mostAlignment) ||
        !std::has_single_bit(static_cast<uint64_t>(*value)))
        throw walk.fault("the key \"general.alignment\" is no power of two up to " + std::to_string(mostAlignment) +
                         damagedGguf);
    return static_cast<size_t>(*value);
}

size_t aligned(size_t at, size_t alignment) {
    return (at + alignment - 1) / alignment * alignment;
}

/// The tensors follow one another, each from the next multiple of the alignment on, up to the end of the file.
void checkPlaces(const HeaderWalk& walk, const Header& header, size_t fileBytes, size_t alignment) {
    using Named = std::pair<const std::string, Tensor>;
    std::vector<const Named*> inOrder;
    for (const Named& named : header.tensors)
        inOrder.push_back(&named);
    std::ranges::sort(inOrder, {}, [](const Named* named) { return named->second.begin; });
    size_t next = 0;
    for (const Named* named : inOrder) {
        const auto& [name, tensor] = *named;
        const std::string what = "the tensor " + quotedName(name);
        if (tensor.begin != next)
            throw walk.fault(what + " lies at byte " + std::to_string(tensor.begin) + " of the data, where byte " +
                             std::to_string(next) + " was to come next" + damagedGguf);
        const size_t room = fileBytes > header.dataBegin ? fileBytes - header.dataBegin : 0;
        if (tensor.begin > room || tensor.bytes > room - tensor.begin)
            throw walk.fault(what + " ends at byte " + std::to_string(tensor.begin + tensor.bytes) +
                             " of the data, and there are " + std::to_string(room) + damagedGguf);
        next = aligned(tensor.begin + tensor.bytes, alignment);
    }
}

}  // namespace

Header readHeader(const FileBytes& bytes, const std::string& file) {
    // The least that a key takes (its name's length, its type, a byte), and a tensor.
    constexpr size_t keyBytes = 8 + 4 + 1, tensorBytes = 8 + 4 + 4 + 8;
    HeaderWalk walk(bytes, file);
    checkVersion(walk);
    const auto tensors = walk.number<uint64_t>("the number of tensors"),
               keys = walk.number<uint64_t>("the number of keys");
    if (tensors > std::min<uint64_t>(mostTensors, walk.left() / tensorBytes))
        throw walk.fault("it says that it has " + std::to_string(tensors) + " tensors, and " +
                         std::to_string(walk.left()) + " bytes could tell of " +
                         std::to_string(std::min<uint64_t>(mostTensors, walk.left() / tensorBytes)) + damagedGguf);
    if (keys > std::min<uint64_t>(mostKeys, walk.left() / keyBytes))
        throw walk.fault("it says that it has " + std::to_string(keys) + " keys, and " + std::to_string(walk.left()) +
                         " bytes could tell of " +
                         std::to_string(std::min<uint64_t>(mostKeys, walk.left() / keyBytes)) + damagedGguf);
    Header header;
    readKeys(walk, keys, header);
    readTensors(walk, tensors, header);
    const size_t alignment = alignmentOf(walk, header);
    header.dataBegin = aligned(walk.at(), alignment);
    checkPlaces(walk, header, bytes.size(), alignment);
    return header;
}

}  // namespace headlight::gguf
