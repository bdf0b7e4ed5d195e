// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/why/why_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/why/attribution_page.h"
#include "ui/views/why/held_strip.h"
#include "ui/views/why/why_column_view.h"
#include "ui/views/why/why_stage.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/word_chips.h"

namespace headlight {

namespace {

constexpr int kWhyMargin = 20;

/// The first of the options is the difference.
AttributionMethod methodOf(WhyOptions::Method option) {
    return static_cast<AttributionMethod>(static_cast<int>(option) - 1);
}

WhyOptions::Method optionOf(AttributionMethod method) {
    return static_cast<WhyOptions::Method>(static_cast<int>(method) + 1);
}

}  // namespace

WhyView::WhyView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_kinds(new QStackedLayout),
      m_kind(new SegmentedControl({tr("Difference"), tr("Attribution")})),
      m_attribution(new AttributionPage),
      m_written(new WordChips),
      m_word(new ComboBox(tr("Why this word"))),
      m_against(new ComboBox(tr("and not this one"))),
      m_other(new QLineEdit),
      m_lead(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_story(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_key(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_orAgainst(new Caption(tr("or against"), 12, QFont::Medium, Caption::Tone::Secondary)),
      m_heldName(new QWidget),
      m_held(new HeldStrip),
      m_failure(new FailureBox),
      m_scroll(new QScrollArea),
      m_stage(new WhyStage) {
    auto* none = new EmptyPage(tr("No model is open. Open one and type a sentence to ask why it says what it says."),
                               tr("Open a model"));
    m_pages->addWidget(none);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to ask why the model says what it says."), {}));
    m_pages->addWidget(new EmptyPage(tr("This model has no head that says words or labels, so there is nothing to ask "
                                        "about. Open one that writes."),
                                     {}));
    m_pages->addWidget(makeRoom());
    connect(none, &EmptyPage::activated, this, &WhyView::openModelRequested);
    connect(m_written, &WordChips::wordChosen, this, &WhyView::wantRow);
    connect(m_word, &QComboBox::activated, this,
            [this](int index) { wantWord(&WhyQuestion::word, m_word->itemData(index).toString()); });
    connect(m_against, &QComboBox::activated, this,
            [this](int index) { wantWord(&WhyQuestion::against, m_against->itemData(index).toString()); });
    connect(m_other, &QLineEdit::returnPressed, this, &WhyView::wantOther);
    connect(m_kind, &SegmentedControl::currentChanged, this,
            [this](int index) { wantMethod(index == 0 ? Method::Difference : Method::Occlusion); });
    connect(m_attribution, &AttributionPage::answered, this, [this] {
        if (isDifference()) return;
        showWords();
        showFoot();
    });
    connect(m_attribution, &AttributionPage::rowWanted, this, &WhyView::wantRow);
    connect(m_attribution, &AttributionPage::methodWanted, this,
            [this](AttributionMethod method) { wantMethod(optionOf(method)); });
}

void WhyView::setSettling(Settling* settling) {
    m_background.setSettling(settling);
    m_attribution->setSettling(settling);
}

bool WhyView::isBusy() const {
    return m_background.isBusy() || m_attribution->isBusy();
}

QWidget* WhyView::makeRoom() {
    auto* room = new QWidget;
    auto* column = new QVBoxLayout(room);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeQuestion());
    m_scroll->setWidget(m_stage);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    // The newest column is in sight.
    QScrollBar* const across = m_scroll->horizontalScrollBar();
    connect(across, &QScrollBar::rangeChanged, across, [across](int, int most) { across->setValue(most); });
    auto* middle = new QVBoxLayout;
    middle->setContentsMargins(kWhyMargin, 12, kWhyMargin, 12);
    middle->addWidget(m_failure);
    m_failure->hide();
    m_kinds->addWidget(m_scroll);
    m_kinds->addWidget(m_attribution);
    middle->addLayout(m_kinds, 1);
    column->addLayout(middle, 1);
    column->addWidget(makeFoot());
    return room;
}

void WhyView::setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                         bool isMuted) {
    m_model = model;
    m_trace = trace;
    const ModelConfig* const config = model ? &model->network->config() : nullptr;
    const Page page = !config ? NoModel : config->headless() ? Headless : !trace ? NoSentence : Room;
    m_pages->setCurrentIndex(page);
    nameAnswers(config && config->corpusKind() == CorpusKind::Labels);
    m_attribution->setReading(model, page == Room ? trace : nullptr, isMuted);
    if (page != Room) m_background.drop();
    if (page != Room || !isDifference()) take(nullptr);
    ask();
}

void WhyView::ask() {
    const QSignalBlocker quiet(m_kind);
    m_kind->setCurrentIndex(isDifference() ? 0 : 1);
    m_kinds->setCurrentIndex(isDifference() ? 0 : 1);
    if (m_pages->currentIndex() != Room) return;
    if (!isDifference()) {
        m_background.drop();
        m_failure->hide();
        m_attribution->ask(m_question, methodOf(m_method));
        return;
    }
    m_attribution->rest();
    using Picture = std::shared_ptr<const WhyPicture>;
    m_background.ask<Picture>(
        [model = m_model, trace = m_trace, question = m_question](const Background::Wanted& wanted) -> Picture {
            return std::make_shared<const WhyPicture>(model, trace, question, wanted);
        },
        [this](const Picture& picture) {
            m_failure->hide();
            take(picture);
        },
        [this](const QString& why) {
            take(nullptr);
            m_failure->setText(tr("The difference was not taken apart: %1").arg(why));
            m_failure->show();
        });
}

void WhyView::take(std::shared_ptr<const WhyPicture> picture) {
    m_picture = std::move(picture);
    m_largest = m_picture ? m_picture->largest() : std::vector<WhyStep>();
    refresh();
}

void WhyView::refresh() {
    const std::vector<WhyColumn> columns = m_picture ? m_picture->columns(opened()) : std::vector<WhyColumn>();
    while (m_columns.size() < columns.size()) {
        const size_t place = m_columns.size();
        auto* view = new WhyColumnView(m_stage);
        connect(view, &WhyColumnView::opened, this, [this, place](int row, bool score) { open(place, row, score); });
        connect(view, &WhyColumnView::leftWanted, this, [this, place] {
            if (place > 0) m_columns[place - 1]->setFocus(Qt::OtherFocusReason);
        });
        connect(view, &WhyColumnView::closeWanted, this, [this, place] { close(place); });
        m_columns.push_back(view);
    }
    for (size_t i = 0; i < columns.size(); ++i) {
        const bool opens = i + 1 < columns.size();
        const WhyStep step = opens ? opened()[i] : WhyStep{-1, false};
        m_columns[i]->setColumn(columns[i], step.index, step.score);
    }
    m_stage->setColumns(m_columns, columns.size());
    showWords();
    showFoot();
}

void WhyView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) showWords();
    QWidget::changeEvent(event);
}

void WhyView::resizeEvent(QResizeEvent* event) {
    showKey();
    QWidget::resizeEvent(event);
}

void WhyView::open(size_t column, int row, bool score) {
    std::vector<WhyStep> way = opened();
    const WhyStep step{row, score};
    // Clicked again it closes.
    const bool again = column < way.size() && way[column] == step && column + 1 < m_picture->columns(way).size();
    way.resize(std::min(way.size(), column));
    if (!again) way.push_back(step);
    m_opened = std::move(way);
    m_isOpenedByHand = true;
    refresh();
    const size_t next = m_picture->columns(opened()).size() - 1;
    if (!again && next > column) m_columns[next]->setFocus(Qt::OtherFocusReason);
    emit optionsChanged();
}

void WhyView::close(size_t column) {
    if (column == 0) return;
    m_opened = opened();
    m_opened.resize(std::min(m_opened.size(), column - 1));
    m_isOpenedByHand = true;
    refresh();
    m_columns[column - 1]->setFocus(Qt::OtherFocusReason);
    emit optionsChanged();
}

void WhyView::wantMethod(Method method) {
    // The word stays that was looked at.
    if (const SaidWords* const asked = words()) m_question.row = asked->row();
    m_method = method;
    ask();
    showWords();
    showFoot();
    emit optionsChanged();
}

void WhyView::wantRow(int row) {
    m_question = {row, {}, {}};
    m_isOpenedByHand = false;
    m_opened.clear();
    ask();
    emit optionsChanged();
}

/// Where the two are one, the other one's choice is given up.
void WhyView::wantWord(QString WhyQuestion::*which, const QString& token) {
    const auto other = which == &WhyQuestion::word ? &WhyQuestion::against : &WhyQuestion::word;
    m_question.row = words()->row();
    if (isDifference())
        m_question.*other = m_picture->token(which == &WhyQuestion::word ? m_picture->against() : m_picture->word());
    m_question.*which = token;
    if (m_question.word == m_question.against) m_question.*other = QString();
    ask();
    emit optionsChanged();
}

void WhyView::wantOther() {
    if (!m_picture || m_other->text().trimmed().isEmpty()) return;
    const std::optional<int> id = m_picture->idOf(m_other->text());
    m_failure->setVisible(!id);
    if (!id)
        return m_failure->setText(tr("“%1” is none of the model's words: try one of the lists, or a piece of it")
                                      .arg(m_other->text().trimmed()));
    wantWord(&WhyQuestion::against, m_picture->token(*id));
    m_other->clear();
}

void WhyView::showOptions(const StageState& state) {
    const WhyQuestion question{state.why.row - 1, QString::fromStdString(state.why.word),
                               QString::fromStdString(state.why.against)};
    m_isOpenedByHand = !state.why.opened.empty();
    m_opened.clear();
    for (const std::string& text : state.why.opened)
        if (const std::optional<WhyStep> step = WhyStep::parse(text)) m_opened.push_back(*step);
    const bool same = question == m_question && state.why.method == m_method;
    m_question = question;
    m_method = state.why.method;
    same ? refresh() : ask();
}

void WhyView::tellOptions(StageState& state) const {
    state.why.method = m_method;
    state.why.row = m_question.row + 1;
    state.why.word = m_question.word.toStdString();
    state.why.against = m_question.against.toStdString();
    state.why.opened.clear();
    if (!m_isOpenedByHand) return;
    for (const WhyStep& step : m_opened)
        state.why.opened.push_back(step.text());
    if (m_opened.empty()) state.why.opened.push_back("0");
}

}  // namespace headlight

#include "moc_why_view.cpp"
