// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QScrollBar>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/attribution_picture.h"
#include "ui/views/why/attribution_layout.h"
#include "ui/views/why/attribution_strips.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace attribution_layout;

void AttributionStrips::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(viewport());
    p.setRenderHint(QPainter::Antialiasing);
    if (m_strips.empty()) return;
    paintHead(p, t);
    p.setClipRect(QRectF(0, m_headHeight, viewport()->width(), viewport()->height() - m_headHeight));
    for (size_t strip = 0; strip < m_strips.size(); ++strip)
        paintStrip(p, t, strip);
}

/// The words, over all strips.
void AttributionStrips::paintHead(QPainter& p, const Theme& t) const {
    const QFont small = uiFont(kTextPx, QFont::Medium);
    const QString says = tr("What it claims, and where it misleads"), shorter = tr("Its claim, and where it misleads");
    const bool fits = paint::textWidth(says, small) <= textWidth() - kStripMargin;
    paint::centredText(p, {kStripMargin, m_headHeight - 12}, fits ? says : shorter, small, t.text2);
    p.save();
    p.setClipRect(QRectF(wordsLeft(), 0, viewport()->width() - wordsLeft(), m_headHeight));
    const auto groupAt = [&](int word, const QString& name) {
        if (word >= m_words.size()) return;
        paint::centredText(p, {columnRect(0, static_cast<size_t>(word)).left() + 2, kGroups / 2}, name, small, t.text2);
    };
    groupAt(0, tr("read"));
    if (m_read > 0) groupAt(m_read, tr("written before"));
    for (int word = 0; word < m_words.size(); ++word) {
        const QRectF column = columnRect(0, static_cast<size_t>(word));
        const QFont full = uiFont(kWordPx, word == m_hovered ? QFont::DemiBold : QFont::Normal);
        const QFont font = m_turned ? full : paint::fitting(m_words[word], full, m_cell - 2);
        const QColor ink = word < m_read ? t.encoder : t.decoder;
        if (!m_turned) {
            paint::centredText(p, {column.center().x(), kGroups + kWords / 2}, m_words[word], font, ink,
                               Anchor::Middle);
            continue;
        }
        p.save();
        p.translate(column.center().x(), m_headHeight - 6);
        p.rotate(-90);
        paint::centredText(p, {0, 0}, paint::elided(m_words[word], font, kTurned - 8), font, ink);
        p.restore();
    }
    p.restore();
}

void AttributionStrips::paintStrip(QPainter& p, const Theme& t, size_t strip) const {
    const QRectF area = stripRect(strip);
    const bool isChosen = m_strips[strip].method == m_chosen;
    paint::box(p, area.adjusted(0.5, 0.5, -0.5, -0.5), isChosen ? t.nowTint : t.surface, isChosen ? t.nowLine : t.line,
               8);
    if (isChosen && hasFocus()) paint::outline(p, area.adjusted(2, 2, -2, -2), t.nowLine, 1.5, 7);
    paintText(p, t, strip);
    if (!m_strips[strip].numbers.empty()) return paintBars(p, t, strip);
    if (m_strips[strip].instead.isEmpty()) return;
    paint::centredText(p, {wordsLeft(), area.center().y()},
                       paint::elided(m_strips[strip].instead, uiFont(13), area.right() - wordsLeft() - kStripMargin),
                       uiFont(13), t.text2);
}

void AttributionStrips::paintText(QPainter& p, const Theme& t, size_t strip) const {
    const AttributionStrip& each = m_strips[strip];
    const QRectF area = stripRect(strip);
    const bool isChosen = each.method == m_chosen;
    const QFont title = uiFont(13, QFont::DemiBold), font = uiFont(kTextPx);
    paint::centredText(p, {kStripMargin, area.top() + kAround + 8},
                       paint::elided(attributionTitle(each.method), title, textWidth() - kStripMargin), title,
                       isChosen ? t.nowText : t.text);
    QTextLayout text;
    const double high = layOut(text, each);
    const double top = area.top() + kAround + kTitle;
    p.setPen(t.text);
    text.draw(&p, {kStripMargin, top});
    if (each.closing.isEmpty()) return;
    const double room = textWidth() - kStripMargin;
    const QString full = each.closing + each.steps;
    const QString said = paint::textWidth(full, font) <= room ? full : paint::elided(each.closing, font, room);
    paint::centredText(p, {kStripMargin, top + high + 10}, said, font, each.closes ? t.good : t.bad);
}

void AttributionStrips::paintBars(QPainter& p, const Theme& t, size_t strip) const {
    const AttributionStrip& each = m_strips[strip];
    const QRectF area = stripRect(strip);
    const Ends ends = endsOf(strip);
    const QFont mono = monoFont(kNumberPx);
    const double axis = wordsLeft() - 8, right = area.right() - kStripMargin;
    for (const double end : {ends.high, ends.low, 0.0}) {
        // Two that would stand on each other: the zero is the one that is read.
        const bool isZero = end == 0;
        const double y = std::round(yOf(strip, end));
        p.fillRect(QRectF(wordsLeft() - 4, y, right - wordsLeft() + 4, 1), isZero ? t.line2 : t.line);
        if (!isZero && std::abs(y - yOf(strip, 0)) < 12) continue;
        const QString text = isZero                 ? QStringLiteral("0")
                             : isShare(each.method) ? formatNumber(end, 0)
                                                    : formatSigned(end, decimalsOf(end));
        paint::centredText(p, {axis, y}, text, mono, t.text2, Anchor::End);
    }
    paint::centredText(p, {axis, area.top() + 10}, isShare(each.method) ? tr("share") : tr("log p"), uiFont(11),
                       t.text3, Anchor::End);
    p.save();
    p.setClipRect(QRectF(wordsLeft() - 4, area.top() + 1, right - wordsLeft() + 4, area.height() - 2),
                  Qt::IntersectClip);
    const bool numbers = hasNumbers(strip);
    for (size_t word = 0; word < each.numbers.size(); ++word) {
        const double value = each.numbers[word];
        const QRectF bar = barRect(strip, word);
        if (static_cast<int>(word) == m_hovered) p.fillRect(columnRect(strip, word).adjusted(1, 2, -1, -2), t.sunken);
        p.fillRect(bar, t.divergingStops[value >= 0 ? 7 : 1]);
        if (!numbers) continue;
        const double y = value >= 0 ? bar.top() - 8 : bar.bottom() + 8;
        paint::centredText(p, {bar.center().x(), y}, written(strip, value), mono, t.text, Anchor::Middle);
    }
    // A word of which nothing is said does not count nothing.
    for (auto word = each.numbers.size(); word < static_cast<size_t>(m_words.size()); ++word)
        paint::centredText(p, {columnRect(strip, word).center().x(), yOf(strip, 0) - 8}, QStringLiteral("–"), mono,
                           t.text3, Anchor::Middle);
    p.restore();
}

}  // namespace headlight
