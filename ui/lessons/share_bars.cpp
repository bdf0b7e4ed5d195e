// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/share_bars.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kRow = 28, kAnswerRow = 38;  ///< of one word, before and after
constexpr double kWord = 84, kNumber = 48, kAxis = 18;
constexpr double kBar = 14;
constexpr double kShareStep = 0.01, kShareLargeStep = 0.1;

}  // namespace

ShareBars::ShareBars(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Your shares"));
    setToolTip(tr("Drag a bar; or choose one by ↑ and ↓ and change it by ← and →"));
}

double ShareBars::rowHeight() const {
    return hasAnswer() && m_isPredicted ? kAnswerRow : kRow;
}

int ShareBars::wantedHeight() const {
    return static_cast<int>(rowHeight() * static_cast<double>(m_words.size()) + kAxis);
}

void ShareBars::setWords(const QStringList& words) {
    m_words = words;
    const auto count = static_cast<size_t>(words.size());
    m_shares.assign(count, 1.0 / static_cast<double>(std::max<size_t>(1, count)));
    m_answer.clear();
    updateGeometry();
    say();
}

void ShareBars::setShares(const std::vector<double>& shares) {
    if (shares.size() == m_shares.size()) m_shares = shares;
    say();
    update();
}

void ShareBars::setAnswer(const std::vector<double>& answer, bool isPredicted) {
    m_answer = answer;
    m_isPredicted = isPredicted;
    setToolTip({});
    updateGeometry();
    say();
    update();
}

void ShareBars::setShare(int index, double share) {
    const auto at = static_cast<size_t>(index);
    if (hasAnswer() || at >= m_shares.size() || m_shares.size() < 2) return;
    share = std::clamp(share, 0.0, 1.0);
    const double others = std::accumulate(m_shares.begin(), m_shares.end(), 0.0) - m_shares[at];
    for (size_t i = 0; i < m_shares.size(); ++i)
        if (i != at)
            m_shares[i] = others > 1e-9 ? m_shares[i] * (1 - share) / others
                                        : (1 - share) / static_cast<double>(m_shares.size() - 1);
    m_shares[at] = share;
    m_current = index;
    say();
    update();
    emit changed();
}

void ShareBars::say() {
    QStringList all;
    for (qsizetype i = 0; i < m_words.size(); ++i) {
        const auto at = static_cast<size_t>(i);
        const double share = hasAnswer() ? m_answer[at] : m_shares[at];
        all << QStringLiteral("%1 %2").arg(m_words[i], formatNumber(share));
    }
    setAccessibleDescription(all.join(QStringLiteral(", ")));
}

/// Of a share of one: where it can be dragged.
QRectF ShareBars::barOf(int index) const {
    const double top = rowHeight() * index + (hasAnswer() && m_isPredicted ? 3 : (kRow - kBar) / 2);
    return {kWord, top, width() - kWord - kNumber, kBar};
}

void ShareBars::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QFont word = uiFont(13, QFont::Medium), number = monoFont(12, QFont::Medium);
    const auto line = [&](const QRectF& track, double share, const QColor& fill, const QColor& ink) {
        paint::box(p, track, t.sunken, {}, 2);
        paint::box(p, {track.left(), track.top(), track.width() * share, track.height()}, fill, {}, 2);
        paint::centredText(p, {width() - 2.0, track.center().y()}, formatNumber(share), number, ink, Anchor::End);
    };
    for (int i = 0; i < static_cast<int>(m_words.size()); ++i) {
        const auto at = static_cast<size_t>(i);
        const QRectF track = barOf(i);
        paint::centredText(p, {0, rowHeight() * (i + 0.5)}, paint::elided(m_words[i], word, kWord - 10), word, t.text);
        if (!hasAnswer()) {
            line(track, m_shares[at], t.now, t.text);
            p.setPen(QPen(t.nowLine, 2));
            const double x = track.left() + track.width() * m_shares[at];
            p.drawLine(QPointF(x, track.top() - 3), QPointF(x, track.bottom() + 3));
        } else {
            if (m_isPredicted) line(track, m_shares[at], t.now, t.text2);
            line(m_isPredicted ? track.translated(0, kBar + 3) : track, m_answer[at], t.sequentialStops[5], t.text);
        }
        if (hasFocus() && i == m_current && !hasAnswer()) paint::outline(p, track, t.ink, 1.5, 3);
    }
    const double y = height() - kAxis / 2;
    const QRectF track = barOf(0);
    paint::centredText(p, {track.left(), y}, QStringLiteral("0"), uiFont(11), t.text3);
    paint::centredText(p, {track.right(), y}, QStringLiteral("1"), uiFont(11), t.text3, Anchor::End);
    const QString middle = !hasAnswer()    ? tr("together 1")
                           : m_isPredicted ? tr("yours above, the model's below")
                                           : QString();
    paint::centredText(p, {track.center().x(), y}, middle, uiFont(11), t.text3, Anchor::Middle);
}

void ShareBars::drag(QPointF at) {
    const QRectF track = barOf(m_current);
    if (track.width() > 0) setShare(m_current, (at.x() - track.left()) / track.width());
}

void ShareBars::mousePressEvent(QMouseEvent* event) {
    const int row = static_cast<int>(event->position().y() / rowHeight());
    if (hasAnswer() || row < 0 || row >= static_cast<int>(m_words.size())) return;
    m_current = row;
    drag(event->position());
}

void ShareBars::mouseMoveEvent(QMouseEvent* event) {
    if (!hasAnswer() && event->buttons() & Qt::LeftButton) drag(event->position());
}

void ShareBars::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (hasAnswer() || arrow.isNone()) return QWidget::keyPressEvent(event);
    m_current = std::clamp(m_current + arrow.down, 0, std::max(0, static_cast<int>(m_words.size()) - 1));
    const double step = event->modifiers() & Qt::ShiftModifier ? kShareLargeStep : kShareStep;
    if (arrow.right != 0) setShare(m_current, m_shares[static_cast<size_t>(m_current)] + arrow.right * step);
    update();
}

}  // namespace headlight

#include "moc_share_bars.cpp"
