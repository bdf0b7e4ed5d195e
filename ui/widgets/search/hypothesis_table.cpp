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
constexpr double kScore = 62, kLength = 36, kLogProb = 66;
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
    setFixedHeight(sizeHint().height());
    update();
}

double HypothesisTable::textWidth() const {
    return width() - 8 - kScore - kLength - kLogProb - 12;
}

double HypothesisTable::rowHeight() const {
    double most = 1;
    for (const Row& row : m_rows)
        most = std::max(most, std::ceil(paint::textWidth(row.text, uiFont(13, QFont::DemiBold)) * 1.15 / textWidth()));
    return kRow + (std::min(most, 4.0) - 1) * 16;
}

void HypothesisTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setFixedHeight(sizeHint().height());
}

QSize HypothesisTable::sizeHint() const {
    return {340, static_cast<int>(kHead + rowHeight() * static_cast<double>(std::max<size_t>(1, m_rows.size())))};
}

void HypothesisTable::mousePressEvent(QMouseEvent* event) {
    const int row = static_cast<int>((event->position().y() - kHead) / rowHeight());
    if (event->position().y() >= kHead && row < static_cast<int>(m_rows.size())) emit chosen(row);
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
        const QRectF box(0, kHead + rowHeight() * i, width(), rowHeight());
        if (i == 0) paint::box(p, box.adjusted(0, 1, 0, -1), t.nowTint, t.nowLine, 6);
        if (hasFocus() && i == m_current && i > 0) paint::box(p, box.adjusted(0, 1, 0, -1), t.sunken, {}, 6);
        const double y = box.center().y();
        const QFont words = uiFont(13, i == 0 ? QFont::DemiBold : QFont::Normal);
        const QString text = row.finished ? row.text : tr("%1 …").arg(row.text);
        p.setFont(words);
        p.setPen(t.text);
        p.drawText(QRectF(8, box.top(), textWidth(), box.height()), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
                   text);
        const QFont number = monoFont(12);
        paint::centredText(p, {logProb, y}, formatNumber(row.logProb, 3), number, t.text2, Anchor::End);
        paint::centredText(p, {length, y}, QString::number(row.length), number, t.text2, Anchor::End);
        paint::centredText(p, {right, y}, formatNumber(row.score, 3), monoFont(12, QFont::DemiBold),
                           i == 0 ? t.nowText : t.text, Anchor::End);
    }
}

}  // namespace headlight

#include "moc_hypothesis_table.cpp"
