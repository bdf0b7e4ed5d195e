// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/import/import_model.h"
#include "core/import/model_kind.h"

namespace headlight::cli {

void addImport(CLI::App& app) {
    CLI::App* command = app.add_subcommand("import", "Turn another program's model into a model file");
    command->footer(
        "Reads a folder of Hugging Face's (config.json and model.safetensors, whole or in shards) of the kinds " +
        namesOfKinds() +
        ", and FILE.safetensors with a FILE.json beside it that says what it is. Reads FILE.gguf too, as llama.cpp, "
        "Ollama and LM Studio keep models (llama, qwen2, qwen3, gemma, gemma2, gemma3, gpt2, gptneox, phi2, phi3), in "
        "F32, F16, BF16, Q8_0, Q6_K, Q5_K, Q4_K, Q5_1, Q5_0, Q4_1 or Q4_0: each number is widened as its type says. "
        "All other commands take such a folder or file in the place of a model file too.\n"
        "Where no file is called so, a model's name, as gpt2, EleutherAI/pythia-70m or NAME@REVISION, is looked up in "
        "the cache of Hugging Face's programs (HF_HUB_CACHE, HF_HOME, ~/.cache/huggingface/hub); nothing is "
        "downloaded.\n"
        "A model file of Headlight's own is written again: with --dtype f16 in half the room.");
    auto from = std::make_shared<std::string>();
    auto out = std::make_shared<std::string>();
    auto weights = std::make_shared<safetensors::DType>(safetensors::DType::F32);
    command->add_option("model", *from, "A folder, a file, or a name")->required()->option_text("DIR|FILE|NAME");
    command->add_option("--out", *out, "Where to write")->required()->option_text("MODEL.safetensors");
    addDtype(*command, *weights);
    command->callback([from, out, weights] {
        const TrainedModel model = openModel(*from);
        saveModel(model, *out, *weights);
        std::string leftOut;
        for (const std::string& setting : searchLeftOut(model))
            leftOut += (leftOut.empty() ? "" : ", ") + setting;
        if (!leftOut.empty())
            note("its own program also searches with " + leftOut +
                 ", which is left out here: translations may be others than that program's");
    });
}

}  // namespace headlight::cli
