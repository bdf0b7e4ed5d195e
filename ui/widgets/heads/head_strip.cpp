// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/head_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/widgets/heads/line_mark.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kInset = 8;    ///< from the tile's frame to its cells
constexpr double kBeside = 28;  ///< of the pitch that is not cells
constexpr double kAbove = 32;   ///< title
constexpr double kBelow = 52;   ///< entropy bar, its number, and what is found of the head
constexpr double kStripLargestPitch = 168;
constexpr double kNarrowestMarked = 60;
constexpr double kStripSmallestPitch = 72;  ///< below it the heads take two lines
constexpr double kNamed = 44;               ///< name and finding, without a picture
constexpr double kNameAlone = 28;           ///< where nothing is found of any head
constexpr double kStripLine = 13;           ///< of what is found, where it takes two
constexpr double kMuteSign = 16;            ///< at the right of the name of a silent head
constexpr double kBeyond = 8;               ///< what is found may be wider than the cells

QFont noteFont() {
    return uiFont(11, QFont::Medium);
}

/// "alignment" and "100 %", "4.0" and "words off".
QStringList inTwo(const QString& note) {
    auto at = std::ranges::find_if(note, [](QChar c) { return c.isDigit(); }) - note.begin();
    if (at == 0 || at == note.size()) at = note.indexOf(u' ');
    return {note.left(at).trimmed(), at < 0 ? QString() : note.mid(at).trimmed()};
}

}  // namespace

HeadStrip::HeadStrip(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    // Not fixed: a layout remembers how high that was, and cuts off a second line that a narrower strip takes.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Heads of this block"));
    m_muting.setDuration(motion::kReflow);
    m_muting.setEasingCurve(QEasingCurve::InOutCubic);
    m_muting.setStartValue(0.0);
    m_muting.setEndValue(1.0);
    connect(&m_muting, &QVariantAnimation::valueChanged, this, &HeadStrip::showMuting);
}

void HeadStrip::showMuting() {
    for (size_t i = 0; i < m_heads.size() && i < m_changed.size(); ++i)
        m_heads[i].muting = m_changed[i] ? m_muting.currentValue().toDouble() : 1;
    update();
}

void HeadStrip::setHeads(std::vector<HeadImage> heads, std::vector<double> entropies, double maximum,
                         QStringList notes) {
    const bool sameCount = heads.size() == m_heads.size();
    keepPictures(heads, m_heads);
    m_cursor = std::min(m_cursor, std::max(0, static_cast<int>(heads.size()) - 1));
    std::vector<char> changed;
    for (size_t i = 0; sameCount && i < heads.size(); ++i)
        changed.push_back(heads[i].muted != m_heads[i].muted ? 1 : 0);
    m_heads = std::move(heads);
    if (isVisible() && !motion::isReduced() && std::ranges::count(changed, 1) > 0) {
        m_changed = std::move(changed);
        m_muting.start();
    } else if (m_muting.state() == QVariantAnimation::Running) {
        showMuting();  // told again on the way
    }
    const int before = heightForWidth(width());
    m_entropies = std::move(entropies);
    m_maximum = maximum;
    m_notes = std::move(notes);
    if (!sameCount || heightForWidth(width()) != before) updateGeometry();
    update();
}

void HeadStrip::setSelected(const std::vector<int>& heads) {
    if (heads.size() == 1) m_cursor = heads.front();
    m_selected = heads;
    QStringList told;
    for (const int head : heads)
        told << tr("Head %1").arg(head + 1);
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    update();
}

void HeadStrip::setMarked(std::vector<int> heads) {
    m_marked = std::move(heads);
    update();
}

void HeadStrip::setFilled(double share) {
    for (HeadImage& head : m_heads)
        head.filled = share < 1 ? static_cast<long>(share * head.rows * head.columns) : -1;
    update();
}

void HeadStrip::setEcho(int row, int column) {
    m_echoRow = row;
    m_echoColumn = column;
    update();
}

void HeadStrip::setPictured(bool pictured) {
    if (std::exchange(m_pictured, pictured) == pictured) return;
    updateGeometry();
    update();
}

HeadStrip::Tiling HeadStrip::tiling(int width) const {
    const int heads = std::max<int>(1, static_cast<int>(m_heads.size()));
    if (m_pictured) return tilingWithPictures(width);
    const double pitch = std::floor(std::min(kStripLargestPitch, static_cast<double>(width) / heads));
    const double side = pitch - 2 * kInset - 4;
    const bool findsNothing = std::ranges::all_of(m_notes, &QString::isEmpty);
    return {heads, pitch, side, findsNothing ? kNameAlone : kNamed + (breaksNotes(side) ? kStripLine : 0)};
}

/// Is what is found of a head too wide for one line?
bool HeadStrip::breaksNotes(double side) const {
    return std::ranges::any_of(
        m_notes, [&](const QString& note) { return paint::textWidth(note, noteFont()) > side + kBeyond; });
}

HeadStrip::Tiling HeadStrip::tilingWithPictures(int width) const {
    const int heads = std::max<int>(1, static_cast<int>(m_heads.size()));
    const int lines = width < kStripSmallestPitch * heads ? 2 : 1;
    const int perLine = (heads + lines - 1) / lines;
    const double pitch = std::floor(std::min(kStripLargestPitch, (width + kBeside - 16.0) / perLine));
    const double side = std::clamp(pitch - kBeside, 36.0, lines > 1 ? 72.0 : 124.0);
    return {perLine, pitch, side, side + kAbove + kBelow + (breaksNotes(side) ? kStripLine : 0)};
}

int HeadStrip::heightOf(const Tiling& t) const {
    const int lines = (static_cast<int>(m_heads.size()) + t.perLine - 1) / t.perLine;
    return static_cast<int>(std::max(1, lines) * t.height);
}

int HeadStrip::heightForWidth(int width) const {
    return heightOf(tiling(width));
}

int HeadStrip::heightWithPictures(int width) const {
    return heightOf(tilingWithPictures(width));
}

QRectF HeadStrip::imageRect(int head) const {
    const Tiling t = tiling(width());
    const int line = head / t.perLine;
    if (!m_pictured) return {kInset + head * t.pitch, t.height, t.side, 0};
    return {kInset + (head % t.perLine) * t.pitch, kAbove + line * t.height, t.side, t.side};
}

QRectF HeadStrip::tileRect(int head) const {
    const QRectF image = imageRect(head);
    const double height = tiling(width()).height;
    return m_pictured ? image.adjusted(-kInset, -kAbove + 1, kInset, height - image.height() - kAbove - 6)
                      : image.adjusted(-kInset, -height + 1, kInset, -1);
}

int HeadStrip::headAt(QPointF position) const {
    for (int head = 0; head < static_cast<int>(m_heads.size()); ++head)
        if (tileRect(head).contains(position)) return head;
    return -1;
}

/// Name, mark of its lines, and whether it is muted.
void HeadStrip::paintName(QPainter& p, int head, const Theme& t) const {
    const HeadImage& image = m_heads[static_cast<size_t>(head)];
    const QRectF box = imageRect(head), tile = tileRect(head);
    const double middle = tile.top() + (m_pictured ? 17 : 14);
    const auto chosen = std::ranges::find(m_selected, head);
    if (chosen != m_selected.end())
        paint::box(p, tile, t.surface, chosen == m_selected.begin() ? t.nowLine : t.text2, 8, 2);
    else if (head == m_hovered)
        paint::box(p, tile, t.sunken, {}, 8);
    const QFont font = uiFont(12, QFont::DemiBold);
    const QString whole = tr("Head %1").arg(head + 1);
    const double room = box.width() + 4 - (image.muted ? kMuteSign + 2 : 0);
    const QString name = paint::textWidth(whole, font) <= room ? whole : QString::number(head + 1);
    paint::centredText(p, {box.left(), middle}, name, font, image.muted ? t.text3 : t.text);
    const auto mark = std::ranges::find(m_marked, head);
    if (mark != m_marked.end() && box.width() >= kNarrowestMarked) {
        p.setPen(linePen(static_cast<int>(mark - m_marked.begin()), 2.5, 1, t));
        const double right = box.right() - (image.muted ? 20 : 0);
        p.drawLine(QPointF(right - 18, middle), QPointF(right, middle));
    }
    if (hasFocus() && head == m_cursor && m_cursor != m_selected.front()) paint::outline(p, tile, t.ink, 1, 8);
    if (image.muted)
        drawIcon(p, Icon::Mute, {box.right() - kMuteSign, middle - kMuteSign / 2, kMuteSign, kMuteSign}, t.bad);
}

/// Where one line has no room for what is found of the heads, all of them take two, the last of which ends there.
void HeadStrip::paintNote(QPainter& p, int head, QPointF end, const QColor& ink) const {
    const double side = imageRect(head).width(), room = side + kBeyond;
    const QString note = m_notes.value(head);
    if (!breaksNotes(side)) return paint::text(p, end, note, noteFont(), ink);
    // Smaller, and a little to the left, before it is cut or touches the frame.
    const QStringList lines = inTwo(note);
    const bool isTight = paint::textWidth(lines[0], noteFont()) > side + kBeyond / 2;
    const QFont font = isTight ? uiFont(10, QFont::Medium) : noteFont();
    if (isTight) end.rx() -= 3;
    paint::text(p, end - QPointF(0, kStripLine), paint::elided(lines[0], font, room), font, ink);
    paint::text(p, end, paint::elided(lines[1], font, room), font, ink);
}

void HeadStrip::paintTile(QPainter& p, int head, const Theme& t) const {
    const HeadImage& image = m_heads[static_cast<size_t>(head)];
    const QRectF box = imageRect(head);
    paintName(p, head, t);
    if (!m_pictured) {
        if (image.revealed) paintNote(p, head, {box.left(), box.bottom() - 9}, t.text2);
        return;
    }
    drawHead(p, box, image, t);
    if (!image.revealed) return;
    const double entropy = m_entropies[static_cast<size_t>(head)];
    paint::box(p, {box.left(), box.bottom() + 8, box.width(), 4}, t.line, {}, 2);
    const double share = m_maximum > 0 ? std::clamp(entropy / m_maximum, 0.0, 1.0) : 0;
    paint::box(p, {box.left(), box.bottom() + 8, box.width() * share, 4}, image.muted ? t.line2 : t.text2, {}, 2);
    paint::text(p, {box.left(), box.bottom() + 26}, tr("%1 bit").arg(formatNumber(entropy)), monoFont(11), t.text3);
    paintNote(p, head, {box.left(), tileRect(head).bottom() - 6}, t.text);
    if (m_echoRow < 0 || m_echoRow >= image.rows || m_echoColumn >= image.columns) return;
    const QRectF cell = headCellRect(box, image, m_echoRow, m_echoColumn);
    QColor color = t.text;
    if (image.muted) color.setAlphaF(0.4F);
    paint::outline(p, cell.adjusted(0, 0, -1, -1), color, cell.width() < 9 ? 1 : 2);
}

void HeadStrip::paintEvent(QPaintEvent*) {
    QPainter p(this);
    for (int head = 0; head < static_cast<int>(m_heads.size()); ++head)
        paintTile(p, head, Theme::of(this));
}

void HeadStrip::mousePressEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (head < 0) return;
    m_cursor = head;
    if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
        emit headToggled(head);
    else
        emit headSelected(head);
}

void HeadStrip::mouseMoveEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (head == m_hovered) return;
    m_hovered = head;
    setCursor(head >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void HeadStrip::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void HeadStrip::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_heads.size()) - 1;
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (event->key() == Qt::Key_Space) {
        emit headToggled(m_cursor);
    } else if (step != 0 && m_cursor + step >= 0 && m_cursor + step <= last) {
        m_cursor += step;
        if (event->modifiers() & Qt::ControlModifier)
            update();
        else if (event->modifiers() & Qt::ShiftModifier)
            emit headToggled(m_cursor);
        else
            emit headSelected(m_cursor);
    } else {
        QWidget::keyPressEvent(event);
    }
}

}  // namespace headlight

#include "moc_head_strip.cpp"
