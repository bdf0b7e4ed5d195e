// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileInfoList>
#include <QWidget>
#include <array>
#include <memory>
#include <vector>

#include "ui/session/open/comparison.h"
#include "ui/session/open/divergence.h"
#include "ui/session/open/fed_words.h"
#include "ui/views/view.h"

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace headlight {

class Card;
class ChangeList;
class ChoiceRow;
class ComboBox;
class DivergenceMap;
class FedTable;
class FoundList;
class HeadChips;
class MatrixView;
class MutedMark;
class PartingLines;
class SegmentedControl;
class Selection;
class TokenStrip;
class WordBars;

/// Two readings side by side: what each says behind each word that both are fed, how far apart they are in each module
/// of the model and where they part, how many pieces of what is otherwise it takes, and any value of the one, of the
/// other, and their difference.
class CompareView : public ViewWidget {
    Q_OBJECT
public:
    CompareView(Comparison* comparison, Selection* selection, QWidget* parent = nullptr);

    /// Sentences that can be chosen for the other side.
    void setSentences(const QStringList& sentences);
    /// The models that can be chosen from a list.
    void setModels(const QFileInfoList& models);

    /// Its options are what the comparison holds.
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    enum Side { First, Second, Difference };
    MatrixView* matrix(Side side) const { return m_matrices[side]; }
    DivergenceMap* map() const { return m_map; }
    /// Where they part, in words.
    QString where() const;
    QString sentence() const;
    void chooseKind(Comparison::Kind kind);
    ComboBox* block() const { return m_block; }
    HeadChips* heads() const { return m_heads; }
    FedTable* fed() const { return m_fed; }
    PartingLines* lines() const { return m_lines; }
    /// How many pieces it takes.
    WordBars* pieces() const { return m_pieces; }
    /// The row of the logits that is looked at, among the words that both are fed; −1: there is none.
    int fedRow() const;
    ComboBox* models() const { return m_models; }
    ChangeList* changes() const { return m_changes; }
    FoundList* found() const { return m_found; }
    QLineEdit* other() const { return m_other; }
    ComboBox* kept() const { return m_kept; }

signals:
    void allHeadsOnWanted();  ///< of the open model
    void modelWanted();       ///< one that is not in the list

private:
    QWidget* makePanel();
    QWidget* makeHeading();
    QWidget* makeStage();
    void refresh();
    void fillMap();
    void fillParts(const TraceRecord& value);
    QString whereTheyPart(const std::vector<Divergence>& all) const;
    void showValue();
    void showNumber();
    void showText();
    void showFed();
    void showFedRow();
    void chooseFedRow(int row);
    void chooseLine(int word);
    void showLines();
    void showHeads();
    void showPieces();
    void choosePieces(int bar);
    bool isFedBand(size_t band) const;
    QString whatOfTheWord() const;
    void makeSettings(QVBoxLayout* column);
    void makeFindings(QVBoxLayout* column);
    void connectChoices();
    void mute();
    void muteIn(const QString& block, const std::vector<int>& heads);
    std::vector<int> mutedIn(const QString& block) const;
    void showChoices();
    void showBlocks();
    void showModelChoice();
    void showBlockChoice();
    void showPlace();
    QStringList defaultHeads() const;
    const TraceRecord* value() const;
    void meetOtherModel();
    void showWhatDiffers();

    Comparison* m_comparison;
    Selection* m_selection;
    bool m_isTold = false;                    ///< several things change at once, and are shown once
    bool m_seeksDifference = false;           ///< the reader has just chosen what is to be otherwise
    std::weak_ptr<const TrainedModel> m_met;  ///< the other model that was met with what both compute
    std::array<ChoiceRow*, 5> m_kinds{};
    MutedMark* m_muted;
    std::vector<QWidget*> m_settings;  ///< of each kind
    ComboBox* m_models;
    ComboBox* m_block;
    HeadChips* m_heads;
    QLabel* m_headsNote;
    QLineEdit* m_other;
    ComboBox* m_kept;
    ChangeList* m_changes;
    std::array<QLabel*, 2> m_names{}, m_logProbs{};
    std::array<TokenStrip*, 2> m_texts{};
    QLabel* m_itself = nullptr;  ///< heads what each writes
    FoundList* m_found;
    FedTable* m_fed;
    std::vector<FedWord> m_fedWords;
    int m_row = -1;                      ///< that the reader chose; −1: nobody did
    bool m_areLinesFed = false;          ///< the words of the lines are those that both are fed
    int m_lineRow = -1;                  ///< of the number that was clicked when the lines were drawn
    std::weak_ptr<const Trace> m_rowOf;  ///< of the reading that it is a row of
    DivergenceMap* m_map;
    PartingLines* m_lines;
    QWidget* m_piecesPart;
    QLabel* m_piecesNote;
    WordBars* m_pieces;
    std::vector<QStringList> m_pieceSets;  ///< heads or changes, one set a bar
    QString m_whereAll;
    QLabel* m_where;
    SegmentedControl* m_parts;
    QStringList m_partNames;  ///< of the values that can be chosen there
    QLabel* m_title;
    QLabel* m_note;
    std::array<Card*, 3> m_cards{};
    QWidget *m_mapCard = nullptr, *m_matrixRow = nullptr;
    std::array<MatrixView*, 3> m_matrices{};
    QLabel* m_sentence;
};

}  // namespace headlight
