// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/figure_desk.h"

#include <QApplication>
#include <QClipboard>
#include <QCursor>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QProgressDialog>
#include <QRegularExpression>
#include <algorithm>

#include "core/error.h"
#include "ui/session/open/step_cursor.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/room_stack.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/figure_event.h"

namespace headlight {

FigureDesk::FigureDesk(RoomStack& rooms, StepCursor& cursor, QWidget* window)
    : QObject(window), m_rooms(rooms), m_cursor(cursor), m_window(window) {
    window->installEventFilter(this);
}

QWidget& FigureDesk::pointedAt() const {
    QWidget* const view = m_rooms.current().viewWidget();
    for (QWidget* at = QApplication::widgetAt(QCursor::pos()); at && at != view; at = at->parentWidget())
        if (qobject_cast<Card*>(at) && view->isAncestorOf(at)) return *at;
    return *view;
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

void FigureDesk::offer(QWidget& figure) {
    QMenu menu(m_window);
    const QAction* const copies = menu.addAction(tr("Copy figure"));
    const QAction* const writes = menu.addAction(tr("Export figure…"));
    const QAction* const chosen = menu.exec(QCursor::pos());
    if (chosen == copies) copy(figure);
    if (chosen == writes) askForFile(figure);
}

bool FigureDesk::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != FigureEvent::kind()) return QObject::eventFilter(watched, event);
    offer(static_cast<FigureEvent*>(event)->figure());
    return true;
}

}  // namespace headlight

#include "moc_figure_desk.cpp"
