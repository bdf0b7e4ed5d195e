// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/trace/module.h"

namespace headlight {

struct Theme;

/// A model as areas: what has twice as many parameters is drawn twice as large. A row for each stack, embeddings at the
/// left, layers from left to right with attention above what is fed forward, what says the words at the right.
class ModelBlueprint : public QWidget {
    Q_OBJECT
public:
    explicit ModelBlueprint(QWidget* parent = nullptr);

    /// The module of each tensor, and its numbers.
    void setParameters(const std::vector<std::pair<ModuleRef, long>>& parameters);

    struct Piece {
        ModuleKind kind = ModuleKind::Embedding;
        long count = 0;
    };
    /// What stands above one another.
    struct Column {
        QString title;
        std::vector<Piece> pieces;
        std::vector<ModuleRef> modules;  ///< that are drawn in it
        long count() const;
    };
    struct Row {
        Stack stack = Stack::Only;
        std::vector<Column> columns;
        long count() const;
    };
    const std::vector<Row>& rows() const { return m_rows; }
    /// One scale for several models: so many parameters a pixel, rows so tall. 0: the model fills the widget.
    void setScale(double parametersPerPixel, double rowHeight);
    /// The width of the widest row at a scale; of none, 0.
    double widthAt(double parametersPerPixel, double rowHeight) const;

    /// A column by its row and its place there.
    struct Place {
        size_t row = 0, column = 0;
        bool operator==(const Place&) const = default;
    };
    /// Where a column is drawn.
    QRectF areaOf(const Place& place) const;
    /// Columns can be chosen, by a click or the arrow keys.
    void setChoosable(bool choosable);
    const std::optional<Place>& chosen() const { return m_chosen; }
    /// Marks a column; nothing: none.
    void choose(const std::optional<Place>& place);

    QSize sizeHint() const override { return {280, m_rows.size() > 1 ? 108 : 52}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    /// The reader chose a column, or none.
    void chosenChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void tell();
    void paintColumn(QPainter& painter, const QRectF& area, const Column& column, Stack stack) const;
    double rowHeight() const;
    double parametersPerPixel() const;
    std::optional<Place> placeAt(QPointF at) const;

    std::vector<Row> m_rows;
    double m_scale = 0, m_rowHeight = 0;
    bool m_choosable = false;
    std::optional<Place> m_chosen;
};

/// The fill of an attention, a recurrent cell, or what is fed forward.
QColor blueprintColor(const Theme& theme, ModuleKind kind, Stack stack);
/// What a column is, for a title or a hint: "Words", "Layer 2".
QString nameOfColumn(const ModelBlueprint::Column& column);

}  // namespace headlight
