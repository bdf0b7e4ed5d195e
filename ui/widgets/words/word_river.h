// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

namespace headlight {

struct Theme;

/// Shares of one as columns, the same word tied from column to column: a river of words that swell and die. What is
/// drawn of a word is as tall as its share, exactly; every column is 1.
class WordRiver : public QWidget {
    Q_OBJECT
public:
    explicit WordRiver(QWidget* parent = nullptr);

    /// How a word is drawn.
    enum class Role {
        Now,      ///< the one that is meant
        May,      ///< may be taken
        Cut,      ///< is not among those that may
        Special,  ///< is never written
    };
    struct Piece {
        int id = 0;
        QString word;
        double share = 0;
        Role role = Role::May;
    };
    struct Column {
        QString title, more;
        std::vector<Piece> pieces;  ///< from above
        double rest = 0;            ///< below them, what all others have
        QString restText;
    };
    void setColumns(std::vector<Column> columns);
    const std::vector<Column>& columns() const { return m_columns; }
    /// What is written where there is nothing to draw.
    void setEmptyText(const QString& text);
    const QString& emptyText() const { return m_empty; }
    /// The column that is meant; −1: none.
    void setCurrent(int column);

    /// Where a piece of a column is drawn; that behind the last is the rest.
    QRectF areaOf(int column, int piece) const;
    /// The words that are written beside their ribbons.
    QStringList labels() const;

    QSize minimumSizeHint() const override { return {320, 240}; }
    QSize sizeHint() const override { return {640, 480}; }

signals:
    /// The reader took a word.
    void wordChosen(int column, int id);
    /// The reader took a column by its title.
    void columnChosen(int column);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Place {
        int column = -1, piece = -1;
        bool operator==(const Place&) const = default;
    };
    struct Label {
        QString text;
        QPointF at;
        double room = 0;
        Role role = Role::May;
        bool isRest = false;
    };
    double columnWidth() const;
    double apart() const;
    double left(int column) const;
    std::vector<Label> makeLabels() const;
    std::optional<int> pieceOf(int column, int id) const;
    Place placeAt(QPointF at) const;
    QString hintOf(const Place& place) const;
    void paintRibbons(QPainter& painter, const Theme& theme) const;
    void paintColumns(QPainter& painter, const Theme& theme) const;
    bool isNarrow() const;
    double top() const;
    void paintNarrowTitles(QPainter& p, const Theme& t) const;
    void paintTitles(QPainter& painter, const Theme& theme) const;

    std::vector<Column> m_columns;
    /// Of what stands above a column, with its note; nothing where no column has one.
    std::optional<double> m_widestTitle;
    QString m_empty;
    int m_current = -1;
    Place m_hovered, m_focused{0, 0};
};

}  // namespace headlight
