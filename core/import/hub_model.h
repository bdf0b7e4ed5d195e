// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/models/model_config.h"

namespace headlight {

struct ModelCard;

// What Hugging Face's hub says of models (its HTTP API), read as what a stranger wrote; nothing here asks a network.

/// A file of a model there.
struct HubFile {
    std::string name;
    std::int64_t size = 0;  ///< bytes
    /// Of its contents, in hexadecimal digits: SHA-256 where git keeps it apart (LFS), else git's own, SHA-1 of a blob.
    /// In the cache of Hugging Face's programs the file bears it.
    std::string hash;
};

/// A model there, as one commit has it.
struct HubModel {
    std::string name;  ///< `OWNER/NAME`; of the oldest models `NAME`
    std::string commit;
    bool isGated = false;         ///< Whoever wants it has to accept a licence
    std::int64_t parameters = 0;  ///< as its publisher's files have them; 0: not known
    std::vector<HubFile> files = {};

    /// The file of that name, or nullptr.
    const HubFile* file(const std::string& name) const;
};

/// The answer to `GET /api/models/NAME?blobs=true`. Throws Error, which begins with `name`, where it is none.
HubModel hubModelFromJson(const std::string& json, const std::string& name);

/// What a search found.
struct HubSearch {
    int found = 0;                        ///< models of any kind
    std::vector<std::string> names = {};  ///< of those whose tags say that Headlight may open them
};

/// The answer to `GET /api/models?search=WORDS`. Throws Error where it is none.
HubSearch hubSearchFromJson(const std::string& json);

/// The files from which openModel() opens it: settings, weights as safetensors, tokenizer; nothing that can be run.
/// Throws Error where it has none that can be opened, and says what to do.
std::vector<HubFile> neededFiles(const HubModel& model);
std::int64_t bytesOf(const std::vector<HubFile>& files);

/// What can be said of a model before its weights are there.
struct ModelOutline {
    std::string kind;    ///< ModelKind::title; "" of a file that Headlight wrote
    ModelConfig config;  ///< without what its head may be: that is known by its weights
    std::int64_t parameters = 0;
    std::int64_t memory = 0;  ///< bytes that its weights take when it is open
};

/// From config.json. Throws Error for a kind that is not read, and for what the engine does not compute.
ModelOutline outlineOf(const HubModel& model, const std::string& config);
/// Of one that is here.
ModelOutline outlineOf(const ModelCard& card);

}  // namespace headlight
