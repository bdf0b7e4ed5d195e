// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/controls.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "ui/widgets/controls/slider_accessible.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr int kTabHeight = 47;  ///< a header's, less the hairline below it

/// One choice of a SegmentedControl; the well behind the row is the control's.
class Segment : public QAbstractButton {
public:
    Segment(const QString& label, SegmentedControl::Look look, QWidget* parent)
        : QAbstractButton(parent), m_isTab(look == SegmentedControl::Look::Underlined) {
        setText(label);
        setCheckable(true);
        setAutoExclusive(true);  // its group sees to that; a screen reader learns from it that this is one of several
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
    }

    bool isPale() const { return m_isPale; }
    void setPale(bool pale) {
        m_isPale = pale;
        update();
    }

    QSize sizeHint() const override {
        const double wide = paint::textWidth(text(), fontOf(QFont::DemiBold));
        return {static_cast<int>(std::ceil(wide)) + 20, m_isTab ? kTabHeight : 24};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        if (isChecked() && m_isTab) p.fillRect(QRect(4, height() - 3, width() - 8, 3), t.now);
        if (isChecked() && !m_isTab) paint::box(p, rect(), t.surface, t.line2, 5);
        const QColor color = isChecked()                ? t.text
                             : !isEnabled() || m_isPale ? t.text3
                                                        : paint::mixed(t.text2, t.text, hoverTint(this));
        paint::centredText(p, QRectF(rect()).center(), text(), fontOf(isChecked() ? QFont::DemiBold : QFont::Medium),
                           color, Anchor::Middle);
    }

private:
    QFont fontOf(int weight) const { return uiFont(m_isTab ? 13 : 12, weight); }

    bool m_isTab;
    bool m_isPale = false;
};

struct ButtonColors {
    QColor fill, border, label;
};

ButtonColors colorsOf(Button& button, Button::Kind kind) {
    const Theme& t = Theme::of(&button);
    if (!button.isEnabled())
        return kind == Button::Kind::Plain ? ButtonColors{{}, {}, t.line2} : ButtonColors{t.sunken, t.line, t.text3};
    const double hover = hoverTint(&button);
    switch (kind) {
        case Button::Kind::Primary:
            return {paint::mixed(t.ink, t.text2, hover), {}, t.onInk};
        case Button::Kind::Ghost:
            return {paint::mixed(t.surface, t.sunken, hover), t.line2, t.text};
        case Button::Kind::Plain:
            return {hoverTint(&button, t.sunken), {}, t.text2};
    }
    return {};
}

}  // namespace

int wantedWidth(QLayout& row) {
    row.invalidate();
    return row.sizeHint().width();
}

Button::Button(Kind kind, const QString& label, Icon icon, QWidget* parent)
    : QAbstractButton(parent), m_kind(kind), m_icon(icon) {
    setText(label);
    setFont(uiFont(13, QFont::Medium));
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Button::setIcon(Icon icon) {
    m_icon = icon;
    updateGeometry();
    update();
}

void Button::setKind(Kind kind) {
    m_kind = kind;
    update();
}

void Button::setHeight(int height) {
    m_height = height;
    setFont(uiFont(height < 32 ? 12 : 13, QFont::Medium));
    updateGeometry();
}

void Button::setIconAlone(bool alone) {
    if (std::exchange(m_iconAlone, alone) == alone) return;
    updateGeometry();
    update();
}

QSize Button::sizeHint() const {
    if (label().isEmpty()) return {m_height, m_height};
    const double width = paint::textWidth(label(), font());
    return {static_cast<int>(std::ceil(width)) + 24 + (m_icon == Icon::None ? 0 : 22), m_height};
}

void Button::paintEvent(QPaintEvent*) {
    const auto [fill, border, ink] = colorsOf(*this, m_kind);
    QPainter p(this);
    paint::box(p, rect(), fill, border, 6);
    const double middle = height() / 2.0;
    if (m_icon == Icon::None || label().isEmpty()) {
        drawIcon(p, m_icon, QRectF(width() / 2.0 - 8, middle - 8, 16, 16), ink);
        paint::centredText(p, {width() / 2.0, middle}, label(), font(), ink, Anchor::Middle);
        return;
    }
    const double left = std::max(0, (width() - sizeHint().width()) / 2);
    drawIcon(p, m_icon, QRectF(left + 10, middle - 8, 16, 16), ink);
    paint::centredText(p, {left + 32, middle}, label(), font(), ink);
}

SegmentedControl::SegmentedControl(const QStringList& items, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this)), m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(2, 2, 2, 2);
    m_row->setSpacing(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on) emit currentChanged(id);
    });
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedControl::clicked);
    setItems(items);
}

void SegmentedControl::setLook(Look look) {
    m_look = look;
    const int margin = look == Look::Well ? 2 : 0;
    m_row->setContentsMargins(margin, margin, margin, margin);
}

void SegmentedControl::setItems(const QStringList& items) {
    const QSignalBlocker quiet(m_group);
    for (QAbstractButton* old : m_group->buttons())
        delete old;
    for (int i = 0; i < items.size(); ++i) {
        auto* segment = new Segment(items[i], m_look, this);
        m_group->addButton(segment, i);
        m_row->addWidget(segment);
    }
    if (!items.isEmpty()) m_group->button(0)->setChecked(true);
    // Without a parent it would open as a window of its own.
    if (parentWidget() || items.isEmpty()) setVisible(!items.isEmpty());
}

int SegmentedControl::count() const {
    return static_cast<int>(m_group->buttons().size());
}

int SegmentedControl::currentIndex() const {
    return m_group->checkedId();
}

void SegmentedControl::setCurrentIndex(int index) {
    if (QAbstractButton* segment = m_group->button(index)) return segment->setChecked(true);
    QAbstractButton* const chosen = m_group->checkedButton();
    if (!chosen) return;
    m_group->setExclusive(false);
    chosen->setChecked(false);
    m_group->setExclusive(true);
}

void SegmentedControl::setItemDisabled(int index, const QString& why) {
    QAbstractButton* const segment = m_group->button(index);
    segment->setEnabled(why.isEmpty());
    segment->setToolTip(why);
}

bool SegmentedControl::isItemEnabled(int index) const {
    return m_group->button(index)->isEnabled();
}

void SegmentedControl::setItemPale(int index, bool pale, const QString& tip) {
    auto* const segment = static_cast<Segment*>(m_group->button(index));
    segment->setPale(pale);
    segment->setToolTip(tip);
}

bool SegmentedControl::isItemPale(int index) const {
    return static_cast<const Segment*>(m_group->button(index))->isPale();
}

void SegmentedControl::setItemShown(int index, bool shown) {
    m_group->button(index)->setVisible(shown);
}

bool SegmentedControl::isItemShown(int index) const {
    return !m_group->button(index)->isHidden();
}

int SegmentedControl::itemWidth(int index) const {
    return m_group->button(index)->sizeHint().width();
}

int SegmentedControl::frameWidth() const {
    const QMargins margins = m_row->contentsMargins();
    return margins.left() + margins.right();
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    if (m_look != Look::Well) return;
    QPainter p(this);
    paint::box(p, rect(), Theme::of(this).sunken, {}, 7);
}

RailButton::RailButton(Icon icon, const QString& label, QWidget* parent) : QAbstractButton(parent), m_icon(icon) {
    setText(label);
    setCheckable(true);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setFixedSize(52, 52);
}

void RailButton::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::box(p, rect(), isChecked() ? t.sunken : hoverTint(this, t.sunken), {}, 8);
    drawIcon(p, m_icon, QRectF(16, 8, 20, 20), isChecked() ? t.text : t.text3, isChecked() ? 1.75 : 1.5);
    paint::text(p, {26, 43}, text(), uiFont(11, isChecked() ? QFont::DemiBold : QFont::Medium),
                isChecked() ? t.text : t.text2, Anchor::Middle);
}

Slider::Slider(Fill fill, QWidget* parent) : QSlider(Qt::Horizontal, parent), m_fill(fill) {
    installSliderAccessibility();
    setFixedHeight(24);
    setFocusPolicy(Qt::StrongFocus);
}

void Slider::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    const double range = std::max(1, maximum() - minimum());
    const double at = 8 + (width() - 16) * (value() - minimum()) / range;
    const double middle = height() / 2.0;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QColor filled = m_fill == Fill::Now ? t.now : t.text;
    paint::box(p, QRectF(8, middle - 2, width() - 16, 4), t.line, {}, 2);
    paint::box(p, QRectF(8, middle - 2, at - 8, 4), isEnabled() ? filled : t.line2, {}, 2);
    p.setPen(QPen(m_fill == Fill::Now ? t.surface : filled, 2));
    p.setBrush(!isEnabled() ? t.line2 : m_fill == Fill::Now ? t.now : t.surface);
    p.drawEllipse(QPointF(at, middle), 6.5, 6.5);
}

int Slider::valueAt(double x) const {
    const double share = std::clamp((x - 8) / std::max(1, width() - 16), 0.0, 1.0);
    return minimum() + static_cast<int>(std::lround(share * (maximum() - minimum())));
}

void Slider::mousePressEvent(QMouseEvent* event) {
    setSliderDown(true);
    setValue(valueAt(event->position().x()));
}

void Slider::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) setValue(valueAt(event->position().x()));
}

void Slider::mouseReleaseEvent(QMouseEvent*) {
    setSliderDown(false);
}

Caption::Caption(const QString& text, int px, int weight, Tone tone, QWidget* parent)
    : QLabel(text, parent), m_tone(tone) {
    setFont(uiFont(px, weight));
    setTextFormat(Qt::PlainText);
    applyTheme();
}

int Caption::heightForWidth(int width) const {
    if (Measured now{text(), font(), contentsMargins(), textFormat(), wordWrap()}; !(m_measured == now)) {
        m_measured = std::move(now);
        m_heights.clear();
    }
    if (const auto known = m_heights.constFind(width); known != m_heights.cend()) return *known;
    return m_heights[width] = QLabel::heightForWidth(width);
}

void Caption::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::StyleChange) m_heights.clear();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ParentChange) applyTheme();
}

void Caption::paintEvent(QPaintEvent* event) {
    const bool mayShrink = sizePolicy().horizontalPolicy() == QSizePolicy::Ignored && !wordWrap();
    if (!mayShrink || paint::textWidth(text(), font()) <= width()) return QLabel::paintEvent(event);
    constexpr int kTooShortToRead = 40;
    if (width() < kTooShortToRead) return;
    QPainter p(this);
    p.setFont(font());
    p.setPen(palette().color(QPalette::WindowText));
    p.drawText(rect(), static_cast<int>(alignment()), paint::elided(text(), font(), width()));
}

void Caption::applyTheme() {
    const Theme& t = Theme::of(this);
    const QColor tones[] = {t.text, t.text2, t.text3, t.sequentialStops[6], t.nowText};
    const QColor color = tones[static_cast<size_t>(m_tone)];
    if (palette().color(QPalette::WindowText) == color) return;  // setting it raises PaletteChange again
    QPalette own;                                                // a fresh one: every role but this stays inherited
    own.setColor(QPalette::WindowText, color);
    setPalette(own);
}

}  // namespace headlight

#include "moc_controls.cpp"
