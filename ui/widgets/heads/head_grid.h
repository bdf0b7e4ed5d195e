// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/widgets/heads/head_thumbnail.h"

namespace headlight {

/// One attention block in a HeadGrid: a line of thumbnails, one a head.
struct HeadGridRow {
    QString id;  ///< what headSelected() says
    QString group;
    QString label;
    bool isEncoder = false;  ///< colour of the group's name
    std::vector<HeadImage> heads;
};

/// Every head of a model at a glance: blocks in groups, heads side by side. A click selects; arrow keys move the
/// choice. With Ctrl or Shift a click adds a head of the chosen block to it or takes it out, and so does Space after
/// Ctrl and an arrow.
class HeadGrid : public QWidget {
    Q_OBJECT
public:
    explicit HeadGrid(QWidget* parent = nullptr);

    void setRows(std::vector<HeadGridRow> rows);
    /// The first of the heads is the one, the others are laid over it.
    void setSelected(const QString& id, const std::vector<int>& heads);
    /// The thumbnail's place in the widget.
    QRectF headRect(int row, int head) const;

    QSize sizeHint() const override;

signals:
    void headSelected(const QString& id, int head);
    void headToggled(int head);  ///< of the chosen block

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Place {
        int row = -1;
        int head = -1;
        bool operator==(const Place&) const = default;
    };

    int headCount() const;  ///< of the block with the most
    double pitch() const;
    double rowPitch() const;
    Place placeAt(QPointF position) const;
    void choose(Place place);
    void toggle(Place place);
    void paintRow(QPainter& painter, int row, const Theme& theme) const;

    std::vector<HeadGridRow> m_rows;
    std::vector<double> m_tops;  ///< of each row's thumbnails
    int m_height = 0;
    Place m_selected;
    std::vector<int> m_overlaid;  ///< heads of the same block
    Place m_cursor;               ///< of the keyboard
    Place m_hovered;
};

}  // namespace headlight
