// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>

#include "ui/views/decode/forcing/forcing_picture.h"

namespace headlight {

/// Two decoders, one above the other, and the truth between them: the upper one reads the truth whatever it writes, the
/// lower one reads what it wrote. A column is chosen by a click or by the arrow keys; a word that the lower one reads,
/// by a click, is exchanged for the truth, and back. Long sentences scroll under their labels.
class ForcingStage : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ForcingStage(QWidget* parent = nullptr);

    enum class Row { Bars, Writes, Cells, Reads };
    void setPicture(const ForcingPicture& picture);
    const ForcingPicture& picture() const { return m_picture; }
    /// From 0.
    void setChosen(size_t step);
    size_t chosen() const { return m_chosen; }

    /// Where things stand, in the viewport: of the upper decoder or the lower one.
    QRectF boxOf(bool isFree, Row row, size_t step) const;
    QRectF truthBox(size_t step) const;
    QRectF apartBox(size_t step) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {360, sizeHint().height()}; }

signals:
    void stepChosen(int step);  ///< from 0
    /// The word of that place, from 1, is to be the truth, or no longer.
    void truthToggled(int place);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Look { Plain, Truth, Bad, Faint };
    double pitch() const;
    double xOf(size_t step) const;
    int stepAt(QPointF at) const;
    int readAt(QPointF at) const;
    void layOut();
    void bringIntoSight();  ///< the chosen word
    QString spoken() const;
    QColor wire(bool isFree, size_t step) const;
    void paintGrounds(QPainter& p) const;
    void paintLabels(QPainter& p) const;
    void paintDecoder(QPainter& p, bool isFree) const;
    void paintBar(QPainter& p, bool isFree, size_t step) const;
    void paintFeed(QPainter& p, bool isFree, size_t step) const;
    void paintWord(QPainter& p, const QRectF& box, const QString& word, Look look) const;
    void paintApart(QPainter& p) const;

    ForcingPicture m_picture;
    size_t m_chosen = 0;
};

}  // namespace headlight
