// SPDX-License-Identifier: GPL-3.0-or-later
// A zip with a text in it, as publishers of sentences pack them.
#include "core/io/zip_text.h"
#include "tests/fuzz/fuzz.h"

using namespace headlight;
namespace fs = std::filesystem;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    scratch.clear();
    const std::string zip = scratch.write("pack.zip", {reinterpret_cast<const char*>(data), size});
    const fs::path folder = scratch.path() / "folder", text = folder / "text.txt";
    fs::create_directories(folder);
    constexpr UnpackLimits limits{.largest = 1 << 20, .ratio = 64, .always = 1 << 12};
    const UnpackedText found = unpackText(zip, text.string(), limits);
    fuzz::require(fs::exists(text) == (found == UnpackedText::Whole), "a text is there whole or not at all");
    const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    fuzz::require(files == (found == UnpackedText::Whole ? 1 : 0), "nothing else is left");
    if (found == UnpackedText::Whole)
        fuzz::require(fs::file_size(text) <= limits.always + limits.ratio * size,
                      "it is not more than the limits allow");
    return 0;
}
