// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "core/export/hugging_face_folder.h"
#include "core/export/pytorch_folder.h"
#include "core/import/import_model.h"
#include "core/import/model_kind.h"

namespace headlight::cli {

namespace {

struct ExportOptions {
    std::string model, format, out;
    safetensors::DType weights = safetensors::DType::F32;
};

void runExport(const ExportOptions& options) {
    const TrainedModel model = openModel(options.model);
    if (options.format == "pytorch") {
        writePyTorchFolder(model, options.out, options.weights);
        return;
    }
    if (const std::string more = writeHuggingFaceFolder(model, options.out, options.weights); !more.empty()) note(more);
}

}  // namespace

void addExport(CLI::App& app) {
    CLI::App* command = app.add_subcommand("export", "Write a model for another program");
    command->footer(
        "pytorch: a folder with the weights, plain PyTorch code that computes the same, and programs that use it and "
        "go on training it.\n"
        "huggingface: config.json and model.safetensors as Hugging Face's programs keep them, of a model that is "
        "one of the kinds " +
        namesOfKinds() + ": one that was imported, or has their settings.");
    auto options = std::make_shared<ExportOptions>();
    command
        ->add_option("model", options->model,
                     "A model file, another program's folder, or a name in Hugging Face's cache")
        ->required()
        ->option_text("MODEL");
    command->add_option("--format", options->format, "For which program: pytorch, huggingface")
        ->required()
        ->check(CLI::IsMember({"pytorch", "huggingface"}))
        ->option_text("FORMAT");
    command->add_option("--out", options->out, "A new folder")->required()->option_text("DIRECTORY");
    addDtype(*command, options->weights);
    command->callback([options] { runExport(*options); });
}

}  // namespace headlight::cli
