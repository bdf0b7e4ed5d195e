// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/io/trained_model.h"
#include "ui/session/open/background.h"
#include "ui/session/open/playhead.h"
#include "ui/views/subwords/subwords_shown.h"
#include "ui/views/view.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;
class QStackedWidget;

namespace headlight {

class Button;
class Card;
class CutWords;
class FailureBox;
class FittingCaption;
class MergeChart;
class ModelCut;
class PairBars;
class Panel;
class PieceWords;
class PlayBar;
class SegmentedControl;
class SubwordsSide;

/// Byte-pair encoding as a film: pairs are counted, the most frequent one is merged, and the words of the text stand in
/// fewer and longer pieces; any word that is typed is cut by the merges so far. The text is a small one that ships, a
/// task's, a file's, or what the reader writes. Of the open model its own merges are played, which cut a sentence as it
/// does; where it has none, the cut stands there, and why.
class SubwordsView : public ViewWidget {
    Q_OBJECT
public:
    explicit SubwordsView(QWidget* parent = nullptr);

    /// Who is told while merges are learned and counted; null: nobody.
    void setSettling(Settling* settling) override { m_background.setSettling(settling); }
    /// Learns, where nothing is learned yet: a page that nobody opens costs nothing.
    void wake();
    /// The open model and what it reads and writes, whose own merges may be shown; null: none.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const QString& sentence, const QString& written);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    bool isBusy() const { return m_background.isBusy(); }
    /// What is drawn; null: nothing yet.
    const std::shared_ptr<const SubwordsShown>& shown() const { return m_shown; }
    PieceWords* words() const { return m_words; }
    PairBars* pairs() const { return m_pairs; }
    CutWords* cut() const { return m_cut; }
    MergeChart* chart() const { return m_chart; }
    SubwordsSide* side() const { return m_side; }
    QLineEdit* typed() const { return m_typed; }
    QPlainTextEdit* editor() const { return m_editor; }
    FailureBox* failure() const { return m_failure; }
    /// Why the open model has no merges to play; hidden where it has some.
    QLabel* whyNone() const { return m_whyNone; }

    /// How many merges are learned where nobody says so, of the small text and of one's own, and of more; and at most.
    static constexpr int kFewMerges = 60, kManyMerges = 300, kMostMerges = 5000;
    /// Merges to learn.
    QSpinBox* learned() const { return m_learned; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeText();
    QWidget* makeStage();
    void setCorpus(const std::string& corpus, const std::string& ownText = {});
    /// What the film is to be of, as mergeCorpus() reads it.
    std::string wantedText() const;
    bool isOfModel() const;
    /// As the state has it: of the model, 0 is all of its merges, with which it reads.
    int wantedMoment() const;
    void showParts();
    void chooseFile();
    void edit();
    void learnEdited();
    /// Learns where the film is of another text, and shows the moment that is wanted.
    void ask();
    void take(const std::shared_ptr<SubwordsShown>& shown);
    void cutTyped();
    void draw();
    void setMerges(int merges);
    void learnMerges(int count);
    int usualMerges() const;
    int wantedMerges() const;
    void showChoice();

    std::string m_corpus = "small", m_ownText, m_filmOf;  ///< what is wanted, and what the film is of
    int m_merges = 0;                                     ///< as the state has it
    int m_mergesLearned = 0, m_filmLearned = 0;           ///< as the state has it; what the film was learned with
    int m_pointed = -1;                                   ///< of the words that are cut; −1: none
    QString m_cutText;
    std::shared_ptr<const ModelCut> m_model;  ///< null: no model is open
    int m_readings = 0;                       ///< of them, counted
    bool m_isAwake = false, m_isBounded = false;
    std::shared_ptr<const MergeFilm> m_film;
    std::shared_ptr<const SubwordsShown> m_shown;
    Playhead m_head;
    QLabel* m_fromTitle;
    SegmentedControl* m_from;
    Button *m_edit, *m_learn;
    QSpinBox* m_learned;
    FittingCaption* m_source;
    QLabel* m_whyNone;
    Panel* m_foot;
    QWidget* m_pairsCard;
    QLabel* m_before;
    QStackedWidget* m_pages;
    PieceWords* m_words;
    QPlainTextEdit* m_editor;
    PairBars* m_pairs;
    QLineEdit* m_typed;
    CutWords* m_cut;
    MergeChart* m_chart;
    PlayBar* m_play;
    FailureBox* m_failure;
    SubwordsSide* m_side;
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
