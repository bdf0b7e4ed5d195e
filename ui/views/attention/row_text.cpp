// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/row_text.h"

#include <QMouseEvent>
#include <QPainter>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kRowHeight = 24, kLine = 28, kBeside = 10, kGap = 3, kEdge = 2;

}  // namespace

RowText::RowText(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("The text, shaded by the weights of one word"));
}

std::vector<QRectF> RowText::flow(double width) const {
    std::vector<QRectF> boxes;
    double x = kEdge, y = kEdge;
    for (const QString& word : m_row.words) {
        const double box = std::min(paint::textWidth(word, uiFont(12, QFont::DemiBold)) + kBeside, width - 2 * kEdge);
        if (x > kEdge && x + box > width - kEdge) {
            x = kEdge;
            y += kLine;
        }
        boxes.emplace_back(x, y, box, kRowHeight);
        x += box + kGap;
    }
    return boxes;
}

void RowText::place() {
    m_boxes = flow(width());
    setFixedHeight(heightForWidth(width()));
    update();
}

int RowText::heightForWidth(int width) const {
    const std::vector<QRectF> boxes = flow(width);
    return boxes.empty() ? 0 : static_cast<int>(boxes.back().bottom() + kEdge);
}

void RowText::setRow(Row row) {
    m_row = std::move(row);
    place();
}

void RowText::resizeEvent(QResizeEvent* event) {
    if (event->size().width() != event->oldSize().width()) place();
}

void RowText::mousePressEvent(QMouseEvent* event) {
    for (size_t i = 0; i < m_boxes.size(); ++i)
        if (m_boxes[i].contains(event->position())) return emit wordChosen(static_cast<int>(i));
}

void RowText::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    for (size_t i = 0; i < m_boxes.size(); ++i) {
        const QRectF& box = m_boxes[i];
        const int word = static_cast<int>(i);
        const bool isLeftOut = m_row.firstLeftOut && i == 0, isClosed = m_row.closed[i] != 0;
        const QColor fill = t.sequential(static_cast<double>(m_row.weights[i]));
        QColor color = Theme::onColor(fill);
        if (isLeftOut) {
            paint::hatch(p, box, t.hatchGround, t.hatch);
            paint::box(p, box.adjusted(4, 5, -4, -5), t.hatchGround, {}, 3);
            color = t.text2;
        } else if (isClosed) {
            color = t.text3;
        } else {
            paint::box(p, box, fill, {}, 4);
        }
        if (word == m_row.looks) paint::box(p, box, {}, t.query, 4, 2);
        if (word == m_row.lookedAt) paint::box(p, box.adjusted(-1, -1, 1, 1), {}, t.nowLine, 5, 2);
        const bool strong = word == m_row.looks || word == m_row.lookedAt;
        const QString name = m_row.words.value(word);
        const QFont font = paint::fitting(name, uiFont(12, strong ? QFont::DemiBold : QFont::Medium), box.width() - 4);
        paint::centredText(p, box.center(), paint::elided(name, font, box.width() - 4), font, color, Anchor::Middle);
    }
}

}  // namespace headlight

#include "moc_row_text.cpp"
