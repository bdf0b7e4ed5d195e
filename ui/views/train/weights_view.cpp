// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/weights_view.h"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

/// The share of the weights in each bin, as the outline of bars.
PlainChart::Line outlineOf(const Histogram& histogram) {
    PlainChart::Line line;
    double all = 0;
    for (const int count : histogram.counts)
        all += count;
    const double width = (histogram.high - histogram.low) / static_cast<double>(histogram.counts.size());
    for (size_t i = 0; i < histogram.counts.size(); ++i) {
        const double left = histogram.low + static_cast<double>(i) * width;
        // Of a density: bins of another width compare.
        const double height = histogram.counts[i] / std::max(1.0, all) / width;
        line.emplace_back(left, height);
        line.emplace_back(left + width, height);
    }
    return line;
}

}  // namespace

WeightsView::WeightsView(QWidget* parent)
    : QWidget(parent),
      m_gradientCard(new Card(tr("Gradient norm by module"), tr("log₁₀, before clipping; a column is a step"))),
      m_gradients(new MatrixView),
      m_noGradients(
          new Caption(tr("No step taken yet: press Start under Run"), 12, QFont::Normal, Caption::Tone::Faint)),
      m_distributionCard(new Card(tr("Weights"))),
      m_distribution(new PlainChart) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 20);
    column->setSpacing(16);
    m_gradients->setAccessibleName(tr("Gradient norm by module and step"));
    m_gradientCard->body()->addWidget(m_gradients, 1);
    m_gradientCard->body()->addWidget(m_noGradients, 1);
    m_noGradients->setAlignment(Qt::AlignCenter);
    m_distribution->setAxisTitle(tr("weight"));
    m_distributionCard->body()->addWidget(m_distribution, 1);
    column->addWidget(m_gradientCard, 3);
    column->addWidget(m_distributionCard, 2);
    connect(m_gradients, &MatrixView::cellClicked, this, [this](int module, int frame) {
        m_module = module;
        m_frame = frame;
        showModule();
    });
    connect(m_gradients, &MatrixView::unlocked, this, [this] {
        m_frame = -1;
        showModule();
    });
}

void WeightsView::clear() {
    m_frames.clear();
    m_module = 0;
    m_frame = -1;
    refresh();
}

void WeightsView::cutBack(int step) {
    std::erase_if(m_frames, [step](const WeightsFrame& frame) { return frame.step > step; });
    m_frame = -1;
    if (isVisible()) refresh();
}

void WeightsView::append(const std::vector<WeightsFrame>& frames) {
    m_frames.insert(m_frames.end(), frames.begin(), frames.end());
    if (isVisible()) refresh();
}

void WeightsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void WeightsView::refresh() {
    MatrixData matrix;
    if (!m_frames.empty()) {
        for (const ModuleState& module : m_frames.front().modules)
            matrix.rowLabels << module.name;
        matrix.rows = static_cast<int>(matrix.rowLabels.size());
        // Before the first step there is no gradient.
        for (const WeightsFrame& frame : m_frames)
            if (frame.step > 0) matrix.columnLabels << formatCount(frame.step);
        matrix.columns = static_cast<int>(matrix.columnLabels.size());
        matrix.columnAxis = tr("step");
        for (int row = 0; row < matrix.rows; ++row)
            for (const WeightsFrame& frame : m_frames)
                if (frame.step > 0)
                    matrix.values.push_back(static_cast<float>(
                        std::log10(std::max(1e-12, frame.modules[static_cast<size_t>(row)].gradientNorm))));
        matrix.scale = ColorScale::scores(matrix.values);
    }
    m_gradients->setVisible(!matrix.empty());
    m_noGradients->setVisible(matrix.empty());
    m_gradients->setData(std::move(matrix));
    showModule();
}

void WeightsView::showModule() {
    if (m_frames.empty()) return m_distribution->setLines({}, {}, -1);
    const size_t last =
        m_frame < 0 ? m_frames.size() - 1 : std::min(m_frames.size() - 1, static_cast<size_t>(m_frame) + 1);
    const auto module = static_cast<size_t>(m_module);
    std::vector<PlainChart::Line> lines;
    PlainChart::Range range{0, 0, 0, 0};
    for (const size_t frame : {size_t{0}, last}) {
        const Histogram& weights = m_frames[frame].modules[module].weights;
        lines.push_back(outlineOf(weights));
        range.left = std::min(range.left, weights.low);
        range.right = std::max(range.right, weights.high);
        for (const QPointF& point : lines.back())
            range.top = std::max(range.top, point.y() * 1.05);
    }
    m_distributionCard->setTitle(m_frames.front().modules[module].name);
    m_distributionCard->setCaption(tr("density of its weights: blue before the first step, orange at step %1")
                                       .arg(formatCount(m_frames[last].step)));
    m_distribution->setLines(std::move(lines), range, range.right + 1);
}

}  // namespace headlight

#include "moc_weights_view.cpp"
