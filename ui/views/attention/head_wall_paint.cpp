// SPDX-License-Identifier: GPL-3.0-or-later
// How the wall of heads is painted.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/views/attention/habit_mark.h"
#include "ui/views/attention/head_wall.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kMutedOpacity = 0.35, kFadedOpacity = 0.16;
constexpr double kLegendGap = 10, kLegendWidth = 112;

}  // namespace

void HeadWall::paintEvent(QPaintEvent*) {
    if (!m_survey || m_survey->empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_images.empty()) makeImages();
    paintLabels(p, t);
    for (const int head : m_order)
        paintHead(p, head, t);
    paintOutlines(p, t);
    paintLegend(p, t);
}

void HeadWall::paintLabels(QPainter& p, const Theme& t) const {
    if (!isByLayer()) return;
    const bool isKnown = m_chosen >= 0;
    const double left = m_pitch - side() - 3;
    paint::centredText(p, {0, kTop - 12}, tr("Layer"), uiFont(11, QFont::Medium), t.text3);
    const int every = m_pitch < 16 ? 2 : 1;
    for (int column = 0; column < m_survey->headsALayer(); ++column) {
        const bool on = isKnown && at(m_chosen).head == column;
        if (column % every != 0 && !on) continue;
        paint::centredText(p, {kLeft + column * m_pitch + left + side() / 2, kTop - 12}, QString::number(column + 1),
                           uiFont(m_pitch < 30 ? 11 : 12, on ? QFont::DemiBold : QFont::Medium), on ? t.text : t.text3,
                           Anchor::Middle);
    }
    const int first = m_options.firstLayer(*m_survey);
    for (int layer = first; layer <= m_options.lastLayer(*m_survey); ++layer) {
        const bool on = isKnown && at(m_chosen).layer == layer;
        paint::centredText(
            p, {28, kTop + (layer - first) * (m_pitch + m_above) + m_above + side() / 2}, QString::number(layer + 1),
            uiFont(m_pitch < 30 ? 11 : 12, on ? QFont::DemiBold : QFont::Medium), on ? t.text : t.text3, Anchor::End);
    }
}

void HeadWall::paintHead(QPainter& p, int index, const Theme& t) const {
    const HeadSurvey::Head& head = at(index);
    const QRectF box = headRect(index);
    const bool isMuted = m_muted.contains(head.name());
    const bool isFaded = !m_options.shows(*m_survey, head);
    const bool isRevealed = m_revealed < 0 || head.layer < m_revealed;
    p.setOpacity(isFaded ? kFadedOpacity : 1);
    paint::box(p, box.adjusted(-1, -1, 1, 1), t.surface, isRevealed ? t.line2 : t.line);
    if (isRevealed) {
        const QImage& image = m_images[static_cast<size_t>(index)];
        if (isMuted) p.setOpacity(p.opacity() * kMutedOpacity);
        if (image.deviceIndependentSize() == box.size())
            p.drawImage(box.topLeft(), image);
        else
            p.drawImage(box, image);
        // The weight on the first word, as a bar that rises.
        const double bar = m_pitch >= 30 ? 3 : 2;
        const QRectF track(box.left() - 2 - bar, box.top(), bar, box.height());
        const bool isHidden = hasVeil(index);
        const double filled = isHidden ? 0 : std::round(box.height() * head.facts.first);
        p.fillRect(track, t.line);
        p.fillRect(QRectF(track.left(), track.bottom() - filled, bar, filled), t.text2);
        const QRectF mark = markRect(index);
        if (isHidden)
            paintVeil(p, index, t);
        else
            drawHabit(p, mark.topLeft(), head.facts.habit, mark.width() / 4, t);
        p.setOpacity(isFaded ? kFadedOpacity : 1);
        if (isMuted) {
            const double icon = std::clamp(box.width() - 4, 8.0, 20.0);
            drawIcon(p, Icon::Mute, {box.center().x() - icon / 2, box.center().y() - icon / 2, icon, icon}, t.bad);
        }
    }
    p.setOpacity(1);
}

/// Runs of hidden cells, row by row.
void HeadWall::paintVeil(QPainter& p, int index, const Theme& t) const {
    const std::vector<char>& hidden = m_hidden[static_cast<size_t>(index)];
    const QRectF box = headRect(index);
    const double wide = box.width() / m_survey->columns(), high = box.height() / m_survey->rows();
    for (int row = 0; row < m_survey->rows(); ++row)
        for (int from = 0, to = 0; from < m_survey->columns(); from = to + 1) {
            for (to = from; to < m_survey->columns() && hidden[m_survey->at(row, to)] != 0;)
                ++to;
            const QRectF run(box.left() + from * wide, box.top() + row * high, (to - from) * wide, high);
            if (to > from) paint::hatch(p, run.toAlignedRect(), t.hatchGround, t.hatch);
        }
}

void HeadWall::paintOutlines(QPainter& p, const Theme& t) const {
    const auto isThere = [this](int head) { return !headRect(head).isEmpty(); };
    for (const int head : m_found)
        if (head != m_chosen && isThere(head) && m_options.shows(*m_survey, at(head)))
            paint::outline(p, headRect(head).adjusted(-1, -1, 1, 1), t.text, m_pitch < 30 ? 1 : 2);
    if (m_hovered >= 0 && isThere(m_hovered)) paint::outline(p, headRect(m_hovered).adjusted(-1, -1, 1, 1), t.text, 1);
    const double before = m_pitch - side() - 1;
    if (m_chosen >= 0 && isThere(m_chosen))
        paint::outline(p, headRect(m_chosen).adjusted(-before + 2, -2, 2, 2), t.nowLine, 2, 4);
    if (m_cursor >= 0 && isThere(m_cursor))
        paint::outline(p, headRect(m_cursor).adjusted(-before + 2, -2, 2, 2), t.ink, 2, 4);
}

void HeadWall::paintLegend(QPainter& p, const Theme& t) const {
    double bottom = 0;
    for (const int head : m_order)
        bottom = std::max(bottom, m_to[static_cast<size_t>(head)].bottom());
    const double y = bottom + kLegendGap;
    drawLegend(p, {kLeft + 4, y, kLegendWidth, 8}, ColorScale::weights(), t);
    const QFont font = uiFont(12);
    const double left = kLeft + 4 + kLegendWidth + 20;
    const QString first = tr("weight on the first word, mean");
    // Below its colours where it does not fit beside them.
    const bool isBelow = left + 11 + paint::textWidth(first, font) > width();
    double x = isBelow ? kLeft + 4 : left;
    const double row = isBelow ? y + 32 : y;
    p.fillRect(QRectF(x, row - 4, 3, 16), t.line);
    p.fillRect(QRectF(x, row + 4, 3, 8), t.text2);
    paint::centredText(p, {x + 11, row + 4}, first, font, t.text2);
    x += 11 + paint::textWidth(first, font) + 20;
    const QString found = tr("found by the search");
    if (!m_found.empty() && x + 22 + paint::textWidth(found, font) < width()) {
        paint::outline(p, QRectF(x + 1, row - 2, 12, 12), t.text, 2);
        paint::centredText(p, {x + 22, row + 4}, found, font, t.text2);
    }
    const bool leftOut = m_options.look.first == FirstWord::LeftOut;
    const QString more = isByLayer() ? QString() : tr("The best head first. ");
    const QString note = leftOut ? tr("Over what is left of the row; empty rows: under 5 % is left.") : QString();
    const double from = isBelow ? kLeft + 4 : left;
    paint::centredText(p, {from, row + (isBelow ? 20 : 24)}, paint::elided(more + note, font, width() - from), font,
                       t.text3);
}

}  // namespace headlight
