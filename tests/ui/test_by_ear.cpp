// SPDX-License-Identifier: GPL-3.0-or-later
// The window as somebody has it who hears it and never sees it: parts are found by role and name, pressed through the
// accessibility interface or by keys, and no place on the screen is ever asked for.
#include <QAccessible>
#include <QMetaEnum>
#include <QTest>
#include <functional>

#include "core/platform/pace.h"
#include "tests/ui/calm_theme.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage.h"
#include "ui/shell/workbench.h"

using namespace headlight;

namespace {

using Spoken = QAccessibleInterface;

QString nameOf(const Spoken& part) {
    return part.text(QAccessible::Name);
}

/// Every part that can be heard, in order.
void eachPart(Spoken* part, const std::function<void(Spoken&)>& act) {
    if (!part || part->state().invisible) return;
    act(*part);
    for (int i = 0; i < part->childCount(); ++i)
        eachPart(part->child(i), act);
}

}  // namespace

class TestByEar : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_theme = fixture::calmTheme(m_folder);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->openModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        QTRY_VERIFY(m_window->workbench().session.reading().has_value());
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    void aLessonIsDoneFromItsFirstQuestionToItsLast() {
        press(QAccessible::ListItem, QStringLiteral("Learn"));
        press(QAccessible::Button, QStringLiteral("Lesson 8, Attention by hand"));
        QTRY_VERIFY(isThere(QAccessible::StaticText, QStringLiteral("Which word fits best?")));
        settle();
        const QString stage = QStringLiteral("Attention as one equation");

        // A prediction in a hidden row of S, two matrices after Q.
        keys(QAccessible::Graphic, stage, {Qt::Key_PageDown, Qt::Key_PageDown});
        QTRY_VERIFY(told(stage).startsWith(QStringLiteral("S, “tôi”")));
        QVERIFY(told(stage).contains(QStringLiteral("Hidden")));
        for (int column = 0; column < 5 && !told(stage).contains(QStringLiteral("“học”")); ++column)
            keys(QAccessible::Graphic, stage, {Qt::Key_Right});
        QVERIFY2(told(stage).contains(QStringLiteral("“học”")), qPrintable(told(stage)));
        press(QAccessible::Button, QStringLiteral("Reveal"));
        QTRY_VERIFY2(told(stage).startsWith(QStringLiteral("S, “tôi”, “học”: 0.52")), qPrintable(told(stage)));
        press(QAccessible::RadioButton, QStringLiteral("its numbers are larger"));
        QTRY_VERIFY(isSaid(QStringLiteral("rewards size")));

        turnTo(QStringLiteral("One score"));
        type(QStringLiteral("Your answer"), QStringLiteral("0.385"));
        press(QAccessible::Button, QStringLiteral("Check"));
        QTRY_VERIFY(isSolved());

        turnTo(QStringLiteral("A whole row"));
        press(QAccessible::RadioButton, QStringLiteral("the same"));
        QTRY_VERIFY(isSolved());

        // Shares are moved by keys; the largest weight is found by going through the rows of the column "share".
        turnTo(QStringLiteral("From scores to weights"));
        keys(QAccessible::Graphic, QStringLiteral("Your shares"), {Qt::Key_Up});
        press(QAccessible::Button, QStringLiteral("Reveal"));
        settle();
        std::pair<double, QString> largest{0, {}};
        const auto goThroughWeights = [&](const std::function<bool(const QString&)>& found) {
            for (int row = 0; row < 5; ++row) {
                keys(QAccessible::Graphic, stage, QList<int>(6, Qt::Key_PageUp));
                keys(QAccessible::Graphic, stage, {Qt::Key_PageDown, Qt::Key_PageDown});  // S: its rows are the words
                keys(QAccessible::Graphic, stage, QList<int>(5, Qt::Key_Up) + QList<int>(row, Qt::Key_Down));
                keys(QAccessible::Graphic, stage, {Qt::Key_PageDown});
                keys(QAccessible::Graphic, stage, QList<int>(5, Qt::Key_Up));
                for (int column = 0; column < 5; ++column) {
                    if (column > 0) keys(QAccessible::Graphic, stage, {Qt::Key_Down});
                    if (found(told(stage))) return true;
                }
            }
            return false;
        };
        goThroughWeights([&](const QString& heard) {
            const double number = heard.section(QStringLiteral(": "), 1).toDouble();
            if (number > largest.first) largest = {number, heard};
            return false;
        });
        QVERIFY(largest.first > 0.2);
        QVERIFY(goThroughWeights([&](const QString& heard) { return heard == largest.second; }));
        QTRY_VERIFY(isSolved());
        turnTo(QStringLiteral("Every row for itself"));
        press(QAccessible::RadioButton, QStringLiteral("no, the sums that they are divided by differ"));
        QTRY_VERIFY(isSolved());
        turnTo(QStringLiteral("The output"));
        type(QStringLiteral("Your answer"), QStringLiteral("0.48"));
        press(QAccessible::Button, QStringLiteral("Check"));
        QTRY_VERIFY(isSolved());

        turnTo(QStringLiteral("Turn one number"));
        press(QAccessible::RadioButton, QStringLiteral("only the third"));
        keys(QAccessible::SpinBox, QStringLiteral("The chosen number"), {});
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("3"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(isSolved());

        turnTo(QStringLiteral("Why divide at all?"));
        press(QAccessible::RadioButton, QStringLiteral("it grows"));
        QTRY_VERIFY(isSolved());

        turnTo(QStringLiteral("When nobody divides"));
        press(QAccessible::Button, QStringLiteral("Reveal"));
        for (int turns = 0; turns < 40 && !isSolved(); ++turns) {
            keys(QAccessible::Slider, QStringLiteral("Temperature"), {Qt::Key_Right});
            settle();
        }
        QTRY_VERIFY(isSolved());
        turnTo(QStringLiteral("Try it in PyTorch"));
        QVERIFY(isSaid(QStringLiteral("import torch")));
        press(QAccessible::Button, QStringLiteral("All lessons"));
        QTRY_VERIFY(isThere(QAccessible::Button, QStringLiteral("Lesson 8, Attention by hand")));
    }

    void aModelIsTrained() {
        press(QAccessible::ListItem, QStringLiteral("Train"));
        press(QAccessible::PageTab, QStringLiteral("Settings"));
        settle();
        for (const char* slider : {"Steps", "Width (d_model or hidden size)", "Layers (each side)"})
            keys(QAccessible::Slider, QString::fromUtf8(slider), {Qt::Key_Home});
        QCOMPARE(heard(QAccessible::Slider, QStringLiteral("Steps"), QAccessible::Value), QStringLiteral("100"));
        press(QAccessible::Button, QStringLiteral("Start a run with these"));
        QTRY_VERIFY(isThere(QAccessible::StaticText, QStringLiteral("100 / 100")));
        const QString loss = heard(QAccessible::Chart, QStringLiteral("Loss"), QAccessible::Description);
        QVERIFY2(loss.contains(QStringLiteral("validation")) && loss.contains(QStringLiteral("train")),
                 qPrintable(loss));
        const QString rate = QStringLiteral("Learning rate, times the plan");
        QCOMPARE(heard(QAccessible::Slider, rate, QAccessible::Value), QStringLiteral("× 1.00"));
        press(QAccessible::Button, QStringLiteral("Look inside"));
        QTRY_VERIFY(isThere(QAccessible::PageTab, QStringLiteral("Attention")));
    }

private:
    Spoken* find(QAccessible::Role role, const QString& name) {
        Spoken* found = nullptr;
        eachPart(QAccessible::queryAccessibleInterface(m_window.get()), [&](Spoken& part) {
            if (!found && part.role() == role && nameOf(part) == name) found = &part;
        });
        return found;
    }
    bool isThere(QAccessible::Role role, const QString& name) { return find(role, name) != nullptr; }
    QString heard(QAccessible::Role role, const QString& name, QAccessible::Text what) {
        Spoken* const part = find(role, name);
        return part ? part->text(what) : QString();
    }
    QString told(const QString& picture) { return heard(QAccessible::Graphic, picture, QAccessible::Description); }
    bool isSaid(const QString& words) {
        bool found = false;
        eachPart(QAccessible::queryAccessibleInterface(m_window.get()), [&](Spoken& part) {
            found |= nameOf(part).contains(words) || part.text(QAccessible::Value).contains(words);
        });
        return found;
    }
    bool isSolved() const {
        const LessonPlayer& player = m_window->workbench().player;
        for (size_t i = 0; i < player.current().parts.size(); ++i)
            if ((std::holds_alternative<LessonCheck>(player.current().parts[i]) ||
                 std::holds_alternative<LessonTask>(player.current().parts[i])) &&
                !player.isSolved(static_cast<int>(i)))
                return false;
        return true;
    }

    void press(QAccessible::Role role, const QString& name) {
        Spoken* const part = find(role, name);
        const char* const kind = QMetaEnum::fromType<QAccessible::Role>().valueToKey(role);
        QVERIFY2(part, qPrintable(QStringLiteral("no %1 “%2”").arg(QLatin1String(kind), name)));
        QVERIFY2(!part->state().disabled, qPrintable(name));
        const QStringList offered = part->actionInterface()->actionNames();
        QVERIFY2(!offered.isEmpty(), qPrintable(name));
        part->actionInterface()->doAction(offered.front());  // what a screen reader does on its key
    }
    void focus(Spoken& part) {
        part.actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
        QVERIFY2(part.state().focused, qPrintable(nameOf(part)));
    }
    void keys(QAccessible::Role role, const QString& name, const QList<int>& all) {
        Spoken* const part = find(role, name);
        QVERIFY2(part, qPrintable(name));
        focus(*part);
        for (const int key : all)
            QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key));
    }
    void type(const QString& name, const QString& text) {
        Spoken* const part = find(QAccessible::EditableText, name);
        QVERIFY2(part, qPrintable(name));
        focus(*part);
        QTest::keyClicks(QApplication::focusWidget(), text);
    }
    void turnTo(const QString& title) {
        press(QAccessible::Button, QStringLiteral("Next"));
        QTRY_VERIFY2(isThere(QAccessible::StaticText, title), qPrintable(title));
        settle();
    }
    void settle() { QTRY_VERIFY(m_window->stage().isSettled()); }

    const platform::ScopedPace m_atOnce{platform::Pace::AtOnce};
    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestByEar)
#include "test_by_ear.moc"
