// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/film_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextLayout>
#include <QWheelEvent>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/attention_block.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kPitch = 138;
constexpr double kInset = 10;
constexpr double kStripLargest = 320, kWordsBelow = 112;  ///< side of a picture; what stands above and below it
constexpr double kLine = 17;
constexpr size_t kMostFrames = 300;

/// The sentence in at most `most` lines of `width`; the last ends in an ellipsis when there is more.
QStringList wrapped(const QString& text, const QFont& font, double width, int most) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const QString rest = text.mid(line.textStart());
        if (lines.size() + 1 == most) {
            lines << paint::elided(rest, font, width);
            break;
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

}  // namespace

FilmStrip::FilmStrip(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("The probe sentence through training"));
    setAccessibleDescription(tr("Arrow keys choose a moment of training."));
}

void FilmStrip::append(const ProbeFrame& frame) {
    const bool follows = m_current == count() - 1;
    if (!m_frames.empty() && m_frames.back().step == frame.step)
        m_frames.back() = frame;
    else
        m_frames.push_back(frame);
    if (m_frames.size() > kMostFrames) thinOut();
    if (follows) setCurrent(count() - 1);
    update();
}

/// The oldest step where the run only rested goes; where there is none, every second frame.
void FilmStrip::thinOut() {
    const int shown = currentStep();
    const auto rested = std::ranges::find(m_frames, ProbeFrame::Kind::Resting, &ProbeFrame::kind);
    if (rested != m_frames.end()) {
        m_frames.erase(rested);
    } else {
        size_t number = 0;
        std::erase_if(m_frames, [&number](const ProbeFrame&) { return number++ % 2 == 1; });
    }
    const auto after = std::ranges::upper_bound(m_frames, shown, {}, &ProbeFrame::step);
    setCurrent(static_cast<int>(after - m_frames.begin()) - 1);
}

void FilmStrip::cutBack(int step) {
    std::erase_if(m_frames, [step](const ProbeFrame& frame) {
        return frame.step > step || frame.kind == ProbeFrame::Kind::Resting;
    });
    setCurrent(count() - 1);
}

size_t FilmStrip::bytes() const {
    size_t all = m_frames.capacity() * sizeof(ProbeFrame);
    for (const ProbeFrame& frame : m_frames)
        if (frame.trace)
            for (const TraceRecord& record : frame.trace->records())
                all += sizeof(TraceRecord) + record.values.size() * sizeof(float);
    return all;
}

void FilmStrip::clear() {
    m_frames.clear();
    m_current = -1;
    m_first = 0;
    update();
}

void FilmStrip::setCell(int row, int column) {
    m_row = row;
    m_column = column;
    update();
}

void FilmStrip::setHead(int head) {
    m_head = head;
    update();
}

void FilmStrip::showStep(int step) {
    for (int i = count() - 1; i >= 0; --i)
        if (m_frames[static_cast<size_t>(i)].step <= step) return setCurrent(i);
}

void FilmStrip::setCurrent(int index) {
    m_current = std::clamp(index, -1, count() - 1);
    const int last = std::max(0, count() - visibleCount());
    if (m_current < m_first) m_first = std::max(0, m_current);
    if (m_current >= m_first + visibleCount()) m_first = m_current - visibleCount() + 1;
    m_first = std::min(m_first, last);
    update();
}

/// As large as the height allows: fewer pictures are then seen at once.
double FilmStrip::side() const {
    return std::min(kStripLargest, height() - kWordsBelow);
}

int FilmStrip::visibleCount() const {
    return std::max(1, static_cast<int>(width() / std::max(kPitch, side() + 2 * kInset + 4)));
}

QRectF FilmStrip::frameRect(int index) const {
    const double pitch = width() / static_cast<double>(visibleCount());
    return {(index - m_first) * pitch, 0, pitch - 4, static_cast<double>(height())};
}

AttentionBlock FilmStrip::shownBlock(const ProbeFrame& frame) const {
    const std::vector<AttentionBlock> blocks =
        frame.trace ? attentionBlocks(*frame.trace) : std::vector<AttentionBlock>();
    return blocks.empty() ? AttentionBlock{} : blocks.back();
}

QString FilmStrip::caption() const {
    if (m_current < 0) return {};
    const ProbeFrame& frame = m_frames[static_cast<size_t>(m_current)];
    const AttentionBlock block = shownBlock(frame);
    if (!block.weights) return {};
    QString place =
        tr("%1, head %2, coloured from 0 to 1.").arg(blockTitle(block)).arg(std::min(m_head, block.heads - 1) + 1);
    const QString row = rowLabels(*frame.trace, block).value(m_row);
    const QString column = columnLabels(*frame.trace, block).value(m_column);
    // An early translation may be too short to have that row.
    if (row.isEmpty() || column.isEmpty()) return place;
    return place + QLatin1Char(' ') + tr("Outlined: “%1” looking at “%2”.").arg(row, column);
}

void FilmStrip::paintFrame(QPainter& p, int index, const Theme& t) const {
    const ProbeFrame& frame = m_frames[static_cast<size_t>(index)];
    const QRectF at = frameRect(index);
    const bool on = index == m_current;
    if (on) paint::box(p, at, t.nowTint, t.nowLine, 8, 1.5);
    const double left = at.left() + kInset;
    paint::text(p, {left, 20}, tr("Step %1").arg(formatCount(frame.step)), uiFont(12, QFont::DemiBold),
                on ? t.nowText : t.text);

    const QRectF box(left, 32, side(), side());
    const AttentionBlock block = shownBlock(frame);
    if (block.weights) {
        const HeadImage head{block.headWeights(std::min(m_head, block.heads - 1)), block.rows, block.columns,
                             ColorScale::weights(), block.maskValues()};
        drawHead(p, box, head, t);
        if (m_row < block.rows && m_column < block.columns) {
            paint::outline(p, headCellRect(box, head, m_row, m_column).adjusted(0, 0, -1, -1), on ? t.text : t.nowLine,
                           2, 1);
            const float weight = head.values[cellIndex(m_row, m_column, block.columns)];
            // Below three lines of words: at the foot of a tall frame it would stand far from its picture.
            paint::text(p, {left, std::min(at.bottom() - 10, box.bottom() + 24 + 3 * kLine)},
                        tr("weight %1").arg(formatNumber(weight)), monoFont(11), on ? t.nowText : t.text3);
        }
    }
    const QFont font = uiFont(12, on ? QFont::DemiBold : QFont::Medium);
    const bool silent = frame.translation.trimmed().isEmpty();
    const QStringList lines =
        wrapped(silent ? tr("(ends at once)") : frame.translation, font, at.width() - 2 * kInset, 3);
    const int fitting = std::max(1, static_cast<int>((at.height() - box.bottom() - 32) / kLine));
    for (int i = 0; i < std::min<int>(fitting, static_cast<int>(lines.size())); ++i)
        paint::text(p, {left, box.bottom() + 20 + i * kLine}, lines[i], font, silent ? t.text3 : t.text);
}

void FilmStrip::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_frames.empty())
        return paint::centredText(
            p, QRectF(rect()).center(),
            tr("While training runs, the probe sentence is translated again and again; each time is a picture here."),
            uiFont(12), t.text3, Anchor::Middle);
    for (int i = m_first; i < std::min(count(), m_first + visibleCount()); ++i)
        paintFrame(p, i, t);
}

void FilmStrip::mousePressEvent(QMouseEvent* event) {
    for (int i = m_first; i < std::min(count(), m_first + visibleCount()); ++i) {
        if (!frameRect(i).contains(event->position())) continue;
        setCurrent(i);
        emit frameSelected(i);
    }
}

void FilmStrip::resizeEvent(QResizeEvent*) {
    setCurrent(m_current);
}

void FilmStrip::wheelEvent(QWheelEvent* event) {
    const int delta = event->angleDelta().y() + event->angleDelta().x();
    const int first = std::clamp(m_first - (delta > 0 ? 1 : -1), 0, std::max(0, count() - visibleCount()));
    if (first == m_first) return event->ignore();  // at its end the page scrolls on
    m_first = first;
    update();
}

void FilmStrip::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0 || m_frames.empty()) return QWidget::keyPressEvent(event);
    setCurrent(std::max(0, m_current + step));
    emit frameSelected(m_current);
}

}  // namespace headlight

#include "moc_film_strip.cpp"
