// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QStringList>
#include <QWidget>
#include <vector>

class QPainter;

namespace headlight {

/// Words as points in a plane. A click chooses one; it and those that belong to it bear their names, and all others
/// where that covers nothing. Where there are very many, smaller dots make a picture that is drawn once.
class WordMap : public QWidget {
    Q_OBJECT
public:
    explicit WordMap(QWidget* parent = nullptr);

    void setPoints(QStringList words, std::vector<QPointF> points);
    void setChosen(int word, std::vector<int> related);
    int chosen() const { return m_chosen; }
    /// Where a word stands in the widget.
    QPointF placeOf(int word) const;
    /// A name that stands beside its point.
    struct Name {
        int word = -1;
        QRectF rect;
    };
    /// Of the chosen word and those that belong to it, and of all where they are few: none on another, as long as one
    /// of its sides is free. Of the rest those that cover neither a name nor a point.
    const std::vector<Name>& names() const;

    QSize minimumSizeHint() const override { return {260, 220}; }

signals:
    void wordChosen(int word);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Sides { All, Free };

    int wordAt(QPointF place) const;
    void paintCloud(QPainter& p);
    QFont nameFont(int word) const;
    QRectF nameRect(int word, const std::vector<QRectF>& taken, Sides sides = Sides::All) const;
    std::vector<Name> placeNames() const;
    void nameWhereFree(std::vector<Name>& names, std::vector<QRectF>& taken) const;
    void paintName(QPainter& p, const Name& name, const QColor& color) const;

    QStringList m_words;
    std::vector<QPointF> m_points;
    QRectF m_bounds;
    int m_chosen = -1, m_hovered = -1;
    std::vector<int> m_related;
    mutable std::vector<Name> m_names;  ///< empty: to be placed anew
    QImage m_cloud;                     ///< of all points, where they are many; null: to be drawn anew
    QColor m_cloudColor;
};

}  // namespace headlight
