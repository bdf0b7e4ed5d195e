// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of a lesson's page that are no reading are live, and values bear the names of the lesson's language; played in
// Chromium.
#include <QTest>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tests/web/played_page.h"
#include "ui/export/page_words.h"
#include "ui/session/format/number_format.h"
#include "ui/session/page/lab_record.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/recurrent/cell_view.h"

using namespace headlight;
using nlohmann::json;

namespace {

constexpr auto kLabs = R"(---
title: Laboratories
summary: Three stages that are no reading.
minutes: 1
needs: []
model: vi-en-transformer
sources: [nobody]
---

## A mask

```stage
view: masks
source: tôi đang học tiếng anh
masking: add
```

```try
do: Close a cell.
when:
  cells: changed
```

## Positions

```stage
view: positions
length: 12
width: 5
base: 100
cell: 4, 5
```

## A loss

The third word has {{log_probs[3,20]:3}} for another.

```stage
view: loss
target: i am learning english
loss_word: 3
smoothing: 0.1
```

```try
do: Turn ε.
when:
  smoothing: 0.3
```
)";

/// One cell in each way of masking, and another's weight once it is closed.
json maskOf(const ShownMask& shown) {
    const auto length = static_cast<int>(shown.words.size());
    const auto at = [&](int row, int column) { return static_cast<size_t>(row * length + column); };
    json ways = json::array();
    std::vector<char> closed = shown.blocked;
    closed[at(2, 1)] = 1;
    for (int way = 0; way < 4; ++way) {
        const auto made = [&](const std::vector<char>& cells) {
            return maskedAttention(shown.scores, cells, length, length, static_cast<MaskingWay>(way));
        };
        ways.push_back(
            {{"before", formatPrecise(static_cast<double>(made(shown.blocked).weights[at(2, 0)])).toStdString()},
             {"after", static_cast<double>(made(closed).weights[at(2, 0)])},
             {"sum", made(closed).sums[2]}});
    }
    return {{"ways", std::move(ways)},
            {"score", formatNumber(static_cast<double>(shown.scores[at(2, 0)]), 4).toStdString()}};
}

json positionsOf(const PositionView& view) {
    json rows = json::array();
    for (int row = 0; row < view.table().length; ++row)
        rows.push_back(formatPrecise(static_cast<double>(view.table().at(row, view.dimension()))).toStdString());
    // Of five dimensions the last is a sine without its cosine.
    const double frequency = std::pow(view.shownTable().base, -4.0 / 5);
    return {{"row", view.position()},
            {"values", std::move(rows)},
            {"lines",
             {formatNumber(frequency, 4).toStdString(), formatNumber(view.position() * frequency, 4).toStdString(),
              formatNumber(std::sin(view.position() * frequency), 4).toStdString()}}};
}

json lossOf(const LossShown& shown) {
    const auto lossAt = [&](double smoothing) {
        json all = json::array();
        for (int word = 0; word < shown.picture->words(); ++word)
            all.push_back(formatNumber(shown.picture->open(word, smoothing).loss(), 2).toStdString());
        return all;
    };
    const WordLoss turned = shown.picture->open(shown.chosen, 0.3);
    const auto line = [](double number) { return formatNumber(number, 4).toStdString(); };
    return {{"losses", lossAt(shown.smoothing)},
            {"turned", lossAt(0.3)},
            {"logP", formatPrecise(turned.logProbability(turned.target())).toStdString()},
            {"parts", {line(turned.ownPart()), line(turned.othersPart()), line(turned.loss())}},
            {"gradient", line(turned.gradient(turned.target()))},
            {"stepped", formatPrecise(turned.stepped().logProbability(turned.target())).toStdString()},
            {"other", formatPrecise(turned.logProbability(19)).toStdString()}};
}

constexpr auto kDecoders = R"(---
title: Decoders
summary: A cell, a decoder fed two ways, and a score.
minutes: 1
needs: []
model: vi-en-gru
sources: [nobody]
---

## A cell

At the third word it keeps {{encoder.layers.0.hidden[3,5]:3}}.

```stage
view: cell
source: tôi đang học tiếng anh
cell_unit: 5
cell_word: 2
```

## Forcing

```stage
view: forcing
source: tuần trước tuấn đã gặp nông dân
forced_word: 2
```

## BLEU

```stage
view: bleu
source: cốc sữa ngon đó ở trên bàn
ngram: 3
```
)";

json pictureCell(const CellPicture& shown) {
    json lines = json::array();
    using Kind = CellColumn::Kind;
    for (const Kind kind :
         {Kind::Update, Kind::Before, Kind::Kept, Kind::Complement, Kind::Candidate, Kind::Written, Kind::State})
        lines.push_back(formatNumber(shown.value(kind), 4).toStdString());
    return {{"lines", std::move(lines)}, {"words", shown.words()}, {"word", shown.word()}};
}

json forcingOf(const TwoWays& ways, const TrainedModel& model) {
    const ForcingPicture picture = forcingPicture(model, ways);
    json steps = json::array();
    for (size_t step = 0; step < picture.steps(); ++step) {
        const auto chance = [step](const std::vector<ForcingPicture::Step>& run) {
            const bool isThere = step < run.size() && run[step].right >= 0;
            return isThere ? formatNumber(run[step].right, 4).toStdString() : std::string("–");
        };
        steps.push_back({chance(picture.forced), chance(picture.free)});
    }
    return {{"steps", std::move(steps)}, {"writes", picture.forced.front().writes.toStdString()}};
}

json bleuOf(const SentenceBleu& sentence) {
    json scores = json::array();
    for (size_t order = 1; order <= longestNgram; ++order)
        scores.push_back(formatNumber(summedBleu({&sentence.bleu, 1}, order).score, 2).toStdString());
    std::array<long, 3> kinds{};
    for (size_t n = 0; n < 3; ++n)
        for (const NgramMatch& match : sentence.ngrams[n])
            ++kinds[static_cast<size_t>(match.kind)];
    return {{"scores", std::move(scores)}, {"kinds", kinds}};
}

constexpr auto kNames = R"(---
title: Names
summary: A reading in another language.
minutes: 1
needs: []
model: vi-en-transformer
sources: [nobody]
---

## Names

```stage
view: architecture
level: model
source: tôi đang học tiếng anh
focus: decoder.layers.1.cross_attn.weights
head: 1
```
)";

}  // namespace

class TestLiveStages : public QObject, fixture::PlayedPage {
    Q_OBJECT
private slots:
    void masksPositionsAndALossAreLiveAndTheirNumbersTheEngines() {
        const auto window = openWindow();
        openLesson(*window, "en", "laboratories", kLabs);
        json expected;
        exportLesson(*window, this, [&] {
            switch (window->workbench().player.step()) {
                case 0:
                    expected["mask"] = maskOf(window->findChild<MaskView*>()->shownMask());
                    break;
                case 1:
                    expected["positions"] = positionsOf(*window->findChild<PositionView*>());
                    break;
                default:
                    expected["loss"] = lossOf(*window->findChild<LossView*>()->shown());
            }
        });
        play("laboratories", expected);
    }

    void aCellADecoderFedTwoWaysAndAScoreAreLive() {
        const auto window = openWindow();
        openLesson(*window, "en", "decoders", kDecoders);
        json expected;
        exportLesson(*window, this, [&] {
            switch (window->workbench().player.step()) {
                case 0:
                    expected["cell"] = pictureCell(*window->findChild<CellView*>()->picture());
                    break;
                case 1:
                    expected["forcing"] =
                        forcingOf(*window->findChild<ForcingView*>()->ways(), *window->workbench().session.model());
                    break;
                default:
                    expected["bleu"] = bleuOf(window->findChild<BleuView*>()->sentence());
            }
        });
        play("decoders", expected);
    }

    void valuesAreCalledWhatTheLessonsLanguageCallsThem_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("scope");
        QTest::newRow("Vietnamese") << QStringLiteral("vi") << QStringLiteral("Bộ giải mã, tầng 2, chú ý chéo");
        QTest::newRow("Russian") << QStringLiteral("ru")
                                 << QStringLiteral("Декодировщик, слой 2, перекрёстное внимание");
    }
    void valuesAreCalledWhatTheLessonsLanguageCallsThem() {
        QFETCH(QString, language);
        QFETCH(QString, scope);
        const auto window = openWindow();
        window->workbench().lessons.setLanguage(language);
        openLesson(*window, language.toStdString().c_str(), "names", kNames);
        exportLesson(*window, this, [] {});
        const PageWords words(language.toStdString());
        const auto say = [&words](const char* text) { return words.say(QString::fromUtf8(text)).toStdString(); };
        json expected{{"texts", json::array()}, {"steps", json::array()}};
        expected["texts"].push_back({".stage-head h2", scope.toStdString()});
        expected["texts"].push_back({".network", say("Decoder")});
        expected["texts"].push_back({".network", say("Cross-attn")});
        for (const char* step : {"Ids", "Embedding", "Positions", "X", "Q"})
            expected["steps"].push_back(say(step));
        play("names", expected);
    }
};

QTEST_MAIN(TestLiveStages)
#include "test_live_stages.moc"
