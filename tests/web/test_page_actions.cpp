// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson asks its reader to do is done in its page: sizes are dragged, units sorted, words shuffled, the truth
// handed in, references added. The page then says what the engine says; played in Chromium.
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tests/web/played_page.h"
#include "ui/session/format/number_format.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/forcing/forcing_picture.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/laboratory/position_words.h"
#include "ui/views/models/cost/cost_bars.h"
#include "ui/views/models/cost/cost_view.h"
#include "ui/views/recurrent/cell_gates.h"
#include "ui/views/recurrent/cell_side.h"
#include "ui/views/recurrent/cell_view.h"
#include "ui/views/recurrent/reach_chart.h"
#include "ui/views/recurrent/write_bars.h"

using namespace headlight;
using nlohmann::json;

namespace {

constexpr auto kCost = R"(---
title: Cost
summary: What it costs, in a page.
minutes: 1
needs: []
model: vi-en-transformer
sources: [nobody]
---

## Layers

```stage
view: cost
cost_words: 9
cost_width: 64
cost_kernel: 3
cost_layers: dilated
cost_model: open
```

```try
do: Choose “plain”.
when:
  cost_layers: plain
```

```try
do: Drag the amber line to 10,000.
when:
  cost_words: 10000
```

## Parameters

```stage
cost_model: lstm
cost_biases: 1
```

```try
do: Choose “2 biases”.
when:
  cost_biases: 2
```
)";

constexpr auto kActions = R"(---
title: Actions
summary: What a reader does, in a page.
minutes: 1
needs: []
model: vi-en-long-lstm
sources: [nobody]
---

## Sorted

```stage
view: cell
source: cô ấy đang ngủ và tôi đang đọc sách
cell_unit: 97
cell_word: 8
cell_units: sorted
side: gradient
```

```try
do: Put them back.
when:
  cell_units: stored
```

## Shuffled

```stage
view: positions
model: vi-en-transformer
source: mẹ tôi yêu bố tôi
length: 12
width: 6
```

```try
do: Shuffle the words.
when:
  shuffles: changed
```

## Handed in

```stage
view: forcing
model: vi-en-fed-truth
source: tuần trước tuấn đã gặp nông dân
forced_word: 4
```

```try
do: Hand in the truth.
when:
  truth: 3
```

## Another reference

```stage
view: bleu
model: vi-en-fed-truth
source: cốc sữa ngon đó ở trên bàn
```

```try
do: Add a reference.
when:
  references: that cup of milk is on the table
```
)";

constexpr auto kSource = "tuần trước tuấn đã gặp nông dân";

json barsOf(const CostView& view) {
    json all = json::array();
    for (const auto kind :
         {TravelPicture::Kind::Recurrence, TravelPicture::Kind::Convolution, TravelPicture::Kind::Attention})
        for (const CostBars::Row& row : view.bars(kind)->rows())
            all.push_back({row.formula.toStdString(), row.text.toStdString()});
    return all;
}

/// The view computes by other sizes, and then by those of the step again.
json costOf(CostView& view) {
    json expected{{"bars", barsOf(view)}, {"parts", json::array()}};
    for (int row = 0; row < view.parts()->rowCount(); ++row)
        expected["parts"].push_back({view.parts()->item(row, 0)->text().toStdString(),
                                     view.parts()->item(row, 2)->text().toStdString(),
                                     view.parts()->item(row, 3)->text().toStdString()});
    view.setSizes(9, 64, 3, Layering::Plain);
    expected["plain"] = barsOf(view);
    view.setSizes(10000, 64, 3, Layering::Plain);
    expected["many"] = barsOf(view);
    view.setSizes(9, 64, 3, Layering::Dilated);
    return expected;
}

json parametersWith(int biases) {
    json counts = json::array();
    const std::vector<WeightBlock> blocks = weightBlocks({16055, 36256, 200, 256, biases});
    for (const WeightBlock& block : blocks)
        counts.push_back(formatCount(block.count()).toStdString());
    return {{"total", formatCount(parametersOf(blocks)).toStdString()}, {"blocks", std::move(counts)}};
}

json viewCell(const CellView& view) {
    json expected{
        {"order", json::array()}, {"sums", json::array()}, {"writes", json::array()}, {"lines", json::array()}};
    for (const int unit : view.picture()->order())
        expected["order"].push_back(unit + 1);
    for (size_t row = 0; row < view.picture()->sums().size(); ++row) {
        json texts = json::array();
        for (const QString& text : view.side()->gates()->rowTexts(row))
            texts.push_back(text.toStdString());
        expected["sums"].push_back(std::move(texts));
    }
    for (const WriteBars::Bar& bar : view.side()->bars()->bars())
        expected["writes"].push_back({bar.word.toStdString(), formatSigned(bar.mean, 2).toStdString()});
    for (const ReachChart::Line& line : view.side()->chart()->lines())
        expected["lines"].push_back(line.name.toStdString() + ": " +
                                    formatScientific(line.share.back(), 1).toStdString());
    return expected;
}

json shuffledOf(const Session& session) {
    json all = json::array();
    for (const unsigned shuffles : {1U, 2U, 3U}) {
        const ShuffledReading read = readShuffled(*session.model(), *session.reading()->trace, shuffles);
        all.push_back({read.words.toStdString(), read.reads.toStdString(), read.deaf.toStdString(),
                       read.deafInOrder.toStdString()});
    }
    return all;
}

/// What the decoder reads and writes by itself where it is handed the truth at these places.
json freeOf(const ForcingView& view, const TrainedModel& model, const std::vector<int>& places) {
    const ForcingPicture picture = forcingPicture(model, runTwoWays(model, kSource, view.truthText(), places));
    json steps = json::array();
    for (const ForcingPicture::Step& step : picture.free)
        steps.push_back({step.reads.toStdString(), step.writes.toStdString()});
    return steps;
}

json scoresOf(const BleuView& view, const std::vector<std::string>& more) {
    const auto textOf = [](const std::vector<std::string>& words) {
        std::string text;
        for (const std::string& word : words)
            text += (text.empty() ? "" : " ") + word;
        return text;
    };
    std::vector<std::string> references;
    for (const auto& reference : view.sentence().references)
        references.push_back(textOf(reference));
    references.insert(references.end(), more.begin(), more.end());
    const SentenceBleu made = sentenceBleu(textOf(view.sentence().hypothesis), references);
    json expected{{"scores", json::array()}, {"found", 0}};
    for (size_t order = 1; order <= longestNgram; ++order)
        expected["scores"].push_back(formatNumber(summedBleu({&made.bleu, 1}, order).score, 2).toStdString());
    for (const auto& all : made.ngrams)
        expected["found"] =
            expected["found"].get<long>() + std::ranges::count(all, NgramMatch::Kind::Found, &NgramMatch::kind);
    return expected;
}

}  // namespace

class TestPageActions : public QObject, fixture::PlayedPage {
    Q_OBJECT
private slots:
    void costIsCountedAnewAsItsSizesChange() {
        const auto window = openWindow();
        openLesson(*window, "en", "cost", kCost);
        json expected{{"one", parametersWith(1)}, {"two", parametersWith(2)}};
        exportLesson(*window, this, [&] {
            if (window->workbench().player.step() == 0) expected.update(costOf(*window->findChild<CostView*>()));
        });
        play("cost", expected);
    }

    void unitsAreSortedWordsShuffledTheTruthHandedInAndReferencesAdded() {
        const auto window = openWindow();
        openLesson(*window, "en", "actions", kActions);
        json expected;
        exportLesson(*window, this, [&] {
            const Session& session = window->workbench().session;
            switch (window->workbench().player.step()) {
                case 0:
                    expected["cell"] = viewCell(*window->findChild<CellView*>());
                    break;
                case 1:
                    expected["shuffled"] = shuffledOf(session);
                    break;
                case 2: {
                    const auto& view = *window->findChild<ForcingView*>();
                    for (const std::vector<int>& places : {std::vector<int>{}, {3}, {4}, {4, 5}})
                        expected["free"].push_back(freeOf(view, *session.model(), places));
                    break;
                }
                default: {
                    const auto& view = *window->findChild<BleuView*>();
                    expected["bleu"] = {scoresOf(view, {}), scoresOf(view, {"that cup of milk is on the table"}),
                                        scoresOf(view, {"that cup of milk is on the table",
                                                        "A 3-day-old cup, (that) is: 2.5 \"on\" the table."})};
                }
            }
        });
        play("actions", expected);
    }
};

QTEST_MAIN(TestPageActions)
#include "test_page_actions.moc"
