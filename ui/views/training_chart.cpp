// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/training_chart.h"

#include <QChart>
#include <QChartView>
#include <QHBoxLayout>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QVBoxLayout>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/widgets/number_format.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/theme.h"

namespace headlight {
namespace {

constexpr int kMostDrawn = 600;  ///< more points than pixels only cost time
constexpr int kLeft = 44;
constexpr int kBottom = 22;

constexpr TrainingChart::Line kLines[] = {TrainingChart::Line::Train, TrainingChart::Line::Test,
                                          TrainingChart::Line::Single, TrainingChart::Line::Future};

size_t index(TrainingChart::Line line) {
    return static_cast<size_t>(line);
}

}  // namespace

/// Axis labels, the dotted level and the amber line: what Qt Charts would not draw in the type of the house.
class TrainingChart::Overlay : public QWidget {
public:
    explicit Overlay(TrainingChart* chart) : QWidget(chart->m_view), m_chart(chart) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        const QRectF plot = m_chart->m_chart->plotArea();
        paintLabels(p, t, plot);
        const QValueAxis* y = m_chart->m_y;
        const double level = m_chart->m_options.marker;
        if (level > 0 && level < y->max()) {
            const double at = plot.bottom() - plot.height() * (level - y->min()) / (y->max() - y->min());
            p.setPen(QPen(t.text3, 1, Qt::DotLine));
            p.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
        }
        if (!m_chart->m_options.nowLine || m_chart->m_now <= 0) return;
        const double x = plot.left() + plot.width() * m_chart->m_now / m_chart->m_x->max();
        p.setPen(QPen(t.nowLine, 1.5));
        p.drawLine(QPointF(x, plot.top() - 4), QPointF(x, plot.bottom()));
        const std::vector<QPointF>& single = m_chart->points(Line::Single);
        if (m_chart->points(Line::Future).empty() || single.empty()) return;
        const double share = (single.back().y() - y->min()) / (y->max() - y->min());
        p.setPen(QPen(t.surface, 1.5));
        p.setBrush(t.now);
        p.drawEllipse(QPointF(x, plot.bottom() - plot.height() * share), 5, 5);
    }

private:
    void paintLabels(QPainter& p, const Theme& t, const QRectF& plot) const {
        const QFont font = monoFont(11);
        const QValueAxis* y = m_chart->m_y;
        for (int i = 0; i < y->tickCount(); ++i) {
            const double share = i / (y->tickCount() - 1.0);
            const double value = y->min() + share * (y->max() - y->min());
            paint::centredText(p, {plot.left() - 8, plot.bottom() - share * plot.height()},
                               m_chart->m_options.format(value), font, t.text3, Anchor::End);
        }
        for (int i = 0; i <= 4; i += plot.width() < 240 ? 2 : 1) {
            const double value = m_chart->m_x->max() * i / 4;
            paint::text(p, {plot.left() + plot.width() * i / 4, plot.bottom() + 16}, formatCount(std::lround(value)),
                        font, t.text3, i == 4 ? Anchor::End : Anchor::Middle);
        }
    }

    TrainingChart* m_chart;
};

TrainingChart::TrainingChart(const QString& title, const QString& caption, Options options, QWidget* parent)
    : Card(title, caption, parent),
      m_options(std::move(options)),
      m_dots(new QScatterSeries),
      m_chart(new QChart),
      m_view(new QChartView(m_chart)),
      m_x(new QValueAxis),
      m_y(new QValueAxis),
      m_strong(new Caption({}, 12, QFont::DemiBold, Caption::Tone::Main)),
      m_weak(new QLabel) {
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
    m_y->setTickCount(m_options.ticks);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setMinimumSize(120, 70);
    m_view->setBackgroundBrush(Qt::NoBrush);
    m_view->viewport()->setAutoFillBackground(false);
    m_view->setAccessibleName(title);
    for (QValueAxis* axis : {m_x, m_y}) {
        axis->setLabelsVisible(false);
        axis->setLineVisible(false);
    }
    m_x->setGridLineVisible(false);

    m_strong->setFont(monoFont(12, QFont::DemiBold));
    m_weak->setFont(monoFont(12));
    header()->addWidget(m_weak);
    header()->addWidget(m_strong);
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

void TrainingChart::redraw(Line line) {
    const std::vector<QPointF> few = decimated(m_points[index(line)], kMostDrawn);
    m_series[index(line)]->replace(QList<QPointF>(few.begin(), few.end()));
    // Dots only while they can be told apart.
    if (line == Line::Test)
        m_dots->replace(few.size() <= 40 ? QList<QPointF>(few.begin(), few.end()) : QList<QPointF>());
    fitAxis();
    m_overlay->update();
}

int TrainingChart::drawnPoints(Line line) const {
    return m_series[index(line)]->count();
}

void TrainingChart::fitAxis() {
    double top = m_options.maximumY;
    if (top == 0) {
        for (const auto& points : m_points)
            for (const QPointF& point : points)
                if (std::isfinite(point.y())) top = std::max(top, point.y());
        top = top > 0 ? roundedUp(top) : 1;
    }
    m_y->setRange(m_options.minimumY, top);
    m_x->setRange(0, std::max(1, m_shown));
}

void TrainingChart::setSteps(int shown, int now) {
    m_shown = shown;
    m_now = now;
    m_x->setRange(0, std::max(1, shown));
    m_overlay->update();
}

void TrainingChart::setReadout(const QString& strong, const QString& weak) {
    m_strong->setText(strong);
    m_weak->setText(weak);
}

void TrainingChart::placeOverlay() {
    m_overlay->setGeometry(m_view->rect());
    m_chart->setPlotArea(QRectF(kLeft, 8, m_view->width() - kLeft - 4.0, m_view->height() - 8.0 - kBottom));
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
    QPen grid(t.line, 1);
    grid.setDashPattern({2, 4});
    m_y->setGridLinePen(grid);
    QPalette weak;
    weak.setColor(QPalette::WindowText, t.sequentialStops[6]);
    m_weak->setPalette(weak);
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
