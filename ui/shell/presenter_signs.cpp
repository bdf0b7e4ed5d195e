// SPDX-License-Identifier: GPL-3.0-or-later
// What stands around a page of the presenter: words and title of a step, the foot, what points, and the list of keys.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/shell/presenter.h"
#include "ui/shell/workbench.h"
#include "ui/widgets/theme/paint.h"

namespace headlight {

void Presenter::paintWords(QPainter& p) {
    p.save();
    // Words and stage stand on one ground, the window's, whose colours both have.
    const QRectF stage = content();
    p.fillRect(QRectF(0, stage.top(), width(), stage.height()), Theme::of(this).bg);
    const double unit = width() / 1440.0;
    p.scale(unit, unit);
    const QRectF room = wordsRoom();
    p.setClipRect(room.adjusted(-4, 0, kWordsGap, 0));
    p.translate(room.topLeft());
    m_words->paint(p);
    p.restore();
}

void Presenter::paintHeadline(QPainter& p, const HallColors& c) const {
    p.save();
    const double unit = width() / 1440.0;
    p.scale(unit, unit);
    const Page& page = m_pages[static_cast<size_t>(m_page)];
    int px = 52;
    while (px > 30 && paint::textWidth(page.title, uiFont(px, QFont::Bold)) > 1440 - 2 * kMargin)
        px -= 2;
    paint::centredText(p, {kMargin, kHeadline / 2 + 6}, page.title, uiFont(px, QFont::Bold), c.ink);
    p.restore();
}

void Presenter::paintFoot(QPainter& p, const HallColors& c) const {
    p.save();
    const double unit = width() / 1440.0;
    p.scale(unit, unit);
    const double y = height() / unit - 38;
    p.fillRect(QRectF(kMargin, y - 38, 1440 - 2 * kMargin, 2), c.line);
    const QFont font = uiFont(kPresenterSmallest, QFont::DemiBold);
    const QString place = tr("%1 of %2").arg(m_page + 1).arg(pages());
    paint::centredText(p, {kMargin, y}, place, font, c.ink);
    double x = kMargin + paint::textWidth(place, font) + 36;
    const QString title = m_pages[static_cast<size_t>(m_page)].title;
    if (!title.isEmpty() && !isStep()) {
        paint::centredText(p, {x, y}, title, uiFont(kPresenterSmallest, QFont::Medium), c.quiet);
    } else {
        const int slides =
            static_cast<int>(std::ranges::count_if(m_pages, [](const Page& page) { return !page.view; }));
        p.setRenderHint(QPainter::Antialiasing);
        for (int i = 0; i < slides && x < 640; ++i, x += 18) {
            p.setPen(QPen(c.ink, 1.5));
            p.setBrush(i == m_page ? c.now : i < m_page ? c.ink : c.ground);
            p.drawEllipse(QPointF(x, y), 5, 5);
        }
        if (showsWords() && m_words->columns() > 1)
            paint::centredText(p, {x + 24, y}, tr("words %1 of %2").arg(m_words->column() + 1).arg(m_words->columns()),
                               uiFont(kPresenterSmallest, QFont::Medium), c.quiet);
    }
    if (m_hints.isActive()) {
        // There is room for six; the last of them names all.
        const std::pair<QString, QString> keys[] = {
            {QStringLiteral("F1"), tr("all keys")}, {QStringLiteral("Esc"), tr("leave")},
            {QStringLiteral("L"), tr("laser")},     {QStringLiteral("B"), tr("blank")},
            {QStringLiteral("→"), tr("next")},      {QStringLiteral("←"), tr("back")}};
        double right = 1440 - kMargin;
        for (const auto& [key, what] : keys) {
            const QFont hint = uiFont(20, QFont::Medium), cap = uiFont(20, QFont::DemiBold);
            paint::centredText(p, {right, y}, what, hint, c.quiet, Anchor::End);
            right -= paint::textWidth(what, hint) + 10;
            const double box = std::max(40.0, paint::textWidth(key, cap) + 22);
            paint::box(p, {right - box, y - 18, box, 36}, {}, c.quiet, 6, 2);
            paint::centredText(p, {right - box / 2, y}, key, cap, c.ink, Anchor::Middle);
            right -= box + 24;
        }
    }
    p.restore();
}

/// The spotlight and the laser pointer.
void Presenter::paintMarks(QPainter& p) const {
    const double unit = width() / 1440.0;
    p.setRenderHint(QPainter::Antialiasing);
    if (m_spotlight) {
        QPainterPath dark;
        dark.addRect(rect());
        dark.addEllipse(m_pointer, 170 * unit, 170 * unit);
        p.fillPath(dark, QColor(0, 0, 0, 190));
    }
    if (m_laser) {
        p.setPen(QPen(Qt::white, 2 * unit));
        p.setBrush(QColor(0xE02020U));
        p.drawEllipse(m_pointer, 9 * unit, 9 * unit);
    }
}

/// Over the page, for as long as the hints stand.
void Presenter::paintKeys(QPainter& p, const HallColors& c) const {
    const std::pair<QString, QString> keys[] = {{QStringLiteral("→  Space  Page Down"), tr("next")},
                                                {QStringLiteral("←  Page Up"), tr("back")},
                                                {QStringLiteral("Home  End"), tr("first and last page")},
                                                {QStringLiteral("↑  ↓"), tr("another head")},
                                                {QStringLiteral(",  ."), tr("the computation, step by step")},
                                                {QStringLiteral("+  −  0"), tr("larger, smaller, as it was")},
                                                {QStringLiteral("F"), tr("the whole view, and its figures one by one")},
                                                {QStringLiteral("B"), tr("blank")},
                                                {QStringLiteral("L"), tr("laser pointer")},
                                                {QStringLiteral("S"), tr("spotlight")},
                                                {QStringLiteral("D"), tr("dark or light")},
                                                {QStringLiteral("W"), tr("a lesson’s words, or its picture alone")},
                                                {QStringLiteral("Esc  F5"), tr("leave")}};
    constexpr double kLine = 44, kKeys = 300, kWide = 860, kAround = 40;
    p.save();
    const double unit = width() / 1440.0;
    p.scale(unit, unit);
    p.setRenderHint(QPainter::Antialiasing);
    const double tall = std::size(keys) * kLine + kAround;
    const QRectF box((1440 - kWide) / 2, std::max(20.0, (height() / unit - kFoot - tall) / 2), kWide, tall);
    paint::box(p, box, c.ground, c.quiet, 12, 2);
    double y = box.top() + kAround / 2 + kLine / 2;
    for (const auto& [key, what] : keys) {
        paint::centredText(p, {box.left() + kAround, y}, key, uiFont(kPresenterSmallest, QFont::DemiBold), c.ink);
        paint::centredText(p, {box.left() + kAround + kKeys, y}, what, uiFont(kPresenterSmallest, QFont::Medium),
                           c.quiet);
        y += kLine;
    }
    p.restore();
}

}  // namespace headlight
