// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/why/why_column_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/views/why/why_layout.h"
#include "ui/widgets/controls/arrow_key.h"

namespace headlight {

using namespace why_layout;

WhyColumnView::WhyColumnView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void WhyColumnView::setColumn(WhyColumn column, int opened, bool isScore) {
    m_column = std::move(column);
    m_opened = opened;
    m_isScore = isScore;
    m_hovered = -1;
    m_factor = m_along = 0;
    for (const WhyColumn::Row& row : m_column.rows) {
        m_factor = std::max(m_factor, std::abs(row.part.factor));
        m_along = std::max(m_along, std::abs(row.part.along));
    }
    setAccessibleName(m_column.title);
    QStringList spoken;
    for (const WhyColumn::Row& row : m_column.rows)
        spoken << QStringLiteral("%1 %2").arg(row.name, formatSigned(row.part.amount, 3));
    spoken << tr("together %1").arg(formatSigned(m_column.sum, 3));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    findLines();
    update();
}

/// As many as there is room for; the opened one is always among them.
void WhyColumnView::findLines() {
    const auto& rows = m_column.rows;
    const double least = !rows.empty() && rows.front().hasProduct ? kLeastProductLine : kLeastLine;
    const auto room = static_cast<size_t>(std::max(3.0, (height() - kHead - kFoot) / least));
    std::vector<int> shown(rows.size());
    std::iota(shown.begin(), shown.end(), 0);
    if (rows.size() > room) {
        const auto before = [&](int a, int b) {
            const auto size = [&](int row) {
                return row == m_opened ? INFINITY : std::abs(rows[static_cast<size_t>(row)].part.amount);
            };
            return size(a) > size(b);
        };
        std::ranges::stable_sort(shown, before);
        shown.resize(room - 1);
        std::ranges::sort(shown);
    }
    m_lines.clear();
    m_low = m_high = 0;
    double at = 0, told = 0;
    const auto add = [&](Line line, double amount) {
        line.from = at;
        line.to = at += amount;
        m_low = std::min(m_low, at);
        m_high = std::max(m_high, at);
        m_lines.push_back(line);
    };
    for (const int row : shown) {
        const double amount = rows[static_cast<size_t>(row)].part.amount;
        told += amount;
        add({.row = row}, amount);
    }
    double all = 0;
    for (const WhyColumn::Row& row : rows)
        all += row.part.amount;
    if (shown.size() < rows.size()) add({.others = static_cast<int>(rows.size() - shown.size())}, all - told);
    m_low = std::min(m_low, m_column.sum);
    m_high = std::max({m_high, m_column.sum, m_low + 1e-6});
    const auto opened = std::ranges::find(m_lines, m_opened, &Line::row);
    m_cursor = m_opened >= 0 && opened != m_lines.end() ? static_cast<int>(opened - m_lines.begin()) : -1;
}

double WhyColumnView::lineHeight() const {
    const double count = static_cast<double>(std::max<size_t>(1, m_lines.size()));
    const double room = height() - kHead - kFoot;
    return std::clamp(room / count, 24.0, mostLine(room));
}

QRectF WhyColumnView::lineRect(size_t line) const {
    return {6, kHead + lineHeight() * static_cast<double>(line), width() - 12.0, lineHeight()};
}

double WhyColumnView::xOf(double value) const {
    const double left = kMargin + 4, right = width() - kNumbers;
    return left + (right - left) * (value - m_low) / (m_high - m_low);
}

QRectF WhyColumnView::barRect(size_t line) const {
    const Line& each = m_lines[line];
    const double from = xOf(each.from), to = xOf(each.to), tall = std::min(kBar, lineHeight() * 0.36);
    return {std::min(from, to), lineRect(line).bottom() - tall - lineHeight() * 0.1, std::max(1.0, std::abs(to - from)),
            tall};
}

QRectF WhyColumnView::sumRect() const {
    const double from = xOf(0), to = xOf(m_column.sum);
    return {std::min(from, to), height() - kFoot + 30, std::max(1.0, std::abs(to - from)), kBar};
}

QRectF WhyColumnView::weightRect(size_t line) const {
    const Line& each = m_lines[line];
    if (each.row < 0 || m_column.rows[static_cast<size_t>(each.row)].part.kind != WhyPart::Kind::Source) return {};
    return {productLeft(width()), lineRect(line).top() + lineHeight() * 0.28 - kBox / 2, boxWidth(width()), kBox};
}

QRectF WhyColumnView::openedRect() const {
    const auto at = std::ranges::find(m_lines, m_opened, &Line::row);
    if (m_opened < 0 || at == m_lines.end()) return {};
    return lineRect(static_cast<size_t>(at - m_lines.begin()));
}

QString WhyColumnView::nameOf(const Line& line) const {
    return line.row < 0 ? tr("%1 others").arg(formatCount(line.others))
                        : m_column.rows[static_cast<size_t>(line.row)].name;
}

int WhyColumnView::lineAt(QPointF at) const {
    for (size_t line = 0; line < m_lines.size(); ++line)
        if (lineRect(line).contains(at)) return static_cast<int>(line);
    return -1;
}

void WhyColumnView::open(int line, bool score) {
    if (line < 0) return;
    const int row = m_lines[static_cast<size_t>(line)].row;
    if (row >= 0 && m_column.rows[static_cast<size_t>(row)].part.opens) emit opened(row, score);
}

void WhyColumnView::resizeEvent(QResizeEvent*) {
    findLines();
}

void WhyColumnView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const int line = lineAt(event->position());
    m_cursor = line;
    open(line, line >= 0 && weightRect(static_cast<size_t>(line)).contains(event->position()));
}

void WhyColumnView::mouseMoveEvent(QMouseEvent* event) {
    const int line = lineAt(event->position());
    const int row = line < 0 ? -1 : m_lines[static_cast<size_t>(line)].row;
    const bool opens = row >= 0 && m_column.rows[static_cast<size_t>(row)].part.opens;
    setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_hovered = opens ? line : -1;
    update();
}

void WhyColumnView::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void WhyColumnView::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    const int last = static_cast<int>(m_lines.size()) - 1;
    if (arrow.down != 0 && last >= 0) {
        m_cursor = std::clamp(m_cursor + arrow.down, 0, last);
        update();
    } else if (arrow.right > 0 || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        open(m_cursor, event->modifiers().testFlag(Qt::ShiftModifier));
    } else if (arrow.right < 0) {
        emit leftWanted();
    } else if (event->key() == Qt::Key_Escape) {
        emit closeWanted();
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool WhyColumnView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = lineAt(help->pos());
    if (line < 0) {
        QToolTip::hideText();
        return true;
    }
    const Line& each = m_lines[static_cast<size_t>(line)];
    QString text = QStringLiteral("%1: %2").arg(nameOf(each), formatPrecise(each.to - each.from));
    if (!weightRect(static_cast<size_t>(line)).isEmpty())
        text += tr("\nOn the weight: the score behind it (Shift+Return)");
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace headlight

#include "moc_why_column_view.cpp"
