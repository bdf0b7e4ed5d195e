// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/parameter_set.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {
constexpr size_t lineOfFloats = 16;  // 64 bytes
}

ModuleRef ParameterSet::addModule(Module module) {
    assert(std::ranges::none_of(m_modules, [&](const ModuleRef& each) { return each->scope == module.scope; }));
    return m_modules.emplace_back(std::make_shared<const Module>(std::move(module)));
}

void ParameterSet::reserve(size_t weights) {
    // What pads each weight to a cache line is not counted; most are far longer.
    m_values.reserve(weights + weights / 256 + 1024);
}

ParameterId ParameterSet::add(const ModuleRef& module, std::string name, Shape shape, Init init, int fanIn) {
    assert(std::none_of(m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.name == name; }));
    const size_t offset = m_values.size();
    m_values.grow(offset + (shape.count() + lineOfFloats - 1) / lineOfFloats * lineOfFloats);
    m_entries.push_back({std::move(name), shape, init, fanIn, offset, {}, module});
    return static_cast<ParameterId>(m_entries.size()) - 1;
}

void ParameterSet::initialize(uint64_t seed) {
    Random random(seed);
    for (const Entry& entry : m_entries) {
        const std::span<float> weights(m_values.data() + entry.offset, entry.shape.count());
        const auto fillUniform = [&](double bound) {
            for (float& w : weights)
                w = static_cast<float>(random.uniform(-bound, bound));
        };
        const auto fillNormal = [&](double deviation) {
            for (float& w : weights)
                w = static_cast<float>(random.normal() * deviation);
        };
        switch (entry.init) {
            case Init::Zeros:
                std::ranges::fill(weights, 0.0f);
                break;
            case Init::Ones:
                std::ranges::fill(weights, 1.0f);
                break;
            case Init::XavierUniform:
                fillUniform(std::sqrt(6.0 / (entry.shape.dim(0) + entry.shape.dim(1))));
                break;
            case Init::FanInUniform:
                fillUniform(1 / std::sqrt(static_cast<double>(entry.fanIn)));
                break;
            case Init::EmbeddingNormal:
                fillNormal(1 / std::sqrt(entry.shape.dim(-1)));
                break;
            case Init::StandardNormal:
                fillNormal(1);
                break;
        }
    }
}

Tensor<const float> ParameterSet::value(ParameterId id) const {
    return {m_values.data() + entry(id).offset, entry(id).shape};
}

Tensor<const float> ParameterSet::value(std::string_view name) const {
    const auto found = std::ranges::find(m_entries, name, &Entry::name);
    return found == m_entries.end() ? Tensor<const float>()
                                    : Tensor<const float>(m_values.data() + found->offset, found->shape);
}

Tensor<float> ParameterSet::view(ParameterId id, float* buffer) const {
    return {buffer + entry(id).offset, entry(id).shape};
}

size_t ParameterSet::count() const {
    size_t total = 0;
    for (const Entry& entry : m_entries)
        total += entry.shape.count();
    return total;
}

}  // namespace headlight
