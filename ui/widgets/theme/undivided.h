// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QPainter;

namespace headlight::paint {

/// Draws many translucent strokes, and no text. Qt's raster engine hands each that is more than some hundred pixels
/// high to the threads of its pool, a piece to each, and waits for them: waking them takes three times as long as the
/// stroke. What is drawn on a thread of that pool is not handed on, so all of it is drawn on one.
void undivided(const QPainter& painter, const std::function<void()>& draw);

}  // namespace headlight::paint
