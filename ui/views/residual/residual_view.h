// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/experiment/residual_stream.h"
#include "ui/session/open/background.h"
#include "ui/session/trace/stream_picture.h"
#include "ui/views/view.h"

class QLabel;
class QStackedLayout;

namespace headlight {

class BatchColumns;
class FailureBox;
class NormOrders;
class NumberSteps;
class Panel;
class ProfileStack;
class SegmentedControl;
class StreamChart;
class WordChips;

/// Residuals and norms: one word's vectors before, in and behind a sublayer; one of its numbers step by step; how long
/// the stream is by depth, here and where the norm stands elsewhere; and what a batch norm would have made of the same
/// number. Test sentences are read in the background.
class ResidualView : public ViewWidget {
    Q_OBJECT
public:
    explicit ResidualView(QWidget* parent = nullptr);

    /// Who is told while sentences are read in the background; null: nobody.
    void setSettling(Settling* settling) override { m_reader.setSettling(settling); }
    /// Null for what is not there.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    void setVeil(const std::vector<NumberName>& veiled) override;

    static constexpr int kSentences = 200;  ///< of the test set, whose mean the chart shows
    static constexpr int kBatch = 64;       ///< the largest that is compared

    bool isBusy() const { return m_reader.isBusy(); }
    ProfileStack* profiles() const { return m_profiles; }
    NumberSteps* steps() const { return m_steps; }
    StreamChart* chart() const { return m_chart; }
    NormOrders* orders() const { return m_orders; }
    BatchColumns* batch() const { return m_batch; }
    WordChips* words() const { return m_words; }
    SegmentedControl* stacks() const { return m_stacks; }
    QLabel* batchNote() const { return m_batchNote; }
    QLabel* chartNote() const { return m_chartNote; }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Page { NoModel, NoSentence, Recurrent, Room };
    /// What the background found of a model.
    struct Found {
        StreamSurvey own;
        std::optional<StreamSurvey> other;
        QString otherName;
        bool inOrder = true;  ///< the other one differs in the order of its norms; else in its residuals
        bool readTest = false;
        QString missing = {};   ///< where it did not: why not
        QString lookedIn = {};  ///< and where the text was looked for
    };

    QWidget* makeRoom();
    QWidget* makeStage();
    Panel* makeSide();
    void connectParts();
    void survey();
    static Found compute(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                         const Background::Wanted& wanted);
    Stack stack() const;
    int row() const;
    void showAll();
    void showWord();
    void showChart();
    void showBatch();
    /// Takes out of the word that is shown what is to be predicted.
    void hideVeiled(const StreamSublayer& sublayer);
    /// Of what the norm of a sublayer reads, word by word.
    std::vector<char> hiddenOfNormed(const StreamSublayer& sublayer) const;

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::vector<StreamSublayer> m_sublayers;
    std::optional<StreamWord> m_shown;
    std::vector<NumberName> m_veiled;
    std::optional<Found> m_found;
    /// As the state of the stage has them, from 1; what is shown is the nearest that there is.
    int m_word = StageState().residuals.word, m_unit = StageState().residuals.number,
        m_sublayer = StageState().residuals.depth;
    StageStack m_stack = StageStack::Decoder;

    QStackedLayout* m_pages;
    QLabel *m_title, *m_subtitle;
    WordChips* m_words;
    ProfileStack* m_profiles;
    QLabel *m_chartTitle, *m_chartNote;
    SegmentedControl* m_stacks;
    StreamChart* m_chart;
    NormOrders* m_orders;
    FailureBox* m_failure;
    QLabel *m_number, *m_ofWord, *m_rows, *m_batchNote;
    NumberSteps* m_steps;
    BatchColumns* m_batch;
    Background m_reader{this};
};

}  // namespace headlight
