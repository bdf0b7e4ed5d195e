// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/widgets/theme/color_scale.h"

class QPainter;

namespace headlight {

/// Depth × word: a number for each place of a model where a piece of another reading may stand. A click, Return, or a
/// square dragged away chooses a place; arrow keys go from one to the next.
class PlaceMap : public QWidget {
    Q_OBJECT
public:
    explicit PlaceMap(const QString& name, ColorScale scale, QWidget* parent = nullptr);

    using Numbers = std::vector<std::vector<std::optional<double>>>;
    /// `depths` are the rows' names; where there are none, another map's stand beside it, and `spoken` are they.
    void setMap(const QStringList& depths, const QStringList& words, Numbers numbers, const QStringList& spoken = {});
    /// Names of its own, or none, for the map that it has.
    void setDepths(const QStringList& depths);
    const QStringList& depths() const { return m_depths; }
    /// What a place without a number is: no piece to put in, or one that no change reached. What was reached has an
    /// outline then.
    enum class Empty { NoPiece, Unreached };
    void setEmpty(Empty empty) { m_empty = empty; }
    struct Place {
        int depth = -1, position = -1;
        bool operator==(const Place&) const = default;
    };
    /// Framed: pieces that stand there; `chosen` the strongest.
    void setMarked(std::vector<Place> marked, Place chosen);
    /// Framed in dashes: what is tried there, and not done yet.
    void setTried(Place place);
    Place tried() const { return m_tried; }
    /// Room for the words over the squares: one line, or as they stand upright where a square is too narrow for one.
    double headerWanted() const;
    /// Maps that stand beside one another have the same.
    void setHeader(double height);
    static constexpr double kMostForNames = 0.4;  ///< of its width; more are cut short
    /// On the left of the squares: of its own names, and of those of maps that it stands under or over.
    double namesWanted() const;
    void setNamesWidth(double width);
    /// Of so many squares, as narrow as they may be.
    static double squaresWanted(int columns);
    bool isEmpty() const { return m_numbers.empty(); }

    QRectF cellRect(Place place) const;
    const Numbers& numbers() const { return m_numbers; }
    int rows() const { return static_cast<int>(m_numbers.size()); }
    int columns() const { return static_cast<int>(m_words.size()); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(int depth, int position);
    /// A square was dragged to here (global).
    void dropped(int depth, int position, QPoint at);
    /// The pointer or the arrow keys came to another place; −1 where they left.
    void pointed(int depth, int position);
    void resized();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int decimalsThatFit(const QFont& font) const;
    double namesWidth() const;
    double cellWidth() const;
    double cellHeight() const;
    void boundHeight();
    Place placeAt(QPointF at) const;
    void point(Place place);
    bool isReached(Place place) const;
    void paintReached(QPainter& p) const;
    void paintWords(QPainter& p) const;

    QStringList m_depths, m_words, m_spoken;
    Empty m_empty = Empty::NoPiece;
    double m_header, m_names = 0;
    Numbers m_numbers;
    ColorScale m_scale;
    std::vector<Place> m_marked;
    Place m_chosen, m_cursor, m_pressed, m_pointed, m_tried;
};

}  // namespace headlight
