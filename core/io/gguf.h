// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/io/file_bytes.h"
#include "core/io/gguf_blocks.h"

namespace headlight {

/// GGUF, the format of llama.cpp and the programs around it
/// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): typed keys, then tensors whose numbers may be
/// quantized, little-endian. Versions 2 and 3 are read.
namespace gguf {

/// What a key holds. Whole numbers are int64_t, also in lists and truths in lists; one above all of these is a double,
/// and so are fractions. A float32 is the shortest decimal that means it: 1e-5, not 9.999999747378752e-06. Lists of
/// lists are checked and not kept.
struct Value {
    std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<double>,
                 std::vector<std::string>>
        held;
};

/// One tensor of an open file.
struct Tensor {
    const BlockType* type = nullptr;  ///< one that is read
    std::vector<int64_t> shape;       ///< the slowest dimension first, as everywhere in this program
    size_t begin = 0;                 ///< bytes from the start of the data
    size_t bytes = 0;

    int64_t count() const;
};

/// What a header says.
struct Header {
    std::map<std::string, Value> keys;
    std::map<std::string, Tensor> tensors;
    size_t dataBegin = 0;  ///< in bytes of the file
};

/// Does a file that begins so claim to be one?
bool isGguf(std::string_view firstBytes);
/// Does the file? False for what cannot be read, and for what is no plain file.
bool isGgufFile(const std::string& path);

/// Reads and checks what stands before the data: every count and length against the bytes that are there before memory
/// is taken for it, every tensor against its type, its shape and the end of the file. Throws Error that begins with
/// `file` and names the key or tensor.
Header readHeader(const FileBytes& bytes, const std::string& file);

/// An open file. The numbers stay in the file until they are asked for, and are then widened piece by piece: a model
/// takes the memory of its weights and no more.
class File {
public:
    /// Throws Error as readHeader().
    static File read(const std::string& path);
    static File parse(std::vector<char> bytes, const std::string& nameForErrors);

    /// As it was opened.
    const std::string& name() const { return m_name; }
    const std::map<std::string, Value>& keys() const { return m_header.keys; }
    const std::map<std::string, Tensor>& tensors() const { return m_header.tensors; }
    bool has(const std::string& key) const { return m_header.keys.count(key) != 0; }

    // What a key holds; nothing, or null, where the file does not have it. They throw Error where it holds something
    // else.
    std::optional<int64_t> whole(const std::string& key) const;
    std::optional<double> number(const std::string& key) const;
    std::optional<bool> flag(const std::string& key) const;
    std::optional<std::string> text(const std::string& key) const;
    const std::vector<int64_t>* wholes(const std::string& key) const;
    const std::vector<std::string>* texts(const std::string& key) const;
    /// Of whole numbers too.
    std::optional<std::vector<double>> numbers(const std::string& key) const;

    /// Throws Error where there is no such tensor.
    const Tensor& tensor(const std::string& name) const;
    /// The numbers of a tensor, as many as it has, as float32.
    void readFloats(const std::string& name, std::span<float> values) const;
    std::vector<float> floats(const std::string& name) const;
    /// The types of its matrices, sorted: "F16", or "Q4_K, Q6_K" where there are several; those of all tensors where
    /// there is no matrix.
    std::string types() const;
    /// Has any tensor quantized numbers?
    bool isQuantized() const;

    /// An Error of this file.
    Error fault(const std::string& what) const { return Error(m_name + ": " + what); }

private:
    File(std::shared_ptr<const FileBytes> bytes, std::string name);
    const Value* find(const std::string& key) const;
    template <typename Held>
    const Held* held(const std::string& key, const char* wanted) const;

    std::string m_name;
    std::shared_ptr<const FileBytes> m_bytes;
    Header m_header;
};

}  // namespace gguf
}  // namespace headlight
