// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/units/unit_cards.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kHeight = 84, kGap = 12, kNarrowest = 146, kWidest = 200, kField = 64, kSmallField = 50, kInset = 10,
                 kRoomy = 186, kMore = 26;  ///< for how many words more there are on a side

}  // namespace

int unitColumns(int units) {
    return std::max(1, static_cast<int>(std::ceil(std::sqrt(units))));
}

int unitRows(int units) {
    const int columns = unitColumns(units);
    return (units + columns - 1) / columns;
}

QImage unitsImage(const std::vector<double>& values, double most, const Theme& theme) {
    const int columns = unitColumns(static_cast<int>(values.size())), rows = unitRows(static_cast<int>(values.size()));
    QImage image(columns, rows, QImage::Format_RGB32);
    image.fill(theme.sequential(0));
    for (size_t unit = 0; unit < values.size(); ++unit)
        image.setPixelColor(static_cast<int>(unit) % columns, static_cast<int>(unit) / columns,
                            theme.sequential(std::clamp(values[unit] / most, 0.0, 1.0)));
    return image;
}

UnitCards::UnitCards(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Words"));
}

void UnitCards::setPicture(std::shared_ptr<const UnitsPicture> picture, int chosen) {
    m_picture = std::move(picture);
    m_chosen = chosen;
    if (m_picture && chosen < count())
        setAccessibleDescription(
            QStringList{m_picture->words()[chosen], linesOf(chosen).join(QStringLiteral(", "))}.join(
                QStringLiteral(": ")));
    update();
}

int UnitCards::shown() const {
    const auto fitting = [](double room) { return static_cast<int>((room + kGap) / (kNarrowest + kGap)); };
    if (fitting(width()) >= count()) return std::max(1, count());
    return std::max(1, fitting(width() - 2 * kMore));
}

int UnitCards::firstShown() const {
    return std::clamp(m_chosen - shown() / 2, 0, std::max(0, count() - shown()));
}

int UnitCards::hiddenAfter() const {
    return std::max(0, count() - firstShown() - shown());
}

double UnitCards::room() const {
    return width() - (firstShown() > 0 ? kMore : 0) - (hiddenAfter() > 0 ? kMore : 0);
}

double UnitCards::cardWidth() const {
    return std::min(kWidest, (room() - kGap * (shown() - 1)) / shown());
}

QRectF UnitCards::cardRect(int word) const {
    const int at = word - firstShown();
    if (at < 0 || at >= shown()) return {};
    const double wide = cardWidth();
    const double gap = shown() > 1 ? std::min(24.0, (room() - wide * shown()) / (shown() - 1)) : 0;
    return {(firstShown() > 0 ? kMore : 0) + at * (wide + gap), 0, wide, kHeight};
}

QRectF UnitCards::fieldRect(int word) const {
    const QRectF card = cardRect(word);
    const double side = card.width() < kRoomy ? kSmallField : kField;
    return {card.left() + kInset, card.center().y() - side / 2, side, side};
}

QStringList UnitCards::linesOf(int word) const {
    QStringList lines;
    if (const auto said = m_picture->said(word)) {
        const ModelConfig& config = m_picture->model().network->config();
        lines << (config.masked()                             ? tr("fills in %1").arg(said->word)
                  : config.corpusKind() == CorpusKind::Labels ? tr("says %1").arg(said->word)
                                                              : tr("writes %1").arg(said->word));
    }
    lines << tr("%1 of %2 fire").arg(m_picture->firedText(word)).arg(m_picture->units());
    return lines;
}

void UnitCards::paintEvent(QPaintEvent*) {
    if (!m_picture) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    for (int word = firstShown(); word < firstShown() + shown() && word < count(); ++word)
        paintCard(p, t, word);
    // Words that have no room are not passed over in silence.
    const QFont font = uiFont(12, QFont::Medium);
    const auto more = [](int words) { return QStringLiteral("+%1").arg(words); };
    if (firstShown() > 0) paint::centredText(p, {0, kHeight / 2}, more(firstShown()), font, t.text2, Anchor::Start);
    if (hiddenAfter() > 0)
        paint::centredText(p, {width() - 1.0, kHeight / 2}, more(hiddenAfter()), font, t.text2, Anchor::End);
}

void UnitCards::paintCard(QPainter& p, const Theme& t, int word) const {
    const QRectF card = cardRect(word), field = fieldRect(word);
    const bool on = word == m_chosen;
    paint::box(p, card, on ? t.nowTint : t.surface, on ? t.nowLine : t.line, 8, on ? 2 : 1);
    const QImage image = unitsImage(m_picture->activeRow(word), m_picture->most(), t);
    p.setRenderHint(QPainter::SmoothPixmapTransform, image.width() > field.width());
    p.drawImage(field, image);
    paintHidden(p, t, word);
    p.setPen(t.line2);
    p.setBrush(Qt::NoBrush);
    p.drawRect(field.adjusted(-0.5, -0.5, 0.5, 0.5));
    const double left = field.right() + (card.width() < kRoomy ? 8 : 12), room = card.right() - left - 5;
    const QString name = m_picture->words()[word];
    const QFont font = uiFont(paint::textWidth(name, uiFont(15, QFont::DemiBold)) < room ? 15 : 13, QFont::DemiBold);
    paint::centredText(p, {left, card.top() + 21}, paint::elided(name, font, room), font, on ? t.nowText : t.text);
    QStringList lines = linesOf(word);
    if (paint::textWidth(lines.last(), uiFont(12)) > room) lines.last() = tr("%1 fire").arg(m_picture->firedText(word));
    if (lines.size() > 1 && paint::textWidth(lines.first(), uiFont(12)) > room)
        lines.first() = QStringLiteral("→ ") + m_picture->said(word)->word;
    double y = card.top() + 42;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QFont small = uiFont(12);
        const bool last = i + 1 == lines.size();
        paint::centredText(p, {left, last ? card.top() + 63 : y}, paint::elided(lines[i], small, room), small,
                           last ? t.text3 : t.text2);
    }
}

void UnitCards::paintHidden(QPainter& p, const Theme& t, int word) const {
    const QRectF field = fieldRect(word);
    const int columns = unitColumns(m_picture->units()), rows = unitRows(m_picture->units());
    const double wide = field.width() / columns, high = field.height() / rows;
    for (int row = 0; row < rows; ++row) {
        const auto isHidden = [&](int column) {
            const int unit = row * columns + column;
            return unit < m_picture->units() && m_picture->isActiveHidden(word, unit);
        };
        forEachHiddenRun(columns, isHidden, [&](int from, int to) {
            const QRectF run(field.left() + from * wide, field.top() + row * high, (to - from) * wide, high);
            paint::hatch(p, run.toAlignedRect(), t.hatchGround, t.hatch);
        });
    }
}

void UnitCards::choose(int word) {
    if (word < 0 || word >= count() || word == m_chosen) return;
    emit wordChosen(word);
}

void UnitCards::mousePressEvent(QMouseEvent* event) {
    for (int word = firstShown(); word < firstShown() + shown(); ++word)
        if (cardRect(word).contains(event->position())) return choose(word);
    if (event->position().x() < kMore) choose(firstShown() - 1);
    if (event->position().x() > width() - kMore) choose(firstShown() + shown());
}

void UnitCards::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left)
        choose(m_chosen - 1);
    else if (event->key() == Qt::Key_Right)
        choose(m_chosen + 1);
    else
        QWidget::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_unit_cards.cpp"
