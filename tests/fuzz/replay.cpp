// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program of tests/fuzz on files, without libFuzzer: every input that once was a finding stays a test, with any
// compiler. Arguments are files or folders of them; a folder without a file is a mistake.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> filesOf(const fs::path& path) {
    if (!fs::is_directory(path)) return {path};
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

}  // namespace

int main(int count, char** arguments) {
    size_t done = 0;
    for (int i = 1; i < count; ++i) {
        for (const fs::path& path : filesOf(arguments[i])) {
            std::cout << path.string() << std::endl;  // before it is run: what is said last is what failed
            std::ifstream file(path, std::ios::binary);
            const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
            LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
            ++done;
        }
    }
    std::cout << done << " inputs\n";
    return done > 0 ? 0 : 1;
}
