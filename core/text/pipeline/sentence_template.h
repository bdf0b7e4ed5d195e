// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/text/tokenizer.h"

namespace headlight::pipeline {

/// The special tokens around a text, or around two: `[CLS] A [SEP] B [SEP]`.
class SentenceTemplate {
public:
    struct Slot {
        enum class Kind { First, Second, Special } kind = Kind::First;
        int type = 0;          ///< the token type of what stands there
        std::vector<int> ids;  ///< of special tokens
    };

    /// Nothing around them; the second text behind the first, with type 1.
    SentenceTemplate();
    SentenceTemplate(std::vector<Slot> single, std::vector<Slot> pair);

    /// `second`: null for a text alone.
    EncodedInput apply(const std::vector<int>& first, const std::vector<int>* second) const;
    /// All ids that it puts around texts.
    std::vector<int> ids() const;

private:
    std::vector<Slot> m_single, m_pair;
};

/// From tokenizer.json's `post_processor`: TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel, Sequence.
/// Throws Error, which begins with `file`, for another type, and for ids from `size` on.
SentenceTemplate readPostProcessor(const nlohmann::json& json, const std::string& file, int size);

}  // namespace headlight::pipeline
