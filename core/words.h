// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Words of the engine that a window shows, in whatever language it speaks: it looks them up with
/// QCoreApplication::translate(context, text). To the engine, which has no Qt, they are text; that they are to be
/// translated is found by `lupdate -tr-function-alias QT_TRANSLATE_NOOP+=HEADLIGHT_WORDS`.
#define HEADLIGHT_WORDS(context, text) text
