// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/head_film.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kFilmLeft = 84;    ///< of the first picture: its rows are named before it
constexpr double kFilmTop = 28;     ///< the step above it
constexpr double kFilmBottom = 30;  ///< the weight below it
constexpr double kLargestCell = 36, kFilmNarrowest = 40, kWidest = 180;
constexpr double kBetween = 18;    ///< at least, between two pictures
constexpr double kRowToName = 12;  ///< rows lower than that have no names, but for the one that is outlined
constexpr double kAround = 8;      ///< the frame of the one that is looked at

}  // namespace

HeadFilm::HeadFilm(HeadsStory* story, QWidget* parent) : QWidget(parent), m_story(story) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Film of one head"));
    setAccessibleDescription(tr("Arrow keys choose a step, Enter looks inside the model of that step."));
    connect(story, &HeadsStory::changed, this, qOverload<>(&QWidget::update));
}

const AttentionBlock& HeadFilm::block() const {
    const HeadsStory::Head& at = m_story->heads()[static_cast<size_t>(m_story->chosen())];
    return m_story->blocks(0)[static_cast<size_t>(at.block)];
}

QSizeF HeadFilm::frameSize() const {
    const AttentionBlock& at = block();
    const double room = height() - kFilmTop - kFilmBottom;
    const double cell = std::min(kLargestCell, std::max(1.0, std::floor(room / at.rows)));
    const double high = std::min(room, cell * at.rows);
    return {std::clamp(cell * at.columns, kFilmNarrowest, kWidest), high};
}

std::vector<int> HeadFilm::shownFrames() const {
    if (m_story->chosen() < 0) return {};
    const double room = width() - kFilmLeft - kAround - 2;
    return m_story->film(std::max(2, static_cast<int>((room + kBetween) / (frameSize().width() + kBetween))));
}

QRectF HeadFilm::frameRect(int place) const {
    const QSizeF size = frameSize();
    const double room = width() - kFilmLeft - kAround - 2;
    const int most = std::max(2, static_cast<int>((room + kBetween) / (size.width() + kBetween)));
    const double pitch = std::min((room - size.width()) / (most - 1), size.width() + 3 * kBetween);
    return {QPointF(std::round(kFilmLeft + place * pitch), kFilmTop), size};
}

QString HeadFilm::caption() const {
    if (m_story->chosen() < 0) return {};
    const HeadsStory::Head& at = m_story->heads()[static_cast<size_t>(m_story->chosen())];
    const HeadsFrame& frame = m_story->frames().front();
    const QString title = blockTitle(block());
    const QString name = tr("%1, head %2.").arg(title.left(1).toLower() + title.mid(1)).arg(at.head + 1);
    const QString why = block().rowsWrite() ? tr("Every frame is fed “%1”, so rows compare").arg(frame.reference)
                                            : tr("Every frame reads “%1”").arg(frame.source);
    return name + u' ' + why;
}

void HeadFilm::paintRows(QPainter& p, const Theme& t) const {
    const AttentionBlock& at = block();
    const Trace& trace = *m_story->frames().front().trace;
    const QStringList rows = rowLabels(trace, at), columns = columnLabels(trace, at);
    const auto [row, column] = m_story->cell();
    const QRectF first = frameRect(0);
    const double high = first.height() / at.rows, right = kFilmLeft - 12;
    for (int i = 0; i < at.rows; ++i) {
        const bool on = i == row;
        if (!on && high < kRowToName) continue;
        const QFont font = uiFont(11, on ? QFont::DemiBold : QFont::Normal);
        paint::centredText(p, {right, first.top() + (i + 0.5) * high}, paint::elided(rows.value(i), font, right), font,
                           on ? t.text : t.text3, Anchor::End);
    }
    const QFont font = uiFont(11, QFont::DemiBold);
    paint::centredText(p, {right, first.bottom() + 14},
                       paint::elided(tr("at %1").arg(columns.value(column)), font, right), font, t.text2, Anchor::End);
}

void HeadFilm::paintFrame(QPainter& p, int place, int frame, const Theme& t) const {
    const bool on = frame == m_story->current();
    const QRectF box = frameRect(place);
    if (on)
        paint::box(p, box.adjusted(-kAround, -kFilmTop + 2, kAround, kFilmBottom - 4), t.nowTint, t.nowLine, 8, 1.5);
    const HeadsFrame& at = m_story->frames()[static_cast<size_t>(frame)];
    const QString step = formatCount(at.step);
    paint::text(p, {box.left(), kFilmTop - 8}, place == 0 ? tr("step %1").arg(step) : step, uiFont(12, QFont::DemiBold),
                on ? t.nowText : t.text);
    const AttentionBlock& shape = block();
    const HeadImage head{m_story->weights(frame, m_story->chosen()), shape.rows, shape.columns, ColorScale::weights(),
                         shape.maskValues()};
    drawHead(p, box, head, t);
    const auto [row, column] = m_story->cell();
    if (row >= shape.rows || column >= shape.columns) return;
    paint::outline(p, headCellRect(box, head, row, column).adjusted(0, 0, -1, -1), on ? t.nowLine : t.text, 2, 1);
    const float weight = head.values[cellIndex(row, column, shape.columns)];
    paint::centredText(p, {box.center().x(), box.bottom() + 14}, formatNumber(weight),
                       monoFont(12, on ? QFont::DemiBold : QFont::Medium), on ? t.nowText : t.text2, Anchor::Middle);
}

void HeadFilm::paintEvent(QPaintEvent*) {
    if (m_story->chosen() < 0) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paintRows(p, t);
    const std::vector<int> frames = shownFrames();
    for (size_t place = 0; place < frames.size(); ++place)
        paintFrame(p, static_cast<int>(place), frames[place], t);
}

HeadFilm::Place HeadFilm::placeAt(QPointF position) const {
    const std::vector<int> frames = shownFrames();
    for (size_t place = 0; place < frames.size(); ++place) {
        const QRectF box = frameRect(static_cast<int>(place));
        if (!box.adjusted(-kAround, -kFilmTop, kAround, kFilmBottom).contains(position)) continue;
        if (!box.contains(position)) return {frames[place], -1, -1};
        const QPointF in = position - box.topLeft();
        return {frames[place], std::min(static_cast<int>(in.y() / box.height() * block().rows), block().rows - 1),
                std::min(static_cast<int>(in.x() / box.width() * block().columns), block().columns - 1)};
    }
    return {};
}

void HeadFilm::mousePressEvent(QMouseEvent* event) {
    const Place place = placeAt(event->position());
    if (place.frame < 0) return;
    if (place.row >= 0) m_story->chooseCell(place.row, place.column);
    m_story->hold(place.frame);
}

void HeadFilm::mouseDoubleClickEvent(QMouseEvent* event) {
    if (placeAt(event->position()).frame >= 0) emit lookInsideRequested();
}

void HeadFilm::keyPressEvent(QKeyEvent* event) {
    const int by = (event->key() == Qt::Key_Right) - (event->key() == Qt::Key_Left);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        emit lookInsideRequested();
    } else if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_End) {
        m_story->release();
    } else if (by != 0 && m_story->chosen() >= 0) {
        const std::vector<int> frames = shownFrames();
        const auto at = std::ranges::find(frames, m_story->current()) - frames.begin();
        const auto to = std::clamp<std::ptrdiff_t>(at + by, 0, static_cast<std::ptrdiff_t>(frames.size()) - 1);
        m_story->hold(frames[static_cast<size_t>(to)]);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool HeadFilm::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Place at = placeAt(help->pos());
    if (at.frame < 0 || at.row < 0) {
        QToolTip::hideText();
        return true;
    }
    const HeadsFrame& frame = m_story->frames()[static_cast<size_t>(at.frame)];
    const float weight = m_story->weights(at.frame, m_story->chosen())[cellIndex(at.row, at.column, block().columns)];
    QToolTip::showText(help->globalPos(),
                       tr("Step %1: “%2” looking at “%3”, %4")
                           .arg(formatCount(frame.step), rowLabels(*frame.trace, block()).value(at.row),
                                columnLabels(*frame.trace, block()).value(at.column), formatPrecise(weight)),
                       this);
    return true;
}

}  // namespace headlight

#include "moc_head_film.cpp"
