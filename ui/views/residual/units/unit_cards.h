// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/session/trace/units_picture.h"

class QPainter;

namespace headlight {

struct Theme;

/// Columns of the square in which units are drawn, and its rows.
int unitColumns(int units);
int unitRows(int units);

/// A card for each word: which units fire there. Of a long sentence as many as there is room for, the chosen word
/// among them.
class UnitCards : public QWidget {
    Q_OBJECT
public:
    explicit UnitCards(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const UnitsPicture> picture, int chosen);
    /// Where a word's card stands; empty where there is no room for it.
    QRectF cardRect(int word) const;
    QRectF fieldRect(int word) const;
    int firstShown() const;
    int shown() const;
    /// What stands on a card, besides the word.
    QStringList linesOf(int word) const;

    QSize sizeHint() const override { return {900, 86}; }
    QSize minimumSizeHint() const override { return {300, 86}; }

signals:
    void wordChosen(int word);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int count() const { return m_picture ? static_cast<int>(m_picture->words().size()) : 0; }
    int hiddenAfter() const;
    double room() const;
    double cardWidth() const;
    void choose(int word);
    void paintCard(QPainter& p, const Theme& t, int word) const;
    void paintHidden(QPainter& p, const Theme& t, int word) const;

    std::shared_ptr<const UnitsPicture> m_picture;
    int m_chosen = 0;
};

/// A picture of all units, a pixel each, on the sequential scale up to `most`.
QImage unitsImage(const std::vector<double>& values, double most, const Theme& theme);

}  // namespace headlight
