// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>

#include "core/trace/trace.h"
#include "ui/shell/rooms.h"

namespace headlight {

class ArchitectureView;
class AttentionView;
class CellView;
class EmbeddingView;
class FeedForwardView;
class LensView;
class SurgeryView;
class WhyView;
class LossView;
class MaskView;
class PositionView;
class QueryKeyValueView;
class RecurrentView;
class ResidualView;
class SentenceBar;
class SubwordsView;
class Timeline;
class ValuesView;
class ViewGroup;

/// A sentence, every head that reads it, what they may look at, and the timeline that scrubs the computation.
class ExploreRoom : public ViewRoom {
    Q_OBJECT
public:
    ExploreRoom(Workbench& workbench, QWidget* parent);

    ArchitectureView* architecture() const { return m_architecture; }
    AttentionView* attention() const { return m_attention; }
    MaskView* masks() const { return m_masks; }
    QueryKeyValueView* queryKeyValue() const { return m_queryKeyValue; }
    PositionView* positions() const { return m_positions; }
    RecurrentView* recurrent() const { return m_recurrent; }
    CellView* cell() const { return m_cell; }
    ResidualView* residuals() const { return m_residuals; }
    FeedForwardView* feedForward() const { return m_feedForward; }
    LossView* loss() const { return m_loss; }
    SubwordsView* subwords() const { return m_subwords; }
    ValuesView* values() const { return m_values; }
    LensView* lens() const { return m_lens; }
    WhyView* why() const { return m_why; }
    SurgeryView* surgery() const { return m_surgery; }
    SentenceBar* sentenceBar() const { return m_sentence; }

protected:
    void viewShown() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectViews();
    void showModel();
    void showReading();
    void showStep();
    void showPhase();
    void showTimeline();
    void fillPage();
    void showByHand();

    SentenceBar* m_sentence;
    ViewGroup* m_group;
    ArchitectureView* m_architecture;
    AttentionView* m_attention;
    QueryKeyValueView* m_queryKeyValue;
    MaskView* m_masks;
    PositionView* m_positions;
    RecurrentView* m_recurrent;
    CellView* m_cell;
    ResidualView* m_residuals;
    FeedForwardView* m_feedForward;
    LossView* m_loss;
    SubwordsView* m_subwords;
    EmbeddingView* m_embeddings;
    ValuesView* m_values;
    LensView* m_lens;
    WhyView* m_why;
    SurgeryView* m_surgery;
    Timeline* m_timeline;
    std::map<QWidget*, std::shared_ptr<const Trace>> m_filled;  ///< with what each page was filled
    int m_step = -1;                                            ///< of the cursor, as last shown
};

}  // namespace headlight
