// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QStringList>
#include <vector>

#include "core/experiment/attribution.h"

class QTextLayout;

namespace headlight {

struct Theme;

/// What one method says of every word that was read.
struct AttributionStrip {
    AttributionMethod method = AttributionMethod::Gradient;
    QString closing;                   ///< of what its parts add up to; empty: nothing is promised
    QString steps;                     ///< in how many, where there is room for it
    bool closes = true;                ///< and whether they do
    QString instead;                   ///< why there is nothing to draw
    std::vector<double> numbers = {};  ///< a word each, those that are read first; empty: they are not there yet
};

/// Methods of attribution one under the other, each on a scale of its own that is printed beside it, over the same
/// words: what it is called, what it claims, where it misleads, and a bar a word. A click, or ↑ and ↓, chooses one.
/// Where there is no room for the words they are scrolled; the methods' names stay.
class AttributionStrips : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit AttributionStrips(QWidget* parent = nullptr);

    /// `words`: the first `read` of them are read, the others were written before.
    void setStrips(const QStringList& words, int read, std::vector<AttributionStrip> strips, AttributionMethod chosen);
    const std::vector<AttributionStrip>& strips() const { return m_strips; }

    QRectF stripRect(size_t strip) const;
    QRectF barRect(size_t strip, size_t word) const;
    /// Where a number of that strip stands.
    double yOf(size_t strip, double value) const;
    /// The ends of a strip's scale.
    struct Ends {
        double low = 0, high = 1;
    };
    Ends endsOf(size_t strip) const;
    /// Are numbers written at the bars?
    bool hasNumbers(size_t strip) const;

    QSize sizeHint() const override { return {760, 560}; }
    QSize minimumSizeHint() const override { return {380, 240}; }

signals:
    void chosen(headlight::AttributionMethod method);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void place();
    double textWidth() const;
    double wordsLeft() const { return textWidth() + 68; }
    double layOut(QTextLayout& text, const AttributionStrip& strip) const;
    double leastHeight(const AttributionStrip& strip) const;
    QRectF columnRect(size_t strip, size_t word) const;
    int stripAt(QPointF at) const;
    int wordAt(QPointF at) const;
    QString written(size_t strip, double value) const;
    void hover(int word);
    void paintHead(QPainter& p, const Theme& t) const;
    void paintStrip(QPainter& p, const Theme& t, size_t strip) const;
    void paintText(QPainter& p, const Theme& t, size_t strip) const;
    void paintBars(QPainter& p, const Theme& t, size_t strip) const;

    QStringList m_words;
    int m_read = 0;
    std::vector<AttributionStrip> m_strips;
    AttributionMethod m_chosen = AttributionMethod::Gradient;
    std::vector<double> m_tops;  ///< of the strips, and the end of the last
    double m_cell = 40, m_headHeight = 42;
    bool m_turned = false;  ///< the words stand upright: they are wider than their columns
    int m_hovered = -1;
};

/// The end of a scale that has room for the number: 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten.
double scaleEnd(double most);
/// As many decimals as numbers need that go up to `most`.
int scaleDecimals(double most);

}  // namespace headlight
