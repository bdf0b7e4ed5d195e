// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPoint>
#include <QString>

class QAction;
class QMenu;
class QWidget;

namespace headlight {

class RoomStack;
class StepCursor;

/// The figures of the window for somebody's slides: on the clipboard, in a file, step by step in many; and the numbers
/// in them for a spreadsheet. A figure is the card that the pointer is on, or else the view. The right button, or the
/// menu key, brings all of it where something is drawn.
class FigureDesk : public QObject {
    Q_OBJECT
public:
    FigureDesk(RoomStack& rooms, StepCursor& cursor, QWidget* window);

    /// The card under the pointer; the view where there is none.
    QWidget& pointedAt() const;
    /// As a picture, and as vectors for programs that take them.
    void copy(QWidget& figure);
    /// Those of the matrix or table that has the keyboard, or else of the one under the pointer.
    void copyNumbers();
    /// What a menu over a figure offers beside it.
    void offerToo(const QList<QAction*>& actions) { m_more = actions; }
    /// Asks for a name; its ending says whether it becomes SVG, PDF or PNG.
    void askForFile(QWidget& figure);
    /// Asks for a name, and writes a picture of the view at each step.
    void askForSteps();
    /// What a file of it is called at first: "attention-by-head.svg".
    QString fileNameOf(const QWidget& figure) const;

signals:
    /// What went wrong.
    void said(const QString& message);
    /// What was done.
    void told(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& cardAt(QWidget* widget) const;
    /// Of the widget or of what it lies in, for a spreadsheet; empty: none has any.
    QString numbersAt(const QWidget* widget) const;
    void copyText(const QString& numbers);
    /// `numbers` may be empty.
    QMenu* menuFor(QWidget& figure, const QString& numbers);
    bool offersAt(QPoint place);

    RoomStack& m_rooms;
    StepCursor& m_cursor;
    QWidget* m_window;
    QList<QAction*> m_more;
};

}  // namespace headlight
