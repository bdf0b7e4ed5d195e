// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/word_chips.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/session/format/piece_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/piece_box.h"

namespace headlight {

namespace {

constexpr double kHeight = 28, kInside = 20, kChipsGap = 4, kChipsWidest = 140;

}  // namespace

WordChips::WordChips(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("The word that is looked at"));
}

void WordChips::setWords(const QStringList& words, Of of) {
    m_words = words;
    m_of = of;
    updateGeometry();
    setChosen(m_chosen);
}

void WordChips::setChosen(int word) {
    m_chosen = std::clamp(word, m_words.isEmpty() ? -1 : 0, static_cast<int>(m_words.size()) - 1);
    setAccessibleDescription(spokenPiece(m_words.value(m_chosen)));
    update();
}

void WordChips::choose(int word) {
    if (word < 0 || word >= m_words.size() || word == m_chosen) return;
    setChosen(word);
    emit wordChosen(word);
}

double WordChips::chipWidth(int word) const {
    return std::min(kChipsWidest, paint::textWidth(m_words[word], uiFont(12, QFont::DemiBold)) + kInside);
}

/// Of a chip, from the first one's left edge.
double WordChips::leftOf(int word) const {
    double left = 0;
    for (int i = 0; i < word; ++i)
        left += chipWidth(i) + (touchesBefore(m_words, i + 1) ? -kPieceOverlap : kChipsGap);
    return left;
}

double WordChips::allWidth() const {
    return m_words.isEmpty()
               ? 0
               : leftOf(static_cast<int>(m_words.size()) - 1) + chipWidth(static_cast<int>(m_words.size()) - 1);
}

QSize WordChips::sizeHint() const {
    return {static_cast<int>(std::min(allWidth(), 600.0)) + 4, static_cast<int>(kHeight) + 4};
}

QRectF WordChips::chipRect(int word) const {
    const double room = width() - 4, all = allWidth();
    double left = room - all;  // they end where the picture does
    if (all > room && m_chosen >= 0) {
        const double middle = leftOf(m_chosen) + chipWidth(m_chosen) / 2;
        left = std::clamp(room / 2 - middle, room - all, 0.0);
    }
    return {2 + left + leftOf(word), 2, chipWidth(word), kHeight};
}

void WordChips::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QColor frame = m_of == Of::Decoder ? t.decoder : m_of == Of::Encoder ? t.encoder : t.line2;
    const auto paintChip = [&](int word) {
        const QRectF chip = chipRect(word);
        if (chip.right() < 0 || chip.left() > width()) return;
        const bool on = word == m_chosen;
        const PieceBox box{chip, touchesBefore(m_words, word), touchesBefore(m_words, word + 1)};
        box.paint(p, on ? t.nowTint : t.surface, on ? t.nowLine : frame, 6, on ? 2 : 1);
        const QFont font = uiFont(12, on ? QFont::DemiBold : QFont::Medium);
        paint::centredText(p, chip.center(), paint::elided(chipText(m_words, word), font, chip.width() - 8), font,
                           on ? t.nowText : t.text, Anchor::Middle);
    };
    for (int word = 0; word < m_words.size(); ++word)
        if (word != m_chosen) paintChip(word);
    if (m_chosen >= 0) paintChip(m_chosen);  // its frame lies over the edges that it shares
}

void WordChips::mousePressEvent(QMouseEvent* event) {
    for (int word = 0; word < m_words.size(); ++word)
        if (chipRect(word).contains(event->position())) return choose(word);
}

void WordChips::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left)
        choose(m_chosen - 1);
    else if (event->key() == Qt::Key_Right)
        choose(m_chosen + 1);
    else
        QWidget::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_word_chips.cpp"
