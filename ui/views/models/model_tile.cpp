// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/model_tile.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/one_line.h"
#include "ui/views/models/model_figures.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kInset = 12, kRow = 31, kBlueprintTop = 60, kNameLine = 14, kCurve = 28;
constexpr int kBlueprintHeight = 66;

}  // namespace

ModelTile::ModelTile(const QString& path, const QString& name, Tells tells, QWidget* parent)
    : QAbstractButton(parent), m_path(path), m_name(name), m_tells(tells), m_blueprint(new ModelBlueprint(this)) {
    setText(name);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(name);
    setFixedHeight(heightOf(tells));
    setMinimumWidth(kNarrowest);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_blueprint->setAttribute(Qt::WA_TransparentForMouseEvents);
}

void ModelTile::setModel(const ShelfModel& model) {
    m_trouble = model.trouble;
    if (m_trouble.isEmpty()) {
        m_kind = describeModel(model.card.config);
        m_about = dataOf(model.card.training);
        // What ships is called by what it does; what is the reader's own by the name that it was given.
        if (m_tells == Tells::Model && !m_about.isEmpty()) setText(m_about);
        m_settings = settingsOf(model.card);
        m_figures = figuresOf(model.card.training);
        m_count = model.count;
        if (m_tells == Tells::Run) m_loss = lossCurveOf(model.card.training);
        m_blueprint->setParameters(model.parameters);
    }
    const QString more = m_trouble.isEmpty() ? m_kind : m_trouble;
    setAccessibleName(QStringLiteral("%1, %2, %3").arg(text(), more, m_figures));
    setToolTip(QStringList{m_trouble.isEmpty() ? m_kind : m_trouble, m_figures, m_path}.join(u'\n'));
    update();
}

void ModelTile::setAnswer(const std::optional<ShelfAnswer>& answer) {
    m_answer = answer;
    if (answer) setAccessibleDescription(tr("“%1”: %2").arg(answer->asked, answer->said));
    update();
}

/// What ships says below what it does how it is called elsewhere: several do the same.
double ModelTile::blueprintTop() const {
    return kBlueprintTop + (m_tells == Tells::Model ? kNameLine : 0);
}

double ModelTile::leastScale() const {
    // Columns keep a pixel between them, whatever the scale.
    double scale = 0;
    for (const ModelBlueprint::Row& row : m_blueprint->rows()) {
        const double room = width() - 2 * kInset - static_cast<double>(row.columns.size());
        scale = std::max(scale, static_cast<double>(row.count()) / (std::max(room, 1.0) * kRow));
    }
    return scale;
}

void ModelTile::setScale(double parametersPerPixel) {
    m_blueprint->setScale(parametersPerPixel, kRow);
}

void ModelTile::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    m_blueprint->setGeometry(static_cast<int>(kInset), static_cast<int>(blueprintTop()),
                             width() - static_cast<int>(2 * kInset), kBlueprintHeight);
}

QRectF ModelTile::curveArea() const {
    const double left = kInset + 34, right = width() - kInset - 40;
    return {left, blueprintTop() + kBlueprintHeight + 22, right - left, kCurve};
}

QPointF ModelTile::placeOf(const QPointF& point) const {
    const QRectF area = curveArea();
    double highest = 0;
    for (const QPointF& each : m_loss)
        highest = std::max(highest, each.y());
    const double first = m_loss.front().x(), last = m_loss.back().x();
    return {area.left() + (last > first ? (point.x() - first) / (last - first) : 0) * area.width(),
            area.bottom() - (highest > 0 ? point.y() / highest : 0) * area.height()};
}

void ModelTile::paintCurve(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF area = curveArea();
    const QFont digits = monoFont(11);
    if (m_loss.size() < 2) {
        paint::centredText(p, {kInset, area.center().y()}, tr("no curve in its file"), uiFont(11), t.text3);
        return;
    }
    p.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), t.line);
    QPainterPath line(placeOf(m_loss.front()));
    for (const QPointF& point : m_loss)
        line.lineTo(placeOf(point));
    p.setPen(QPen(t.text2, 1.5));
    p.setBrush(Qt::NoBrush);
    p.drawPath(line);
    const QPointF end = placeOf(m_loss.back());
    paint::centredText(p, {area.left() - 6, placeOf(m_loss.front()).y()}, formatNumber(m_loss.front().y(), 1), digits,
                       t.text2, Anchor::End);
    paint::centredText(p, {area.right() + 6, std::min(end.y(), area.bottom() - 3)}, formatNumber(m_loss.back().y(), 2),
                       digits, t.text, Anchor::Start);
}

/// What it was asked, and beneath what it said.
void ModelTile::paintAnswer(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QFont small = uiFont(11);
    const double room = width() - 2 * kInset, y = height() - 44;
    if (isChecked()) {
        const QFont bold = uiFont(11, QFont::DemiBold);
        const double wide = paint::textWidth(tr("open"), bold);
        paint::text(p, {width() - kInset, y}, tr("open"), bold, t.good, Anchor::End);
        paint::box(p, QRectF(width() - kInset - wide - 12, y - 7.5, 7, 7), t.good, {}, 3.5);
    }
    const double left = room - (isChecked() ? 52 : 0);
    if (!m_answer) {
        const QString why = m_count > 0 ? tr("asked when it is open") : QString();
        paint::text(p, {kInset, y}, paint::elided(why, small, left), small, t.text3);
        return;
    }
    const QString asked = m_answer->isOwn ? tr("“%1”").arg(m_answer->asked) : tr("your sentence");
    paint::text(p, {kInset, y}, paint::elided(asked, small, left), small, t.text3);
    const QFont said = uiFont(12, QFont::Medium);
    paint::text(p, {kInset, y + 16}, paint::elided(onOneLine(m_answer->said), said, room), said, t.text);
}

void ModelTile::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF all = QRectF(rect());
    paint::box(p, all, t.surface, isChecked() ? t.nowLine : paint::mixed(t.line, t.text2, hoverTint(this)), 8,
               isChecked() ? 2 : 1);
    if (hasFocus()) paint::box(p, all.adjusted(3, 3, -3, -3), {}, t.ink, 6, 2);
    const double room = width() - 2 * kInset;
    const QFont title = uiFont(13, QFont::DemiBold), small = uiFont(11);
    paint::text(p, {kInset, 22}, paint::elided(text(), title, room), title, t.text);
    if (!m_trouble.isEmpty()) {
        p.setFont(small);
        p.setPen(t.bad);
        p.drawText(QRectF(kInset, 32, room, height() - 44), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_trouble);
        return;
    }
    const double below = blueprintTop() - kBlueprintTop;
    if (below > 0 && m_name != text()) paint::text(p, {kInset, 37}, paint::elided(m_name, small, room), small, t.text3);
    p.setFont(small);
    p.setPen(t.text2);
    p.drawText(QRectF(kInset, 27 + below, room, 32), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_kind);
    if (m_tells == Tells::Run) {
        const QString about = m_about.isEmpty() ? m_settings : QStringLiteral("%1 · %2").arg(m_about, m_settings);
        paint::text(p, {kInset, blueprintTop() + kBlueprintHeight + 12}, paint::elided(about, small, room), small,
                    t.text2);
        if (m_count > 0) paintCurve(p);
    }
    paintAnswer(p);
    if (m_count == 0) return;
    const QString count = formatCount(m_count);
    const QFont bold = uiFont(11, QFont::DemiBold), digits = monoFont(11);
    paint::text(p, {width() - kInset, height() - 12.0}, count, digits, t.text2, Anchor::End);
    paint::text(p, {kInset, height() - 12.0}, figuresWithin(room - paint::textWidth(count, digits) - 8), bold, t.text);
}

/// The last of them that there is room for: a number is not cut.
QString ModelTile::figuresWithin(double room) const {
    QStringList parts = m_figures.split(QStringLiteral(" · "));
    const QFont bold = uiFont(11, QFont::DemiBold);
    while (parts.size() > 1 && paint::textWidth(parts.join(QStringLiteral(" · ")), bold) > room)
        parts.removeFirst();
    return parts.join(QStringLiteral(" · "));
}

/// Over the blueprint the hint says how the areas divide, over the answer what was said in full; elsewhere what the
/// model is.
bool ModelTile::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_blueprint->geometry().contains(static_cast<QHelpEvent*>(event)->pos()) &&
        m_count > 0) {
        QStringList lines;
        for (const ModelBlueprint::Row& row : m_blueprint->rows())
            for (const ModelBlueprint::Column& column : row.columns)
                if (lines.size() < 16)
                    lines << QStringLiteral("%1: %2").arg(nameOfColumn(column), formatCount(column.count()));
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), lines.join(u'\n'), this);
        return true;
    }
    if (event->type() == QEvent::ToolTip && m_answer &&
        static_cast<QHelpEvent*>(event)->pos().y() > m_blueprint->geometry().bottom()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), accessibleDescription(), this);
        return true;
    }
    return QAbstractButton::event(event);
}

void ModelTile::keyPressEvent(QKeyEvent* event) {
    if (const ArrowKey arrow(event->key()); !arrow.isNone()) return emit stepRequested(arrow.right, arrow.down);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_model_tile.cpp"
