// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// A summand of the difference of two logits.
struct WhyPart {
    enum class Kind {
        Embedding,    ///< of what the stack reads at that row: word, place and kind together
        WordVector,   ///< the word's alone
        Position,     ///< its place's
        TypeVector,   ///< its segment's
        Attention,    ///< a sublayer
        FeedForward,  ///< a sublayer
        Head,         ///< of an attention
        Source,       ///< a word that a head, or a recurrent decoder's attention, read: factor × along
        Product,      ///< one number of its value times the direction's: × the weight
        Unit,         ///< of a hidden layer or a state: factor × along
        Context,      ///< what a recurrent decoder's attention mixed
        State,        ///< of a recurrent layer at `word`, the row or (of a plain network) the one before
        Step,        ///< what a recurrent layer wrote at a word and kept until the row; of a plain network what it read
        Start,       ///< what is left of what it began with
        Bias,        ///< of the map that made `value`
        Shifts,      ///< β of all norms that stand in the way
        Shift,       ///< β of one
        OutputBias,  ///< of the two words: their difference
        OneBias,     ///< of one of them
        ScoreTerm,   ///< a product of query and key, scaled
        ScoreBias,   ///< what tells attention the distance
        Given,       ///< what was put into `value` from outside
    };
    Kind kind = Kind::Given;
    std::string value = {};  ///< name in the trace
    int row = 0;             ///< of it
    int head = -1;
    int word = -1;      ///< that is read: a row of what attention looks at, or of what a layer reads
    int unit = -1;      ///< a number of a vector
    double amount = 0;  ///< in logits; of score terms in the score's own measure
    double factor = 0;  ///< a weight, or a number of the model's
    double along = 0;   ///< what it is multiplied by: how much of it speaks for the one word and against the other
    bool opens = false;
};

/// A norm or a squashing function on the way, of which one number a row (or unit) is held, so that all the rest is
/// addition: y = γ(x − μ)/σ + β with σ held; y = (f(z)/z)·z with f(z)/z held.
struct WhyHeld {
    std::string value;            ///< name in the trace of what it makes
    std::vector<double> numbers;  ///< σ; or f(z)/z of each unit
};

/// Why a model says one word and not another: the difference of their logits taken apart into what each part adds
/// directly (Elhage et al. 2021: direct logit attribution), carried back through every norm and squashing function with
/// the number held that it divides or multiplies by. What later parts make of it counts as theirs. Everything is
/// summed in double precision from the trace's numbers and the weights that its records name; the parts of each column
/// add up to the bar that it was opened from. Points at model and trace; whoever keeps it keeps them.
class Why {
public:
    /// `row` of the logits; `word` and `against` ids of the target vocabulary (of a classifier, of its labels). Throws
    /// Error for a model that says no words, and for a row or word that is not there.
    Why(const TrainedModel& model, const Trace& trace, int row, int word, int against);

    /// logit(word) − logit(against).
    double difference() const { return m_logits.first - m_logits.second; }
    std::pair<double, double> logits() const { return m_logits; }
    /// The first column, in the order of computation.
    const std::vector<WhyPart>& parts() const { return m_parts; }
    /// What a part is the sum of; empty where it does not open.
    std::vector<WhyPart> open(const WhyPart& part) const;
    /// What the score behind the weight of a Source is the sum of. Empty where the trace does not have the score.
    std::vector<WhyPart> score(const WhyPart& source) const;
    /// The score itself.
    double scoreOf(const WhyPart& source) const;
    const std::vector<WhyHeld>& held() const { return m_held; }

private:
    using Vector = std::vector<double>;
    struct Matrix {
        const float* data = nullptr;
        int rows = 0, columns = 0, firstRow = 0;
        double at(int row, int column) const;
    };

    static double dot(const Vector& a, const Vector& b);
    int logitColumn(int word) const;
    std::vector<double> rowOf(const TraceRecord& record, int row) const;
    Matrix weight(const TraceRecord& record, UsedWeight::As as) const;
    double along(const TraceRecord& record, int row, const Vector& direction) const;
    const Vector& direction(const WhyPart& part) const;
    const TraceRecord& sibling(const TraceRecord& record, Part part) const;

    // The way back from the logits: why.cpp.
    void follow(const std::string& name, int row, Vector direction);
    void followInputs(const TraceRecord& record, int row, const Vector& direction);
    void followNorm(const TraceRecord& record, int row, const Vector& direction);
    void followMap(const TraceRecord& record, int row, const Vector& direction, bool squashed);
    void followActivation(const TraceRecord& record, int row, const Vector& direction);
    double inputsAlong(const TraceRecord& record, int row, const Vector& direction) const;
    void addRest(const TraceRecord& record, int row, double whole, double told);
    void addBias(const TraceRecord& record, int row, double amount);
    void addGiven(std::vector<WhyPart>& parts, const std::string& value, int row, double whole) const;
    bool addLeaf(const TraceRecord& record, int row, const Vector& direction);
    void order();

    // What parts open into: why_open.cpp.
    std::vector<WhyPart> openAttention(const WhyPart& part) const;
    std::vector<WhyPart> openHead(const WhyPart& part) const;
    std::vector<WhyPart> openSource(const WhyPart& part) const;
    std::vector<WhyPart> openUnits(const WhyPart& part) const;
    std::vector<WhyPart> openContext(const WhyPart& part) const;
    std::vector<WhyPart> openState(const WhyPart& part) const;
    std::vector<WhyPart> openGated(const TraceRecord& record, const WhyPart& part) const;
    std::vector<WhyPart> openPlain(const TraceRecord& record, const WhyPart& part) const;
    Vector headDirection(const TraceRecord& output, const Vector& direction, int head) const;
    Vector recurrentInput(const TraceRecord& record, int row) const;

    const TrainedModel* m_model;
    const Trace* m_trace;
    std::pair<double, double> m_logits;
    std::vector<WhyPart> m_parts, m_embedding, m_shifts, m_biases;
    std::vector<WhyHeld> m_held;
    std::map<std::pair<std::string, int>, Vector> m_directions;
};

}  // namespace headlight
