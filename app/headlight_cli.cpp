// SPDX-License-Identifier: GPL-3.0-or-later
// headlight-cli: the engine without a window.
#include <algorithm>
#include <iostream>

#include "app/blas_environment.h"
#include "app/cli/cli.h"
#include "app/cli/config_file.h"
#include "app/option_pages.h"
#include "core/error.h"

namespace {

constexpr int failed = 1;
constexpr int wrongUsage = 2;

/// One line, whatever the text of an error brought along.
int complain(std::string what, int status) {
    std::ranges::replace(what, '\n', ' ');
    std::cerr << "headlight-cli: error: " << what << "\n";
    return status;
}

int run(int argc, char** argv) {
    headlight::useBestBlasKernels(argv);
    CLI::App app("Headlight's engine: train, translate and take apart neural sequence models.", "headlight-cli");
    app.set_version_flag("--version", "headlight-cli " HEADLIGHT_VERSION);
    app.require_subcommand(1);
    app.fallthrough(false);
    using namespace headlight::cli;
    for (const auto& add : {addTasks, addTrain, addTranslate, addGenerate, addTrace, addWhy, addPatch, addAttribute,
                            addEvaluate, addSummary, addBench, addBpe, addExperiment, addLessons, addImport, addExport})
        add(app);
    headlight::addPages(app);
    try {
        std::vector<std::string> arguments = withConfigFile(app, {argv + std::min(1, argc), argv + argc});
        std::ranges::reverse(arguments);  // as CLI11 wants them
        app.parse(std::move(arguments));
        return 0;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        return complain(std::string(error.what()) + ": see headlight-cli --help", wrongUsage);
    }
}

}  // namespace

// All of the program stands in the try: of an exception that leaves main() nobody would be told.
int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const headlight::Error& error) {
        return complain(error.what(), failed);
    } catch (const std::bad_alloc&) {
        return complain("there is not enough memory: use smaller sizes or less data", failed);
    } catch (const std::exception& error) {
        return complain(std::string("something went wrong inside: ") + error.what(), failed);
    }
}
