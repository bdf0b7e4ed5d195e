// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/loss/loss_columns.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kScale = 36, kColumnsTop = 34, kChip = 24, kRow = 20, kBottom = 10;
constexpr double kNarrowest = 92, kTight = 84, kWidest = 220, kBar = 56;
constexpr int kFewestRows = 2;
constexpr double kLeastBars = 56;

double mean(const LossShown& shown) {
    return meanLoss(shown.costs, shown.smoothing).smoothed;
}

}  // namespace

LossColumns::LossColumns(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("What each word costs"));
}

void LossColumns::show(std::shared_ptr<const LossShown> shown) {
    m_shown = std::move(shown);
    double largest = 0;
    for (int i = 0; i < count(); ++i)
        if (!m_shown->veil.hidesCost(i))
            largest = std::max(largest, m_shown->costs[static_cast<size_t>(i)].loss(m_shown->smoothing));
    m_most = std::max(4.0, 4 * std::ceil(largest / 4));
    if (count() > 0) setAccessibleDescription(describe(m_shown->chosen));
    layOut();
    viewport()->update();
}

void LossColumns::layOut() {
    const double room = viewport()->width() - kScale;
    // Rather a little tight than that a part of the last one is out of sight.
    const double whole = std::floor(room / std::max(1, count()));
    m_pitch = std::clamp(whole, whole >= kTight ? kTight : kNarrowest, kWidest);
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(count() * m_pitch - room))));
    horizontalScrollBar()->setPageStep(static_cast<int>(room));
    horizontalScrollBar()->setSingleStep(static_cast<int>(m_pitch / 2));
}

int LossColumns::expectedRows() const {
    const double left = viewport()->height() - kColumnsTop - kLeastBars - kChip - 24 - kBottom;
    return std::clamp(static_cast<int>(left / kRow), kFewestRows, LossPicture::likely);
}

QRectF LossColumns::columnRect(int index) const {
    return {kScale + index * m_pitch - horizontalScrollBar()->value(), 1, m_pitch,
            static_cast<double>(viewport()->height()) - 2};
}

double LossColumns::yOf(double loss) const {
    const double bottom = viewport()->height() - kBottom - expectedRows() * kRow - kChip - 24;
    return bottom - (bottom - kColumnsTop) * std::clamp(loss / m_most, 0.0, 1.0);
}

QRectF LossColumns::barRect(int index) const {
    const double middle = columnRect(index).center().x(), width = std::min(kBar, m_pitch - 36);
    const double loss =
        m_shown->veil.hidesCost(index) ? m_most : m_shown->costs[static_cast<size_t>(index)].loss(m_shown->smoothing);
    const double top = yOf(loss);
    return {middle - width / 2, top, width, yOf(0) - top};
}

QRectF LossColumns::sharedRect(int index) const {
    QRectF bar = barRect(index);
    bar.setTop(yOf(m_shown->costs[static_cast<size_t>(index)].othersPart(m_shown->smoothing)));
    return bar;
}

std::vector<WordCost::Likely> LossColumns::expected(int index) const {
    const WordCost& cost = m_shown->costs[static_cast<size_t>(index)];
    std::vector<WordCost::Likely> all = cost.likely;
    all.resize(std::min(all.size(), static_cast<size_t>(expectedRows())));
    if (!all.empty() && std::ranges::find(all, cost.target, &WordCost::Likely::word) == all.end())
        all.back() = {cost.target, std::exp(cost.logProbability)};
    return all;
}

int LossColumns::columnAt(QPointF at) const {
    for (int i = 0; i < count(); ++i)
        if (columnRect(i).contains(at) && at.x() >= kScale && at.x() < viewport()->width()) return i;
    return -1;
}

int LossColumns::rowAt(QPointF at, int column) const {
    const double first = yOf(0) + kChip + 22;
    const int row = static_cast<int>(std::floor((at.y() - first) / kRow));
    return column >= 0 && row >= 0 && row < static_cast<int>(expected(column).size()) ? row : -1;
}

QString LossColumns::describe(int index) const {
    const WordCost& cost = m_shown->costs[static_cast<size_t>(index)];
    if (m_shown->veil.hidesCost(index))
        return tr("“%1”: hidden until you have predicted it").arg(m_shown->picture->target(index));
    return tr("“%1”: p %2, loss %3 = %4 + %5")
        .arg(m_shown->picture->target(index), formatPrecise(std::exp(cost.logProbability)),
             formatPrecise(cost.loss(m_shown->smoothing)), formatPrecise(cost.ownPart(m_shown->smoothing)),
             formatPrecise(cost.othersPart(m_shown->smoothing)));
}

void LossColumns::bringIntoSight() {
    if (count() == 0) return;
    const double begin = m_shown->chosen * m_pitch, page = horizontalScrollBar()->pageStep();
    const int at = horizontalScrollBar()->value();
    if (begin < at || begin + m_pitch > at + page)
        horizontalScrollBar()->setValue(static_cast<int>(begin + m_pitch / 2 - page / 2));
}

void LossColumns::resizeEvent(QResizeEvent*) {
    layOut();
    bringIntoSight();
    emit scrolled();
}

void LossColumns::scrollContentsBy(int, int) {
    viewport()->update();
    emit scrolled();
}

void LossColumns::mousePressEvent(QMouseEvent* event) {
    const int column = columnAt(event->position());
    if (event->button() != Qt::LeftButton || column < 0) return;
    const int row = rowAt(event->position(), column);
    emit chosen(column);
    if (row >= 0) {
        const int word = expected(column)[static_cast<size_t>(row)].word;
        if (m_shown && word != m_shown->costs[static_cast<size_t>(column)].target) emit wordWanted(column, word);
    }
}

void LossColumns::mouseMoveEvent(QMouseEvent* event) {
    viewport()->setCursor(columnAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LossColumns::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (count() == 0 || arrow.right == 0) return QAbstractScrollArea::keyPressEvent(event);
    emit chosen(std::clamp(m_shown->chosen + arrow.right, 0, count() - 1));
}

bool LossColumns::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int column = columnAt(help->pos());
        QToolTip::showText(help->globalPos(), column < 0 ? QString() : describe(column), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void LossColumns::paintEvent(QPaintEvent*) {
    if (count() == 0) return;
    const Theme& t = Theme::of(this);
    QPainter p(viewport());
    p.setRenderHint(QPainter::Antialiasing);
    paintScale(p, t);
    p.save();
    p.setClipRect(QRectF(kScale - 8, 0, viewport()->width() - kScale + 8, viewport()->height()));
    const QRectF chosen = columnRect(m_shown->chosen);
    paint::box(p, chosen, t.nowTint, t.nowLine, 8, 2);
    p.restore();
    paintMean(p, t);
    p.setClipRect(QRectF(kScale - 8, 0, viewport()->width() - kScale + 8, viewport()->height()));
    for (int i = 0; i < count(); ++i) {
        const QRectF column = columnRect(i);
        if (column.right() < 0 || column.left() > viewport()->width()) continue;
        paintColumn(p, t, i);
        paintExpected(p, t, i);
    }
}

void LossColumns::paintScale(QPainter& p, const Theme& t) const {
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = std::round(yOf(m_most * share)) + 0.5;
        p.setPen(QPen(share == 0 ? t.line2 : t.line, 1, share == 0 ? Qt::SolidLine : Qt::DotLine));
        p.drawLine(QPointF(kScale - 8, y), QPointF(viewport()->width(), y));
        paint::centredText(p, {kScale - 14, y}, formatNumber(m_most * share, 0), monoFont(11), t.text3, Anchor::End);
    }
}

void LossColumns::paintMean(QPainter& p, const Theme& t) const {
    if (m_shown->veil.hidesMean()) return;
    const double y = std::round(yOf(mean(*m_shown))) + 0.5;
    p.setPen(QPen(t.text3, 1, Qt::DashLine));
    p.drawLine(QPointF(kScale - 8, y), QPointF(viewport()->width(), y));
}

void LossColumns::paintColumn(QPainter& p, const Theme& t, int index) const {
    const bool on = index == m_shown->chosen;
    const QRectF bar = barRect(index);
    if (m_shown->veil.hidesCost(index))
        HiddenArea::paintCell(p, bar.toAlignedRect(), t);
    else
        paintCost(p, t, index);
    const double width = std::min(96.0, m_pitch - 12);
    const QRectF chip(bar.center().x() - width / 2, yOf(0) + 8, width, kChip);
    paint::box(p, chip, t.surface, on ? t.nowLine : t.decoder, 6);
    const QString target = m_shown->picture->target(index);
    const QFont wordFont = paint::fitting(target, uiFont(13, QFont::DemiBold), width - 10);
    paint::centredText(p, chip.center(), paint::elided(target, wordFont, width - 10), wordFont, on ? t.nowText : t.text,
                       Anchor::Middle);
}

/// The column's two parts, and what they come to.
void LossColumns::paintCost(QPainter& p, const Theme& t, int index) const {
    const bool on = index == m_shown->chosen;
    const QRectF bar = barRect(index), shared = sharedRect(index);
    paint::box(p, bar, on ? t.now : t.sequentialStops[5], {}, 2);
    if (shared.height() > 0) p.fillRect(shared, t.sequentialStops[2]);
    if (shared.height() > 0 && shared.top() > bar.top() + 1)
        p.fillRect(QRectF(shared.left(), shared.top(), shared.width(), 1), t.surface);
    const QString number = formatNumber(m_shown->costs[static_cast<size_t>(index)].loss(m_shown->smoothing));
    const QFont font = monoFont(on ? 13 : 12, on ? QFont::DemiBold : QFont::Medium);
    const QPointF at(bar.center().x(), bar.top() - 11);
    const double half = paint::textWidth(number, font) / 2 + 4;
    p.fillRect(QRectF(at.x() - half, at.y() - 8, 2 * half, 16), on ? t.nowTint : t.bg);
    paint::centredText(p, at, number, font, on ? t.nowText : t.text2, Anchor::Middle);
}

void LossColumns::paintExpected(QPainter& p, const Theme& t, int index) const {
    const WordCost& cost = m_shown->costs[static_cast<size_t>(index)];
    const bool on = index == m_shown->chosen;
    const QRectF column = columnRect(index);
    const double track = std::clamp(m_pitch * (m_pitch < 120 ? 0.24 : 0.32), 20.0, 56.0),
                 left = column.right() - track - 10;
    double y = yOf(0) + kChip + 22 + kRow / 2;
    for (const WordCost::Likely& each : expected(index)) {
        const bool isTarget = each.word == cost.target;
        const QString whole = m_shown->picture->word(index, each.word);
        const double room = left - column.left() - 12;
        const QFont font = paint::fitting(whole, uiFont(12, isTarget ? QFont::DemiBold : QFont::Normal), room);
        const QString word = paint::elided(whole, font, room);
        paint::centredText(p, {left - 8, y}, word, font, isTarget ? t.text : t.text2, Anchor::End);
        paint::box(p, QRectF(left, y - 4, track, 8), on ? t.surface : t.sunken, {}, 2);
        const double width = std::max(1.0, track * each.probability);
        if (m_shown->veil.hidesShare(index, each.word))
            paint::hatch(p, QRectF(left, y - 4, track, 8).toAlignedRect(), t.hatchGround, t.hatch);
        else
            paint::box(p, QRectF(left, y - 4, width, 8), on && isTarget ? t.now : t.sequentialStops[5], {},
                       width > 4 ? 2 : 0);
        y += kRow;
    }
}

}  // namespace headlight

#include "moc_loss_columns.cpp"
