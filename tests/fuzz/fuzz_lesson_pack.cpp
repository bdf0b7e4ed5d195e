// SPDX-License-Identifier: GPL-3.0-or-later
// A zip of lessons.
#include "core/lessons/lesson_folder.h"
#include "core/lessons/lesson_pack.h"
#include "tests/fuzz/fuzz.h"

using namespace headlight;
namespace fs = std::filesystem;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    scratch.clear();
    const std::string pack = scratch.write("pack.zip", {reinterpret_cast<const char*>(data), size});
    const fs::path outside = scratch.path() / "outside", folder = outside / "folder";
    fs::create_directories(folder);
    fuzz::reads([&] { unpackLessons(pack, folder.string()); }, scratch.path().string());
    uintmax_t bytes = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(outside)) {
        fuzz::require(entry.path() == folder || entry.path().string().starts_with(folder.string() + "/"),
                      "nothing is written outside of the folder");
        if (!entry.is_directory()) bytes += entry.file_size();
    }
    fuzz::require(bytes <= 32 << 20, "no more is written than a pack may hold");
    readLessonFolder(folder.string());
    return 0;
}
