// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/word_chips.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

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
    setAccessibleDescription(m_words.value(m_chosen));
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

double WordChips::allWidth() const {
    double sum = 0;
    for (int word = 0; word < m_words.size(); ++word)
        sum += chipWidth(word) + (word > 0 ? kChipsGap : 0);
    return sum;
}

QSize WordChips::sizeHint() const {
    return {static_cast<int>(std::min(allWidth(), 600.0)) + 4, static_cast<int>(kHeight) + 4};
}

QRectF WordChips::chipRect(int word) const {
    double before = 0;
    for (int i = 0; i < word; ++i)
        before += chipWidth(i) + kChipsGap;
    const double room = width() - 4, all = allWidth();
    double left = room - all;  // they end where the picture does
    if (all > room && m_chosen >= 0) {
        double middle = 0;
        for (int i = 0; i < m_chosen; ++i)
            middle += chipWidth(i) + kChipsGap;
        middle += chipWidth(m_chosen) / 2;
        left = std::clamp(room / 2 - middle, room - all, 0.0);
    }
    return {2 + left + before, 2, chipWidth(word), kHeight};
}

void WordChips::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QColor frame = m_of == Of::Decoder ? t.decoder : m_of == Of::Encoder ? t.encoder : t.line2;
    for (int word = 0; word < m_words.size(); ++word) {
        const QRectF chip = chipRect(word);
        if (chip.right() < 0 || chip.left() > width()) continue;
        const bool on = word == m_chosen;
        paint::box(p, chip, on ? t.nowTint : t.surface, on ? t.nowLine : frame, 6, on ? 2 : 1);
        const QFont font = uiFont(12, on ? QFont::DemiBold : QFont::Medium);
        paint::centredText(p, chip.center(), paint::elided(m_words[word], font, chip.width() - 8), font,
                           on ? t.nowText : t.text, Anchor::Middle);
    }
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
