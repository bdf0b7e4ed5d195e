// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// A model's name as it is typed, `[OWNER/]NAME[@REVISION]`, taken apart.
struct ModelName {
    std::string name;
    std::string revision;  ///< empty: main
};
ModelName modelNameFrom(const std::string& text);

/// Can the text be a model's name, `[OWNER/]NAME[@REVISION]`? Paths with more folders, and files' names, cannot.
bool isModelName(const std::string& text);

/// `OWNER/NAME` of every model in hubCacheFolder(), sorted; a part of one is among them.
std::vector<std::string> cachedModels();

/// The snapshot of the model with that name in hubCacheFolder(); "" where it has none, or where the text is no name. A
/// name without its owner finds `models--NAME`, else the only model that bears the name. REVISION is a ref, or a commit
/// of which four digits are enough where no other begins so. Throws Error where several owners have such a model, for a
/// revision that is not there, for a download that did not end, and for a link that leads out of the cache.
std::string cachedModel(const std::string& name);

/// `path` where a file or folder stands there, or where it is no name; else the cachedModel() of that name. Throws
/// Error where there is none, with models of a similar name and the command that downloads it.
std::string modelOrCached(const std::string& path);

}  // namespace headlight
