// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/time/play_bar.h"

#include <QHBoxLayout>
#include <cmath>
#include <functional>

#include "ui/session/open/playhead.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {

constexpr int kParts = 100;  ///< of an operation, on the slider

}  // namespace

PlayBar::PlayBar(Playhead* head, const Names& names, QWidget* parent)
    : Panel(Qt::TopEdge, parent),
      m_head(head),
      m_play(new Button(Button::Kind::Primary, {}, Icon::Play)),
      m_text(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_slider(new Slider(Slider::Fill::Now)),
      m_speed(new ComboBox(tr("Speed"))) {
    setFixedHeight(56);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 1, 20, 0);
    row->setSpacing(8);
    const auto button = [&](Icon icon, const QString& name, const std::function<double()>& target) {
        auto* it = new Button(Button::Kind::Plain, {}, icon);
        it->setHeight(28);
        it->setAccessibleName(name);
        it->setToolTip(name);
        connect(it, &Button::clicked, this, [this, target] {
            m_head->pause();
            m_head->setTime(target());
        });
        row->addWidget(it);
    };
    button(Icon::Start, tr("To the start"), [] { return 0; });
    button(Icon::Previous, names.previous, [this] { return std::ceil(m_head->time()) - 1; });
    row->addWidget(m_play);
    button(Icon::Next, names.next, [this] { return std::floor(m_head->time()) + 1; });
    m_play->setFixedSize(36, 32);
    row->addSpacing(8);
    row->addWidget(m_text);
    row->addWidget(m_slider, 1);
    m_slider->setAccessibleName(names.place);
    m_speed->setFixedWidth(68);
    for (const double speed : {0.25, 0.5, 1.0, 2.0})
        m_speed->addItem(tr("%1×").arg(speed), speed);
    row->addWidget(m_speed);
    connect(m_play, &Button::clicked, m_head, &Playhead::togglePlaying);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        m_head->pause();
        m_head->setTime(static_cast<double>(value) / kParts);
    });
    connect(m_speed, &QComboBox::activated, this,
            [this](int index) { m_head->setSpeed(m_speed->itemData(index).toDouble()); });
    connect(m_head, &Playhead::moved, this, &PlayBar::refresh);
    connect(m_head, &Playhead::playingChanged, this, &PlayBar::refresh);
    refresh();
}

void PlayBar::setText(const QString& text) {
    m_text->setText(text);
    refresh();
}

void PlayBar::refresh() {
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, m_head->count() * kParts);
    m_slider->setPageStep(kParts);
    m_slider->setValue(static_cast<int>(std::lround(m_head->time() * kParts)));
    m_speed->setCurrentIndex(m_speed->findData(m_head->speed()));
    m_play->setIcon(m_head->playing() ? Icon::Pause : Icon::Play);
    m_play->setAccessibleName(m_head->playing() ? tr("Pause") : tr("Play"));
    m_play->setEnabled(m_head->count() > 0);
}

}  // namespace headlight

#include "moc_play_bar.cpp"
