// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/subwords/subwords_view.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/data/merge_corpus.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/subwords/cut_words.h"
#include "ui/views/subwords/merge_chart.h"
#include "ui/views/subwords/model_cut.h"
#include "ui/views/subwords/pair_bars.h"
#include "ui/views/subwords/piece_words.h"
#include "ui/views/subwords/subwords_side.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/play_bar.h"

namespace headlight {

namespace {

/// Places of the choice: the last is a file's.
constexpr std::array kCorpora = {"model", "small", "vi-en", "stories"};
constexpr std::string_view kModel = kCorpora[0], kSmall = kCorpora[1];
constexpr int kFile = static_cast<int>(kCorpora.size());
constexpr std::string_view kOwn = "text:";
constexpr qsizetype kMostTyped = 400;  ///< characters that are cut

/// One word in the text, one that is made of known pieces, one that is nearly one, and two of other languages.
QString usualWords() {
    return QStringLiteral("kite Nikitin kitten trường учительница");
}

/// The key to the pieces' colours.
class PieceKey : public QWidget {
public:
    PieceKey() {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        setFixedHeight(20);
    }
    QSize sizeHint() const override { return {260, 20}; }
    QSize minimumSizeHint() const override { return {190, 20}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        PieceWords::paintKey(p, Theme::of(this), {static_cast<double>(width()), 10});
    }
};

}  // namespace

SubwordsView::SubwordsView(QWidget* parent)
    : ViewWidget(parent),
      m_fromTitle(new Caption(tr("Learn from"), 12, QFont::Medium, Caption::Tone::Secondary)),
      m_from(new SegmentedControl({tr("This model"), tr("A small text"), tr("vi-en"), tr("stories"), tr("A file")})),
      m_edit(new Button(Button::Kind::Ghost, tr("Edit the text"), Icon::Edit)),
      m_learn(new Button(Button::Kind::Primary, tr("Learn from this"))),
      m_learned(new QSpinBox),
      m_source(new FittingCaption(12, QFont::Normal, Caption::Tone::Faint)),
      m_whyNone(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_before(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_pages(new QStackedWidget),
      m_words(new PieceWords),
      m_editor(new QPlainTextEdit),
      m_pairs(new PairBars),
      m_typed(new QLineEdit),
      m_cut(new CutWords),
      m_chart(new MergeChart),
      m_play(new PlayBar(&m_head, {tr("One merge back"), tr("One merge on"), tr("Merges done")})),
      m_failure(new FailureBox),
      m_side(new SubwordsSide) {
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(makeBar());
    left->addWidget(makeStage(), 1);
    m_foot = new Panel(Qt::TopEdge);
    m_foot->setPanelName("merges");
    m_play->setPanelName("steps");
    m_side->setPanelName("side");
    auto* below = new QVBoxLayout(m_foot);
    below->setContentsMargins(20, 8, 20, 2);
    below->addWidget(m_chart);
    m_chart->setFixedHeight(96);
    left->addWidget(m_foot);
    left->addWidget(m_play);
    across->addLayout(left, 1);
    across->addWidget(m_side);
    connect(m_from, &SegmentedControl::currentChanged, this, [this](int index) {
        if (index == kFile)
            chooseFile();
        else
            setCorpus(kCorpora[static_cast<size_t>(index)]);
    });
    connect(m_edit, &Button::clicked, this, &SubwordsView::edit);
    connect(m_learned, &QSpinBox::valueChanged, this, &SubwordsView::learnMerges);
    connect(m_learn, &Button::clicked, this, &SubwordsView::learnEdited);
    connect(m_chart, &MergeChart::mergesChosen, this, &SubwordsView::setMerges);
    connect(m_side->list(), &MergeList::mergesChosen, this, &SubwordsView::setMerges);
    connect(&m_head, &Playhead::moved, this, [this] {
        const int merges = std::max(isOfModel() ? 1 : 0, static_cast<int>(std::floor(m_head.time() + 1e-9)));
        if (!m_film || merges == wantedMoment()) return;
        m_merges = isOfModel() && merges == m_film->mergeCount() ? 0 : merges;
        ask();
        emit optionsChanged();
    });
    connect(m_typed, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_cutText = text;
        cutTyped();
        emit optionsChanged();
    });
    connect(m_cut, &CutWords::pointed, this, [this](int word) {
        m_pointed = word;
        cutTyped();
    });
    connect(m_pairs, &PairBars::lit, this, [this](int row) {
        if (row < 0 || !m_shown) return m_words->light({});
        const MergeFilm::Pair& pair = m_shown->pairs[static_cast<size_t>(row)];
        m_words->light(std::pair(pair.left, pair.right));
    });
    showOptions({});
}

QWidget* SubwordsView::makeBar() {
    auto* bar = new Panel(Qt::BottomEdge);
    bar->setPanelName("controls");
    bar->setHoldsControls();
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(20, 8, 20, 8);
    row->setSpacing(12);
    row->addWidget(m_fromTitle);
    row->addWidget(m_from);
    row->addWidget(m_edit);
    m_from->setAccessibleName(tr("Learn from"));
    m_learned->setRange(1, kMostMerges);
    m_learned->setSingleStep(10);
    m_learned->setKeyboardTracking(false);  // each digit would be learned with
    m_learned->setSuffix(tr(" merges"));
    m_learned->setFixedWidth(116);
    m_learned->setAccessibleName(tr("Merges to learn"));
    m_learned->setToolTip(tr("At most so many; a text may have fewer pairs that stand there twice"));
    row->addWidget(m_learned);
    m_source->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_source, 1);
    return bar;
}

QWidget* SubwordsView::makeText() {
    auto* card = new Card(tr("The text, in pieces"));
    card->setPanelName("text");
    card->header()->addWidget(new PieceKey);
    card->body()->setContentsMargins(16, 10, 12, 10);
    m_pages->addWidget(m_words);
    auto* editing = new QWidget;
    auto* column = new QVBoxLayout(editing);
    column->setContentsMargins(0, 0, 0, 0);
    m_editor->setAccessibleName(tr("The text to learn from"));
    m_editor->setTabChangesFocus(true);
    column->addWidget(m_editor, 1);
    column->addWidget(m_learn, 0, Qt::AlignRight);
    m_pages->addWidget(editing);
    card->body()->addWidget(m_pages, 1);
    return card;
}

QWidget* SubwordsView::makeStage() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 12, 20, 12);
    column->setSpacing(12);
    m_failure->hide();
    column->addWidget(m_failure);
    m_whyNone->setWordWrap(true);
    m_whyNone->hide();
    column->addWidget(m_whyNone);
    auto* above = new QHBoxLayout;
    above->setSpacing(12);
    above->addWidget(makeText(), 2);
    auto* pairs = new Card(tr("Pairs, counted"));
    pairs->setPanelName("pairs");
    pairs->header()->addWidget(m_before, 1, Qt::AlignRight);
    pairs->body()->setContentsMargins(12, 10, 12, 6);
    pairs->body()->addWidget(m_pairs, 1);
    m_pairsCard = pairs;
    above->addWidget(pairs, 1);
    column->addLayout(above, 64);
    auto* words = new Card({});
    words->setPanelName("cut");
    words->removeHeader();
    words->body()->setContentsMargins(12, 8, 12, 6);
    words->body()->setSpacing(2);
    auto* typing = new QHBoxLayout;
    typing->setContentsMargins(12, 0, 0, 0);
    typing->setSpacing(12);
    typing->addWidget(new Caption(tr("Cut any word"), 13, QFont::DemiBold, Caption::Tone::Main));
    m_typed->setAccessibleName(tr("Words to cut"));
    m_typed->setMaximumWidth(420);
    m_typed->setMaxLength(static_cast<int>(kMostTyped));
    typing->addWidget(m_typed, 3);
    typing->addStretch(2);
    words->body()->addLayout(typing);
    words->body()->addWidget(m_cut, 1);
    column->addWidget(words, 36);
    return stage;
}

void SubwordsView::showEvent(QShowEvent* event) {
    wake();
    QWidget::showEvent(event);
}

/// What is chosen says itself what it is, where there is little room.
void SubwordsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    constexpr int roomForTitle = 1000;
    m_fromTitle->setVisible(width() >= roomForTitle);
}

void SubwordsView::wake() {
    if (m_isAwake) return;
    m_isAwake = true;
    ask();
}

void SubwordsView::setCorpus(const std::string& corpus, const std::string& ownText) {
    m_head.pause();
    m_corpus = corpus;
    m_ownText = ownText;
    m_merges = 0;
    m_pages->setCurrentIndex(0);
    showChoice();
    ask();
    emit optionsChanged();
}

std::string SubwordsView::wantedText() const {
    if (isOfModel()) return m_corpus + ' ' + std::to_string(m_readings);
    return m_corpus == kSmall && !m_ownText.empty() ? std::string(kOwn) + m_ownText : m_corpus;
}

bool SubwordsView::isOfModel() const {
    return m_corpus == kModel;
}

int SubwordsView::wantedMoment() const {
    return isOfModel() && m_merges == 0 ? std::numeric_limits<int>::max() : m_merges;
}

void SubwordsView::setReading(const std::shared_ptr<const TrainedModel>& model, const QString& sentence,
                              const QString& written) {
    m_model = model ? std::make_shared<const ModelCut>(model, sentence, written) : nullptr;
    ++m_readings;
    if (!isOfModel()) return;
    showChoice();
    ask();
}

void SubwordsView::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("A text file"));
    showChoice();  // nothing was chosen yet
    if (!file.isEmpty()) setCorpus(file.toStdString());
}

/// The small text, or what was made of it.
void SubwordsView::edit() {
    if (m_pages->currentIndex() == 1) return m_pages->setCurrentIndex(0);
    const std::string text = m_ownText.empty() ? std::string(smallText()) : m_ownText;
    m_editor->setPlainText(QString::fromStdString(text));
    m_pages->setCurrentIndex(1);
    m_editor->setFocus();
}

/// As many merges of it as of the text before.
void SubwordsView::learnEdited() {
    const std::string text = m_editor->toPlainText().simplified().toStdString();
    const int merges = m_merges;
    setCorpus(std::string(kSmall), text == smallText() ? std::string() : text);
    setMerges(merges);
}

int SubwordsView::usualMerges() const {
    return m_corpus == kSmall ? kFewMerges : kManyMerges;
}

int SubwordsView::wantedMerges() const {
    return m_mergesLearned > 0 ? std::min(m_mergesLearned, kMostMerges) : usualMerges();
}

void SubwordsView::learnMerges(int count) {
    if (count == wantedMerges()) return;
    m_head.pause();
    m_mergesLearned = count == usualMerges() ? 0 : count;
    m_merges = std::min(m_merges, count);
    ask();
    emit optionsChanged();
}

void SubwordsView::showChoice() {
    const QSignalBlocker quiet(m_from), quietLearned(m_learned);
    m_learned->setValue(wantedMerges());
    const auto at = std::ranges::find(kCorpora, m_corpus);
    const bool isSmall = m_corpus == kSmall;
    m_from->setCurrentIndex(static_cast<int>(at - kCorpora.begin()));
    m_edit->setEnabled(isSmall);
    for (QWidget* part : {static_cast<QWidget*>(m_edit), static_cast<QWidget*>(m_learned)})
        part->setVisible(!isOfModel());
    m_typed->setPlaceholderText(isOfModel() && m_model ? m_model->sentence() : usualWords());
    showParts();
    if (isOfModel()) return m_source->setTexts({m_model ? m_model->source() : QString()});
    const QString file = QFileInfo(QString::fromStdString(m_corpus)).fileName();
    QStringList parts;
    if (isSmall && !m_ownText.empty()) parts << tr("as you wrote it");
    if (at == kCorpora.end()) parts << (m_isBounded ? tr("%1, its first 8 MB").arg(file) : file);
    if (!m_film) return m_source->setTexts({parts.join(QStringLiteral(" · "))});
    const QString words = formatCount(m_film->tokens());
    const QString all = tr("%1 words, %2 different").arg(words, formatCount(m_film->words()));
    m_source->setTexts(
        {(parts + QStringList{all}).join(QStringLiteral(" · ")), all, tr("%1 words").arg(words), QString()});
}

/// Without merges to play there is the cut, and why there is no more.
void SubwordsView::showParts() {
    const bool plays = !isOfModel() || (m_model && m_model->hasMerges());
    for (QWidget* part : std::initializer_list<QWidget*>{m_foot, m_play})
        part->setVisible(plays);
    m_side->setPlayed(plays);
    m_pairsCard->setVisible(!isOfModel());  // how often a pair stood in the model's text nobody knows
    m_whyNone->setVisible(!plays);
    if (!plays)
        m_whyNone->setText(m_model ? m_model->whyNone() : tr("Open a model to see how it cuts its text into pieces."));
}

void SubwordsView::ask() {
    if (!m_isAwake) return;
    m_failure->hide();
    if (isOfModel() && !m_model) {
        m_film.reset();
        m_shown.reset();
        return draw();
    }
    const std::string text = wantedText();
    const int wanted = wantedMerges();
    const bool isNew = m_filmOf != text || m_filmLearned != wanted || !m_film;
    if (isNew) m_source->setTexts({tr("Learning")});
    struct Answer {
        std::shared_ptr<const MergeFilm> film;
        bool isBounded = false;
        std::shared_ptr<SubwordsShown> shown;
    };
    m_background.ask<Answer>(
        [film = isNew ? nullptr : m_film, text, isBounded = m_isBounded, wanted, merges = wantedMoment(),
         model = isOfModel() ? m_model : nullptr](const Background::Wanted& isWanted) {
            Answer answer{film, isBounded, std::make_shared<SubwordsShown>()};
            const WorkProgress goOn = [&isWanted](double) { return isWanted(); };
            if (!film && model) {
                answer.film = model->film(goOn);
            } else if (!film) {
                const MergeCorpus read = mergeCorpus(text, goOn);
                answer.isBounded = read.isBounded;
                answer.film = std::make_shared<const MergeFilm>(read.counts, wanted, goOn);
            }
            SubwordsShown& shown = *answer.shown;
            shown.film = answer.film;
            shown.merges = std::clamp(merges, 0, answer.film->mergeCount());
            shown.isOfModel = model != nullptr;
            if (!model)
                shown.pairs = answer.film->frame(std::max(0, shown.merges - 1), SubwordsShown::mostPairs, 0).pairs;
            shown.words = model && !model->hasMerges()
                              ? model->pieces()
                              : answer.film->frame(shown.merges, 0, SubwordsShown::mostWords).words;
            return answer;
        },
        [this, text, wanted](const Answer& answer) {
            m_film = answer.film;
            m_filmOf = text;
            m_filmLearned = wanted;
            m_isBounded = answer.isBounded;
            showChoice();
            take(answer.shown);
        },
        [this](const QString& why) {
            m_film.reset();
            m_shown.reset();
            draw();
            showChoice();
            m_failure->setText(isOfModel() ? tr("The model did not cut its text: %1").arg(why)
                                           : tr("No merges were learned: %1").arg(why));
            m_failure->show();
        });
}

void SubwordsView::take(const std::shared_ptr<SubwordsShown>& shown) {
    m_shown = shown;
    const QSignalBlocker quiet(&m_head);
    if (m_head.count() != m_film->mergeCount()) m_head.setCount(m_film->mergeCount());
    if (!m_head.playing() && std::abs(m_head.time() - shown->merges) > 1e-9) m_head.setTime(shown->merges);
    cutTyped();
}

/// With the merges so far; words stand between spaces.
void SubwordsView::cutTyped() {
    if (!m_shown) return;
    auto shown = std::make_shared<SubwordsShown>(*m_shown);
    shown->cut.clear();
    shown->known.clear();
    const QString usual = isOfModel() && m_model ? m_model->sentence() : usualWords();
    const QString typed = (m_cutText.trimmed().isEmpty() ? usual : m_cutText).left(kMostTyped);
    if (shown->isOfModel && m_model) shown->cut = m_model->cut(typed, *m_film, shown->merges);
    for (const QString& word : typed.normalized(QString::NormalizationForm_C).split(u' ', Qt::SkipEmptyParts)) {
        if (shown->isOfModel) break;
        const std::string text = word.toStdString();
        shown->cut.push_back({word, m_film->count(text), m_film->ladder(text, shown->merges)});
    }
    // The one that is pointed at, or else the first that the text does not have.
    const auto isUnknown = [](const SubwordsShown::Cut& each) { return each.count == 0; };
    const auto unknown = std::ranges::find_if(shown->cut, isUnknown);
    const int cuts = static_cast<int>(shown->cut.size());
    shown->chosen = m_pointed >= 0 && m_pointed < cuts ? m_pointed
                    : unknown == shown->cut.end()      ? 0
                                                       : static_cast<int>(unknown - shown->cut.begin());
    if (!shown->cut.empty() && !shown->isOfModel)
        for (const std::string& piece : shown->cut[static_cast<size_t>(shown->chosen)].pieces()) {
            const bool isLetter = lettersIn(bareSymbol(piece)) < 2;
            std::vector<std::string> with =
                isLetter ? std::vector<std::string>() : m_film->wordsWith(piece, shown->merges, 2);
            if (with.size() > 1 && with.front() == bareSymbol(piece).toStdString()) with.erase(with.begin());
            shown->known.push_back(with.empty() ? std::string() : with.front());
        }
    m_shown = shown;
    draw();
}

void SubwordsView::draw() {
    m_words->show(m_shown);
    m_pairs->show(m_shown);
    m_cut->show(m_shown);
    m_chart->show(m_shown);
    m_side->show(m_shown);
    if (!m_shown) {
        m_before->clear();
        m_play->setText({});
        return;
    }
    m_before->setText(tr("before merge %1").arg(std::max(1, m_shown->merges)));
    QString text = tr("Merge %1 of %2").arg(m_shown->merges).arg(m_film->mergeCount());
    if (const Merge* merge = m_shown->atHand(); merge && m_shown->merges > 0)
        text += merge->frequency > 0
                    ? tr(":  %1 + %2, %3")
                          .arg(QString::fromStdString(merge->left), QString::fromStdString(merge->right),
                               plural(tr("%n time(s)", nullptr, static_cast<int>(merge->frequency)), merge->frequency))
                    : tr(":  %1 + %2").arg(QString::fromStdString(merge->left), QString::fromStdString(merge->right));
    m_play->setText(text);
}

void SubwordsView::setMerges(int merges) {
    if (isOfModel()) merges = m_film && merges >= m_film->mergeCount() ? 0 : std::max(1, merges);
    if (merges == m_merges) return;
    m_head.pause();
    m_merges = merges;
    ask();
    emit optionsChanged();
}

/// A comma and a full stop are the film's here, though elsewhere in the window they are the timeline's.
bool SubwordsView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Comma || key == Qt::Key_Period || key == Qt::Key_Space) event->accept();
    }
    return QWidget::event(event);
}

void SubwordsView::keyPressEvent(QKeyEvent* event) {
    if (!m_film) return QWidget::keyPressEvent(event);
    const int now = std::min(wantedMoment(), m_film->mergeCount());
    if (event->key() == Qt::Key_Comma)
        setMerges(std::max(0, now - 1));
    else if (event->key() == Qt::Key_Period)
        setMerges(std::min(m_film->mergeCount(), now + 1));
    else if (event->key() == Qt::Key_Space)
        m_head.togglePlaying();
    else
        QWidget::keyPressEvent(event);
}

void SubwordsView::showOptions(const StageState& state) {
    m_head.pause();
    m_corpus = state.subwords.corpus;
    m_ownText = state.subwords.ownText;
    m_merges = state.subwords.merges;
    m_mergesLearned = state.subwords.mergesLearned;
    m_pointed = -1;
    m_cutText = QString::fromStdString(state.subwords.cut);
    m_pages->setCurrentIndex(0);
    if (m_typed->text() != m_cutText) m_typed->setText(m_cutText);
    showChoice();
    ask();
}

void SubwordsView::tellOptions(StageState& state) const {
    state.subwords.corpus = m_corpus;
    state.subwords.ownText = m_ownText;
    state.subwords.merges = m_merges;
    state.subwords.mergesLearned = m_mergesLearned;
    state.subwords.cut = m_cutText.toStdString();
}

}  // namespace headlight

#include "moc_subwords_view.cpp"
