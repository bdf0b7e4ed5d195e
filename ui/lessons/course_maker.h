// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/lessons/course_making.h"

class QLabel;
class QLineEdit;

namespace headlight {

class Button;
class ChipRow;

/// A course that is being made: its title and words, its lessons as stops in their order, the steps of the one that is
/// open, what it still needs. Which lessons it takes is chosen on the path below.
class CourseMaker : public QWidget {
    Q_OBJECT
public:
    explicit CourseMaker(QWidget* parent = nullptr);

    /// `path`: all lessons there are to choose from. What was begun and given up is still there.
    void beginNew(std::vector<Lesson> path);
    /// Throws Error where the file is no course any more.
    void beginChange(const QString& file, std::vector<Lesson> path);

    const Course& course() const { return m_course; }
    /// The lesson whose steps are seen; empty: none.
    const QString& openLesson() const { return m_open; }
    void toggleLesson(const QString& slug);
    void toggleStep(int step);
    void addNeeds();
    bool canUndo() const { return !m_past.empty(); }
    void undo();
    void redo();

    /// Throws Error, one line, where the file cannot be written, or is not what it was when its change began.
    void saveTo(const QString& file);
    /// What is in the way of saving it, or what the reader may do next.
    QString advice() const;

    QLineEdit* title() const { return m_title; }
    QLineEdit* words() const { return m_words; }
    ChipRow* stops() const { return m_stops; }
    ChipRow* steps() const { return m_steps; }
    Button* needsButton() const { return m_needs; }
    Button* saveButton() const { return m_save; }
    Button* cancelButton() const { return m_cancel; }

signals:
    void changed();
    void cancelled();
    void saved(const QString& file);
    void failed(const QString& message);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeSteps();
    void begin(Course course, std::vector<Lesson> path);
    template <class Change>
    void change(const Change& change);
    void travel(std::vector<Course>& from, std::vector<Course>& to);
    void refresh();
    void updateSteps();
    void updateAdvice();
    void pointAt(int step);
    void save(bool asks);
    const Lesson* lesson(const std::string& slug) const;
    QString numbers(const std::vector<const Lesson*>& lessons) const;

    std::vector<Lesson> m_path;
    Course m_course;
    std::vector<Course> m_past, m_future;
    QByteArray m_fileThen;  ///< what the file held when its change began
    QString m_open;
    QLabel *m_heading, *m_sum, *m_stepsOf, *m_stepTitle, *m_advice;
    QLineEdit *m_title, *m_words;
    Button *m_undo, *m_cancel, *m_saveAs, *m_save, *m_needs;
    ChipRow *m_stops, *m_steps;
    QWidget* m_stepsRow;
};

}  // namespace headlight
