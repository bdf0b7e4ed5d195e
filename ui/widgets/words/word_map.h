// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QStringList>
#include <QWidget>
#include <vector>

class QPainter;

namespace headlight {

/// Words as points in a plane. A click chooses one; it and those that belong to it bear their names. Where there are
/// very many, smaller dots make a picture that is drawn once.
class WordMap : public QWidget {
    Q_OBJECT
public:
    explicit WordMap(QWidget* parent = nullptr);

    void setPoints(QStringList words, std::vector<QPointF> points);
    void setChosen(int word, std::vector<int> related);
    int chosen() const { return m_chosen; }
    /// Where a word stands in the widget.
    QPointF placeOf(int word) const;

    QSize minimumSizeHint() const override { return {260, 220}; }

signals:
    void wordChosen(int word);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    int wordAt(QPointF place) const;
    void paintCloud(QPainter& p);

    QStringList m_words;
    std::vector<QPointF> m_points;
    QRectF m_bounds;
    int m_chosen = -1, m_hovered = -1;
    std::vector<int> m_related;
    QImage m_cloud;  ///< of all points, where they are many; null: to be drawn anew
    QColor m_cloudColor;
};

}  // namespace headlight
