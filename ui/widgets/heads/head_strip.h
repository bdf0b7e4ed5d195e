// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVariantAnimation>
#include <QWidget>
#include <vector>

#include "ui/widgets/heads/head_thumbnail.h"

namespace headlight {

/// The heads of one block side by side, large enough to read, each with the entropy of its rows. The cell that is
/// looked at in one head is outlined in all. A click or an arrow key chooses one; with Ctrl or Shift a click adds it to
/// the chosen or takes it out, with Shift an arrow adds the next; with Ctrl an arrow only goes there, for Space to add
/// it.
class HeadStrip : public QWidget {
    Q_OBJECT
public:
    explicit HeadStrip(QWidget* parent = nullptr);

    /// `entropies` in bits, one a head; `maximum` is that of looking everywhere equally. `notes`: what is found of each
    /// head, a few words; may be empty.
    void setHeads(std::vector<HeadImage> heads, std::vector<double> entropies, double maximum, QStringList notes = {});
    const QStringList& notes() const { return m_notes; }
    /// The first is the head, the others are laid over it.
    void setSelected(const std::vector<int>& heads);
    /// Each tile bears the mark (line_mark.h) of its place among the heads that have lines; empty: none does.
    void setMarked(std::vector<int> heads);
    void setEcho(int row, int column);
    /// Each head is being computed and so much of it is there; 1: all.
    void setFilled(double share);
    /// Without its pictures a head is its name and what is found of it: room for something larger below.
    void setPictured(bool pictured);
    bool isPictured() const { return m_pictured; }
    int heightWithPictures(int width) const;
    /// Of the head's cells, in the widget.
    QRectF imageRect(int head) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {1032, heightForWidth(1032)}; }
    QSize minimumSizeHint() const override { return {400, heightForWidth(std::max(width(), 400))}; }

signals:
    void headSelected(int head);
    void headToggled(int head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Tiling {
        int perLine;
        double pitch;
        double side;    ///< of the cells' square
        double height;  ///< of a line
    };

    Tiling tiling(int width) const;
    Tiling tilingWithPictures(int width) const;
    int heightOf(const Tiling& tiling) const;
    int headAt(QPointF position) const;
    QRectF tileRect(int head) const;
    void showMuting();
    bool breaksNotes(double side) const;
    void paintNote(QPainter& painter, int head, QPointF end, const QColor& ink) const;
    void paintTile(QPainter& painter, int head, const Theme& theme) const;
    void paintName(QPainter& painter, int head, const Theme& theme) const;

    std::vector<HeadImage> m_heads;
    std::vector<char> m_changed;  ///< heads that were muted just now, or no longer are
    QVariantAnimation m_muting;
    std::vector<double> m_entropies;
    QStringList m_notes;
    double m_maximum = 0;
    std::vector<int> m_selected = {0};
    std::vector<int> m_marked;
    bool m_pictured = true;
    int m_cursor = 0;  ///< of the keyboard
    int m_hovered = -1;
    int m_echoRow = -1;
    int m_echoColumn = -1;
};

}  // namespace headlight
