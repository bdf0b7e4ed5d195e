// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu/score_dots.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/decode/bleu/ngram_picture.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kDotsLeft = 34, kDotsTop = 10, kDotsBelow = 44, kDotsRight = 8;
constexpr double kDot = 2.2, kBeside = 5, kReach = 8;
constexpr double kBand = 2;  ///< dots whose scores are that near stand beside one another

}  // namespace

ScoreDots::ScoreDots(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Test sentences by the length of their translation and their own BLEU"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setChosen(0);
}

void ScoreDots::setDots(std::vector<Dot> dots, int shortest) {
    m_dots = std::move(dots);
    m_shortest = shortest;
    m_least = m_dots.empty() ? 1 : std::ranges::min(m_dots, {}, &Dot::words).words;
    m_most = m_dots.empty() ? 1 : std::ranges::max(m_dots, {}, &Dot::words).words;
    std::map<std::pair<int, long>, std::vector<size_t>> together;
    for (size_t i = 0; i < m_dots.size(); ++i)
        together[{m_dots[i].words, std::lround(m_dots[i].score / kBand)}].push_back(i);
    m_shares.assign(m_dots.size(), 0);
    m_crowds.assign(m_dots.size(), 1);
    for (const auto& [place, crowd] : together)
        for (size_t i = 0; i < crowd.size(); ++i) {
            m_shares[crowd[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(crowd.size()) - 0.5;
            m_crowds[crowd[i]] = static_cast<int>(crowd.size());
        }
    setChosen(m_chosen);
}

void ScoreDots::setChosen(int sentence) {
    m_chosen = sentence;
    const auto at = std::ranges::find(m_dots, sentence, &Dot::sentence);
    setAccessibleDescription(
        at == m_dots.end()
            ? tr("Sentences that are scored: %1").arg(m_dots.size())
            : tr("Sentence %1: %2 words, BLEU %3").arg(sentence).arg(at->words).arg(formatNumber(at->score, 1)));
    update();
}

QRectF ScoreDots::plot() const {
    return {kDotsLeft, kDotsTop, width() - kDotsLeft - kDotsRight, height() - kDotsTop - kDotsBelow};
}

double ScoreDots::column(double words) const {
    return plot().left() + (words - m_least + 0.5) * plot().width() / (m_most - m_least + 1);
}

double ScoreDots::yOf(double score) const {
    return plot().bottom() - plot().height() * score / 100;
}

QPointF ScoreDots::placeOf(size_t dot) const {
    const double wide = plot().width() / (m_most - m_least + 1) * 0.86;
    const double crowd = std::min(wide, m_crowds[dot] * kBeside);
    return {column(m_dots[dot].words) + m_shares[dot] * crowd, yOf(m_dots[dot].score)};
}

void ScoreDots::paintAxes(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF area = plot();
    for (const int score : {0, 25, 50, 75, 100}) {
        p.setPen(QPen(score == 0 ? t.line2 : t.line, 1, score == 0 ? Qt::SolidLine : Qt::DotLine));
        const double y = std::round(yOf(score)) + 0.5;
        p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        paint::centredText(p, {area.left() - 8, y}, QString::number(score), monoFont(11), t.text3, Anchor::End);
    }
    const int every = area.width() / (m_most - m_least + 1) < 20 ? 5 : 1;
    for (int words = m_least; words <= m_most; ++words)
        if (words % every == 0)
            paint::centredText(p, {column(words), area.bottom() + 13}, QString::number(words), monoFont(11), t.text3,
                               Anchor::Middle);
    paint::centredText(p, {area.center().x(), height() - 9.0}, tr("words in the translation"),
                       uiFont(11, QFont::Medium), t.text3, Anchor::Middle);
    if (std::ranges::none_of(m_dots, &Dot::isHollow)) return;
    const QStringList why{tr("under %1 words:").arg(m_shortest), tr("no %1, score 0").arg(ngramName(m_shortest))};
    const double middle = (column(m_least) + column(std::max(m_least, std::min(m_shortest - 1, m_most)))) / 2;
    for (int i = 0; i < 2; ++i) {
        const double half = paint::textWidth(why[i], uiFont(11)) / 2;
        paint::centredText(p, {std::max(middle, area.left() + 4 + half), area.bottom() - 32 + 15 * i}, why[i],
                           uiFont(11), t.text3, Anchor::Middle);
    }
}

void ScoreDots::paintChosen(QPainter& p) const {
    const auto at = std::ranges::find(m_dots, m_chosen, &Dot::sentence);
    if (at == m_dots.end()) return;
    const Theme& t = Theme::of(this);
    const QPointF place = placeOf(static_cast<size_t>(at - m_dots.begin()));
    p.setPen(QPen(t.surface, 1.5));
    p.setBrush(t.now);
    p.drawEllipse(place, 6, 6);
    const QString text = tr("this one, %1").arg(formatNumber(at->score, 1));
    const QFont bold = uiFont(12, QFont::DemiBold);
    const double wide = paint::textWidth(text, bold);
    const bool before = place.x() + 18 + wide > width();
    const double left = before ? place.x() - 14 - wide : place.x() + 14;
    paint::box(p, {left - 4, place.y() - 9, wide + 8, 18}, t.surface, {}, 4);
    paint::centredText(p, {left, place.y()}, text, bold, t.nowText);
}

void ScoreDots::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintAxes(p);
    QColor fill = t.sequential(0.625);
    fill.setAlphaF(0.75F);
    for (size_t i = 0; i < m_dots.size(); ++i) {
        const bool hollow = m_dots[i].isHollow;
        p.setPen(hollow ? QPen(t.text3, 1) : QPen(Qt::NoPen));
        p.setBrush(hollow ? t.surface : fill);
        p.drawEllipse(placeOf(i), kDot, kDot);
    }
    paintChosen(p);
}

int ScoreDots::dotAt(QPointF at) const {
    int nearest = -1;
    double best = kReach;
    for (size_t i = 0; i < m_dots.size(); ++i) {
        const QPointF away = placeOf(i) - at;
        const double far = std::hypot(away.x(), away.y());
        if (far >= best) continue;
        best = far;
        nearest = static_cast<int>(i);
    }
    return nearest;
}

void ScoreDots::mousePressEvent(QMouseEvent* event) {
    const int dot = dotAt(event->position());
    if (dot >= 0) emit sentenceChosen(m_dots[static_cast<size_t>(dot)].sentence);
}

void ScoreDots::mouseMoveEvent(QMouseEvent* event) {
    const int dot = dotAt(event->position());
    setCursor(dot >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (dot < 0) return QToolTip::hideText();
    const Dot& each = m_dots[static_cast<size_t>(dot)];
    QToolTip::showText(event->globalPosition().toPoint(),
                       tr("Sentence %1: BLEU %2").arg(each.sentence).arg(formatNumber(each.score, 1)), this);
}

void ScoreDots::keyPressEvent(QKeyEvent* event) {
    const bool next = event->key() == Qt::Key_Right, previous = event->key() == Qt::Key_Left;
    if (!(next || previous) || m_dots.empty()) return QWidget::keyPressEvent(event);
    const auto at = std::ranges::find(m_dots, m_chosen, &Dot::sentence);
    const auto index = at == m_dots.end() ? std::ptrdiff_t(-1) : at - m_dots.begin();
    const auto to = std::clamp<std::ptrdiff_t>(index + (next ? 1 : -1), 0, std::ssize(m_dots) - 1);
    emit sentenceChosen(m_dots[static_cast<size_t>(to)].sentence);
}

}  // namespace headlight

#include "moc_score_dots.cpp"
