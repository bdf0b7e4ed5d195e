// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/training_chart.h"

#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QHBoxLayout>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QVBoxLayout>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/chart_accessible.h"

namespace headlight {
namespace {

constexpr int kChartMostDrawn = 600;  ///< more points than pixels only cost time
constexpr int kChartLeft = 48;
constexpr int kChartBottom = 22;
constexpr double kAir = 0.02;  ///< of the range, around the plot
constexpr int kBars = 32;      ///< over the time that is shown

constexpr TrainingChart::Line kLines[] = {TrainingChart::Line::Train, TrainingChart::Line::Test,
                                          TrainingChart::Line::Single, TrainingChart::Line::Future};

size_t index(TrainingChart::Line line) {
    return static_cast<size_t>(line);
}

}  // namespace

/// Draws the grid behind the lines: the axes of Qt Charts are only scales here, so that grid and labels agree.
class TrainingChart::View : public QChartView {
public:
    explicit View(TrainingChart* card) : QChartView(card->m_chart), m_card(card) {}

protected:
    void drawBackground(QPainter* painter, const QRectF&) override {
        const Theme& t = Theme::of(this);
        const QRectF plot = m_card->m_chart->plotArea();
        if (m_card->isBeforeFirstStep() || m_card->m_isHidden) return;
        for (const double value : m_card->levels()) {
            QPen pen(t.line, 1);
            if (value > 0) pen.setDashPattern({2, 4});
            painter->setPen(pen);
            painter->drawLine(QPointF(plot.left(), m_card->yOf(value)), QPointF(plot.right(), m_card->yOf(value)));
        }
    }

    /// A caption that takes another line leaves less for the picture, though the card is as large as before.
    void resizeEvent(QResizeEvent* event) override {
        QChartView::resizeEvent(event);
        if (m_card->m_overlay) m_card->placeOverlay();
    }

private:
    TrainingChart* m_card;
};

/// Axis labels, the dotted level and the amber line, in front of the lines.
class TrainingChart::Overlay : public QWidget {
public:
    explicit Overlay(TrainingChart* card) : QWidget(card->m_view), m_card(card) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        const QRectF plot = m_card->m_chart->plotArea();
        if (m_card->m_isHidden) return HiddenArea::paint(p, plot, t);
        if (m_card->isBeforeFirstStep())
            return paint::centredText(p, QRectF(rect()).center(), TrainingChart::tr("No step taken yet: press Start"),
                                      uiFont(12), t.text3, Anchor::Middle);
        paintLabels(p, t, plot);
        if (m_card->m_options.bars) paintBars(p, t, plot);
        const double level = m_card->m_marker;
        if (level > 0 && level < m_card->m_top) {
            p.setPen(QPen(t.text3, 1, Qt::DotLine));
            p.drawLine(QPointF(plot.left(), m_card->yOf(level)), QPointF(plot.right(), m_card->yOf(level)));
        }
        if (m_card->m_now <= 0) return;
        const double x = std::floor(m_card->xOf(m_card->m_now)) + 0.5;  // on a pixel: one colour in every chart
        p.setPen(QPen(t.nowLine, 1.5));
        p.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const std::vector<QPointF>& single = m_card->points(Line::Single);
        if (m_card->points(Line::Future).empty() || single.empty()) return;
        p.setPen(QPen(t.surface, 1.5));
        p.setBrush(t.now);
        p.drawEllipse(QPointF(x, m_card->yOf(single.back().y())), 5, 5);
    }

private:
    void paintLabels(QPainter& p, const Theme& t, const QRectF& plot) const {
        const QFont font = monoFont(11);
        if (m_card->hasScale())
            for (const double value : m_card->levels())
                paint::centredText(p, {plot.left() - 8, m_card->yOf(value)}, m_card->m_options.format(value), font,
                                   t.text3, Anchor::End);
        // The last ends where the others have their middle.
        constexpr double kBetween = 8;
        const double quarter = m_card->xOf(m_card->m_shown / 4.0) - m_card->xOf(0);
        const double taken = 1.5 * paint::textWidth(formatCount(std::lround(m_card->m_shown)), font) + kBetween;
        const int step = quarter >= taken ? 1 : 2 * quarter >= taken ? 2 : 4;
        for (int i = 0; i <= 4; i += step) {
            const double value = m_card->m_shown * i / 4.0;
            paint::text(p, {m_card->xOf(value), plot.bottom() + 16}, formatCount(std::lround(value)), font, t.text3,
                        i == 4 ? Anchor::End : Anchor::Middle);
        }
    }

    void paintBars(QPainter& p, const Theme& t, const QRectF& plot) const {
        const std::vector<double> bars = m_card->bars();
        const double pitch = plot.width() / (1 + 2 * kAir) / kBars, foot = m_card->yOf(0);
        for (size_t i = 0; i < bars.size(); ++i) {
            const double y = m_card->yOf(bars[i]);
            p.fillRect(QRectF(m_card->xOf(0) + static_cast<double>(i) * pitch, y, pitch - 2, foot - y),
                       t.sequentialStops[4]);
        }
    }

    TrainingChart* m_card;
};

TrainingChart::TrainingChart(const QString& title, const QString& caption, Options options, QWidget* parent)
    : Card(title, caption, parent),
      m_options(std::move(options)),
      m_dots(new QScatterSeries),
      m_chart(new QChart),
      m_view(new View(this)),
      m_x(new QValueAxis),
      m_y(new QValueAxis),
      m_strong(new Caption({}, 12, QFont::DemiBold, Caption::Tone::Main)),
      m_weak(new Caption({}, 12, QFont::Normal, Caption::Tone::Data)) {
    m_chart->addAxis(m_x, Qt::AlignBottom);
    m_chart->addAxis(m_y, Qt::AlignLeft);
    for (const Line line : kLines)
        m_series[index(line)] = new QLineSeries;
    const auto add = [this](QXYSeries* series) {
        m_chart->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
    };
    for (const Line line : {Line::Future, Line::Train, Line::Single, Line::Test})
        add(m_series[index(line)]);
    add(m_dots);
    m_dots->setMarkerSize(5.5);
    m_chart->legend()->hide();
    m_chart->setMargins({0, 0, 0, 0});
    m_chart->setBackgroundVisible(false);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setMinimumSize(120, 70);
    m_view->setBackgroundBrush(Qt::NoBrush);
    m_view->viewport()->setAutoFillBackground(false);
    installChartAccessibility();
    for (QValueAxis* axis : {m_x, m_y})
        axis->setVisible(false);

    m_strong->setFont(monoFont(12, QFont::DemiBold));
    m_weak->setFont(monoFont(12));
    auto* readout = new QVBoxLayout;
    readout->setSpacing(0);
    readout->addWidget(m_strong, 0, Qt::AlignRight);
    readout->addWidget(m_weak, 0, Qt::AlignRight);
    header()->addLayout(readout);
    // Charts of one row are of one width, whatever their titles.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    setMinimumWidth(200);
    m_weak->setVisible(m_options.readoutLines > 1);
    body()->addWidget(m_view, 1);
    m_overlay = new Overlay(this);
    fitAxis();
    applyTheme();
}

void TrainingChart::append(Line line, const std::vector<QPointF>& points) {
    std::vector<QPointF>& all = m_points[index(line)];
    all.insert(all.end(), points.begin(), points.end());
    redraw(line);
}

void TrainingChart::replace(Line line, const std::vector<QPointF>& points) {
    m_points[index(line)] = points;
    redraw(line);
}

void TrainingChart::clear() {
    for (const Line line : kLines) {
        m_points[index(line)].clear();
        redraw(line);
    }
    m_now = 0;
    setReadout({});
}

void TrainingChart::cutBack(int step) {
    for (const Line line : {Line::Train, Line::Test, Line::Single}) {
        std::erase_if(m_points[index(line)], [step](const QPointF& point) { return point.x() > step; });
        redraw(line);
    }
}

void TrainingChart::redraw(Line line) {
    const std::vector<QPointF> few = decimated(m_points[index(line)], kChartMostDrawn);
    if (line != Line::Train || !m_options.bars) m_series[index(line)]->replace(QList<QPointF>(few.begin(), few.end()));
    // Dots only while they can be told apart.
    if (line == Line::Test)
        m_dots->replace(few.size() <= 40 ? QList<QPointF>(few.begin(), few.end()) : QList<QPointF>());
    fitAxis();
    m_overlay->update();
}

int TrainingChart::drawnPoints(Line line) const {
    return m_series[index(line)]->count();
}

std::vector<double> TrainingChart::bars() const {
    std::vector<double> sums, counts;
    for (const QPointF& point : m_points[index(Line::Train)]) {
        const auto bar = static_cast<size_t>(std::clamp((point.x() - 0.5) * kBars / m_shown, 0.0, kBars - 1.0));
        if (bar >= sums.size()) {
            sums.resize(bar + 1);
            counts.resize(bar + 1);
        }
        sums[bar] += point.y();
        counts[bar] += 1;
    }
    for (size_t i = 0; i < sums.size(); ++i)
        sums[i] = counts[i] > 0 ? sums[i] / counts[i] : 0;
    return sums;
}

void TrainingChart::fitAxis() {
    m_top = m_options.maximumY;
    if (m_top == 0) {
        for (const auto& points : m_points)
            for (const QPointF& point : points)
                m_top = std::max(m_top, point.y());
        m_top = m_top > 0 ? roundedUp(m_top) : 1;
    }
    // A little air, so that dots on the edges are whole.
    m_y->setRange(-kAir * m_top, (1 + kAir) * m_top);
    m_x->setRange(-kAir * m_shown, (1 + kAir) * m_shown);
    m_overlay->update();
    m_view->viewport()->update();
}

bool TrainingChart::hasPoints() const {
    return std::any_of(std::begin(m_points), std::end(m_points), [](const auto& points) { return !points.empty(); });
}

bool TrainingChart::hasScale() const {
    return m_options.maximumY > 0 || hasPoints();
}

bool TrainingChart::isBeforeFirstStep() const {
    return m_now <= 0 && !hasPoints();
}

double TrainingChart::xOf(double step) const {
    const QRectF plot = m_chart->plotArea();
    return plot.left() + plot.width() * (step / m_shown + kAir) / (1 + 2 * kAir);
}

double TrainingChart::yOf(double value) const {
    const QRectF plot = m_chart->plotArea();
    return plot.bottom() - plot.height() * (value / m_top + kAir) / (1 + 2 * kAir);
}

std::vector<double> TrainingChart::levels() const {
    constexpr double kClosest = 20;  // pixels between two labels
    constexpr double kEasilyRead[] = {1, 2, 2.5, 5};
    int parts = 2;
    for (const int candidate : {5, 4, 3}) {
        const double step = m_top / candidate;
        const double leading = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
        const bool round = std::any_of(std::begin(kEasilyRead), std::end(kEasilyRead),
                                       [leading](double easy) { return std::abs(leading - easy) < 1e-6; });
        if (round && m_chart->plotArea().height() / candidate >= kClosest) {
            parts = candidate;
            break;
        }
    }
    std::vector<double> values;
    for (int i = 0; i <= parts; ++i)
        values.push_back(m_top * i / parts);
    return values;
}

void TrainingChart::setSteps(int shown, int now) {
    m_shown = std::max(1, shown);
    m_now = now;
    fitAxis();
}

void TrainingChart::setMarker(double level) {
    m_marker = level;
    m_overlay->update();
}

void TrainingChart::setHidden(bool hidden) {
    m_isHidden = hidden;
    for (QLineSeries* series : m_series)
        series->setVisible(!hidden);
    m_dots->setVisible(!hidden);
    m_strong->setVisible(!hidden);
    describe();
    m_overlay->update();
    m_view->viewport()->update();
}

void TrainingChart::setReadout(const QString& strong, const QString& weak) {
    m_strong->setText(strong);
    m_weak->setText(weak);
    describe();
}

/// For those who do not see it: the latest values, unless they are still to be predicted.
void TrainingChart::describe() {
    QStringList values{m_strong->text(), m_weak->text()};
    values.removeAll({});
    m_view->setAccessibleDescription(m_isHidden ? HiddenArea::words() : values.join(QStringLiteral(", ")));
}

void TrainingChart::placeOverlay() {
    m_overlay->setGeometry(m_view->rect());
    m_chart->setPlotArea(
        QRectF(kChartLeft, 8, m_view->width() - kChartLeft - 4.0, m_view->height() - 8.0 - kChartBottom));
}

void TrainingChart::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    layout()->activate();
    placeOverlay();
}

void TrainingChart::changeEvent(QEvent* event) {
    Card::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyTheme();
}

void TrainingChart::applyTheme() {
    const Theme& t = Theme::of(this);
    m_series[index(Line::Train)]->setPen(QPen(t.sequentialStops[4], 1.5));
    m_series[index(Line::Test)]->setPen(QPen(t.text, 2));
    m_series[index(Line::Single)]->setPen(QPen(t.text, 1.5));
    m_series[index(Line::Future)]->setPen(QPen(t.line2, 2, Qt::DashLine));
    m_dots->setBrush(t.text);
    m_dots->setPen(Qt::NoPen);
}

std::vector<QPointF> decimated(const std::vector<QPointF>& points, int most) {
    const size_t count = points.size();
    if (count <= static_cast<size_t>(most)) return points;
    const size_t stretches = static_cast<size_t>(most) / 2;
    std::vector<QPointF> few;
    for (size_t s = 0; s < stretches; ++s) {
        const auto first = points.begin() + static_cast<std::ptrdiff_t>(s * count / stretches);
        const auto last = points.begin() + static_cast<std::ptrdiff_t>((s + 1) * count / stretches);
        auto [low, high] =
            std::minmax_element(first, last, [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
        if (high < low) std::swap(low, high);
        few.push_back(*low);
        if (low != high) few.push_back(*high);
    }
    return few;
}

double roundedUp(double value) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (value <= step * power * (1 + 1e-9)) return step * power;
    return 10 * power;
}

}  // namespace headlight

#include "moc_training_chart.cpp"
