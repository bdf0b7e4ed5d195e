// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/lessons/lesson.h"
#include "ui/lessons/lesson_progress.h"

class QLabel;

namespace headlight {

class Button;
class ProgressDots;
class SignPicture;

/// Where the reader goes on: the lesson with its sign, its step, and how much is left.
class LessonContinue : public QWidget {
    Q_OBJECT
public:
    explicit LessonContinue(QWidget* parent = nullptr);

    void setLesson(const Lesson& lesson, const LessonProgress& progress);
    const QString& slug() const { return m_slug; }
    QString place() const;
    Button* button() const { return m_button; }

signals:
    void wanted(const QString& slug);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_slug;
    SignPicture* m_picture;
    QLabel *m_place, *m_title, *m_stepTitle, *m_left;
    Button* m_button;
    ProgressDots* m_dots;
};

}  // namespace headlight
