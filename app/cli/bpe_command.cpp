// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/cli.h"
#include "core/error.h"
#include "core/io/text_file.h"
#include "core/text/bpe.h"
#include "core/text/unicode.h"

namespace headlight::cli {

namespace {

/// The next line with its line feed; false at the end. Bounded, so that an endless line is noticed before memory is
/// full of it.
bool nextLine(std::streambuf& text, const std::string& name, long number, std::string& line) {
    constexpr size_t longest = size_t{64} << 20;
    line.clear();
    for (int c = text.sbumpc(); c != std::char_traits<char>::eof(); c = text.sbumpc()) {
        line += static_cast<char>(c);
        if (c == '\n') return true;
        if (line.size() > longest)
            throw Error(name + ", line " + std::to_string(number) + " is longer than 64 MiB: give text in lines");
    }
    return !line.empty();
}

void refuseInvalidUtf8(const std::string& name, long number, const std::string& line) {
    if (const auto at = findInvalidUtf8(line))
        throw Error(name + ", line " + std::to_string(number) + " is not valid UTF-8 (byte " + std::to_string(*at + 1) +
                    "): convert it to UTF-8");
}

/// Hands the lines of standard input on, as they are.
template <typename Use>
void readInput(Use use) {
    const std::string name = "standard input";
    long number = 1;
    for (std::string line; nextLine(*std::cin.rdbuf(), name, number, line); ++number) {
        refuseInvalidUtf8(name, number, line);
        use(line);
    }
    if (number == 1) throw Error(name + " is empty: give text, a sentence a line");
}

void flushOutput() {
    if (!std::cout.flush()) throw Error("standard output cannot be written to: check where it goes");
}

void learn(int merges) {
    WordCounts counts;
    readInput([&counts](const std::string& line) { countWords(line, counts); });
    if (counts.empty()) throw Error("standard input has no words: give text, a sentence a line");
    const std::vector<Merge> learned = learnMerges(counts, merges);
    std::cout << writeCodes(learned);
    flushOutput();
    if (learned.size() < static_cast<size_t>(merges))
        note("no pair stands twice after " + std::to_string(learned.size()) + " merges: learning stops there");
}

Bpe readCodes(const std::string& path) {
    TextFile text(path, "a codes file");
    // Told before memory is full of it: a device never ends.
    constexpr size_t mostLines = 1 << 20, mostBytes = size_t{256} << 20;
    std::vector<std::string> lines;
    size_t bytes = 0;
    for (std::string line; nextLine(text, path, static_cast<long>(lines.size()) + 1, line);) {
        refuseInvalidUtf8(path, static_cast<long>(lines.size()) + 1, line);
        bytes += line.size();
        if (line.ends_with('\n')) line.pop_back();
        lines.push_back(line);
        if (lines.size() > mostLines || bytes > mostBytes)
            throw Error(path + " has more than a million lines or 256 MiB: give a codes file, as bpe learn writes it");
    }
    return Bpe::fromCodes(std::move(lines), path);
}

void apply(const std::string& codes) {
    const Bpe bpe = readCodes(codes);
    readInput([&bpe](const std::string& line) { std::cout << bpe.apply(line); });
    flushOutput();
}

}  // namespace

void addBpe(CLI::App& app) {
    CLI::App* command = app.add_subcommand("bpe", "Byte-pair encoding, as subword-nmt learns and applies it");
    command->require_subcommand(1);

    CLI::App* learning = command->add_subcommand("learn", "Learn merges: text in, codes out");
    auto merges = std::make_shared<int>(0);
    learning->add_option("--merges", *merges, "Learn at most N merges")
        ->required()
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    learning->callback([merges] { learn(*merges); });

    CLI::App* applying = command->add_subcommand("apply", "Cut words into pieces: text in, text out");
    auto codes = std::make_shared<std::string>();
    applying->add_option("--codes", *codes, "What bpe learn wrote")->required()->option_text("FILE");
    applying->callback([codes] { apply(*codes); });
}

}  // namespace headlight::cli
