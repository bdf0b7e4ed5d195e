// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/io/trained_model.h"
#include "ui/session/open/background.h"
#include "ui/session/open/session.h"
#include "ui/session/open/test_set.h"
#include "ui/views/view.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStackedLayout;
class QVBoxLayout;

namespace headlight {

class BleuSide;
class BleuSums;
class Button;
class Card;
class FailureBox;
class NgramKey;
class NgramPicture;
class NowBand;
class ProgressLine;
class ScoreDots;
class SegmentedControl;

/// BLEU, n-gram by n-gram: what of a translation stands in its references, how that becomes a score, and how the score
/// of a whole test set is made of the counts of all its sentences.
class BleuView : public ViewWidget {
    Q_OBJECT
public:
    explicit BleuView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override;
    /// What was read, by whom, and with which heads muted; null and nothing for what is not there.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::optional<Session::Reading>& reading,
                    const QStringList& muted = {});
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    bool isBusy() const { return m_findsSet.isBusy() || m_scoring.isBusy(); }
    /// Of the translation that is shown, with the task's reference and the reader's own.
    const SentenceBleu& sentence() const { return m_sentence; }
    /// Null until all of them are translated, and where the task has none.
    const std::shared_ptr<const TestScores>& scores() const { return m_scores; }
    NgramPicture* picture() const { return m_picture; }
    ScoreDots* dots() const { return m_dots; }
    NowBand* story() const { return m_story; }
    BleuSide* side() const { return m_side; }
    QLabel* place() const { return m_place; }
    /// Why there is no score and how to get one; hidden where there is a reference.
    QLabel* noReference() const { return m_noReference; }
    QLineEdit* referenceInput() const { return m_input; }

signals:
    /// A test sentence is to be read.
    void sourceWanted(const QString& source);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Page { NoModel, NoTranslator, NoSentence, Room };

    QWidget* makeRoom();
    QWidget* makeBar();
    Card* makeSentenceCard();
    Card* makeTestCard();
    void follow();
    void findSet();
    void takeSet(std::shared_ptr<const TestSet> set);
    void translateAll();
    void stopTranslating();
    void goTo(int place);
    void goOn();
    void addReference();
    void countSentence();
    void showSentence();
    void showTest();
    QString lackOf() const;
    QString kindOf() const;
    QString storyOf() const;
    void fail(const QString& why);

    std::shared_ptr<const TrainedModel> m_model;
    std::optional<Session::Reading> m_reading;
    QStringList m_muted;
    std::shared_ptr<const TestSet> m_set;
    std::shared_ptr<const TestScores> m_scores;
    SentenceBleu m_sentence;
    int m_testSentence = 0;    ///< from 1; 0: it is none of them, or nobody knows yet
    bool m_isChosen = false;   ///< by the reader or a state; else found by the sentence that is read
    bool m_isWanted = false;   ///< m_testSentence is still to be read
    bool m_isStopped = false;  ///< the reader does not want all of them translated
    bool m_lacksOne = false;   ///< no reference is known of the sentence that is read
    int m_ngram = 4;
    StageLines m_references;  ///< besides the task's own

    QStackedLayout* m_pages;
    Button *m_previous, *m_next;
    QLabel* m_place;
    SegmentedControl* m_longest;
    Card *m_sentenceCard, *m_testCard;
    NgramKey* m_key;
    NgramPicture* m_picture;
    QLabel* m_noReference;
    NowBand* m_story;
    Button *m_add, *m_remove;
    QLineEdit* m_input;
    ScoreDots* m_dots;
    BleuSums* m_sums;
    QLabel* m_notSame;
    ProgressLine* m_progress;
    Button* m_stop;
    FailureBox* m_failure;
    BleuSide* m_side;
    QHBoxLayout* m_columns = nullptr;
    QVBoxLayout* m_stage = nullptr;
    Background m_findsSet{this};
    Background m_scoring{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
