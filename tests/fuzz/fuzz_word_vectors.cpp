// SPDX-License-Identifier: GPL-3.0-or-later
// A file of vectors for the words of a small model.
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "core/data/word_vectors.h"
#include "tests/fuzz/fuzz.h"

using namespace headlight;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    static TrainedModel model =
        newModel({{"architecture", "language-model"}, {"d_model", 4}, {"num_heads", 1}}, {}, {{"", "word other"}}, 1);
    const std::string path = scratch.write("vectors", {reinterpret_cast<const char*>(data), size});
    fuzz::reads([&] { startWith({.source = path}, model); }, path);
    for (const float weight : model.network->parameters().flat())
        fuzz::require(std::isfinite(weight), "a vector is numbers");
    return 0;
}
