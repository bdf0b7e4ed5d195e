// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/trace/surgery_picture.h"
#include "ui/widgets/controls/panel.h"

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace headlight {

class Button;
class FoundList;

/// What A writes, left alone and with the pieces of B, and what B writes: word over word with their probabilities;
/// where on the way from A to B the answer stands; and the likeliest words before and now.
class SurgeryFigures : public QWidget {
    Q_OBJECT
public:
    explicit SurgeryFigures(QWidget* parent = nullptr);
    /// `isTried`: the outcome is of more than was done.
    void setOutcome(std::shared_ptr<const SurgeryPicture> picture, const SurgeryPicture::Outcome& outcome,
                    bool isTried);
    /// Where the share stands on the line from A to B.
    double xOf(double share) const;
    QSize sizeHint() const override { return {340, heightForWidth(340)}; }
    /// Long answers go on in further lines.
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// A model that fills in words writes none where a text has no gap.
    bool writes() const;
    double gaugeTop(double right) const;
    void paintShare(QPainter& p, double top, double right) const;
    QString nowWord() const;
    void paintHeads(QPainter& p, double top, double right, const QString& title) const;
    void paintWords(QPainter& p, double top, double right) const;

    std::shared_ptr<const SurgeryPicture> m_picture;
    SurgeryPicture::Outcome m_outcome;
    bool m_isTried = false;
};

/// The panel beside the maps: its figures, and the list of edits with a switch for each.
class SurgerySide : public Panel {
    Q_OBJECT
public:
    explicit SurgerySide(QWidget* parent = nullptr);
    /// Null: nothing is computed. `tried`: what the outcome puts in, or takes out, beyond the edits.
    void setOutcome(const std::shared_ptr<const SurgeryPicture>& picture, const SurgeryPicture::Outcome& outcome,
                    const std::vector<SurgeryEdit>& edits, const std::optional<SurgeryEdit>& tried);

    SurgeryFigures* figures() const { return m_figures; }
    FoundList* found() const { return m_found; }
    QLabel* hint() const { return m_hint; }
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
    void fillEdits(const std::vector<SurgeryEdit>& edits);

    SurgeryFigures* m_figures;
    FoundList* m_found;
    std::shared_ptr<const SurgeryPicture> m_picture;
    std::vector<SurgeryEdit> m_edits;
    QLabel *m_hint, *m_none;
    Button *m_undo, *m_clear, *m_copy;
    QVBoxLayout* m_list;
    std::vector<QCheckBox*> m_switches;
};

}  // namespace headlight
