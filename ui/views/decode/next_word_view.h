// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/decode/sampling.h"
#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/open/background.h"
#include "ui/session/open/paced_timer.h"
#include "ui/session/trace/next_word_river.h"
#include "ui/views/view.h"

class QLabel;

namespace headlight {

class Button;
class LabelledSlider;
class SegmentedControl;
class WordBars;
class WordRiver;

/// What a model may say next behind one position, as a river: through its layers (logit lens), or from position to
/// position of the text. Of a language model besides what sampling leaves of it, and a word drawn from that.
class NextWordView : public ViewWidget {
    Q_OBJECT
public:
    explicit NextWordView(QWidget* parent = nullptr);

    /// Who is told while the lens is read; null: nobody.
    void setSettling(Settling* settling) override { m_background.setSettling(settling); }
    bool isBusy() const { return m_background.isBusy(); }
    /// A model that says words one by one, and what it read and wrote; the place is behind the last word.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// `topK` 0: all words.
    void setSampling(double temperature, int topK, double topP);

    WordBars* bars() const { return m_bars; }
    WordRiver* river() const { return m_river; }
    QLabel* riverNote() const { return m_riverNote; }
    QLabel* undecided() const { return m_undecided; }
    /// Behind which word, from 0; of an earlier one than the last the text goes on with a word already.
    int position() const { return m_position; }
    void setPosition(int position);
    /// Through the depth of the stack, where it has one, or along the text.
    void setAlong(DecodeOptions::River along);
    /// A translator is asked for its next word rather than for its search.
    bool isAskedOfTranslators() const { return m_askedOfTranslators; }
    void askOfTranslators(bool asked);

signals:
    /// The reader chose a word, or had one drawn: it goes behind the sentence.
    void wordChosen(int word);
    /// Whether the page is shown of a translator has changed.
    void askedOfTranslatorsChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeControls();
    QWidget* makeRiver();
    bool goesOn() const;
    bool hasDepths() const;
    void showPlace();
    void showWords();
    void showRiver();
    void readDepths();
    void showColumns(const std::vector<RiverPlace>& places);
    void say(const QString& note);
    void drawWord();
    void take(int word);
    SamplingOptions sampling() const;
    std::vector<Candidate> allowed() const;

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    int m_position = 0;
    std::vector<float> m_logits;  ///< there
    std::vector<char> m_may;      ///< a flag for each word: it may be drawn
    int m_first = 0;              ///< the likeliest of these
    std::vector<RiverPlace> m_depths, m_text;
    DecodeOptions::River m_along = DecodeOptions::River::Depth;  ///< as it was asked for
    bool m_askedOfTranslators = false;
    std::vector<int> m_words;  ///< of the bars
    uint64_t m_draws = 0;
    double m_chosenTemperature = 1, m_chosenTopP = 1;  ///< exactly; the sliders stand as near as they can
    int m_chosenTopK = 0;

    LabelledSlider *m_temperature, *m_topK, *m_topP;
    QLabel* m_left;
    QLabel* m_ended;  ///< why a word that was taken did not go behind the sentence
    Button* m_draw;
    WordBars* m_bars;
    QWidget* m_sampling;
    SegmentedControl* m_way;
    WordRiver* m_river;
    QLabel *m_riverNote, *m_undecided, *m_where;
    Patience m_patience;            ///< until that is said
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
