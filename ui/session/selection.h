// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

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
    /// The cell that is locked by a click.
    Cell cell() const { return m_cell; }
    /// The cell under the pointer, which shows in front of the locked one.
    Cell hovered() const { return m_hovered; }
    Cell shown() const { return m_hovered.valid() ? m_hovered : m_cell; }

    void setBlock(const QString& block);
    void setHead(int head);
    void setCell(Cell cell);
    void setHovered(Cell cell);

signals:
    void changed();  ///< anything above

private:
    QString m_block;
    int m_head = 0;
    Cell m_cell;
    Cell m_hovered;
};

}  // namespace headlight
