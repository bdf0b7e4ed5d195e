// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/learnt_card.h"

#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/number_text.h"
#include "ui/session/format/number_format.h"
#include "ui/views/train/learnt_chart.h"
#include "ui/widgets/controls/combo_box.h"

namespace headlight {

LearntCard::LearntCard(HeadsStory* story, QWidget* parent)
    : Card(tr("When was it learnt"), {}, parent),
      m_story(story),
      m_learnt(story),
      m_choice(new ComboBox(tr("What is dated"))),
      m_chart(new LearntChart(&m_learnt, story)),
      m_sentence(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_again(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_find(new Button(Button::Kind::Ghost, {})),
      m_makeAgain(new Button(Button::Kind::Ghost, {})) {
    auto* definition = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    definition->setWordWrap(true);
    definition->setText(
        tr("Learnt: from a step on it stays above the green line. A word: it is likelier than not. A role: that share "
           "of the head's weight (of an alignment: of the words) is as the role says."));
    m_sentence->setWordWrap(true);
    m_find->setHeight(28);
    body()->addWidget(m_choice);
    body()->addWidget(definition);
    body()->addWidget(m_chart, 1);
    body()->addWidget(m_sentence);
    body()->addWidget(m_find, 0, Qt::AlignLeft);
    m_again->setWordWrap(true);
    m_again->hide();
    m_makeAgain->setHeight(28);
    m_makeAgain->hide();
    body()->addWidget(m_again);
    body()->addWidget(m_makeAgain, 0, Qt::AlignLeft);
    connect(m_makeAgain, &Button::clicked, this, &LearntCard::againWanted);
    connect(m_choice, &QComboBox::activated, this, &LearntCard::choose);
    connect(m_find, &Button::clicked, this,
            [this] { m_learnt.isReplaying() ? m_learnt.stopReplay() : m_learnt.replay(); });
    connect(&m_learnt, &Learnt::changed, this, &LearntCard::follow);
    follow();
}

void LearntCard::offerAgain(const QString& model, const QString& whyNot) {
    m_makeAgain->setVisible(!model.isEmpty());
    m_makeAgain->setEnabled(whyNot.isEmpty());
    m_makeAgain->setText(tr("Make the run of %1 again").arg(model));
    m_makeAgain->setToolTip(whyNot.isEmpty() ? tr("In the background, from what its file tells of the run: then it is "
                                                  "dated here when it learnt a word or a head its role")
                                             : whyNot);
    m_makeAgain->updateGeometry();
}

void LearntCard::tellAgain(const QString& text) {
    m_again->setText(text);
    m_again->setVisible(!text.isEmpty());
}

void LearntCard::setChosen(const std::string& what) {
    int word = 0;
    if (readNumber(what, word) && word > 0)
        m_learnt.setWord(word - 1);
    else if (what == "role")
        m_learnt.setRole();
    else
        m_learnt.setNothing();
}

std::string LearntCard::chosen() const {
    if (m_learnt.what() == Learnt::What::Nothing) return {};
    return m_learnt.what() == Learnt::What::Role ? "role" : std::to_string(m_learnt.word() + 1);
}

void LearntCard::choose(int item) {
    item == 0 ? m_learnt.setRole() : m_learnt.setWord(item - 1);
    emit chosenByReader();
}

void LearntCard::fillChoice() {
    QStringList items{tr("The role of the chosen head")};
    for (const HeadsFrame::Said& said : m_learnt.words())
        items << tr("Word %1: “%2”").arg(items.size()).arg(said.word);
    QStringList before;
    for (int i = 0; i < m_choice->count(); ++i)
        before << m_choice->itemText(i);
    const QSignalBlocker quiet(m_choice);
    if (items != before) {
        m_choice->clear();
        m_choice->addItems(items);
    }
    m_choice->setCurrentIndex(m_learnt.what() == Learnt::What::Word   ? m_learnt.word() + 1
                              : m_learnt.what() == Learnt::What::Role ? 0
                                                                      : -1);
}

void LearntCard::follow() {
    fillChoice();
    m_sentence->setText(m_learnt.sentence());
    m_find->setEnabled(m_learnt.canReplay());
    m_find->setText(m_learnt.isReplaying() ? tr("Stop: %1 steps to go").arg(formatCount(m_learnt.left()))
                                           : tr("Find the step"));
    m_find->setToolTip(
        tr("Have the run go through the steps in between once more, from the nearest state that it kept"));
    m_find->updateGeometry();
}

}  // namespace headlight

#include "moc_learnt_card.cpp"
