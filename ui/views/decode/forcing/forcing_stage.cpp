// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/forcing/forcing_stage.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/decode/forcing/forcing_layout.h"

namespace headlight {

using namespace forcing_layout;

ForcingStage::ForcingStage(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("The decoder fed the truth and fed its own words"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void ForcingStage::setPicture(const ForcingPicture& picture) {
    m_picture = picture;
    m_chosen = std::min(m_chosen, std::max<size_t>(1, m_picture.steps()) - 1);
    layOut();
    setAccessibleDescription(spoken());
    viewport()->update();
}

void ForcingStage::setChosen(size_t step) {
    m_chosen = std::min(step, std::max<size_t>(1, m_picture.steps()) - 1);
    bringIntoSight();
    setAccessibleDescription(spoken());
    viewport()->update();
}

void ForcingStage::bringIntoSight() {
    const double left = xOf(m_chosen), right = left + pitch();
    QScrollBar* const scroll = horizontalScrollBar();
    if (left < kLabels) scroll->setValue(scroll->value() - static_cast<int>(kLabels - left));
    if (right > viewport()->width()) scroll->setValue(scroll->value() + static_cast<int>(right - viewport()->width()));
}

QString ForcingStage::spoken() const {
    const auto told = [&](const std::vector<ForcingPicture::Step>& steps) {
        if (m_chosen >= steps.size()) return tr("nothing");
        const ForcingPicture::Step& step = steps[m_chosen];
        return tr("reads %1, writes %2, %3").arg(step.reads, step.writes, step.isRight ? tr("right") : tr("wrong"));
    };
    return tr("Word %1. Fed the truth: %2. Fed its own words: %3.")
        .arg(m_chosen + 1)
        .arg(told(m_picture.forced), told(m_picture.free));
}

double ForcingStage::pitch() const {
    const auto steps = static_cast<double>(std::max<size_t>(1, m_picture.steps()));
    return std::clamp((viewport()->width() - kLabels - kBehind) / steps, kLeastPitch, kPitch);
}

double ForcingStage::xOf(size_t step) const {
    return kLabels + pitch() * static_cast<double>(step) - horizontalScrollBar()->value();
}

QRectF ForcingStage::boxOf(bool isFree, Row row, size_t step) const {
    const double x = xOf(step), wide = pitch() - kBetween, top = isFree ? kFree : kForced;
    switch (row) {
        case Row::Bars:
            return {x, top, wide, kBars};
        case Row::Writes:
            return {x, top + kWrites, wide, kWord};
        case Row::Cells:
            return {x + wide / 2 - kCellWide / 2, top + kCells, kCellWide, kCell};
        case Row::Reads:
            return {x, top + kReads, wide, kWord};
    }
    return {};
}

QRectF ForcingStage::truthBox(size_t step) const {
    return {xOf(step), kTruth + 5, pitch() - kBetween, kWord};
}

QRectF ForcingStage::apartBox(size_t step) const {
    return {xOf(step), kApart, pitch() - kBetween, kApartHigh};
}

QSize ForcingStage::sizeHint() const {
    const bool scrolls = horizontalScrollBar()->maximum() > 0;
    return {760, kHeight + (scrolls ? horizontalScrollBar()->sizeHint().height() + 2 : 0)};
}

void ForcingStage::layOut() {
    const double room = viewport()->width() - kLabels - kBehind;
    const double wanted = pitch() * static_cast<double>(m_picture.steps());
    const bool scrolled = horizontalScrollBar()->maximum() > 0;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(wanted - room))));
    horizontalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    horizontalScrollBar()->setSingleStep(static_cast<int>(pitch()));
    if (scrolled != (horizontalScrollBar()->maximum() > 0)) updateGeometry();
}

void ForcingStage::resizeEvent(QResizeEvent*) {
    layOut();
    bringIntoSight();
}

int ForcingStage::stepAt(QPointF at) const {
    if (at.x() < kLabels) return -1;
    const auto step = static_cast<int>(std::floor((at.x() - xOf(0)) / pitch()));
    return step >= 0 && step < static_cast<int>(m_picture.steps()) ? step : -1;
}

/// The step whose word is read there by the free decoder, and could be the truth's; −1: none.
int ForcingStage::readAt(QPointF at) const {
    for (size_t step = 1; step < m_picture.free.size() && step < m_picture.truth.size(); ++step)
        if (boxOf(true, Row::Reads, step).contains(at) && at.x() >= kLabels) return static_cast<int>(step);
    return -1;
}

void ForcingStage::mousePressEvent(QMouseEvent* event) {
    const int step = stepAt(event->position()), read = readAt(event->position());
    if (step >= 0) emit stepChosen(step);
    // What is right already needs no truth.
    if (read > 0) {
        const ForcingPicture::Step& each = m_picture.free[static_cast<size_t>(read)];
        if (each.isHanded || !each.readsTruth) emit truthToggled(read);
    }
}

void ForcingStage::mouseMoveEvent(QMouseEvent* event) {
    viewport()->setCursor(stepAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ForcingStage::keyPressEvent(QKeyEvent* event) {
    const auto last = static_cast<int>(m_picture.steps()) - 1, now = static_cast<int>(m_chosen);
    switch (event->key()) {
        case Qt::Key_Left:
            return emit stepChosen(std::max(0, now - 1));
        case Qt::Key_Right:
            return emit stepChosen(std::min(last, now + 1));
        case Qt::Key_Home:
            return emit stepChosen(0);
        case Qt::Key_End:
            return emit stepChosen(last);
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

}  // namespace headlight

#include "moc_forcing_stage.cpp"
