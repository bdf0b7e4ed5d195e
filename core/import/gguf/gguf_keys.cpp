// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/gguf/gguf_keys.h"

#include <algorithm>

namespace headlight {

GgufKeys::GgufKeys(const gguf::File& file)
    : m_file(file), m_architecture(file.text("general.architecture").value_or("")) {
    if (m_architecture.empty())
        throw file.fault(
            "it lacks the key general.architecture, which says what kind of model it holds: convert the model again");
}

std::optional<int> GgufKeys::checked(const std::string& key, std::optional<int64_t> value) const {
    constexpr int64_t largest = 1 << 30;
    if (!value) return {};
    if (*value < 0 || *value > largest)
        throw m_file.fault("the key " + key + " is " + std::to_string(*value) +
                           ": it must be a whole number from 0 to " + std::to_string(largest));
    return static_cast<int>(*value);
}

std::optional<int> GgufKeys::sizeOrNone(const char* key) const {
    const std::string name = full(key);
    const auto found = m_file.keys().find(name);
    if (found == m_file.keys().end()) return {};
    if (!std::holds_alternative<std::vector<int64_t>>(found->second.held)) return checked(name, m_file.whole(name));
    const std::vector<int64_t>& layers = *m_file.wholes(name);
    if (layers.empty() || std::ranges::any_of(layers, [&](int64_t each) { return each != layers.front(); }))
        throw m_file.fault("the key " + name +
                           " gives layers different sizes, and in Headlight all layers of a model are alike");
    return checked(name, layers.front());
}

int GgufKeys::size(const char* key) const {
    const std::optional<int> value = sizeOrNone(key);
    if (!value)
        throw m_file.fault("it lacks the key " + full(key) +
                           ", which every model of its kind needs: convert the model again");
    if (*value < 1) throw m_file.fault("the key " + full(key) + " is 0: it must be a whole number from 1");
    return *value;
}

double GgufKeys::number(const char* key) const {
    if (const std::optional<double> value = m_file.number(full(key))) return *value;
    throw m_file.fault("it lacks the key " + full(key) +
                       ", which every model of its kind needs: convert the model again");
}

double GgufKeys::number(const char* key, double fallback) const {
    return m_file.number(full(key)).value_or(fallback);
}

std::optional<int> GgufKeys::token(const char* name) const {
    const std::string key = std::string("tokenizer.ggml.") + name + "_token_id";
    const std::optional<int64_t> id = m_file.whole(key);
    // Some converters write −1, as they would a missing key, as an unsigned number.
    if (id && (*id == -1 || *id == int64_t{0xffffffff})) return {};
    return checked(key, id);
}

}  // namespace headlight
