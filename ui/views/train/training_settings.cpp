// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/training_settings.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/session/format/number_format.h"
#include "ui/views/train/fine_settings.h"
#include "ui/views/train/settings_picture.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/panel.h"

namespace headlight {

namespace {

enum ModelKind { Transformer, LstmAttention, GruAttention, Lstm, Gru, Rnn };
constexpr int kSettingsWidths[] = {32, 64, 128, 256};
constexpr int kSettingsHeads[] = {1, 2, 4, 8};
constexpr int kStepsUnit = 100;

/// Places of the sliders.
struct SizeValues {
    TrainingSettings::Size size;
    int width, layers, heads;
};
constexpr SizeValues kSizes[] = {{TrainingSettings::Size::Small, 1, 2, 3},
                                 {TrainingSettings::Size::Middle, 2, 2, 3},
                                 {TrainingSettings::Size::Large, 3, 3, 3}};
constexpr int kUsualSchedule = static_cast<int>(ScheduleKind::Cosine);

}  // namespace

TrainingSettings::TrainingSettings(QWidget* parent)
    : ViewWidget(parent),
      m_model(new ComboBox(tr("Model"))),
      m_width(new LabelledSlider(tr("Width (d_model or hidden size)"), {0, 3, 1})),
      m_layers(new LabelledSlider(tr("Layers (each side)"), {1, 4, 2})),
      m_heads(new LabelledSlider(tr("Heads"), {0, 3, 3})),
      m_steps(new LabelledSlider(tr("Steps"), {1, 60, 15})),
      m_schedule(new ComboBox(tr("Schedule"))),
      m_rate(new LabelledSlider(tr("Learning rate, times the usual"), {1, 40, 10})),
      m_smoothing(new LabelledSlider(tr("Label smoothing"), {0, 30, 10})),
      m_dropout(new LabelledSlider(tr("Dropout"), {0, 50, 10})),
      m_forcingStart(new LabelledSlider(tr("Teacher forcing, at the first step"), {0, 100, 100})),
      m_forcingEnd(new LabelledSlider(tr("Teacher forcing, at the last step"), {0, 100, 100})),
      m_picture(new SettingsPicture),
      m_fine(new FineSettings),
      m_more(new Button(Button::Kind::Plain, tr("More"), Icon::Right)),
      m_moreNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)) {
    m_model->addItems({tr("Transformer"), tr("LSTM with additive attention"), tr("GRU with additive attention"),
                       tr("LSTM, one thought vector"), tr("GRU, one thought vector"), tr("RNN, one thought vector")});
    m_schedule->addItems(
        {tr("Warm-up, then √ falling (Noam)"), tr("Warm-up, then constant"), tr("Warm-up, then a cosine")});
    m_schedule->setCurrentIndex(kUsualSchedule);
    auto* model = new Card(tr("Model"));
    auto* training = new Card(tr("Training"));
    auto* forcing = new Card(tr("What the decoder reads"), tr("1: the true words; 0: its own"));
    for (QWidget* each :
         {static_cast<QWidget*>(m_model), static_cast<QWidget*>(m_width), static_cast<QWidget*>(m_layers),
          static_cast<QWidget*>(m_heads), static_cast<QWidget*>(m_dropout)})
        model->body()->addWidget(each);
    for (QWidget* each : {static_cast<QWidget*>(m_steps), m_fine->batch(), static_cast<QWidget*>(m_schedule),
                          static_cast<QWidget*>(m_rate), static_cast<QWidget*>(m_smoothing)})
        training->body()->addWidget(each);
    auto* note = new Caption(tr("Where less than all of the words are true, the decoder is now and then fed what it "
                                "would have written itself (scheduled sampling). Its mistakes then are part of its "
                                "training."),
                             12, QFont::Normal, Caption::Tone::Secondary);
    note->setWordWrap(true);
    forcing->body()->addWidget(m_forcingStart);
    forcing->body()->addWidget(m_forcingEnd);
    forcing->body()->addWidget(note);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(16);
    for (Card* card : {model, training, forcing}) {
        card->body()->setSpacing(14);
        card->body()->addStretch();
        cards->addWidget(card, 1);
    }
    m_more->setToolTip(tr("The optimizer, warm-up, when the run ends, which matrices are one"));
    auto* more = new QHBoxLayout;
    more->addWidget(m_more);
    more->addWidget(m_moreNote, 1);
    auto* content = new QWidget;
    auto* inside = new QVBoxLayout(content);
    inside->setContentsMargins(20, 16, 20, 16);
    inside->setSpacing(16);
    inside->addLayout(cards);
    inside->addWidget(m_picture, 1);
    inside->addLayout(more);
    inside->addWidget(m_fine);
    auto* run = new Button(Button::Kind::Primary, tr("Start a run with these"), Icon::Play);
    auto* foot = new Panel(Qt::TopEdge);
    foot->setFixedHeight(56);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(20, 1, 20, 0);
    row->addWidget(run);
    row->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(scrolling(content), 1);
    column->addWidget(foot);
    openMore(false);
    connect(m_more, &Button::clicked, this, [this] { openMore(m_fine->isHidden()); });
    connect(m_fine, &FineSettings::changed, this, [this] {
        showNumbers();
        emit optionsChanged();
    });
    connect(run, &Button::clicked, this, &TrainingSettings::runRequested);
    for (ComboBox* choice : {m_model, m_schedule})
        connect(choice, &QComboBox::currentIndexChanged, this, [this] {
            showNumbers();
            emit optionsChanged();
        });
    for (LabelledSlider* slider :
         {m_width, m_layers, m_heads, m_steps, m_rate, m_smoothing, m_dropout, m_forcingStart, m_forcingEnd})
        connect(slider, &LabelledSlider::valueChanged, this, [this] {
            showNumbers();
            emit optionsChanged();
        });
    showNumbers();
}

void TrainingSettings::openMore(bool open) {
    m_fine->setVisible(open);
    m_more->setIcon(open ? Icon::ChevronDown : Icon::Right);
    showFine();
}

/// What is hidden is told.
void TrainingSettings::showFine() {
    const QString summary = m_fine->summary();
    m_moreNote->setText(!summary.isEmpty()   ? tr("Not as usual: %1").arg(summary)
                        : m_fine->isHidden() ? tr("Optimizer, warm-up, when it ends, one matrix for words: as usual")
                                             : QString());
}

void TrainingSettings::setData(CorpusKind kind, bool hasOneVocabulary) {
    m_kind = kind;
    m_hasOneVocabulary = hasOneVocabulary;
    showNumbers();
}

void TrainingSettings::setWords(const std::optional<std::array<int, 2>>& words) {
    m_words = words;
    showNumbers();
}

int TrainingSettings::steps() const {
    return m_steps->value() * kStepsUnit;
}

void TrainingSettings::setSteps(int hundreds) {
    m_steps->setValue(hundreds);
}

void TrainingSettings::showNumbers() {
    m_width->setText(QString::number(kSettingsWidths[m_width->value()]));
    m_layers->setText(QString::number(m_layers->value()));
    m_heads->setText(QString::number(kSettingsHeads[m_heads->value()]));
    m_heads->setEnabled(m_model->currentIndex() == Transformer);
    m_steps->setText(formatCount(steps()));
    m_rate->setText(QStringLiteral("× %1").arg(formatNumber(m_rate->value() / 10.0, 1)));
    m_smoothing->setText(formatNumber(m_smoothing->value() / 100.0));
    m_dropout->setText(formatNumber(m_dropout->value() / 100.0));
    m_forcingStart->setText(formatNumber(m_forcingStart->value() / 100.0));
    m_forcingEnd->setText(formatNumber(m_forcingEnd->value() / 100.0));
    TrainingSetup setup;
    apply(setup, m_kind);
    m_picture->setSetup(setup, m_words);
    setup.options.warmupSteps.reset();
    m_fine->setSurroundings({.recurrent = m_model->currentIndex() != Transformer,
                             .kind = m_kind,
                             .hasOneVocabulary = m_hasOneVocabulary,
                             .usualWarmup = setup.options.scheduleFor(setup.config).warmupSteps});
    showFine();
}

TrainingSettings::Size TrainingSettings::size() const {
    for (const SizeValues& each : kSizes)
        if (m_width->value() == each.width && m_layers->value() == each.layers && m_heads->value() == each.heads)
            return each.size;
    return Size::Own;
}

void TrainingSettings::setSize(Size size) {
    for (const SizeValues& each : kSizes) {
        if (each.size != size) continue;
        m_width->setValue(each.width);
        m_layers->setValue(each.layers);
        m_heads->setValue(each.heads);
    }
}

void TrainingSettings::apply(TrainingSetup& setup, CorpusKind kind) const {
    ModelConfig& config = setup.config;
    applyModel(config);
    if (kind == CorpusKind::Text) {
        config.architecture = config.recurrent() ? "rnn-language-model" : "language-model";
        config.attention = AttentionKind::None;
        config.maxLength = 64;  // words of a window
    } else if (kind == CorpusKind::Labels) {
        config.architecture = "encoder-classifier";
    }
    config.dropout = m_dropout->value() / 100.0;
    TrainOptions& options = setup.options;
    options.steps = steps();
    options.schedule = static_cast<ScheduleKind>(m_schedule->currentIndex());
    options.labelSmoothing = m_smoothing->value() / 100.0;
    options.teacherForcing = m_forcingStart->value() / 100.0;
    options.teacherForcingEnd = m_forcingEnd->value() / 100.0;
    m_fine->apply(setup);
    if (m_rate->value() != 10) options.learningRate = options.scheduleFor(config).learningRate * m_rate->value() / 10.0;
}

void TrainingSettings::applyModel(ModelConfig& config) const {
    const int kind = m_model->currentIndex(), width = kSettingsWidths[m_width->value()];
    if (kind == Transformer) {
        config.architecture = "transformer";
        config.dModel = width;
        config.dFf = 4 * width;
        config.numHeads = kSettingsHeads[m_heads->value()];
        config.numEncoderLayers = config.numDecoderLayers = config.numLayers = m_layers->value();
    } else {
        config.architecture = "rnn";
        config.hiddenSize = width;
        config.embeddingSize = std::min(64, width);
        config.numLayers = m_layers->value();
        config.cell = kind == Rnn ? Cell::Rnn : kind == Gru || kind == GruAttention ? Cell::Gru : Cell::Lstm;
        config.attention =
            kind == LstmAttention || kind == GruAttention ? AttentionKind::Additive : AttentionKind::None;
    }
}

}  // namespace headlight

#include "moc_training_settings.cpp"
