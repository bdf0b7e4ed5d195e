// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/controls/controls.h"

namespace headlight {

/// A line that is said in fewer words where there is less room: a number that is cut in its middle is another number.
class FittingCaption : public Caption {
    Q_OBJECT
public:
    FittingCaption(int px, int weight, Tone tone, QWidget* parent = nullptr);

    /// The fullest first, which is the tooltip too. The last one stands with "…" where even it does not fit.
    void setTexts(const QStringList& texts);
    /// Facts in one line, the most important first: those at the end give way.
    void setFacts(const QStringList& facts);
    /// Whatever there is room for.
    QString whole() const { return m_texts.value(0); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showWhatFits();

    QStringList m_texts;
};

}  // namespace headlight
