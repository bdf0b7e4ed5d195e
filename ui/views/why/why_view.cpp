// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/why/why_view.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <cmath>

#include "ui/session/format/number_format.h"
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

constexpr int kRivals = 3, kMargin = 20, kQuestionPx = 15, kQuestionHeight = 34, kRoomForKey = 1100;

Caption* questionWord(const QString& text) {
    return new Caption(text, 18, QFont::DemiBold, Caption::Tone::Main);
}

}  // namespace

WhyView::WhyView(QWidget* parent)
    : QWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_written(new WordChips),
      m_word(new ComboBox(tr("Why this word"))),
      m_against(new ComboBox(tr("and not this one"))),
      m_other(new QLineEdit),
      m_lead(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_story(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_key(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
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
}

Panel* WhyView::makeQuestion() {
    auto* panel = new Panel(Qt::BottomEdge);
    auto* rows = new QVBoxLayout(panel);
    rows->setContentsMargins(kMargin, 8, kMargin, 8);
    rows->setSpacing(6);
    auto* ask = new QHBoxLayout;
    ask->setSpacing(10);
    for (ComboBox* box : {m_word, m_against}) {
        box->setFont(uiFont(kQuestionPx, QFont::DemiBold));
        box->setFixedHeight(kQuestionHeight);
    }
    ask->addWidget(questionWord(tr("Why")));
    ask->addWidget(m_word);
    ask->addWidget(questionWord(tr("and not")));
    ask->addWidget(m_against);
    ask->addWidget(questionWord(QStringLiteral("?")));
    ask->addSpacing(8);
    m_key->setTextFormat(Qt::RichText);
    m_lead->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    ask->addWidget(m_lead, 1);
    ask->addWidget(m_key);
    rows->addLayout(ask);
    auto* choices = new QHBoxLayout;
    choices->setSpacing(8);
    choices->addWidget(new Caption(tr("Written"), 12, QFont::Medium, Caption::Tone::Secondary));
    choices->addWidget(m_written);
    choices->addStretch(1);
    choices->addWidget(new Caption(tr("or against"), 12, QFont::Medium, Caption::Tone::Secondary));
    for (int i = 0; i < kRivals; ++i) {
        auto* rival = new Button(Button::Kind::Ghost, {});
        rival->setHeight(28);
        connect(rival, &Button::clicked, this,
                [this, rival] { wantWord(&WhyQuestion::against, rival->property("token").toString()); });
        m_rivals.push_back(rival);
        choices->addWidget(rival);
    }
    m_other->setAccessibleName(tr("Another word"));
    m_other->setPlaceholderText(tr("another word"));
    m_other->setFixedWidth(120);
    choices->addWidget(m_other);
    rows->addLayout(choices);
    return panel;
}

Panel* WhyView::makeFoot() {
    auto* panel = new Panel(Qt::TopEdge);
    auto* row = new QHBoxLayout(panel);
    row->setContentsMargins(kMargin, 8, kMargin, 8);
    row->setSpacing(20);
    auto* names = new QVBoxLayout(m_heldName);
    names->setContentsMargins(0, 0, 0, 0);
    names->setSpacing(2);
    names->addWidget(new Caption(tr("Held"), 13, QFont::DemiBold, Caption::Tone::Main));
    names->addWidget(new Caption(tr("as this sentence has it"), 12, QFont::Normal, Caption::Tone::Secondary));
    names->addStretch(1);
    row->addWidget(m_heldName);
    row->addWidget(m_held, 3);
    m_story->setWordWrap(true);
    m_story->setTextFormat(Qt::RichText);
    m_story->setMinimumWidth(200);
    row->addWidget(m_story, 2);
    return panel;
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
    middle->setContentsMargins(kMargin, 12, kMargin, 12);
    middle->addWidget(m_failure);
    m_failure->hide();
    middle->addWidget(m_scroll, 1);
    column->addLayout(middle, 1);
    column->addWidget(makeFoot());
    return room;
}

void WhyView::setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace) {
    m_model = model;
    m_trace = trace;
    const ModelConfig* const config = model ? &model->network->config() : nullptr;
    const Page page = !config ? NoModel : config->headless() ? Headless : !trace ? NoSentence : Room;
    m_pages->setCurrentIndex(page);
    if (page != Room) {
        m_background.drop();
        return take(nullptr);
    }
    ask();
}

void WhyView::ask() {
    if (m_pages->currentIndex() != Room) return;
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

void WhyView::showWords() {
    const QSignalBlocker quietWord(m_word), quietAgainst(m_against);
    m_word->clear();
    m_against->clear();
    for (Button* rival : m_rivals)
        rival->hide();
    m_lead->clear();
    m_key->clear();
    if (!m_picture) return m_written->setWords({}, WordChips::Of::Decoder);
    m_written->setWords(m_picture->written(), WordChips::Of::Decoder);
    m_written->setChosen(m_picture->row());
    size_t rivals = 0;
    for (const int id : m_picture->candidates()) {
        const QString text =
            QStringLiteral("%1  %2").arg(m_picture->name(id), formatNumber(m_picture->probability(id), 3));
        const QString token = m_picture->token(id);
        m_word->addItem(text, token);
        m_against->addItem(text, token);
        if (id == m_picture->word() || id == m_picture->against() || rivals == m_rivals.size()) continue;
        m_rivals[rivals]->setText(m_picture->name(id));
        m_rivals[rivals]->setProperty("token", token);
        m_rivals[rivals++]->show();
    }
    m_word->setCurrentIndex(m_word->findData(m_picture->token(m_picture->word())));
    m_against->setCurrentIndex(m_against->findData(m_picture->token(m_picture->against())));
    const double lead = m_picture->why().difference(), times = std::exp(std::abs(lead));
    const QString ahead = m_picture->name(lead >= 0 ? m_picture->word() : m_picture->against());
    const Theme& t = Theme::of(this);
    const auto key = [&](int id, int stop) {
        return tr("<span style='color:%1'>■</span> for %2")
            .arg(t.divergingStops[static_cast<size_t>(stop)].name(), m_picture->name(id).toHtmlEscaped());
    };
    m_lead->setText(tr("“%1” leads by %2 logits: %3 times as likely")
                        .arg(ahead, formatNumber(std::abs(lead), 3),
                             times < 10 ? formatNumber(times, 2) : formatCount(std::llround(std::min(times, 1e15)))));
    m_key->setText(QStringLiteral("%1 &nbsp; %2").arg(key(m_picture->word(), 7), key(m_picture->against(), 1)));
}

void WhyView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) showWords();
    QWidget::changeEvent(event);
}

void WhyView::resizeEvent(QResizeEvent* event) {
    m_key->setVisible(width() >= kRoomForKey);
    QWidget::resizeEvent(event);
}

void WhyView::showFoot() {
    if (!m_picture) {
        m_held->setHeld({});
        return m_story->clear();
    }
    const auto held = m_picture->held();
    QString text = held.empty() ? tr("All of it is addition, so the parts add up exactly.")
                                : tr("With these numbers held all the rest is addition, so the parts add up exactly.");
    text += tr(" Counted is what a part adds directly: what later parts make of it counts as theirs.");
    if (const WhyPicture::Reading& most = m_picture->strongest(); most.amount != 0)
        text += tr(" The largest single reading is <b>%1</b>: %2 of %3 (%4).")
                    .arg(most.word.toHtmlEscaped(), formatSigned(most.amount, 3),
                         formatSigned(m_picture->why().difference(), 3), most.by);
    m_heldName->setVisible(!held.empty());
    m_held->setVisible(!held.empty());
    m_held->setHeld(held);
    m_story->setText(text);
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
    m_question.row = m_picture->row();
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
    const WhyQuestion question{state.whyRow - 1, QString::fromStdString(state.whyWord),
                               QString::fromStdString(state.whyAgainst)};
    m_isOpenedByHand = !state.whyOpened.empty();
    m_opened.clear();
    for (const std::string& text : state.whyOpened)
        if (const std::optional<WhyStep> step = WhyStep::parse(text)) m_opened.push_back(*step);
    const bool same =
        question.row == m_question.row && question.word == m_question.word && question.against == m_question.against;
    m_question = question;
    same ? refresh() : ask();
}

void WhyView::tellOptions(StageState& state) const {
    state.whyRow = m_question.row + 1;
    state.whyWord = m_question.word.toStdString();
    state.whyAgainst = m_question.against.toStdString();
    state.whyOpened.clear();
    if (!m_isOpenedByHand) return;
    for (const WhyStep& step : m_opened)
        state.whyOpened.push_back(step.text());
    if (m_opened.empty()) state.whyOpened.push_back("0");
}

}  // namespace headlight
