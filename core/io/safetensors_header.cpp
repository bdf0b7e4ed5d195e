// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_text.h"

namespace headlight::safetensors {

namespace {

struct DTypeFacts {
    DType dtype;
    const char* name;
    size_t size;
};

constexpr std::array kDTypes = {
    DTypeFacts{DType::F32, "F32", 4},   DTypeFacts{DType::F64, "F64", 8},   DTypeFacts{DType::F16, "F16", 2},
    DTypeFacts{DType::BF16, "BF16", 2}, DTypeFacts{DType::I64, "I64", 8},   DTypeFacts{DType::I32, "I32", 4},
    DTypeFacts{DType::U8, "U8", 1},     DTypeFacts{DType::Bool, "BOOL", 1},
};

const DTypeFacts& factsOf(DType dtype) {
    return *std::find_if(kDTypes.begin(), kDTypes.end(), [&](const DTypeFacts& facts) { return facts.dtype == dtype; });
}

/// Takes the header apart event by event. A document tree would keep one of two equal keys without a word, and would be
/// built in memory before anything is known about it.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
public:
    HeaderReader(Header& header, const std::string& file) : m_header(header), m_file(file) {}

    bool null() override { return unexpected("null"); }
    bool boolean(bool) override { return unexpected("true or false"); }
    bool number_integer(number_integer_t) override { return unexpected("a negative number"); }
    bool number_float(number_float_t, const string_t&) override {
        return unexpected("a fraction or too large a number");
    }
    bool binary(binary_t&) override { return unexpected("binary data"); }
    bool number_unsigned(number_unsigned_t value) override;
    bool string(string_t& value) override;
    bool start_object(std::size_t) override;
    bool key(string_t& name) override;
    bool end_object() override;
    bool start_array(std::size_t) override;
    bool end_array() override;
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        fail("the header is not valid JSON at its byte " + std::to_string(position));
    }

private:
    /// What the reader stands in. The format has no other places: anything nested deeper is refused as it begins.
    enum class Place { Start, Root, Metadata, Tensor, Shape, Offsets, End };
    /// The field of a tensor whose value comes next.
    enum class Field { None, DType, Shape, Offsets };

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(m_file + ": " + what +
                    "; this is not a safetensors file, or it is damaged: copy or download it again");
    }
    [[noreturn]] bool unexpected(const std::string& what) const {
        std::string message = "the header has " + what + " where it may not stand";
        if (m_place != Place::Start && m_place != Place::Root) message += ", in " + quotedName(m_name);
        fail(message);
    }
    void startTensor(const std::string& name);
    void finishTensor();
    void setDType(const std::string& name);

    Header& m_header;
    const std::string& m_file;
    Place m_place = Place::Start;
    Field m_field = Field::None;
    std::string m_name;  ///< of the tensor, or `__metadata__`
    std::string m_metadataKey;
    bool m_sawMetadata = false;
    std::optional<DType> m_dtype;
    std::optional<std::vector<int64_t>> m_shape;
    std::optional<std::vector<size_t>> m_offsets;
};

bool HeaderReader::start_object(std::size_t) {
    if (m_place == Place::Start) {
        m_place = Place::Root;
    } else if (m_place == Place::Root) {
        m_place = m_name == kMetadataKey ? Place::Metadata : Place::Tensor;
    } else {
        unexpected("an object");
    }
    return true;
}

bool HeaderReader::key(string_t& name) {
    if (m_place == Place::Root) {
        startTensor(name);
    } else if (m_place == Place::Metadata) {
        if (m_header.metadata.count(name)) fail("the metadata have " + quotedName(name) + " twice");
        if (m_header.metadata.size() >= kMaxMetadata)
            fail("the metadata have more than " + std::to_string(kMaxMetadata) + " entries");
        m_metadataKey = name;
    } else {
        bool again = false;
        if (name == "dtype") {
            m_field = Field::DType, again = m_dtype.has_value();
        } else if (name == "shape") {
            m_field = Field::Shape, again = m_shape.has_value();
        } else if (name == "data_offsets") {
            m_field = Field::Offsets, again = m_offsets.has_value();
        } else {
            fail("the tensor " + quotedName(m_name) + " has the unknown property " + quotedName(name));
        }
        if (again) fail("the tensor " + quotedName(m_name) + " has the property " + quotedName(name) + " twice");
    }
    return true;
}

void HeaderReader::startTensor(const std::string& name) {
    const bool again = name == kMetadataKey ? std::exchange(m_sawMetadata, true) : m_header.entries.count(name) != 0;
    if (again) fail("the header has " + quotedName(name) + " twice");
    if (m_header.entries.size() >= kMaxTensors) {
        fail("the header has more than " + std::to_string(kMaxTensors) + " tensors");
    }
    m_name = name;
    m_field = Field::None;
    m_dtype.reset();
    m_shape.reset();
    m_offsets.reset();
}

bool HeaderReader::end_object() {
    if (m_place == Place::Tensor) finishTensor();
    m_place = m_place == Place::Root ? Place::End : Place::Root;
    return true;
}

void HeaderReader::finishTensor() {
    if (!m_dtype || !m_shape || !m_offsets) {
        fail("the tensor " + quotedName(m_name) + " lacks its " +
             (!m_dtype   ? "dtype"
              : !m_shape ? "shape"
                         : "data_offsets"));
    }
    if (m_offsets->size() != 2) fail("the tensor " + quotedName(m_name) + " needs two data_offsets");
    m_header.entries.emplace(m_name, Entry{*m_dtype, std::move(*m_shape), (*m_offsets)[0], (*m_offsets)[1]});
}

bool HeaderReader::string(string_t& value) {
    if (m_place == Place::Metadata) {
        m_header.metadata.emplace(m_metadataKey, value);
    } else if (m_place == Place::Tensor && m_field == Field::DType) {
        setDType(value);
    } else {
        unexpected("a string");
    }
    return true;
}

void HeaderReader::setDType(const std::string& name) {
    for (const DTypeFacts& facts : kDTypes) {
        if (name == facts.name) m_dtype = facts.dtype;
    }
    if (!m_dtype) {
        throw Error(m_file + ": the tensor " + quotedName(m_name) + " holds values of type " + quotedName(name) +
                    ", which Headlight cannot read: convert it to F32, F16 or BF16");
    }
}

bool HeaderReader::start_array(std::size_t) {
    if (m_place != Place::Tensor) unexpected("a list");
    if (m_field == Field::Shape) {
        m_shape.emplace();
        m_place = Place::Shape;
    } else if (m_field == Field::Offsets) {
        m_offsets.emplace();
        m_place = Place::Offsets;
    } else {
        unexpected("a list");
    }
    return true;
}

bool HeaderReader::end_array() {
    m_place = Place::Tensor;
    return true;
}

bool HeaderReader::number_unsigned(number_unsigned_t value) {
    if (m_place != Place::Shape && m_place != Place::Offsets) unexpected("a number");
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) unexpected("too large a number");
    if (m_place == Place::Shape) {
        if (m_shape->size() >= kMaxRank)
            fail("the tensor " + quotedName(m_name) + " has more than " + std::to_string(kMaxRank) + " dimensions");
        m_shape->push_back(static_cast<int64_t>(value));
    } else {
        if (m_offsets->size() == 2) fail("the tensor " + quotedName(m_name) + " needs two data_offsets");
        m_offsets->push_back(static_cast<size_t>(value));
    }
    return true;
}

/// The bytes that a shape needs, or nothing where the number does not fit.
std::optional<size_t> checkedBytes(const Entry& entry) {
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    auto bytes = static_cast<int64_t>(sizeOf(entry.dtype));
    for (const int64_t dim : entry.shape) {
        if (dim > 0 && bytes > most / dim) return std::nullopt;
        bytes *= dim;
    }
    return static_cast<size_t>(bytes);
}

/// Checks 5 to 8: the entries tile the data, each as large as its shape, up to the end of the file.
void checkEntries(const Header& header, size_t dataBytes, const std::string& file) {
    const std::string damaged = "; the file is damaged: copy or download it again";
    using Named = std::pair<const std::string, Entry>;
    std::vector<const Named*> inOrder;
    for (const Named& named : header.entries)
        inOrder.push_back(&named);
    std::sort(inOrder.begin(), inOrder.end(), [](const Named* a, const Named* b) {
        return std::pair(a->second.begin, a->second.end) < std::pair(b->second.begin, b->second.end);
    });
    size_t end = 0;
    for (const Named* named : inOrder) {
        const auto& [name, entry] = *named;
        const std::string tensor = file + ": the tensor " + quotedName(name);
        if (entry.begin != end || entry.end < entry.begin) {
            throw Error(tensor + " lies at bytes " + std::to_string(entry.begin) + " to " + std::to_string(entry.end) +
                        " of the data, where byte " + std::to_string(end) + " was to come next" + damaged);
        }
        const std::optional<size_t> bytes = checkedBytes(entry);
        if (!bytes) throw Error(tensor + " has a shape too large for any memory" + damaged);
        if (*bytes != entry.end - entry.begin) {
            throw Error(tensor + " has " + std::to_string(entry.end - entry.begin) + " bytes, but its shape needs " +
                        std::to_string(*bytes) + damaged);
        }
        end = entry.end;
    }
    if (end != dataBytes) {
        throw Error(file + ": the header tells of " + std::to_string(end) + " bytes of data, but there are " +
                    std::to_string(dataBytes) + damaged);
    }
}

/// What files of other programs begin with. Null: nothing known.
const char* otherKind(std::string_view firstBytes) {
    using namespace std::string_view_literals;
    if (firstBytes.starts_with("PK\x03\x04"sv)) return "a zip archive, as PyTorch writes them (.pt, .pth, .bin)";
    if (firstBytes.starts_with("\x80\x02"sv)) return "a pickle of Python, as older PyTorch writes them (.pt, .pth)";
    if (firstBytes.starts_with("GGUF"sv)) return "a GGUF file";
    if (firstBytes.starts_with("\x89HDF"sv)) return "an HDF5 file, as Keras writes them";
    return nullptr;
}

bool isText(std::string_view firstBytes) {
    const auto isOfText = [](unsigned char c) { return c >= ' ' || c == '\t' || c == '\n' || c == '\r'; };
    const auto isAscii = [](unsigned char c) { return c < 0x80; };
    return std::ranges::all_of(firstBytes, isOfText) && std::ranges::any_of(firstBytes, isAscii);
}

}  // namespace

const char* nameOf(DType dtype) {
    return factsOf(dtype).name;
}

size_t sizeOf(DType dtype) {
    return factsOf(dtype).size;
}

std::string quotedName(std::string_view name) {
    constexpr size_t kLongest = 80;
    const std::string shown = name.size() > kLongest ? std::string(name.substr(0, kLongest)) + "…" : std::string(name);
    return jsonQuoted(shown);
}

size_t headerLength(std::string_view firstBytes, size_t fileSize, const std::string& file) {
    if (fileSize < kPrefixBytes || firstBytes.size() < kPrefixBytes) {
        throw Error(file + ": the file has only " + std::to_string(fileSize) +
                    " bytes; this is not a safetensors file, or it was cut short: copy or download it again");
    }
    uint64_t length = 0;
    for (size_t i = 0; i < kPrefixBytes; ++i) {
        length |= static_cast<uint64_t>(static_cast<unsigned char>(firstBytes[i])) << (8 * i);
    }
    if (length > kMaxHeaderBytes) {
        if (const char* other = otherKind(firstBytes)) {
            throw Error(file + ": this is " + other +
                        ": Headlight reads models as safetensors; headlight-cli import --help says of which programs");
        }
        if (isText(firstBytes.substr(0, kPrefixBytes)))
            throw Error(file +
                        ": this is a text, and no model: open it in the window (Train, Data), or learn from it "
                        "with headlight-cli train");
        throw Error(file + ": the header would be " + std::to_string(length) + " bytes long, more than the " +
                    std::to_string(kMaxHeaderBytes) + " allowed; this is not a safetensors file: choose another");
    }
    if (length > fileSize - kPrefixBytes) {
        throw Error(file + ": the header would be " + std::to_string(length) + " bytes long, but the file has only " +
                    std::to_string(fileSize) + "; it was cut short: copy or download it again");
    }
    return static_cast<size_t>(length);
}

Header parseHeader(std::string_view json, size_t fileSize, const std::string& file) {
    // The parser takes a NUL for the end of its input and skips a byte-order mark; the format knows neither.
    const size_t first = json.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || json[first] != '{' || std::memchr(json.data(), '\0', json.size())) {
        throw Error(file +
                    ": the header is not valid JSON; this is not a safetensors file, or it is damaged: copy or " +
                    "download it again");
    }
    Header header;
    HeaderReader reader(header, file);
    nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
    checkEntries(header, fileSize - kPrefixBytes - json.size(), file);
    return header;
}

}  // namespace headlight::safetensors
