// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <cstdio>
#include <iostream>

#include <unistd.h>

#include "core/data/corpus_readers.h"
#include "core/error.h"

namespace headlight::cli {

void printJson(const nlohmann::json& json) {
    // Text from files may hold anything; a broken character must not stop the output.
    std::cout << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

void note(const std::string& text) {
    std::cerr << "headlight-cli: note: " << text << "\n";
}

void CorpusOptions::addTo(CLI::App& command) {
    command.add_option("--task", task, "A built-in task: see headlight-cli tasks")->option_text("NAME");
    command.add_option("--pairs", pairs, "Sentence pairs, source TAB target a line")->option_text("FILE.tsv");
    command.add_option("--source-file", sourceFile, "Source sentences, one a line")->option_text("FILE");
    command.add_option("--target-file", targetFile, "Their translations, line by line")->option_text("FILE");
}

void CorpusOptions::check() const {
    if (sourceFile.empty() != targetFile.empty())
        throw Error("--source-file and --target-file belong together: give both");
    const int given = !task.empty() + !pairs.empty() + !sourceFile.empty();
    if (given != 1)
        throw Error("say where the sentences come from: one of --task, --pairs, or --source-file with --target-file");
}

Corpus CorpusOptions::readFiles() const {
    return pairs.empty() ? readParallelText(sourceFile, targetFile) : readPairs(pairs);
}

Progress::Progress(std::string label) : m_label(std::move(label)), m_terminal(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    if (m_drawn) std::fputs("\r\033[K", stderr);
}

void Progress::show(double fraction, const std::string& text) {
    if (!m_terminal) return;
    constexpr int width = 30;
    const int filled = static_cast<int>(fraction * width);
    const std::string bar =
        std::string(static_cast<size_t>(filled), '#') + std::string(static_cast<size_t>(width - filled), '.');
    std::fprintf(stderr, "\r\033[K%s [%s] %3d%%  %s", m_label.c_str(), bar.c_str(), static_cast<int>(fraction * 100),
                 text.c_str());
    std::fflush(stderr);
    m_drawn = true;
}

std::string fixed(double value, int decimals) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
    return buffer;
}

std::string grouped(long value) {
    std::string digits = std::to_string(value);
    for (int at = static_cast<int>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
        digits.insert(static_cast<size_t>(at), ",");
    return digits;
}

}  // namespace headlight::cli
