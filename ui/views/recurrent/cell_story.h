// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/trace/cell_picture.h"
#include "ui/widgets/controls/foldable.h"

namespace headlight {

class Button;
struct Theme;

/// What one unit keeps from word to word, as a curve, and below it how much of that it keeps and what it writes at each
/// word. A press or a drag goes to a word; so do comma and full stop, Left and Right. Words that are more than fit are
/// shown from one on that has the chosen word in sight.
class CellStory : public Foldable {
    Q_OBJECT
public:
    explicit CellStory(QWidget* parent = nullptr);

    /// Null: nothing. Whoever keeps it says when it is another.
    void setPicture(const CellPicture* picture);
    /// Of the words that are shown, the chosen one; −1: none is.
    int chosenWord() const { return m_picture ? m_picture->word() : -1; }
    /// The place of a word's column; empty: it is out of sight.
    QRectF wordRect(int word) const;
    /// Of its two cells: how much is kept, and what is written (of a plain network there is the second one alone).
    enum class Row { Share, Written };
    QRectF cellRect(Row row, int word) const;
    /// Where the curve is at a word.
    QPointF pointAt(int word) const;

    /// Whether it goes through the words by itself just now.
    void setPlaying(bool playing);

    QSize sizeHint() const override { return {900, 172}; }
    QSize minimumSizeHint() const override { return {360, 150}; }

signals:
    void wordChosen(int word);
    void playWanted(bool play);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool hasShare() const { return m_picture->cell() != Cell::Rnn; }
    double wordWidth() const;
    int firstWord() const;
    int wordsInSight() const;
    double y(double memory) const;
    double bottom() const;  ///< of the plot
    void go(int word);
    void paintAxis(QPainter& p, const Theme& t) const;
    void paintCurve(QPainter& p, const Theme& t) const;
    void paintCells(QPainter& p, const Theme& t) const;
    void paintNames(QPainter& p, const Theme& t) const;

    const CellPicture* m_picture = nullptr;
    double m_least = 0, m_most = 1;  ///< of the axis
    bool m_isPlaying = false;
    Button* m_play;
};

}  // namespace headlight
