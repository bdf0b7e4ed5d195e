// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/figure_desk.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QCursor>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QProgressDialog>
#include <QRegularExpression>
#include <algorithm>

#include "core/error.h"
#include "ui/session/open/step_cursor.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/room_stack.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/figure_event.h"
#include "ui/widgets/controls/spreadsheet.h"

namespace headlight {

FigureDesk::FigureDesk(RoomStack& rooms, StepCursor& cursor, QWidget* window)
    : QObject(window), m_rooms(rooms), m_cursor(cursor), m_window(window) {
    window->installEventFilter(this);
}

QWidget& FigureDesk::cardAt(QWidget* widget) const {
    QWidget* const view = m_rooms.current().viewWidget();
    for (; widget && widget != view; widget = widget->parentWidget())
        if (qobject_cast<Card*>(widget) && view->isAncestorOf(widget)) return *widget;
    return *view;
}

QWidget& FigureDesk::pointedAt() const {
    return cardAt(QApplication::widgetAt(QCursor::pos()));
}

QString FigureDesk::numbersAt(const QWidget* widget) const {
    const QWidget* const view = m_rooms.current().viewWidget();
    QString numbers;
    for (; numbers.isEmpty() && widget && widget != view && view->isAncestorOf(widget); widget = widget->parentWidget())
        numbers = spreadsheetOf(*widget);
    return numbers;
}

void FigureDesk::copyText(const QString& numbers) {
    QApplication::clipboard()->setText(numbers);
    emit told(tr("The numbers are on the clipboard, a line for each row"));
}

void FigureDesk::copyNumbers() {
    for (QWidget* const at : {QApplication::focusWidget(), QApplication::widgetAt(QCursor::pos())})
        if (const QString numbers = numbersAt(at); !numbers.isEmpty()) return copyText(numbers);
    emit told(tr("No numbers to copy: click a matrix or a table first"));
}

QString FigureDesk::fileNameOf(const QWidget& figure) const {
    const auto* const card = qobject_cast<const Card*>(&figure);
    const QString title = card && !card->title().isEmpty() ? card->title() : m_rooms.titleOf(m_rooms.view());
    static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{N}]+"));
    const QString name = title.toLower().split(others, Qt::SkipEmptyParts).join(u'-');
    return (name.isEmpty() ? QStringLiteral("figure") : name) + QStringLiteral(".svg");
}

void FigureDesk::copy(QWidget& figure) {
    QApplication::clipboard()->setMimeData(figureData(figure).release());
    emit told(tr("The figure is on the clipboard"));
}

void FigureDesk::askForFile(QWidget& figure) {
    const QString path = QFileDialog::getSaveFileName(m_window, tr("Export the figure"), fileNameOf(figure),
                                                      tr("Figures (*.svg *.pdf *.png)"));
    if (path.isEmpty()) return;
    try {
        exportFigure(figure, path);
        emit told(tr("%1 is written").arg(QFileInfo(path).fileName()));
    } catch (const Error& error) {
        emit said(QString::fromUtf8(error.what()));
    }
}

void FigureDesk::askForSteps() {
    const QString path = QFileDialog::getSaveFileName(m_window, tr("Export a picture of each step, numbered"),
                                                      QStringLiteral("step.png"), tr("Figures (*.png *.svg *.pdf)"));
    if (path.isEmpty()) return;
    QProgressDialog progress(tr("Drawing each step …"), tr("Cancel"), 0, std::max(1, m_cursor.count() - 1), m_window);
    progress.setWindowModality(Qt::WindowModal);
    try {
        exportSteps(*m_rooms.current().viewWidget(), m_cursor, path, [&](int position) {
            progress.setValue(position);  // lets the window live
            return !progress.wasCanceled();
        });
    } catch (const Error& error) {
        emit said(QString::fromUtf8(error.what()));
    }
}

QMenu* FigureDesk::menuFor(QWidget& figure, const QString& numbers) {
    auto* const menu = new QMenu(m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!numbers.isEmpty()) menu->addAction(tr("Copy numbers"), this, [this, numbers] { copyText(numbers); });
    menu->addAction(tr("Copy figure"), this, [this, at = QPointer(&figure)] {
        if (at) copy(*at);
    });
    menu->addAction(tr("Export figure…"), this, [this, at = QPointer(&figure)] {
        if (at) askForFile(*at);
    });
    return menu;
}

/// Is there something drawn, so that the menu has come?
bool FigureDesk::offersAt(QPoint place) {
    QWidget* const at = m_window->childAt(m_window->mapFromGlobal(place));
    QWidget* const view = m_rooms.current().viewWidget();
    if (!at || (at != view && !view->isAncestorOf(at))) return false;
    QMenu* const menu = menuFor(cardAt(at), numbersAt(at));
    menu->addSeparator();
    menu->addActions(m_more);
    menu->popup(place);
    return true;
}

bool FigureDesk::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == FigureEvent::kind()) {
        menuFor(static_cast<FigureEvent*>(event)->figure(), {})->popup(QCursor::pos());
        return true;
    }
    if (event->type() == QEvent::ContextMenu && offersAt(static_cast<QContextMenuEvent*>(event)->globalPos())) {
        event->accept();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace headlight

#include "moc_figure_desk.cpp"
