// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSet>
#include <QString>

namespace headlight {

/// How far a reader is in a lesson; kept between starts.
struct LessonProgress {
    int step = 0;          ///< where the reader is, from 0
    int furthest = -1;     ///< the last step that was seen
    QSet<QString> solved;  ///< checks and tries, as STEP.PART

    static LessonProgress load(const QString& slug);
    void save(const QString& slug) const;
};

/// The slug of the lesson that the reader was in last; empty: none.
QString lastLesson();

/// Everything that is kept, as JSON, for whoever wants to take it along or hand it in.
QByteArray exportedProgress();

}  // namespace headlight
