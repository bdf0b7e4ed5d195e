// SPDX-License-Identifier: GPL-3.0-or-later
// What a picture tells by colour is told to colour-blind eyes as well. Simulated as in Machado, Oliveira and Fernandes
// 2009 (severity 1), measured as a distance in OKLab times 100, of which about 2 can just be seen.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/views/train/data/model_blueprint.h"
#include "ui/widgets/heads/line_mark.h"
#include "ui/widgets/theme/group_colors.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

namespace {

using Vector = std::array<double, 3>;
using ColourMatrix = std::array<Vector, 3>;

constexpr ColourMatrix kEyes[] = {
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

Vector times(const ColourMatrix& matrix, const Vector& v) {
    Vector result{};
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
            result[i] += matrix[i][j] * v[j];
    return result;
}

double linear(double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

/// As these eyes see the colour, in OKLab.
Vector seen(const QColor& color, const ColourMatrix& eyes) {
    Vector light = times(eyes, {linear(color.redF()), linear(color.greenF()), linear(color.blueF())});
    for (double& part : light)
        part = std::clamp(part, 0.0, 1.0);
    Vector cones = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                           {0.2119034982, 0.6806995451, 0.1073969566},
                           {0.0883024619, 0.2817188376, 0.6299787005}}},
                         light);
    for (double& part : cones)
        part = std::cbrt(part);
    return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                   {1.9779984951, -2.4285922050, 0.4505937099},
                   {0.0259040371, 0.7827717662, -0.8086757660}}},
                 cones);
}

/// Of those eyes to which the two look most alike.
double apart(const QColor& one, const QColor& other) {
    double least = 1000;
    for (const ColourMatrix& eyes : kEyes) {
        const Vector a = seen(one, eyes), b = seen(other, eyes);
        least = std::min(least, 100 * std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
    return least;
}

void everyTheme() {
    QTest::addColumn<size_t>("number");
    const char* const grounds[] = {"light", "dark", "high contrast"};
    const char* const colors[] = {"blue", "violet to yellow", "grey"};
    for (const Theme& each : Theme::all())
        QTest::addRow("%s, %s", grounds[each.number / Theme::kWeightColors], colors[each.number % Theme::kWeightColors])
            << each.number;
}

const Theme& theme() {
    QFETCH(size_t, number);
    return Theme::all()[number];
}

}  // namespace

class TestColourBlind : public QObject {
    Q_OBJECT
private slots:
    void queriesKeysAndValuesAreToldApart_data() { everyTheme(); }
    void queriesKeysAndValuesAreToldApart() {
        const Theme& t = theme();
        QVERIFY(apart(t.query, t.key) > 20);
        QVERIFY(apart(t.query, t.value) > 7);
        QVERIFY(apart(t.key, t.value) > 9);
        QVERIFY(apart(t.encoder, t.decoder) > 5);
        QVERIFY(apart(t.good, t.bad) > 6);
        QVERIFY(apart(t.now, t.sequential(0.75)) > 10);
    }

    void aStepOfAScaleIsSeenAndLargerIsAlwaysStronger_data() { everyTheme(); }
    void aStepOfAScaleIsSeenAndLargerIsAlwaysStronger() {
        const Theme& t = theme();
        QVERIFY(apart(t.diverging(-1, 1), t.diverging(1, 1)) > 9);
        QVERIFY(apart(t.diverging(-0.25, 1), t.diverging(0.25, 1)) > 7);
        for (int stop = 0; stop < 8; ++stop) {
            const QColor here = t.sequential(stop / 8.0), next = t.sequential((stop + 1) / 8.0);
            QVERIFY(apart(here, next) > 4);
            for (const ColourMatrix& eyes : kEyes)
                QCOMPARE(seen(next, eyes)[0] < seen(here, eyes)[0], !t.isDark);
        }
    }

    void twentyHeadsOverOneAnotherAreToldByColourOrPattern_data() { everyTheme(); }
    void twentyHeadsOverOneAnotherAreToldByColourOrPattern() {
        const Theme& t = theme();
        for (int one = 0; one < 20; ++one)
            for (int other = 0; other < one; ++other) {
                const QPen a = linePen(one, 2, 1, t), b = linePen(other, 2, 1, t);
                if (a.dashPattern() != b.dashPattern() || a.style() != b.style()) continue;
                QVERIFY2(apart(a.color(), b.color()) > 4, qPrintable(QStringLiteral("%1, %2").arg(one).arg(other)));
            }
    }

    void groupsOfWordsAreToldApart_data() { everyTheme(); }
    void groupsOfWordsAreToldApart() {
        const Theme& t = theme();
        for (int one = 0; one < groupColors; ++one) {
            const QColor color = groupColor(t, one);
            for (int other = 0; other < one; ++other)
                QVERIFY2(apart(color, groupColor(t, other)) > 14,
                         qPrintable(QStringLiteral("%1, %2").arg(one).arg(other)));
            QVERIFY(apart(color, t.now) > 8 && apart(color, t.line2) > 8);
            QVERIFY(contrast(color, t.surface) >= 3);
        }
    }

    void whatIsFedForwardIsToldFromWhatAttendsOrRecurs_data() { everyTheme(); }
    void whatIsFedForwardIsToldFromWhatAttendsOrRecurs() {
        const Theme& t = theme();
        for (const Stack stack : {Stack::Encoder, Stack::Decoder}) {
            const QColor attention = blueprintColor(t, ModuleKind::Attention, stack);
            const QColor recurrent = blueprintColor(t, ModuleKind::Recurrent, stack);
            const QColor forward = blueprintColor(t, ModuleKind::FeedForward, stack);
            QVERIFY(apart(attention, forward) > 20);
            QVERIFY(apart(recurrent, forward) > 10);
            QVERIFY(apart(attention, recurrent) > 8);
            QVERIFY(contrast(forward, t.surface) > 1.5);
        }
    }
};

QTEST_MAIN(TestColourBlind)
#include "test_colour_blind.moc"
