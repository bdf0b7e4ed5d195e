// SPDX-License-Identifier: GPL-3.0-or-later
// The signs of the lessons on recurrent networks and on attention.
#include <array>
#include <cmath>

#include "ui/lessons/sketch.h"
#include "ui/lessons/vignette_drawings.h"
#include "ui/widgets/theme/theme.h"

namespace headlight::vignette {

namespace {

constexpr double kSide = 13;  ///< of a word's box

void wordBox(Sketch& s, QPointF middle, bool isSource, double side = kSide) {
    const Theme& t = s.theme();
    s.box({middle.x() - side / 2, middle.y() - side / 2, side, side}, isSource ? t.encoderTint : t.decoderTint,
          isSource ? t.encoder : t.decoder);
}

/// A state: a column of numbers.
void state(Sketch& s, QPointF top, int rows, double kind) {
    s.cells(top, rows, 1, {9, 5}, [&](int row, int) { return s.anyValue(row, 0, kind); });
}

}  // namespace

/// Words go in one by one, a state for each, and others come out of the last one.
void seq2seq(Sketch& s) {
    const Theme& t = s.theme();
    constexpr std::array kPlaces = {26.0, 48.0, 70.0, 112.0, 134.0};
    constexpr double kY = 64;
    for (size_t i = 0; i < kPlaces.size(); ++i) {
        const bool isSource = i < 3;
        const QColor color = isSource ? t.encoder : t.decoder;
        state(s, {kPlaces[i] - 4.5, 20}, 5, 1 + 0.4 * static_cast<double>(i));
        s.line({kPlaces[i], 46}, {kPlaces[i], kY - 7}, t.line2);
        wordBox(s, {kPlaces[i], kY}, isSource);
        if (isSource)
            s.arrow({kPlaces[i], 86}, {kPlaces[i], kY + 8}, color);
        else
            s.arrow({kPlaces[i], kY + 7}, {kPlaces[i], 86}, color);
        if (i + 1 < kPlaces.size() && i != 2) s.arrow({kPlaces[i] + 7, kY}, {kPlaces[i + 1] - 8, kY}, color);
    }
    state(s, {86.5, 42}, 8, 0.8);
    s.line({77, kY}, {86, kY}, t.encoder);
    s.arrow({96, kY}, {104, kY}, t.decoder);
}

/// Three gates and a candidate, unit by unit; below, what the cell keeps.
void cell(Sketch& s) {
    const Theme& t = s.theme();
    const std::array names = {QStringLiteral("f"), QStringLiteral("i"), QStringLiteral("g"), QStringLiteral("o")};
    for (size_t gate = 0; gate < names.size(); ++gate) {
        const double y = 14 + 13 * static_cast<double>(gate);
        s.letters({18, y + 4.5}, names[gate], t.text2, 11);
        s.cells({28, y}, 1, 15, {8, 9.5}, [&](int, int unit) {
            if (gate == 2) return s.anyValue(unit, 1, 1.3);
            return t.sequential(0.5 + 0.5 * std::sin(unit * (0.55 + 0.3 * static_cast<double>(gate)) + 1.4));
        });
    }
    s.letters({18, 79}, QStringLiteral("c"), t.text2, 11);
    s.through({{28, 84}, {44, 84}, {44, 76}, {68, 76}, {68, 72}, {92, 72}, {92, 80}, {124, 80}, {124, 86}, {148, 86}},
              t.text, 2);
}

/// The last state once, as a beginning; or at every word.
void handover(Sketch& s) {
    const Theme& t = s.theme();
    for (const bool always : {false, true}) {
        const double y = always ? 64 : 24;
        for (const double x : {22.0, 42.0})
            wordBox(s, {x, y}, true);
        for (const double x : {98.0, 118.0, 138.0})
            wordBox(s, {x, y}, false);
        s.arrow({29, y}, {34, y}, t.encoder);
        s.arrow({105, y}, {110, y}, t.decoder);
        s.arrow({125, y}, {130, y}, t.decoder);
        state(s, {65.5, y - 12.5}, 5, 1.4);
        s.line({49, y}, {64, y}, t.encoder);
        if (!always) {
            s.arrow({76, y}, {90, y}, s.data(), 2.5);
            continue;
        }
        s.through({{70, y + 14}, {70, y + 23}, {138, y + 23}}, s.data(), 2);
        for (const double x : {98.0, 118.0, 138.0})
            s.arrow({x, y + 23}, {x, y + 8}, s.data(), 2);
    }
}

/// Above, each word is fed the truth; below, its own words, of which one went wrong.
void forcing(Sketch& s) {
    const Theme& t = s.theme();
    for (int i = 0; i < 5; ++i) {
        const double x = 24.0 + 28 * i;
        s.box({x - 8, 10, 16, 9}, t.goodTint, t.good, 2);
        s.arrow({x, 19}, {x, 27}, t.good);
        wordBox(s, {x, 35}, false, 15);
        const bool isWrong = i >= 2;
        s.box({x - 7.5, 67.5, 15, 15}, isWrong ? t.badTint : t.decoderTint, isWrong ? t.bad : t.decoder, 3,
              i == 2 ? 2.5 : 1);
        if (i == 4) continue;
        QPainterPath fed({x + 4, 67});
        fed.cubicTo({x + 6, 56}, {x + 22, 56}, {x + 24, 65});
        s.path(fed, isWrong ? t.bad : t.decoder, 1.5);
    }
    s.line({14, 50}, {146, 50}, t.line);
}

/// However many words there are, one vector.
void bottleneck(Sketch& s) {
    const Theme& t = s.theme();
    for (int i = 0; i < 7; ++i) {
        const double y = 14.0 + 12 * i;
        for (const bool isSource : {true, false}) {
            const double outer = isSource ? 30 : 130, inner = isSource ? 75 : 85;
            QPainterPath way({outer, y});
            const double middle = (outer + inner) / 2;
            way.cubicTo({middle, y}, {middle, 50}, {inner, 50});
            QColor color = isSource ? t.encoder : t.decoder;
            if (!isSource) color.setAlphaF(static_cast<float>(1 - 0.12 * i));
            s.path(way, color, 1.5);
            s.box({isSource ? 14.0 : 130.0, y - 4, 16, 8}, isSource ? t.encoderTint : t.decoderTint,
                  isSource ? t.encoder : t.decoder, 2);
        }
    }
    s.cells({75.5, 35}, 6, 1, {9, 5}, [&](int row, int) { return s.anyValue(row, 1, 1.7); });
}

/// A share for each word that is read, and what they carry to the one that is written.
void attention(Sketch& s) {
    const Theme& t = s.theme();
    constexpr std::array kShares = {0.12, 0.86, 0.2, 0.05, 0.1};
    for (size_t i = 0; i < kShares.size(); ++i) {
        const double x = 24 + 20 * static_cast<double>(i), tall = 42 * kShares[i];
        s.box({x - 6, 12, 12, 42}, t.sunken, {}, 2);
        s.box({x - 6, 54 - tall, 12, tall}, s.data(), {}, 2);
        wordBox(s, {x, 80}, true, 14);
        QPainterPath way({x, 55});
        way.cubicTo({x, 68}, {x + 12, 64}, {x + 30, 64});
        way.lineTo({128, 64});
        way.quadTo({138, 64}, {138, 72});
        QColor color = s.data();
        color.setAlphaF(static_cast<float>(0.25 + 0.75 * kShares[i]));
        s.path(way, color, 0.6 + 4 * kShares[i]);
    }
    wordBox(s, {138, 80}, false, 15);
}

/// The same words under four formulas.
void scores(Sketch& s) {
    const Theme& t = s.theme();
    for (int which = 0; which < 4; ++which) {
        const int row = which / 2;
        const QPointF at(34.0 + 52 * (which % 2), 11.0 + 42 * row);
        s.cells(at, 4, 4, {9.5, 9}, [&](int query, int key) {
            const double near = std::exp(-std::abs(query - key) * (0.5 + 0.35 * which));
            return t.sequential(0.15 + 0.8 * near * (0.6 + 0.4 * std::sin(query * 1.7 + key + which * 1.3)));
        });
    }
}

/// A row of one matrix and a column of another make one number of the third.
void byHand(Sketch& s) {
    const Theme& t = s.theme();
    constexpr double kCell = 9;
    const auto value = [&](int kind) {
        return [&t, kind](int row, int column) {
            return t.sequential(0.5 + 0.45 * std::sin(row * 1.9 + column * (1.1 + kind) + kind * 2.0));
        };
    };
    s.cells({34, 54}, 4, 4, {kCell, kCell}, value(0));
    s.cells({82, 8}, 4, 4, {kCell, kCell}, value(1));
    s.cells({82, 54}, 4, 4, {kCell, kCell}, value(2));
    s.box({32, 52 + kCell, 4 * kCell + 3.4, kCell + 3.4}, {}, t.query, 2, 2);
    s.box({80 + 2 * kCell, 6, kCell + 3.4, 4 * kCell + 3.4}, {}, t.key, 2, 2);
    s.box({80 + 2 * kCell, 52 + kCell, kCell + 3.4, kCell + 3.4}, {}, t.text, 2, 2);
    s.arrow({72, 54 + 1.5 * kCell}, {79, 54 + 1.5 * kCell}, t.query, 1.5);
    s.arrow({82 + 2.5 * kCell, 46}, {82 + 2.5 * kCell, 52}, t.key, 1.5);
}

/// A query meets the keys, and takes of the values as they fit.
void queryKeyValue(Sketch& s) {
    const Theme& t = s.theme();
    constexpr std::array kWeights = {0.15, 0.9, 0.1, 0.45};
    for (size_t i = 0; i < kWeights.size(); ++i) {
        const double y = 28 + 19 * static_cast<double>(i), w = kWeights[i];
        QPainterPath way({38, 57});
        way.cubicTo({56, 57}, {58, y}, {74, y});
        s.path(way, w > 0.3 ? t.query : t.line2, 1 + 3.5 * w);
        s.line({88, y}, {118, y}, w > 0.3 ? t.value : t.line2, 1 + 3.5 * w);
        s.box({74, y - 6, 14, 12}, t.keyTint, t.key, 2);
        s.box({118, y - 6, 28, 12}, t.valueTint, t.value, 2);
    }
    s.dot({28, 57}, 9, t.queryTint, t.query);
    s.letters({28, 38}, QStringLiteral("Q"), t.query, 12);
    s.letters({81, 13}, QStringLiteral("K"), t.key, 12);
    s.letters({132, 13}, QStringLiteral("V"), t.value, 12);
}

}  // namespace headlight::vignette
