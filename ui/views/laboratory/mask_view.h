// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <set>

#include "core/experiment/masking.h"
#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/open/background.h"
#include "ui/session/trace/mask_batch.h"
#include "ui/views/view.h"
#include "ui/widgets/theme/color_scale.h"

class QLabel;
class QLineEdit;
class QStackedLayout;
class QVBoxLayout;

namespace headlight {

class BatchStrip;
class Button;
class Card;
class ComboBox;
class FittingCaption;
class MaskGrid;
class MatrixView;
class SegmentedControl;
struct ShownMask;

/// The sums of a matrix's rows, each beside its row.
class RowSums : public QWidget {
public:
    explicit RowSums(MatrixView* matrix);
    void setSums(std::vector<double> sums);
    const std::vector<double>& sums() const { return m_sums; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    MatrixView* m_matrix;
    std::vector<double> m_sums;
};

/// What attention may look at in a batch of two sentences: padding, the future, and both; every cell can be opened and
/// closed, and scores, masked scores and weights follow, in the right way of masking and in the wrong ones. The scores
/// are those of the first layer of the open model, which see nothing but the words themselves, so that padding scores
/// as it would in a batch.
class MaskView : public ViewWidget {
    Q_OBJECT
public:
    explicit MaskView(QWidget* parent = nullptr);

    /// Who is told while a batch is read; null: nobody.
    void setSettling(Settling* settling) override { m_reader.setSettling(settling); }
    bool isBusy() const { return m_reader.isBusy(); }
    /// The open model and what it read; null: nothing to show. Cells that were turned over go with the sentence that
    /// they belong to.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    bool lookAt(const NumberName* number, double value, Look look) override;
    void setVeil(const std::vector<NumberName>& veiled) override;

    MaskGrid* combined() const { return m_combined; }
    MatrixView* weights() const { return m_weights; }
    RowSums* rowSums() const { return m_rowSums; }
    /// What the way of masking does to the rows.
    QLabel* note() const { return m_note; }
    BatchStrip* batch() const { return m_batch; }
    QLineEdit* second() const { return m_second; }
    void setWay(MaskingWay way);
    MaskingWay way() const;
    /// What is masked, and how; no scores: there is nothing to mask.
    ShownMask shownMask() const;
    /// A worked example in the model's place: [words, words]. Empty: the model's again.
    void setScores(const QStringList& words, const std::vector<float>& scores);
    /// The reader opened or closed a cell.
    bool isChanged() const { return m_blocked != m_original; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr QLatin1String kNoSecond = QLatin1String("none");  ///< as the state of the stage says it

    /// Two sentences, filled up, and what the model makes of the chosen one.
    struct Batch {
        QString second;  ///< that was read, or was to be
        QString why;     ///< it cannot be read; empty: it can, or there is none
        MaskBatch padded;
    };
    /// All that the batch depends on.
    struct Wanted {
        std::shared_ptr<const TrainedModel> model;
        std::shared_ptr<const Trace> trace;
        QString second;
        bool findsSecond = false;  ///< the reader has named none
        int sentence = 1, pads = 0;
        BatchSide side = BatchSide::Target;
        bool operator==(const Wanted&) const = default;
    };
    static Batch readBatch(const Wanted& wanted);
    void takeBatch(const Wanted& wanted, Batch batch);

    void connectControls();
    void onOtherMask();
    void applyCells();
    void showSecond();
    QWidget* makeHeading();
    QWidget* makeBatch();
    QWidget* makeMasks();
    QWidget* makeBanner();
    QWidget* makeStages();
    void shareHeight();
    void compute();
    void computeByHand();
    void closeCells(bool causal);
    void restoreMask();
    void toggle(int row, int column);
    void showMasks();
    void saySums(const std::vector<double>& sums);
    void showStages();
    void showBanner();
    bool isCausal() const;
    /// Words that a word of the first layer sees, itself the last; 0: all before it.
    int slidingWindow() const;
    bool hasTwoStacks() const;
    void readPadded();
    void showNothing(const Trace& trace);
    void showScores();
    void sayMasks();

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    Wanted m_read;                          ///< what m_padded was read for
    std::shared_ptr<const Trace> m_padded;  ///< of the chosen sentence with padding behind it
    int m_words = 0, m_length = 0;
    int m_batchWords = 0;  ///< of the chosen sentence of the batch
    int m_longest = 0;     ///< words of the longest sentence, where the batch shows only their beginnings; else 0
    QStringList m_tokens;
    std::vector<float> m_scores;
    ColorScale m_scale;  ///< of m_scores
    QStringList m_handWords;
    std::vector<float> m_handScores;
    std::vector<NumberName> m_veiled;  ///< of the worked example
    std::vector<char> m_padding, m_causal, m_original, m_blocked;
    std::set<std::pair<int, int>> m_turned;  ///< cells that are not as they should be, from 0
    QString m_wantedSecond;                  ///< as the state of the stage says it
    QString m_shownSecond;                   ///< in the field, before the reader types
    QString m_found;                         ///< a shorter sentence, for whoever named none
    std::weak_ptr<const Trace> m_foundFor;   ///< the reading beside which it stands
    int m_wantedHead = 1, m_wantedSentence = 1;

    ComboBox* m_stack;
    ComboBox* m_head;
    SegmentedControl* m_pads;
    BatchStrip* m_batch;
    QLineEdit* m_second;
    QWidget* m_batchRow;
    QStackedLayout* m_pages;  ///< the laboratory, or why there is none
    SegmentedControl* m_way;
    QLabel* m_subtitle;
    MaskGrid* m_paddingGrid;
    MaskGrid* m_causalGrid;
    MaskGrid* m_combined;
    QWidget* m_banner;
    QLabel* m_bannerText;
    MatrixView* m_before;
    MatrixView* m_masked;
    MatrixView* m_weights;
    QLabel* m_none;  ///< why there is no laboratory
    Card* m_stages;
    Card* m_masks;
    QVBoxLayout* m_column;  ///< of the laboratory
    QLabel* m_title;
    QLabel* m_padsTitle;
    QLabel* m_paddingSays;  ///< what each mask does to the sentence that is shown
    FittingCaption* m_causalSays;
    QLabel* m_sums;  ///< of the rows of weights
    RowSums* m_rowSums;
    QLabel* m_note;
    Background m_reader{this};
};

}  // namespace headlight
