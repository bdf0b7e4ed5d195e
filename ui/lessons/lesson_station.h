// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <string_view>

#include "core/lessons/lesson.h"
#include "ui/lessons/lesson_progress.h"

namespace headlight {

/// A lesson on the path: its drawn sign, its number on the line with the minutes that it takes, its title.
class LessonStation : public QAbstractButton {
    Q_OBJECT
public:
    /// `inWords`: the language that the lesson is in, where it is not the one that was chosen.
    LessonStation(const Lesson& lesson, const QString& inWords, QWidget* parent);

    const QString& slug() const { return m_slug; }
    int number() const { return m_number; }
    /// How much of it was seen, 0 to 1.
    double seen() const;
    bool isDone() const { return seen() >= 1; }
    int minutes() const { return m_minutes; }
    int steps() const { return m_steps; }
    const LessonProgress& progress() const { return m_progress; }
    /// The one that the reader is at.
    void setCurrent(bool current);
    bool isCurrent() const { return m_current; }
    /// While a course is made, a station is a check box.
    enum class Choice { NotAsked, None, Some, All };
    /// `steps`: how many of them are taken.
    void setChoice(Choice choice, int steps = 0);
    Choice choice() const { return m_choice; }
    /// The name of its sign (vignette.h).
    std::string_view vignette() const { return m_vignette; }

    /// Its height at a width.
    static int heightFor(int width);
    /// Where the line goes through it, from its top; and from where to where it is free of number and minutes.
    double lineY() const;
    double lineFrom() const;
    QSize sizeHint() const override { return {200, heightFor(200)}; }

signals:
    /// An arrow key: so many stations to the right and down.
    void stepRequested(int right, int down);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF pictureArea() const;
    QString minutesText() const;
    void paintPlace(QPainter& painter);
    void paintBox(QPainter& painter);

    int m_number, m_minutes, m_steps;
    QString m_slug, m_inWords;
    std::string_view m_vignette;
    LessonProgress m_progress;
    bool m_current = false;
    Choice m_choice = Choice::NotAsked;
    int m_taken = 0;  ///< steps
};

}  // namespace headlight
