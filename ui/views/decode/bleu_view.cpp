// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu_view.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/decode/bleu/bleu_parts.h"
#include "ui/views/decode/bleu/bleu_side.h"
#include "ui/views/decode/bleu/ngram_picture.h"
#include "ui/views/decode/bleu/score_dots.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/progress_line.h"

namespace headlight {

BleuView::BleuView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_previous(new Button(Button::Kind::Plain, tr("Previous test sentence"), Icon::Left)),
      m_next(new Button(Button::Kind::Plain, tr("Next test sentence"), Icon::Right)),
      m_place(new Caption({}, 12, QFont::Medium, Caption::Tone::Secondary)),
      m_longest(
          new SegmentedControl({QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3"), QStringLiteral("4")})),
      m_key(new NgramKey),
      m_picture(new NgramPicture),
      m_noReference(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_story(new NowBand),
      m_add(new Button(Button::Kind::Plain, tr("Add a reference"), Icon::Edit)),
      m_remove(new Button(Button::Kind::Plain, tr("Remove it"), Icon::Cross)),
      m_input(new QLineEdit),
      m_dots(new ScoreDots),
      m_sums(new BleuSums),
      m_notSame(new Caption(tr("Not the same: published scores add up the counts first."), 12, QFont::Normal,
                            Caption::Tone::Secondary)),
      m_progress(new ProgressLine),
      m_stop(new Button(Button::Kind::Plain, tr("Stop"))),
      m_failure(new FailureBox),
      m_side(new BleuSide) {
    auto* none = new EmptyPage(tr("No model is open. Open a translator to see how its translations are scored."),
                               tr("Open a model"));
    auto* other =
        new EmptyPage(tr("This model does not translate, and BLEU compares translations with references. Open "
                         "a translator."),
                      tr("Open a model"));
    m_pages->addWidget(none);
    m_pages->addWidget(other);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see its translation scored."), {}));
    m_pages->addWidget(makeRoom());
    for (EmptyPage* page : {none, other})
        connect(page, &EmptyPage::activated, this, &BleuView::openModelRequested);
    connect(m_previous, &Button::clicked, this, [this] { goTo(m_testSentence - 1); });
    connect(m_next, &Button::clicked, this, [this] { goTo(m_testSentence + 1); });
    connect(m_dots, &ScoreDots::sentenceChosen, this, &BleuView::goTo);
    connect(m_longest, &SegmentedControl::currentChanged, this, [this](int index) {
        m_ngram = index + 1;
        countSentence();
        showTest();
        emit optionsChanged();
    });
    connect(m_picture, &NgramPicture::litChanged, this, [this] { m_story->setText(kindOf(), storyOf()); });
    connect(m_add, &Button::clicked, this, [this] {
        m_input->setVisible(m_input->isHidden() || m_sentence.references.empty());
        m_input->setFocus();
    });
    connect(m_input, &QLineEdit::returnPressed, this, &BleuView::addReference);
    connect(m_remove, &Button::clicked, this, [this] {
        m_references.pop_back();
        countSentence();
        emit optionsChanged();
    });
    connect(m_stop, &Button::clicked, this, [this] {
        m_isStopped = m_scoring.isBusy();
        m_isStopped ? stopTranslating() : translateAll();
    });
}

void BleuView::setSettling(Settling* settling) {
    m_findsSet.setSettling(settling);
    m_scoring.setSettling(settling);
}

QWidget* BleuView::makeRoom() {
    auto* room = new QWidget;
    auto* columns = m_columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(makeBar());
    auto* content = new QWidget;
    auto* stage = m_stage = new QVBoxLayout(content);
    stage->setContentsMargins(20, 12, 20, 16);
    stage->setSpacing(16);
    m_failure->hide();
    stage->addWidget(m_failure);
    stage->addWidget(makeSentenceCard());
    stage->addWidget(makeTestCard(), 1);
    left->addWidget(scrolling(content), 1);
    columns->addLayout(left, 1);
    columns->addWidget(m_side);
    m_side->setPanelName("side");
    return room;
}

QWidget* BleuView::makeBar() {
    auto* bar = new Panel(Qt::BottomEdge);
    bar->setHoldsControls();
    bar->setPanelName("controls");
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(20, 6, 20, 6);
    row->setSpacing(8);
    for (Button* button : {m_previous, m_next}) {
        button->setIconAlone(true);
        button->setToolTip(button->text());
        button->setHeight(28);
    }
    m_longest->setAccessibleName(tr("Longest n-gram"));
    row->addWidget(m_previous);
    row->addWidget(m_place);
    row->addWidget(m_next);
    row->addStretch(1);
    row->addWidget(new Caption(tr("Longest n-gram"), 12, QFont::Medium, Caption::Tone::Secondary));
    row->addWidget(m_longest);
    return bar;
}

Card* BleuView::makeSentenceCard() {
    m_sentenceCard = new Card(tr("Which pieces are in the reference?"));
    m_sentenceCard->setPanelName("pieces");
    for (Button* button : {m_add, m_remove}) {
        button->setHeight(28);
        m_sentenceCard->header()->addWidget(button);
    }
    m_remove->setIconAlone(true);
    m_remove->setToolTip(m_remove->text());
    m_sentenceCard->body()->addWidget(m_key, 0, Qt::AlignRight);
    m_input->setPlaceholderText(tr("Another good translation, then Enter"));
    m_input->setAccessibleName(tr("A further reference"));
    m_input->hide();
    m_noReference->setWordWrap(true);
    QVBoxLayout* const body = m_sentenceCard->body();
    body->setSpacing(10);
    body->addWidget(m_noReference);
    body->addWidget(m_input);
    body->addWidget(m_picture);
    body->addWidget(m_story);
    body->addStretch(1);
    return m_sentenceCard;
}

Card* BleuView::makeTestCard() {
    m_testCard = new Card(tr("All test sentences"));
    m_testCard->setPanelName("test");
    m_stop->setHeight(28);
    m_testCard->header()->addWidget(m_stop);
    m_testCard->body()->addWidget(m_progress);
    auto* row = new QHBoxLayout;
    row->setSpacing(28);
    row->addWidget(m_dots, 5);
    auto* sums = new QVBoxLayout;
    m_notSame->setWordWrap(true);
    sums->addWidget(m_sums);
    sums->addWidget(m_notSame);
    sums->addStretch(1);
    row->addLayout(sums, 3);
    m_testCard->body()->addLayout(row, 1);
    return m_testCard;
}

void BleuView::setReading(const std::shared_ptr<const TrainedModel>& model,
                          const std::optional<Session::Reading>& reading, const QStringList& muted) {
    const bool sameModel = model == m_model && muted == m_muted;
    const bool sameSource = sameModel && reading && m_reading && reading->source == m_reading->source;
    m_model = model;
    m_muted = muted;
    m_reading = reading;
    const bool translates = model && model->network->config().encoderDecoder() && !model->network->config().headless();
    m_pages->setCurrentIndex(!model ? NoModel : !translates ? NoTranslator : !reading ? NoSentence : Room);
    if (!sameModel) {
        m_failure->hide();
        m_set = nullptr;
        m_scores = nullptr;
        m_isStopped = false;
        stopTranslating();
        m_findsSet.drop();
        if (translates) findSet();
    }
    if (!sameSource) follow();
    countSentence();
    showTest();
}

/// Beside the pictures; where both have not the room, as beside a lesson, between them.
void BleuView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    constexpr int kBeside = 1000;
    const bool isBeside = width() >= kBeside;
    if (isBeside == (m_columns->indexOf(m_side) >= 0)) return;
    m_columns->removeWidget(m_side);
    m_stage->removeWidget(m_side);
    if (isBeside)
        m_columns->addWidget(m_side);
    else
        m_stage->insertWidget(m_stage->indexOf(m_testCard), m_side);
    m_side->standBeside(isBeside);
}

/// Another sentence is read: one that was asked for, or whatever the reader typed.
void BleuView::follow() {
    if (!m_reading) return;
    const int place = m_set ? m_set->placeOf(m_reading->source.toStdString()) : 0;
    if (m_isWanted && (place == 0 || place != m_testSentence)) return;  // not there yet
    if (!m_isWanted) m_references.clear();
    m_isWanted = false;
    m_isChosen = m_isChosen && place == m_testSentence;
    m_testSentence = place;
}

void BleuView::findSet() {
    m_findsSet.ask<std::shared_ptr<const TestSet>>(
        [model = m_model] { return TestSet::of(*model); },
        [this](std::shared_ptr<const TestSet> set) { takeSet(std::move(set)); },
        [this](const QString& why) { fail(why); });
}

void BleuView::takeSet(std::shared_ptr<const TestSet> set) {
    m_set = std::move(set);
    if (!m_set) m_isWanted = false;
    if (m_reading && !m_isWanted && m_set) m_testSentence = m_set->placeOf(m_reading->source.toStdString());
    goOn();
    countSentence();
    translateAll();
}

/// To the test sentence that was asked for before it was known.
void BleuView::goOn() {
    if (!m_isWanted || !m_set || !m_reading) return;
    m_testSentence = std::clamp(m_testSentence, 1, static_cast<int>(m_set->sentences().size()));
    const std::string& source = m_set->sentences()[static_cast<size_t>(m_testSentence - 1)].source;
    if (m_set->placeOf(m_reading->source.toStdString()) == m_testSentence) {
        m_isWanted = false;
        return;
    }
    emit sourceWanted(QString::fromStdString(source));
}

void BleuView::goTo(int place) {
    if (!m_set || place < 1 || place > static_cast<int>(m_set->sentences().size())) return;
    m_testSentence = place;
    m_references.clear();
    m_isChosen = m_isWanted = true;
    goOn();
    emit optionsChanged();
}

void BleuView::translateAll() {
    m_isStopped = false;
    if (!m_set || m_scores || m_scoring.isBusy()) return showTest();
    using Result = std::shared_ptr<const TestScores>;
    m_progress->setShare(0);
    m_scoring.ask<Result>(
        [this, model = m_model, set = m_set, muted = m_muted](const Background::Wanted& wanted) -> Result {
            const auto progress = [this, wanted](double share) {
                if (!wanted()) return false;
                QMetaObject::invokeMethod(this, [this, wanted, share] {
                    if (wanted()) m_progress->setShare(share);
                });
                return true;
            };
            const std::vector<MutedHead> heads = parseMutedHeads(muted, *model->network);
            return std::make_shared<const TestScores>(scoreTestSet(*model, *set, heads, progress));
        },
        [this](Result scores) {
            m_scores = std::move(scores);
            m_progress->setShare(-1);
            showTest();
        },
        [this](const QString& why) { fail(why); });
    showTest();
}

void BleuView::stopTranslating() {
    m_scoring.drop();
    m_progress->setShare(-1);
    showTest();
}

void BleuView::addReference() {
    const QString text = m_input->text().simplified();
    if (text.isEmpty()) return;
    m_references.push_back(text.toStdString());
    m_input->clear();
    m_input->hide();
    countSentence();
    emit optionsChanged();
}

void BleuView::countSentence() {
    std::vector<std::string> references;
    if (m_reading && m_model)
        if (const auto own = TestSet::referenceOf(m_set.get(), *m_model, m_reading->source.toStdString()))
            references.push_back(*own);
    references.insert(references.end(), m_references.begin(), m_references.end());
    m_sentence = m_reading
                     ? sentenceBleu(m_reading->translation.toStdString(), references, static_cast<size_t>(m_ngram))
                     : SentenceBleu();
    showSentence();
}

void BleuView::showSentence() {
    const int count = m_set ? static_cast<int>(m_set->sentences().size()) : 0;
    m_place->setText(m_testSentence > 0 && !m_isWanted ? tr("Test sentence %1 of %2").arg(m_testSentence).arg(count)
                     : count > 0                       ? tr("None of the %1 test sentences").arg(formatCount(count))
                                                       : QString());
    m_previous->setEnabled(m_testSentence > 1);
    m_next->setEnabled(m_testSentence < count);
    m_previous->setVisible(count > 0);
    m_next->setVisible(count > 0);
    m_remove->setVisible(!m_references.empty());
    m_picture->setSentence(m_sentence, m_ngram);
    // Without a reference nothing is counted, so no count is shown: only what is missing, and the field to add it in.
    const bool counts = !m_sentence.references.empty();
    for (QWidget* each : std::initializer_list<QWidget*>{m_key, m_picture, m_story})
        each->setVisible(counts);
    const bool lacksOne = !counts && m_reading && !m_findsSet.isBusy();
    m_noReference->setVisible(lacksOne);
    if (lacksOne) m_noReference->setText(lackOf());
    if (std::exchange(m_lacksOne, lacksOne) != lacksOne) m_input->setVisible(lacksOne);
    m_sentenceCard->setTitle(counts ? tr("Which pieces are in the reference?") : tr("No reference for this sentence"));
    m_side->setSentence(m_sentence.bleu, m_ngram);
    m_dots->setChosen(m_testSentence);
}

void BleuView::showTest() {
    m_testCard->setVisible(m_set != nullptr);
    if (!m_set) return m_side->setTicks({});
    const bool busy = m_scoring.isBusy();
    m_stop->setText(busy ? tr("Stop") : tr("Translate them all"));
    m_stop->setVisible(busy || !m_scores);
    m_sums->setVisible(m_scores != nullptr);
    m_notSame->setVisible(m_scores != nullptr);
    m_testCard->setTitle(tr("All %1 test sentences").arg(formatCount(static_cast<qint64>(m_set->sentences().size()))));
    m_testCard->setCaption(busy ? tr("being translated")
                                : tr("a dot: one translation by its length and its own score"));
    std::vector<ScoreDots::Dot> dots;
    std::vector<double> ratios;
    const auto order = static_cast<size_t>(m_ngram);
    for (size_t i = 0; m_scores && i < m_scores->scores.size(); ++i) {
        if (!m_scores->isRead(i)) continue;
        const Bleu& each = m_scores->scores[i].bleu;
        dots.push_back({static_cast<int>(i) + 1, static_cast<int>(each.hypothesisLength), m_scores->scoreOf(i, order),
                        each.totals[order - 1] == 0});
        ratios.push_back(static_cast<double>(each.hypothesisLength) /
                         static_cast<double>(std::max(1L, each.referenceLength)));
    }
    if (m_scores) m_sums->setSums(m_scores->sum(order), m_scores->mean(order), static_cast<long>(dots.size()), m_ngram);
    m_dots->setDots(std::move(dots), m_ngram);
    m_dots->setChosen(m_testSentence);
    m_side->setTicks(ratios);
}

QString BleuView::lackOf() const {
    const QString what =
        tr("BLEU compares what the model writes, “%1”, with a reference, a good translation by somebody "
           "else. This sentence has none, so it has no score.")
            .arg(m_reading->translation);
    return what + u' ' +
           (m_set ? tr("Type a reference below, or step to a test sentence: those have one.")
                  : tr("Type a reference below."));
}

/// What the bar that is lit is.
QString BleuView::kindOf() const {
    const NgramPicture::Bar bar = m_picture->lit();
    if (!bar.valid()) return {};
    switch (m_picture->match(bar).kind) {
        case NgramMatch::Kind::Found:
            return tr("Found");
        case NgramMatch::Kind::Absent:
            return tr("Not there");
        case NgramMatch::Kind::Clipped:
            return tr("Clipped");
    }
    return {};
}

/// Why it counts, or does not.
QString BleuView::storyOf() const {
    const NgramPicture::Bar bar = m_picture->lit();
    if (!bar.valid()) return {};
    const NgramMatch& match = m_picture->match(bar);
    QStringList words;
    for (int i = 0; i < bar.order; ++i)
        words << QString::fromStdString(m_sentence.hypothesis[static_cast<size_t>(bar.place) + static_cast<size_t>(i)]);
    const QString quoted = QStringLiteral("“%1”").arg(words.join(u' '));
    const bool several = m_sentence.references.size() > 1;
    if (match.kind == NgramMatch::Kind::Absent)
        return several ? tr("%1 is in none of the references. It counts for nothing.").arg(quoted)
                       : tr("%1 is not in the reference. It counts for nothing.").arg(quoted);
    const QString where = several ? tr("reference %1").arg(match.reference + 1) : tr("the reference");
    if (match.kind == NgramMatch::Kind::Clipped) {
        QString text = plural(tr("%1 is written %2 times, but %n time(s) in %3: this one does not count.", nullptr,
                                 static_cast<int>(match.held))
                                  .arg(quoted)
                                  .arg(match.written)
                                  .arg(where),
                              match.held);
        if (bar.order == 1) text += tr(" Otherwise “%1 %1 %1 %1” would have a perfect p₁.").arg(words.front());
        return text;
    }
    return match.written > match.held
               ? tr("%1 is in %2. This one counts; not all %3 do.").arg(quoted, where).arg(match.written)
               : tr("%1 is in %2. It counts.").arg(quoted, where);
}

void BleuView::fail(const QString& why) {
    m_progress->setShare(-1);
    m_failure->setText(tr("The test sentences were not translated: %1").arg(why));
    m_failure->show();
    showTest();
}

/// What nobody looks at is not computed.
void BleuView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (m_scoring.isBusy()) stopTranslating();
}

void BleuView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_set && !m_isStopped) translateAll();
}

void BleuView::showOptions(const StageState& state) {
    m_ngram = std::clamp(state.bleu.ngram, 1, static_cast<int>(longestNgram));
    m_references = state.bleu.references;
    m_testSentence = state.bleu.sentence;
    m_isChosen = state.bleu.sentence > 0;
    m_isWanted = m_isChosen && state.view == ViewName::Bleu;
    const QSignalBlocker quiet(m_longest);
    m_longest->setCurrentIndex(m_ngram - 1);
    goOn();
    if (!m_isWanted && m_testSentence == 0 && m_set && m_reading)
        m_testSentence = m_set->placeOf(m_reading->source.toStdString());
    countSentence();
    showTest();
}

void BleuView::tellOptions(StageState& state) const {
    state.bleu.sentence = m_isChosen ? m_testSentence : 0;
    state.bleu.ngram = m_ngram;
    state.bleu.references = m_references;
}

}  // namespace headlight

#include "moc_bleu_view.cpp"
