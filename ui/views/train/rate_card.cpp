// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/rate_card.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <chrono>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int stepsToDouble = 4;
constexpr int octaves = 2;  ///< to either side
constexpr std::chrono::milliseconds kStill{150};

/// 1/4 1/2 1 2 4 below the slider, each under its place: a fraction of one sign is too small to be read.
class Marks : public QWidget {
public:
    Marks() { setFixedHeight(20); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Theme& t = Theme::of(this);
        constexpr double handle = 8;  // half of it: the slider's ends stand that far inside
        const QStringList texts{QStringLiteral("1/4"), QStringLiteral("1/2"), QStringLiteral("1"), QStringLiteral("2"),
                                QStringLiteral("4")};
        for (qsizetype i = 0; i < texts.size(); ++i) {
            const double x = handle + static_cast<double>(i) * (width() - 2 * handle) / (2 * octaves);
            painter.fillRect(QRectF(x - 0.5, 0, 1, 4), t.line2);
            const Anchor anchor = i == 0 ? Anchor::Start : i + 1 == texts.size() ? Anchor::End : Anchor::Middle;
            paint::text(painter,
                        {i == 0                  ? x - 4
                         : i + 1 == texts.size() ? x + 4
                                                 : x,
                         16},
                        texts[i], monoFont(11), t.text3, anchor);
        }
    }
};

}  // namespace

RateCard::RateCard(QWidget* parent)
    : Card(tr("Learning rate"), tr("times the plan"), parent),
      m_slider(new Slider),
      m_text(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_still(kStill) {
    m_text->setFont(monoFont(13, QFont::DemiBold));
    header()->addWidget(m_text);
    m_slider->setRange(-octaves * stepsToDouble, octaves * stepsToDouble);
    m_slider->setPageStep(stepsToDouble);
    m_slider->setAccessibleName(tr("Learning rate, times the plan"));
    m_slider->setValueLabel(m_text);
    const QString how = tr(
        "Turn it while the model learns: it acts from the next step on. What you do is written into the run, so that "
        "the saved model can be trained again just so. Reset undoes it.");
    m_slider->setToolTip(how);
    setToolTip(how);
    body()->setSpacing(2);
    body()->addWidget(m_slider);
    body()->addWidget(new Marks);
    connect(&m_still, &QTimer::timeout, this, [this] { emit factorChosen(factor()); });
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        showFactor(factor());
        m_still.start();
    });
    setFactor(1);
}

double RateCard::factor() const {
    return std::exp2(static_cast<double>(m_slider->value()) / stepsToDouble);
}

/// A record may hold factors that no place of the slider stands for: the number says them.
void RateCard::setFactor(double factor) {
    if (m_still.isActive()) return;  // the reader is at it
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(std::log2(factor) * stepsToDouble)));
    m_slider->update();
    showFactor(factor);
}

void RateCard::showFactor(double factor) {
    m_text->setText(QStringLiteral("× %1").arg(formatNumber(factor)));
}

void RateCard::setActive(bool active) {
    m_slider->setEnabled(active);
}

}  // namespace headlight

#include "moc_rate_card.cpp"
