// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/why/attribution_page.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/experiment/prompt.h"
#include "ui/session/format/number_format.h"
#include "ui/views/why/attribution_strips.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/progress_line.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

using Method = AttributionMethod;

namespace {

constexpr std::chrono::milliseconds kSoon{40};  ///< answers of a small model come faster than they can be drawn

/// The same words, read by all heads.
std::shared_ptr<const Trace> readByAll(const TrainedModel& model, const Trace& trace) {
    return std::make_shared<const Trace>(tracePrompt(model, Prompt::of(trace)));
}

}  // namespace

AttributionPage::AttributionPage(QWidget* parent)
    : QWidget(parent),
      m_strips(new AttributionStrips),
      m_card(new Card(tr("Every written word"))),
      m_matrix(new MatrixView),
      m_progress(new ProgressLine),
      m_failure(new FailureBox),
      m_soon(kSoon) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_progress);
    column->addWidget(m_failure);
    m_failure->hide();
    auto* across = new QHBoxLayout;
    across->setSpacing(14);
    across->addWidget(m_strips, 8);
    m_card->body()->addWidget(m_matrix, 1);
    across->addWidget(m_card, 5);
    column->addLayout(across, 1);
    m_matrix->setAccessibleName(tr("Words that are read × words that are written"));
    connect(&m_soon, &QTimer::timeout, this, &AttributionPage::refresh);
    connect(m_strips, &AttributionStrips::chosen, this, &AttributionPage::methodWanted);
    connect(m_matrix, &MatrixView::cellClicked, this, [this](int row) {
        if (m_picture && row != m_picture->row()) emit rowWanted(row);
    });
}

void AttributionPage::setReading(const std::shared_ptr<const TrainedModel>& model,
                                 const std::shared_ptr<const Trace>& trace, bool isMuted) {
    m_model = model;
    m_trace = trace;
    m_isMuted = isMuted;
    m_background.drop();
    m_known.clear();
    m_failure->hide();
    // What is looked at stays until there is more to see.
    if (trace && isVisible()) return;
    m_picture.reset();
    refresh();
}

void AttributionPage::ask(const WhyQuestion& question, Method method) {
    m_method = method;
    if (!m_trace) return;
    m_progress->setShare(0);
    m_failure->hide();
    if (m_picture) refresh();  // the method that was chosen is marked at once, and what is known of it shown
    const auto tell = [this, asked = ++m_asked](auto what) {
        QMetaObject::invokeMethod(this, [this, asked, what] {
            if (asked == m_asked && isBusy()) what();
        });
    };
    m_background.ask<Picture>(
        [this, tell, question, method, model = m_model, trace = m_trace, isMuted = m_isMuted,
         known = m_known](const Background::Wanted& wanted) -> Picture {
            const auto read = isMuted ? readByAll(*model, *trace) : trace;
            auto picture = std::make_shared<const AttributionPicture>(model, read, question);
            tell([this, picture] { begin(picture); });
            const std::vector<AttributionKey> questions = picture->questions(method);
            double done = 0;
            for (const AttributionKey& key : questions) {
                const double share = ++done / static_cast<double>(questions.size());
                if (known.contains(key)) continue;
                const Attribution answer = attribute(*model, *read, key.row, key.word, key.method, wanted);
                if (!wanted()) break;
                tell([this, key, answer, share] {
                    m_known[key] = answer;
                    m_progress->setShare(share);
                    if (!m_soon.isActive()) m_soon.start();
                });
            }
            return picture;
        },
        [this](const Picture&) {
            m_progress->setShare(-1);
            refresh();
        },
        [this](const QString& why) {
            m_progress->setShare(-1);
            m_failure->setText(tr("Not every method was carried out: %1").arg(why));
            m_failure->show();
            refresh();
        });
}

void AttributionPage::begin(const Picture& picture) {
    m_picture = picture;
    refresh();
}

void AttributionPage::refresh() {
    m_soon.stop();
    showStrips();
    showMatrix();
    emit answered();
}

void AttributionPage::showStrips() {
    std::vector<AttributionStrip> strips;
    QStringList words;
    int read = 0;
    if (m_picture) {
        read = m_picture->readAtRow();
        words = m_picture->read().mid(0, read) + m_picture->fed().mid(0, m_picture->fedAtRow());
        for (const Method method : attributionMethods()) {
            AttributionStrip& strip = strips.emplace_back();
            strip.method = method;
            if (!suits(method, *m_model->network)) strip.instead = tr("This model has no attention to ask.");
            const auto found = m_known.find(m_picture->keyOf(m_picture->row(), method));
            if (found == m_known.end()) continue;
            const Attribution& answer = found->second;
            strip.numbers.assign(answer.source.begin(), answer.source.begin() + read);
            if (!answer.target.empty())
                strip.numbers.insert(strip.numbers.end(), answer.target.begin(),
                                     answer.target.begin() + m_picture->fedAtRow());
            if (method != Method::Integrated) continue;
            strip.closing = tr("Sum %1 of %2: %3 off")
                                .arg(formatSigned(answer.sum(), 3), formatSigned(answer.whole, 3),
                                     formatPercent(AttributionPicture::gap(answer), 1));
            strip.steps = tr(", %1 steps").arg(formatCount(answer.steps));
            strip.closes = AttributionPicture::closes(answer);
        }
        m_strips->setAccessibleName(tr("What each word has to do with “%1”").arg(m_picture->name(m_picture->word())));
    }
    m_strips->setStrips(words, read, std::move(strips), m_method);
}

/// Rows that nobody has asked about yet are hatched.
void AttributionPage::showMatrix() {
    const bool isMany = m_picture && m_picture->said().size() > 1;
    m_card->setVisible(isMany);
    if (!isMany) return m_matrix->setData({});
    m_card->setCaption(m_picture->gold().empty()
                           ? tr("by %1").arg(attributionName(m_method))
                           : tr("by %1; dots: what stands for what in its task").arg(attributionName(m_method)));
    MatrixData shown;
    shown.rows = static_cast<int>(m_picture->said().size());
    shown.columns = static_cast<int>(m_picture->read().size());
    shown.rowLabels = m_picture->said();
    shown.columnLabels = m_picture->read();
    shown.rowAxis = tr("writes");
    shown.columnAxis = tr("reads");
    const auto cells = static_cast<size_t>(shown.rows) * static_cast<size_t>(shown.columns);
    shown.values.assign(cells, std::numeric_limits<float>::quiet_NaN());
    shown.leftOut.assign(cells, 1);
    double most = 0;
    for (int row = 0; row < shown.rows; ++row) {
        const auto found = m_known.find(m_picture->keyOf(row, m_method));
        if (found == m_known.end()) continue;
        const auto first = static_cast<std::ptrdiff_t>(cellIndex(row, 0, shown.columns));
        for (size_t word = 0; word < found->second.source.size(); ++word) {
            const double number = found->second.source[word];
            shown.values[static_cast<size_t>(first) + word] = static_cast<float>(number);
            most = std::max(most, std::abs(number));
        }
        std::fill_n(shown.leftOut.begin() + first, shown.columns, char{0});
    }
    if (std::ranges::count(shown.leftOut, char{0}) == static_cast<std::ptrdiff_t>(cells)) shown.leftOut.clear();
    shown.scale = isShare(m_method) ? ColorScale::weights() : ColorScale{ColorScale::Kind::Diverging, scaleEnd(most)};
    if (!m_picture->gold().empty()) shown.marked.assign(cells, 0);
    for (const auto& [source, target] : m_picture->gold())
        if (source < shown.columns && target < shown.rows) shown.marked[cellIndex(target, source, shown.columns)] = 1;
    m_matrix->setData(std::move(shown));
    const auto here = m_known.find(m_picture->keyOf(m_picture->row(), m_method));
    if (here == m_known.end()) return m_matrix->setLocked({});
    const auto& numbers = here->second.source;
    m_matrix->setLocked({m_picture->row(), static_cast<int>(std::ranges::max_element(numbers) - numbers.begin())});
}

QString AttributionPage::story() const {
    if (!m_picture) return {};
    QString text = m_picture->story(m_known);
    if (m_isMuted) text += tr(" Muted heads speak here: every method asks the whole model.");
    return text;
}

}  // namespace headlight

#include "moc_attribution_page.cpp"
