// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run as the state of the stage says them.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "ui/session/open/data_settings.h"
#include "ui/session/open/run_record.h"
#include "ui/views/train/fine_settings.h"
#include "ui/views/train/training_settings.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/labelled_slider.h"

namespace headlight {

namespace {

/// In the order of the choice of models: its cell and attention, of a recurrent one.
struct SettingsKind {
    const char* cell;
    const char* attention;
};
constexpr std::array<SettingsKind, 6> kKinds = {
    {{"", ""}, {"lstm", "additive"}, {"gru", "additive"}, {"lstm", "none"}, {"gru", "none"}, {"rnn", "none"}}};
constexpr std::array kSchedules = {"noam", "constant", "cosine"};
constexpr std::array kStateWidths = {32, 64, 128, 256};
constexpr std::array kStateHeads = {1, 2, 4, 8};

using Settings = std::map<std::string, std::string>;

template <class List, class Value>
int placeOf(const List& list, const Value& value, int otherwise) {
    const auto at = std::ranges::find(list, value);
    return at == list.end() ? otherwise : static_cast<int>(at - list.begin());
}

/// A number in hundredths, for all that a slider can stand at.
QString hundredths(int value) {
    return QString::number(value / 100.0);
}

}  // namespace

/// Where each control stands.
struct TrainingSettings::Values {
    int model = 0, width = 1, layers = 2, heads = 3, steps = 15, schedule = 2, rate = 10, smoothing = 10, dropout = 10,
        forcingStart = 100, forcingEnd = 100;

    static Values from(const Settings& settings);
    Settings told() const;
};

TrainingSettings::Values TrainingSettings::Values::from(const Settings& settings) {
    Values values;
    const auto text = [&](const char* key) {
        const auto at = settings.find(key);
        return at == settings.end() ? QString() : QString::fromStdString(at->second);
    };
    const auto number = [&](const char* key, double unit, int otherwise) {
        bool ok = false;
        const double value = text(key).toDouble(&ok) / unit;
        return ok && std::abs(value) < 1e6 ? static_cast<int>(std::lround(value)) : otherwise;
    };
    const bool recurrent = text("arch") == QLatin1String("rnn");
    for (int kind = 1; recurrent && kind < static_cast<int>(kKinds.size()); ++kind)
        if (text("cell") == QLatin1String(kKinds.at(static_cast<size_t>(kind)).cell) &&
            text("attention") == QLatin1String(kKinds.at(static_cast<size_t>(kind)).attention))
            values.model = kind;
    values.width = placeOf(kStateWidths, number(recurrent ? "hidden_size" : "d_model", 1, 0), values.width);
    values.layers = number(recurrent ? "num_layers" : "num_encoder_layers", 1, values.layers);
    values.heads = placeOf(kStateHeads, number("num_heads", 1, 0), values.heads);
    values.steps = number("steps", 100, values.steps);
    values.schedule = placeOf(kSchedules, text("schedule").toStdString(), values.schedule);
    bool ok = false;
    const double rate = text("learning_rate").mid(1).toDouble(&ok);
    if (ok && text("learning_rate").startsWith(u'x') && rate < 1e6)
        values.rate = static_cast<int>(std::lround(rate * 10));
    values.smoothing = number("label_smoothing", 0.01, values.smoothing);
    values.dropout = number("dropout", 0.01, values.dropout);
    const QStringList forcing = text("teacher_forcing").split(u':');
    const double start = forcing.first().toDouble(&ok);
    if (ok && std::abs(start) < 1e6)
        values.forcingStart = values.forcingEnd = static_cast<int>(std::lround(start * 100));
    const double end = forcing.last().toDouble(&ok);
    if (ok && std::abs(end) < 1e6) values.forcingEnd = static_cast<int>(std::lround(end * 100));
    return values;
}

Settings TrainingSettings::Values::told() const {
    const bool recurrent = model > 0;
    const SettingsKind& kind = kKinds.at(static_cast<size_t>(model));
    const std::string count = std::to_string(layers);
    Settings all = {
        {"num_heads", std::to_string(kStateHeads.at(static_cast<size_t>(heads)))},
        {"steps", std::to_string(steps * 100)},
        {"schedule", kSchedules.at(static_cast<size_t>(schedule))},
        {"learning_rate", QStringLiteral("x%1").arg(rate / 10.0).toStdString()},
        {"label_smoothing", hundredths(smoothing).toStdString()},
        {"dropout", hundredths(dropout).toStdString()},
        {"teacher_forcing", QString(hundredths(forcingStart) + u':' + hundredths(forcingEnd)).toStdString()}};
    all[recurrent ? "hidden_size" : "d_model"] = std::to_string(kStateWidths.at(static_cast<size_t>(width)));
    if (recurrent)
        all.merge(Settings{{"arch", "rnn"}, {"cell", kind.cell}, {"attention", kind.attention}, {"num_layers", count}});
    else
        all.merge(Settings{{"num_encoder_layers", count}, {"num_decoder_layers", count}});
    return all;
}

TrainingSettings::Values TrainingSettings::values() const {
    return {m_model->currentIndex(), m_width->value(),           m_layers->value(),    m_heads->value(),
            m_steps->value(),        m_schedule->currentIndex(), m_rate->value(),      m_smoothing->value(),
            m_dropout->value(),      m_forcingStart->value(),    m_forcingEnd->value()};
}

void TrainingSettings::setValues(const Values& values) {
    const std::pair<LabelledSlider*, int> sliders[] = {
        {m_width, values.width},
        {m_layers, values.layers},
        {m_heads, values.heads},
        {m_steps, values.steps},
        {m_rate, values.rate},
        {m_smoothing, values.smoothing},
        {m_dropout, values.dropout},
        {m_forcingStart, values.forcingStart},
        {m_forcingEnd, values.forcingEnd},
    };
    for (const auto& [slider, value] : sliders) {
        const QSignalBlocker quiet(slider);
        slider->setValue(value);
    }
    const QSignalBlocker quietModel(m_model), quietSchedule(m_schedule);
    m_model->setCurrentIndex(values.model);
    m_schedule->setCurrentIndex(values.schedule);
    showNumbers();
}

void TrainingSettings::showOptions(const StageState& state) {
    Settings settings;
    for (const Setting& setting : runSettings(state))
        settings[setting.key] = setting.value;
    m_fine->show(runSettings(state));
    setValues(Values::from(settings));
    openMore(!m_fine->summary().isEmpty());
}

void TrainingSettings::showSetup(const TrainingSetup& setup) {
    Settings settings;
    const std::vector<Setting> all = settingsOf(recipeOf(setup, 0));
    for (const Setting& setting : all)
        settings[setting.key] = setting.value;
    TrainOptions usual = setup.options;
    usual.learningRate.reset();
    if (setup.options.learningRate) {
        const double times = *setup.options.learningRate / usual.scheduleFor(setup.config).learningRate;
        settings["learning_rate"] = QStringLiteral("x%1").arg(times).toStdString();
    }
    m_fine->show(all);
    setValues(Values::from(settings));
}

void TrainingSettings::tellOptions(StageState& state) const {
    state.training.settings.clear();
    Values fresh;
    fresh.model = values().model;
    Settings usual = fresh.told();
    for (const char* key : {"arch", "cell", "attention"})
        usual.erase(key);  // no setting of a Transformer, which is the usual one
    for (const auto& [key, value] : values().told())
        if (const auto at = usual.find(key); at == usual.end() || at->second != value)
            state.training.settings.push_back(key + "=" + value);
    for (const Setting& setting : m_fine->told())
        state.training.settings.push_back(setting.key + "=" + setting.value);
}

}  // namespace headlight
