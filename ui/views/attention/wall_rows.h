// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include "core/experiment/head_habits.h"
#include "ui/widgets/controls/combo_box.h"

namespace headlight {

/// A word of the text, by its place: of the words that look, or of those that are looked at. The first item is none.
class WordPick : public ComboBox {
    Q_OBJECT
public:
    enum class Side { Looks, LookedAt };
    WordPick(Side side, const QString& name, QWidget* parent = nullptr);

    void setWords(const QStringList& words);
    /// −1: none.
    void setPlace(int place);
    int place() const { return currentIndex() - 1; }

signals:
    void placeChosen(int place);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Side m_side;
    QStringList m_words;
};

/// One of the heads that the search found, with its weight.
class FoundRow : public QAbstractButton {
    Q_OBJECT
public:
    explicit FoundRow(QWidget* parent = nullptr);
    void setHead(const QString& name, double weight, bool chosen);
    QSize sizeHint() const override { return {236, 24}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_weight = 0;
    bool m_chosen = false;
};

/// A habit with its mark and the number of heads that have it; checked: only they are shown.
class HabitRow : public QAbstractButton {
    Q_OBJECT
public:
    explicit HabitRow(HeadHabit habit, QWidget* parent = nullptr);
    HeadHabit habit() const { return m_habit; }
    void setCount(int count, bool causal);
    QSize sizeHint() const override { return {236, 23}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    HeadHabit m_habit;
    QString m_name;  ///< what the field calls it, where that is another word
};

/// One of a few orders; filled where it is the one.
class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(const QString& text, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace headlight
