// SPDX-License-Identifier: GPL-3.0-or-later
// The signs of the lessons on the Transformer.
#include <array>
#include <cmath>

#include "ui/lessons/sketch.h"
#include "ui/lessons/vignette_drawings.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight::vignette {

namespace {

/// States of all words before, between and after two layers; framed where they leave the stack.
void stack(Sketch& s, double y, const QColor& color, const QColor& tint) {
    const Theme& t = s.theme();
    constexpr double kTallState = 36;
    for (int i = 0; i < 3; ++i) {
        const double x = 13.0 + 52 * i;
        s.cells({x, y}, 4, 6, {5, 9}, [&](int row, int column) { return s.anyValue(row, column, 1 + 0.6 * i); });
        if (i == 2) s.box({x - 2, y - 2, 33.5, kTallState + 3.5}, {}, color, 2, 2);
        if (i == 2) continue;
        s.line({x + 30, y + 18}, {x + 34, y + 18}, t.text3);
        s.box({x + 34, y + 3, 11, 30}, tint, color, 3, 1.5);
        s.arrow({x + 45, y + 18}, {x + 50, y + 18}, t.text3);
    }
}

}  // namespace

/// A wave for each dimension, from quick to slow.
void positions(Sketch& s) {
    const Theme& t = s.theme();
    constexpr double kLeft = 14, kRight = 146, kMiddle = 48, kHigh = 34;
    s.line({kLeft, kMiddle}, {kRight, kMiddle}, t.line2, 1);
    for (int wave = 0; wave < 3; ++wave) {
        QPainterPath way({kLeft, kMiddle});
        for (double x = kLeft; x <= kRight; x += 1)
            way.lineTo(x, kMiddle - kHigh * std::sin((x - kLeft) / (6.5 + 15 * wave)));
        s.path(way, t.sequentialStops[size_t{4} + static_cast<size_t>(wave)], 1.5 + 0.6 * wave);
    }
    for (double x = kLeft; x <= kRight; x += 12)
        s.line({x, 87}, {x, 91}, t.text3, 1.2);
}

/// Eight heads, each with a way of its own.
void heads(Sketch& s) {
    const Theme& t = s.theme();
    const auto weight = [](int head, int row, int column) {
        switch (head) {
            case 0:
                return row == column;
            case 1:
                return column == std::max(0, row - 1);
            case 2:
                return column == 0;
            case 3:
                return column == std::min(4, row + 1);
            case 4:
                return column == 4 - row;
            case 5:
                return column == row / 2 * 2;
            case 6:
                return column == 4;
            default:
                return false;
        }
    };
    for (int head = 0; head < 8; ++head) {
        const int line = head / 4;
        s.cells({13.0 + 34.5 * (head % 4), 12.0 + 42 * line}, 5, 5, {6.2, 7}, [&](int row, int column) {
            return t.sequential(weight(head, row, column) ? 0.85 : head == 7 ? 0.4 : 0.08);
        });
    }
}

/// What is still to be written cannot be looked at.
void masks(Sketch& s) {
    const Theme& t = s.theme();
    constexpr double kCellWide = 20, kCellTall = 15;
    constexpr QPointF kAt(30, 12);
    s.cells(kAt, 5, 5, {kCellWide, kCellTall}, [&](int row, int column) {
        if (column > row) return t.hatchGround;
        return t.sequential(row == column ? 0.7 : 0.15 + 0.2 * std::sin(row * 2.0 + column) * std::sin(row + 1.0));
    });
    for (int row = 0; row < 5; ++row)
        for (int column = row + 1; column < 5; ++column) {
            const QPointF at = kAt + QPointF(column * kCellWide, row * kCellTall);
            for (const double shift : {0.0, 7.0})
                s.line(at + QPointF(2 + shift, kCellTall - 2), at + QPointF(10 + shift, 2), t.hatch, 1);
        }
}

/// What a sublayer computes is added to what went past it.
void residuals(Sketch& s) {
    const Theme& t = s.theme();
    constexpr double kY = 34;
    s.line({12, kY}, {146, kY}, t.text2, 3);
    for (const double x : {24.0, 86.0}) {
        QPainterPath way({x, kY});
        way.lineTo(x, 20);
        way.quadTo({x, 14}, {x + 6, 14});
        way.lineTo(x + 36, 14);
        way.quadTo({x + 42, 14}, {x + 42, 20});
        way.lineTo(x + 42, kY - 6);
        s.path(way, s.data(), 2);
        s.box({x + 10, 7, 22, 14}, t.sunken, t.line2, 3);
        s.dot({x + 42, kY}, 6, t.surface, t.text);
        s.line({x + 38.5, kY}, {x + 45.5, kY}, t.text);
        s.line({x + 42, kY - 3.5}, {x + 42, kY + 3.5}, t.text);
    }
    s.box({12, 62, 136, 17}, t.sunken, {}, 2);
    for (int i = 0; i < 34; ++i) {
        const double value = std::sin(i * 1.7) * std::cos(i * 0.43 + 1);
        s.box({13.0 + 4 * i, value > 0 ? 70.5 - 22 * value : 70.5, 2.8, 22 * std::abs(value)},
              value > 0 ? t.divergingStops[6] : t.divergingStops[2], {}, 0);
    }
    s.line({12, 70.5}, {148, 70.5}, t.text, 1);
}

/// From a few numbers to many detectors, of which few fire, and back.
void feedForward(Sketch& s) {
    const Theme& t = s.theme();
    const auto fires = [](int unit) { return unit == 2 || unit == 6 || unit == 7; };
    const auto inner = [](int unit) { return 10.0 + 8 * unit; };
    const auto outer = [](int number) { return 29.0 + 14 * number; };
    for (int unit = 0; unit < 11; ++unit)
        for (int number = 0; number < 4; ++number)
            for (const bool isIn : {true, false}) {
                QColor color = fires(unit) ? t.divergingStops[(unit + number) % 3 == 0 ? 2 : 6] : t.line2;
                const double x = isIn ? 24 : 136;
                s.line({x, outer(number)}, {80, inner(unit)}, color, fires(unit) ? 1.5 : 0.5);
            }
    for (int number = 0; number < 4; ++number)
        for (const double x : {24.0, 136.0})
            s.box({x - 6, outer(number) - 5, 12, 10}, s.anyValue(number, x < 80 ? 0 : 3, 1.2), t.line2, 2);
    for (int unit = 0; unit < 11; ++unit)
        s.dot({80, inner(unit)}, 3.6, fires(unit) ? t.sequentialStops[7] : t.surface, t.text3);
}

void encoder(Sketch& s) {
    stack(s, 30, s.theme().encoder, s.theme().encoderTint);
}

/// The encoder's last states reach each of its layers.
void decoder(Sketch& s) {
    const Theme& t = s.theme();
    stack(s, 46, t.decoder, t.decoderTint);
    s.cells({13, 12}, 2, 6, {5, 7}, [&](int row, int column) { return s.anyValue(row, column, 2.2); });
    s.box({11, 10, 33.5, 17.5}, {}, t.encoder, 2, 1.5);
    s.line({45, 19}, {105, 19}, t.encoder, 2);
    for (const double x : {52.5, 104.5})
        s.arrow({x, 19}, {x, 48}, t.encoder, 2);
}

}  // namespace headlight::vignette
