// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace headlight::pipeline {

/// A token that a model made: its id, or −1 and the text where it has none.
struct ModelToken {
    int id = -1;
    std::string text = {};  ///< only where the vocabulary does not have it
};

/// Cuts a piece of text into tokens of its vocabulary. May be used by several threads at once.
class SubwordModel {
public:
    virtual ~SubwordModel() = default;
    /// Adds the tokens of a piece.
    virtual void cut(std::string_view piece, std::vector<ModelToken>& tokens) const = 0;
    /// What unknown text becomes; empty where it is left out.
    virtual const std::string& unknownToken() const = 0;
    /// Are bytes that the vocabulary lacks written as `<0xE1>`?
    virtual bool fallsBackToBytes() const { return false; }
};

using MergeList = std::vector<std::pair<std::string, std::string>>;

/// What a model is made of.
struct ModelSource {
    const nlohmann::json& options;           ///< tokenizer.json's `model`; vocab and merges in it are not looked at
    const std::vector<std::string>& tokens;  ///< by id; empty where an id is not the model's own
    const std::vector<double>& scores;       ///< of Unigram, by id
    const MergeList& merges;                 ///< of BPE, by rank
    const std::string& file;                 ///< begins every message
    const std::string& mergesFile;           ///< begins those about merges
};

/// BPE, Unigram (both with byte fallback), WordPiece or WordLevel, by `type`, or where there is none by the options
/// that each alone has. Throws Error for another type, for dropout, and for merges that name tokens which the
/// vocabulary does not have.
std::unique_ptr<const SubwordModel> readModel(const ModelSource& source);
/// The type of a model; "" where it cannot be told.
std::string modelType(const nlohmann::json& options);

}  // namespace headlight::pipeline
