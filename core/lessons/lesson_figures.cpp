// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_figures.h"

#include <algorithm>
#include <optional>

#include "core/data/merge_corpus.h"
#include "core/data/task.h"
#include "core/data/training_recipe.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/cell_figures.h"
#include "core/experiment/loss_of_words.h"
#include "core/number_text.h"
#include "core/text/merge_film.h"
#include "core/train/sentence_bleu.h"

namespace headlight {

namespace {

LengthPenalty penaltyOf(const StageState& state) {
    switch (state.decode.scoring) {
        case DecodeOptions::Scoring::Gnmt:
            return {LengthPenalty::Kind::Gnmt, state.decode.penalty};
        case DecodeOptions::Scoring::Power:
            return {LengthPenalty::Kind::Power, state.decode.penalty};
        case DecodeOptions::Scoring::Average:
            return {LengthPenalty::Kind::Average};
        case DecodeOptions::Scoring::None:
            break;
    }
    return {LengthPenalty::Kind::None};
}

FigureTable hypotheses(const StageState& state, const TrainedModel& model) {
    if (!model.network->config().encoderDecoder()) throw Error("hypotheses are a translator's");
    const std::vector<MutedHead> muted = parseMutedHeads(state.mute, *model.network);
    const BeamOptions options{.beam = state.decode.beam,
                              .lengthPenalty = penaltyOf(state),
                              .nBest = state.decode.beam,
                              .maxLength = std::min(state.decode.maxLength, model.network->config().maxLength),
                              .prefix = model.target->encode(state.decode.fixed),
                              .mutedHeads = muted};
    FigureTable table{2};
    const std::vector<Translation> translations = translate(model, {state.source}, options);
    for (const Written& each : translations.front().hypotheses)
        table.values.insert(table.values.end(), {each.logProb, each.score});
    return table;
}

FigureTable merges(const StageState& state, const TrainedModel&) {
    const bool isOwn = state.subwords.corpus == "small" && !state.subwords.ownText.empty();
    const MergeFilm film(mergeCorpus(isOwn ? "text:" + state.subwords.ownText : state.subwords.corpus).counts,
                         state.subwords.merges);
    FigureTable table{2};
    for (int merge = 0; merge < film.mergeCount(); ++merge)
        table.values.insert(table.values.end(), {static_cast<double>(film.frame(merge, 1, 0).pairs.front().count),
                                                 static_cast<double>(film.pieces(merge + 1))});
    return table;
}

/// What the model's task has as the translation of a sentence; nothing where it is none of the task's.
std::optional<std::string> referenceOf(const std::string& source, const TrainedModel& model) {
    const Task* task = taskOf(model.training);
    if (!task) return std::nullopt;
    const CorpusSplits& splits = task->corpus();
    for (const Corpus* part : {&splits.test, &splits.unseen, &splits.validation, &splits.train}) {
        const auto found = std::ranges::find(*part, source, &SentencePair::source);
        if (found != part->end()) return found->target;
    }
    return std::nullopt;
}

SentenceBleu scoreOf(const StageState& state, const TrainedModel& model) {
    std::vector<std::string> references = state.bleu.references;
    if (const auto own = referenceOf(state.source, model)) references.insert(references.begin(), *own);
    if (references.empty()) throw Error("there is no reference for \"" + state.source + "\"");
    const Written written = respond(model, state.source, parseMutedHeads(state.mute, *model.network));
    return sentenceBleu(written.text, references, static_cast<size_t>(state.bleu.ngram));
}

FigureTable ngrams(const StageState& state, const TrainedModel& model) {
    const SentenceBleu sentence = scoreOf(state, model);
    FigureTable table{2};
    for (size_t length = 0; length < static_cast<size_t>(state.bleu.ngram); ++length)
        table.values.insert(table.values.end(), {static_cast<double>(sentence.bleu.matches[length]),
                                                 static_cast<double>(sentence.bleu.totals[length])});
    return table;
}

FigureTable bleu(const StageState& state, const TrainedModel& model) {
    return {1, {scoreOf(state, model).bleu.score}};
}

FigureTable gradientReachOf(const StageState& state, const TrainedModel& model) {
    const Task* task = taskOf(model.training);
    if (!task) throw Error(state.model + " was trained on no built-in task");
    const ModelConfig& config = model.network->config();
    const CellPlace place{config.encoderDecoder() ? Stack::Encoder : Stack::Only,
                          (std::max(1, state.layer) - 1) % std::max(1, config.numLayers)};
    const GradientReach reach = gradientReach(model, task->corpus().test, place, kLongestFollowed);
    FigureTable table{static_cast<int>(reach.share.size()), reach.share};
    for (size_t back = 0; back < reach.share.size(); ++back)
        table.places.push_back(static_cast<double>(back));
    return table;
}

/// The run's own schedule, whose settings are as they are at first where the state does not name them.
FigureTable learningRate(const StageState& state, const TrainedModel&) {
    constexpr long usualSteps = 1500, columns = 50;
    TrainOptions options{.steps = usualSteps};
    ModelConfig config;
    double factor = 1;
    for (const std::string& text : state.training.settings) {
        const size_t equals = text.find('=');
        if (equals == std::string::npos) continue;
        const Setting setting{text.substr(0, equals), text.substr(equals + 1)};
        if (setting.key == "learning_rate" && setting.value.starts_with("x"))
            factor = readNumber(std::string_view(setting.value).substr(1)).value_or(1);
        else if (setting.key == "d_model")
            config.dModel = static_cast<int>(readNumber(setting.value).value_or(config.dModel));
        else if (setting.key == "arch" || setting.key == "hidden_size")
            throw Error("learning_rate is a Transformer's");
        else
            readSetting(setting, options);
    }
    const Schedule schedule = options.scheduleFor(config);
    FigureTable table;
    for (long column = 0; column <= columns; ++column) {
        const long step = std::max(1L, column * options.steps / columns);
        table.values.push_back(factor * schedule.at(step));
        table.places.push_back(static_cast<double>(step));
    }
    table.columns = static_cast<int>(table.values.size());
    return table;
}

struct Figure {
    const char* name;
    FigureTable (*compute)(const StageState& state, const TrainedModel& model);
    std::vector<const char*> follows;  ///< fields of the state that it depends on
};

const std::vector<Figure>& figures() {
    static const std::vector<Figure> all{
        {"hypotheses", hypotheses, {"model", "source", "mute", "beam", "penalty", "scoring", "max_length", "fixed"}},
        {"merges", merges, {"corpus", "own_text", "merges"}},
        {"ngrams", ngrams, {"model", "source", "mute", "ngram", "references"}},
        {"bleu", bleu, {"model", "source", "mute", "ngram", "references"}},
        {"gradient_reach", gradientReachOf, {"model", "layer"}},
        {"learning_rate", learningRate, {"settings"}}};
    return all;
}

}  // namespace

bool LessonFigures::has(const std::string& name) {
    return std::ranges::find(figures(), name, &Figure::name) != figures().end();
}

std::vector<const char*> LessonFigures::followsFrom(const std::string& name) {
    const auto figure = std::ranges::find(figures(), name, &Figure::name);
    return figure == figures().end() ? std::vector<const char*>() : figure->follows;
}

const FigureTable& LessonFigures::of(const std::string& name, const StageState& state, const TrainedModel& model) {
    const auto figure = std::ranges::find(figures(), name, &Figure::name);
    if (figure == figures().end()) throw Error("there is no \"" + name + "\"");
    StageState by;
    for (const char* key : figure->follows)
        copyField(key, state, by);
    const auto kept = m_kept.find(name);
    if (kept != m_kept.end() && kept->second.by == by) return kept->second.table;
    return m_kept.insert_or_assign(name, Kept{by, figure->compute(by, model)}).first->second.table;
}

FigureTable wordLosses(const TrainedModel& model, const Trace& trace, double smoothing, bool mean) {
    const std::vector<int> targets = targetWords(model.network->config(), trace);
    const std::vector<WordCost> costs = costsOf(trace, targets, 0);
    if (costs.empty()) throw Error("this reading has no target words");
    FigureTable table{2};
    if (mean) {
        const SentenceLoss loss = meanLoss(costs, smoothing);
        table.values = {loss.plain, loss.smoothed};
        return table;
    }
    for (const WordCost& cost : costs)
        table.values.insert(table.values.end(), {cost.plain(), cost.loss(smoothing)});
    return table;
}

}  // namespace headlight
