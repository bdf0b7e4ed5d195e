// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QWidget>
#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

class LessonStation;
struct Course;

/// Lessons in their order along a line that is walked: dark as far as the reader has come. Chapters keep together where
/// a row has room for them.
class LessonPath : public QWidget {
    Q_OBJECT
public:
    explicit LessonPath(QWidget* parent = nullptr);

    struct Stop {
        const Lesson* lesson = nullptr;
        QString inWords;  ///< the language that it is in, where it is not the chosen one
    };
    /// `chapters`: the lessons are the program's own, and stand in its chapters; those of a course stand under its
    /// title.
    void setLessons(const std::vector<Stop>& stops, bool chapters, const Course* course = nullptr);
    /// While a course is made, the stations are check boxes; null: they open lessons.
    void setChosen(const Course* course);
    const std::vector<LessonStation*>& stations() const { return m_stations; }
    /// The one that is to be gone on with; null: all are done.
    LessonStation* current() const { return m_current; }

    /// The line, row by row from left to right, and how much of it lies behind the reader.
    struct Segment {
        QLineF line;
        double walked = 0;  ///< 0 to 1
    };
    const std::vector<Segment>& line() const { return m_line; }
    /// Titles of chapters as they are drawn.
    QStringList headings() const;

signals:
    void lessonChosen(const QString& slug);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Heading {
        QString title, more, promise;
        size_t first = 0, count = 0;  ///< stations
        QRectF area;
    };
    void findCurrent();
    void makeHeadings(bool chapters, const Course* course);
    void addHeading(const QString& title, const QString& promise, int last);
    std::vector<size_t> rowLengths() const;
    void arrange();
    void step(size_t from, int right, int down);

    std::vector<LessonStation*> m_stations;
    std::vector<Heading> m_headings;
    std::vector<size_t> m_rows;  ///< stations of each
    std::vector<Segment> m_line;
    LessonStation* m_current = nullptr;
    bool m_isChoosing = false;
};

}  // namespace headlight
