// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPen>
#include <QStringList>
#include <QWidget>
#include <algorithm>
#include <vector>

#include "ui/widgets/heads/line_choice.h"
#include "ui/widgets/matrix/cell_index.h"

namespace headlight {

struct Theme;

/// What AttentionLines shows: `weights` is [rows, columns]; of several heads, one behind the other.
struct LinesData {
    std::vector<float> weights;
    QStringList headNames = {};      ///< where there are several
    std::vector<char> leftOut = {};  ///< empty, or a flag a cell of a head: it is no line
    double share = 1;                ///< of what each word gives, what its lines show
    QStringList rowLabels;
    QStringList columnLabels;
    QString rowTitle = {};  ///< over the right side: "Being written"
    QString columnTitle = {};
    bool columnsAreSource = true;
    bool rowsAreSource = false;
};

/// One head as lines from the words that are looked at (left) to the words that look (right); the heavier the weight,
/// the thicker and the more opaque. The row in question is amber, and all of its share is drawn, however many lines
/// there are. Several heads: a mark each (line_mark.h), side by side, named above.
class AttentionLines : public QWidget {
    Q_OBJECT
public:
    explicit AttentionLines(QWidget* parent = nullptr);

    void setData(LinesData lines);
    void setShown(int row, int column);

    QSize sizeHint() const override { return {440, 400}; }
    QSize minimumSizeHint() const override;

    /// What is drawn while no row is in question.
    const LineChoice& choice() const { return m_choice; }

signals:
    /// Over a word: its strongest line. -1, -1 elsewhere.
    void cellHovered(int row, int column);
    void cellClicked(int row, int column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Cell {
        int row = -1;
        int column = -1;
        bool operator==(const Cell&) const = default;
    };
    enum class Side { Left, Right };

    int rows() const { return static_cast<int>(m_data.rowLabels.size()); }
    int columns() const { return static_cast<int>(m_data.columnLabels.size()); }
    int heads() const { return std::max(1, static_cast<int>(m_data.headNames.size())); }
    float strength(int row, int column) const;
    LineWeights lineWeights() const;
    void placeLegend();
    double pitch() const;
    QRectF chipRect(Side side, int index) const;
    Cell cellAt(QPointF position) const;
    QPen penOf(int head, double weight, bool on, bool fades, const Theme& theme) const;
    void paintKey(QPainter& painter, const Theme& theme) const;
    void paintLine(QPainter& painter, const AttentionLine& line, const QRectF& visible, const Theme& theme) const;
    void paintLines(QPainter& painter, const QRectF& visible, const Theme& theme) const;
    void paintPicture(QPainter& painter, const QRectF& visible, const Theme& theme) const;
    bool keepsPicture(const QPainter& painter, const QRect& visible) const;
    void drawPicture(const Theme& theme);
    void paintChips(QPainter& painter, Side side, const QRectF& visible, const Theme& theme) const;

    LinesData m_data;
    LineChoice m_choice;
    double m_top = 0;  ///< of the words
    Cell m_shown;
    Cell m_hovered;
    QImage m_picture;           ///< of what stands between the words, while the same is shown
    size_t m_pictureTheme = 0;  ///< its number
};

}  // namespace headlight
