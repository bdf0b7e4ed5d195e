// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/shaded_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kTitle = 28, kQueryHeight = 28, kKeyHeight = 34, kShadedNumber = 18, kShadedGap = 6;
constexpr double kFilledApart = 1;  ///< without a frame, shades alike would run into one another

/// Boxes as wide as their words, line below line; the bottom of the last one. `apart`: pieces of a word that touch.
double flowWords(const QStringList& words, const QFont& font, double top, double lineHeight, double height,
                 double width, double apart, std::vector<PieceBox>& boxes) {
    boxes.clear();
    boxes.reserve(static_cast<size_t>(words.size()));
    double x = 0, y = top;
    for (qsizetype word = 0; word < words.size(); ++word) {
        const double box = std::max(36.0, paint::textWidth(words[word], font) + 16);
        bool touches = touchesBefore(words, word);
        if (word > 0) x += touches ? apart : kShadedGap;
        if (x > 0 && x + box > width) {
            x = 0;
            y += lineHeight;
            touches = false;
        }
        boxes.push_back({QRectF(x, y, std::min(box, width), height), touches});
        if (touches) boxes[boxes.size() - 2].touchesRight = true;
        x += box;
    }
    return y + lineHeight;
}

}  // namespace

ShadedText::ShadedText(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("The text, shaded by the weights of one word"));
}

void ShadedText::setText(Text text) {
    m_text = std::move(text);
    m_query = std::clamp(m_query, 0, std::max(0, static_cast<int>(m_text.queries.size()) - 1));
    flow();
}

void ShadedText::setQuery(int row) {
    if (row < 0 || row >= m_text.queries.size() || row == m_query) return;
    m_query = row;
    update();
}

void ShadedText::flow() {
    const double queries = flowWords(m_text.queries, uiFont(13, QFont::DemiBold), kTitle, kQueryHeight + kShadedGap,
                                     kQueryHeight, width(), -kPieceOverlap, m_queries);
    m_keyTop = queries + 14;
    m_bottom = flowWords(m_text.keys, uiFont(15, QFont::Medium), m_keyTop + kTitle,
                         kKeyHeight + kShadedNumber + kShadedGap, kKeyHeight, width(), kFilledApart, m_keys);
    setMinimumHeight(static_cast<int>(m_bottom));
    update();
}

QSize ShadedText::minimumSizeHint() const {
    return {220, static_cast<int>(m_bottom)};
}

void ShadedText::resizeEvent(QResizeEvent*) {
    flow();
}

void ShadedText::mousePressEvent(QMouseEvent* event) {
    for (size_t i = 0; i < m_queries.size(); ++i)
        if (m_queries[i].rect.contains(event->position())) emit queryChosen(static_cast<int>(i));
}

void ShadedText::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0) return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(m_text.queries.size()) - 1;
    if (last >= 0) emit queryChosen(std::clamp(m_query + by, 0, last));
}

void ShadedText::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_text.queries.isEmpty()) return;
    paint::centredText(p, {0, 10}, m_text.queryTitle, uiFont(11, QFont::DemiBold), t.text3);
    paint::centredText(p, {0, m_keyTop + 10}, m_text.keyTitle, uiFont(11, QFont::DemiBold), t.text3);
    for (size_t i = 0; i < m_queries.size(); ++i) {
        const bool on = static_cast<int>(i) == m_query;
        const QFont font = uiFont(13, on ? QFont::DemiBold : QFont::Medium);
        const PieceBox& box = m_queries[i];
        box.paint(p, on ? t.nowTint : t.surface, on ? t.nowLine : t.line2, 6, on ? 2 : 1);
        const QString word = chipText(m_text.queries, static_cast<qsizetype>(i), !box.touchesLeft, !box.touchesRight);
        paint::centredText(p, box.rect.center(), paint::elided(word, font, box.rect.width() - 8), font,
                           on ? t.nowText : t.text, Anchor::Middle);
    }
    for (size_t i = 0; i < m_keys.size(); ++i) {
        const auto weight = static_cast<double>(m_text.weights[static_cast<size_t>(m_query) * m_keys.size() + i]);
        const QColor fill = t.sequential(weight);
        const QFont font = uiFont(15, QFont::Medium);
        const PieceBox& box = m_keys[i];
        box.paint(p, fill, {}, 4);
        const QString word = chipText(m_text.keys, static_cast<qsizetype>(i), !box.touchesLeft, !box.touchesRight);
        paint::centredText(p, box.rect.center(), paint::elided(word, font, box.rect.width() - 6), font,
                           Theme::onColor(fill), Anchor::Middle);
        paint::centredText(p, {box.rect.center().x(), box.rect.bottom() + 10}, formatNumber(weight), monoFont(11),
                           t.text2, Anchor::Middle);
    }
    if (hasFocus()) paint::box(p, QRectF(rect()).adjusted(0, 0, -1, -1), {}, t.ink, 6, 2);
}

}  // namespace headlight

#include "moc_shaded_text.cpp"
