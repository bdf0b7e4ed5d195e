// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search/hypothesis_table.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kRow = 32;
constexpr double kHead = 26;
constexpr double kScore = 56, kLength = 28, kLogProb = 52;  ///< as wide as their numbers and a gap
constexpr int kMostLines = 4;
}  // namespace

HypothesisTable::HypothesisTable(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Hypotheses"));
}

void HypothesisTable::setRows(std::vector<Row> rows) {
    m_rows = std::move(rows);
    m_current = 0;
    QStringList spoken;
    for (const Row& row : m_rows)
        spoken << tr("%1, score %2").arg(row.text, formatNumber(row.score, 3));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    layRows();
    update();
}

double HypothesisTable::textWidth() const {
    return width() - 8 - kScore - kLength - kLogProb - 12;
}

QString HypothesisTable::textOf(int row) const {
    const Row& it = m_rows[static_cast<size_t>(row)];
    if (it.finished) return it.text.isEmpty() ? tr("nothing: it ends at once") : it.text;
    return tr("%1 …").arg(it.text);
}

QFont HypothesisTable::fontOf(int row) {
    return uiFont(13, row == 0 ? QFont::DemiBold : QFont::Normal);
}

/// Each as high as its own words need.
void HypothesisTable::layRows() {
    m_tops.assign(1, kHead);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        const QFontMetricsF metrics(fontOf(row));
        const QRectF words =
            metrics.boundingRect(QRectF(0, 0, std::max(40.0, textWidth()), 1000), Qt::TextWordWrap, textOf(row));
        const double lines = std::clamp<double>(std::round(words.height() / metrics.lineSpacing()), 1, kMostLines);
        m_tops.push_back(m_tops.back() + kRow + (lines - 1) * std::ceil(metrics.lineSpacing()));
    }
    setFixedHeight(sizeHint().height());
}

QRectF HypothesisTable::rowRect(int row) const {
    const double top = m_tops[static_cast<size_t>(row)];
    return {0, top, static_cast<double>(width()), m_tops[static_cast<size_t>(row) + 1] - top};
}

void HypothesisTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layRows();
}

QSize HypothesisTable::sizeHint() const {
    return {340, static_cast<int>(m_rows.empty() ? kHead + kRow : std::ceil(m_tops.back()))};
}

void HypothesisTable::mousePressEvent(QMouseEvent* event) {
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        if (rowRect(row).contains(event->position())) return emit chosen(row);
}

void HypothesisTable::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_rows.size()) - 1;
    if (last >= 0 && (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)) {
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Down ? 1 : -1), 0, last);
        emit chosen(m_current);
        return update();
    }
    QWidget::keyPressEvent(event);
}

void HypothesisTable::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double right = width() - 8, length = right - kScore, logProb = length - kLength;
    const QFont head = uiFont(12);
    paint::centredText(p, {8, kHead / 2}, tr("Hypothesis"), head, t.text3);
    paint::centredText(p, {logProb, kHead / 2}, tr("log P"), head, t.text3, Anchor::End);
    paint::centredText(p, {length, kHead / 2}, QStringLiteral("|y|"), head, t.text3, Anchor::End);
    paint::centredText(p, {right, kHead / 2}, tr("score"), head, t.text3, Anchor::End);
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const Row& row = m_rows[static_cast<size_t>(i)];
        const QRectF box = rowRect(i);
        if (i == 0) paint::box(p, box.adjusted(0, 1, 0, -1), t.nowTint, t.nowLine, 6);
        if (hasFocus() && i == m_current && i > 0) paint::box(p, box.adjusted(0, 1, 0, -1), t.sunken, {}, 6);
        const double y = box.center().y();
        p.setFont(fontOf(i));
        p.setPen(t.text);
        p.drawText(QRectF(8, box.top(), textWidth(), box.height()), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
                   textOf(i));
        const QFont number = monoFont(12);
        paint::centredText(p, {logProb, y}, formatNumber(row.logProb, 3), number, t.text2, Anchor::End);
        paint::centredText(p, {length, y}, QString::number(row.length), number, t.text2, Anchor::End);
        paint::centredText(p, {right, y}, formatNumber(row.score, 3), monoFont(12, QFont::DemiBold),
                           i == 0 ? t.nowText : t.text, Anchor::End);
    }
}

}  // namespace headlight

#include "moc_hypothesis_table.cpp"
