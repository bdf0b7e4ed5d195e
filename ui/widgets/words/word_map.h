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
/// where that covers nothing. Words may be in groups, each with a colour and a label among its words. Where there are
/// very many, smaller dots make a picture that is drawn once.
class WordMap : public QWidget {
    Q_OBJECT
public:
    explicit WordMap(QWidget* parent = nullptr);

    void setPoints(QStringList words, std::vector<QPointF> points);
    void setChosen(int word, std::vector<int> related);
    int chosen() const { return m_chosen; }
    /// Of each word its group from 0, or −1; and what each group is called. Empty: there are no groups.
    void setGroups(std::vector<int> of, QStringList labels);
    /// Only the words of that group keep their colour; −1: all do.
    void setLit(int group);
    int lit() const { return m_lit; }
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
    /// Where each group's label stands, on none of the names; null where it has no room.
    const std::vector<QRectF>& labelRects() const;
    /// What the dot of a word is painted in, where the word is neither chosen nor related.
    QColor colorOf(int word) const;

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
    QString shownName(int word) const;
    QRectF nameRect(int word, const std::vector<QRectF>& taken, Sides sides = Sides::All) const;
    std::vector<Name> placeNames() const;
    void nameWhereFree(std::vector<Name>& names, std::vector<QRectF>& taken) const;
    std::vector<QRectF> placeLabels(std::vector<QRectF>& taken) const;
    void paintLabels(QPainter& p) const;
    std::vector<int> inOrder() const;
    void redraw();
    void paintName(QPainter& p, const Name& name, const QColor& color) const;

    QStringList m_words;
    std::vector<QPointF> m_points;
    QRectF m_bounds;
    int m_chosen = -1, m_hovered = -1;
    std::vector<int> m_related;
    std::vector<int> m_groups;
    QStringList m_labels;
    int m_lit = -1;
    mutable std::vector<Name> m_names;      ///< empty: to be placed anew
    mutable std::vector<QRectF> m_labelAt;  ///< placed with the names
    QImage m_cloud;                         ///< of all points, where they are many; null: to be drawn anew
    QColor m_cloudColor;
};

}  // namespace headlight
