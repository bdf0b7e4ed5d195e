// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/import/import_model.h"
#include "core/io/trace_file.h"

namespace headlight::cli {

namespace {

struct TraceOptions : ReadingOptions {
    std::string out;
    std::vector<std::string> only;
    size_t mebibytes = TraceRecorder::usualBytes >> 20;
};

/// The parts that a value's name ends with.
std::string names(const std::vector<Part>& parts) {
    static const std::map<Part, std::string> words{
        {Part::Scores, "scores"}, {Part::Mask, "mask"}, {Part::Hidden, "hidden"}, {Part::Up, "up"}};
    std::string text;
    for (const Part part : parts)
        text += (text.empty() ? "" : ", ") + words.at(part);
    return text;
}

void runTrace(const TraceOptions& options) {
    const TrainedModel model = openModel(options.model);
    const std::vector<MutedHead> muted = parseMutedHeads(options.mute, *model.network);
    TraceBound bound{.mostBytes = options.mebibytes << 20};
    const Trace trace = traceSentence(model, options.source, options.target, muted, &bound);
    if (!bound.leftOut.empty())
        note("all values would take more than " + std::to_string(options.mebibytes) + " MiB: left out " +
             names(bound.leftOut) + "; --most-memory sets another bound");
    saveTrace(trace, options.out, options.only);
}

}  // namespace

void addTrace(CLI::App& app) {
    CLI::App* command = app.add_subcommand("trace", "Write every intermediate value of one sentence to a file");
    auto options = std::make_shared<TraceOptions>();
    options->addTo(*command);
    command
        ->add_option("--only", options->only,
                     "Values to write, by name or by what it begins with: decoder.layers.1.cross_attn; none: all")
        ->option_text("NAME…");
    command
        ->add_option("--most-memory", options->mebibytes,
                     "MiB that the values may take; beyond it scores are left out, then masks and hidden values")
        ->check(CLI::Range(1, 1 << 20))
        ->option_text("MIB");
    command
        ->add_option("--out", options->out, "Where to write: .safetensors, .npz (NumPy), .json by the end of the name")
        ->required()
        ->option_text("FILE");
    command->callback([options] { runTrace(*options); });
}

}  // namespace headlight::cli
