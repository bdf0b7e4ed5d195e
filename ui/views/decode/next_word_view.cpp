// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/next_word_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/tensor/random.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/word_behind.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/words/word_bars.h"
#include "ui/widgets/words/word_river.h"

namespace headlight {

namespace {

constexpr size_t kShown = 60;  ///< as many of them as there is room for
constexpr double kColdest = 0.01, kHottest = 100, kLeastP = 0.0001;
constexpr std::chrono::milliseconds kPatience{300};
constexpr int kMostK = 50;  ///< of the slider; its end means all words
constexpr int kDepth = 0;   ///< of the two ways

double entropyOf(const std::vector<double>& probabilities) {
    double bits = 0;
    for (const double p : probabilities)
        if (p > 0) bits -= p * std::log2(p);
    return bits;
}

/// Softmax over the whole vocabulary.
std::vector<double> probabilitiesOf(const std::vector<float>& logits) {
    const auto most = static_cast<double>(*std::ranges::max_element(logits));
    std::vector<double> all;
    double sum = 0;
    for (const float logit : logits) {
        all.push_back(std::exp(static_cast<double>(logit) - most));
        sum += all.back();
    }
    for (double& each : all)
        each /= sum;
    return all;
}

}  // namespace

NextWordView::NextWordView(QWidget* parent)
    : ViewWidget(parent),
      m_temperature(new LabelledSlider(tr("Temperature"), {1, 30, 10})),
      m_topK(new LabelledSlider(tr("Top k"), {1, kMostK, kMostK})),
      m_topP(new LabelledSlider(tr("Top p"), {1, 100, 100})),
      m_left(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_ended(new Caption({}, 12, QFont::Medium, Caption::Tone::Main)),
      m_draw(new Button(Button::Kind::Primary, tr("Draw a word"), Icon::Seed)),
      m_bars(new WordBars),
      m_sampling(makeControls()),
      m_way(new SegmentedControl({tr("Through the layers"), tr("Along the text")})),
      m_river(new WordRiver),
      m_riverNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_undecided(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_where(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_patience(kPatience, [this] { say(tr("Reading layer after layer …")); }) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_sampling);
    auto* cards = new QHBoxLayout;
    cards->setContentsMargins(16, 16, 16, 16);
    cards->setSpacing(16);
    auto* words = new Card(tr("What may come next"));
    words->setPanelName("next");
    m_where->setWordWrap(true);
    m_undecided->setWordWrap(true);
    words->body()->addWidget(m_where);
    m_bars->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_bars->setMinimumHeight(5 * WordBars::kRow);
    m_bars->installEventFilter(this);
    words->body()->addWidget(m_bars, 1);
    m_left->setWordWrap(true);
    words->body()->addWidget(m_left);
    words->body()->addWidget(m_undecided);
    cards->addWidget(makeRiver(), 7);
    cards->addWidget(words, 4);
    columns->addLayout(cards, 1);
    const auto slides = [this](LabelledSlider* slider, auto take) {
        connect(slider, &LabelledSlider::valueChanged, this, [this, take](int value) {
            take(value);
            showWords();
            emit optionsChanged();
        });
    };
    slides(m_temperature, [this](int value) { m_chosenTemperature = value / 10.0; });
    slides(m_topK, [this](int value) { m_chosenTopK = value == kMostK ? 0 : value; });
    slides(m_topP, [this](int value) { m_chosenTopP = value / 100.0; });
    connect(m_bars, &WordBars::chosen, this, [this](int bar) { take(m_words[static_cast<size_t>(bar)]); });
    connect(m_draw, &Button::clicked, this, &NextWordView::drawWord);
}

QWidget* NextWordView::makeRiver() {
    auto* card = new Card(tr("The next word as a river"));
    card->setPanelName("river");
    m_way->setAccessibleName(tr("What the river runs through"));
    card->body()->addWidget(m_way, 0, Qt::AlignLeft);  // beside the title neither could be read in a small window
    m_riverNote->setWordWrap(true);
    card->body()->addWidget(m_riverNote);
    card->body()->addWidget(m_river, 1);
    connect(m_way, &SegmentedControl::currentChanged, this, [this](int way) {
        setAlong(way == kDepth ? DecodeOptions::River::Depth : DecodeOptions::River::Text);
        emit optionsChanged();
    });
    connect(m_river, &WordRiver::columnChosen, this, [this](int column) {
        if (m_way->currentIndex() != kDepth) setPosition(column);
    });
    connect(m_river, &WordRiver::wordChosen, this, [this](int column, int word) {
        if (m_way->currentIndex() == kDepth) return take(word);
        setPosition(column);
    });
    return card;
}

QWidget* NextWordView::makeControls() {
    auto* panel = new Panel(Qt::RightEdge);
    panel->setPanelName("controls");
    panel->takeShare(220, 284);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(6);
    column->addWidget(new Caption(tr("The next word"), 18, QFont::DemiBold, Caption::Tone::Main));
    for (LabelledSlider* slider : {m_temperature, m_topK, m_topP})
        column->addWidget(slider);
    column->addSpacing(8);
    column->addWidget(m_draw, 0, Qt::AlignLeft);
    m_ended->setWordWrap(true);
    column->addWidget(m_ended);
    auto* note =
        new Caption(tr("Below 1 a temperature sharpens, above 1 it flattens. Top k keeps the k likeliest words, "
                       "top p the fewest that have probability p together; what is cut away is grey."),
                    12, QFont::Normal, Caption::Tone::Faint);
    note->setWordWrap(true);
    column->addWidget(note);
    column->addStretch();
    return panel;
}

SamplingOptions NextWordView::sampling() const {
    return {.temperature = m_chosenTemperature, .topK = m_chosenTopK, .topP = m_chosenTopP, .seed = m_draws};
}

void NextWordView::setSampling(double temperature, int topK, double topP) {
    m_chosenTemperature = std::clamp(temperature, kColdest, kHottest);
    m_chosenTopK = std::max(0, topK);
    m_chosenTopP = std::clamp(topP, kLeastP, 1.0);
    const QSignalBlocker quietTemperature(m_temperature), quietK(m_topK), quietP(m_topP);
    m_temperature->setValue(static_cast<int>(std::lround(m_chosenTemperature * 10)));
    m_topK->setValue(m_chosenTopK == 0 ? kMostK : m_chosenTopK);
    m_topP->setValue(static_cast<int>(std::lround(m_chosenTopP * 100)));
    showWords();
}

void NextWordView::showOptions(const StageState& state) {
    setSampling(state.decode.temperature, state.decode.topK, state.decode.topP);
    setAlong(state.decode.river);
    askOfTranslators(state.decode.nextWord);
}

void NextWordView::tellOptions(StageState& state) const {
    state.decode.temperature = m_chosenTemperature;
    state.decode.topK = m_chosenTopK;
    state.decode.topP = m_chosenTopP;
    state.decode.river = m_along;
    state.decode.nextWord = m_askedOfTranslators;
}

void NextWordView::askOfTranslators(bool asked) {
    if (asked == m_askedOfTranslators) return;
    m_askedOfTranslators = asked;
    emit askedOfTranslatorsChanged();
}

std::vector<Candidate> NextWordView::allowed() const {
    return candidates(m_logits, sampling(), neverWritten(m_model->network->config()));
}

bool NextWordView::goesOn() const {
    return m_model->network->config().continuesTexts();
}

bool NextWordView::hasDepths() const {
    return !m_model->network->config().recurrent();
}

void NextWordView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    m_trace = std::move(trace);
    m_logits.clear();  // of another vocabulary, should the bars be laid out meanwhile
    m_sampling->setVisible(goesOn());
    m_text = riverAlongText(*m_model, *m_trace);
    m_way->setItemDisabled(
        kDepth,
        hasDepths() ? QString() : tr("This model is recurrent: it has no stack of layers that could say a word."));
    setPosition(static_cast<int>(m_text.size()) - 1);
}

void NextWordView::setPosition(int position) {
    if (m_text.empty()) return;
    m_position = std::clamp(position, 0, static_cast<int>(m_text.size()) - 1);
    m_ended->setText({});
    const TraceRecord& logits = m_trace->at("logits");
    const auto wide = static_cast<std::ptrdiff_t>(logits.shape.back());
    const auto begin = logits.values.begin() + m_position * wide;
    m_logits.assign(begin, begin + wide);
    m_depths.clear();
    showPlace();
    showWords();
    readDepths();
}

void NextWordView::setAlong(DecodeOptions::River along) {
    m_along = along;
    showRiver();
}

void NextWordView::showPlace() {
    const QString behind = m_text[static_cast<size_t>(m_position)].title;
    m_where->setText(goesOn() && m_position + 1 == std::ssize(m_text)
                         ? tr("After “%1”. Click a word to add it to the sentence.").arg(behind)
                         : tr("After “%1”.").arg(behind));
}

/// There is room for another number of them.
bool NextWordView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_bars && event->type() == QEvent::Resize) showWords();
    return QWidget::eventFilter(watched, event);
}

void NextWordView::showWords() {
    const SamplingOptions options = sampling();
    m_temperature->setText(formatNumber(options.temperature, 1));
    m_topK->setText(options.topK == 0 ? tr("all") : QString::number(options.topK));
    m_topP->setText(options.topP == 1 ? tr("all") : formatNumber(options.topP));
    if (!m_model || m_logits.empty()) return;
    const std::vector<Candidate> kept = allowed();
    // What was cut away stays to be seen, at the probability that it would have had.
    const std::vector<Candidate> all =
        candidates(m_logits, {.temperature = options.temperature}, neverWritten(m_model->network->config()));
    std::vector<WordBars::Bar> bars;
    m_words.clear();
    const size_t shown = std::min({kShown, all.size(), static_cast<size_t>(m_bars->height() / WordBars::kRow)});
    for (size_t i = 0; i < shown; ++i) {
        const bool in = i < kept.size();
        m_words.push_back(all[i].word);
        bars.push_back({wordAtRow(*m_model, *m_trace, m_position, all[i].word),
                        in ? kept[i].probability : all[i].probability, i == 0, !in});
    }
    m_bars->setBars(std::move(bars));
    std::vector<double> drawn;
    m_may.assign(m_logits.size(), 0);
    m_first = kept.front().word;
    for (const Candidate& each : kept) {
        drawn.push_back(each.probability);
        m_may[static_cast<size_t>(each.word)] = 1;
    }
    const std::vector<double> own = probabilitiesOf(m_logits);
    QStringList never;
    double share = 0;
    for (const int word : neverWritten(m_model->network->config())) {
        never << QString::fromStdString(m_model->target->displayOne(word));
        share += own[static_cast<size_t>(word)];
    }
    // Why a bar is longer than what the model says of its word, as the river beside it has it.
    const QString shared = never.isEmpty()
                               ? QString()
                               : tr("%1 are never written: what the model gives them, %2 in all, is shared out.")
                                     .arg(never.join(QStringLiteral(", ")), formatNumber(share, 4));
    m_left->setText(
        goesOn() ? tr("%1 of %2 words may be drawn")
                       .arg(formatCount(static_cast<qint64>(kept.size())), formatCount(static_cast<qint64>(all.size())))
                 : QString());
    m_left->setVisible(goesOn());
    m_undecided->setText(
        tr("Entropy: %1 of at most log₂ %2 = %3 bits; drawn from: %4 bits. %5")
            .arg(formatNumber(entropyOf(own)))
            .arg(formatCount(static_cast<qint64>(own.size())))
            .arg(formatNumber(std::log2(static_cast<double>(own.size()))), formatNumber(entropyOf(drawn)), shared));
    showRiver();
}

/// In the background, as a layer of a large vocabulary takes its time.
void NextWordView::readDepths() {
    m_background.drop();
    m_patience.stop();
    if (!hasDepths()) return showRiver();
    m_patience.start();
    const auto read = [model = m_model, trace = m_trace, position = m_position](const Background::Wanted& wanted) {
        return riverThroughDepth(*model, *trace, position, wanted);
    };
    m_background.ask<std::vector<RiverPlace>>(
        read,
        [this](std::vector<RiverPlace> places) {
            m_patience.stop();
            m_depths = std::move(places);
            showRiver();
        },
        [this](const QString& why) {
            m_patience.stop();
            say(tr("The lens was not read: %1").arg(why));
        });
}

void NextWordView::showRiver() {
    if (!m_model) return;
    const bool deep = m_along == DecodeOptions::River::Depth && hasDepths();
    const QSignalBlocker quiet(m_way);
    m_way->setCurrentIndex(deep ? kDepth : kDepth + 1);
    say(deep          ? tr("How tall: the probability that this depth would give, if the model stopped there (logit "
                                    "lens). Every column adds up to 1.")
        : hasDepths() ? tr("How tall: the probability of the word behind the one that stands above; amber is the "
                           "word that the text goes on with. A click on a column goes there.")
                      : tr("This model is recurrent: it has no stack of layers that could say a word, so the river "
                           "runs along the text. Amber is the word that the text goes on with."));
    showColumns(deep ? m_depths : m_text);
    m_river->setCurrent(deep ? -1 : m_position);
}

void NextWordView::showColumns(const std::vector<RiverPlace>& places) {
    const bool deep = m_way->currentIndex() == kDepth;
    const std::vector<int> never = neverWritten(m_model->network->config());
    const auto roleOf = [&](int word, const RiverPlace& place) {
        if (word == (deep ? m_first : place.words.front().id)) return WordRiver::Role::Now;
        if (std::ranges::find(never, word) != never.end()) return WordRiver::Role::Special;
        const bool may = !deep || m_may[static_cast<size_t>(word)] != 0;
        return may ? WordRiver::Role::May : WordRiver::Role::Cut;
    };
    std::vector<WordRiver::Column> columns;
    for (const RiverPlace& place : places) {
        WordRiver::Column column{
            place.title, place.more, {}, place.rest, tr("%1 others").arg(formatCount(place.restWords))};
        const int row = deep ? m_position : static_cast<int>(columns.size());
        for (const RiverPlace::Word& word : place.words)
            column.pieces.push_back(
                {word.id, wordAtRow(*m_model, *m_trace, row, word.id), word.probability, roleOf(word.id, place)});
        columns.push_back(std::move(column));
    }
    m_river->setEmptyText(m_background.isBusy() ? tr("Reading layer after layer …") : QString());
    m_river->setColumns(std::move(columns));
}

void NextWordView::say(const QString& note) {
    m_riverNote->setText(note);
}

void NextWordView::drawWord() {
    if (!m_model) return;
    Random random(mix(++m_draws));
    double ticket = random.uniform();
    const std::vector<Candidate> kept = allowed();
    int word = kept.back().word;
    for (const Candidate& candidate : kept) {
        ticket -= candidate.probability;
        if (ticket >= 0) continue;
        word = candidate.word;
        break;
    }
    take(word);
}

/// The end of a text is no word of it.
void NextWordView::take(int word) {
    if (m_position + 1 < std::ssize(m_text) && goesOn()) return;  // the text goes on with another word already
    const bool ends = m_model->network->config().ends(word);
    m_ended->setText(ends ? tr("“%1”: here the text ends. Draw once more for another word.")
                                .arg(QString::fromStdString(m_model->target->displayOne(word)))
                          : QString());
    if (!ends) emit wordChosen(word);
}

}  // namespace headlight

#include "moc_next_word_view.cpp"
