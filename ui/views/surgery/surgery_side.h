// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/trace/surgery_picture.h"
#include "ui/widgets/controls/panel.h"

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace headlight {

class Button;

/// What A writes, left alone and with the pieces of B, and what B writes: word over word with their probabilities;
/// where on the way from A to B the answer stands; and the likeliest words before and now.
class SurgeryFigures : public QWidget {
    Q_OBJECT
public:
    explicit SurgeryFigures(QWidget* parent = nullptr);
    void setOutcome(std::shared_ptr<const SurgeryPicture> picture, const SurgeryPicture::Outcome& outcome);
    /// Where the share stands on the line from A to B.
    double xOf(double share) const;
    QSize sizeHint() const override { return {340, 330}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::shared_ptr<const SurgeryPicture> m_picture;
    SurgeryPicture::Outcome m_outcome;
};

/// The panel beside the maps: its figures, and the list of edits with a switch for each.
class SurgerySide : public Panel {
    Q_OBJECT
public:
    explicit SurgerySide(QWidget* parent = nullptr);
    /// Null: nothing is computed.
    void setOutcome(const std::shared_ptr<const SurgeryPicture>& picture, const SurgeryPicture::Outcome& outcome,
                    const std::vector<SurgeryEdit>& edits);

    SurgeryFigures* figures() const { return m_figures; }
    Button* undo() const { return m_undo; }
    Button* clear() const { return m_clear; }
    Button* copy() const { return m_copy; }
    /// One a row of the list: whether the edit is on, and its name.
    const std::vector<QCheckBox*>& switches() const { return m_switches; }

signals:
    void undoWanted();
    void clearWanted();
    void copyWanted();
    void switched(int edit, bool on);

private:
    void fillEdits(const SurgeryPicture* picture, const std::vector<SurgeryEdit>& edits);

    SurgeryFigures* m_figures;
    QLabel* m_none;
    Button *m_undo, *m_clear, *m_copy;
    QVBoxLayout* m_list;
    std::vector<QCheckBox*> m_switches;
};

}  // namespace headlight
