// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/wall_rows.h"

#include <QPainter>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/views/attention/habit_mark.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

void setUp(QAbstractButton& button) {
    button.setCursor(Qt::PointingHandCursor);
    button.setAttribute(Qt::WA_Hover);
    button.setFocusPolicy(Qt::StrongFocus);
    button.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

}  // namespace

WordPick::WordPick(Side side, const QString& name, QWidget* parent) : ComboBox(name, parent), m_side(side) {
    setFixedHeight(32);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setMaxVisibleItems(16);
    connect(this, &QComboBox::activated, this, [this](int index) { emit placeChosen(index - 1); });
}

void WordPick::setWords(const QStringList& words) {
    if (words == m_words && count() > 0) return;
    m_words = words;
    const QSignalBlocker quiet(this);
    clear();
    addItem(tr("any word"));
    for (qsizetype i = 0; i < words.size(); ++i)
        addItem(QStringLiteral("%1  %2").arg(words[i]).arg(i + 1));
}

void WordPick::setPlace(int place) {
    const QSignalBlocker quiet(this);
    setCurrentIndex(place + 1);
    update();
}

void WordPick::paintEvent(QPaintEvent* event) {
    if (place() < 0) return ComboBox::paintEvent(event);
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QColor color = m_side == Side::Looks ? t.query : t.key;
    paint::box(p, rect(), m_side == Side::Looks ? t.queryTint : t.keyTint, color, 6);
    const QString number = QString::number(place() + 1);
    const double room = width() - 44 - paint::textWidth(number, monoFont(11));
    const QString word = paint::elided(m_words.value(place()), uiFont(13, QFont::DemiBold), room);
    const double middle = height() / 2.0;
    paint::centredText(p, {12, middle}, word, uiFont(13, QFont::DemiBold), color);
    paint::centredText(p, {18 + paint::textWidth(word, uiFont(13, QFont::DemiBold)), middle + 1}, number, monoFont(11),
                       color);
    drawIcon(p, Icon::ChevronDown, QRectF(width() - 22, middle - 6, 12, 12), color);
}

FoundRow::FoundRow(QWidget* parent) : QAbstractButton(parent) {
    setUp(*this);
}

void FoundRow::setHead(const QString& name, double weight, bool chosen) {
    setText(name);
    setAccessibleName(tr("%1, weight %2").arg(name, formatNumber(weight)));
    m_weight = weight;
    m_chosen = chosen;
    update();
}

void FoundRow::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_chosen)
        paint::box(p, rect(), t.nowTint, t.nowLine, 5, 2);
    else
        paint::box(p, rect(), hoverTint(this, t.sunken), {}, 5);
    const double middle = height() / 2.0, number = 38, bar = 76;
    const double barAt = width() - 8 - number - bar;
    const QFont font = uiFont(12, m_chosen ? QFont::DemiBold : QFont::Medium);
    paint::centredText(p, {8, middle}, paint::elided(text(), font, barAt - 12), font, m_chosen ? t.nowText : t.text);
    paint::box(p, {barAt, middle - 5, bar, 10}, t.sunken, {}, 2);
    paint::box(p, {barAt, middle - 5, bar * m_weight, 10}, m_chosen ? t.now : t.sequentialStops[5], {}, 2);
    paint::centredText(p, {width() - 8.0, middle}, formatNumber(m_weight),
                       monoFont(12, m_chosen ? QFont::DemiBold : QFont::Normal), m_chosen ? t.nowText : t.text2,
                       Anchor::End);
}

HabitRow::HabitRow(HeadHabit habit, QWidget* parent) : QAbstractButton(parent), m_habit(habit) {
    setUp(*this);
    setCheckable(true);
    if (habit == HeadHabit::AfterSame) m_name = tr("induction");
    if (habit == HeadHabit::First) m_name = tr("sink");
    if (habit == HeadHabit::Alignment) m_name = tr("gold");
}

void HabitRow::setCount(int count, bool causal) {
    const QString phrase = habitPhrase(m_habit, causal);
    setText(QString::number(count));
    setAccessibleName(phrase);
    setAccessibleDescription(plural(tr("%n head(s); checked, only they are shown", nullptr, count), count));
    setToolTip(tr("Show only these heads"));
    update();
}

void HabitRow::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const bool isNone = text() == QLatin1String("0");
    if (isChecked())
        paint::box(p, rect(), t.sunken, t.ink, 5);
    else
        paint::box(p, rect(), hoverTint(this, t.sunken), {}, 5);
    const double middle = height() / 2.0;
    const QColor color = isNone && !isChecked() ? t.text3 : t.text;
    if (m_habit == HeadHabit::None)
        paint::box(p, {8, middle - 6, 12, 12}, {}, t.line2);
    else if (isNone)
        drawFaintHabit(p, {8, middle - 6}, m_habit, 3, t);
    else
        drawHabit(p, {8, middle - 6}, m_habit, 3, t);
    const QFont font = uiFont(12, QFont::Medium);
    const QString phrase = paint::elided(accessibleName(), font, width() - 76);
    paint::centredText(p, {32, middle}, phrase, font, color);
    const double behind = 32 + paint::textWidth(phrase, font) + 8;
    if (behind + paint::textWidth(m_name, uiFont(12)) < width() - 44)
        paint::centredText(p, {behind, middle}, m_name, uiFont(12), t.text3);
    paint::centredText(p, {width() - 8.0, middle}, text(), monoFont(12, QFont::Medium), color, Anchor::End);
}

Chip::Chip(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setUp(*this);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setText(text);
    setCheckable(true);
}

QSize Chip::sizeHint() const {
    return {static_cast<int>(std::ceil(paint::textWidth(text(), uiFont(12, QFont::DemiBold)))) + 16, 26};
}

void Chip::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QFont font = uiFont(12, isChecked() ? QFont::DemiBold : QFont::Medium);
    paint::box(p, rect(), isChecked() ? t.ink : paint::mixed(t.surface, t.sunken, hoverTint(this)),
               isChecked() ? QColor() : t.line2, 6);
    paint::centredText(p, QRectF(rect()).center(), paint::elided(text(), font, width() - 6), font,
                       isChecked() ? t.onInk : t.text2, Anchor::Middle);
}

}  // namespace headlight

#include "moc_wall_rows.cpp"
