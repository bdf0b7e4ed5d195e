// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/cell_columns.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

// Of the picture at its own size: see scale().
constexpr double kMargin = 20, kPadding = 16, kColumn = 48, kBetween = 36, kColumnsApart = 40;
constexpr double kColumnsWidest = 2.1;                       ///< columns grow that far
constexpr double kAbove = 92, kColumnsBelow = 62;            ///< the rows: legends and heads, gates and inputs
constexpr double kBar = 32, kColumnsNumber = 20, kFoot = 8;  ///< the bar with its gaps, a number in it
constexpr double kColumnsRoomy = 42;                         ///< a column that wide holds three decimals

}  // namespace

CellColumns::CellColumns(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Units of the cell"));
}

void CellColumns::setPicture(const CellPicture* picture) {
    m_picture = picture;
    QStringList told;
    for (size_t i = 0; picture && i < picture->columns().size(); ++i)
        told << QStringLiteral("%1 %2").arg(paint::mathAsText(picture->layout()[i].symbol), numberOf(i));
    setAccessibleDescription(
        picture
            ? tr("Unit %1 at “%2”: %3").arg(picture->unit() + 1).arg(picture->token(), told.join(QStringLiteral(", ")))
            : QString());
    update();
}

/// Columns and gaps share the width; where it is more than they need, they stay and leave the rest.
double CellColumns::scale() const {
    double own = 0;
    for (size_t panel = 0; panel < m_picture->panels().size(); ++panel) {
        const auto count =
            std::ranges::count(m_picture->layout(), static_cast<int>(panel), &CellPicture::Column::panel);
        own += 2 * kPadding + kColumn * static_cast<double>(count) + kBetween * static_cast<double>(count - 1);
    }
    own += kColumnsApart * static_cast<double>(m_picture->panels().size() - 1);
    return std::min(kColumnsWidest, (width() - 2 * kMargin) / own);
}

CellColumns::Place CellColumns::columnPlace(size_t column) const {
    const auto& layout = m_picture->layout();
    const double s = scale();
    double x = kMargin + kPadding * s;
    for (size_t i = 1; i <= column; ++i)
        x += (kColumn + (layout[i].panel == layout[i - 1].panel ? kBetween : 2 * kPadding + kColumnsApart)) * s;
    return {std::round(x), std::round(kColumn * s)};
}

CellColumns::Place CellColumns::panelPlace(size_t panel) const {
    const auto& layout = m_picture->layout();
    Place place;
    for (size_t i = 0; i < layout.size(); ++i) {
        if (layout[i].panel != static_cast<int>(panel)) continue;
        const Place at = columnPlace(i);
        if (place.width == 0) place.left = at.left - std::round(kPadding * scale());
        place.width = at.left + at.width + std::round(kPadding * scale()) - place.left;
    }
    return place;
}

QRectF CellColumns::strips() const {
    return {0, kAbove, static_cast<double>(width()), std::max(kBar + 20.0, height() - kAbove - kColumnsBelow)};
}

double CellColumns::bar() const {
    const QRectF all = strips();
    const double row = (all.height() - kBar) / (m_picture->units() - 1);
    return std::round(all.top() + m_picture->rowOf(m_picture->unit()) * row) + kBar / 2;
}

QRectF CellColumns::cellRect(size_t column, int unit) const {
    const Place place = columnPlace(column);
    const int row = m_picture->rowOf(unit), chosen = m_picture->rowOf(m_picture->unit());
    if (row == chosen) return {place.left, bar() - kColumnsNumber / 2, place.width, kColumnsNumber};
    const QRectF all = strips();
    const double tall = (all.height() - kBar) / (m_picture->units() - 1);
    const double top = row < chosen ? all.top() + row * tall : bar() + kBar / 2 + (row - chosen - 1) * tall;
    return {place.left, top, place.width, tall};
}

int CellColumns::unitAt(double y) const {
    const QRectF all = strips();
    const double tall = (all.height() - kBar) / (m_picture->units() - 1);
    const int chosen = m_picture->rowOf(m_picture->unit());
    double row = chosen;
    if (y < bar() - kBar / 2) row = std::floor((y - all.top()) / tall);
    if (y > bar() + kBar / 2) row = chosen + 1 + std::floor((y - bar() - kBar / 2) / tall);
    return m_picture->order()[static_cast<size_t>(std::clamp(row, 0.0, m_picture->units() - 1.0))];
}

QString CellColumns::numberOf(size_t column) const {
    const double value = m_picture->columns()[column].values[static_cast<size_t>(m_picture->unit())];
    const bool large = std::abs(value) >= 9.9995;
    return formatNumber(value, (columnPlace(column).width >= kColumnsRoomy ? 3 : 2) - (large ? 1 : 0));
}

QColor CellColumns::colorOf(const Theme& t, const CellColumn& column, double value) const {
    if (column.range == CellColumn::Range::Share) return t.sequential(value);
    const double most = column.range == CellColumn::Range::Squashed ? 1 : kMost;
    return t.diverging(std::clamp(value, -most, most), most);
}

int CellColumns::columnOf(CellColumn::Kind kind) const {
    const auto found = std::ranges::find(m_picture->layout(), kind, &CellPicture::Column::kind);
    return found == m_picture->layout().end() ? -1 : static_cast<int>(found - m_picture->layout().begin());
}

void CellColumns::choose(double y) {
    const QRectF all = strips();
    if (y < all.top() || y > all.bottom()) return;
    const int unit = unitAt(y);
    if (unit != m_picture->unit()) emit unitChosen(unit);
}

void CellColumns::move(int rows) {
    const int row = std::clamp(m_picture->rowOf(m_picture->unit()) + rows, 0, m_picture->units() - 1);
    const int unit = m_picture->order()[static_cast<size_t>(row)];
    if (unit != m_picture->unit()) emit unitChosen(unit);
}

void CellColumns::mousePressEvent(QMouseEvent* event) {
    if (m_picture) choose(event->position().y());
}

void CellColumns::mouseMoveEvent(QMouseEvent* event) {
    if (m_picture && event->buttons() & Qt::LeftButton) choose(event->position().y());
}

/// Comma and full stop go through the words here, not through the timeline.
bool CellColumns::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Comma || key == Qt::Key_Period) event->accept();
    }
    return QWidget::event(event);
}

void CellColumns::keyPressEvent(QKeyEvent* event) {
    if (!m_picture) return QWidget::keyPressEvent(event);
    constexpr int page = 10;
    switch (event->key()) {
        case Qt::Key_Up:
            return move(-1);
        case Qt::Key_Down:
            return move(1);
        case Qt::Key_PageUp:
            return move(-page);
        case Qt::Key_PageDown:
            return move(page);
        case Qt::Key_Home:
            return move(-m_picture->units());
        case Qt::Key_End:
            return move(m_picture->units());
        case Qt::Key_Comma:
        case Qt::Key_Left:
            return emit wordWanted(-1);
        case Qt::Key_Period:
        case Qt::Key_Right:
            return emit wordWanted(1);
        default:
            return QWidget::keyPressEvent(event);
    }
}

}  // namespace headlight

#include "moc_cell_columns.cpp"
