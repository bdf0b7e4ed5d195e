// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/text/pipeline/subword_model.h"

namespace headlight::pipeline {

class ComponentJson;

/// Of all ways to cut a piece into tokens the one whose scores add up to most (Kudo: Subword Regularization, ACL 2018),
/// as T5, XLM-R and ALBERT have it. A character that no token is scores ten less than the worst of them; neighbours of
/// that kind are one unknown token, or with `byte_fallback` their bytes. Throws Error where `unk_id` names no token.
std::unique_ptr<const SubwordModel> makeUnigram(const ModelSource& source, const ComponentJson& json);

}  // namespace headlight::pipeline
