// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/cell_picture.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/recurrence.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

using ColumnKind = CellColumn::Kind;
using Column = CellPicture::Column;

struct CellPictureText {
    Q_DECLARE_TR_FUNCTIONS(CellPicture)
};

QString math(const char* formula) {
    return QString::fromUtf8(formula);
}

const std::vector<Column>& lstmLayout() {
    static const std::vector<Column> layout{{ColumnKind::Before, math("c_{t−1}"), {}, 0},
                                            {ColumnKind::Forget, math("f_{t}"), math("×"), 0, math("σ")},
                                            {ColumnKind::Kept, math("f_{t}c_{t−1}"), math("="), 0},
                                            {ColumnKind::Input, math("i_{t}"), math("+"), 1, math("σ")},
                                            {ColumnKind::Candidate, math("g_{t}"), math("×"), 1, math("tanh")},
                                            {ColumnKind::Written, math("i_{t}g_{t}"), math("="), 1},
                                            {ColumnKind::Memory, math("c_{t}"), math("="), 2},
                                            {ColumnKind::Squashed, math("tanh c_{t}"), math("tanh"), 3},
                                            {ColumnKind::Output, math("o_{t}"), math("×"), 3, math("σ")},
                                            {ColumnKind::State, math("h_{t}"), math("="), 3}};
    return layout;
}

const std::vector<Column>& gruLayout() {
    static const std::vector<Column> layout{{ColumnKind::Reset, math("r_{t}"), {}, 0, math("σ")},
                                            {ColumnKind::Recall, math("U_{n}h_{t−1}+b"), math("×"), 0},
                                            {ColumnKind::ResetRecall, math("product"), math("="), 0},
                                            {ColumnKind::Before, math("h_{t−1}"), {}, 1},
                                            {ColumnKind::Update, math("z_{t}"), math("×"), 1, math("σ")},
                                            {ColumnKind::Kept, math("z_{t}h_{t−1}"), math("="), 1},
                                            {ColumnKind::Candidate, math("n_{t}"), math("+"), 2, math("tanh")},
                                            {ColumnKind::Complement, math("1−z_{t}"), math("×"), 2},
                                            {ColumnKind::Written, math("(1−z_{t})n_{t}"), math("="), 2},
                                            {ColumnKind::State, math("h_{t}"), math("="), 3}};
    return layout;
}

const std::vector<Column>& plainLayout() {
    static const std::vector<Column> layout{
        {ColumnKind::Before, math("h_{t−1}"), {}, 0},      {ColumnKind::Past, math("U h_{t−1}"), {}, 1},
        {ColumnKind::Word, math("W x_{t}"), math("+"), 1}, {ColumnKind::Bias, math("b"), math("+"), 1},
        {ColumnKind::Sum, math("a_{t}"), math("="), 1},    {ColumnKind::State, math("h_{t}"), math("tanh"), 2}};
    return layout;
}

QString cellPlaceName(const Module& layer, bool translates, int layers) {
    const QString stack = !translates                           ? CellPictureText::tr("Network")
                          : layer.place.stack == Stack::Encoder ? CellPictureText::tr("Encoder, which reads")
                                                                : CellPictureText::tr("Decoder, which writes");
    const QString name = layers > 1 ? CellPictureText::tr("%1, layer %2").arg(stack).arg(layer.place.layer + 1) : stack;
    return layer.direction == Direction::Backward ? CellPictureText::tr("%1, last word to first").arg(name) : name;
}

/// W x, U h or b: whichever pushes hardest where the sum goes.
enum class Decider { Word, Past, Bias };
Decider deciderOf(const GateSum& sum) {
    const double sign = sum.sum < 0 ? -1 : 1;
    const double word = sign * sum.word, past = sign * sum.reset * (sum.past + sum.pastBias), bias = sign * sum.bias;
    return word >= past && word >= bias ? Decider::Word : past >= bias ? Decider::Past : Decider::Bias;
}

QString nameOf(Decider decider) {
    return decider == Decider::Word   ? CellPictureText::tr("the <b>word</b>")
           : decider == Decider::Past ? CellPictureText::tr("the <b>state</b> before it")
                                      : CellPictureText::tr("the <b>bias</b>");
}

}  // namespace

CellPicture::CellPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace)
    : m_model(std::move(model)), m_trace(std::move(trace)) {
    const ModelConfig& config = m_model->network->config();
    for (const Stack stack : {Stack::Encoder, Stack::Decoder, Stack::Only})
        for (const ModuleRef& layer : recurrentLayers(*m_trace, stack))
            m_places.push_back({cellPlaceName(*layer, config.encoderDecoder(), config.numLayers), layer});
    lay();
    setPlace(0);
}

void CellPicture::lay() {
    switch (cell()) {
        case Cell::Lstm:
            m_layout = lstmLayout();
            m_panels = {{CellPictureText::tr("Forget"), CellPictureText::tr("what stays of the old memory")},
                        {CellPictureText::tr("Write"), CellPictureText::tr("what is added to it")},
                        {CellPictureText::tr("Keep"), {}},
                        {CellPictureText::tr("Show"), CellPictureText::tr("what the outside sees")}};
            return;
        case Cell::Gru:
            m_layout = gruLayout();
            m_layout[2].symbol = math("r_{t}(U_{n}h_{t−1}+b)");
            m_panels = {{CellPictureText::tr("Look back"), CellPictureText::tr("what n sees of it")},
                        {CellPictureText::tr("Keep"), CellPictureText::tr("what stays of the state")},
                        {CellPictureText::tr("Write"), CellPictureText::tr("what is added to it")},
                        {CellPictureText::tr("State"), {}}};
            return;
        case Cell::Rnn:
            m_layout = plainLayout();
            m_panels = {{CellPictureText::tr("Before"), {}},
                        {CellPictureText::tr("Add up"), CellPictureText::tr("every unit anew at every word")},
                        {CellPictureText::tr("State"), {}}};
            return;
    }
}

void CellPicture::setPlace(int place) {
    m_place = std::clamp(place, 0, static_cast<int>(m_places.size()) - 1);
    const Module& layer = *m_places[static_cast<size_t>(m_place)].layer;
    m_parts = std::make_unique<CellParts>(*m_model, *m_trace, layer);
    m_tokens = wordList(layer.place.stack == Stack::Decoder ? m_trace->targetTokens : m_trace->sourceTokens);
    m_unit = std::clamp(m_unit, 0, units() - 1);
    setWord(m_word);
}

int CellPicture::placeOf(int layer, int step) const {
    const ModelConfig& config = m_model->network->config();
    const int encoder = config.encoderDecoder() ? static_cast<int>(m_trace->sourceTokens.size()) : 0;
    const Stack stack = !config.encoderDecoder() ? Stack::Only : step < encoder ? Stack::Encoder : Stack::Decoder;
    const bool backward = stack == Stack::Encoder && layer > config.numLayers;
    const int wanted = (std::max(1, layer) - 1) % config.numLayers;
    const auto found = std::ranges::find_if(m_places, [&](const Place& each) {
        return each.layer->place.stack == stack && each.layer->place.layer == wanted &&
               (each.layer->direction == Direction::Backward) == backward;
    });
    return found == m_places.end() ? -1 : static_cast<int>(found - m_places.begin());
}

int CellPicture::stateLayer() const {
    const Module& layer = *m_places[static_cast<size_t>(m_place)].layer;
    return layer.place.layer + 1 + (layer.direction == Direction::Backward ? m_model->network->config().numLayers : 0);
}

CellPlace CellPicture::cellPlace() const {
    const Module& layer = *m_places[static_cast<size_t>(m_place)].layer;
    return {layer.place.stack, layer.place.layer};
}

int CellPicture::firstStep() const {
    return cellPlace().stack == Stack::Decoder ? static_cast<int>(m_trace->sourceTokens.size()) : 0;
}

int CellPicture::steps() const {
    return static_cast<int>(m_trace->sourceTokens.size()) +
           (m_model->network->config().encoderDecoder() ? static_cast<int>(m_trace->targetTokens.size()) : 0);
}

void CellPicture::setWord(int word) {
    m_word = std::clamp(word, 0, words() - 1);
    refresh();
}

void CellPicture::setUnit(int unit) {
    m_unit = std::clamp(unit, 0, units() - 1);
    m_sums = m_parts->sums(m_word, m_unit);
    m_story = m_parts->story(m_unit);
}

void CellPicture::setSorted(bool sorted) {
    m_isSorted = sorted;
    refresh();
}

void CellPicture::refresh() {
    m_columns = m_parts->columns(m_word);
    m_order.resize(static_cast<size_t>(units()));
    std::iota(m_order.begin(), m_order.end(), 0);
    if (isSorted()) {
        const std::vector<double> shares = m_parts->shares(m_word);
        std::ranges::stable_sort(m_order, std::ranges::greater(),
                                 [&](int unit) { return shares[static_cast<size_t>(unit)]; });
    }
    setUnit(m_unit);
}

int CellPicture::rowOf(int unit) const {
    return static_cast<int>(std::ranges::find(m_order, unit) - m_order.begin());
}

double CellPicture::value(ColumnKind kind) const {
    const auto found = std::ranges::find(m_columns, kind, &CellColumn::kind);
    return found == m_columns.end() ? 0 : found->values[static_cast<size_t>(m_unit)];
}

QString CellPicture::memorySymbol() const {
    return cell() == Cell::Lstm ? math("c_{t}") : math("h_{t}");
}

QString CellPicture::shareSymbol() const {
    return cell() == Cell::Lstm ? math("f_{t}") : cell() == Cell::Gru ? math("z_{t}") : QString();
}

QString CellPicture::writtenSymbol() const {
    return cell() == Cell::Lstm ? math("i_{t}g_{t}") : cell() == Cell::Gru ? math("(1−z_{t})n_{t}") : math("h_{t}");
}

QString CellPicture::gateSymbol(const GateSum& sum, Cell cell) {
    static const std::map<Part, const char*> symbols = {{Part::ForgetGate, "f_{t}"}, {Part::InputGate, "i_{t}"},
                                                        {Part::OutputGate, "o_{t}"}, {Part::ResetGate, "r_{t}"},
                                                        {Part::UpdateGate, "z_{t}"}, {Part::Candidate, "g_{t}"}};
    if (sum.gate == Part::Candidate && cell == Cell::Gru) return math("n_{t}");
    const auto at = symbols.find(sum.gate);
    return math(at == symbols.end() ? "h_{t}" : at->second);
}

std::vector<CellPicture::Equation> CellPicture::equations() const {
    const auto n = [&](ColumnKind kind) { return formatNumber(value(kind), 3); };
    if (cell() == Cell::Lstm)
        return {
            {math("c_{t} = f_{t}c_{t−1} + i_{t}g_{t}"),
             QStringLiteral("%1 × %2 + %3 × %4")
                 .arg(n(ColumnKind::Forget), n(ColumnKind::Before), n(ColumnKind::Input), n(ColumnKind::Candidate)),
             value(ColumnKind::Memory)},
            {math("h_{t} = o_{t} tanh c_{t}"),
             QStringLiteral("%1 × %2").arg(n(ColumnKind::Output), n(ColumnKind::Squashed)), value(ColumnKind::State)}};
    if (cell() == Cell::Gru) {
        const GateSum& proposal = m_sums.back();
        return {{math("n_{t} = tanh(W x_{t} + b + r_{t}(U h_{t−1} + b_{h}))"),
                 QStringLiteral("tanh(%1 + %2 × %3)")
                     .arg(formatNumber(proposal.word + proposal.bias, 3), n(ColumnKind::Reset), n(ColumnKind::Recall)),
                 value(ColumnKind::Candidate)},
                {math("h_{t} = z_{t}h_{t−1} + (1−z_{t})n_{t}"),
                 QStringLiteral("%1 × %2 + %3 × %4")
                     .arg(n(ColumnKind::Update), n(ColumnKind::Before), n(ColumnKind::Complement),
                          n(ColumnKind::Candidate)),
                 value(ColumnKind::State)}};
    }
    return {{math("h_{t} = tanh(W x_{t} + U h_{t−1} + b)"),
             QStringLiteral("tanh(%1 + %2 + %3)").arg(n(ColumnKind::Word), n(ColumnKind::Past), n(ColumnKind::Bias)),
             value(ColumnKind::State)}};
}

QString CellPicture::verdict() const {
    const auto sumOf = [&](Part part) -> const GateSum& { return *std::ranges::find(m_sums, part, &GateSum::gate); };
    constexpr double half = 0.5;
    if (cell() == Cell::Rnn)
        return CellPictureText::tr("Here %1 pushes hardest: the sum is %2.")
            .arg(nameOf(deciderOf(m_sums.front())), formatSigned(m_sums.front().sum, 2));
    if (cell() == Cell::Gru) {
        const GateSum& update = sumOf(Part::UpdateGate);
        return CellPictureText::tr("Here %1 says %2.")
            .arg(nameOf(deciderOf(update)),
                 update.value >= half ? CellPictureText::tr("keep") : CellPictureText::tr("replace"));
    }
    const GateSum &forget = sumOf(Part::ForgetGate), &input = sumOf(Part::InputGate);
    const QString write = input.value >= half ? CellPictureText::tr("write") : CellPictureText::tr("write little"),
                  keep = forget.value >= half ? CellPictureText::tr("keep") : CellPictureText::tr("forget");
    const Decider writes = deciderOf(input), keeps = deciderOf(forget);
    if (writes == keeps) return CellPictureText::tr("Here %1 says both: %2, and %3.").arg(nameOf(writes), write, keep);
    return CellPictureText::tr("Here %1 says %2, and %3 says %4.").arg(nameOf(writes), write, nameOf(keeps), keep);
}

QString CellPicture::orderText() const {
    const QString rows = CellPictureText::tr("Each row is one of %1 units").arg(units());
    if (!isSorted()) return CellPictureText::tr("%1, in the order of the weights.").arg(rows);
    return cell() == Cell::Lstm ? CellPictureText::tr("%1; those that forget least stand at the top.").arg(rows)
                                : CellPictureText::tr("%1; those that keep most stand at the top.").arg(rows);
}

}  // namespace headlight
