// SPDX-License-Identifier: GPL-3.0-or-later
// A safetensors file. The first part is its header; then come as many bytes of data as the second part says, so that a
// mutation of the header does not have to hit its length too. Without a second part the input is the file as it is.
#include <algorithm>
#include <charconv>

#include "core/io/safetensors.h"
#include "tests/fuzz/fuzz.h"

using namespace headlight;

namespace {

constexpr size_t mostData = size_t{1} << 20;

std::vector<char> fileOf(const std::string& header, const std::string& dataBytes) {
    std::vector<char> bytes(8);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
    bytes.insert(bytes.end(), header.begin(), header.end());
    size_t count = 0;
    std::from_chars(dataBytes.data(), dataBytes.data() + dataBytes.size(), count);
    for (size_t i = 0; i < std::min(count, mostData); ++i)
        bytes.push_back(static_cast<char>(i * 37));
    return bytes;
}

void readAll(const safetensors::File& file) {
    size_t bytes = 0;
    for (const auto& [name, entry] : file.entries()) {
        bytes += entry.end - entry.begin;
        fuzz::require(file.floats(name).size() == static_cast<size_t>(entry.count()), "every value is read");
        fuzz::reads([&, &key = name] { file.integers(key); }, file.name());
    }
    fuzz::require(bytes <= mostData, "there are no more values than the file has");
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::vector<std::string> parts = fuzz::partsOf(data, size, 2);
    std::vector<char> bytes = parts[1].empty() ? std::vector<char>(data, data + size) : fileOf(parts[0], parts[1]);
    const std::string name = "stranger.safetensors";
    fuzz::reads([&] { readAll(safetensors::File::parse(std::move(bytes), name)); }, name);
    return 0;
}
