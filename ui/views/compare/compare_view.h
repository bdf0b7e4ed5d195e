// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileInfoList>
#include <QWidget>
#include <array>
#include <memory>
#include <vector>

#include "ui/session/open/comparison.h"
#include "ui/session/open/divergence.h"
#include "ui/views/staged.h"

class QLabel;
class QLineEdit;
class QStackedWidget;

namespace headlight {

class Card;
class ChangeList;
class ChoiceRow;
class ComboBox;
class DivergenceMap;
class FoundList;
class MatrixView;
class MutedMark;
class SegmentedControl;
class Selection;
class TokenStrip;

/// Two readings side by side: what each writes, how far apart they are in each module of the model, and any value of
/// the one, of the other, and their difference.
class CompareView : public QWidget, public Staged {
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
    ComboBox* head() const { return m_head; }
    ComboBox* models() const { return m_models; }
    ChangeList* changes() const { return m_changes; }
    FoundList* found() const { return m_found; }
    QLineEdit* other() const { return m_other; }
    ComboBox* kept() const { return m_kept; }

signals:
    /// The reader chose otherwise.
    void optionsChanged();
    void allHeadsOnWanted();  ///< of the open model
    void modelWanted();       ///< one that is not in the list

private:
    QWidget* makePanel();
    QWidget* makeStage();
    void refresh();
    void fillMap();
    void fillParts(const TraceRecord& value);
    QString whereTheyPart(const std::vector<Divergence>& all) const;
    void showValue();
    void showNumber();
    void showText();
    void mute();
    void showChoices();
    void showBlocks();
    void showModelChoice();
    void showHeadChoice();
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
    QStackedWidget* m_settings;
    ComboBox* m_models;
    ComboBox* m_block;
    ComboBox* m_head;
    QLineEdit* m_other;
    ComboBox* m_kept;
    ChangeList* m_changes;
    std::array<QLabel*, 2> m_names{}, m_logProbs{};
    std::array<TokenStrip*, 2> m_texts{};
    FoundList* m_found;
    DivergenceMap* m_map;
    QLabel* m_where;
    SegmentedControl* m_parts;
    QStringList m_partNames;  ///< of the values that can be chosen there
    QLabel* m_title;
    QLabel* m_note;
    std::array<Card*, 3> m_cards{};
    std::array<MatrixView*, 3> m_matrices{};
    QLabel* m_sentence;
};

}  // namespace headlight
