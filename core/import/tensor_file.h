// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// A file that the tensors of a model are read from, in whatever format.
class TensorFile {
public:
    using Shape = std::vector<int64_t>;  ///< the slowest dimension first

    virtual ~TensorFile() = default;
    /// The file, for messages.
    virtual const std::string& name() const = 0;
    /// Every tensor there is.
    virtual const std::map<std::string, Shape>& shapes() const = 0;
    /// How the file itself calls one of them, for messages.
    virtual std::string nameInFile(const std::string& tensor) const { return tensor; }
    /// Reads a tensor of the file as float32, as many numbers as it has. Throws Error for one whose numbers are not
    /// weights.
    virtual void read(const std::string& tensor, std::span<float> values) const = 0;
    /// How its weights are saved: "F32", "BF16, F32", "Q4_K, Q6_K".
    virtual std::string floatTypes() const = 0;
};

/// A safetensors file. Throws Error as safetensors::File::read().
std::unique_ptr<const TensorFile> openSafetensors(const std::string& path);

}  // namespace headlight
