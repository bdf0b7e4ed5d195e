// SPDX-License-Identifier: GPL-3.0-or-later
#include <iomanip>
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/task.h"
#include "core/text/learn_tokenizer.h"

namespace headlight::cli {

namespace {

int vocabularySize(const Corpus& corpus, std::string SentencePair::*side) {
    std::vector<std::string> lines;
    for (const SentencePair& pair : corpus)
        lines.push_back(pair.*side);
    return trainTokenizer(lines, {})->vocabulary().size();
}

const char* kindName(CorpusKind kind) {
    return kind == CorpusKind::Translation ? "translation" : kind == CorpusKind::Text ? "text" : "labels";
}

void listTasks(bool json) {
    if (!json)
        std::cout << std::left << std::setw(10) << "name" << std::right << std::setw(8) << "train" << std::setw(12)
                  << "validation" << std::setw(7) << "test" << std::setw(8) << "unseen" << std::setw(14) << "words"
                  << "  description\n";
    for (const Task& task : tasks()) {
        const CorpusSplits& splits = task.corpus();
        const int source = vocabularySize(splits.train, &SentencePair::source);
        const int target = vocabularySize(splits.train, &SentencePair::target);
        if (json) {
            printJson({{"name", task.name},
                       {"kind", kindName(task.kind)},
                       {"title", task.title},
                       {"description", task.description},
                       {"example", task.example},
                       {"train", splits.train.size()},
                       {"validation", splits.validation.size()},
                       {"test", splits.test.size()},
                       {"unseen", splits.unseen.size()},
                       {"source_vocab_size", source},
                       {"target_vocab_size", target}});
            continue;
        }
        std::cout << std::left << std::setw(10) << task.name << std::right << std::setw(8)
                  << grouped(static_cast<long>(splits.train.size())) << std::setw(12) << splits.validation.size()
                  << std::setw(7) << splits.test.size() << std::setw(8) << splits.unseen.size() << std::setw(14)
                  << std::to_string(source) + " / " + std::to_string(target) << "  " << task.description << "\n";
    }
}

}  // namespace

void addTasks(CLI::App& app) {
    CLI::App* command = app.add_subcommand("tasks", "List the built-in tasks");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON object a line");
    command->callback([json] { listTasks(*json); });
}

}  // namespace headlight::cli
