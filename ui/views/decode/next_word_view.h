// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/decode/sampling.h"
#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/views/staged.h"

class QLabel;
class QTableWidget;

namespace headlight {

class Button;
class LabelledSlider;
class WordBars;

/// What a language model may say next: its likeliest words under temperature, top-k and top-p, a word drawn from them,
/// and what each layer would have said (logit lens).
class NextWordView : public QWidget, public Staged {
    Q_OBJECT
public:
    explicit NextWordView(QWidget* parent = nullptr);

    /// A language model and what it read.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// `topK` 0: all words.
    void setSampling(double temperature, int topK, double topP);

    WordBars* bars() const { return m_bars; }
    QTableWidget* lens() const { return m_lens; }

signals:
    /// The reader chose a word, or had one drawn: it goes behind the sentence.
    void wordChosen(int word);
    /// The reader chose otherwise.
    void optionsChanged();

private:
    QWidget* makeControls();
    void showWords();
    void showLens();
    void drawWord();
    void take(int word);
    SamplingOptions sampling() const;
    std::vector<Candidate> allowed() const;

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::vector<float> m_logits;
    std::vector<int> m_words;  ///< of the bars
    uint64_t m_draws = 0;
    double m_chosenTemperature = 1, m_chosenTopP = 1;  ///< exactly; the sliders stand as near as they can
    int m_chosenTopK = 0;

    LabelledSlider *m_temperature, *m_topK, *m_topP;
    QLabel* m_left;
    QLabel* m_ended;  ///< why a word that was taken did not go behind the sentence
    Button* m_draw;
    WordBars* m_bars;
    QTableWidget* m_lens;
};

}  // namespace headlight
