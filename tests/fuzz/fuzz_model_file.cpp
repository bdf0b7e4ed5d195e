// SPDX-License-Identifier: GPL-3.0-or-later
// A model file of Headlight's own: the first part says which file of tests/golden lends its tensors; then come its
// configuration, the two tokenizers and the story of its training. What opens must compute, too.
#include "core/io/model_file.h"
#include "core/io/safetensors.h"
#include "tests/fuzz/fuzz_model.h"

using namespace headlight;

namespace {

/// The tensors of a golden file with other words around them.
void write(const std::vector<std::string>& parts, const std::string& path) {
    static const std::vector<std::string> names = {
        "classifier", "gru_general_two_ways", "kind_bert", "kind_gemma",
        "kind_gpt2",  "kind_llama",           "kind_neox", "kind_phi",
        "kind_t5",    "post_relu_concat",     "rnn_dot",   "rnn_language_model"};
    std::string lender = names.front();
    for (const std::string& name : names)
        if (name == parts[0]) lender = name;
    const auto file = safetensors::File::read(HEADLIGHT_SOURCE_DIR "/tests/golden/" + lender + ".safetensors");
    std::vector<std::vector<float>> values;
    values.reserve(file.entries().size());
    safetensors::Writer writer;
    for (const auto& [name, entry] : file.entries()) {
        values.push_back(file.floats(name));
        writer.add(name, entry.shape, std::span<const float>(values.back()));
    }
    writer.setMetadata("format", "headlight");
    writer.setMetadata("headlight.version", HEADLIGHT_VERSION);
    writer.setMetadata("headlight.config", parts[1]);
    writer.setMetadata("headlight.tokenizer.source", parts[2]);
    writer.setMetadata("headlight.tokenizer.target", parts[3].empty() ? parts[2] : parts[3]);
    writer.setMetadata("headlight.training", parts[4].empty() ? "{}" : parts[4]);
    writer.write(path);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    const std::string path = scratch.path() / "stranger.safetensors";
    // Text that is no UTF-8 cannot be written into a header.
    if (!fuzz::reads([&] { write(fuzz::partsOf(data, size, 5), path); })) return 0;
    fuzz::reads([&] { readModelCard(path); }, path);
    TrainedModel model;
    if (!fuzz::reads([&] { model = loadModel(path); }, path)) return 0;
    fuzz::use(model, model.source->decode({4, 5}, Tokenizer::Specials::Written),
              model.target->decode({4}, Tokenizer::Specials::Written));
    const std::string again = scratch.path() / "again.safetensors";
    fuzz::require(fuzz::reads([&] {
                      saveModel(model, again);
                      fuzz::require(loadModel(again).network->config() == model.network->config(),
                                    "a model that opens is the same again");
                  }),
                  "a model that opens can be saved and opened again");
    return 0;
}
