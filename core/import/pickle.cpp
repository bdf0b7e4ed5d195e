// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/pickle.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/error.h"

namespace headlight {

bool isPickle(const std::string& path) {
    using namespace std::string_view_literals;
    std::array<char, 4> first{};
    // A folder or a pipe cannot be read like this; what is wrong with it then, others say.
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::ifstream(path, std::ios::binary).read(first.data(), first.size());
    const std::string_view bytes(first.data(), first.size());
    return bytes.starts_with("PK\x03\x04"sv) || bytes.starts_with("\x80\x02"sv);
}

void refusePickle(const std::string& path) {
    throw Error(path +
                " is a pickle of Python: reading one carries out whatever instructions it holds, so Headlight reads "
                "none. Convert it, in its folder: python3 -c \"import torch; from safetensors.torch import save_file; "
                "save_file({k: v.clone().contiguous() for k, v in torch.load('" +
                std::filesystem::path(path).filename().string() +
                "', map_location='cpu', weights_only=True).items()}, 'model.safetensors')\"");
}

void refusePickles(const platform::Folder& folder) {
    for (const char* name : {"pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "ckpt.pt"})
        if (folder.has(name)) refusePickle(folder.shown(name));
}

}  // namespace headlight
