// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight {

/// Is it the folder of one model in the cache of Hugging Face's programs: `models--ORG--NAME` with its snapshots?
bool isHubModel(const std::string& path);

/// Of such a folder the snapshot that `refs/main` names, `snapshots/COMMIT`; any other path as it is. Throws Error
/// where the folder has no `refs/main`, or not the snapshot that it names.
std::string hubSnapshot(const std::string& path);

/// `ORG/NAME` of a folder that is a snapshot in that cache; "" of any other.
std::string hubName(const std::string& folder);

}  // namespace headlight
