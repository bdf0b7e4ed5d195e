// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/recurrent_side.h"

#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/error.h"
#include "core/experiment/gradient_by_word.h"
#include "core/io/model_file.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/recurrence.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

constexpr int kWidth = 372, kChartHeight = 240;
constexpr int kYieldsBelow = 1000, kStaysAbove = 620, kAlwaysYields = 100000;

QLabel* explanation() {
    auto* label = new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary);
    label->setWordWrap(true);
    return label;
}

/// Of all words that were read until then, the last first.
std::vector<double> byDistance(const GradientByWord& gradient) {
    std::vector<double> all = gradient.source;
    all.insert(all.end(), gradient.target.begin(), gradient.target.end());
    std::ranges::reverse(all);
    return all;
}

}  // namespace

RecurrentSide::RecurrentSide(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_curves(new LengthCurves(this)),
      m_choice(new SegmentedControl({tr("Alignment"), tr("Gradient"), tr("Length")})),
      m_pages(new QStackedWidget),
      m_alignmentText(explanation()),
      m_alignment(new MatrixView),
      m_gradientText(explanation()),
      m_gradient(new PlainChart),
      m_lengthText(explanation()),
      m_lengthChart(new PlainChart),
      m_legend(explanation()),
      m_measure(new Button(Button::Kind::Ghost, tr("Measure this model"))) {
    takeShare(300, kWidth, 0.32);
    yieldBelow(kYieldsBelow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(10);
    m_choice->setAccessibleName(tr("What stands beside the network"));
    column->addWidget(m_choice);
    column->addWidget(m_pages, 1);

    QVBoxLayout* page = addPage(tr("Alignment"), m_alignmentText);
    page->addWidget(m_alignment, 100);
    page->addStretch(1);
    m_alignment->setAccessibleName(tr("Attention: rows write, columns are read"));

    page = addPage(tr("How far back the gradient reaches"), m_gradientText);
    m_gradient->setFixedHeight(kChartHeight);
    m_gradient->setAccessibleName(tr("Gradient norm by distance"));
    page->addWidget(m_gradient);
    page->addWidget(new Caption(tr("words back, the newest at 0"), 12, QFont::Normal, Caption::Tone::Faint));
    page->addStretch(1);

    page = addPage(tr("The longer the sentence"), m_lengthText);
    m_lengthText->setText(
        tr("How much of the translation is right (BLEU), by the length of the sentence: sentences "
           "that the model was not trained on. Measure one model, then open another and measure that too."));
    m_lengthChart->setFixedHeight(kChartHeight);
    m_lengthChart->setAccessibleName(tr("BLEU by length"));
    m_legend->setTextFormat(Qt::RichText);
    page->addWidget(m_lengthChart);
    page->addWidget(new Caption(tr("source words"), 12, QFont::Normal, Caption::Tone::Faint));
    page->addWidget(m_legend);
    page->addWidget(m_measure, 0, Qt::AlignLeft);
    page->addStretch(1);

    m_measure->setEnabled(false);
    connect(m_choice, &SegmentedControl::currentChanged, this, [this](int index) {
        setSide(static_cast<StageSide>(index + static_cast<int>(StageSide::Alignment)));
        emit sideChosen();
    });
    connect(m_alignment, &MatrixView::cellClicked, this, [this](int row, int) { emit rowChosen(row); });
    connect(m_measure, &Button::clicked, this, [this] {
        m_measured.push_back(m_modelKey.toStdString());
        m_curves->measure(m_model, describeModel(m_model->network->config()));
    });
    connect(m_curves, &LengthCurves::changed, this, &RecurrentSide::showLengths);
}

QVBoxLayout* RecurrentSide::addPage(const QString& title, QLabel* text) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* heading = new Caption(title, 18, QFont::DemiBold, Caption::Tone::Main);
    heading->setWordWrap(true);
    column->addWidget(heading);
    column->addWidget(text);
    m_pages->addWidget(page);
    return column;
}

void RecurrentSide::setSettling(Settling* settling) {
    m_settling = settling;
    m_wayBack.setSettling(settling);
}

void RecurrentSide::measure(const StageTexts& models) {
    for (const std::string& key : models) {
        if (std::ranges::count(m_measured, key)) continue;
        const QString file = findModel(QString::fromStdString(key), {});
        const bool isOpen = m_model && m_modelKey.toStdString() == key;
        if (file.isEmpty() && !isOpen) continue;  // a model of elsewhere: its curve cannot be drawn
        m_measured.push_back(key);
        if (m_settling && !m_measures.isUnderWay()) m_measures = m_settling->start();
        try {
            if (isOpen)
                m_curves->measure(m_model, describeModel(m_model->network->config()));
            else
                m_curves->measure([file] { return openTrainedModel(file); },
                                  describeModel(readModelCard(file.toStdString()).config));
        } catch (const Error&) {
            m_measured.pop_back();  // no model after all
        }
    }
    if (!m_curves->isMeasuring()) m_measures.done();
}

StageTexts RecurrentSide::measured() const {
    return m_curves->isMeasuring() ? StageTexts() : m_measured;
}

void RecurrentSide::setSide(StageSide side) {
    using Side = StageSide;
    m_side = side;
    yieldBelow(side == Side::Auto ? kYieldsBelow : side == Side::None ? kAlwaysYields : kStaysAbove);
    showPage(side == Side::Auto       ? ownPage()
             : side == Side::Gradient ? Page::Gradient
             : side == Side::Length   ? Page::Length
                                      : Page::Alignment);
}

/// What there is to see before the reader chooses.
RecurrentSide::Page RecurrentSide::ownPage() const {
    return !m_trace || alignmentOf(*m_trace) ? Page::Alignment : Page::Gradient;
}

void RecurrentSide::showPage(Page page) {
    const QSignalBlocker quiet(m_choice);
    m_choice->setCurrentIndex(static_cast<int>(page));
    m_pages->setCurrentIndex(static_cast<int>(page));
    if (m_trace) showGradient();
}

void RecurrentSide::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    m_trace = std::move(trace);
    m_row = -1;
    m_wayBack.drop();
    showLengths();
    if (!m_trace) return;
    fillAlignment();
    if (m_side == StageSide::Auto) showPage(ownPage());
}

void RecurrentSide::setVeil(const std::vector<NumberName>& veiled) {
    m_veiled = veiled;
    if (m_trace) fillAlignment();
}

void RecurrentSide::fillAlignment() {
    const TraceRecord* weights = alignmentOf(*m_trace);
    m_alignment->setVisible(weights != nullptr);
    if (!weights) {
        m_alignmentText->setText(
            m_model->network->config().encoderDecoder()
                ? tr("This decoder has no attention. All that it knows of the sentence has to pass through the thought "
                     "vector, however long the sentence is.")
                : tr("This network reads and writes one text. All that it knows of what came before is in its state."));
        return;
    }
    m_alignmentText->setText(
        tr("While a word is written, the decoder's state is compared with every state of the encoder; "
           "what it looks at need not pass through the thought vector."));
    MatrixData matrix;
    matrix.rows = weights->dim(0);
    matrix.columns = weights->dim(1);
    matrix.values = weights->values;
    matrix.rowLabels = writtenWords(*m_trace);
    matrix.columnLabels = wordList(m_trace->sourceTokens);
    matrix.rowAxis = tr("writes");
    matrix.columnAxis = tr("reads");
    matrix.scale = ColorScale::weights();
    takeOut(matrix, [&](int row, int column) { return isAmong(m_veiled, {weights->name, {row + 1, column + 1}}); });
    m_alignment->setData(std::move(matrix));
}

void RecurrentSide::showStep(int row) {
    m_row = row;
    if (m_alignment->isVisibleTo(this) && row >= 0 && m_alignment->data().rows > row) {
        const MatrixData& matrix = m_alignment->data();
        const auto weights =
            std::span(matrix.values).subspan(cellIndex(row, 0, matrix.columns), static_cast<size_t>(matrix.columns));
        const auto largest = std::ranges::max_element(weights) - weights.begin();
        m_alignment->setLocked(isTakenOut(matrix, row, 0) ? MatrixView::Cell()
                                                          : MatrixView::Cell{row, static_cast<int>(largest)});
    }
    showGradient();
}

void RecurrentSide::showGradient() {
    m_wayBack.drop();
    // Costs a way forth and back through the model: only for those who look.
    if (m_pages->currentIndex() != static_cast<int>(Page::Gradient)) return;
    m_gradient->setVisible(m_row >= 0);
    if (m_row < 0) return m_gradientText->setText(tr("Choose a step that writes a word: the gradient starts from it."));
    m_wayBack.ask<std::vector<double>>(
        [model = m_model, trace = m_trace, row = m_row] { return byDistance(gradientByWord(*model, *trace, row)); },
        [this](const std::vector<double>& norms) { showNorms(norms); },
        [this](const QString& why) { m_gradientText->setText(why); });
}

void RecurrentSide::showNorms(const std::vector<double>& norms) {
    const double largest = *std::ranges::max_element(norms);
    std::vector<double> shares;
    shares.reserve(norms.size());
    for (const double norm : norms)
        shares.push_back(largest > 0 ? norm / largest : 0);
    m_gradient->setBars(std::move(shares), 0, -1);
    m_gradientText->setText(
        tr("How much the probability of the word written here would change with each word that was read: the norm of "
           "∂ log p / ∂ x, as a share of the largest (%1). Of the first word, %2 back, it is %3.")
            .arg(formatNumber(largest, 3))
            .arg(norms.size() - 1)
            .arg(formatNumber(norms.back(), 3)));
}

void RecurrentSide::showLengths() {
    if (!m_curves->isMeasuring()) m_measures.done();
    const bool possible = m_model && LengthCurves::canMeasure(*m_model);
    m_measure->setEnabled(possible && !m_curves->isMeasuring());
    m_measure->setText(m_curves->isMeasuring() ? tr("Measuring …") : tr("Measure this model"));
    m_measure->setToolTip(possible ? QString()
                                   : tr("Only a translator of a built-in task has sentences to measure it on"));
    const Theme& t = Theme::of(this);
    const QColor colors[] = {t.query, t.key, t.value, t.decoder};
    std::vector<PlainChart::Line> lines;
    QStringList legend;
    double right = 10;
    for (const LengthCurves::Curve& curve : m_curves->curves()) {
        PlainChart::Line line;
        for (const LengthCurves::Point& point : curve.points) {
            line.emplace_back((point.from + point.to) / 2.0, point.bleu);
            right = std::max(right, static_cast<double>(point.to));
        }
        QString entry = QStringLiteral("<span style='color:%1'>●</span> %2")
                            .arg(colors[lines.size()].name(), curve.name.toHtmlEscaped());
        if (!curve.points.empty())
            entry += tr(": %1 at %2 to %3 words, %4 at %5 to %6")
                         .arg(formatNumber(curve.points.front().bleu, 1))
                         .arg(curve.points.front().from)
                         .arg(curve.points.front().to)
                         .arg(formatNumber(curve.points.back().bleu, 1))
                         .arg(curve.points.back().from)
                         .arg(curve.points.back().to);
        legend << entry;
        lines.push_back(std::move(line));
    }
    m_lengthChart->setVisible(!lines.empty());
    m_lengthChart->setLines(std::move(lines), {0, right, 0, 100}, -1);
    m_legend->setText(legend.join(QStringLiteral("<br>")));
}

}  // namespace headlight

#include "moc_recurrent_side.cpp"
