// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QSet>
#include <QString>

namespace headlight {

/// How far a reader is in a lesson; kept between starts.
struct LessonProgress {
    int step = 0;          ///< where the reader is, from 0
    int furthest = -1;     ///< the last step that was seen
    QSet<QString> solved;  ///< checks, tries and predictions, as STEP.PART
    /// What was answered to a check or predicted, as it was written.
    struct Answer {
        int times = 0;  ///< that something was answered
        QString last;
    };
    QMap<QString, Answer> answers;

    /// Whose progress is loaded and saved from now on: a course's, by its title; empty: that of who goes through all
    /// lessons. A lesson of which a course has some steps is another one there.
    static void keepFor(const QString& course);
    static LessonProgress load(const QString& slug);
    void save(const QString& slug) const;
};

/// The slug of the lesson that the reader was in last; empty: none.
QString lastLesson();

/// Everything that is kept, as JSON, for whoever wants to take it along or hand it in.
QByteArray exportedProgress();

class LessonLibrary;
/// The same as a table that a class can be put together from: a line for each question, prediction and thing to try of
/// the lessons, with who answered it (RFC 4180, UTF-8).
QByteArray exportedAnswers(const LessonLibrary& library, const QString& reader);

}  // namespace headlight
