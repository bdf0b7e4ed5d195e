// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF file, as its bytes are: container, keys, tokenizer and tensors. What opens must compute, too. The corpus was
// begun with tests/golden/make_gguf.py --tiny.
#include "core/import/import_model.h"
#include "core/io/gguf.h"
#include "tests/fuzz/fuzz_model.h"

using namespace headlight;

namespace {

void readAll(const gguf::File& file, size_t fileBytes) {
    size_t bytes = 0;
    for (const auto& [name, tensor] : file.tensors()) {
        bytes += tensor.bytes;
        fuzz::require(bytes <= fileBytes, "there are no more numbers than the file has");
        fuzz::require(file.floats(name).size() == static_cast<size_t>(tensor.count()), "every number is read");
    }
    file.types();
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    std::vector<char> bytes(data, data + size);
    const std::string path = scratch.write("stranger.gguf", {bytes.data(), bytes.size()});
    if (!fuzz::reads([&] { readAll(gguf::File::parse(std::move(bytes), path), size); }, path)) return 0;
    fuzz::reads([&] { readCardOf(path); }, path);
    TrainedModel model;
    if (!fuzz::reads([&] { model = openModel(path); }, path)) return 0;
    fuzz::use(model, "ab x y", "a");
    const std::string again = scratch.path() / "again.safetensors";
    fuzz::require(fuzz::reads([&] {
                      saveModel(model, again);
                      fuzz::require(openModel(again).network->config() == model.network->config(),
                                    "a model that opens is the same again");
                  }),
                  "a model that opens can be saved and opened again");
    return 0;
}
