// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "core/lessons/lesson.h"

class QAbstractButton;
class QLabel;

namespace headlight {

class Button;
class ComboBox;
class CourseMaker;
class LessonContinue;
class LessonLibrary;
class LessonPath;
class LessonPictures;

/// All lessons as a path with how far the reader is, and where to go on; the language, another folder, and what is
/// wrong in that folder.
class LessonList : public QWidget {
    Q_OBJECT
public:
    explicit LessonList(LessonLibrary& library, QWidget* parent = nullptr);

    QAbstractButton* card(int index) const;
    LessonPath* path() const { return m_path; }
    LessonContinue* goOn() const { return m_continue; }
    CourseMaker* maker() const { return m_maker; }
    bool isMaking() const { return m_isMaking; }
    /// A new course; `changed`: the one that is open.
    void makeCourse(bool changed);
    LessonPictures* pictures() const { return m_pictures; }

signals:
    void lessonChosen(const QString& slug);
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeLibraryCard();
    void fill();
    void fillMaking();
    void stopMaking();
    void choose(const QString& slug);
    void showMistakes();
    void showPictures();
    void showNextPicture();
    void showPicture(const QString& slug, int step);
    void askForFolder();
    void askForCourse();
    void exportProgress();

    LessonLibrary& m_library;
    QLabel* m_subtitle;
    ComboBox* m_language;
    Button* m_shipped;
    QLabel* m_mistakes;
    Button *m_make, *m_change;
    QWidget* m_head = nullptr;
    CourseMaker* m_maker;
    LessonContinue* m_continue;
    LessonPath* m_path;
    LessonPictures* m_pictures;
    std::vector<Lesson> m_lessons;  ///< that are on the path
    bool m_isMaking = false;
    QString m_madeFrom;     ///< what was open then
    size_t m_pictured = 0;  ///< so many of the pictures are asked for, that of the place to go on being the first
    QTimer m_turn;          ///< for the next one: a picture that is kept takes its time to be read
};

}  // namespace headlight
