// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/formula_box.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kPadding = 18;

}  // namespace

FormulaBox::FormulaBox(const QString& tex, const QStringList& folders, double fontPx, QWidget* parent)
    : QWidget(parent), m_tex(tex), m_fontPx(fontPx), m_formula(Formula::find(tex, true, folders)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Formula"));
    setAccessibleDescription(tex);
    setToolTip(tex);
}

QSize FormulaBox::sizeHint() const {
    const double inner =
        m_formula ? m_formula->size(m_fontPx).height() : 20.0 * static_cast<double>(m_tex.count(u'\n') + 2);
    return {200, static_cast<int>(inner + 2 * kPadding)};
}

void FormulaBox::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), t.sunken, {}, 6);
    if (!m_formula) {
        p.setFont(monoFont(12));
        p.setPen(t.text);
        p.drawText(rect().adjusted(14, 8, -14, -26), Qt::AlignCenter | Qt::TextWordWrap, m_tex);
        paint::centredText(p, {width() / 2.0, height() - 16.0}, tr("scripts/formulas FOLDER draws it"), uiFont(11),
                           t.text3, Anchor::Middle);
        return;
    }
    // Drawn as lines: crisp at any scale.
    const QSizeF natural = m_formula->size(m_fontPx);
    const double fit = std::min(1.0, (width() - 24.0) / natural.width());
    const QSizeF size = natural * fit;
    m_formula->paint(p, {QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size}, t);
}

}  // namespace headlight

#include "moc_formula_box.cpp"
