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

/// Where the contents with that hash lie in the folder of a model, and its files under their names.
std::string hubBlob(const std::string& modelFolder, const std::string& hash);

/// A file of a snapshot: the name, and the hash of the contents that it stands for.
struct SnapshotFile {
    std::string name, hash;
};
/// Gives contents that are there their names in the snapshot of a commit, as links, and then says that it is what
/// `revision` means: others find the model whole or not at all. Throws Error with the system's reason.
void makeSnapshot(const std::string& modelFolder, const std::string& commit, const std::string& revision,
                  const std::vector<SnapshotFile>& files);

/// The first five for a message, and “…” where there are more.
std::string listedNames(const std::vector<std::string>& names);

/// `ORG/NAME` of a folder that is a snapshot in that cache; "" of any other.
std::string hubName(const std::string& folder);

}  // namespace headlight
