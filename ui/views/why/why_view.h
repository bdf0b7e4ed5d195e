// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "ui/session/open/background.h"
#include "ui/session/trace/why_picture.h"
#include "ui/views/view.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QScrollArea;
class QStackedLayout;
class QVBoxLayout;

namespace headlight {

class AttributionPage;
class Button;
class ComboBox;
class FailureBox;
class HeldStrip;
class Panel;
class SegmentedControl;
class WhyColumnView;
class WhyStage;
class WordChips;

/// Why this word and not that one: the difference of their logits opened column by column, down to one number of one
/// value, each column closing to the bar that it was opened from (Elhage et al. 2021: direct logit attribution). What
/// is held so that all the rest is addition stands below. Or, of the word alone, what each word that was read has to do
/// with it, by several methods.
class WhyView : public ViewWidget {
    Q_OBJECT
public:
    explicit WhyView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override;
    /// Null for what is not there. `isMuted`: heads were muted when it was read.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                    bool isMuted = false);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    bool isBusy() const;
    /// What is drawn; null: nothing.
    const std::shared_ptr<const WhyPicture>& picture() const { return m_picture; }
    const std::vector<WhyColumnView*>& columns() const { return m_columns; }
    WordChips* written() const { return m_written; }
    ComboBox* word() const { return m_word; }
    ComboBox* against() const { return m_against; }
    QLineEdit* other() const { return m_other; }
    QLabel* lead() const { return m_lead; }
    QLabel* story() const { return m_story; }
    HeldStrip* held() const { return m_held; }
    /// Difference or attribution.
    SegmentedControl* kind() const { return m_kind; }
    AttributionPage* attribution() const { return m_attribution; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Page { NoModel, NoSentence, Headless, Room };

    using Method = WhyOptions::Method;

    QWidget* makeRoom();
    Panel* makeQuestion();
    void addChoices(QVBoxLayout* rows);
    void nameAnswers(bool areLabels);
    Panel* makeFoot();
    /// Asks what is wanted of the reading that there is.
    void ask();
    void take(std::shared_ptr<const WhyPicture> picture);
    void refresh();
    void showWords();
    void showLead();
    void showFoot();
    void wantMethod(Method method);
    bool hasRoomForKey() const;
    void showKey();
    bool isDifference() const { return m_method == Method::Difference; }
    /// What is asked about, of what there is; null: nothing.
    const SaidWords* words() const;
    int wordId() const;
    void open(size_t column, int row, bool score);
    void close(size_t column);
    void wantRow(int row);
    void wantWord(QString WhyQuestion::*which, const QString& token);
    void wantOther();
    const std::vector<WhyStep>& opened() const { return m_isOpenedByHand ? m_opened : m_largest; }

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    WhyQuestion m_question;  ///< as the state has it
    Method m_method = Method::Difference;
    bool m_isOpenedByHand = false;
    std::vector<WhyStep> m_opened, m_largest;
    std::shared_ptr<const WhyPicture> m_picture;
    std::vector<WhyColumnView*> m_columns;
    QStackedLayout *m_pages, *m_kinds;
    SegmentedControl* m_kind;
    AttributionPage* m_attribution;
    QLabel* m_writtenName = nullptr;
    WordChips* m_written;
    ComboBox *m_word, *m_against;
    QLineEdit* m_other;
    std::vector<Button*> m_rivals;  ///< the likeliest of the others
    std::vector<QWidget*> m_ofTwo;  ///< what asks about a second word
    QLabel *m_lead, *m_story;
    QLabel* m_key;  ///< of the colours
    QHBoxLayout* m_ask = nullptr;
    QLabel* m_orAgainst;
    QWidget* m_heldName;
    HeldStrip* m_held;
    FailureBox* m_failure;
    QScrollArea* m_scroll;
    WhyStage* m_stage;
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
