// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked, above the picture, and what is to be said of it, below.
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/why/attribution_page.h"
#include "ui/views/why/held_strip.h"
#include "ui/views/why/why_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/word_chips.h"

namespace headlight {

namespace {

constexpr int kRivals = 3, kWordsMargin = 20, kQuestionPx = 15, kQuestionHeight = 34;

Caption* questionWord(const QString& text) {
    return new Caption(text, 18, QFont::DemiBold, Caption::Tone::Main);
}

}  // namespace

Panel* WhyView::makeQuestion() {
    auto* panel = new Panel(Qt::BottomEdge);
    panel->setPanelName("question");
    auto* rows = new QVBoxLayout(panel);
    rows->setContentsMargins(kWordsMargin, 8, kWordsMargin, 8);
    rows->setSpacing(6);
    auto* ask = m_ask = new QHBoxLayout;
    ask->setSpacing(10);
    for (ComboBox* box : {m_word, m_against}) {
        box->setFont(uiFont(kQuestionPx, QFont::DemiBold));
        box->setFixedHeight(kQuestionHeight);
    }
    auto* andNot = questionWord(tr("and not"));
    ask->addWidget(m_kind);
    ask->addSpacing(6);
    ask->addWidget(questionWord(tr("Why")));
    ask->addWidget(m_word);
    ask->addWidget(andNot);
    ask->addWidget(m_against);
    ask->addWidget(questionWord(QStringLiteral("?")));
    ask->addSpacing(8);
    m_key->setTextFormat(Qt::RichText);
    m_lead->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    ask->addWidget(m_lead, 1);
    ask->addWidget(m_key);
    rows->addLayout(ask);
    addChoices(rows);
    nameAnswers(false);
    m_ofTwo = {andNot, m_against, m_orAgainst, m_other};
    return panel;
}

void WhyView::nameAnswers(bool areLabels) {
    m_writtenName->setText(areLabels ? tr("Label") : tr("Words"));
    m_other->setAccessibleName(areLabels ? tr("Another label") : tr("Another word"));
    m_other->setPlaceholderText(areLabels ? tr("another label") : tr("another word"));
}

/// The words that are written, and others to ask about.
void WhyView::addChoices(QVBoxLayout* rows) {
    auto* choices = new QHBoxLayout;
    choices->setSpacing(8);
    choices->addWidget(m_writtenName = new Caption({}, 12, QFont::Medium, Caption::Tone::Secondary));
    choices->addWidget(m_written);
    choices->addStretch(1);
    choices->addWidget(m_orAgainst);
    for (int i = 0; i < kRivals; ++i) {
        auto* rival = new Button(Button::Kind::Ghost, {});
        rival->setHeight(28);
        connect(rival, &Button::clicked, this,
                [this, rival] { wantWord(&WhyQuestion::against, rival->property("token").toString()); });
        m_rivals.push_back(rival);
        choices->addWidget(rival);
    }
    m_other->setFixedWidth(120);
    choices->addWidget(m_other);
    rows->addLayout(choices);
}

Panel* WhyView::makeFoot() {
    auto* panel = new Panel(Qt::TopEdge);
    panel->setPanelName("held");
    auto* row = new QHBoxLayout(panel);
    row->setContentsMargins(kWordsMargin, 8, kWordsMargin, 8);
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

const SaidWords* WhyView::words() const {
    if (isDifference()) return m_picture.get();
    return m_attribution->picture().get();
}

int WhyView::wordId() const {
    return isDifference() ? m_picture->word() : m_attribution->picture()->word();
}

void WhyView::showWords() {
    const QSignalBlocker quietWord(m_word), quietAgainst(m_against);
    m_word->clear();
    m_against->clear();
    for (Button* rival : m_rivals)
        rival->hide();
    m_lead->clear();
    m_key->clear();
    for (QWidget* widget : m_ofTwo)
        widget->setVisible(isDifference());
    const SaidWords* const asked = words();
    if (!asked) return m_written->setWords({}, WordChips::Of::Decoder);
    m_written->setWords(asked->written(), WordChips::Of::Decoder);
    m_written->setChosen(asked->row());
    size_t rivals = 0;
    for (const int id : asked->candidates()) {
        const QString text = QStringLiteral("%1  %2").arg(asked->name(id), formatNumber(asked->probability(id), 3));
        const QString token = asked->token(id);
        m_word->addItem(text, token);
        m_against->addItem(text, token);
        if (!isDifference() || id == m_picture->word() || id == m_picture->against() || rivals == m_rivals.size())
            continue;
        m_rivals[rivals]->setText(asked->name(id));
        m_rivals[rivals]->setProperty("token", token);
        m_rivals[rivals++]->show();
    }
    m_word->setCurrentIndex(m_word->findData(asked->token(wordId())));
    if (isDifference()) m_against->setCurrentIndex(m_against->findData(asked->token(m_picture->against())));
    showLead();
}

void WhyView::showLead() {
    if (!isDifference()) {
        const SaidWords& asked = *words();
        m_lead->setText(tr("log p of “%1” is %2: what each word that was read has to do with it")
                            .arg(asked.name(wordId()), formatNumber(std::log(asked.probability(wordId())), 3)));
        return;
    }
    const double lead = m_picture->why().difference(), times = std::exp(std::abs(lead));
    const QString ahead = m_picture->name(lead >= 0 ? m_picture->word() : m_picture->against());
    const Theme& t = Theme::of(this);
    const auto key = [&](int id, int stop) {
        return tr("<span style='color:%1'>■</span> for %2")
            .arg(t.divergingStops[static_cast<size_t>(stop)].name(), m_picture->name(id).toHtmlEscaped());
    };
    m_lead->setText(tr("“%1” leads by %2 logits (×%3)")
                        .arg(ahead, formatNumber(std::abs(lead), 3),
                             times < 10 ? formatNumber(times, 2) : formatCount(std::llround(std::min(times, 1e15)))));
    m_key->setText(QStringLiteral("%1 &nbsp; %2").arg(key(m_picture->word(), 7), key(m_picture->against(), 1)));
    showKey();
}

/// Beside the words that lead, as wide as both are.
bool WhyView::hasRoomForKey() const {
    const double lead = paint::textWidth(m_lead->text(), m_lead->font());
    const int key = m_key->isHidden() ? m_ask->spacing() + m_key->sizeHint().width() : 0;
    return wantedWidth(*m_ask) + key + lead + 2 * kWordsMargin <= width();
}

void WhyView::showKey() {
    m_key->setVisible(isDifference() && !m_key->text().isEmpty() && hasRoomForKey());
}

void WhyView::showFoot() {
    if (!isDifference() || !m_picture) {
        m_heldName->setVisible(isDifference());
        m_held->setVisible(isDifference());
        m_held->setHeld({});
        if (!isDifference()) return m_story->setText(m_attribution->story());
        return m_story->clear();
    }
    const auto held = m_picture->held();
    QString text = held.empty() ? tr("All of it is addition, so the parts add up exactly.")
                                : tr("With these numbers held all the rest is addition, so the parts add up exactly.");
    text += tr(" Only what a part adds directly is counted: what later parts make of it counts as theirs.");
    if (const WhyPicture::Reading& most = m_picture->strongest(); most.amount != 0)
        text += tr(" The largest single reading is <b>%1</b>: %2 (%3), where all add up to %4.")
                    .arg(most.word.toHtmlEscaped(), formatSigned(most.amount, 3), most.by,
                         formatSigned(m_picture->why().difference(), 3));
    m_heldName->setVisible(!held.empty());
    m_held->setVisible(!held.empty());
    m_held->setHeld(held);
    m_story->setText(text);
}

}  // namespace headlight
