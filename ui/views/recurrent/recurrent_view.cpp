// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/recurrent_view.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/model_names.h"
#include "ui/session/open/motion.h"
#include "ui/session/trace/word_behind.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/value_strips.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/time/unrolled_rnn.h"

namespace headlight {

namespace {

constexpr int kNetworkWalkMs = 700;  ///< from word to word

QString word(const std::vector<std::string>& tokens, int at) {
    return QString::fromStdString(tokens.at(static_cast<size_t>(at)));
}

/// The word of a row of logits that is likeliest, and its probability.
std::pair<int, double> likeliest(const TraceRecord& logProbs, int row) {
    const auto columns = static_cast<std::ptrdiff_t>(logProbs.dim(1));
    const auto first = logProbs.values.begin() + row * columns;
    const auto best = std::max_element(first, first + columns);
    return {static_cast<int>(best - first), std::exp(static_cast<double>(*best))};
}

}  // namespace

RecurrentView::RecurrentView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_layer(new ComboBox(tr("Layer"))),
      m_unrolled(new UnrolledRnn),
      m_stepTitle(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_strips(new ValueStrips),
      m_side(new RecurrentSide) {
    auto* none =
        new EmptyPage(tr("The open model is not recurrent: it reads all words at once. Open an RNN, a GRU or an "
                         "LSTM in the room Models to see its states."),
                      {});
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 12, 20, 12);
    column->setSpacing(8);
    auto* heading = new QHBoxLayout;
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(new Caption(tr("Unrolled in time"), 18, QFont::DemiBold, Caption::Tone::Main));
    words->addWidget(m_subtitle);
    heading->addLayout(words, 1);
    heading->addWidget(m_layer);
    column->addLayout(heading);
    m_area = scrolling(m_unrolled, BarPlace::Beside);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    constexpr int kScrollBar = 14;
    m_area->setMinimumHeight(m_unrolled->minimumSizeHint().height() + kScrollBar);
    column->addWidget(m_area, 1);
    auto* card = new Card({});
    card->setPanelName("values");
    m_side->setPanelName("side");
    card->header()->insertWidget(0, m_stepTitle);
    card->body()->addWidget(m_strips, 1);
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column->addWidget(card);
    columns->addWidget(stage, 1);
    columns->addWidget(m_side);
    m_pages->addWidget(none);
    m_pages->addWidget(room);

    connect(m_layer, &QComboBox::activated, this, [this] {
        m_wantedLayer = m_layer->currentData().toInt() + 1;
        showLayer();
        emit optionsChanged();
    });
    connect(m_unrolled, &UnrolledRnn::stepChosen, this, [this](int step) {
        m_wantedStep = step + 1;
        showStep(step);
        emit optionsChanged();
    });
    connect(m_side, &RecurrentSide::rowChosen, this, [this](int row) {
        chooseStep(m_encoder.steps() + row);
        emit optionsChanged();
    });
    m_walk.setInterval(kNetworkWalkMs);
    connect(&m_walk, &QTimer::timeout, this, [this] {
        if (m_wantedStep >= m_walkEnd) return m_walk.stop();
        chooseStep(m_wantedStep);
    });
    connect(this, &RecurrentView::optionsChanged, &m_walk, &QTimer::stop);
    connect(m_side, &RecurrentSide::sideChosen, this, &RecurrentView::optionsChanged);
}

void RecurrentView::showOptions(const StageState& state) {
    m_side->setSide(state.side);
    m_side->measure(state.recurrent.measured);
    m_wantedLayer = std::max(1, state.layer);
    m_wantedStep = state.view == ViewName::Recurrent ? std::max(0, state.step) : 0;
    m_walk.stop();
    if (steps() == 0) return;
    m_layer->setCurrentIndex(std::max(0, m_layer->findData(m_wantedLayer - 1)));
    showLayer();
    if (state.view == ViewName::Recurrent && state.animate && !motion::isReduced()) walkTo(m_wantedStep);
}

/// One word after another, until that step (0: the last) or until the reader moves on.
void RecurrentView::walkTo(int step) {
    m_walkEnd = step > 0 ? std::min(step, steps()) : steps();
    chooseStep(0);
    m_walk.start();
}

void RecurrentView::tellOptions(StageState& state) const {
    state.side = m_side->side();
    state.recurrent.measured = m_side->measured();
    state.layer = m_wantedLayer;
    if (state.view != ViewName::Recurrent) return;
    state.step = m_wantedStep;
    state.animate = m_walk.isActive();
}

void RecurrentView::setSettling(Settling* settling) {
    m_side->setSettling(settling);
}

void RecurrentView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    const std::shared_ptr<const Trace> old = std::exchange(m_trace, std::move(trace));  // until the widgets let go
    m_model = std::move(model);
    m_walk.stop();
    const bool recurrent = m_trace && m_model && m_model->network->config().recurrent();
    m_pages->setCurrentIndex(recurrent ? 1 : 0);
    if (!recurrent) {
        m_side->setReading(nullptr, nullptr);
        m_unrolled->setContent({});
        m_strips->setStrips({});
        m_encoder = m_decoder = {};
        return;
    }
    const ModelConfig& config = m_model->network->config();
    m_subtitle->setText(
        tr("%1; %2 numbers a state, coloured from −1 to +1").arg(describeModel(config)).arg(config.hiddenSize));
    fillLayers(config);
    m_side->setReading(m_model, m_trace);
    showLayer();
}

/// One entry a layer, or two where the encoder reads both ways.
void RecurrentView::fillLayers(const ModelConfig& config) {
    const QSignalBlocker quiet(m_layer);
    m_layer->clear();
    for (int layer = 0; layer < config.numLayers; ++layer) {
        const QString name = tr("Layer %1").arg(layer + 1);
        m_layer->addItem(config.bidirectional ? tr("%1, first word to last").arg(name) : name, layer);
        if (config.bidirectional) m_layer->addItem(tr("%1, last word to first").arg(name), config.numLayers + layer);
    }
    m_layer->setCurrentIndex(std::max(0, m_layer->findData(m_wantedLayer - 1)));
    m_layer->setVisible(m_layer->count() > 1);
}

void RecurrentView::showLayer() {
    const ModelConfig& config = m_model->network->config();
    const bool translates = config.encoderDecoder();
    const int chosen = m_layer->currentData().toInt(), layer = chosen % config.numLayers;
    const bool backward = chosen >= config.numLayers;
    const auto runOf = [&](Stack stack, Direction direction) {
        for (const ModuleRef& each : recurrentLayers(*m_trace, stack))
            if (each->place.layer == layer && each->direction == direction) return Recurrence(*m_trace, *each);
        return Recurrence();
    };
    m_encoder = runOf(Stack::Encoder, backward ? Direction::Backward : Direction::Forward);
    m_decoder = runOf(translates ? Stack::Decoder : Stack::Only, Direction::Forward);
    UnrolledRnn::Content content;
    content.readsBackward = backward;
    content.toEveryInput = config.context == ContextUse::EveryInput;
    content.cell = cellName(m_model->network->config().cell);
    for (int step = 0; step < m_encoder.steps(); ++step)
        content.encoder.push_back({word(m_trace->sourceTokens, step), m_encoder.state(step), {}, 0, {}});
    const auto thought = std::ranges::find(m_trace->records(), Part::Thought, &TraceRecord::part);
    if (thought != m_trace->records().end()) content.thought = thought->values;
    const TraceRecord& logProbs = m_trace->at("log_probs");
    const TraceRecord* weights = alignmentOf(*m_trace);
    const auto context = std::ranges::find(m_trace->records(), Part::Context, &TraceRecord::part);
    const auto& read = translates ? m_trace->targetTokens : m_trace->sourceTokens;
    for (int step = 0; step < m_decoder.steps(); ++step) {
        const auto [token, probability] = likeliest(logProbs, step);
        UnrolledRnn::Step it{
            word(read, step), m_decoder.state(step), wordAtRow(*m_model, *m_trace, step, token), probability, {}};
        if (weights && !hasRowAmong(m_veiled, {weights->name, {step + 1}}))
            it.weights = std::span(weights->values)
                             .subspan(cellIndex(step, 0, weights->dim(1)), static_cast<size_t>(weights->dim(1)));
        if (context != m_trace->records().end())
            it.context = std::span(context->values)
                             .subspan(cellIndex(step, 0, context->dim(1)), static_cast<size_t>(context->dim(1)));
        content.decoder.push_back(it);
    }
    m_unrolled->setContent(std::move(content));
    const int steps = m_encoder.steps() + m_decoder.steps();
    const int step = m_wantedStep > 0 ? std::min(m_wantedStep, steps) - 1 : std::min(m_encoder.steps() + 2, steps - 1);
    m_unrolled->setChosen(step);
    showStep(step);
    bringIntoSight();
}

void RecurrentView::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    m_side->setVeil(veiled);
    if (!m_encoder.empty() || !m_decoder.empty()) showLayer();
}

void RecurrentView::chooseLayer(int layer) {
    m_wantedLayer = layer + 1;
    m_layer->setCurrentIndex(std::max(0, m_layer->findData(layer)));
    if (!m_encoder.empty() || !m_decoder.empty()) showLayer();
}

void RecurrentView::chooseStep(int step) {
    m_wantedStep = step + 1;
    m_unrolled->setChosen(step);
    showStep(step);
    bringIntoSight();
}

/// Once the network has its width, and from its beginning on, so that the place follows from the step alone.
void RecurrentView::bringIntoSight() {
    QTimer::singleShot(0, this, [this] {
        if (m_unrolled->chosen() < 0) return;
        const QRect cell = m_unrolled->cellRect(m_unrolled->chosen()).toRect();
        m_area->horizontalScrollBar()->setValue(0);
        m_area->ensureVisible(cell.center().x(), 0, cell.width() * 2, 0);
    });
}

void RecurrentView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    bringIntoSight();
}

void RecurrentView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    bringIntoSight();
}

void RecurrentView::showStep(int step) {
    const bool decoder = step >= m_encoder.steps();
    const Recurrence& stack = decoder ? m_decoder : m_encoder;
    const int at = decoder ? step - m_encoder.steps() : step;
    const bool translates = m_model->network->config().encoderDecoder();
    const auto& tokens = decoder && translates ? m_trace->targetTokens : m_trace->sourceTokens;
    m_stepTitle->setText(tr("%1, step %2: reads “%3”")
                             .arg(!translates ? tr("Network")
                                  : decoder   ? tr("Decoder")
                                              : tr("Encoder"))
                             .arg(at + 1)
                             .arg(word(tokens, at)));
    std::vector<ValueStrips::Strip> strips;
    for (const Recurrence::Row& row : stack.rows())
        strips.push_back({row.name, stack.values(row, at), row.isGate});
    m_strips->setStrips(std::move(strips));
    m_side->showStep(decoder ? at : -1);
}

}  // namespace headlight

#include "moc_recurrent_view.cpp"
