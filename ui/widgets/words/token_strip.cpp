// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/token_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kChipHeight = 24;
constexpr double kTokenGap = 4;

}  // namespace

TokenStrip::TokenStrip(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TokenStrip::setTokens(const TranslationRow& row, const QStringList& reference) {
    m_row = row;
    m_reference = reference;
    setAccessibleName(textOf(row.words));
    setFixedHeight(heightFor(width()));
    update();
}

bool TokenStrip::marked(int index) const {
    return !m_reference.isEmpty() && !m_reference.contains(m_row.words[index]);
}

std::vector<PieceBox> TokenStrip::chips(int width) const {
    const double line = m_row.probabilities.empty() ? kChipHeight + 6 : 46;
    std::vector<PieceBox> result;
    QPointF at(0, 0);
    for (int i = 0; i < m_row.words.size(); ++i) {
        const double text = paint::textWidth(m_row.words[i], uiFont(13, QFont::DemiBold));
        const double needed = std::max(34.0, std::ceil(text) + 11);
        bool touches = touchesBefore(m_row.words, i);
        const double gap = i == 0 ? 0 : touches ? -kPieceOverlap : kTokenGap;
        if (at.x() > 0 && at.x() + gap + needed > width) {
            at = {0, at.y() + line};
            touches = false;
        } else {
            at.rx() += gap;
        }
        result.push_back({{at, QSizeF(std::min<double>(needed, width), kChipHeight)}, touches});
        if (touches) result[result.size() - 2].touchesRight = true;
        at.rx() += needed;
    }
    return result;
}

int TokenStrip::heightFor(int width) const {
    const std::vector<PieceBox> all = chips(width);
    if (all.empty()) return static_cast<int>(kChipHeight);
    return static_cast<int>(all.back().rect.bottom() + (m_row.probabilities.empty() ? 0 : 18));
}

/// The tip of a piece says how its vocabulary writes it.
bool TokenStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const std::vector<PieceBox> all = chips(width());
    for (int i = 0; i < m_row.words.size(); ++i) {
        const QString written = m_row.written.value(i);
        if (!all[static_cast<size_t>(i)].rect.contains(help->pos()) || written.isEmpty() || written == m_row.words[i])
            continue;
        QToolTip::showText(help->globalPos(), tr("In the vocabulary: %1").arg(written), this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

void TokenStrip::resizeEvent(QResizeEvent*) {
    setFixedHeight(heightFor(width()));
}

void TokenStrip::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const std::vector<PieceBox> all = chips(width());
    for (int i = 0; i < m_row.words.size(); ++i) {
        const PieceBox& box = all[static_cast<size_t>(i)];
        const QRectF& chip = box.rect;
        const QString word = chipText(m_row.words, i, !box.touchesLeft,
                                      i + 1 == m_row.words.size() || !all[static_cast<size_t>(i) + 1].touchesLeft);
        const bool differs = marked(i);
        const bool special = word.startsWith(u'<') && word.endsWith(u'>');
        const QFont font = uiFont(13, differs ? QFont::DemiBold : QFont::Medium);
        box.paint(p, differs ? t.badTint : t.sunken,
                  differs                               ? t.bad
                  : box.touchesLeft || box.touchesRight ? t.line2
                                                        : QColor(),
                  5);
        paint::centredText(p, chip.center(), paint::elided(word, font, chip.width() - 6), font,
                           differs   ? t.bad
                           : special ? t.text3
                                     : t.text,
                           Anchor::Middle);
        if (static_cast<size_t>(i) < m_row.probabilities.size())
            paint::text(p, {chip.center().x(), chip.bottom() + 14},
                        formatNumber(m_row.probabilities[static_cast<size_t>(i)]), monoFont(11), t.text3,
                        Anchor::Middle);
    }
}

}  // namespace headlight

#include "moc_token_strip.cpp"
