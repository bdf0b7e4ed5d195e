// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/length_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLengthLeft = 44, kLengthRight = 16, kLengthTop = 26, kLengthBottom = 8, kAxis = 22;
constexpr int kMostBars = 60;

}  // namespace

LengthChart::LengthChart(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LengthChart::setContent(Content content) {
    m_content = std::move(content);
    setCursor(m_content.canCut ? Qt::SizeHorCursor : Qt::ArrowCursor);
    update();
}

int LengthChart::shownWords() const {
    int shown = 1;
    for (const std::vector<long>& counts : m_content.counts) {
        long left = std::accumulate(counts.begin(), counts.end(), 0L) / 1000;
        int words = static_cast<int>(counts.size()) - 1;
        while (words > 0 && (left -= counts[static_cast<size_t>(words)]) >= 0)
            --words;
        shown = std::max(shown, words);
    }
    shown = std::max(shown + std::max(2, shown / 12), m_content.longest);
    return std::max(1, std::min(shown, std::max(1, m_content.most)));
}

QRectF LengthChart::plot() const {
    return QRectF(rect()).adjusted(kLengthLeft, kLengthTop, -kLengthRight, -kLengthBottom);
}

/// Of a text there is nothing above the axis but a little room.
double LengthChart::middle() const {
    return m_content.counts[0].empty() ? plot().top() + kAxis : plot().center().y();
}

double LengthChart::xOf(double words) const {
    return plot().left() + plot().width() * words / (shownWords() + 1);
}

void LengthChart::moveTo(double x) {
    if (!m_content.canCut || m_content.most == 0) return;
    const double share = std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0);
    const int words = std::max(1, static_cast<int>(std::lround(share * (shownWords() + 1) - 0.5)));
    emit cutMoved(words >= m_content.most ? 0 : words);
}

void LengthChart::mousePressEvent(QMouseEvent* event) {
    moveTo(event->position().x());
}

void LengthChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) moveTo(event->position().x());
}

void LengthChart::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0 || !m_content.canCut || m_content.most == 0) return QWidget::keyPressEvent(event);
    const int now = m_content.longest > 0 ? m_content.longest : m_content.most;
    const int words = std::max(1, now + by);
    emit cutMoved(words >= m_content.most ? 0 : words);
}

void LengthChart::paintBars(QPainter& p, size_t side, double most) const {
    const Theme& t = Theme::of(this);
    const std::vector<long>& counts = m_content.counts.at(side);
    const int shown = shownWords(), wide = (shown + kMostBars - 1) / kMostBars;
    const double room = side == 0 ? middle() - kAxis / 2 - plot().top() : plot().bottom() - middle() - kAxis / 2;
    for (int words = 1; words <= shown; words += wide) {
        long count = 0;
        for (int each = words; each < words + wide && each < static_cast<int>(counts.size()); ++each)
            count += counts[static_cast<size_t>(each)];
        if (count == 0) continue;
        const double tall = std::max(1.5, room * static_cast<double>(count) / most);
        const double left = xOf(words), right = xOf(words + wide) - (wide * plot().width() > 3 * shown ? 1 : 0);
        const double top = side == 0 ? middle() - kAxis / 2 - tall : middle() + kAxis / 2;
        const bool out = m_content.longest > 0 && words > m_content.longest;
        p.fillRect(QRectF(left, top, std::max(1.0, right - left), tall), out         ? t.bad
                                                                         : side == 0 ? t.encoder
                                                                                     : t.decoder);
    }
}

void LengthChart::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_content.most == 0) return;
    const int shown = shownWords(), wide = (shown + kMostBars - 1) / kMostBars;
    double most = 1;
    for (const std::vector<long>& counts : m_content.counts)
        for (int words = 1; words <= shown; words += wide) {
            double bar = 0;
            for (int each = words; each < words + wide && each < static_cast<int>(counts.size()); ++each)
                bar += static_cast<double>(counts[static_cast<size_t>(each)]);
            most = std::max(most, bar);
        }
    for (size_t side = 0; side < 2; ++side) {
        if (m_content.counts.at(side).empty()) continue;
        paintBars(p, side, most);
        const double edge = side == 0 ? plot().top() : plot().bottom();
        const double half = (edge + middle() + (side == 0 ? -kAxis : kAxis) / 2) / 2;
        p.setPen(QPen(t.line, 1, Qt::DotLine));
        p.drawLine(QPointF(plot().left(), half), QPointF(plot().right(), half));
        paint::centredText(p, {plot().left() - 8, half}, formatCount(std::llround(most / 2)), monoFont(11), t.text2,
                           Anchor::End);
        const double name = side == 0 ? plot().top() + 10 : plot().bottom() - 8;
        paint::centredText(p, {plot().right() - 12, name}, m_content.names.at(side), uiFont(12, QFont::DemiBold),
                           side == 0 ? t.encoder : t.decoder, Anchor::End);
    }
    const int every = shown <= 12 ? 2 : shown <= 60 ? 10 : shown <= 150 ? 25 : (shown / 600 + 1) * 100;
    for (int words = every; words <= shown; words += every)
        paint::centredText(p, {xOf(words + 0.5), middle()}, QString::number(words), monoFont(11), t.text2,
                           Anchor::Middle);
    if (!m_content.canCut) return;
    const bool cuts = m_content.longest > 0;
    const double x = std::round(xOf((cuts ? m_content.longest : shown) + 1));
    p.fillRect(QRectF(x - 1, plot().top() - 8, 2, plot().height() + 8), t.text);
    p.setPen(QPen(t.text, 2));
    p.setBrush(t.surface);
    p.drawEllipse(QPointF(x, plot().top() - 12), 6, 6);
    const QString text =
        cuts ? plural(tr("at most %n word(s)", nullptr, m_content.longest), m_content.longest) : tr("however long");
    paint::centredText(p, {x - 12, plot().top() - 12}, text, uiFont(12, QFont::DemiBold), t.text, Anchor::End);
}

}  // namespace headlight

#include "moc_length_chart.cpp"
