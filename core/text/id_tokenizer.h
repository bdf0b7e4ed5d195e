// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

namespace headlight {

/// Of a model that came without a tokenizer: its text is token ids, `5 9 11`. They are fed as they are, whatever they
/// mean to the model.
class IdTokenizer : public Tokenizer {
public:
    static constexpr std::string_view kindName = "ids";

    /// For ids from 0 to `size` − 1. `specials`: what the model's configuration says of them. Throws Error for a size
    /// below 1 or over 2^20.
    explicit IdTokenizer(int size, const SpecialTokens& specials = {});
    static std::shared_ptr<const Tokenizer> fromJson(const nlohmann::json& json);

    /// Numbers between white space. Throws Error for what is none, or none of the vocabulary.
    std::vector<std::string> split(std::string_view text) const override;
    std::string join(const std::vector<std::string>& tokens) const override;
    std::vector<int> encode(std::string_view text) const override;
    /// `{"kind": "ids", "size": …, "specials": {…}}`
    nlohmann::json toJson() const override;
};

}  // namespace headlight
