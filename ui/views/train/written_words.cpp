// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/written_words.h"

#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kNowShare = 0.36;  ///< of the width, for what it writes now
constexpr double kWrittenRow = 21, kColumn = 300, kStep = 40;
constexpr int kLetterMs = 18;

}  // namespace

WrittenWords::WrittenWords(HeadsStory* story, QWidget* parent) : QWidget(parent), m_story(story) {
    setAccessibleName(tr("What it writes"));
    connect(&m_typing, &QVariantAnimation::valueChanged, this, [this](const QVariant& letters) {
        m_letters = letters.toInt();
        update();
    });
    connect(story, &HeadsStory::changed, this, &WrittenWords::follow);
}

void WrittenWords::follow() {
    const HeadsFrame* const shown = m_story->shown();
    m_writings = shown ? m_story->writings(m_story->current()) : std::vector<HeadsStory::Writing>();
    const QString text = shown ? shown->written : QString();
    setAccessibleDescription(text);
    if (text != m_text) {
        qsizetype same = 0;
        while (same < std::min(text.size(), m_text.size()) && text[same] == m_text[same])
            ++same;
        m_text = text;
        m_typing.stop();
        const auto letters = static_cast<int>(text.size());
        if (motion::isReduced() || !isVisible() || same == text.size()) {
            m_letters = text.size();
        } else {
            m_letters = same;
            m_typing.setStartValue(static_cast<int>(same));
            m_typing.setEndValue(letters);
            m_typing.setDuration(std::min(motion::kZoom, kLetterMs * (letters - static_cast<int>(same))));
            m_typing.start();
        }
    }
    update();
}

bool WrittenWords::isRight() const {
    return m_text.simplified() == m_story->shown()->reference.simplified();
}

QString WrittenWords::verdict(double room) const {
    if (m_writings.empty()) return {};
    const QString step = formatCount(m_writings.back().step);
    const bool first = m_writings.size() == 1;
    if (isRight())
        return first ? tr("right from the beginning")
                     : tr("the same at every frame since step %1, and right").arg(step);
    const QString right = tr("right is: %1").arg(m_story->shown()->reference);
    const QString whole = tr("at every frame since step %1; %2").arg(step, right);
    return first || paint::textWidth(whole, uiFont(12)) > room ? right : whole;
}

void WrittenWords::paintNow(QPainter& p, double width, const Theme& t) const {
    const double middle = height() / 2.0;
    paint::centredText(p, {0, middle - 36}, tr("step %1").arg(formatCount(m_story->shown()->step)),
                       monoFont(11, QFont::DemiBold), t.nowText);
    const bool silent = m_text.isEmpty();
    QFont font = uiFont(24, QFont::DemiBold);
    for (const int smaller : {20, 16})
        if (paint::textWidth(m_text, font) > width - 8) font = uiFont(smaller, QFont::DemiBold);
    const QString text = silent ? tr("nothing: it ends at once") : paint::elided(typed(), font, width - 8);
    if (silent) font = uiFont(16);
    paint::centredText(p, {0, middle - 8}, text, font, silent ? t.text3 : t.text);
    p.fillRect(QRectF(paint::textWidth(text, font) + 4, middle - 22, 2, 28), t.nowLine);
    const QFont small = uiFont(12);
    paint::centredText(p, {0, middle + 26}, paint::elided(verdict(width), small, width), small,
                       isRight() ? t.good : t.text2);
}

double WrittenWords::paintWriting(QPainter& p, QPointF at, double right, const HeadsStory::Writing& writing,
                                  const Theme& t) const {
    paint::centredText(p, {at.x() + kStep - 12, at.y()}, formatCount(writing.step), monoFont(11, QFont::Medium),
                       t.text3, Anchor::End);
    double x = at.x() + kStep;
    if (writing.words.isEmpty())
        paint::centredText(p, {x, at.y()}, tr("nothing: it ends at once"), uiFont(12), t.text3);
    for (qsizetype i = 0; i < writing.words.size(); ++i) {
        const bool isNew = writing.isNew[static_cast<size_t>(i)];
        const QFont font = uiFont(12, isNew ? QFont::DemiBold : QFont::Normal);
        const double wide = paint::textWidth(writing.words[i], font), pad = isNew ? 5 : 0;
        if (x + wide + 2 * pad + 16 > right) {
            paint::centredText(p, {x, at.y()}, QStringLiteral("…"), uiFont(12), t.text3);
            break;
        }
        if (isNew) paint::box(p, {x, at.y() - 9, wide + 2 * pad, 18}, t.sunken, t.text2, 4);
        paint::centredText(p, {x + pad, at.y()}, writing.words[i], font, t.text);
        x += wide + 2 * pad + (isNew ? 4 : 6);
    }
    return x;
}

/// The newest that there is room for.
void WrittenWords::paintBefore(QPainter& p, const QRectF& box, const Theme& t) const {
    const int rows = std::max(1, static_cast<int>(box.height() / kWrittenRow));
    // No more columns than it takes: words are cut off at the end of one.
    const int wanted = (static_cast<int>(m_writings.size()) + rows - 1) / rows;
    const int columns = std::clamp(static_cast<int>(box.width() / kColumn), 1, std::max(1, wanted));
    const size_t most = static_cast<size_t>(rows) * static_cast<size_t>(columns);
    const size_t first = m_writings.size() > most ? m_writings.size() - most : 0;
    const double wide = box.width() / columns;
    for (size_t i = first; i < m_writings.size(); ++i) {
        const int place = static_cast<int>(i - first);
        const int column = place / rows;
        const double left = box.left() + column * wide;
        paintWriting(p, {left, box.top() + (place % rows + 0.5) * kWrittenRow}, left + wide - 8, m_writings[i], t);
    }
}

void WrittenWords::paintEvent(QPaintEvent*) {
    if (m_story->isEmpty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const double now = std::round(width() * kNowShare);
    paintNow(p, now - 16, t);
    p.fillRect(QRectF(now, 0, 1, height()), t.line);
    paintBefore(p, {now + 8, 0, width() - now - 8, static_cast<double>(height())}, t);
}

}  // namespace headlight

#include "moc_written_words.cpp"
