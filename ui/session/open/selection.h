// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"

namespace headlight {

/// What the reader points at, one for the whole program: every view draws from it and, when touched, changes it; no
/// view knows another. `block` is the trace scope of an attention block (`decoder.layers.1.cross_attn`).
class Selection : public QObject {
    Q_OBJECT
public:
    /// A cell of the selected head; -1 where none.
    struct Cell {
        int query = -1;
        int key = -1;
        bool operator==(const Cell&) const = default;
        bool valid() const { return query >= 0 && key >= 0; }
    };

    using QObject::QObject;

    const QString& block() const { return m_block; }
    int head() const { return m_head; }
    /// head(), and behind it the heads of its block that are laid over it, as they were added.
    std::vector<int> heads() const;
    /// The cell that is locked by a click.
    Cell cell() const { return m_cell; }
    /// The cell under the pointer, which shows in front of the locked one.
    Cell hovered() const { return m_hovered; }
    Cell shown() const { return m_hovered.valid() ? m_hovered : m_cell; }

    /// The traced value that is looked at, by its name: what is lit in the architecture and read in the inspector.
    const QString& value() const { return m_value; }
    /// The number of that value that is pointed at, or else the one that was clicked. Of an attention's scores and
    /// weights this is the cell of the selected head.
    ValueCell shownNumber() const;
    /// The one that was clicked.
    ValueCell number() const;

    /// The trace that the values are of: it tells which attention block a value belongs to. Null: none.
    void setTrace(std::shared_ptr<const Trace> trace);
    void setBlock(const QString& block);
    /// It alone.
    void setHead(int head);
    /// What is laid over head(); another block or head() alone takes it back. At most kMostHeads in all.
    void setOverlaid(const std::vector<int>& heads);
    /// Adds a head to heads(), or takes it out; the last one stays.
    void toggleHead(int head);
    static constexpr size_t kMostHeads = 20;  ///< that lines can be told apart of (line_mark.h)
    void setCell(Cell cell);
    void setHovered(Cell cell);
    /// A value of an attention block chooses that block as well.
    void setValue(const QString& value);
    void setNumber(ValueCell number);
    void setHoveredNumber(ValueCell number);

signals:
    void changed();       ///< anything above
    void valueChanged();  ///< the value or the head: what is shown whole is another; before changed()

private:
    bool valueIsAttention() const;
    /// Takes the attention block of the value, where it has one.
    void followValue();

    std::shared_ptr<const Trace> m_trace;

    QString m_block;
    QString m_value;
    ValueCell m_number;
    ValueCell m_hoveredNumber;
    int m_head = 0;
    std::vector<int> m_overlaid;
    Cell m_cell;
    Cell m_hovered;
};

}  // namespace headlight
