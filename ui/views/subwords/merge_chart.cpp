// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/subwords/merge_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 104, kRight = 16, kTop = 16, kBelow = 34;

}  // namespace

MergeChart::MergeChart(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Pieces of the text by merges"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
}

void MergeChart::show(std::shared_ptr<const SubwordsShown> shown) {
    m_shown = std::move(shown);
    if (m_shown)
        setAccessibleDescription(tr("%1 pieces after %2 merges")
                                     .arg(formatCount(m_shown->film->pieces(m_shown->merges)))
                                     .arg(m_shown->merges));
    update();
}

QRectF MergeChart::plot() const {
    return {kLeft, kTop, width() - kLeft - kRight, height() - kTop - kBelow};
}

double MergeChart::xOf(int merges) const {
    return plot().left() + plot().width() * merges / std::max(1, all());
}

/// From whole words, below which nothing can be, to single characters.
double MergeChart::yOf(long pieces) const {
    const MergeFilm& film = *m_shown->film;
    const auto least = static_cast<double>(film.tokens());
    const double most = std::max(least + 1, static_cast<double>(film.pieces(0)));
    return plot().bottom() - plot().height() * (static_cast<double>(pieces) - least) / (most - least);
}

/// Below the curve; where it falls too soon for that, above it.
QPointF MergeChart::placeOfLeast(double wide) const {
    const MergeFilm& film = *m_shown->film;
    const QRectF in = plot();
    const double first = in.left() + 8;
    const auto isHigh = [&](double x, double above) {
        const int merges = std::clamp(static_cast<int>((x - in.left()) / in.width() * all()), 0, all());
        return yOf(film.pieces(merges)) < in.bottom() - above;
    };
    if (isHigh(first + wide, 16)) return {first, in.bottom() - 8};
    double x = first;
    while (x < in.right() - wide && isHigh(x, 10))
        ++x;
    return {x, in.bottom() - 18};
}

void MergeChart::drag(double x) {
    if (!m_shown || all() == 0) return;
    const double share = (x - plot().left()) / plot().width();
    emit mergesChosen(std::clamp(static_cast<int>(std::lround(share * all())), 0, all()));
}

void MergeChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) drag(event->position().x());
}

void MergeChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) drag(event->position().x());
}

void MergeChart::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (arrow.right == 0 || !m_shown) return QWidget::keyPressEvent(event);
    emit mergesChosen(std::clamp(m_shown->merges + arrow.right, 0, all()));
}

void MergeChart::paintEvent(QPaintEvent*) {
    if (!m_shown) return;
    const Theme& t = Theme::of(this);
    const MergeFilm& film = *m_shown->film;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF in = plot();
    for (const long pieces : {film.pieces(0), film.tokens()})
        paint::centredText(p, {in.left() - 10, yOf(pieces)}, formatCount(pieces), monoFont(11), t.text3, Anchor::End);
    p.fillRect(QRectF(in.left(), in.bottom(), in.width(), 1), t.line2);
    QPainterPath done({xOf(0), yOf(film.pieces(0))});
    for (int k = 1; k <= m_shown->merges; ++k)
        done.lineTo(xOf(k), yOf(film.pieces(k)));
    QPainterPath area = done;
    area.lineTo(xOf(m_shown->merges), in.bottom());
    area.lineTo(in.bottomLeft());
    p.fillPath(area, t.sequentialStops[1]);
    QPainterPath rest({xOf(m_shown->merges), yOf(film.pieces(m_shown->merges))});
    for (int k = m_shown->merges + 1; k <= all(); ++k)
        rest.lineTo(xOf(k), yOf(film.pieces(k)));
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.line2, 1.5, Qt::DashLine));
    p.drawPath(rest);
    p.setPen(QPen(t.text, 2));
    p.drawPath(done);
    const QString least = m_shown->isOfModel ? tr("%1: whole words").arg(formatCount(film.tokens()))
                                             : tr("%1: whole words, %2 in the vocabulary, and <unk>")
                                                   .arg(formatCount(film.tokens()), formatCount(film.words()));
    paint::centredText(p, placeOfLeast(paint::textWidth(least, uiFont(11))), least, uiFont(11), t.text2);
    const double x = xOf(m_shown->merges);
    p.setPen(QPen(t.nowLine, 2));
    p.drawLine(QPointF(x, in.top()), QPointF(x, in.bottom()));
    p.setPen(QPen(t.surface, 1.5));
    p.setBrush(t.now);
    p.drawEllipse(QPointF(x, yOf(film.pieces(m_shown->merges))), 6, 6);
    // What characters the model's text had is not known.
    const QString now = m_shown->isOfModel
                            ? tr("%1 pieces after %2 merges")
                                  .arg(formatCount(film.pieces(m_shown->merges)), formatCount(m_shown->merges))
                            : tr("%1 pieces; vocabulary %2 characters + %3 merges = %4")
                                  .arg(formatCount(film.pieces(m_shown->merges)), formatCount(film.characters()))
                                  .arg(m_shown->merges)
                                  .arg(formatCount(film.characters() + m_shown->merges));
    const QFont font = uiFont(12, QFont::DemiBold);
    // Above the line, and beside what stands at the axis: there the dot is as high as the words.
    const double wide = paint::textWidth(now, font), first = in.left() + 10;
    const double left = std::clamp(x - wide / 2, first, std::max(first, in.right() - wide));
    paint::centredText(p, {left, in.top() - 8}, now, font, t.nowText);
    const int every = std::max(1, all() / 6);
    for (int k = 0; k <= all(); k += every) {
        paint::centredText(p, {xOf(k), in.bottom() + 12}, QString::number(k), monoFont(11), t.text3, Anchor::Middle);
        if (!m_shown->isOfModel)
            paint::centredText(p, {xOf(k), in.bottom() + 26}, QString::number(film.characters() + k), monoFont(11),
                               t.text3, Anchor::Middle);
    }
    paint::centredText(p, {8, in.center().y()}, tr("pieces"), uiFont(11, QFont::Medium), t.text3);
    paint::centredText(p, {8, in.bottom() + 12}, tr("merges"), uiFont(11, QFont::Medium), t.text3);
    if (!m_shown->isOfModel)
        paint::centredText(p, {8, in.bottom() + 26}, tr("vocabulary"), uiFont(11, QFont::Medium), t.text3);
}

}  // namespace headlight

#include "moc_merge_chart.cpp"
