// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/import/tensor_file.h"
#include "core/platform/folder.h"

namespace headlight {

/// The tensors of another program's model, in one file or in several.
class WeightFiles {
public:
    /// `model.safetensors`, or the files that `model.safetensors.index.json` lists. Throws Error where the folder has
    /// neither, for a file that does not lie in it, and where the index and the files disagree.
    static WeightFiles ofFolder(const platform::Folder& folder);
    /// The files that ofFolder() would read, which need not be there; none where it has neither. Throws Error for an
    /// index that cannot be read, and for weights that are a pickle.
    static std::vector<std::string> namesIn(const platform::Folder& folder);
    static WeightFiles ofFile(const std::string& path);
    static WeightFiles of(std::unique_ptr<const TensorFile> file);
    /// Tensors that are to be written: they have shapes, and nothing can be read of them.
    static WeightFiles planned(const std::map<std::string, std::vector<int64_t>>& shapes);

    bool isPlan() const { return m_files.empty(); }

    /// Gives every tensor the name that `rename` makes of its own. Throws Error where two come to bear one.
    void rename(const std::function<std::string(const std::string&)>& rename);

    bool has(const std::string& name) const { return m_tensors.count(name) != 0; }
    /// Throws Error where there is no such tensor, like all that follow.
    const std::vector<int64_t>& shape(const std::string& name) const;
    /// Reads a tensor as float32. Throws Error for a value that is not a number, too.
    void read(const std::string& name, std::span<float> values) const;
    std::vector<float> read(const std::string& name) const;
    /// The tensor and the file that holds it, under the name that it has there: for messages.
    std::string where(const std::string& name) const;
    std::vector<std::string> names() const;

    /// As TensorFile::floatTypes(), of all files.
    std::string floatTypes() const;
    /// Numbers in all tensors together.
    size_t count() const;
    /// What the messages call them all.
    const std::string& name() const { return m_name; }

private:
    struct Place {
        size_t file = 0;
        std::string name;  ///< in the file
    };
    void add(std::shared_ptr<const TensorFile> file);
    const Place& place(const std::string& name) const;
    size_t count(const std::string& name) const;

    std::string m_name;
    std::vector<std::shared_ptr<const TensorFile>> m_files;
    std::map<std::string, Place> m_tensors;
    std::map<std::string, std::vector<int64_t>> m_planned;
};

}  // namespace headlight
