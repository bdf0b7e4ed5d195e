// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/session/open/background.h"
#include "ui/session/open/paced_timer.h"
#include "ui/session/trace/attribution_picture.h"

namespace headlight {

class AttributionStrips;
class Card;
class FailureBox;
class MatrixView;
class ProgressLine;

/// What each word that was read has to do with one that is written, by every method that the model can be asked by, and
/// by one of them for all words that are written. Answers are shown as they come; what was asked once of a reading is
/// not computed again.
class AttributionPage : public QWidget {
    Q_OBJECT
public:
    explicit AttributionPage(QWidget* parent = nullptr);

    void setSettling(Settling* settling) { m_background.setSettling(settling); }
    /// `isMuted`: heads were muted when it was read; every method asks the whole model.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                    bool isMuted);
    /// `method` is that of the matrix.
    void ask(const WhyQuestion& question, AttributionMethod method);
    /// Nobody looks: what is under way is given up.
    void rest() { m_background.drop(); }

    bool isBusy() const { return m_background.isBusy(); }
    /// Null: nothing was asked.
    const std::shared_ptr<const AttributionPicture>& picture() const { return m_picture; }
    const Attributions& known() const { return m_known; }
    AttributionStrips* strips() const { return m_strips; }
    MatrixView* matrix() const { return m_matrix; }
    QString story() const;

signals:
    /// There is something to say, or more than there was.
    void answered();
    void rowWanted(int row);
    void methodWanted(headlight::AttributionMethod method);

private:
    using Picture = std::shared_ptr<const AttributionPicture>;
    void begin(const Picture& picture);
    void refresh();
    void showStrips();
    void showMatrix();

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    bool m_isMuted = false;
    AttributionMethod m_method = AttributionMethod::Gradient;
    Picture m_picture;
    Attributions m_known;  ///< of this reading
    int m_asked = 0;
    AttributionStrips* m_strips;
    Card* m_card;
    MatrixView* m_matrix;
    ProgressLine* m_progress;
    FailureBox* m_failure;
    PacedTimer m_soon;              ///< draws what came together once
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
