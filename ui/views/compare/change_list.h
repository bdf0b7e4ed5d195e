// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/experiment/hand_change.h"

class QDoubleSpinBox;
class QLabel;
class QVBoxLayout;

namespace headlight {

class Button;
class SegmentedControl;

/// Numbers of a reading that are put in by hand: the cell that is pointed at, what it is to be there or in its whole
/// row or column, and a list of what was put in.
class ChangeList : public QWidget {
    Q_OBJECT
public:
    explicit ChangeList(QWidget* parent = nullptr);

    /// The number that is pointed at: the change that would leave it as it is, and what it is called.
    void setPlace(const HandChange& number, const QString& name);
    void clearPlace();
    /// As HandChange::text() writes them; `problem`: why they cannot all be made.
    void setChanges(const QStringList& changes, const QString& problem);

    QDoubleSpinBox* number() const { return m_number; }
    SegmentedControl* reach() const { return m_reach; }
    Button* put() const { return m_put; }
    /// Of scores and weights: the cell, its row or its column is masked.
    Button* mask() const { return m_mask; }
    Button* clear() const { return m_clear; }
    /// One a change: takes it back.
    const std::vector<Button*>& takers() const { return m_takers; }
    QString problem() const;

signals:
    /// The reader wants other changes than those that were set.
    void wanted(const QStringList& changes);

private:
    void putIn(HandChange change);

    enum Reach { Cell, Row, Column };
    HandChange m_place;
    QStringList m_changes;
    std::vector<QWidget*> m_rows;
    std::vector<Button*> m_takers;
    QLabel *m_where, *m_problem;
    SegmentedControl* m_reach;
    QDoubleSpinBox* m_number;
    Button *m_put, *m_mask, *m_clear;
    QVBoxLayout* m_list;
};

}  // namespace headlight
