// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <vector>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"

class QLineEdit;
class QVBoxLayout;

namespace headlight {

class RoomStack;
class Workbench;

/// About the view that is seen: what it shows, its parts by numbers that stand at them, what can be done, which lesson
/// teaches it, what it does not say; and words of the field, searched as they are typed.
class HelpPanel : public Panel {
    Q_OBJECT
public:
    HelpPanel(Workbench& workbench, RoomStack& rooms, QWidget* parent);
    ~HelpPanel() override;

    /// What is said is of the view that is seen now.
    void open();
    void shut();
    bool isOpen() const { return isVisible(); }
    /// Opens with what a word of the field means.
    void explain(const QString& term);

    QLineEdit* input() const { return m_input; }
    /// All that is said, a line each.
    QStringList lines() const;
    /// The marks on the view, by their numbers from 1; those of parts that are not seen just now are hidden.
    const std::vector<QWidget*>& marks() const { return m_marks; }
    /// To the lesson that teaches the view; null: there is none.
    Button* lessonButton() const { return m_lesson; }

signals:
    void lessonWanted(const QString& slug);
    /// It came, or went.
    void toggled();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class Number;
    class Caps;

    void show();
    void showView();
    void showFound(const QString& words);
    void clear();
    QLabel* say(const QString& text, int px = 13, int weight = 400, bool isFaint = false);
    void mark(const std::string& part);
    void placeMarks();
    QWidget* placeOf(const std::string& part) const;

    Workbench& m_workbench;
    RoomStack& m_rooms;
    QLineEdit* m_input;
    QWidget* m_page = nullptr;
    QVBoxLayout* m_column = nullptr;
    QScrollArea* m_scroll;
    QPointer<Button> m_lesson;
    std::vector<QWidget*> m_marks;
    std::vector<QPointer<QWidget>> m_places;  ///< of each mark
};

}  // namespace headlight
