// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight {

// What Hugging Face's programs are told by variables; what they do for them, they do here.

/// Where these programs keep what they download: `HF_HUB_CACHE`, else `HUGGINGFACE_HUB_CACHE`, else `HF_HOME`/hub, else
/// `XDG_CACHE_HOME`/huggingface/hub, else ~/.cache/huggingface/hub. An empty variable counts as unset. "" where no home
/// folder is known either.
std::string hubCacheFolder();

/// The hub's address, without a slash at its end: `HF_ENDPOINT`, else https://huggingface.co.
std::string hubEndpoint();

/// Who the reader is to the hub: `HF_TOKEN`, else `HUGGING_FACE_HUB_TOKEN`, else what the file `HF_TOKEN_PATH`, or
/// `token` beside the cache's folder of old, holds; "" where nothing is said.
std::string hubToken();

/// Was it said that nothing is to be asked of the hub (`HF_HUB_OFFLINE`, `TRANSFORMERS_OFFLINE`)?
bool hubIsOffline();

}  // namespace headlight
