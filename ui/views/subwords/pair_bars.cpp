// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/subwords/pair_bars.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kPairRow = 25, kFooter = 20, kNumber = 36, kSymbols = 118;

/// A symbol, the mark of a word's end in grey; returns where it ends.
double paintSymbol(QPainter& p, const Theme& t, QPointF at, const std::string& symbol, const QFont& font,
                   const QColor& ink) {
    const QString bare = bareSymbol(symbol);
    paint::centredText(p, at, bare, font, ink);
    double x = at.x() + paint::textWidth(bare, font);
    if (!endsWord(symbol)) return x;
    paint::centredText(p, {x, at.y()}, QStringLiteral("</w>"), monoFont(11), t.text3);
    return x + paint::textWidth(QStringLiteral("</w>"), monoFont(11));
}

}  // namespace

PairBars::PairBars(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Pairs, counted"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void PairBars::show(std::shared_ptr<const SubwordsShown> shown) {
    m_shown = std::move(shown);
    QStringList spoken;
    if (m_shown)
        for (const MergeFilm::Pair& pair : m_shown->pairs)
            spoken << tr("%1 and %2: %3").arg(bareSymbol(pair.left), bareSymbol(pair.right)).arg(pair.count);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    light(-1);
    update();
}

int PairBars::shownPairs() const {
    const int room = static_cast<int>((height() - kFooter) / kPairRow);
    return m_shown ? std::min(room, static_cast<int>(m_shown->pairs.size())) : 0;
}

QRectF PairBars::rowRect(int row) const {
    return {0, kPairRow * row, static_cast<double>(width()), kPairRow};
}

QRectF PairBars::barRect(int row) const {
    const QRectF area = rowRect(row);
    const double left = kNumber + kSymbols, room = std::max(10.0, width() - left - 44);
    const double most = static_cast<double>(m_shown->pairs.front().count);
    return {left, area.center().y() - 5,
            std::max(1.0, room * static_cast<double>(m_shown->pairs[static_cast<size_t>(row)].count) / most), 10};
}

int PairBars::atHand() const {
    const Merge* const merge = m_shown ? m_shown->atHand() : nullptr;
    for (int row = 0; merge && row < shownPairs(); ++row) {
        const MergeFilm::Pair& pair = m_shown->pairs[static_cast<size_t>(row)];
        if (pair.left == merge->left && pair.right == merge->right) return row;
    }
    return -1;
}

QString PairBars::footer() const {
    if (atHand() > 0) return tr("amber leads by subword-nmt's shortcuts");
    return tr("</w> ends a word; ties: later in Unicode");
}

void PairBars::light(int row) {
    if (row == m_lit) return;
    m_lit = row;
    update();
    emit lit(row);
}

void PairBars::mouseMoveEvent(QMouseEvent* event) {
    const int row = static_cast<int>(event->position().y() / kPairRow);
    light(row < shownPairs() ? row : -1);
}

void PairBars::leaveEvent(QEvent*) {
    light(-1);
}

void PairBars::focusOutEvent(QFocusEvent* event) {
    light(-1);
    QWidget::focusOutEvent(event);
}

void PairBars::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (arrow.down == 0 || shownPairs() == 0) return QWidget::keyPressEvent(event);
    light(std::clamp(m_lit + arrow.down, 0, shownPairs() - 1));
}

void PairBars::paintEvent(QPaintEvent*) {
    if (!m_shown) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const int now = atHand();
    for (int row = 0; row < shownPairs(); ++row) {
        const MergeFilm::Pair& pair = m_shown->pairs[static_cast<size_t>(row)];
        const QRectF area = rowRect(row);
        const double middle = area.center().y();
        const bool on = row == now;
        if (on) paint::box(p, area.adjusted(0.5, 0.5, -0.5, -0.5), t.nowTint, t.nowLine, 6);
        if (row == m_lit) paint::box(p, area.adjusted(2, 2, -2, -2), on ? t.nowTint : t.sunken, t.text, 5);
        const QColor ink = on ? t.nowText : t.text;
        const QFont font = monoFont(12, on ? QFont::DemiBold : QFont::Medium);
        paint::centredText(p, {kNumber - 14, middle}, QString::number(row + 1), monoFont(11), t.text3, Anchor::End);
        p.save();
        p.setClipRect(QRectF(kNumber - 4, area.top(), kSymbols, kPairRow));
        const double after = paintSymbol(p, t, {kNumber, middle}, pair.left, font, ink);
        paint::centredText(p, {after + 8, middle}, QStringLiteral("+"), monoFont(11), t.text3, Anchor::Middle);
        paintSymbol(p, t, {after + 16, middle}, pair.right, font, ink);
        p.restore();
        paint::box(p, barRect(row), on ? t.now : t.sequentialStops[5], {}, 2);
        paint::centredText(p, {area.right() - 8, middle}, formatCount(pair.count), font, ink, Anchor::End);
    }
    paint::centredText(p, {4, height() - kFooter / 2}, paint::elided(footer(), uiFont(11), width() - 8), uiFont(11),
                       t.text3);
}

}  // namespace headlight

#include "moc_pair_bars.cpp"
