// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/residual_view.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/data/task.h"
#include "core/io/model_file.h"
#include "core/train/trainer.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/model_text.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/residual/batch_columns.h"
#include "ui/views/residual/norm_orders.h"
#include "ui/views/residual/number_steps.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/residual/stream_chart.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/words/word_chips.h"

namespace headlight {

namespace {

/// The label smoothing that a model was trained with; a story that does not tell it is of a run that left it alone.
double smoothingOf(const TrainingStory& training) {
    const auto at = training.json().find("label_smoothing");
    return at != training.json().end() && at->is_number() ? at->get<double>() : TrainOptions().labelSmoothing;
}

constexpr int kStreamSideYieldsBelow = 760, kOrdersYieldBelow = 600;

Caption* caption(int px, int weight, Caption::Tone tone) {
    auto* label = new Caption({}, px, weight, tone);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return label;
}

}  // namespace

ResidualView::ResidualView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_subtitle(caption(12, QFont::Normal, Caption::Tone::Secondary)),
      m_words(new WordChips),
      m_profiles(new ProfileStack),
      m_chartTitle(new Caption(tr("Length of the stream"), 13, QFont::DemiBold, Caption::Tone::Main)),
      m_chartNote(caption(12, QFont::Normal, Caption::Tone::Faint)),
      m_stacks(new SegmentedControl({tr("Encoder"), tr("Decoder")})),
      m_chart(new StreamChart),
      m_orders(new NormOrders),
      m_failure(new FailureBox),
      m_number(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_ofWord(caption(12, QFont::Normal, Caption::Tone::Secondary)),
      m_rows(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_batchNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_steps(new NumberSteps),
      m_batch(new BatchColumns) {
    auto* none =
        new EmptyPage(tr("No model is open. Open one and type a sentence to see what each sublayer adds to a word."),
                      tr("Open a model"));
    m_pages->addWidget(none);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see what each sublayer adds to a word."), {}));
    m_pages->addWidget(new EmptyPage(tr("This model is recurrent: it has no residuals and no layer norm. Its state is "
                                        "carried from word to word instead; the view Recurrent shows it."),
                                     {}));
    m_pages->addWidget(makeRoom());
    connect(none, &EmptyPage::activated, this, &ResidualView::openModelRequested);
    connectParts();
}

QWidget* ResidualView::makeRoom() {
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makeStage(), 1);
    columns->addWidget(makeSide());
    return room;
}

QWidget* ResidualView::makeStage() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(9, 8, 20, 14);  // what joins the profiles stands on their frame's left edge
    column->setSpacing(10);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(11, 0, 0, 0);
    heading->setSpacing(16);
    auto* titles = new QVBoxLayout;
    titles->setSpacing(0);
    titles->addWidget(m_title);
    titles->addWidget(m_subtitle);
    heading->addLayout(titles, 1);
    heading->addWidget(m_words, 0, Qt::AlignVCenter);
    column->addLayout(heading);
    column->addWidget(m_profiles, 5);
    auto* card = new Card({});
    card->setPanelName("stream");
    card->removeHeader();
    card->body()->setContentsMargins(20, 10, 20, 10);
    auto* halves = new QHBoxLayout;
    halves->setSpacing(24);
    auto* left = new QVBoxLayout;
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(m_chartTitle);
    top->addWidget(m_chartNote, 1);
    top->addWidget(m_stacks);
    left->addLayout(top);
    left->addWidget(m_failure);
    left->addWidget(m_chart, 1);
    m_failure->hide();
    m_stacks->setAccessibleName(tr("Stack"));
    halves->addLayout(left, 6);
    halves->addWidget(m_orders, 5);
    card->body()->addLayout(halves);
    auto* below = new QHBoxLayout;
    below->setContentsMargins(11, 0, 0, 0);
    below->addWidget(card);
    column->addLayout(below, 2);
    return stage;
}

Panel* ResidualView::makeSide() {
    auto* side = new Panel(Qt::LeftEdge);
    side->setPanelName("side");
    side->takeShare(280, 392);
    side->yieldBelow(kStreamSideYieldsBelow);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 10, 20, 12);
    column->setSpacing(8);
    auto* heading = new QHBoxLayout;
    heading->setSpacing(10);
    heading->addWidget(m_number);
    heading->addWidget(m_ofWord, 1, Qt::AlignBottom);
    column->addLayout(heading);
    column->addWidget(m_steps);
    column->addWidget(new Rule);
    column->addWidget(new Caption(tr("Rows against columns"), 13, QFont::DemiBold, Caption::Tone::Main));
    for (QLabel* label : {m_rows, m_batchNote}) {
        label->setTextFormat(Qt::RichText);
        label->setWordWrap(true);
        column->addWidget(label);
    }
    column->addWidget(m_batch, 1);
    auto* around = new QVBoxLayout(side);
    around->setContentsMargins(1, 0, 0, 0);
    around->addWidget(scrolling(content));
    return side;
}

void ResidualView::connectParts() {
    connect(m_words, &WordChips::wordChosen, this, [this](int word) {
        m_word = word + 1;
        showWord();
        emit optionsChanged();
    });
    connect(m_profiles, &ProfileStack::unitChosen, this, [this](int unit) {
        m_unit = unit + 1;
        showWord();
        emit optionsChanged();
    });
    connect(m_chart, &StreamChart::placeChosen, this, [this](int place) {
        m_sublayer = place;
        showWord();
        emit optionsChanged();
    });
    connect(m_stacks, &SegmentedControl::currentChanged, this, [this](int index) {
        m_stack = index == 0 ? StageStack::Encoder : StageStack::Decoder;
        showAll();
        emit optionsChanged();
    });
}

Stack ResidualView::stack() const {
    if (!m_model || !m_model->network->config().encoderDecoder()) return Stack::Only;
    return m_stack == StageStack::Encoder ? Stack::Encoder : Stack::Decoder;
}

int ResidualView::row() const {
    return std::clamp(m_word - 1, 0, std::max(0, static_cast<int>(m_words->words().size()) - 1));
}

void ResidualView::setReading(const std::shared_ptr<const TrainedModel>& model,
                              const std::shared_ptr<const Trace>& trace) {
    const bool isOther = model != m_model;
    m_model = model;
    m_trace = trace;
    const ModelConfig* const config = model ? &model->network->config() : nullptr;
    const Page page = !config ? NoModel : config->recurrent() ? Recurrent : !trace ? NoSentence : Room;
    m_pages->setCurrentIndex(page);
    if (isOther) {
        m_found.reset();
        m_reader.drop();
        m_failure->hide();
    }
    if (page != Room) return;
    if (!m_found && !m_reader.isBusy()) survey();
    // Without test sentences the chart is of what is read now.
    if (m_found && !m_found->readTest) m_found->own = streamOf(*trace, *config);
    showAll();
}

ResidualView::Found ResidualView::compute(const std::shared_ptr<const TrainedModel>& model,
                                          const std::shared_ptr<const Trace>& trace, const Background::Wanted& wanted) {
    Found found;
    const ModelConfig& config = model->network->config();
    ModelText text = textOfModel(*model);
    if (!text.missing.isEmpty()) {
        found.missing = text.missing;
        found.lookedIn = text.lookedIn;
        found.own = streamOf(*trace, config);
        return found;
    }
    Corpus& corpus = text.sentences;
    corpus.resize(std::min<size_t>(corpus.size(), kSentences));
    found.readTest = true;
    found.own = surveyStream(*model, corpus, kBatch, wanted);
    if (!taskOf(model->training)) return found;  // no other model learned from this text
    for (const QFileInfo& file : shippedModels()) {
        if (!wanted()) break;
        const ModelCard other = readModelCard(file.filePath().toStdString());
        const bool inOrder = differInNormOrderOnly(config, other.config);
        if (other.training.task() != model->training.task() ||
            smoothingOf(other.training) != smoothingOf(model->training) ||
            !(inOrder || (!config.residuals && differInResidualsOnly(config, other.config))))
            continue;
        found.other = surveyStream(*openTrainedModel(file.filePath()), corpus, 0, wanted);
        found.otherName = file.completeBaseName();
        found.inOrder = inOrder;
        if (inOrder) break;
    }
    return found;
}

/// The text may have come to its place while the reader was elsewhere.
bool ResidualView::event(QEvent* event) {
    const bool isBack = event->type() == QEvent::Show || event->type() == QEvent::WindowActivate;
    if (isBack && m_trace && m_found && !m_found->missing.isEmpty() && !m_reader.isBusy()) survey();
    return QWidget::event(event);
}

void ResidualView::survey() {
    m_reader.ask<Found>(
        [model = m_model, trace = m_trace](const Background::Wanted& wanted) { return compute(model, trace, wanted); },
        [this](Found found) {
            m_found = std::move(found);
            showAll();
        },
        [this](const QString& why) {
            m_failure->setText(tr("The test sentences were not read: %1").arg(why));
            m_failure->show();
            showAll();
        });
}

void ResidualView::showAll() {
    if (!m_trace || !m_model || m_model->network->config().recurrent()) return;
    const ModelConfig& config = m_model->network->config();
    m_sublayers = streamSublayers(*m_trace, stack(), config.normOrder);
    m_stacks->setVisible(config.encoderDecoder());
    const QSignalBlocker quiet(m_stacks);
    m_stacks->setCurrentIndex(stack() == Stack::Encoder ? 0 : 1);
    const bool source = stack() != Stack::Decoder;
    m_words->setWords(wordList(source ? m_trace->sourceTokens : m_trace->targetTokens),
                      stack() == Stack::Encoder   ? WordChips::Of::Encoder
                      : stack() == Stack::Decoder ? WordChips::Of::Decoder
                                                  : WordChips::Of::Neither);
    showWord();
}

void ResidualView::showWord() {
    if (m_sublayers.empty()) {
        m_shown.reset();
        return m_profiles->setWord({});
    }
    const auto place = static_cast<size_t>(std::clamp(m_sublayer, 1, static_cast<int>(m_sublayers.size())) - 1);
    const StreamSublayer& sublayer = m_sublayers[place];
    m_words->setChosen(row());
    m_shown.emplace(*m_model, *m_trace, sublayer, row());
    hideVeiled(sublayer);
    const int unit = std::clamp(m_unit, 1, m_shown->width()) - 1;
    m_profiles->setWord(m_shown);
    m_profiles->setUnit(unit);
    const bool pre = m_shown->order() == NormOrder::Pre;
    m_title->setText(!m_shown->hasResidual() ? (pre ? tr("Normalise, and pass on") : tr("Normalise what was made"))
                     : pre                   ? tr("Normalise, then add")
                                             : tr("Add, then normalise"));
    QString said = tr("%1. One word is %2 numbers.").arg(scopeTitle(m_trace->at(sublayer.f))).arg(m_shown->width());
    if (m_shown->isRms()) said += tr(" An RMS norm takes no mean off.");
    if (m_profiles->hasTwoScales()) said += tr(" The stream has a scale of its own.");
    m_subtitle->setText(said);
    m_subtitle->setToolTip(said);
    m_number->setText(tr("Number %1 of %2").arg(unit + 1).arg(m_shown->width()));
    m_ofWord->setText(tr("of “%1”").arg(m_words->words().value(row())));
    m_steps->setShown({unit, m_shown->normedLetter(), m_shown->isRms(), m_shown->steps(unit)});
    m_rows->setText((m_shown->isRms()
                         ? tr("RMS norm looks along the <b>row</b> of one word. Batch norm would average over the "
                              "<b>column</b>: one number in all words of the batch.")
                         : tr("Layer norm averages over the <b>row</b> of one word. Batch norm would average over the "
                              "<b>column</b>: one number in all words of the batch.")));
    showChart();
    showBatch();
}

void ResidualView::showChart() {
    const auto place = static_cast<size_t>(std::clamp(m_sublayer, 1, static_cast<int>(m_sublayers.size())) - 1);
    const ModelConfig& config = m_model->network->config();
    const bool pre = config.normOrder == NormOrder::Pre;
    QStringList places{tr("input")};
    for (const StreamSublayer& each : m_sublayers)
        places << sublayerMark(each);
    const auto named = [](bool isPre) { return isPre ? tr("pre-norm") : tr("post-norm"); };
    const auto brief = [](bool isPre) { return isPre ? tr("pre") : tr("post"); };
    std::vector<StreamChart::Line> lines;
    const StreamSurvey::OfStack* const own = m_found ? m_found->own.of(stack()) : nullptr;
    const bool byResidual = m_found && m_found->other && !m_found->inOrder;
    if (own && own->lengths.size() == m_sublayers.size() + 1)
        lines.push_back(
            {byResidual ? tr("without residuals") : named(pre), byResidual ? tr("without") : brief(pre), own->lengths});
    const StreamSurvey::OfStack* const other = m_found && m_found->other ? m_found->other->of(stack()) : nullptr;
    if (other && !lines.empty() && other->lengths.size() == m_sublayers.size() + 1)
        lines.push_back(
            {byResidual ? tr("with residuals") : named(!pre), byResidual ? tr("with") : brief(!pre), other->lengths});
    m_chartNote->setText(!m_found            ? tr("reading test sentences …")
                         : m_found->readTest ? plural(tr("‖x‖ of %n sentence(s)", nullptr, m_found->own.sentences),
                                                      m_found->own.sentences)
                                             : tr("‖x‖ of this sentence"));
    m_chartNote->setToolTip(tr("The mean length of a row, of the test sentences where the model's task has them"));
    m_chart->setLines(std::move(lines), places);
    m_chart->setChosen(static_cast<int>(place) + 1);
    const bool namesOther = m_found && m_found->other && m_found->inOrder;
    m_orders->setShown({config.normOrder, config.residuals, sublayerTitle(m_sublayers[place].kind),
                        namesOther ? m_found->otherName : QString()});
}

void ResidualView::showBatch() {
    const auto place = static_cast<size_t>(std::clamp(m_sublayer, 1, static_cast<int>(m_sublayers.size())) - 1);
    const NormOrder order = m_model->network->config().normOrder;
    const std::vector<float>& own = m_trace->at(m_sublayers[place].normed(order)).values;
    std::vector<std::vector<float>> others;
    if (const StreamSurvey::OfStack* of = m_found && m_found->readTest ? m_found->own.of(stack()) : nullptr) {
        // The same sentence does not stand in the batch twice.
        const std::vector<std::vector<float>>& all = of->normed[place];
        for (const std::vector<float>& each : all)
            if (each != own && others.size() + 1 < kBatch) others.push_back(each);
    }
    BatchColumns::Shown shown;
    shown.width = m_shown->width();
    shown.row = row();
    shown.unit = std::clamp(m_unit, 1, m_shown->width()) - 1;
    shown.isRms = m_shown->isRms();
    shown.company = inCompany(*m_shown, shown.unit, own, others);
    shown.sentences = {own};
    shown.hidden = hiddenOfNormed(m_sublayers[place]);
    shown.isCompanyHidden = m_shown->profile(StreamProfile::Role::Z).isHidden(shown.unit);
    for (size_t i = 0; i < others.size() && i < 3; ++i)
        shown.sentences.push_back(others[i]);
    m_batch->setShown(std::move(shown));
    m_batchNote->setText(!m_found            ? tr("Reading test sentences …")
                         : m_found->readTest ? QString()
                                             : tr("The batch is this sentence. %1").arg(m_found->missing));
    m_batchNote->setToolTip(m_found ? m_found->lookedIn : QString());
    m_batchNote->setVisible(!m_batchNote->text().isEmpty());
}

void ResidualView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int side = width() >= kStreamSideYieldsBelow ? std::clamp(static_cast<int>(width() * 0.28), 280, 392) : 0;
    m_orders->setVisible(width() - side >= kOrdersYieldBelow);
}

void ResidualView::showOptions(const StageState& state) {
    m_word = state.residuals.word;
    m_unit = state.residuals.number;
    m_sublayer = state.residuals.depth;
    m_stack = state.residuals.stack;
    showAll();
}

void ResidualView::tellOptions(StageState& state) const {
    state.residuals.word = m_word;
    state.residuals.number = m_unit;
    state.residuals.depth = m_sublayer;
    state.residuals.stack = m_stack;
}

}  // namespace headlight

#include "moc_residual_view.cpp"
