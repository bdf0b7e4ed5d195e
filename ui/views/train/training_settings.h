// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

class QLabel;

#include "ui/session/open/training_run.h"
#include "ui/views/view.h"

namespace headlight {

class Button;
class ComboBox;
class FineSettings;
class LabelledSlider;
class SettingsPicture;

/// What is to be trained, and how. Changes hold from the next reset on.
class TrainingSettings : public ViewWidget {
    Q_OBJECT
public:
    explicit TrainingSettings(QWidget* parent = nullptr);

    /// Model and options, for what it learns from; the data and the seed are the room's.
    void apply(TrainingSetup& setup, CorpusKind kind = CorpusKind::Translation) const;
    /// What the run is to learn from, as far as settings go with it or do not: whether the words of its two sides are
    /// one list.
    void setData(CorpusKind kind, bool hasOneVocabulary);
    /// Tokens of a source and of a target in what it is to learn from; nothing: they are not counted yet.
    void setWords(const std::optional<std::array<int, 2>>& words);
    SettingsPicture* picture() const { return m_picture; }
    /// How large the model is. Own: as nothing else.
    enum class Size { Small, Middle, Large, Own };
    Size size() const;
    void setSize(Size size);
    int steps() const;
    /// In hundreds.
    void setSteps(int hundreds);
    /// The settings are `key=value`, under the names of headlight-cli train's options (`d_model=32`); the learning rate
    /// is told as a multiple of the usual one (`learning_rate=x2.5`). Only what is not as at first is told.
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// The settings of a run that was begun elsewhere, as far as there are controls for them.
    void showSetup(const TrainingSetup& setup);
    ComboBox* model() const { return m_model; }
    LabelledSlider* forcingStart() const { return m_forcingStart; }
    LabelledSlider* forcingEnd() const { return m_forcingEnd; }
    LabelledSlider* stepsSlider() const { return m_steps; }
    FineSettings* fine() const { return m_fine; }
    /// Opens what most readers leave as it is, or closes it.
    Button* moreButton() const { return m_more; }

signals:
    /// A fresh run with these settings is wanted.
    void runRequested();

private:
    struct Values;
    Values values() const;
    void setValues(const Values& values);
    void showNumbers();
    void applyModel(ModelConfig& config) const;
    void showFine();
    void openMore(bool open);

    ComboBox* m_model;
    LabelledSlider* m_width;
    LabelledSlider* m_layers;
    LabelledSlider* m_heads;
    LabelledSlider* m_steps;
    ComboBox* m_schedule;
    LabelledSlider* m_rate;
    LabelledSlider* m_smoothing;
    LabelledSlider* m_dropout;
    LabelledSlider* m_forcingStart;
    LabelledSlider* m_forcingEnd;
    SettingsPicture* m_picture;
    std::optional<std::array<int, 2>> m_words;
    FineSettings* m_fine;
    Button* m_more;
    QLabel* m_moreNote;
    CorpusKind m_kind = CorpusKind::Translation;
    bool m_hasOneVocabulary = false;
};

}  // namespace headlight
