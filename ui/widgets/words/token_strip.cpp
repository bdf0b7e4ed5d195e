// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/token_strip.h"

#include <QPainter>
#include <cmath>

#include "ui/session/format/number_format.h"
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

void TokenStrip::setTokens(const QStringList& words, const std::vector<float>& probabilities,
                           const QStringList& reference) {
    m_words = words;
    m_probabilities = probabilities;
    m_reference = reference;
    setAccessibleName(words.join(u' '));
    setFixedHeight(heightFor(width()));
    update();
}

bool TokenStrip::marked(int index) const {
    return !m_reference.isEmpty() && !m_reference.contains(m_words[index]);
}

std::vector<QRectF> TokenStrip::chips(int width) const {
    const double line = m_probabilities.empty() ? kChipHeight + 6 : 46;
    std::vector<QRectF> result;
    QPointF at(0, 0);
    for (const QString& word : m_words) {
        const double needed = std::max(34.0, std::ceil(paint::textWidth(word, uiFont(13, QFont::DemiBold))) + 11);
        if (at.x() > 0 && at.x() + needed > width) at = {0, at.y() + line};
        result.emplace_back(at, QSizeF(std::min<double>(needed, width), kChipHeight));
        at.rx() += needed + kTokenGap;
    }
    return result;
}

int TokenStrip::heightFor(int width) const {
    const std::vector<QRectF> all = chips(width);
    if (all.empty()) return static_cast<int>(kChipHeight);
    return static_cast<int>(all.back().bottom() + (m_probabilities.empty() ? 0 : 18));
}

void TokenStrip::resizeEvent(QResizeEvent*) {
    setFixedHeight(heightFor(width()));
}

void TokenStrip::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const std::vector<QRectF> all = chips(width());
    for (int i = 0; i < m_words.size(); ++i) {
        const QRectF& chip = all[static_cast<size_t>(i)];
        const QString& word = m_words[i];
        const bool differs = marked(i);
        const bool special = word.startsWith(u'<') && word.endsWith(u'>');
        const QFont font = uiFont(13, differs ? QFont::DemiBold : QFont::Medium);
        paint::box(p, chip, differs ? t.badTint : t.sunken, differs ? t.bad : QColor(), 5);
        paint::centredText(p, chip.center(), paint::elided(word, font, chip.width() - 6), font,
                           differs   ? t.bad
                           : special ? t.text3
                                     : t.text,
                           Anchor::Middle);
        if (static_cast<size_t>(i) < m_probabilities.size())
            paint::text(p, {chip.center().x(), chip.bottom() + 14},
                        formatNumber(m_probabilities[static_cast<size_t>(i)]), monoFont(11), t.text3, Anchor::Middle);
    }
}

}  // namespace headlight

#include "moc_token_strip.cpp"
