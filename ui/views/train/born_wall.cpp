// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/born_wall.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/trace/head_survey.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

using Kind = AttentionBlock::Kind;

constexpr double kWallLeft = 112;     ///< of the first thumbnail: labels stand before it
constexpr double kCaption = 20;       ///< above a line, "Layer 1"
constexpr double kDate = 22;          ///< below a thumbnail, "500"
constexpr double kLowDate = 13;       ///< where the lines are low
constexpr double kTwoLines = 34;      ///< a label needs so much for two
constexpr double kLayerGap = 18;      ///< between two layers of a line
constexpr double kGap = 6;            ///< between two heads
constexpr double kWallLargest = 120;  ///< side of a thumbnail
constexpr double kOutlineOut = 3;     ///< of the chosen head, around its frame

QString readerOf(Kind kind) {
    switch (kind) {
        case Kind::EncoderSelf:
            return BornWall::tr("Encoder");
        case Kind::DecoderSelf:
        case Kind::Cross:
            return BornWall::tr("Decoder");
        case Kind::Self:
            break;
    }
    return BornWall::tr("Model");
}

QString whatItReads(Kind kind) {
    switch (kind) {
        case Kind::EncoderSelf:
        case Kind::Self:
            break;
        case Kind::DecoderSelf:
            return BornWall::tr("reads its words");
        case Kind::Cross:
            return BornWall::tr("reads the source");
    }
    return BornWall::tr("reads itself");
}

}  // namespace

BornWall::BornWall(HeadsStory* story, QWidget* parent) : QWidget(parent), m_story(story) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heads being born"));
    setAccessibleDescription(tr("All attention heads of the model in training. Arrow keys choose a head."));
    m_ease.setDuration(motion::kReflow);
    m_ease.setStartValue(0.0);
    m_ease.setEndValue(1.0);
    m_ease.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&m_ease, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        const auto share = static_cast<float>(value.toDouble());
        for (size_t head = 0; head < m_drawn.size(); ++head) {
            const std::span<const float> to = m_story->weights(m_story->current(), static_cast<int>(head));
            for (size_t i = 0; i < to.size(); ++i)
                m_drawn[head][i] = std::lerp(m_before[head][i], to[i], share);
        }
        update();
    });
    connect(story, &HeadsStory::changed, this, &BornWall::follow);
}

void BornWall::follow() {
    const HeadsFrame* const shown = m_story->shown();
    const size_t heads = m_story->heads().size();
    if (!shown || heads != m_places.size()) layOut();
    const int step = shown ? shown->step : -1;
    std::vector<std::vector<float>> wanted(shown ? heads : 0);
    for (size_t head = 0; head < wanted.size(); ++head) {
        const std::span<const float> weights = m_story->weights(m_story->current(), static_cast<int>(head));
        wanted[head].assign(weights.begin(), weights.end());
    }
    const bool comparable =
        std::ranges::equal(wanted, m_drawn, {}, &std::vector<float>::size, &std::vector<float>::size);
    if (std::exchange(m_step, step) == step && comparable && m_ease.state() == QVariantAnimation::Running)
        return update();
    m_ease.stop();
    if (comparable && !wanted.empty() && wanted != m_drawn && !motion::isReduced() && isVisible()) {
        m_before = m_drawn;
        m_ease.start();
    } else {
        m_drawn = std::move(wanted);
    }
    update();
}

QString BornWall::sentence() const {
    if (m_story->isEmpty()) return tr("Every head of the model stands here as soon as a run is begun: press Start.");
    if (m_story->heads().empty())
        return tr(
            "This model has no attention, and so no heads: what its decoder knows of the source is one vector. "
            "Look inside, under Recurrent, to see its states word by word.");
    return {};
}

/// Layers side by side as far as that makes the heads large.
void BornWall::layOut() {
    m_places.assign(m_story->heads().size(), {});
    m_layout = {};
    if (m_places.empty()) return;
    int layers = 1;
    for (const AttentionBlock& block : m_story->blocks(0))
        layers = std::max(layers, block.layer + 1);
    for (int inLine = layers; inLine >= 1; --inLine)
        if (const Layout each = layoutOf(inLine); each.side > m_layout.side) m_layout = each;
    for (size_t head = 0; head < m_places.size(); ++head) {
        const HeadsStory::Head& at = m_story->heads()[head];
        for (size_t line = 0; line < m_layout.lines.size(); ++line) {
            const std::vector<int>& blocks = m_layout.lines[line].blocks;
            const auto found = std::ranges::find(blocks, at.block);
            if (found == blocks.end()) continue;
            double x = kWallLeft;
            for (auto before = blocks.begin(); before != found; ++before)
                x += m_story->blocks(0)[static_cast<size_t>(*before)].heads * m_layout.pitch + kLayerGap;
            const double y = kCaption + static_cast<double>(line) * m_layout.linePitch;
            m_places[head] =
                QRectF(std::round(x + at.head * m_layout.pitch), std::round(y), m_layout.side, m_layout.side);
        }
    }
}

BornWall::Layout BornWall::layoutOf(int layersInLine) const {
    const std::vector<AttentionBlock>& blocks = m_story->blocks(0);
    Layout layout;
    int most = 1;  // heads in a line
    for (const Kind kind : HeadSurvey::kindsOf(blocks)) {
        int inLine = layersInLine, heads = 0;
        for (int block = 0; block < static_cast<int>(blocks.size()); ++block) {
            if (blocks[static_cast<size_t>(block)].kind != kind) continue;
            if (inLine == layersInLine) {
                layout.lines.push_back({kind, {}});
                inLine = heads = 0;
            }
            layout.lines.back().blocks.push_back(block);
            heads += blocks[static_cast<size_t>(block)].heads;
            most = std::max(most, heads);
            ++inLine;
        }
    }
    const auto lines = static_cast<double>(layout.lines.size());
    layout.captions = lines > static_cast<double>(HeadSurvey::kindsOf(blocks).size());
    const double wide = (width() - kWallLeft - (layersInLine - 1) * kLayerGap) / most - kGap;
    const double caption = layout.captions ? kCaption : 0;
    const double line = (height() - kCaption + caption) / lines - caption;
    layout.date = line >= 2 * kDate ? kDate : kLowDate;
    const double high = line - layout.date;
    layout.side = std::max(4.0, std::floor(std::min({wide, high, kWallLargest})));
    layout.pitch = std::min(wide + kGap, layout.side * 1.25 + kGap);
    layout.linePitch = std::min(layout.side + layout.date + caption + 16, (height() - kCaption + caption) / lines);
    return layout;
}

QRectF BornWall::headRect(int head) const {
    return m_places[static_cast<size_t>(head)];
}

int BornWall::headAt(QPointF position) const {
    const auto found = std::ranges::find_if(m_places, [&](const QRectF& place) {
        return place.adjusted(-kGap / 2, -kGap / 2, kGap / 2, kGap / 2).contains(position);
    });
    return found == m_places.end() ? -1 : static_cast<int>(found - m_places.begin());
}

/// The outlines of a usual model, and what to do.
void BornWall::paintEmpty(QPainter& p, const Theme& t) const {
    const QRectF all = QRectF(rect()).adjusted(0, 4, 0, -4);
    const double pitch = std::min((all.width() - kWallLeft) / 16, all.height() / 3), side = pitch - kGap - 8;
    if (m_story->isEmpty())
        for (int line = 0; line < 3; ++line)
            for (int head = 0; head < 16; ++head)
                paint::box(p, {std::round(kWallLeft + head * pitch), std::round(4 + line * pitch), side, side}, {},
                           t.line);
    const QString text = sentence();
    const QFont font = uiFont(13);
    const QRectF about =
        QFontMetricsF(font).boundingRect(all.adjusted(40, 0, -40, 0), Qt::AlignCenter | Qt::TextWordWrap, text);
    paint::box(p, about.adjusted(-14, -8, 14, 8), t.surface, {}, 6);
    p.setFont(font);
    p.setPen(t.text2);
    p.drawText(all.adjusted(40, 0, -40, 0), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void BornWall::paintLabels(QPainter& p, const Theme& t) const {
    const std::vector<AttentionBlock>& blocks = m_story->blocks(0);
    for (size_t line = 0; line < m_layout.lines.size(); ++line) {
        const Line& at = m_layout.lines[line];
        const double top = kCaption + static_cast<double>(line) * m_layout.linePitch;
        const double middle = top + m_layout.side / 2;
        const bool starts = line == 0 || m_layout.lines[line - 1].kind != at.kind;
        if (starts) {
            const bool encoder = at.kind == Kind::EncoderSelf || at.kind == Kind::Self;
            const QColor color = encoder ? t.encoder : t.decoder;
            if (m_layout.linePitch < kTwoLines) {  // which of them it is says what it reads
                paint::centredText(p, {0, middle}, whatItReads(at.kind), uiFont(11, QFont::DemiBold), color);
            } else {
                paint::centredText(p, {0, middle - 8}, readerOf(at.kind), uiFont(12, QFont::DemiBold), color);
                paint::centredText(p, {0, middle + 8}, whatItReads(at.kind), uiFont(11), t.text2);
            }
        }
        if (line > 0 && !m_layout.captions) continue;
        double x = kWallLeft;
        for (const int block : at.blocks) {
            const double wide = blocks[static_cast<size_t>(block)].heads * m_layout.pitch;
            paint::centredText(p, {x + (wide - m_layout.pitch + m_layout.side) / 2, top - 11},
                               tr("Layer %1").arg(blocks[static_cast<size_t>(block)].layer + 1),
                               uiFont(11, QFont::DemiBold), t.text2, Anchor::Middle);
            x += wide + kLayerGap;
        }
    }
}

void BornWall::paintHead(QPainter& p, int head, const Theme& t) const {
    const int frame = m_story->current();
    const QRectF box = headRect(head);
    const AttentionBlock& block =
        m_story->blocks(frame)[static_cast<size_t>(m_story->heads()[static_cast<size_t>(head)].block)];
    drawHead(p, box,
             {m_drawn[static_cast<size_t>(head)], block.rows, block.columns, ColorScale::weights(), block.maskValues()},
             t);
    const std::optional<int> since = m_story->sharpSince(frame, head);
    const bool chosen = head == m_story->chosen();
    if (since) {
        paint::box(p, box.adjusted(-2, -2, 2, 2), {}, t.text, 0, 2);
        const QFont font = monoFont(11, QFont::Medium);
        QString date = formatCount(*since);
        if (paint::textWidth(date, font) > m_layout.pitch - 2) date = QString::number(*since);
        if (paint::textWidth(date, font) <= m_layout.pitch)
            paint::centredText(
                p, {box.center().x(), box.bottom() + (chosen && m_layout.date == kDate ? 14 : m_layout.date / 2)}, date,
                font, t.text2, Anchor::Middle);
    }
    const QRectF around = box.adjusted(-kOutlineOut, -kOutlineOut, kOutlineOut, kOutlineOut);
    if (chosen)
        paint::outline(p, around, t.nowLine, 2, 4);
    else if (head == m_hovered)
        paint::outline(p, around, t.text, 1, 4);
}

void BornWall::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_drawn.empty()) return paintEmpty(p, t);
    paintLabels(p, t);
    for (int head = 0; head < static_cast<int>(m_drawn.size()); ++head)
        paintHead(p, head, t);
}

void BornWall::resizeEvent(QResizeEvent*) {
    layOut();
}

void BornWall::mouseMoveEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (std::exchange(m_hovered, head) == head) return;
    setCursor(head >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void BornWall::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void BornWall::mousePressEvent(QMouseEvent* event) {
    m_story->choose(headAt(event->position()));
}

/// The nearest head that lies in that direction.
void BornWall::moveBy(int right, int down) {
    const int from = m_story->chosen();
    if (from < 0) return;
    const QPointF at = headRect(from).center();
    int best = -1;
    double nearest = 0;
    for (int head = 0; head < static_cast<int>(m_places.size()); ++head) {
        const QPointF way = headRect(head).center() - at;
        const double along = way.x() * right + way.y() * down, aside = std::abs(way.x() * down + way.y() * right);
        if (along <= 1 || (right != 0 && aside > 1)) continue;
        const double far = along * 100 + aside;  // the next line first, and there the one below
        if (best < 0 || far < nearest) {
            best = head;
            nearest = far;
        }
    }
    m_story->choose(best);
}

void BornWall::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (arrow.isNone()) return QWidget::keyPressEvent(event);
    moveBy(arrow.right, arrow.down);
}

QString BornWall::tipOf(int head) const {
    const int frame = m_story->current();
    const HeadsStory::Head& at = m_story->heads()[static_cast<size_t>(head)];
    const double spread = m_story->shown()->spread[static_cast<size_t>(head)];
    const QString name =
        tr("%1, head %2").arg(blockTitle(m_story->blocks(0)[static_cast<size_t>(at.block)])).arg(at.head + 1);
    const QString even = tr("%1: spread out by %2 of what is possible").arg(name, formatPercent(spread, 0));
    const std::optional<int> since = m_story->sharpSince(frame, head);
    return since ? tr("%1; sharp since step %2").arg(even, formatCount(*since)) : even;
}

bool BornWall::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_drawn.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int head = headAt(help->pos());
    head < 0 ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tipOf(head), this);
    return true;
}

}  // namespace headlight

#include "moc_born_wall.cpp"
