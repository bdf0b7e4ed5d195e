// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <memory>
#include <variant>

#include "tests/ui/calm_window.h"
#include "tests/ui/painted.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/lessons/veil_card.h"
#include "ui/shell/stage.h"

namespace headlight::fixture {

/// A test of steps that have something predicted, each in a window of its own.
class VeilTest : public QObject {
protected:
    LessonPlayer& player() { return m_calm->window->workbench().player; }
    VeilCard* card() { return m_calm->window->lessonPanel()->content()->findChild<VeilCard*>(); }
    void settle() {
        QTRY_VERIFY(m_calm->window->stage().isSettled() && player().hasNumbers());
        QVERIFY(fixture::painted(*m_calm->window));
    }

    int partOfVeil() {
        const std::vector<LessonPart>& parts = player().current().parts;
        for (size_t i = 0; i < parts.size(); ++i)
            if (std::holds_alternative<LessonVeil>(parts[i])) return static_cast<int>(i);
        return -1;
    }

    void openVeil(const QString& lesson = QStringLiteral("by-hand"), int wanted = 3) {
        player().open(lesson);
        m_step = wanted;
        player().goTo(m_step);
        QVERIFY(partOfVeil() >= 0);
        settle();
        QVERIFY(card());
    }

    QString words() {
        QString all;
        for (const auto* text : m_calm->window->lessonPanel()->content()->findChildren<LessonText*>())
            all += text->toPlainText() + u'\n';
        return all;
    }

    std::unique_ptr<CalmWindow> m_calm;
    int m_step = 0;
};

}  // namespace headlight::fixture
