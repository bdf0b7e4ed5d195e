// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

class HelpPanel;
class RoomStack;
class Workbench;

/// The rooms, and the help about them: beside them where there is enough for both, else over their right end. What it
/// takes is never asked of the window. A page, as that of the settings, lies over both.
class RoomFrame : public QWidget {
    Q_OBJECT
public:
    RoomFrame(Workbench& workbench, RoomStack& rooms, const QSize& smallest, QWidget* parent);

    HelpPanel* help() const { return m_help; }
    /// It is hidden until it is wanted.
    void setPage(QWidget* page);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void share();

    RoomStack& m_rooms;
    HelpPanel* m_help;
    QWidget* m_page = nullptr;
};

}  // namespace headlight
