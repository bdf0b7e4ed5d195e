// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <QWidget>
#include <string>
#include <vector>

namespace headlight {

class LessonPlayer;

/// What a step of the lesson says, in type that the last row of a hall reads, in as many columns, one after the other,
/// as it takes. Never shown itself: the presenter paints it beside the stage.
class LectureWords : public QWidget {
    Q_OBJECT
public:
    LectureWords(LessonPlayer& player, QWidget* parent);

    /// The words of the player's step, from their beginning; none where no lesson is open. `size`: of one column, in
    /// units of a 1440th of the screen's width.
    void showStep(const QSizeF& size);
    void setSize(const QSizeF& size);
    int columns() const { return static_cast<int>(laidOut().size()); }
    /// Counted from 0.
    int column() const;
    void setColumn(int column) { m_column = column; }
    /// No paragraph or formula is higher than a column: nothing is cut.
    bool isWhole() const;
    /// The words of the column that is shown, as a reader reads them.
    QString text() const;

    /// In units of a 1440th of the screen's width, from (0, 0).
    void paint(QPainter& painter) const;

private:
    /// A paragraph or a formula.
    struct Block {
        QWidget* widget;
        double height = 0;
        double scale = 1;  ///< below 1 where a formula in a line is wider than a column
    };
    void add(QWidget* block);
    /// Which blocks stand in which column.
    const std::vector<std::vector<Block>>& laidOut() const;

    LessonPlayer& m_player;
    std::vector<Block> m_blocks;
    mutable std::vector<std::vector<Block>> m_columns;
    mutable bool m_isLaidOut = false;  ///< the presenter paints many times a second
    QSizeF m_size;
    int m_column = 0;
};

/// Paragraphs of Markdown, each with the list that follows it without a blank line.
std::vector<std::string> paragraphsOf(const std::string& markdown);

}  // namespace headlight
