// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/lessons/lesson.h"

class QAbstractButton;
class QLabel;
class QScrollArea;

namespace headlight {

class Button;
class ComboBox;
class CourseMaker;
class DoorCard;
class FirstLook;
class LessonContinue;
class LessonLibrary;
class LessonPath;

/// The first page: where the reader goes on, once something was begun; a sentence to try; doors to what else there is;
/// all lessons as a path with how far the reader is; courses, another folder, and what is wrong in that folder.
class LessonList : public QWidget {
    Q_OBJECT
public:
    explicit LessonList(LessonLibrary& library, QWidget* parent = nullptr);

    QAbstractButton* card(int index) const;
    LessonPath* path() const { return m_path; }
    LessonContinue* goOn() const { return m_continue; }
    FirstLook* firstLook() const { return m_look; }
    enum class Door { Learn, Train, Models, Teach };
    DoorCard* door(Door door) const { return m_doors[static_cast<size_t>(door)]; }
    CourseMaker* maker() const { return m_maker; }
    bool isMaking() const { return m_isMaking; }
    /// A new course; `changed`: the one that is open.
    void makeCourse(bool changed);

signals:
    void lessonChosen(const QString& slug);
    void failed(const QString& message);
    /// Train, or the models.
    void viewWanted(headlight::ViewName view);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeDoors();
    QWidget* makePathHead();
    QWidget* makeLibraryCard();
    void enter(Door door);
    /// Brings a part of the page to the top of what is seen, and the keyboard to something in it.
    void goTo(QWidget* part, QWidget* focus);
    void fill();
    void fillMaking();
    void stopMaking();
    void choose(const QString& slug);
    void showPlace();
    void showMistakes();
    void askForFolder();
    void askForCourse();
    void exportProgress();

    LessonLibrary& m_library;
    QLabel* m_subtitle;
    ComboBox* m_language;
    Button* m_shipped;
    QLabel* m_mistakes;
    Button *m_make, *m_change;
    QWidget *m_head = nullptr, *m_pathHead = nullptr, *m_courses = nullptr;
    QScrollArea* m_page = nullptr;
    FirstLook* m_look;
    std::vector<DoorCard*> m_doors;
    bool m_hasFocused = false;  ///< the field of the first look, once
    CourseMaker* m_maker;
    LessonContinue* m_continue;
    LessonPath* m_path;
    std::vector<Lesson> m_lessons;  ///< that are on the path
    bool m_isMaking = false;
    QString m_madeFrom;  ///< what was open then
};

}  // namespace headlight
