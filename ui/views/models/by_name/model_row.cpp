// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/by_name/model_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/progress_line.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kSizeWidth = 76, kMemoryWidth = 190, kProgressWidth = 230, kButtonWidth = 96;

/// A label that takes the colour of a theme that the tones of captions have not.
class FitLabel : public Caption {
public:
    FitLabel() : Caption({}, 12, QFont::Normal, Tone::Secondary) {}
    void setFit(ModelRow::Fit fit) {
        m_fit = fit;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setFont(font());
        p.setPen(m_fit == ModelRow::Fit::TooLarge ? t.bad : t.good);
        p.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text());
    }

private:
    ModelRow::Fit m_fit = ModelRow::Fit::Unknown;
};

}  // namespace

ModelRow::ModelRow(Comes comes, QWidget* parent)
    : QWidget(parent),
      m_name(new Caption({}, 14, QFont::DemiBold, Caption::Tone::Main)),
      m_what(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_size(new Caption({}, 11, QFont::Normal, Caption::Tone::Main)),
      m_memory(new FitLabel),
      m_progress(new Caption({}, 11, QFont::Normal, Caption::Tone::Secondary)),
      m_trouble(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_line(new ProgressLine),
      m_button(new Button(Button::Kind::Ghost, {})) {
    for (QLabel* each : {m_size, m_progress})
        each->setFont(monoFont(11));
    m_size->setFixedWidth(kSizeWidth);
    m_size->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_memory->setFixedWidth(kMemoryWidth);
    m_button->setMinimumWidth(kButtonWidth);
    for (QLabel* each : {m_what, m_trouble})
        each->setWordWrap(true);
    m_trouble->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    words->addWidget(m_name);
    words->addWidget(m_what);
    auto* way = new QWidget;
    way->setFixedWidth(kProgressWidth);
    QSizePolicy keeps = way->sizePolicy();
    keeps.setRetainSizeWhenHidden(comes == Comes::Yes);
    way->setSizePolicy(keeps);
    auto* far = new QVBoxLayout(way);
    far->setContentsMargins(0, 0, 0, 0);
    far->setSpacing(4);
    far->addWidget(m_progress);
    far->addWidget(m_line);
    auto* top = new QHBoxLayout;
    top->setSpacing(18);
    top->addLayout(words, 1);
    top->addWidget(m_size);
    top->addWidget(m_memory);
    top->addWidget(way);
    top->addWidget(m_button);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(19, 11, 19, 11);
    all->setSpacing(8);
    all->addLayout(top);
    all->addWidget(m_trouble);
    connect(m_button, &Button::clicked, this, &ModelRow::acted);
}

void ModelRow::show(const Facts& facts) {
    m_facts = facts;
    m_name->setText(facts.name);
    m_what->setText(facts.what);
    m_size->setText(facts.size);
    m_memory->setText(facts.memory);
    static_cast<FitLabel*>(m_memory)->setFit(facts.fit);
    m_button->setText(facts.action);
    m_button->setAccessibleName(facts.actionName);
    m_button->setKind(facts.isMain ? Button::Kind::Primary : Button::Kind::Ghost);
    m_button->setVisible(!facts.action.isEmpty());
    m_progress->setText(facts.progress);
    m_line->setShare(facts.share.value_or(-1));
    m_progress->parentWidget()->setVisible(facts.share.has_value());
    m_trouble->setText(facts.trouble);
    m_trouble->setVisible(!facts.trouble.isEmpty());
    update();
}

void ModelRow::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    const bool hasFailed = !m_facts.trouble.isEmpty();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), hasFailed ? t.badTint : t.surface, hasFailed ? t.bad : t.line, 8);
}

}  // namespace headlight

#include "moc_model_row.cpp"
