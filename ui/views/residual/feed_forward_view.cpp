// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/feed_forward_view.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/open/model_text.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/residual/units/activation_curve.h"
#include "ui/views/residual/units/unit_cards.h"
#include "ui/views/residual/units/unit_contexts.h"
#include "ui/views/residual/units/unit_network.h"
#include "ui/views/residual/units/unit_word_bars.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kUnitsSideYieldsBelow = 760, kBeam = 22;

Caption* caption(const QString& text, int px, int weight, Caption::Tone tone) {
    auto* label = new Caption(text, px, weight, tone);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return label;
}

/// A heading, and what is said of it: that has not the room beside it.
QLayout* below(QHBoxLayout* heading, QWidget* said) {
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addLayout(heading);
    column->addWidget(said);
    return column;
}

/// Cards, and below them the network that one of them opens into: the lamp's beam joins the two.
class UnitStage : public QWidget {
public:
    UnitStage(UnitCards* cards, UnitNetwork* network) : m_cards(cards), m_network(network) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(kBeam);
        column->addWidget(cards);
        column->addWidget(network, 1);
    }
    void setChosen(int word) {
        m_chosen = word;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const QRectF card = m_cards->cardRect(m_chosen).translated(m_cards->pos());
        if (card.isEmpty()) return;
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        const QRectF below = m_network->geometry();
        const QPolygonF beam({card.bottomLeft() + QPointF(2, -2), card.bottomRight() + QPointF(-2, -2),
                              below.topRight() + QPointF(-3, 1), below.topLeft() + QPointF(3, 1)});
        p.setPen(Qt::NoPen);
        p.setBrush(t.beam);
        p.drawPolygon(beam);
        p.setPen(QPen(t.nowLine, 1));
        p.drawLine(beam[0], beam[3]);
        p.drawLine(beam[1], beam[2]);
    }

private:
    UnitCards* m_cards;
    UnitNetwork* m_network;
    int m_chosen = 0;
};

}  // namespace

FeedForwardView::FeedForwardView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_subtitle(caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_layers(new ComboBox(tr("Layer"))),
      m_cards(new UnitCards),
      m_network(new UnitNetwork),
      m_unitTitle(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_unitOf(caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_activations(new SegmentedControl({QStringLiteral("ReLU"), QStringLiteral("GELU")})),
      m_curve(new ActivationCurve),
      m_rowOf(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_noWords(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_promoted(new UnitWordBars),
      m_firing(caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_contexts(new UnitContexts),
      m_missingText(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_failure(new FailureBox),
      m_mute(new Button(Button::Kind::Ghost, {}, Icon::Mute)),
      m_effectOf(caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_effect(new QLabel),
      m_leftOut(new Caption({}, 15, QFont::Normal, Caption::Tone::Secondary)) {
    auto* none = new EmptyPage(
        tr("No model is open. Open one and type a sentence to see which units of a feed-forward network fire."),
        tr("Open a model"));
    m_pages->addWidget(none);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see which units fire at which word."), {}));
    m_pages->addWidget(
        new EmptyPage(tr("This model has no feed-forward network: its gates do what one would do between "
                         "two words. The view Recurrent shows them."),
                      {}));
    m_pages->addWidget(new EmptyPage(tr("This model's feed-forward networks are gated: each unit is multiplied by a "
                                        "second map of the word, and does not fire by itself. The view Values has both "
                                        "factors."),
                                     {}));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    m_leftOut->setWordWrap(true);
    m_leftOut->setAlignment(Qt::AlignCenter);
    column->addWidget(m_leftOut);
    m_pages->addWidget(page);
    m_pages->addWidget(makeRoom());
    connect(none, &EmptyPage::activated, this, &FeedForwardView::openModelRequested);
    connectParts();
}

QWidget* FeedForwardView::makeRoom() {
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makeStage(), 1);
    columns->addWidget(makeSide());
    return room;
}

QWidget* FeedForwardView::makeStage() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 8, 20, 14);
    column->setSpacing(10);
    auto* heading = new QHBoxLayout;
    auto* titles = new QVBoxLayout;
    titles->setSpacing(0);
    titles->addWidget(
        new Caption(tr("One small network, the same at every word"), 18, QFont::DemiBold, Caption::Tone::Main));
    titles->addWidget(m_subtitle);
    heading->addLayout(titles, 1);
    heading->addWidget(m_layers, 0, Qt::AlignVCenter);
    column->addLayout(heading);
    column->addWidget(new UnitStage(m_cards, m_network), 1);
    return stage;
}

Panel* FeedForwardView::makeSide() {
    auto* side = new Panel(Qt::LeftEdge);
    side->setPanelName("side");
    side->takeShare(280, 392);
    side->yieldBelow(kUnitsSideYieldsBelow);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 10, 20, 12);
    column->setSpacing(8);
    auto* heading = new QHBoxLayout;
    heading->addWidget(m_unitTitle, 1);
    heading->addWidget(m_activations);
    m_activations->setAccessibleName(tr("Activation"));
    column->addLayout(below(heading, m_unitOf));
    column->addWidget(m_curve);
    column->addWidget(new Rule);
    auto* words = new QHBoxLayout;
    auto* title = new FittingCaption(13, QFont::DemiBold, Caption::Tone::Main);
    title->setTexts({tr("Words it promotes, and holds back"), tr("Promoted, held back")});
    words->addWidget(title, 1);
    words->addWidget(m_rowOf);
    m_rowOf->setTextFormat(Qt::RichText);
    column->addLayout(words);
    m_noWords->setWordWrap(true);
    column->addWidget(m_noWords);
    column->addWidget(m_promoted, 3);
    column->addWidget(new Rule);
    auto* most = new QHBoxLayout;
    most->addWidget(new Caption(tr("Where it fires most"), 13, QFont::DemiBold, Caption::Tone::Main));
    column->addLayout(below(most, m_firing));
    column->addWidget(m_failure);
    m_failure->hide();
    column->addWidget(m_contexts, 2);
    m_missingText->setWordWrap(true);
    column->addWidget(m_missingText, 2, Qt::AlignTop);
    column->addWidget(new Rule);
    auto* muting = new QHBoxLayout;
    muting->setSpacing(12);
    muting->addWidget(m_mute);
    auto* numbers = new QVBoxLayout;
    numbers->setSpacing(0);
    m_effectOf->setAlignment(Qt::AlignRight);
    m_effect->setAlignment(Qt::AlignRight);
    m_effect->setFont(monoFont(12, QFont::DemiBold));
    numbers->addWidget(m_effectOf);
    numbers->addWidget(m_effect);
    muting->addLayout(numbers, 1);
    column->addLayout(muting);
    auto* around = new QVBoxLayout(side);
    around->setContentsMargins(1, 0, 0, 0);
    around->addWidget(scrolling(content));
    return side;
}

void FeedForwardView::connectParts() {
    connect(m_cards, &UnitCards::wordChosen, this, [this](int word) {
        m_unitWord = word + 1;
        showUnit();
        emit optionsChanged();
    });
    connect(m_network, &UnitNetwork::unitChosen, this, [this](int unit) {
        m_unit = unit + 1;
        m_unitMuted = false;
        showUnit();
        emit optionsChanged();
    });
    connect(m_network, &UnitNetwork::orderChosen, this, [this] {
        m_unitOrder = m_network->byStrength() ? UnitOrder::Sorted : UnitOrder::Stored;
        emit optionsChanged();
    });
    connect(m_activations, &SegmentedControl::currentChanged, this, [this](int index) {
        const ops::Activation wanted = index == 0 ? ops::Activation::Relu : ops::Activation::Gelu;
        const bool own = index == 2 || (m_picture && m_picture->own() == wanted);
        m_activation = own          ? FeedForwardOptions::Activation::Own
                       : index == 0 ? FeedForwardOptions::Activation::Relu
                                    : FeedForwardOptions::Activation::Gelu;
        showUnit();
        emit optionsChanged();
    });
    connect(m_layers, &QComboBox::activated, this, [this](int index) {
        chooseLayer(index);
        emit optionsChanged();
    });
    connect(m_mute, &Button::clicked, this, [this] {
        m_unitMuted = !m_unitMuted;
        showUnit();
        emit optionsChanged();
    });
}

void FeedForwardView::setSettling(Settling* settling) {
    m_surveyor.setSettling(settling);
    m_muter.setSettling(settling);
}

FeedForwardView::Page FeedForwardView::pageFor(const std::vector<FeedForwardLayer>& layers) const {
    if (!m_model) return NoModel;
    if (m_model->network->config().recurrent()) return Recurrent;
    if (m_model->network->config().gatedFfn) return Gated;
    if (!m_trace) return NoSentence;
    if (layers.empty()) return Recurrent;
    return std::ranges::any_of(layers, [](const FeedForwardLayer& layer) { return layer.hidden.empty(); }) ? LeftOut
                                                                                                           : Room;
}

void FeedForwardView::setReading(const std::shared_ptr<const TrainedModel>& model,
                                 const std::shared_ptr<const Trace>& trace, const std::vector<MutedHead>& muted) {
    if (model != m_model) {
        m_survey.reset();
        m_surveyor.drop();
        m_failure->hide();
    }
    m_muter.drop();
    m_without.reset();
    m_model = model;
    m_trace = trace;
    m_mutedHeads = muted;
    m_all = trace ? feedForwardLayers(*trace) : std::vector<FeedForwardLayer>();
    const Page page = pageFor(m_all);
    m_pages->setCurrentIndex(page);
    if (page == LeftOut) m_leftOut->setText(whyLeftOut(*trace, Part::Hidden));
    if (page != Room) {
        m_picture.reset();
        return;
    }
    m_layers->clear();
    for (const FeedForwardLayer& layer : m_all)
        m_layers->addItem(scopeTitle(trace->at(layer.output)).section(QStringLiteral(", "), 0, -2));
    m_layers->setVisible(m_all.size() > 1);
    showLayer();
}

size_t FeedForwardView::layerIndex() const {
    const Stack wanted = !m_model->network->config().encoderDecoder() ? Stack::Only
                         : m_unitStack == StageStack::Encoder         ? Stack::Encoder
                                                                      : Stack::Decoder;
    size_t best = m_all.size() - 1;
    for (size_t i = m_all.size(); i-- > 0;)
        if (m_all[i].stack == wanted && m_all[i].layer >= m_unitLayer - 1) best = i;
    if (m_all[best].stack == wanted) return best;
    for (size_t i = 0; i < m_all.size(); ++i)
        if (m_all[i].stack == wanted) best = i;  // its last
    return best;
}

void FeedForwardView::chooseLayer(int index) {
    const FeedForwardLayer& layer = m_all[static_cast<size_t>(index)];
    m_unitLayer = layer.layer + 1;
    if (layer.stack != Stack::Only)
        m_unitStack = layer.stack == Stack::Encoder ? StageStack::Encoder : StageStack::Decoder;
    m_unitMuted = false;
    showLayer();
}

int FeedForwardView::word() const {
    return m_picture ? std::clamp(m_unitWord - 1, 0, static_cast<int>(m_picture->words().size()) - 1) : 0;
}

int FeedForwardView::unit() const {
    return m_picture ? std::clamp(m_unit - 1, 0, m_picture->units() - 1) : 0;
}

ops::Activation FeedForwardView::drawn() const {
    switch (m_activation) {
        case FeedForwardOptions::Activation::Relu:
            return ops::Activation::Relu;
        case FeedForwardOptions::Activation::Gelu:
            return ops::Activation::Gelu;
        case FeedForwardOptions::Activation::Own:
            break;
    }
    return m_model->network->config().activation;
}

void FeedForwardView::showLayer() {
    if (m_all.empty() || pageFor(m_all) != Room) return;
    const size_t index = layerIndex();
    m_picture = std::make_shared<UnitsPicture>(m_model, m_trace, m_all[index]);
    if (!m_veiled.empty())
        m_picture->setVeil([veiled = m_veiled](const std::string& value, int row, int column) {
            return isAmong(veiled, {value, {row + 1, column + 1}});
        });
    const QSignalBlocker quiet(m_layers), quietToo(m_activations);
    m_layers->setCurrentIndex(static_cast<int>(index));
    const ops::Activation own = m_picture->own();
    const bool isThird = own != ops::Activation::Relu && own != ops::Activation::Gelu;
    QStringList kinds{QStringLiteral("ReLU"), QStringLiteral("GELU")};
    if (isThird) kinds << UnitsPicture::nameOf(own);
    m_activations->setItems(kinds);
    if (!m_survey || m_surveyed != index) survey();
    showUnit();
}

void FeedForwardView::showUnit() {
    if (!m_picture) return;
    const bool isKnown = m_without && m_withoutUnit == unit() && m_withoutLayer == layerIndex();
    if (!isKnown && (m_unitMuted || m_model->network->parameters().count() < kSmall)) withoutUnit();
    m_picture->setDrawn(drawn());
    m_picture->setMuted(unit(), m_unitMuted && isKnown ? m_without : nullptr);
    const QSignalBlocker quiet(m_activations);
    m_activations->setCurrentIndex(drawn() == ops::Activation::Relu ? 0 : drawn() == ops::Activation::Gelu ? 1 : 2);
    const QString place = scopeTitle(m_trace->at(m_picture->layer().output));
    m_subtitle->setText(drawn() == m_picture->own()
                            ? place
                            : tr("%1, drawn as if it had %2; the words are those of its own %3")
                                  .arg(place, UnitsPicture::nameOf(drawn()), UnitsPicture::nameOf(m_picture->own())));
    m_subtitle->setToolTip(m_subtitle->text());
    m_cards->setPicture(m_picture, word());
    static_cast<UnitStage*>(m_cards->parentWidget())->setChosen(word());
    m_network->setPicture(m_picture, word(), unit());
    m_network->setByStrength(m_unitOrder == UnitOrder::Sorted);
    showSide();
}

/// The text may have come to its place while the reader was elsewhere.
bool FeedForwardView::event(QEvent* event) {
    const bool isBack = event->type() == QEvent::Show || event->type() == QEvent::WindowActivate;
    if (isBack && m_picture && !m_missingText->text().isEmpty() && !m_surveyor.isBusy()) lookForText();
    return QWidget::event(event);
}

void FeedForwardView::survey() {
    m_survey.reset();
    m_missingText->clear();
    lookForText();
}

void FeedForwardView::lookForText() {
    m_surveyor.drop();
    const size_t index = layerIndex();
    using Survey = std::shared_ptr<const FiringSurvey>;
    m_surveyor.ask<std::pair<Survey, ModelText>>(
        [model = m_model, index](const Background::Wanted& wanted) -> std::pair<Survey, ModelText> {
            ModelText text = textOfModel(*model);
            if (!text.missing.isEmpty()) return {nullptr, std::move(text)};
            return {std::make_shared<const FiringSurvey>(surveyFiring(*model, text.sentences, index, wanted)), {}};
        },
        [this, index](std::pair<Survey, ModelText> found) {
            m_survey = std::move(found.first);
            m_missingText->setText(found.second.missing);
            m_missingText->setToolTip(found.second.lookedIn);
            m_surveyed = index;
            if (m_picture) showFiring();
        },
        [this](const QString& why) {
            m_failure->setText(tr("The test sentences were not read: %1").arg(why));
            m_failure->show();
        });
}

void FeedForwardView::withoutUnit() {
    const size_t index = layerIndex();
    const int wanted = unit();
    m_muter.ask<std::shared_ptr<const Trace>>(
        [model = m_model, trace = m_trace, layer = m_all[index], wanted, muted = m_mutedHeads] {
            return std::make_shared<const Trace>(traceWithoutUnit(*model, *trace, layer, wanted, muted));
        },
        [this, index, wanted](std::shared_ptr<const Trace> without) {
            m_without = std::move(without);
            m_withoutUnit = wanted;
            m_withoutLayer = index;
            if (m_picture) showUnit();
        },
        [this](const QString& why) {
            m_failure->setText(tr("The unit was not muted: %1").arg(why));
            m_failure->show();
        });
}

void FeedForwardView::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    showLayer();
}

void FeedForwardView::showOptions(const StageState& state) {
    m_unitStack = state.feedForward.stack;
    m_unitLayer = state.feedForward.layer;
    m_unitWord = state.feedForward.word;
    m_unit = state.feedForward.unit;
    m_unitOrder = state.feedForward.order;
    m_activation = state.feedForward.activation;
    m_unitMuted = state.feedForward.muted;
    showLayer();
}

void FeedForwardView::tellOptions(StageState& state) const {
    state.feedForward.stack = m_unitStack;
    state.feedForward.layer = m_unitLayer;
    state.feedForward.word = m_unitWord;
    state.feedForward.unit = m_unit;
    state.feedForward.order = m_unitOrder;
    state.feedForward.activation = m_activation;
    state.feedForward.muted = m_unitMuted;
}

}  // namespace headlight

#include "moc_feed_forward_view.cpp"
