// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/merge_corpus.h"

#include <algorithm>

#include "core/data/sheet.h"
#include "core/data/task.h"
#include "core/error.h"
#include "core/text/learn_tokenizer.h"

namespace headlight {

namespace {

constexpr std::string_view ownScheme = "text:";

constexpr std::string_view small =
    "Nico has a kite. The kite is red, and the tail of the kite is white. "
    "The wind is high over the town, and the kite is higher than the tower of the town. "
    "Niels is the king in the tower. The king likes the kite, and Nico likes the king. "
    "In the kitchen of the king, Martin is reading Latin. Martin likes Latin, and the king likes Martin. "
    "Niels asks Nico: is it a kite or a bird? It is a kite, it is the kite of Minh, and Minh is in the town. "
    "Minh thả diều. Con diều của Minh màu trắng, và nó bay trên thị trấn. "
    "Thị trấn có một cái tháp, và trong tháp có một nhà vua. "
    "Nhà vua thích con diều, và Minh thích nhà vua. "
    "Minh đang học tiếng Latin, và nghiêng đầu nghe tiếng gió. "
    "Нико и Минь живут в городе. В городе есть башня. "
    "Нико учит Миня делать змея, и змей летит над городом. "
    "Король видит змея, и змей нравится королю. "
    "Учитель учит короля, король учит ученика, а ученик учит Нико. "
    "The tower is old, and the bird in the tower is old. A tin kite is no kite: tin is not white.";

const Task* taskNamed(const std::string& name) {
    const auto found = std::ranges::find(tasks(), name, &Task::name);
    return found == tasks().end() ? nullptr : &*found;
}

void addTask(const Task& task, TokenCounter& counter, const WorkProgress& progress) {
    const Corpus& corpus = task.corpus().train;
    for (size_t i = 0; i < corpus.size(); ++i) {
        tellNowAndThen(progress, i, corpus.size());
        if (!corpus[i].source.empty()) counter.add(corpus[i].source);
        if (task.kind != CorpusKind::Labels) counter.add(corpus[i].target);
    }
}

/// Whether all of it was read.
bool addFile(const std::string& path, TokenCounter& counter, const WorkProgress& progress, size_t mostBytes) {
    Sheet sheet(path, SheetUse::Lines, {}, {});
    std::string line;
    size_t bytes = 0, lines = 0;
    while (sheet.lines().next(line)) {
        if (++lines % 4096 == 0) tell(progress, sheet.reader().share());
        bytes += line.size() + 1;
        if (bytes > mostBytes) return false;
        counter.add(line);
    }
    return true;
}

}  // namespace

std::string_view smallText() {
    return small;
}

MergeCorpus mergeCorpus(const std::string& corpus, const WorkProgress& progress, size_t mostBytes) {
    TokenCounter counter({});
    MergeCorpus read;
    if (corpus == "small")
        counter.add(small);
    else if (corpus.starts_with(ownScheme))
        counter.add(corpus.substr(ownScheme.size()));
    else if (const Task* task = taskNamed(corpus))
        addTask(*task, counter, progress);
    else
        read.isBounded = !addFile(corpus, counter, progress, mostBytes);
    read.counts = counter.take();
    if (read.counts.empty()) throw Error("there are no words to learn from; give a text with at least one");
    return read;
}

}  // namespace headlight
