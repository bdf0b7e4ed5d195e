// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <vector>

class QPainter;

namespace headlight {

/// The colours of a lecture hall: black on white, or white on black; one amber, one blue (VISUAL-LANGUAGE, section 9).
struct HallColors {
    QColor ground, ink, quiet, line, now, onNow, weight;
    static HallColors of(bool dark);
};

/// One sentence, one picture: the words that are read, the words that are written, and thick lines from the word in
/// question to those it looks at. A line is as wide as its weight; what has none, as it would be too thin, or leads to
/// a word that does not fit, is a short end at its word, as wide as all that is left out there together.
struct PresenterSlide {
    QString headline;
    QString subline;
    QStringList reads, writes;
    QString readsLabel, writesLabel;
    std::vector<float> weights;  ///< [writes, reads]; empty: words alone
    int now = -1;                ///< a word that is written
};

/// A line of a slide, in units of a 1440th of its width.
struct SlideLine {
    int row = -1;
    int column = -1;  ///< -1: the short end of what is left out
    double width = 0;
    QPointF from, to;  ///< the word that is read, the word that is written
};
/// Where they run on a slide of this height.
std::vector<SlideLine> linesOf(const PresenterSlide& slide, double height);

/// Below a written word: the share of what it looks at most. Where two have not the room, that of the word in question
/// or else of the first one stands.
struct SlideShare {
    int row = -1;
    QRectF rect;  ///< in the same units
    QString text;
};
std::vector<SlideShare> sharesOf(const PresenterSlide& slide, double height);

/// Content is never smaller than this, in pixels of a picture 1440 wide.
constexpr int kPresenterSmallest = 24;

/// Draws it into `area`, whatever its size: everything is in units of a 1440th of its width.
void drawSlide(QPainter& painter, const QRectF& area, const PresenterSlide& slide, const HallColors& colors);

}  // namespace headlight
