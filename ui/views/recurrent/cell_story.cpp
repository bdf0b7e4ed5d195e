// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/cell_story.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kNames = 146, kRight = 16, kStoryTop = 12;
constexpr double kNarrowest = 26, kStoryWidest = 200, kNumbered = 35;  ///< of a word's column; that wide it has numbers
constexpr double kStoryWord = 22, kCell = 18;
constexpr int kButtons = 58;  ///< from the top
constexpr double kSmallWords = 46;
constexpr int kBold = 3;  ///< so many words at which most changes are bold

}  // namespace

CellStory::CellStory(QWidget* parent)
    : Foldable(parent), m_play(new Button(Button::Kind::Plain, tr("Play the words"), Icon::Play, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("What the unit keeps, word by word"));
    const auto button = [&](const QString& name, Icon icon, int by) {
        auto* made = new Button(Button::Kind::Plain, name, icon, this);
        connect(made, &QAbstractButton::clicked, this, [this, by] {
            if (m_picture) go(m_picture->word() + by);
        });
        return made;
    };
    int x = 12;
    for (Button* each :
         {button(tr("Word before"), Icon::Previous, -1), m_play, button(tr("Next word"), Icon::Next, 1)}) {
        each->setIconAlone(true);
        each->setHeight(28);
        each->setToolTip(each->text());
        each->setCursor(Qt::PointingHandCursor);
        each->setGeometry({{x, kButtons}, each->sizeHint()});
        x += each->sizeHint().width();
    }
    connect(m_play, &QAbstractButton::clicked, this, [this] { emit playWanted(!m_isPlaying); });
}

void CellStory::setPlaying(bool playing) {
    m_isPlaying = playing;
    m_play->setIcon(playing ? Icon::Pause : Icon::Play);
}

void CellStory::setPicture(const CellPicture* picture) {
    m_picture = picture;
    if (picture) {
        const auto [least, most] =
            std::ranges::minmax(picture->story(), {}, [](const CellParts::Moment& each) { return each.memory; });
        const double step = most.memory - least.memory > 3 ? 1 : 0.5;
        m_least = std::min(0.0, std::floor(least.memory / step) * step);
        m_most = std::max(0.0, std::ceil(most.memory / step) * step);
        if (m_least == m_most) m_most = step;
        QStringList told;
        for (int word = 0; word < picture->words(); ++word)
            told << QStringLiteral("%1 %2").arg(picture->tokens().value(word),
                                                formatNumber(picture->story()[static_cast<size_t>(word)].memory, 2));
        setAccessibleDescription(told.join(QStringLiteral(", ")));
    }
    update();
}

double CellStory::wordWidth() const {
    const double room = width() - kNames - kRight - 36;
    return std::floor(std::clamp(room / m_picture->words(), kNarrowest, kStoryWidest));
}

int CellStory::wordsInSight() const {
    return std::max(1, static_cast<int>((width() - kNames - kRight - 36) / wordWidth()));
}

int CellStory::firstWord() const {
    const int many = wordsInSight(), last = std::max(0, m_picture->words() - many);
    return std::clamp(m_picture->word() - many / 2, 0, last);
}

QRectF CellStory::wordRect(int word) const {
    const int at = word - firstWord();
    if (at < 0 || at >= wordsInSight()) return {};
    return {kNames + 36 + at * wordWidth(), 5, wordWidth(), height() - 10.0};
}

double CellStory::bottom() const {
    return height() - 12 - kStoryWord - (hasShare() ? 2 : 1) * (kCell + 1);
}

double CellStory::y(double memory) const {
    return bottom() - (memory - m_least) / (m_most - m_least) * (bottom() - kStoryTop);
}

QPointF CellStory::pointAt(int word) const {
    return {wordRect(word).center().x(), y(m_picture->story()[static_cast<size_t>(word)].memory)};
}

QRectF CellStory::cellRect(Row row, int word) const {
    const QRectF at = wordRect(word);
    if (at.isEmpty() || (row == Row::Share && !hasShare())) return {};
    const double top = bottom() + kStoryWord + (row == Row::Written && hasShare() ? kCell + 1 : 0);
    return {at.left(), top, at.width() - 1, kCell};
}

void CellStory::go(int word) {
    const int bounded = std::clamp(word, 0, m_picture->words() - 1);
    if (bounded != m_picture->word()) emit wordChosen(bounded);
}

void CellStory::mousePressEvent(QMouseEvent* event) {
    if (!m_picture) return;
    const double x = event->position().x() - kNames - 36;
    if (x >= 0) go(firstWord() + static_cast<int>(x / wordWidth()));
}

/// The words stand still as long as the button is held, or the one under it would run away.
void CellStory::mouseMoveEvent(QMouseEvent* event) {
    if (!m_picture || !(event->buttons() & Qt::LeftButton) || wordsInSight() < m_picture->words()) return;
    go(static_cast<int>(std::floor((event->position().x() - kNames - 36) / wordWidth())));
}

bool CellStory::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Comma || key == Qt::Key_Period) event->accept();
    }
    return QWidget::event(event);
}

void CellStory::keyPressEvent(QKeyEvent* event) {
    if (!m_picture) return QWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Comma:
        case Qt::Key_Left:
            return go(m_picture->word() - 1);
        case Qt::Key_Period:
        case Qt::Key_Right:
            return go(m_picture->word() + 1);
        case Qt::Key_Home:
            return go(0);
        case Qt::Key_End:
            return go(m_picture->words() - 1);
        default:
            return QWidget::keyPressEvent(event);
    }
}

void CellStory::paintEvent(QPaintEvent*) {
    if (!m_picture) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, QRectF(rect()), t.surface, t.line, 8);
    paint::box(p, wordRect(m_picture->word()), t.nowTint, {}, 4);
    paintAxis(p, t);
    paintCurve(p, t);
    paintCells(p, t);
    paintNames(p, t);
}

void CellStory::paintAxis(QPainter& p, const Theme& t) const {
    const double span = m_most - m_least, step = span > 6 ? 2 : span > 2 ? 1 : 0.5;
    const double left = kNames + 36;
    const double right = left + std::min(wordsInSight(), m_picture->words()) * wordWidth();
    for (double at = m_least; at <= m_most + step / 4; at += step) {
        const double line = std::round(y(at)) + 0.5;
        p.setPen(QPen(at == 0 ? t.line2 : t.line, 1, at == 0 ? Qt::SolidLine : Qt::DotLine));
        p.drawLine(QPointF(left, line), QPointF(right, line));
        paint::centredText(p, {left - 8, line}, formatNumber(at, step < 1 ? 1 : 0), monoFont(11), t.text3, Anchor::End);
    }
}

void CellStory::paintCurve(QPainter& p, const Theme& t) const {
    QPainterPath path;
    for (int word = 0; word < m_picture->words(); ++word) {
        const QRectF at = wordRect(word);
        if (at.isEmpty()) continue;
        const double level = pointAt(word).y();
        if (path.elementCount() == 0)
            path.moveTo(at.left(), level);
        else
            path.lineTo(at.left(), level);
        path.lineTo(at.right(), level);
    }
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text, 2.5, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    p.drawPath(path);
    p.setPen(QPen(t.nowLine, 2));
    p.setBrush(t.now);
    p.drawEllipse(pointAt(m_picture->word()), 5, 5);
}

void CellStory::paintCells(QPainter& p, const Theme& t) const {
    const auto& story = m_picture->story();
    std::vector<int> changes(story.size());
    const auto change = [&](int word) {
        const double before = word > 0 ? story[static_cast<size_t>(word) - 1].memory : 0;
        return std::abs(story[static_cast<size_t>(word)].memory - before);
    };
    for (size_t i = 0; i < changes.size(); ++i)
        changes[i] = static_cast<int>(i);
    std::ranges::stable_sort(changes, std::ranges::greater(), change);
    changes.erase(changes.begin() + std::min<std::ptrdiff_t>(std::ssize(changes), kBold), changes.end());
    for (int word = 0; word < m_picture->words(); ++word) {
        const QRectF at = wordRect(word);
        if (at.isEmpty()) continue;
        const bool now = word == m_picture->word(), bold = std::ranges::find(changes, word) != changes.end();
        const QString token = m_picture->tokens().value(word);
        const QFont font = paint::fitting(
            token, uiFont(at.width() < kSmallWords ? 11 : 12, bold ? QFont::DemiBold : QFont::Medium), at.width() - 2);
        paint::centredText(p, {at.center().x(), bottom() + kStoryWord / 2 + 1},
                           paint::elided(token, font, at.width() - 2), font,
                           now    ? t.nowText
                           : bold ? t.text
                                  : t.text2,
                           Anchor::Middle);
        const CellParts::Moment& moment = story[static_cast<size_t>(word)];
        const auto cell = [&](Row row, double value, const QColor& fill) {
            const QRectF box = cellRect(row, word);
            p.fillRect(box, fill);
            if (at.width() >= kNumbered)
                paint::centredText(p, box.center(), formatNumber(value, 2), monoFont(11), Theme::onColor(fill),
                                   Anchor::Middle);
        };
        if (hasShare()) cell(Row::Share, moment.share, t.sequential(moment.share));
        cell(Row::Written, moment.written, t.diverging(moment.written, 1));
    }
    const QRectF first = cellRect(hasShare() ? Row::Share : Row::Written, m_picture->word());
    const QRectF last = cellRect(Row::Written, m_picture->word());
    paint::outline(p, first.united(last).adjusted(-1, -1, 1, 1), t.nowLine, 2, 3);
}

void CellStory::paintNames(QPainter& p, const Theme& t) const {
    const QFont bold = uiFont(13, QFont::DemiBold);
    paint::centredText(p, {20, 24}, tr("What unit %1").arg(m_picture->unit() + 1), bold, t.text);
    const QString keeps = m_picture->cell() == Cell::Rnn ? tr("holds:") : tr("keeps:");
    paint::centredText(p, {20, 43}, keeps, bold, t.text);
    paint::math(p, {20 + paint::textWidth(keeps, bold) + 6, 43}, m_picture->memorySymbol(), 17, t.text);
    const auto row = [&](Row which, const QString& symbol, const QString& words) {
        const QRectF at = cellRect(which, firstWord());
        const double x = 20 + paint::mathWidth(symbol, 15) + 8;
        paint::math(p, {20, at.center().y()}, symbol, 15, t.text);
        paint::centredText(p, {x, at.center().y()}, paint::elided(words, uiFont(11), kNames + 26 - x), uiFont(11),
                           t.text3);
    };
    if (hasShare()) row(Row::Share, m_picture->shareSymbol(), tr("how much is kept"));
    row(Row::Written, m_picture->writtenSymbol(), hasShare() ? tr("what is written") : tr("the state"));
}

}  // namespace headlight

#include "moc_cell_story.cpp"
