// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QWidget>
#include <vector>

#include "ui/views/compare/divergence_map.h"

class QPainter;

namespace headlight {

/// Where two readings part: a line a word, module by module through a stack, at the height by which they are apart
/// there. A click chooses the module and the word, ← → modules, ↑ ↓ words.
class PartingLines : public QWidget {
    Q_OBJECT
public:
    explicit PartingLines(QWidget* parent = nullptr);

    /// `lost`: words that B does not say any more, one flag a word of the band; empty: of none it is known.
    void setBand(const DivergenceMap::Band& band, const std::vector<char>& lost);
    /// The module that is looked at and the word; empty and −1: none.
    void setCurrent(const QString& scope, int word);

    const DivergenceMap::Band& band() const { return m_band; }
    /// A word's line as it is drawn, in pieces: a module where the two cannot be compared parts it.
    std::vector<QPolygonF> lineOf(int word) const;
    /// What the scale ends at: 1 is 100 %.
    double top() const { return m_top; }

    QSize sizeHint() const override { return {300, kHeight}; }
    QSize minimumSizeHint() const override { return {220, kHeight}; }

signals:
    void chosen(const QString& value);
    void wordChosen(int word);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr int kHeight = 178;

    double apartAt(const DivergenceMap::Column& column, int word) const;
    QRectF plot() const;
    double xOf(size_t column) const;
    double yOf(double apart) const;
    int columnOf(double x) const;
    /// The word whose line passes nearest there; −1: none is near.
    int wordAt(QPointF at) const;
    bool isLost(int word) const;
    int currentColumn() const;
    void paintScale(QPainter& p) const;
    void paintLayers(QPainter& p) const;
    void paintLine(QPainter& p, int word) const;
    void paintName(QPainter& p, int word) const;

    DivergenceMap::Band m_band;
    std::vector<char> m_lost;
    QString m_scope;
    int m_word = -1, m_hovered = -1;
    double m_top = 1;
    bool m_isCut = false;  ///< something is further apart than the scale goes
};

}  // namespace headlight
