// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/tensor_file.h"

#include <utility>

#include "core/error.h"
#include "core/io/safetensors.h"
#include "core/io/safetensors_header.h"

namespace headlight {

namespace {

class SafetensorsFile final : public TensorFile {
public:
    explicit SafetensorsFile(const std::string& path) : m_file(safetensors::File::read(path)) {
        for (const auto& [name, entry] : m_file.entries())
            m_shapes.emplace(name, entry.shape);
    }

    const std::string& name() const override { return m_file.name(); }
    const std::map<std::string, Shape>& shapes() const override { return m_shapes; }
    std::string floatTypes() const override { return m_file.floatTypes(); }

    void read(const std::string& tensor, std::span<float> values) const override {
        using enum safetensors::DType;
        const safetensors::DType type = m_file.entry(tensor).dtype;
        if (type != F32 && type != F64 && type != F16 && type != BF16)
            throw Error(name() + ": the tensor " + safetensors::quotedName(tensor) + " holds " +
                        safetensors::nameOf(type) +
                        ", whole numbers that stand for others (quantized): use the model as F32, F16 or BF16");
        m_file.readFloats(tensor, values);
    }

private:
    safetensors::File m_file;
    std::map<std::string, Shape> m_shapes;
};

}  // namespace

std::unique_ptr<const TensorFile> openSafetensors(const std::string& path) {
    return std::make_unique<SafetensorsFile>(path);
}

}  // namespace headlight
