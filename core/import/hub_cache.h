// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// Is it the folder of one model in the cache of Hugging Face's programs: `models--ORG--NAME` with its snapshots?
bool isHubModel(const std::string& path);

/// Of such a folder the snapshot of a revision, `snapshots/COMMIT`; any other path as it is. The revision is a ref (a
/// file of `refs`, which names a commit), or a commit, of which four digits are enough where no other begins so. Throws
/// Error where the folder has no such revision, several, or not its snapshot, and where that is a link out of the
/// cache.
std::string hubSnapshot(const std::string& path, const std::string& revision = "main");

/// `ORG/NAME` of `models--ORG--NAME`, and the other way.
std::string hubModelName(const std::string& folderName);
std::string hubFolderName(std::string modelName);

/// The first five for a message, and “…” where there are more.
std::string listedNames(const std::vector<std::string>& names);

/// `ORG/NAME` of a folder that is a snapshot in that cache; "" of any other.
std::string hubName(const std::string& folder);

}  // namespace headlight
