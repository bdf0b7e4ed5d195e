// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/explore_room.h"

#include <QVBoxLayout>

#include "ui/session/open/shipped.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/view_group.h"
#include "ui/shell/workbench.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/wall_page.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/lens/lens_view.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/models/embedding_view.h"
#include "ui/views/recurrent/cell_view.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/views/residual/feed_forward_view.h"
#include "ui/views/residual/residual_view.h"
#include "ui/views/subwords/subwords_view.h"
#include "ui/views/surgery/surgery_view.h"
#include "ui/views/values/values_view.h"
#include "ui/views/why/why_view.h"
#include "ui/widgets/time/timeline.h"

namespace headlight {

ExploreRoom::ExploreRoom(Workbench& workbench, QWidget* parent)
    : ViewRoom(workbench, parent),
      m_sentence(new SentenceBar(workbench.session, workbench.kept, this)),
      m_group(new ViewGroup(this)),
      m_architecture(new ArchitectureView(&workbench.selection, this)),
      m_attention(new AttentionView(&workbench.selection, this)),
      m_queryKeyValue(new QueryKeyValueView(this)),
      m_masks(new MaskView(this)),
      m_positions(new PositionView(this)),
      m_recurrent(new RecurrentView(this)),
      m_cell(new CellView(this)),
      m_residuals(new ResidualView(this)),
      m_feedForward(new FeedForwardView(this)),
      m_loss(new LossView(this)),
      m_subwords(new SubwordsView(this)),
      m_embeddings(new EmbeddingView(this)),
      m_values(new ValuesView(&workbench.selection, this)),
      m_lens(new LensView(this)),
      m_why(new WhyView(this)),
      m_surgery(new SurgeryView(this)),
      m_timeline(new Timeline(&workbench.cursor, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    column->addWidget(m_group);
    column->addWidget(m_pages, 1);
    m_timeline->setPanelName("timeline");
    column->addWidget(m_timeline);
    addView(ViewName::Architecture, m_architecture);
    addView(ViewName::Values, m_values);
    addView(ViewName::Residuals, m_residuals);
    addView(ViewName::FeedForward, m_feedForward);
    addView(ViewName::Recurrent, m_recurrent);
    addView(ViewName::Cell, m_cell);
    addView(ViewName::Attention, m_attention);
    addView(ViewName::QueryKeyValue, m_queryKeyValue);
    addView(ViewName::Masks, m_masks);
    addView(ViewName::Positions, m_positions);
    addView(ViewName::Subwords, m_subwords);
    addView(ViewName::Embeddings, m_embeddings);
    addView(ViewName::Loss, m_loss);
    addView(ViewName::Lens, m_lens);
    addView(ViewName::Why, m_why);
    addView(ViewName::Surgery, m_surgery);
    connect(&workbench.session, &Session::readingChanged, this, &ExploreRoom::showReading);
    connect(&workbench.session, &Session::modelOpened, this, &ExploreRoom::showModel);
    connect(&workbench.cursor, &StepCursor::changed, this, &ExploreRoom::showStep);
    connect(&workbench.cursor, &StepCursor::phaseChanged, this, &ExploreRoom::showPhase);
    connect(&workbench, &Workbench::byHandChanged, this, &ExploreRoom::showByHand);
    connectViews();
    m_group->setViews(views(), currentView());
}

/// What some views have besides what all have.
void ExploreRoom::connectViews() {
    Session& session = m_workbench.session;
    connect(m_group, &ViewGroup::chosen, &m_workbench, &Workbench::viewRequested);
    connect(&session, &Session::goldFound, this, [this] { m_attention->setGold(m_workbench.session.reading()->gold); });
    connect(m_attention, &AttentionView::mutedHeadsChanged, &session, &Session::setMutedHeads);
    connect(m_attention, &AttentionView::turned, this, &ExploreRoom::showTimeline);
    connect(m_architecture, &ArchitectureView::allHeadsOnWanted, &session, [&session] { session.setMutedHeads({}); });
    connect(m_architecture, &ArchitectureView::stepWanted, &m_workbench.cursor, &StepCursor::setPosition);
    connect(&m_workbench, &Workbench::besideWanted, m_surgery, &SurgeryView::hold);
    connect(m_surgery, &SurgeryView::readerWanted, &m_workbench, &Workbench::readerWanted);
    connect(&m_workbench, &Workbench::readerHeld, m_surgery, &SurgeryView::hold);
    connect(&m_workbench, &Workbench::readerMissed, m_surgery, &SurgeryView::missReader);
    connect(m_cell, &CellView::modelWanted, &session,
            [&session](const QString& name) { session.openModel(shippedModel(name)); });
    connect(m_loss, &LossView::targetWanted, &session, &Session::setTarget);
}

void ExploreRoom::showModel() {
    m_recurrent->side()->setModelKey(m_workbench.session.modelKey());
    m_embeddings->setModel(m_workbench.session.model());
    m_group->setViews(views(), currentView());
}

void ExploreRoom::showReading() {
    const auto& reading = m_workbench.session.reading();
    m_architecture->setMuted(m_workbench.session.mutedHeads());
    if (!reading) {
        m_attention->setTrace(
            nullptr, m_workbench.session.model() ? AttentionView::Missing::Sentence : AttentionView::Missing::Model);
        m_timeline->setTrace(nullptr);
        m_lens->setReading(m_workbench.session.model(), nullptr);
        m_filled.clear();  // without a reading, too, a page tells which model is open
        fillPage();
        return;
    }
    m_workbench.cursor.setTrace(*reading->trace);
    m_timeline->setTrace(reading->trace);
    m_attention->wall()->setReading(m_workbench.session.model(), reading->source, reading->target);
    m_attention->setTrace(reading->trace, AttentionView::Missing::Sentence, m_workbench.session.model().get());
    m_attention->setGold(reading->gold);
    m_attention->setBaseline(reading->baseline);
    std::vector<QString> muted;
    for (const QString& head : m_workbench.session.mutedHeads())
        muted.push_back(head);
    m_attention->setMuted(reading->muted.value_or(TranslationRow()), muted);
    showStep();
    fillPage();
}

void ExploreRoom::viewShown() {
    m_group->setViews(views(), currentView());
    showTimeline();
    fillPage();
    showPhase();
}

/// In a low window the bars leave the pictures what they can.
void ExploreRoom::resizeEvent(QResizeEvent* event) {
    ViewRoom::resizeEvent(event);
    constexpr int kLow = 760;
    m_sentence->setFixedHeight(height() < kLow ? 46 : 56);
    m_group->setFixedHeight(height() < kLow ? 34 : 40);
}

/// It folds away where a picture needs the height.
void ExploreRoom::showTimeline() {
    QWidget* const page = m_pages->currentWidget();
    m_timeline->setVisible((page == m_attention && !m_attention->showsWall()) || page == m_architecture ||
                           page == m_values);
}

/// The laboratories compute when they are looked at, and not before; and once a reading, so that what was changed by
/// hand stays while the reader looks elsewhere.
void ExploreRoom::fillPage() {
    const auto& reading = m_workbench.session.reading();
    const std::shared_ptr<const Trace> trace = reading ? reading->trace : nullptr;
    QWidget* const page = m_pages->currentWidget();
    const auto filled = m_filled.find(page);
    if (filled != m_filled.end() && filled->second == trace) return;
    m_filled[page] = trace;
    const auto& model = m_workbench.session.model();
    if (page == m_attention) m_workbench.session.wantGold();
    if (page == m_architecture) m_architecture->setReading(model, trace);
    if (page == m_values) m_values->setReading(model, trace);
    if (page == m_cell) m_cell->setReading(model, trace);
    if (page == m_residuals) m_residuals->setReading(model, trace);
    if (page == m_feedForward)
        m_feedForward->setReading(
            model, trace,
            trace ? parseMutedHeads(m_workbench.session.mutedHeads(), *model->network) : std::vector<MutedHead>());
    if (page == m_why) m_why->setReading(model, trace, reading && reading->muted);
    if (page == m_subwords)
        m_subwords->setReading(model, reading ? reading->source : QString(),
                               reading && model->network->config().encoderDecoder() ? reading->translation : QString());
    if (page == m_surgery) m_surgery->setReading(model, reading ? reading->source : QString());
    if (page == m_loss)
        m_loss->setReading(model, trace, reading ? reading->target : QString(),
                           reading ? reading->baseline : TranslationRow());
    if (!reading) return;
    if (page == m_queryKeyValue) m_queryKeyValue->setReading(model, trace);
    if (page == m_masks) m_masks->setReading(model, trace);
    if (page == m_positions) m_positions->setReading(model, trace);
    if (page == m_recurrent) m_recurrent->setReading(model, trace);
    if (page == m_lens) m_lens->setReading(model, trace);
}

/// What a lesson gives by hand, or else the laboratories' own examples.
void ExploreRoom::showByHand() {
    const std::optional<LessonTensors>& given = m_workbench.byHand;
    const auto words = [&](int count) {
        QStringList all = wordList(given->words);
        while (all.size() < count)
            all << QString::number(all.size() + 1);
        return all;
    };
    const auto matrix = [&](const char* name) -> const LessonMatrix* {
        if (!given) return nullptr;
        const auto at = given->matrices.find(name);
        return at == given->matrices.end() ? nullptr : &at->second;
    };
    if (const LessonMatrix* scores = matrix("scores"))
        m_masks->setScores(words(scores->rows), scores->values);
    else
        m_masks->setScores({}, {});
    const LessonMatrix *q = matrix("Q"), *k = matrix("K"), *v = matrix("V");
    if (q && k && v)
        m_queryKeyValue->setExample({q->rows, k->rows, q->columns, q->values, k->values, v->values}, words(k->rows));
    else
        m_queryKeyValue->restoreExample();
}

void ExploreRoom::showStep() {
    const StepCursor& cursor = m_workbench.cursor;
    const bool all = cursor.isAtEnd();
    m_values->setRevealed(all ? -1 : cursor.position());
    // What a step computes is what the reader looks at.
    const auto& reading = m_workbench.session.reading();
    if (reading && cursor.position() != m_step && (!all || cursor.playing()))
        m_workbench.selection.setValue(
            QString::fromStdString(reading->trace->records()[static_cast<size_t>(cursor.position())].name));
    m_step = cursor.position();
    m_attention->setRevealed(all ? -1 : cursor.position(), cursor.phase());
    m_architecture->setRevealed(all ? -1 : cursor.position(), cursor.phase());
}

/// Frame by frame only what is seen follows.
void ExploreRoom::showPhase() {
    const StepCursor& cursor = m_workbench.cursor;
    const int revealed = cursor.isAtEnd() ? -1 : cursor.position();
    QWidget* const page = m_pages->currentWidget();
    if (page == m_attention) m_attention->setRevealed(revealed, cursor.phase());
    if (page == m_architecture) m_architecture->setRevealed(revealed, cursor.phase());
}

}  // namespace headlight

#include "moc_explore_room.cpp"
