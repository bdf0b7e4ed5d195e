// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/session/open/background.h"
#include "ui/session/open/translation_row.h"
#include "ui/session/trace/loss_picture.h"
#include "ui/views/view.h"

class QLabel;
class QLineEdit;
class QStackedLayout;

namespace headlight {

class FailureBox;
class FittingCaption;
class LossColumns;
class LossSide;
class LossWord;
class Panel;
class Slider;

/// What each target word costs under the model, and the loss of one of them opened: from logits through softmax and the
/// target distribution to the gradient, ε moved by hand, and steps down the gradient of its logits.
class LossView : public ViewWidget {
    Q_OBJECT
public:
    explicit LossView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override { m_background.setSettling(settling); }
    /// Null for what is not there. `target`: what was forced, or a classifier's label that is taken to be true; `own`:
    /// what the model writes itself.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                    const QString& target = {}, const TranslationRow& own = {});
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    void setVeil(const std::vector<NumberName>& veiled) override;

    bool isBusy() const { return m_background.isBusy(); }
    /// What is drawn; null: nothing.
    const std::shared_ptr<const LossShown>& shown() const { return m_shown; }
    LossColumns* columns() const { return m_columns; }
    LossWord* word() const { return m_word; }
    LossSide* side() const { return m_side; }
    QLineEdit* target() const { return m_target; }
    Slider* smoothing() const { return m_slider; }

signals:
    /// Another target is to be forced; empty: none.
    void targetWanted(const QString& target);

private:
    enum Page { NoModel, NoSentence, Masked, Headless, TooShort, Room };

    QWidget* makeBar();
    QWidget* makeRoom();
    void take(std::shared_ptr<const LossPicture> picture);
    void choose(int index);
    void setSmoothing(double smoothing);
    void setSteps(int steps);
    void wantWord(int index, int word);
    /// Draws what is chosen, `share` of the way from the step before.
    void refresh(double share = 1);
    int chosen() const;

    int m_wantedWord = 1, m_steps = 0, m_from = 0;  ///< as the state has them; steps where an animation began
    double m_smoothing = 0.1;
    std::shared_ptr<const LossPicture> m_picture;
    std::vector<NumberName> m_veiled;
    std::shared_ptr<const LossShown> m_shown;
    std::optional<double> m_own;  ///< perplexity of its own translation
    QStackedLayout* m_pages;
    Panel* m_bar;
    QLineEdit* m_target;
    QWidget* m_targetName;
    Slider* m_slider;
    QLabel* m_epsilon;
    QLabel* m_heading = nullptr;
    FittingCaption* m_note = nullptr;
    QWidget* m_key = nullptr;  ///< of the colours, and the mean
    FailureBox* m_failure;
    LossColumns* m_columns;
    LossWord* m_word;
    LossSide* m_side;
    QVariantAnimation m_moves;
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
