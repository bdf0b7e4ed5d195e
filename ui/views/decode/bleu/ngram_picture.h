// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QPainterPath>

#include "core/train/sentence_bleu.h"

namespace headlight {

/// A translation below its references, and below it every n-gram as a bar under its words: found in a reference, not
/// there, or clipped. A bar that is pointed at, or chosen, lights its words; lines lead to where its single words were
/// found. Long sentences have narrower words, then they scroll.
class NgramPicture : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit NgramPicture(QWidget* parent = nullptr);

    /// An n-gram: of so many words, from that word on (from 0).
    struct Bar {
        int order = 0, place = 0;
        bool operator==(const Bar&) const = default;
        bool valid() const { return order > 0; }
    };
    /// Bars of 1 to `longest` words. What is worth a look is chosen.
    void setSentence(const SentenceBleu& sentence, int longest);
    const SentenceBleu& sentence() const { return m_sentence; }
    const NgramMatch& match(Bar bar) const;
    /// The one that is lit: pointed at, or else chosen. None where there are no bars.
    Bar lit() const { return m_hovered.valid() ? m_hovered : m_chosen; }
    void choose(Bar bar);

    /// Where a bar, a word of the translation and one of a reference stand, in the viewport.
    QRectF barRect(Bar bar) const;
    QRectF wordRect(int word) const;
    QRectF referenceRect(int reference, int word) const;
    /// The line from where a word of the translation was found; empty where it was not.
    QPainterPath linkOf(int word) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint().boundedTo({360, 10000}); }

signals:
    void litChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    double labels() const;
    double pitch() const;
    double xOf(int word) const;
    double hypothesisTop() const;
    double rowTop(int order) const;
    int lanes(int order) const;
    QRectF wordsArea() const;
    void layOut();
    Bar barAt(QPointF at) const;
    Bar worthALook() const;
    void setHovered(Bar bar);
    void bringIntoSight(Bar bar);
    QString spoken() const;
    void paintWords(QPainter& p) const;
    void paintLinks(QPainter& p) const;
    void paintBars(QPainter& p) const;
    void paintBar(QPainter& p, Bar bar) const;
    void paintCounts(QPainter& p) const;

    SentenceBleu m_sentence;
    int m_longest = 4;
    Bar m_chosen, m_hovered;
};

/// What n-grams of so many words are called: "single words", "pairs", "threes", "fours".
QString ngramName(int order);
/// A bar of the kind in a box, as in the picture and its key.
void paintNgram(QPainter& p, const QRectF& box, NgramMatch::Kind kind, const QWidget* widget);

}  // namespace headlight
