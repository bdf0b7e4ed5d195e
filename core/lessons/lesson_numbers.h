// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>

#include "core/io/trained_model.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_figures.h"
#include "core/trace/trace.h"

namespace headlight {

/// Where a lesson's numbers come from: what the stage shows at a step, and its matrices by hand.
struct LessonScene {
    StageState state;
    const LessonTensors* tensors = nullptr;
    std::vector<NumberName> veiled = {};  ///< numbers and rows that its words withhold
    std::vector<double> given = {};       ///< what the reader predicted: `given[1]`, …
    /// Whose curve it was; then `distance[1]` is how far from it the engine's runs on average, `distance[2]` at most,
    /// and `distance[3]` where that is.
    std::optional<LessonVeil> drawn = {};
};
LessonScene sceneOf(const Lesson& lesson, size_t step);
/// Does the scene withhold that number?
bool isVeiled(const LessonScene& scene, const NumberName& number);

/// Rows and columns, of each head where there are any.
struct NumberMatrix {
    int heads = 0;  ///< 0: the value has no such axis
    int rows = 0, columns = 0;
    const float* values = nullptr;
    const double* exact = nullptr;  ///< in the place of `values`
    double at(std::ptrdiff_t cell) const { return exact ? exact[cell] : static_cast<double>(values[cell]); }
};

/// A number of a trace; `probabilities`, where the trace has none of that name, are e to the power of its `log_probs`.
/// Throws Error where there is no such value, or fewer rows, columns or heads, or the model has no such word.
double numberIn(const Trace& trace, const TrainedModel& model, const NumberName& name);

/// The numbers that a lesson names, computed by the engine when they are asked for. Models and traces are kept.
class LessonNumbers {
public:
    /// `open` gives the shipped model of a name; it throws Error where there is none.
    using OpenModel = std::function<std::shared_ptr<const TrainedModel>(const std::string& name)>;
    explicit LessonNumbers(OpenModel open) : m_open(std::move(open)) {}

    /// Throws Error where there is no such value, or fewer rows, columns or heads.
    double number(const LessonScene& scene, const NumberName& name);
    /// The column with the largest number of a row: NAME[row], or NAME[head,row]. From 0.
    int largestColumn(const LessonScene& scene, const NumberName& row);
    /// All numbers of a row: NAME[row], or NAME[head,row]; other indices behind it do not count. Throws as number().
    std::vector<double> row(const LessonScene& scene, const NumberName& row);
    /// Is it named by [head,row,column]? Throws Error where there is no such value.
    bool hasHeads(const LessonScene& scene, const std::string& name) { return matrix(scene, name).heads > 0; }
    /// What the columns of that value stand for, where they are words; else empty.
    std::vector<std::string> columnWords(const LessonScene& scene, const std::string& name);
    /// What the columns stand for where they are numbers, as steps of training; else 1, 2, …
    std::vector<double> columnPlaces(const LessonScene& scene, const std::string& name);
    /// Texts with each `{{NAME[…]}}` written out; what cannot be computed stays as it is. `Pointing`: each number is a
    /// link that names it (pointerTarget()), and so are the words of `[words](@NAME[…])`, which stand alone otherwise.
    /// `Code`: as Python prints them; nothing but numbers is looked for.
    enum class Form { Plain, Pointing, Code };
    std::string filledIn(const LessonScene& scene, const std::string& text, Form form = Form::Plain);

    const TrainedModel& model(const std::string& name);
    /// What the scene's model makes of its sentence (without one, of its task's example), its muted heads silent.
    const Trace& trace(const StageState& state);
    /// Is that kept already, so that no number of the scene takes time?
    bool hasRead(const StageState& state) const;

private:
    NumberMatrix matrix(const LessonScene& scene, const std::string& name);
    double distance(const LessonScene& scene, const NumberName& name);
    NumberMatrix costs(const StageState& state, bool ofParameters);
    NumberMatrix wordProbabilities(const StageState& state, bool asPerplexity);
    NumberMatrix onTestSet(const std::string& figure, const StageState& state);
    /// What follows from the matrices by hand, as the state has them scaled, masked and changed.
    const std::map<std::string, LessonMatrix>& worked(const LessonScene& scene);

    OpenModel m_open;
    std::map<std::string, std::shared_ptr<const TrainedModel>> m_models;
    using Read = std::tuple<std::string, std::string, std::string, StageTexts>;
    static Read readOf(const StageState& state, const TrainedModel& reader);
    std::map<Read, Trace> m_traces;  ///< a few, the oldest go
    std::deque<Read> m_order;
    LessonMatrix m_positions;
    std::vector<double> m_computed;  ///< what has no place in a trace, of the last call of matrix()
    std::map<std::tuple<std::string, std::string, StageTexts>, double> m_onTestSet;  ///< by figure, model, silent heads
    LessonFigures m_figures;
    FigureTable m_losses;  ///< of the last call of matrix()
    LessonTensors m_workedFrom;
    StageState m_workedBy;
    std::map<std::string, LessonMatrix> m_worked;
};

/// The text with "…" in the place of each number: as it is shown while they are computed.
std::string withoutNumbers(const std::string& text);

/// Fixed decimals, with the minus sign of print.
std::string writtenNumber(double value, int decimals);

}  // namespace headlight
