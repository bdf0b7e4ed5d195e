// SPDX-License-Identifier: GPL-3.0-or-later
// The signs of the lessons on learning, deciding and models in the wild.
#include <array>
#include <cmath>

#include "ui/lessons/sketch.h"
#include "ui/lessons/vignette_drawings.h"
#include "ui/widgets/theme/theme.h"

namespace headlight::vignette {

/// A bar for each word that might come; the right one is pulled up, the others down.
void loss(Sketch& s) {
    const Theme& t = s.theme();
    constexpr std::array kShares = {0.75, 0.3, 0.5, 0.18};
    for (size_t i = 0; i < kShares.size(); ++i) {
        const double y = 14 + 20 * static_cast<double>(i), wide = 72 * kShares[i];
        const bool isRight = i == 2;
        s.box({14, y, 28, 12}, isRight ? t.goodTint : t.surface, isRight ? t.good : t.line2, 3);
        s.box({48, y + 1, 98, 10}, t.sunken, {}, 2);
        s.box({48, y + 1, wide, 10}, s.data(), {}, 2);
        if (isRight)
            s.arrow({50 + wide, y + 6}, {76 + wide, y + 6}, t.good, 2.5);
        else
            s.arrow({62 + wide, y + 6}, {51 + wide, y + 6}, t.bad, 1.5);
    }
}

/// The loss falls.
void training(Sketch& s) {
    const Theme& t = s.theme();
    s.through({{16, 10}, {16, 88}, {148, 88}}, t.line2, 1);
    constexpr std::array<QPointF, 7> kPoints = {
        {{22, 16}, {40, 40}, {58, 54}, {78, 66}, {98, 68}, {118, 76}, {140, 78}}};
    QPainterPath way(kPoints[0]);
    for (const QPointF& point : kPoints)
        way.lineTo(point);
    s.path(way, t.text, 2);
    for (const QPointF& point : kPoints)
        s.dot(point, 3.2, t.text);
}

/// A tree of beginnings: the best runs on, others come to nothing.
void decoding(Sketch& s) {
    const Theme& t = s.theme();
    const auto node = [&](QPointF at, const QColor& fill, const QColor& border) {
        s.box({at.x() - 10, at.y() - 5, 20, 10}, fill, border, 3);
    };
    const auto way = [](QPointF from, QPointF to) {
        QPainterPath path(from);
        const double middle = (from.x() + to.x()) / 2;
        path.cubicTo({middle, from.y()}, {middle, to.y()}, to);
        return path;
    };
    constexpr std::array kColumns = {48.0, 92.0, 136.0};
    s.path(way({20, 50}, {38, 20}), t.text, 2.2);
    s.path(way({20, 50}, {38, 60}), t.text3, 1.5);
    s.dashed(way({20, 50}, {38, 86}), t.text3);
    s.path(way({58, 20}, {82, 20}), t.text, 2.2);
    s.dashed(way({58, 20}, {82, 40}), t.text3);
    s.path(way({58, 60}, {82, 60}), t.text3, 1.5);
    s.dashed(way({58, 60}, {82, 80}), t.text3);
    s.path(way({102, 20}, {126, 20}), t.text, 2.2);
    s.path(way({102, 60}, {126, 60}), t.text3, 1.5);
    for (const double x : kColumns) {
        node({x, 20}, t.text, {});
        node({x, 60}, t.surface, t.text2);
    }
    for (const QPointF at : {QPointF(48, 86), QPointF(92, 40), QPointF(92, 80)})
        node(at, t.surface, t.line2);
    s.dot({20, 50}, 4.5, t.text);
}

/// Letters join into pieces, pieces into larger ones.
void subwords(Sketch& s) {
    const Theme& t = s.theme();
    const std::array<QStringList, 3> rows = {
        QStringList{"l", "e", "a", "r", "n", "i", "n", "g"}, {"le", "ar", "n", "ing"}, {"le", "ar", "ning"}};
    constexpr double kLetter = 16;
    for (size_t row = 0; row < rows.size(); ++row) {
        const double y = 12 + 30 * static_cast<double>(row);
        double x = 16;
        for (const QString& piece : rows[row]) {
            const double wide = kLetter * static_cast<double>(piece.size());
            const bool isNew = row > 0 && !rows[row - 1].contains(piece);
            s.box({x + 1, y, wide - 2, 18}, isNew ? t.encoderTint : t.surface, isNew ? t.encoder : t.line2);
            s.letters({x + wide / 2, y + 9}, piece, t.text, 11);
            if (isNew)
                s.through({{x + 5, y - 8}, {x + 5, y - 4}, {x + wide - 5, y - 4}, {x + wide - 5, y - 8}}, t.text3);
            x += wide;
        }
    }
}

/// Which word comes next?
void languageModel(Sketch& s) {
    const Theme& t = s.theme();
    double x = 14;
    for (const double wide : {30.0, 18.0, 36.0}) {
        s.box({x, 16, wide, 20}, t.decoderTint, t.decoder);
        x += wide + 4;
    }
    s.arrow({x, 26}, {x + 10, 26}, t.text2, 1.5);
    QPainterPath open;
    open.addRoundedRect(QRectF(x + 14, 16, 146 - x - 14, 20), 3, 3);
    s.dashed(open, t.text);
    s.letters({(x + 160) / 2, 26}, QStringLiteral("?"), t.text, 12);
    constexpr std::array kShares = {0.8, 0.45, 0.2};
    for (size_t i = 0; i < kShares.size(); ++i) {
        const double y = 50 + 14 * static_cast<double>(i);
        s.box({44, y, 102, 8}, t.sunken, {}, 2);
        s.box({44, y, 102 * kShares[i], 8}, s.data(), {}, 2);
        s.box({14, y, 24, 8}, t.surface, t.line2, 2);
    }
}

/// Attention's cost grows with the square of the length, a recurrent network's with the length.
void cost(Sketch& s) {
    const Theme& t = s.theme();
    s.through({{16, 10}, {16, 88}, {148, 88}}, t.line2, 1);
    QPainterPath square({16, 87});
    for (double x = 0; x <= 128; x += 2)
        square.lineTo(16 + x, 87 - 72 * (x / 128) * (x / 128));
    QPainterPath straight({16, 84});
    straight.lineTo(146, 36);
    s.dashed(straight, t.text2, 2);
    s.path(square, t.text, 2.4);
    s.dot({99.5, 56}, 4, t.surface, t.text);
    for (int side = 2; side <= 4; ++side)  // as many pairs as that
        s.cells({12.0 + 13.0 * (side - 1) * side / 2.4, 12}, side, side, {5, 5}, [&](int, int) { return s.data(); });
}

/// Words that are read above, words that are written below, and a head between them.
void headsLookAt(Sketch& s) {
    const Theme& t = s.theme();
    const auto place = [](int word) { return 24.0 + 28 * word; };
    struct Look {
        int from, to;
        double weight;
    };
    for (const Look look : {Look{0, 0, 0.8},
                            {1, 1, 0.15},
                            {2, 1, 0.7},
                            {1, 2, 0.75},
                            {0, 2, 0.1},
                            {3, 3, 0.85},
                            {4, 3, 0.08},
                            {3, 4, 0.3},
                            {4, 4, 0.6}})
        s.ribbon({place(look.from), 22}, {place(look.to), 78}, look.weight);
    for (int word = 0; word < 5; ++word) {
        s.box({place(word) - 11, 10, 22, 12}, t.encoderTint, t.encoder);
        s.box({place(word) - 11, 78, 22, 12}, t.decoderTint, t.decoder);
    }
}

/// Runs of one, two, three and four words that the reference has as well: the longer, the fewer.
void bleu(Sketch& s) {
    const Theme& t = s.theme();
    constexpr std::array kShares = {0.92, 0.6, 0.36, 0.2};
    s.line({14, 70}, {146, 70}, t.line2, 1);
    for (int n = 1; n <= 4; ++n) {
        const double x = 30.0 + 34 * (n - 1), tall = 58 * kShares[static_cast<size_t>(n - 1)];
        s.box({x - 10, 70 - tall, 20, tall}, s.data(), {}, 2);
        for (int word = 0; word < n; ++word)
            s.box({x - 3.75 * n + 7.5 * word, 77, 6.5, 11}, t.decoderTint, t.decoder, 1.5);
    }
}

}  // namespace headlight::vignette
