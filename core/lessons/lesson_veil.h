// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

/// How far a drawn curve runs from the engine's, column by column.
struct CurveDistance {
    double mean = 0, largest = 0;
    double place = 0;  ///< what the column stands for where it is the largest, the first of equals
};

/// On the axis of the veil: by powers of ten the distance is counted in these. What leaves the axis counts as its end.
/// `given`, `answer` and `places` are of one length, 1 at least.
CurveDistance curveDistance(const LessonVeil& veil, const std::vector<double>& given, const std::vector<double>& answer,
                            const std::vector<double>& places);

/// What a curve says, whatever its pixels: how it runs, where it turns, where it ends.
struct CurveShape {
    enum class Run { Level, Rises, Falls, RisesAndFalls, FallsAndRises };
    Run run = Run::Level;
    double turn = 0;  ///< what the column stands for at which it turns, if it does
    double end = 0;   ///< its last number
};
/// Level: it moves less than a twelfth of the axis. It turns where it is that much further than both of its ends.
CurveShape shapeOf(const LessonVeil& veil, const std::vector<double>& curve, const std::vector<double>& places);
/// Do two curves that turn do so within an eighth of what the columns span?
bool turnTogether(const CurveShape& a, const CurveShape& b, const std::vector<double>& places);
/// Where the first ends beside the second: 0 within a tenth of the axis, else 1 above and -1 below it.
int endsAbove(const LessonVeil& veil, const CurveShape& a, const CurveShape& b);

/// Where a number stands on the axis of the veil, 0 at its lower end to 1; and the number of such a place.
double placeOnAxis(const LessonVeil& veil, double number);
double numberOnAxis(const LessonVeil& veil, double place);

}  // namespace headlight
