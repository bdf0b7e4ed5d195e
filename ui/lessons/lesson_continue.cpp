// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_continue.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <algorithm>

#include "ui/lessons/vignette.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr int kPictureWidth = 208, kPictureHeight = 130;
}

/// The lesson's drawn sign.
class SignPicture : public QWidget {
public:
    SignPicture() { setFixedSize(kPictureWidth, kPictureHeight); }
    void setSign(std::string_view name) {
        m_name = name;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        paint::box(p, rect(), t.bg, t.line, 7);
        paintVignette(p, rect(), m_name, t);
    }

private:
    std::string_view m_name;
};

/// A dot for each step: behind the reader, here, ahead.
class ProgressDots : public QWidget {
public:
    ProgressDots() { setFixedHeight(16); }
    void setSteps(int steps, int at, int furthest) {
        m_steps = steps;
        m_at = at;
        m_furthest = furthest;
        setMinimumWidth(std::min(steps, 24) * kClosest + kHere);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        double x = 0;
        const double y = height() / 2.0;
        const double apart =
            m_steps > 0 ? std::min<double>(kApart, static_cast<double>(width() - kHere) / m_steps) : kApart;
        for (int i = 0; i < m_steps; ++i) {
            const bool here = i == m_at;
            const QRectF dot(x, y - 3.5, here ? kHere : 7, 7);
            if (here)
                paint::box(p, dot, t.now, t.nowLine, 3.5);
            else
                paint::box(p, dot, i <= m_furthest ? t.ink : QColor(), t.text3, 3.5);
            x += apart + (here ? 7 : 0);
        }
    }

private:
    static constexpr int kApart = 14, kClosest = 9, kHere = 14;  ///< from dot to dot; how long the present one is
    int m_steps = 0, m_at = 0, m_furthest = -1;
};

LessonContinue::LessonContinue(QWidget* parent)
    : QWidget(parent),
      m_picture(new SignPicture),
      m_place(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_stepTitle(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_left(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_button(new Button(Button::Kind::Primary, {}, Icon::Right)),
      m_dots(new ProgressDots) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(12, 12, 20, 12);
    columns->setSpacing(20);
    columns->addWidget(m_picture);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addStretch();
    for (QLabel* label : {m_place, m_title, m_stepTitle})
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    // What a lesson is about is a sentence: it takes the lines that it needs.
    m_stepTitle->setWordWrap(true);
    m_stepTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* place = new QHBoxLayout;
    place->setSpacing(12);
    place->addWidget(m_place, 1);
    place->addWidget(m_left);
    words->addLayout(place);
    words->addWidget(m_title);
    words->addWidget(m_stepTitle);
    words->addSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(m_button);
    row->addWidget(m_dots, 1);
    words->addLayout(row);
    words->addStretch();
    columns->addLayout(words, 1);
    connect(m_button, &Button::clicked, this, [this] { emit wanted(m_slug); });
}

void LessonContinue::setLesson(const Lesson& lesson, const LessonProgress& progress) {
    const auto steps = static_cast<int>(lesson.steps.size());
    const bool begun = progress.furthest >= 0;
    m_picture->setSign(vignetteOf(lesson));
    m_slug = QString::fromStdString(lesson.slug);
    const int step = std::clamp(progress.step, 0, steps - 1);
    m_place->setText(begun ? tr("Lesson %1, step %2 of %3").arg(lesson.number).arg(step + 1).arg(steps)
                           : tr("Lesson %1, %2 steps").arg(lesson.number).arg(steps));
    m_title->setText(QString::fromStdString(lesson.title));
    m_stepTitle->setText(begun ? QString::fromStdString(lesson.steps[static_cast<size_t>(step)].title)
                               : QString::fromStdString(lesson.summary));
    m_button->setText(begun ? tr("Continue") : tr("Begin"));
    m_button->setAccessibleName(QStringLiteral("%1: %2").arg(m_button->text(), m_title->text()));
    m_dots->setSteps(steps, step, progress.furthest);
    const int left = std::max(1, lesson.minutes * (steps - step) / std::max(1, steps));
    m_left->setText(tr("about %1 left").arg(plural(tr("%n minute(s)", nullptr, left), left)));
}

QString LessonContinue::place() const {
    return m_place->text();
}

void LessonContinue::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::box(p, rect(), t.surface, t.line, 8);
}

}  // namespace headlight

#include "moc_lesson_continue.cpp"
