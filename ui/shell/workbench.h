// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/session/open/decoding.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/open/step_cursor.h"
#include "ui/session/open/training_run.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

/// What every room of the window works on. One a window; rooms hold a reference and none of them knows another.
class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(ThemeManager& manager) : theme(manager) {
        connect(&session, &Session::readingChanged, this,
                [this] { selection.setTrace(session.reading() ? session.reading()->trace : nullptr); });
    }

    ThemeManager& theme;
    Session session;
    Decoding decoding{session};
    Selection selection;
    StepCursor cursor;
    TrainingRun training;
    LessonLibrary lessons;
    LessonPlayer player{lessons};

signals:
    /// A room asks the shell to go to another one, by its id.
    void roomRequested(const QString& id);
};

}  // namespace headlight
