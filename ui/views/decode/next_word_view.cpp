// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/next_word_view.h"

#include <QHBoxLayout>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/experiment/logit_lens.h"
#include "core/tensor/random.h"
#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/words/word_bars.h"

namespace headlight {

namespace {

constexpr int kShown = 15;
constexpr double kColdest = 0.01, kHottest = 100, kLeastP = 0.0001;
constexpr int kMostK = 50;  ///< of the slider; its end means all words

}  // namespace

NextWordView::NextWordView(QWidget* parent)
    : QWidget(parent),
      m_temperature(new LabelledSlider(tr("Temperature"), {1, 30, 10})),
      m_topK(new LabelledSlider(tr("Top k"), {1, kMostK, kMostK})),
      m_topP(new LabelledSlider(tr("Top p"), {1, 100, 100})),
      m_left(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_ended(new Caption({}, 12, QFont::Medium, Caption::Tone::Main)),
      m_draw(new Button(Button::Kind::Primary, tr("Draw a word"), Icon::Seed)),
      m_bars(new WordBars),
      m_lens(makePlainTable({tr("After"), tr("Word"), tr("Probability")}, tr("Logit lens"))) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makeControls());
    auto* cards = new QHBoxLayout;
    cards->setContentsMargins(20, 16, 20, 16);
    cards->setSpacing(16);
    auto* words = new Card(tr("What may come next"), tr("a click puts a word behind the sentence"));
    words->body()->addWidget(m_bars);
    words->body()->addWidget(m_left);
    words->body()->addStretch();
    auto* lens = new Card(tr("What each layer would say"), tr("logit lens"));
    lens->body()->addWidget(m_lens);
    cards->addWidget(words, 3);
    cards->addWidget(lens, 2);
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

QWidget* NextWordView::makeControls() {
    auto* panel = new Panel(Qt::RightEdge);
    panel->setFixedWidth(284);
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
    setSampling(state.temperature, state.topK, state.topP);
}

void NextWordView::tellOptions(StageState& state) const {
    state.temperature = m_chosenTemperature;
    state.topK = m_chosenTopK;
    state.topP = m_chosenTopP;
}

std::vector<Candidate> NextWordView::allowed() const {
    return candidates(m_logits, sampling(), neverWritten(m_model->network->config()));
}

void NextWordView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    m_trace = std::move(trace);
    m_ended->setText({});
    const TraceRecord& logits = m_trace->at("logits");
    m_logits.assign(logits.values.end() - logits.shape.back(), logits.values.end());
    showWords();
    showLens();
}

void NextWordView::showWords() {
    const SamplingOptions options = sampling();
    m_temperature->setText(formatNumber(options.temperature, 1));
    m_topK->setText(options.topK == 0 ? tr("all") : QString::number(options.topK));
    m_topP->setText(options.topP == 1 ? tr("all") : formatNumber(options.topP));
    if (!m_model) return;
    const std::vector<Candidate> kept = allowed();
    // What was cut away stays to be seen, at the probability that it would have had.
    const std::vector<Candidate> all =
        candidates(m_logits, {.temperature = options.temperature}, neverWritten(m_model->network->config()));
    std::vector<WordBars::Bar> bars;
    m_words.clear();
    for (size_t i = 0; i < all.size() && i < kShown; ++i) {
        const bool in = i < kept.size();
        m_words.push_back(all[i].word);
        bars.push_back({QString::fromStdString(m_model->target->displayOne(all[i].word)),
                        in ? kept[i].probability : all[i].probability, i == 0, !in});
    }
    m_bars->setBars(std::move(bars));
    m_left->setText(tr("%1 of %2 words may be drawn").arg(kept.size()).arg(all.size()));
}

/// Whole layers, behind the last word.
void NextWordView::showLens() {
    m_lens->setRowCount(0);
    if (m_model->network->config().recurrent()) return;
    const LogitLens lens(*m_model, *m_trace, 1);
    const std::vector<LensDepth>& depths = lens.depths();
    for (size_t depth = 0; depth < depths.size(); ++depth) {
        if (!depths[depth].endsLayer) continue;
        const LensCell cell = lens.read(depth, lens.positions() - 1).front();
        if (cell.words.empty()) continue;
        const int row = m_lens->rowCount();
        m_lens->setRowCount(row + 1);
        const std::string word = m_model->target->displayOne(cell.words.front().id);
        setPlainRow(m_lens, row,
                    {depth + 1 == depths.size() ? tr("the model") : tr("layer %1").arg(depths[depth].layer + 1),
                     QString::fromStdString(word), formatNumber(cell.words.front().probability, 3)});
    }
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
    const bool ends = word == m_model->network->config().eosId;
    m_ended->setText(ends ? tr("“%1”: here the text ends. Draw once more for another word.")
                                .arg(QString::fromStdString(m_model->target->displayOne(word)))
                          : QString());
    if (!ends) emit wordChosen(word);
}

}  // namespace headlight
