// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/scale_key.h"

#include <QPainter>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kSide = 14;  ///< that the square has at most

/// The largest of 1, 2, 5, 10, 20 … whose square is not larger than that.
long roundCount(double most) {
    const double decade = std::pow(10.0, std::floor(std::log10(std::max(most, 1.0))));
    const double first = most / decade;
    return std::lround(decade * (first >= 5 ? 5 : first >= 2 ? 2 : 1));
}

}  // namespace

ScaleKey::ScaleKey(QWidget* parent) : QWidget(parent) {
    setFixedHeight(20);
}

void ScaleKey::setScale(double parametersPerPixel, bool isOwn) {
    m_scale = parametersPerPixel;
    m_isOwn = isOwn;
    m_parameters = m_scale > 0 ? roundCount(kSide * kSide * m_scale) : 0;
    setAccessibleName(text());
    update();
}

void ScaleKey::showColours() {
    m_hasColours = true;
    update();
}

QString ScaleKey::text() const {
    return m_parameters > 0 ? tr("%1 parameters").arg(formatCount(m_parameters)) : QString();
}

double ScaleKey::side() const {
    return m_scale > 0 ? std::sqrt(static_cast<double>(m_parameters) / m_scale) : 0;
}

/// From the right, as much as there is room for: the scale first.
void ScaleKey::paintEvent(QPaintEvent*) {
    if (m_parameters == 0) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QFont small = uiFont(11), bold = uiFont(11, QFont::DemiBold);
    const double y = height() / 2.0;
    double x = width();
    const auto put = [&](const QString& text, const QFont& font, const QColor& ink, double box, const QColor& fill,
                         const QColor& edge) {
        const double wide = paint::textWidth(text, font) + (box > 0 ? box + 6 : 0);
        if (x - wide < 0) return;
        paint::centredText(p, {x, y}, text, font, ink, Anchor::End);
        if (box > 0) paint::box(p, QRectF(x - wide, y - box / 2, box, box), fill, edge);
        x -= wide + 16;
    };
    put(text(), small, t.text2, side(), t.text, {});
    if (m_isOwn) put(tr("a scale of their own"), small, t.text3, 0, {}, {});
    if (!m_hasColours) return;
    put(tr("words, output"), small, t.text2, 10, t.encoderTint, t.encoder);
    for (const auto& [kind, name] :
         {std::pair(ModuleKind::Recurrent, tr("recurrent cell")),
          std::pair(ModuleKind::FeedForward, tr("feed-forward")), std::pair(ModuleKind::Attention, tr("attention"))})
        put(name, small, t.text2, 10, blueprintColor(t, kind, Stack::Encoder), {});
    put(tr("decoder"), bold, t.decoder, 0, {}, {});
    put(tr("encoder"), bold, t.encoder, 0, {}, {});
}

}  // namespace headlight
