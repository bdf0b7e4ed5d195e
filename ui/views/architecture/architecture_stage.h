// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QSet>
#include <QVariantAnimation>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/io/trained_model.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/operation_motion.h"
#include "ui/views/architecture/architecture_map.h"
#include "ui/views/architecture/operation_graph.h"
#include "ui/views/view.h"
#include "ui/widgets/heads/head_thumbnail.h"

namespace headlight {

class Glide;
struct Theme;

/// The value that is under way; of its motions at most one is there.
struct ValueUnderWay {
    int row = 0, column = -1;  ///< -1: the row as a whole
    double travel = 1;         ///< of the mark, from the row above
    long filled = 0;
    std::optional<ScoreMotion> score;
    std::optional<SoftmaxMotion> softmax;
    std::optional<MixMotion> mix;
};

/// A model drawn from its own modules, and a beam from the block that is looked at to what goes on inside of it: every
/// matrix of the computation, where it comes from, and the one of the step in amber. Zooms from the whole model to one
/// operation. Arrow keys go from value to value and from head to head; Enter or + zooms in, Escape or − out.
class ArchitectureStage : public QWidget {
    Q_OBJECT
public:
    explicit ArchitectureStage(Selection* selection, QWidget* parent = nullptr);

    /// `trace` null: nothing to show.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    /// Values recorded after this index are drawn as outlines; -1 shows all. Of that one itself a part `phase` is
    /// there.
    void setRevealed(int recordIndex, double phase = 1);
    const std::optional<ValueUnderWay>& underWay() const { return m_underWay; }
    /// So many of a record's numbers are there, in reading order; -1: all.
    long filledOf(int record) const;
    /// Where the bead stands on its way to what is computed; none: nothing is under way.
    std::optional<QPointF> bead() const;
    /// The block that the beam comes from; on the way from one to another somewhere between the two.
    QRectF beamSource() const;
    /// Heads that count for nothing (`decoder.layers.1.cross_attn.3`): struck through, and their matrices pale.
    void setMuted(const QSet<QString>& heads);
    /// As Staged::setVeil().
    void setVeil(const std::vector<NumberName>& veiled);
    /// Of the open block: its heads from 0, as they stand in its header.
    bool isStruckThrough(int head) const;
    void setLevel(ArchitectureLevel level);
    ArchitectureLevel level() const { return m_level; }

    const ModuleTree& tree() const { return m_tree; }
    const ArchitectureMap& map() const { return m_map; }
    /// Where what a strip's colours stand for is written.
    QRectF stripLabel(const ArchitectureMap::Item& strip) const;
    const OperationGraph& graph() const { return m_graph; }
    /// The detail stands alone: of one operation, or of a block where there is no room for the model around it.
    bool isDetailAlone() const;
    /// The record that is looked at, or -1.
    int current() const;
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    /// Where the inside of the current block is drawn; not valid while none is open.
    QRectF detailRect() const;

    QSize sizeHint() const override { return {900, 600}; }
    QSize minimumSizeHint() const override { return {528, 350}; }

    /// What is told of a number that is pointed at.
    QString hintOf(int record, const ValueCell& cell) const;

    /// Of a value that is computed later than the reader's step: where it offers to go there; else null.
    QRectF offerRect() const;

signals:
    void levelChanged();
    /// The reader wants to be where that record is computed.
    void stepWanted(int record);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Chip {
        QRectF rect;
        QString text;
        int head = -1, record = -1;
        bool on = false, muted = false;
    };

    void relayout();
    void followValue();
    void findUnderWay();
    /// The numbers that one of its inputs lends the chosen head.
    std::span<const float> inputOf(const TraceRecord& record, size_t index) const;
    int nodeOfInput(const TraceRecord& record, size_t index) const;
    /// Wires to what is computed, each with how far the bead has come.
    std::vector<std::pair<QPainterPath, double>> wires() const;
    /// Leads the ways of queries and keys to the words of scoreCell().
    void reroute();
    /// Of the open block's scores and weights: the cell under the pointer, or else the selection's.
    Selection::Cell scoreCell() const;
    void layOutHeader();
    QRectF targetDetail() const;
    std::vector<int> shownRecords() const;
    bool isRevealed(int record) const { return m_revealed < 0 || record <= m_revealed; }
    void choose(int record);
    void stepValue(int by);
    const TraceRecord& record(int index) const { return m_trace->records()[static_cast<size_t>(index)]; }
    const QStringList& wordsOfRows(int record) const;
    static constexpr double kNarrowestColumn = 20;  ///< that has its word above it
    double uprightWords() const;
    const QStringList& wordsOfColumns(int record) const;
    HeadImage image(int record) const;
    /// Is it to be predicted first?
    bool isAsked(int record, const ValueCell& cell) const;
    /// Is a number of it to be predicted, or of what it is computed from?
    bool hasAsked(const TraceRecord& value) const;
    /// Of a word that is likeliest at its row.
    bool isAsked(const ArchitectureMap::Item& item) const;
    QColor sideColor(int stack, const Theme& theme) const;

    void paintRows(QPainter& painter, const Theme& theme) const;
    void paintItem(QPainter& painter, const ArchitectureMap::Item& item, const Theme& theme) const;
    void paintLine(QPainter& painter, const ArchitectureMap::Line& line, const Theme& theme) const;
    void paintStripLabel(QPainter& painter, const ArchitectureMap::Item& item, const Theme& theme) const;
    void paintBeam(QPainter& painter, const Theme& theme) const;
    void paintDetail(QPainter& painter, const Theme& theme) const;
    void paintHeadChip(QPainter& painter, const Chip& chip, const Theme& theme) const;
    void paintFlow(QPainter& painter, const OperationGraph::Flow& flow, const Theme& theme) const;
    void paintNode(QPainter& painter, int node, const Theme& theme) const;
    void paintOffer(QPainter& painter, const Theme& theme) const;
    void paintScaleAbove(QPainter& p, const OperationGraph::Node& node, const QString& range, const Theme& t) const;
    void paintWords(QPainter& painter, int node, const Theme& theme) const;
    void paintNumbers(QPainter& painter, int node, const Theme& theme) const;
    void paintMatrix(QPainter& painter, const QRectF& at, int record, const Theme& theme) const;
    double roomForWords() const;
    void paintPredicted(QPainter& painter, const ArchitectureMap::Item& item, const Theme& theme) const;
    void paintRegions(QPainter& painter, const Theme& theme) const;
    void paintBead(QPainter& painter, const Theme& theme) const;
    void paintUnderWay(QPainter& painter, const Theme& theme) const;
    void paintScore(QPainter& painter, const Theme& theme) const;
    void paintSoftmax(QPainter& painter, const Theme& theme) const;
    void paintMix(QPainter& painter, const Theme& theme) const;
    /// A row of a matrix somewhere else than where it stands.
    void paintRow(QPainter& painter, const QRectF& at, int record, int row, const Theme& theme) const;
    void paintChip(QPainter& painter, QPointF middle, const QString& text, const Theme& theme) const;

    Selection* m_selection;
    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    ModuleTree m_tree;
    int m_revealed = -1;
    double m_phase = 1;
    std::optional<ValueUnderWay> m_underWay;
    QSet<QString> m_muted;
    std::vector<NumberName> m_veiled;
    ArchitectureLevel m_level = ArchitectureLevel::Block;

    ArchitectureMap m_map;
    OperationGraph m_graph;
    std::vector<Chip> m_chips;
    QString m_detailTitle;
    int m_hoveredRecord = -1;
    ValueCell m_hovered;  ///< in the matrix of m_hoveredRecord
    QRectF m_detailFrom;  ///< where the detail stood before the level changed
    QVariantAnimation m_zoom;
    ModuleTree::Place m_beamPlace;
    QRectF m_beamFrom;  ///< where the beam came from before
    QVariantAnimation m_beamWay;
    Glide* m_glide;                                                ///< of the present value's outline
    mutable std::map<int, QStringList> m_rowWords, m_columnWords;  ///< asked for while painting
};

}  // namespace headlight
