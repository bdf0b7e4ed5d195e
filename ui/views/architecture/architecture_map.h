// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <vector>

#include "ui/session/trace/module_tree.h"

namespace headlight {

/// Where everything of a model's drawing stands: a row for each stack, its tokens at the left, what it makes at the
/// right. Only geometry; ArchitectureStage paints it.
struct ArchitectureMap {
    enum class ItemKind { Token, Block, Plus, ClosedLayer, Strip, Word };
    struct Item {
        ItemKind kind = ItemKind::Block;
        QRectF rect;
        ModuleTree::Place place;
        int record = -1;     ///< that a click looks at
        QString text, more;  ///< of a strip what stands above it; empty: nothing
        double share = -1;   ///< of a word: its probability
        int row = -1;        ///< of the probabilities, from 0
    };
    struct Frame {  ///< around the blocks of an open layer
        QRectF rect;
        QString label;
        int stack = 0;
        static QFont nameFont();
        QPointF nameAt() const { return rect.topLeft() + QPointF(10, 15); }  ///< its baseline
    };
    struct Line {
        /// Memory and Thought go from stack to stack: what is looked at of an encoder, and what it is summed up in.
        enum class Kind { Flow, Residual, Memory, Thought } kind = Kind::Flow;
        std::vector<QPointF> points;
        int toRecord = -1;  ///< the value that it leads to
        QString label = {};
    };

    std::vector<Item> items;
    std::vector<Frame> frames;
    std::vector<Line> lines;
    std::vector<QPointF> stackLabels;  ///< baselines, one a stack

    /// The item at a place, or -1.
    int itemAt(QPointF position) const;
    /// The block's box (or its closed layer's), or an empty rectangle.
    QRectF rectOf(const ModuleTree::Place& place) const;

    Q_DECLARE_TR_FUNCTIONS(ArchitectureMap)
};

/// How much of the model is open: nothing; the layer that is looked at; and with it what goes on in one of its blocks.
enum class ArchitectureLevel { Model, Layer, Block, Operation };

/// `rows`: one rectangle for each stack of the tree.
ArchitectureMap layOut(const ModuleTree& tree, const Trace& trace, const ModuleTree::Place& current,
                       ArchitectureLevel level, const std::vector<QRectF>& rows);

/// A line with round corners.
QPainterPath roundedPath(const std::vector<QPointF>& points);

/// What the first stack hands to the second: a line from each value to every block that takes it in.
void addHandedOver(ArchitectureMap& map, const ModuleTree& tree, const Trace& trace, const std::vector<QRectF>& rows);

}  // namespace headlight
