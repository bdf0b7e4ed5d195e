// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/fitting_caption.h"

#include <algorithm>

#include "ui/widgets/theme/paint.h"

namespace headlight {

FittingCaption::FittingCaption(int px, int weight, Tone tone, QWidget* parent) : Caption({}, px, weight, tone, parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void FittingCaption::setTexts(const QStringList& texts) {
    m_texts = texts;
    setToolTip(whole());
    showWhatFits();
}

void FittingCaption::setFacts(const QStringList& facts) {
    QStringList texts;
    for (qsizetype count = facts.size(); count > 0; --count)
        texts << facts.first(count).join(QStringLiteral("  ·  "));
    setTexts(texts);
}

void FittingCaption::resizeEvent(QResizeEvent* event) {
    Caption::resizeEvent(event);
    showWhatFits();
}

void FittingCaption::showWhatFits() {
    const auto fitting =
        std::ranges::find_if(m_texts, [&](const QString& text) { return paint::textWidth(text, font()) <= width(); });
    setText(fitting != m_texts.end() ? *fitting : paint::elided(m_texts.value(m_texts.size() - 1), font(), width()));
}

}  // namespace headlight

#include "moc_fitting_caption.cpp"
