// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "core/text/bpe.h"
#include "ui/session/open/data_choice.h"
#include "ui/session/open/paced_timer.h"
#include "ui/session/open/step_probe.h"
#include "ui/views/train/data/sentence_rows.h"
#include "ui/views/train/data/task_sentences.h"

class QLabel;
class QLayout;
class QLineEdit;

namespace headlight {

class Button;
class Card;
class CurveChart;
class DataBar;
class FailureBox;
class GetSentences;
class LabelledSlider;
class LayoutRow;
class LengthChart;
class ModelBlueprint;
class PairingNote;
class PartRow;
class ProgressLine;
class RangeSlider;
class SegmentedControl;
class TrainingSettings;

/// What a model is to learn from, seen before it costs anything: files dropped or chosen, their sentences as the model
/// will read them, which words it will know, how long they are, how they are dealt out, and what a run takes.
class DataView : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive the view.
    DataView(DataChoice& choice, TrainingSettings& settings, QWidget* parent = nullptr);

    /// Chooses these files, as if they had been dropped.
    void open(const QStringList& paths);
    /// A set that was fetched: what it is and whose stays with it.
    void openSet(const QString& path, const QString& title, const QString& credit);
    /// The same for validation or for the test: files of their own.
    void openPart(CorpusPart part, const QStringList& paths);
    /// What the reader calls the model; empty: after its files.
    QString name() const;
    void setSettling(Settling* settling) {
        m_probe.setSettling(settling);
        m_task.setSettling(settling);
    }
    /// Of how many threads a step is tried with.
    void setThreads(int threads) { m_threads = threads; }

    /// Tokens of a source and of a target, special ones among them; nothing: they are not counted yet.
    std::optional<std::array<int, 2>> vocabularySizes() const;
    /// The same of the built-in task, which the room counts; nothing: not yet.
    void setTaskWords(const std::optional<std::array<int, 2>>& words);
    const ModelBlueprint* blueprint() const { return m_blueprint; }
    SegmentedControl* size() const { return m_size; }

    GetSentences* sets() const { return m_sets; }
    /// What stands at the right: sets to be fetched, or the model and its run.
    SegmentedControl* aside() const { return m_aside; }
    SentenceRows* rows() const { return m_rows; }
    CurveChart* coverage() const { return m_coverage; }
    LengthChart* lengths() const { return m_lengths; }
    RangeSlider* split() const { return m_split; }
    SegmentedControl* tokens() const { return m_tokens; }
    LabelledSlider* vocabulary(int side) const { return m_sizes[side]; }
    /// From what BPE's merges are learned.
    SegmentedControl* sides() const { return m_sides; }
    PartRow* part(CorpusPart part) const { return m_parts[static_cast<size_t>(part)]; }
    SegmentedControl* filter() const { return m_filter; }
    /// How the lines of a text hang together, and why that is proposed.
    SegmentedControl* reading() const { return m_reading; }
    QLabel* readingNote() const { return m_readingNote; }
    FailureBox* failure() const { return m_failure; }
    /// That a second text became the translation of the first.
    PairingNote* pairing() const { return m_pairing; }
    Button* start() const { return m_start; }
    Button* others() const { return m_others; }
    SegmentedControl* seen() const { return m_seen; }
    Button* entities() const { return m_entities; }
    QLineEdit* nameField() const { return m_name; }
    QLabel* skipped() const { return m_skipped; }
    QLabel* time() const { return m_time; }
    QLabel* timeMore() const { return m_timeMore; }
    const StepProbe& probe() const { return m_probe; }

signals:
    void startRequested();
    /// The reader wants to choose files himself.
    void filesWanted();
    void partFilesWanted(CorpusPart part);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    enum Tokens { Words, Pieces, Characters, AsCut };
    enum Filter { All, WithUnknowns, Skipped };
    static constexpr int kRatioUnits = 2;              ///< a place of the ratio's slider is half a word
    static constexpr std::array kSeen = {1, 2, 3, 5};  ///< how often a word must stand

    QWidget* makeRows();
    QWidget* makeVocabulary();
    QWidget* makeLengths();
    QWidget* makeSplit();
    QWidget* makeModel();
    QWidget* makeRun();
    QLayout* makeStart();
    QWidget* makeAside();
    void connectChoice();
    void choose(const CorpusFiles& files);
    void showAside(int which);

    void refresh();
    QString tooFew() const;
    QString otherKind() const;
    void setAside(int from, int to);
    void showTask();
    void showGlimpse();
    void showLayout();
    void showReading();
    void showRows();
    void showVocabulary();
    void showWords();
    void showPieces();
    void showLengths();
    void showSkipped();
    bool hasEntries() const;  ///< of a list, where other files have lines
    QString placesOf(const std::vector<size_t>& lines, long all) const;
    void showSplit();
    void showModel();
    void drawModel(const ModelConfig& config);
    void showTime();
    void showPasses(const TrainOptions& options, const StepProbe::Result* result);
    void measure();
    void chooseTokens(int which);
    void chooseSize(int side, int size);
    void chooseSeen(int index);
    void showSeen();
    void removeFile(int index);
    TrainingSetup chosenSetup() const;
    TrainingSetup timedSetup() const;
    ModelConfig configWithWords() const;
    int vocabularySize(size_t side) const;
    /// A side of a sample as the tokenizer cuts it.
    std::array<std::optional<Bpe>, 2> piecesOfWords() const;
    std::vector<SentenceRows::Token> tokensOf(const std::string& text, size_t side, const Bpe* bpe) const;
    bool holdsUnknown(size_t sample) const;
    std::vector<size_t> shownSamples() const;

    DataChoice& m_choice;
    TrainingSettings& m_settings;
    StepProbe m_probe;
    TaskSentences m_task;  ///< of the built-in task, where there are no files
    std::optional<std::array<int, 2>> m_taskWords;
    PacedTimer m_calm;  ///< a step is tried when the sliders have come to rest
    int m_threads = 1;
    int m_shift = 0;  ///< how many samples are passed over

    enum Aside { Sets, ModelAndRun };

    DataBar* m_bar;
    PairingNote* m_pairing;
    SegmentedControl* m_aside;
    QWidget* m_asides[2];
    GetSentences* m_sets;
    bool m_hadFiles = false;
    FailureBox* m_failure;
    ProgressLine* m_progress;
    Card* m_rowsCard;
    SentenceRows* m_rows;
    SegmentedControl* m_filter;
    LayoutRow* m_layoutRow;
    QWidget* m_readingRow;
    SegmentedControl* m_reading;
    QLabel* m_readingNote;
    Button* m_others;  ///< other sentences
    QLabel *m_rowsLeft, *m_rowsRight;
    SegmentedControl *m_tokens, *m_sides;
    Card* m_vocabularyCard;
    CurveChart* m_coverage;
    LabelledSlider* m_sizes[2];
    QLabel* m_vocabularyNote;
    SegmentedControl* m_case;
    QLabel* m_seenName;
    SegmentedControl* m_seen;  ///< how often a word must stand to be known
    Button* m_entities;
    Card* m_lengthsCard;
    LengthChart* m_lengths;
    QLabel* m_skipped;
    LabelledSlider* m_ratio;
    QWidget *m_lower, *m_splitCard;
    SegmentedControl* m_kind;
    RangeSlider* m_split;
    PartRow* m_parts[3];
    QLabel* m_splitNote;
    Card* m_modelCard;
    SegmentedControl* m_size;
    ModelBlueprint* m_blueprint;
    QLabel *m_modelText, *m_modelShare;
    LabelledSlider* m_steps;
    QLabel *m_passes, *m_time, *m_timeMore;
    QLineEdit* m_name;
    Button* m_start;
};

}  // namespace headlight
