// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_bytes.h"

#include <algorithm>
#include <utility>

#include "core/platform/input_file.h"

namespace headlight {

namespace {

class BytesInMemory final : public FileBytes {
public:
    explicit BytesInMemory(std::vector<char> bytes) : m_bytes(std::move(bytes)) {}
    size_t size() const override { return m_bytes.size(); }
    void read(size_t offset, std::span<char> into) const override {
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    }

private:
    std::vector<char> m_bytes;
};

class BytesOnDisk final : public FileBytes {
public:
    explicit BytesOnDisk(const std::string& path) : m_file(path) {}
    size_t size() const override { return m_file.size(); }
    void read(size_t offset, std::span<char> into) const override { m_file.read(offset, into); }

private:
    platform::InputFile m_file;
};

}  // namespace

std::shared_ptr<const FileBytes> FileBytes::onDisk(const std::string& path) {
    return std::make_shared<BytesOnDisk>(path);
}

std::shared_ptr<const FileBytes> FileBytes::inMemory(std::vector<char> bytes) {
    return std::make_shared<BytesInMemory>(std::move(bytes));
}

}  // namespace headlight
