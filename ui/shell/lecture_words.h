// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <QWidget>
#include <string>
#include <vector>

namespace headlight {

class LessonPlayer;
class LessonText;

/// What a step of the lesson says, in type that the last row of a hall reads, in as many columns, one after the other,
/// as it takes. Never shown itself: the presenter paints it beside the stage.
class LectureWords : public QWidget {
    Q_OBJECT
public:
    LectureWords(LessonPlayer& player, QWidget* parent);

    /// The words of the player's step, from their beginning; none where no lesson is open. `size`: of one column, in
    /// units of a 1440th of the screen's width.
    void showStep(const QSizeF& size);
    void setSize(const QSizeF& size) { m_size = size; }
    int columns() const { return static_cast<int>(flow().size()); }
    /// Counted from 0.
    int column() const;
    void setColumn(int column) { m_column = column; }
    /// No paragraph or formula is higher than a column: nothing is cut.
    bool isWhole() const;
    /// The words of the column that is shown, as a reader reads them.
    QString text() const;

    /// In units of a 1440th of the screen's width, from (0, 0).
    void paint(QPainter& painter);

private:
    void add(QWidget* block);
    double heightOf(QWidget* block) const;
    /// Below 1 where a formula in a line is wider than a column.
    double scaleOf(const LessonText& text) const;
    /// Which blocks stand in which column: asked anew each time, as numbers come in later and take their room.
    std::vector<std::vector<QWidget*>> flow() const;

    LessonPlayer& m_player;
    std::vector<QWidget*> m_blocks;
    QSizeF m_size;
    int m_column = 0;
};

/// Paragraphs of Markdown, each with the list that follows it without a blank line.
std::vector<std::string> paragraphsOf(const std::string& markdown);

}  // namespace headlight
