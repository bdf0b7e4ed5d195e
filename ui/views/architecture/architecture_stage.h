// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QVariantAnimation>
#include <QWidget>
#include <map>
#include <memory>
#include <vector>

#include "core/io/trained_model.h"
#include "ui/views/architecture/architecture_map.h"
#include "ui/views/architecture/operation_graph.h"
#include "ui/widgets/heads/head_thumbnail.h"

namespace headlight {

class Selection;
struct Theme;

/// A model drawn from its own modules, and a beam from the block that is looked at to what goes on inside of it: every
/// matrix of the computation, where it comes from, and the one of the step in amber. Zooms from the whole model to one
/// operation. Arrow keys go from value to value and from head to head; Enter or + zooms in, Escape or − out.
class ArchitectureStage : public QWidget {
    Q_OBJECT
public:
    explicit ArchitectureStage(Selection* selection, QWidget* parent = nullptr);

    /// `trace` null: nothing to show.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    /// Values recorded after this index are drawn as outlines; -1 shows all.
    void setRevealed(int recordIndex);
    /// Heads that count for nothing (`decoder.layers.1.cross_attn.3`): struck through, and their matrices pale.
    void setMuted(const QSet<QString>& heads);
    /// Of the open block: its heads from 0, as they stand in its header.
    bool isStruckThrough(int head) const;
    void setLevel(ArchitectureLevel level);
    ArchitectureLevel level() const { return m_level; }

    const ModuleTree& tree() const { return m_tree; }
    const ArchitectureMap& map() const { return m_map; }
    const OperationGraph& graph() const { return m_graph; }
    /// The record that is looked at, or -1.
    int current() const;
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    /// Where the inside of the current block is drawn; not valid while none is open.
    QRectF detailRect() const;

    QSize sizeHint() const override { return {900, 600}; }
    QSize minimumSizeHint() const override { return {560, 380}; }

signals:
    void levelChanged();

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
    void layOutHeader();
    QRectF targetDetail() const;
    std::vector<int> shownRecords() const;
    bool isRevealed(int record) const { return m_revealed < 0 || record <= m_revealed; }
    void choose(int record);
    void stepValue(int by);
    const TraceRecord& record(int index) const { return m_trace->records()[static_cast<size_t>(index)]; }
    const QStringList& wordsOfRows(int record) const;
    const QStringList& wordsOfColumns(int record) const;
    HeadImage image(int record) const;
    QColor sideColor(int stack, const Theme& theme) const;

    void paintRows(QPainter& painter, const Theme& theme) const;
    void paintItem(QPainter& painter, const ArchitectureMap::Item& item, const Theme& theme) const;
    void paintLine(QPainter& painter, const ArchitectureMap::Line& line, const Theme& theme) const;
    void paintBeam(QPainter& painter, const Theme& theme) const;
    void paintDetail(QPainter& painter, const Theme& theme) const;
    void paintHeadChip(QPainter& painter, const Chip& chip, const Theme& theme) const;
    void paintFlow(QPainter& painter, const OperationGraph::Flow& flow, const Theme& theme) const;
    void paintNode(QPainter& painter, int node, const Theme& theme) const;
    void paintWords(QPainter& painter, int node, const Theme& theme) const;
    void paintNumbers(QPainter& painter, int node, const Theme& theme) const;
    void paintRegions(QPainter& painter, const Theme& theme) const;

    Selection* m_selection;
    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    ModuleTree m_tree;
    int m_revealed = -1;
    QSet<QString> m_muted;
    ArchitectureLevel m_level = ArchitectureLevel::Block;

    ArchitectureMap m_map;
    OperationGraph m_graph;
    std::vector<Chip> m_chips;
    QString m_detailTitle;
    int m_hoveredRecord = -1;
    ValueCell m_hovered;  ///< in the matrix of m_hoveredRecord
    QRectF m_detailFrom;  ///< where the detail stood before the level changed
    QVariantAnimation m_zoom;
    mutable std::map<int, QStringList> m_rowWords, m_columnWords;  ///< asked for while painting
};

}  // namespace headlight
