// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/open/background.h"
#include "ui/session/trace/units_picture.h"
#include "ui/views/view.h"

class QLabel;
class QStackedLayout;

namespace headlight {

class ActivationCurve;
class Button;
class ComboBox;
class EmptyPage;
class FailureBox;
class Panel;
class SegmentedControl;
class UnitCards;
class UnitContexts;
class UnitNetwork;
class UnitWordBars;

/// The position-wise feed-forward network: which of its units fire at which word, and what one of them reads and
/// writes. Where it fires most, and what becomes of a word without it, is computed in the background.
class FeedForwardView : public ViewWidget {
    Q_OBJECT
public:
    explicit FeedForwardView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override;
    /// Null for what is not there.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                    const std::vector<MutedHead>& muted = {});
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    void setVeil(const std::vector<NumberName>& veiled) override;

    bool isBusy() const { return m_surveyor.isBusy() || m_muter.isBusy(); }
    /// Null while there is nothing to be drawn.
    const std::shared_ptr<UnitsPicture>& picture() const { return m_picture; }
    int word() const;  ///< from 0, as it is shown
    int unit() const;
    UnitCards* cards() const { return m_cards; }
    UnitNetwork* network() const { return m_network; }
    ActivationCurve* curve() const { return m_curve; }
    UnitWordBars* promoted() const { return m_promoted; }
    UnitContexts* contexts() const { return m_contexts; }
    SegmentedControl* activations() const { return m_activations; }
    ComboBox* layers() const { return m_layers; }
    Button* muteButton() const { return m_mute; }
    QLabel* effect() const { return m_effect; }
    QLabel* firing() const { return m_firing; }
    /// Why nothing is known of where units fire.
    QLabel* missingText() const { return m_missingText; }
    QLabel* subtitle() const { return m_subtitle; }

    /// Models with fewer weights tell what a unit does without being asked to mute it.
    static constexpr size_t kSmall = 5'000'000;

protected:
    bool event(QEvent* event) override;

private:
    enum Page { NoModel, NoSentence, Recurrent, Gated, LeftOut, Room };

    QWidget* makeRoom();
    QWidget* makeStage();
    Panel* makeSide();
    void connectParts();
    Page pageFor(const std::vector<FeedForwardLayer>& layers) const;
    /// The place in m_all of the layer that is shown.
    size_t layerIndex() const;
    ops::Activation drawn() const;
    void chooseLayer(int index);
    void showLayer();
    /// Is the chosen unit to be predicted first at the word that is opened?
    bool isUnitHidden() const { return m_picture->isActiveHidden(word(), unit()); }
    void showUnit();
    void showSide();
    void showWords();
    void showFiring();
    void showEffect();
    void survey();
    void lookForText();
    void withoutUnit();

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::vector<MutedHead> m_mutedHeads;
    std::vector<FeedForwardLayer> m_all;
    std::shared_ptr<UnitsPicture> m_picture;
    std::vector<NumberName> m_veiled;
    std::shared_ptr<const FiringSurvey> m_survey;
    size_t m_surveyed = 0;  ///< the layer that it is of
    std::shared_ptr<const Trace> m_without;
    int m_withoutUnit = -1;  ///< that it is without
    size_t m_withoutLayer = 0;

    /// As the state of the stage has them, from 1; what is shown is the nearest that there is.
    StageStack m_unitStack = StageState().feedForward.stack;
    int m_unitLayer = StageState().feedForward.layer;
    int m_unitWord = StageState().feedForward.word;
    int m_unit = StageState().feedForward.unit;
    UnitOrder m_unitOrder = StageState().feedForward.order;
    FeedForwardOptions::Activation m_activation = StageState().feedForward.activation;
    bool m_unitMuted = StageState().feedForward.muted;

    QStackedLayout* m_pages;
    QLabel* m_subtitle;
    ComboBox* m_layers;
    UnitCards* m_cards;
    UnitNetwork* m_network;
    QLabel *m_unitTitle, *m_unitOf;
    SegmentedControl* m_activations;
    ActivationCurve* m_curve;
    QLabel *m_rowOf, *m_noWords;
    UnitWordBars* m_promoted;
    QLabel* m_firing;
    UnitContexts* m_contexts;
    QLabel* m_missingText;
    FailureBox* m_failure;
    Button* m_mute;
    QLabel *m_effectOf, *m_effect;
    QLabel* m_leftOut;
    Background m_surveyor{this}, m_muter{this};
};

}  // namespace headlight
