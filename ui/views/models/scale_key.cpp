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
constexpr double kBox = 10, kBeside = 6, kApart = 16, kClose = 9;

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

std::vector<ScaleKey::Piece> ScaleKey::pieces() const {
    if (m_parameters == 0) return {};
    const Theme& t = Theme::of(this);
    const QFont small = uiFont(11), bold = uiFont(11, QFont::DemiBold);
    std::vector<Piece> all{{text(), small, t.text2, side(), t.text}};
    if (m_isOwn) all.push_back({tr("a scale of their own"), small, t.text3});
    if (!m_hasColours) return all;
    all.push_back({tr("words, output"), small, t.text2, kBox, t.encoderTint, t.encoder});
    for (const auto& [kind, name] :
         {std::pair(ModuleKind::Recurrent, tr("recurrent cell")),
          std::pair(ModuleKind::FeedForward, tr("feed-forward")), std::pair(ModuleKind::Attention, tr("attention"))})
        all.push_back({name, small, t.text2, kBox, blueprintColor(t, kind, Stack::Encoder)});
    all.push_back({tr("decoder"), bold, t.decoder});
    all.push_back({tr("encoder"), bold, t.encoder});
    return all;
}

double ScaleKey::whole() const {
    double wide = -kApart;
    for (const Piece& piece : pieces())
        wide += paint::textWidth(piece.text, piece.font) + (piece.box > 0 ? piece.box + kBeside : 0) + kApart;
    return std::max(0.0, wide);
}

/// From the right, as much as there is room for: the scale first.
void ScaleKey::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double y = height() / 2.0, apart = whole() <= width() ? kApart : kClose;
    double x = width();
    for (const Piece& piece : pieces()) {
        const double wide = paint::textWidth(piece.text, piece.font) + (piece.box > 0 ? piece.box + kBeside : 0);
        if (x - wide < 0) return;
        paint::centredText(p, {x, y}, piece.text, piece.font, piece.ink, Anchor::End);
        if (piece.box > 0)
            paint::box(p, QRectF(x - wide, y - piece.box / 2, piece.box, piece.box), piece.fill, piece.edge);
        x -= wide + apart;
    }
}

}  // namespace headlight

#include "moc_scale_key.cpp"
