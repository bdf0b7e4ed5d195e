// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/fine_settings.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string_view>

#include "core/data/training_recipe.h"
#include "core/error.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/run_record.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/stop_slider.h"

namespace headlight {

namespace {

enum Unit { Pairs, Tokens };
enum Kept { Apart, One };
constexpr int kAsUsual = -1;
constexpr int kValidationsInRun = 40;
constexpr const char *kTie = "tie_embeddings", *kShare = "share_embeddings", *kValidateEvery = "validate_every";
constexpr std::array<std::string_view, 11> kKeys = {
    "batch_size", "tokens_per_batch", "accumulate", "warmup_steps", "optimizer", "beta1",
    "beta2",      "weight_decay",     "clip_norm",  "patience",     "average"};

QString plain(double number) {
    return QString::number(number);
}

QString counted(double number) {
    return formatCount(static_cast<qint64>(number));
}

Caption* note() {
    auto* label = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    label->setWordWrap(true);
    return label;
}

/// The settings of a setup that stand here.
std::vector<Setting> settingsHere(const TrainingSetup& setup) {
    std::vector<Setting> settings = settingsOf(recipeOf(setup, 0));
    std::erase_if(settings, [](const Setting& each) { return std::ranges::find(kKeys, each.key) == kKeys.end(); });
    return settings;
}

/// As far as it says what can be.
template <class Options>
bool readInto(Options& options, const Setting& setting) {
    const Options before = options;
    try {
        if (!readSetting(setting, options)) return false;
        options.validate();
    } catch (const Error&) {
        options = before;
    }
    return true;
}

}  // namespace

FineSettings::FineSettings(QWidget* parent) : QWidget(parent), m_batch(makeBatch()) {
    auto* cards = new QHBoxLayout(this);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(16);
    for (Card* card : {makeOptimizer(), makePace(), makeMatrices()}) {
        card->body()->setSpacing(14);
        card->body()->addStretch();
        cards->addWidget(card, 1);
    }
    for (StopSlider* slider :
         {m_pairs, m_tokens, m_beta1, m_beta2, m_decay, m_clip, m_warmup, m_accumulate, m_patience, m_average})
        connect(slider, &LabelledSlider::valueChanged, this, &FineSettings::follow);
    for (SegmentedControl* choice : {m_unit, m_optimizer, m_tie, m_share})
        connect(choice, &SegmentedControl::currentChanged, this, &FineSettings::follow);
    const QSignalBlocker quiet(this);
    show({});
}

QWidget* FineSettings::makeBatch() {
    auto* box = new QWidget;
    m_unit = new SegmentedControl({tr("Pairs"), tr("Tokens")});
    m_unit->setAccessibleName(tr("What a batch is measured in"));
    m_unit->setToolTip(
        tr("So many pairs a batch; or pairs of like length that have, padding counted in, so many "
           "tokens on their longer side"));
    m_pairs = new StopSlider(tr("Batch, in pairs"), {4, 8, 16, 32, 64, 128, 256, 512}, 64, counted);
    m_tokens = new StopSlider(tr("Batch, in tokens"), {256, 512, 1024, 2048, 4096, 8192, 16384, 32768}, 2048, counted);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    row->addWidget(m_pairs, 1);
    row->addWidget(m_tokens, 1);
    row->addWidget(m_unit, 0, Qt::AlignBottom);
    return box;
}

Card* FineSettings::makeOptimizer() {
    auto* card = new Card(tr("Optimizer"));
    m_optimizer = new SegmentedControl({tr("Adam"), tr("SGD")});
    m_optimizer->setAccessibleName(tr("Optimizer"));
    card->header()->addWidget(m_optimizer);
    m_beta1 = new StopSlider(tr("β₁, memory of the gradient"), {0.5, 0.8, 0.9, 0.95, 0.99}, 0.9, plain);
    m_beta2 = new StopSlider(tr("β₂, memory of its square"), {0.9, 0.95, 0.98, 0.99, 0.995, 0.999}, 0.98, plain);
    m_decay = new StopSlider(tr("Weight decay"), {0, 0.0001, 0.001, 0.01, 0.05, 0.1}, 0, plain);
    m_clip = new StopSlider(tr("Longest gradient (clipping)"), {0, 0.1, 0.25, 0.5, 1, 2, 5, 10}, 1,
                            [](double norm) { return norm == 0 ? tr("as it is") : plain(norm); });
    for (QWidget* each : {m_beta1, m_beta2, m_decay, m_clip})
        card->body()->addWidget(each);
    return card;
}

Card* FineSettings::makePace() {
    auto* card = new Card(tr("Pace and end"));
    m_warmup = new StopSlider(
        tr("Warm-up steps"), {kAsUsual, 0, 50, 100, 200, 400, 800, 1600, 4000, 8000}, kAsUsual, [this](double steps) {
            return steps == kAsUsual ? tr("as usual, %1").arg(counted(m_around.usualWarmup)) : counted(steps);
        });
    m_accumulate = new StopSlider(tr("Batches added for one step"), {1, 2, 4, 8, 16, 32}, 1, counted);
    m_patience = new StopSlider(tr("Patience, in validations (early stopping)"), {0, 1, 2, 3, 5, 8, 12}, 0,
                                [](double count) { return count == 0 ? tr("to the last step") : counted(count); });
    m_average = new StopSlider(tr("States whose mean is saved"), {1, 2, 3, 5, 8, 10}, 1,
                               [](double count) { return count == 1 ? tr("the last alone") : counted(count); });
    m_endNote = note();
    for (QWidget* each : {m_warmup, m_accumulate, m_patience, m_average})
        card->body()->addWidget(each);
    card->body()->addWidget(m_endNote);
    return card;
}

Card* FineSettings::makeMatrices() {
    auto* card = new Card(tr("Matrices of words"));
    const auto add = [&](const QString& name, SegmentedControl*& choice, QLabel*& reason) {
        card->body()->addWidget(new Caption(name, 12, QFont::Medium, Caption::Tone::Secondary));
        choice = new SegmentedControl({tr("Two"), tr("One matrix")});
        choice->setAccessibleName(name);
        card->body()->addWidget(choice);
        reason = note();
        card->body()->addWidget(reason);
    };
    add(tr("Target's words, read and written"), m_tie, m_tieNote);
    add(tr("Source and target"), m_share, m_shareNote);
    return card;
}

void FineSettings::follow() {
    const bool byTokens = m_unit->currentIndex() == Tokens;
    m_pairs->setVisible(!byTokens);
    m_tokens->setVisible(byTokens);
    for (QWidget* each : {m_beta1, m_beta2, m_decay})
        each->setEnabled(m_optimizer->currentIndex() == 0);
    const bool waits = m_patience->number() > 0, averages = m_average->number() > 1;
    m_patience->setEnabled(!averages || waits);
    m_average->setEnabled(!waits);
    m_endNote->setText(waits ? tr("It ends where the validation loss fell no more so often in a row; a saved model "
                                  "has the weights of the least. So there is no mean.")
                       : averages ? tr("A saved model has the mean of the weights at its last validations. So the run "
                                       "does not end early.")
                                  : tr("Every step is done, and a saved model has the weights of its step."));
    const auto explain = [](SegmentedControl* choice, QLabel* label, const QString& why, const QString& what) {
        choice->setItemDisabled(One, why);
        label->setText(why.isEmpty() ? what : why);
    };
    explain(m_tie, m_tieNote, whyNotTied(), tr("Its output words are scored with the vectors that it reads them by."));
    explain(m_share, m_shareNote, whyNotShared(), tr("A piece that stands on both sides has one vector."));
    m_warmup->refresh();
    emit changed();
}

QString FineSettings::whyNotTied() const {
    if (m_around.recurrent) return tr("A recurrent model reads and writes with matrices of different widths.");
    if (m_around.kind == CorpusKind::Labels) return tr("A classifier writes no words.");
    return {};
}

QString FineSettings::whyNotShared() const {
    if (m_around.recurrent) return tr("A recurrent model has a matrix for each side.");
    if (m_around.kind != CorpusKind::Translation) return tr("There is one side alone.");
    if (!m_around.hasOneVocabulary)
        return tr("Needs one list of pieces for both sides: joint BPE pieces, on the page Data.");
    return {};
}

void FineSettings::setSurroundings(const Surroundings& surroundings) {
    m_around = surroundings;
    const QSignalBlocker quiet(this);
    follow();
}

void FineSettings::apply(TrainingSetup& setup) const {
    TrainOptions& options = setup.options;
    options.batchSize = static_cast<int>(m_pairs->number());
    options.tokensPerBatch = m_unit->currentIndex() == Tokens ? static_cast<int>(m_tokens->number()) : 0;
    options.accumulate = static_cast<int>(m_accumulate->number());
    options.warmupSteps.reset();
    if (m_warmup->number() != kAsUsual) options.warmupSteps = static_cast<int>(m_warmup->number());
    options.clipNorm = m_clip->number();
    options.optimizer = m_optimizer->currentIndex() == 0 ? OptimizerKind::Adam : OptimizerKind::Sgd;
    options.adam = {};
    if (options.optimizer == OptimizerKind::Adam)
        options.adam = {.beta1 = m_beta1->number(), .beta2 = m_beta2->number(), .weightDecay = m_decay->number()};
    setup.keep = {.patience = static_cast<int>(m_patience->number()), .average = static_cast<int>(m_average->number())};
    if (setup.keep.choosesWeights())
        setup.keep.validateEvery =
            m_validateEvery > 0 ? m_validateEvery : std::max(1L, setup.options.steps / kValidationsInRun);
    setup.config.tieEmbeddings = whyNotTied().isEmpty() && m_tie->currentIndex() == One;
    setup.config.shareEmbeddings = whyNotShared().isEmpty() && m_share->currentIndex() == One;
}

void FineSettings::show(const std::vector<Setting>& settings) {
    TrainOptions options;
    KeepOptions keep;
    bool tie = false, share = false;
    m_validateEvery = 0;
    for (const Setting& setting : settings) {
        if (setting.key == kTie) tie = setting.value == "true";
        if (setting.key == kShare) share = setting.value == "true";
        if (std::ranges::find(kKeys, setting.key) != kKeys.end() && !readInto(options, setting))
            readInto(keep, setting);
        if (setting.key == kValidateEvery) {
            readInto(keep, setting);
            m_validateEvery = keep.validateEvery;
        }
    }
    const std::pair<StopSlider*, double> sliders[] = {{m_pairs, options.batchSize},
                                                      {m_accumulate, options.accumulate},
                                                      {m_warmup, options.warmupSteps.value_or(kAsUsual)},
                                                      {m_clip, options.clipNorm},
                                                      {m_beta1, options.adam.beta1},
                                                      {m_beta2, options.adam.beta2},
                                                      {m_decay, options.adam.weightDecay},
                                                      {m_patience, keep.patience},
                                                      {m_average, keep.average}};
    for (const auto& [slider, number] : sliders)
        slider->setNumber(number);
    if (options.tokensPerBatch > 0) m_tokens->setNumber(options.tokensPerBatch);
    const std::pair<SegmentedControl*, int> choices[] = {
        {m_unit, options.tokensPerBatch > 0 ? Tokens : Pairs},
        {m_optimizer, options.optimizer == OptimizerKind::Adam ? 0 : 1},
        {m_tie, tie ? One : Apart},
        {m_share, share ? One : Apart}};
    for (const auto& [choice, index] : choices) {
        const QSignalBlocker quiet(choice);
        choice->setCurrentIndex(index);
    }
    const QSignalBlocker quiet(this);
    follow();
}

std::vector<Setting> FineSettings::told() const {
    TrainingSetup now;
    apply(now);
    const std::vector<Setting> usual = settingsHere({});
    std::vector<Setting> told = settingsHere(now);
    std::erase_if(told, [&](const Setting& each) {
        return std::ranges::any_of(usual,
                                   [&](const Setting& at) { return at.key == each.key && at.value == each.value; });
    });
    const auto isNone = [](const Setting& each) {  // said beside the other, and nothing by itself
        return (each.key == "patience" && each.value == "0") || (each.key == "average" && each.value == "1");
    };
    std::erase_if(told, isNone);
    if (m_validateEvery > 0 && now.keep.choosesWeights())
        told.push_back({kValidateEvery, std::to_string(m_validateEvery)});
    if (m_tie->currentIndex() == One) told.push_back({kTie, "true"});
    if (m_share->currentIndex() == One) told.push_back({kShare, "true"});
    return told;
}

QString FineSettings::summary() const {
    const std::pair<const char*, QString> names[] = {{"accumulate", tr("batches added %1")},
                                                     {"warmup_steps", tr("warm-up %1")},
                                                     {"optimizer", tr("SGD")},
                                                     {"beta1", tr("β₁ %1")},
                                                     {"beta2", tr("β₂ %1")},
                                                     {"weight_decay", tr("weight decay %1")},
                                                     {"clip_norm", tr("clipping %1")},
                                                     {"patience", tr("patience %1")},
                                                     {"average", tr("mean of %1")},
                                                     {kTie, tr("tied words")},
                                                     {kShare, tr("one matrix for both sides")}};
    QStringList parts;
    for (const Setting& setting : told())
        for (const auto& [key, text] : names)
            if (setting.key == key)
                parts << (text.contains(QLatin1String("%1")) ? text.arg(QString::fromStdString(setting.value)) : text);
    return parts.join(QStringLiteral(", "));
}

}  // namespace headlight

#include "moc_fine_settings.cpp"
