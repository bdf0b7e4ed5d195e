// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QVBoxLayout;

namespace headlight {

// What the cards of a lesson have in common: questions, things to try, programs.

/// "Question", "Try it": what kind of card it is, in amber ink, as it asks for something here and now.
class Kicker : public QLabel {
public:
    explicit Kicker(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
};

enum class LessonCardState { Open, Solved };
void paintLessonCard(QWidget* card, LessonCardState state);
/// Where the card's parts stand, one below the other.
QVBoxLayout* lessonCardColumn(QWidget* card);

}  // namespace headlight
