// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <string_view>

#include "core/lessons/lesson.h"

class QPainter;

namespace headlight {

struct Theme;

/// The drawn sign of a lesson, one of vignetteNames: the one that its head names; of the program's own lessons the one
/// that bears its slug; of any other the one of what its first step shows.
std::string_view vignetteOf(const Lesson& lesson);

/// A schematic drawing, 16 to 10, in the middle of the area; nothing in it is measured. Any name but those of
/// vignetteNames draws nothing. On a screen it is drawn once for each size and theme, and kept.
void paintVignette(QPainter& painter, const QRectF& area, std::string_view name, const Theme& theme);

}  // namespace headlight
