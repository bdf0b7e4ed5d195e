// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QAbstractButton;

namespace headlight {

class LessonPlayer;
class LessonText;
struct LessonMore;

/// "More": what is not on the lesson's way, folded under its title until the reader opens it.
class MoreCard : public QFrame {
    Q_OBJECT
public:
    MoreCard(LessonPlayer& player, const LessonMore& more, QWidget* parent = nullptr);

    QAbstractButton* title() const { return m_title; }
    LessonText* words() const { return m_words; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QAbstractButton* m_title;
    LessonText* m_words;
};

}  // namespace headlight
