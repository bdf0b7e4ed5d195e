// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// Arrays as NumPy keeps them: `numpy.load(path)[name]`. A .npz is a zip of .npy files (numpy.lib.format, version 1.0).
class NumpyWriter {
public:
    void add(const std::string& name, const std::vector<int>& shape, std::span<const float> values);
    void add(const std::string& name, const std::vector<int>& shape, std::span<const int64_t> values);
    /// Texts, UTF-8, as an array of strings.
    void add(const std::string& name, const std::vector<std::string>& texts);
    /// Through atomicWrite(). Equal contents give equal bytes. Throws Error.
    void write(const std::string& path) const;

private:
    void add(const std::string& name, const std::string& type, const std::vector<int>& shape,
             std::span<const char> bytes);

    std::vector<std::pair<std::string, std::string>> m_files;  ///< name and bytes
};

}  // namespace headlight
