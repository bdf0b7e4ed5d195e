// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/found_list.h"

#include <QFontMetrics>
#include <QPainter>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kListHead = 24, kNumbers = 104, kColumn = 52;

/// In as many lines as it needs.
double heightOf(const FoundText& found, double right) {
    const QRectF room(0, 0, right - kNumbers, 1000);
    return QFontMetricsF(uiFont(13, QFont::DemiBold)).boundingRect(room, Qt::TextWordWrap, found.text).height() + 8;
}

}  // namespace

FoundList::FoundList(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("What the beam search finds"));
    QSizePolicy grows(QSizePolicy::Preferred, QSizePolicy::Minimum);
    grows.setHeightForWidth(true);
    setSizePolicy(grows);
    hide();
}

void FoundList::setFound(const std::vector<FoundText>& found, const QString& now) {
    if (m_found == found && m_now == now) return;
    m_found = found;
    m_now = now;
    QStringList spoken;
    for (const FoundText& each : m_found)
        spoken << tr("“%1”: %2 before, %3 %4")
                      .arg(each.text, each.before ? formatNumber(*each.before) : tr("not found"),
                           formatNumber(each.now), m_now);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    setVisible(!m_found.empty());
    updateGeometry();
    update();
}

int FoundList::heightForWidth(int width) const {
    double height = kListHead;
    for (const FoundText& found : m_found)
        height += heightOf(found, width);
    return static_cast<int>(std::ceil(height));
}

void FoundList::paintEvent(QPaintEvent*) {
    if (m_found.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const double right = width();
    paint::centredText(p, {0, kListHead / 2}, tr("Beam search of %1, log P").arg(answeringBeam),
                       uiFont(13, QFont::DemiBold), t.text);
    paint::centredText(p, {right - kColumn, kListHead / 2}, tr("before"), uiFont(11), t.text2, Anchor::End);
    paint::centredText(p, {right, kListHead / 2}, m_now, uiFont(11), t.text2, Anchor::End);
    double y = kListHead - 2;
    for (const FoundText& found : m_found) {
        const QRectF room(0, y + 4, right - kNumbers, heightOf(found, right) - 8);
        p.setFont(uiFont(13, found.before ? QFont::Normal : QFont::DemiBold));
        p.setPen(found.before ? t.text : t.nowText);
        p.drawText(room, Qt::TextWordWrap, found.text);
        const double middle = y + 4 + QFontMetricsF(uiFont(13)).height() / 2;
        paint::centredText(p, {right - kColumn, middle}, found.before ? formatNumber(*found.before) : tr("not found"),
                           found.before ? monoFont(12) : uiFont(11), t.text2, Anchor::End);
        paint::centredText(p, {right, middle}, formatNumber(found.now), monoFont(12, QFont::Medium), t.text,
                           Anchor::End);
        y += heightOf(found, right);
    }
}

}  // namespace headlight

#include "moc_found_list.cpp"
