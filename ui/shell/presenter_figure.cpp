// SPDX-License-Identifier: GPL-3.0-or-later
// The figure on a page of the presenter: which one it is, how large, and what room it has.
#include <QPainter>
#include <algorithm>

#include "ui/shell/presenter.h"
#include "ui/shell/room_stack.h"

namespace headlight {

namespace {

constexpr double kMostEnlarged = 3;  ///< letters of 13 are 39 then
constexpr double kWorthwhile = 1.1;  ///< so much larger, for a figure to have the screen to itself

}  // namespace

/// The part of the window that this page shows.
QWidget* Presenter::viewOfPage() const {
    if (!isView()) return nullptr;
    return isStep() ? m_rooms.current().viewWidget()
                    : m_rooms.roomOf(*m_pages[static_cast<size_t>(m_page)].view).viewWidget();
}

/// The whole view comes first where the figure that matters stands there already.
void Presenter::nextFigure() {
    if (!viewOfPage()) return;
    const bool isWhole = m_figure < 0 && m_hall.figure() == viewOfPage();
    m_figure = (isWhole ? 1 : m_figure + 1) % (static_cast<int>(m_hall.count()) + 1);
    m_zoom = 1;
    layFigure();
    update();
}

void Presenter::follow() {
    // A step's stage, or the reader in the window, may have gone to another view.
    if (m_hall.view() == viewOfPage())
        m_hall.follow();
    else
        layFigure();
    update();
}

void Presenter::layFigure() {
    using Which = HallLayout::Which;
    // Of a lesson's step it is not known which of several its words are about.
    const Which first = isStep() ? Which::Matters : Which::Largest;
    const Which which = m_figure < 0 ? first : m_figure == 0 ? Which::Whole : Which::Figure;
    m_hall.show(viewOfPage(), which, static_cast<size_t>(std::max(0, m_figure - 1)), figureRoom().size(),
                width() / 1440.0);
}

double Presenter::fitOf(const QWidget& figure) const {
    const QRectF room = figureRoom();
    return std::min({room.width() / figure.width(), room.height() / figure.height(), kMostEnlarged * width() / 1440.0});
}

double Presenter::enlargement() const {
    const QWidget* const shown = figure();
    return shown && shown->width() > 0 ? fitOf(*shown) * 1440.0 / std::max(1, width()) : 1;
}

QRectF Presenter::content() const {
    return roomBeside(showsWords());
}

QRectF Presenter::roomBeside(bool hasWords) const {
    const double scale = width() / 1440.0;
    const double top = isStep() ? kHeadline * scale : 0;
    const double left = hasWords ? (kMargin + kWordsWidth + kWordsGap) * scale : 0;
    return {left, top, width() - left, height() - kFoot * scale - top};
}

QRectF Presenter::figureRoom() const {
    const double inset = kInset * width() / 1440.0;
    return content().adjusted(showsWords() ? 0 : inset, inset, -inset, -inset);
}

/// Beside its words, and alone it would be larger by a tenth at least.
bool Presenter::isTooSmall() const {
    const double inset = 2 * kInset * width() / 1440.0;
    const QSizeF alone = roomBeside(false).size() - QSizeF(inset, inset);
    const QWidget* const shown = figure();
    return showsWords() && m_figure < 0 && shown && m_hall.most(alone) > kWorthwhile * fitOf(*shown);
}

/// The view, or a figure of it, as the window has it, drawn anew in the size of the screen: lines and letters stay
/// sharp.
void Presenter::paintView(QPainter& p) {
    QWidget* const view = figure();
    if (!view || view->width() == 0) return;
    // Enlarged further it may take all that there is.
    const QRectF room = m_zoom > 1 ? content() : figureRoom();
    const double scale = fitOf(*view) * m_zoom;
    QPointF at(room.left() + (room.width() - view->width() * scale) / 2,
               room.top() + (room.height() - view->height() * scale) / 2);
    if (m_zoom > 1) {
        // The pointer's place stays where it is; the picture goes under it.
        const double x = std::clamp((m_pointer.x() - room.left()) / std::max(1.0, room.width()), 0.0, 1.0),
                     y = std::clamp((m_pointer.y() - room.top()) / std::max(1.0, room.height()), 0.0, 1.0);
        at = {room.left() + x * (room.width() - view->width() * scale),
              room.top() + y * (room.height() - view->height() * scale)};
    }
    p.save();
    p.setClipRect(room);
    p.translate(at);
    p.scale(scale, scale);
    view->render(&p, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
    p.restore();
}

}  // namespace headlight
