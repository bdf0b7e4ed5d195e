// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/filter_bar.h"

#include <QHBoxLayout>
#include <QSignalBlocker>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent),
      m_top(new Slider),
      m_share(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_specials(new Button(Button::Kind::Ghost, tr("Special tokens"), Icon::Check)),
      m_first(new Button(Button::Kind::Ghost, tr("First word"), Icon::Check)),
      m_pairs(new ComboBox(tr("Which sentence looks at which"))) {
    m_top->setRange(1, 100);
    m_top->setValue(100);
    m_top->setAccessibleName(tr("Strongest lines"));
    m_top->setToolTip(tr("Of what each word gives, the strongest lines that hold so much of it"));
    m_top->setValueLabel(m_share);
    m_top->setMinimumWidth(70);
    m_top->setMaximumWidth(200);
    m_share->setFont(monoFont(12));
    m_share->setFixedWidth(44);
    for (Button* button : {m_specials, m_first}) {
        button->setHeight(28);
        button->setFont(uiFont(12, QFont::Medium));
        button->setCheckable(true);
        button->setChecked(true);
        connect(button, &Button::toggled, this, [this, button](bool on) {
            button->setIcon(on ? Icon::Check : Icon::Cross);
            emit changed();
        });
    }
    m_specials->setToolTip(tr("Show words and weights of tokens that stand for no text: <bos>, <eos>, [CLS], [SEP]"));
    m_first->setToolTip(tr("Show the first word, at which many heads look when they look at nothing"));
    m_pairs->addItems({tr("Both sentences"), tr("First looks at second"), tr("Second looks at first"),
                       tr("Within the first"), tr("Within the second")});
    m_pairs->hide();
    connect(m_pairs, &QComboBox::currentIndexChanged, this, &FilterBar::changed);
    connect(m_top, &QSlider::valueChanged, this, [this] {
        writeShare();
        emit changed();
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(new Caption(tr("Strongest lines"), 12, QFont::Medium, Caption::Tone::Secondary));
    row->addWidget(m_top, 1);
    row->addWidget(m_share);
    row->addWidget(m_specials);
    row->addWidget(m_first);
    row->addWidget(m_pairs);
    row->addStretch(1);
    writeShare();
}

void FilterBar::writeShare() {
    m_share->setText(formatPercent(share(), 0));
}

AttentionFilter FilterBar::filter() const {
    return {!m_specials->isChecked(), !m_first->isChecked(),
            static_cast<AttentionOptions::Pairs>(m_pairs->currentIndex())};
}

double FilterBar::share() const {
    return m_top->value() / 100.0;
}

void FilterBar::setHasPairs(bool has) {
    m_pairs->setVisible(has);
}

void FilterBar::showOptions(const StageState& state) {
    const QSignalBlocker quiet(this);
    m_top->setValue(state.attention.top);
    m_specials->setChecked(!state.attention.withoutSpecials);
    m_first->setChecked(!state.attention.withoutFirst);
    m_pairs->setCurrentIndex(static_cast<int>(state.attention.pairs));
}

void FilterBar::tellOptions(StageState& state) const {
    const AttentionFilter now = filter();
    state.attention.top = m_top->value();
    state.attention.withoutSpecials = now.withoutSpecials;
    state.attention.withoutFirst = now.withoutFirst;
    state.attention.pairs = now.pairs;
}

}  // namespace headlight

#include "moc_filter_bar.cpp"
