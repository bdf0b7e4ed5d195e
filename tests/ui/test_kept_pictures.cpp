// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes, hatches, icons and lines that come out of a kept picture look as if they were drawn anew. What is drawn into
// a QPicture is drawn anew, so that is what they are held against.
#include <QPainter>
#include <QPicture>
#include <QTest>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "tests/ui/fixture.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/attention_lines.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"

using namespace headlight;

namespace {

/// The largest difference of a channel.
int difference(const QImage& a, const QImage& b, const QRect& inside) {
    int most = 0;
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x) {
            const QRgb one = a.pixel(x, y), other = b.pixel(x, y);
            most = std::max({most, std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
                             std::abs(qBlue(one) - qBlue(other))});
        }
    return most;
}

QImage ground(const QSize& size, const QColor& color) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(color);
    return image;
}

template <class Draw>
int keptAgainstAnew(const QColor& color, Draw draw) {
    const QSize size(200, 120);
    QImage kept = ground(size, color), anew = kept;
    for (int round = 0; round < 2; ++round) {
        kept.fill(color);
        QPainter p(&kept);
        draw(p);
    }
    QPicture recorded;
    QPainter recorder(&recorded);
    draw(recorder);
    recorder.end();
    QPainter p(&anew);
    p.drawPicture(0, 0, recorded);
    p.end();
    return difference(kept, anew, kept.rect());
}

constexpr int kRounding = 2;  ///< of a translucent pixel that is mixed in two steps
constexpr int kCorner = 10;   ///< of a pixel in a round corner, which Qt covers a little otherwise at each place

std::vector<float> somewhere(int heads, int n) {
    std::vector<float> weights;
    for (int i = 0; i < heads * n * n; ++i)
        weights.push_back(static_cast<float>((i * 37) % 101) / 400);
    return weights;
}

QStringList numberedWords(int count) {
    QStringList all;
    for (int i = 0; i < count; ++i)
        all << QStringLiteral("w%1").arg(i);
    return all;
}

}  // namespace

class TestKeptPictures : public QObject {
    Q_OBJECT
    std::unique_ptr<fixture::LightTheme> m_theme;

private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void boxesKeepTheirPixels() {
        for (const Theme& t : {Theme::light(), Theme::dark()})
            for (const double radius : {0.0, 2.0, 5.0, 8.0, 6.5})
                for (const double width : {1.0, 1.5, 2.0, 3.0})
                    for (const QRectF& box : {QRectF(10, 8, 150, 90), QRectF(3, 3, 24, 20), QRectF(20.5, 9, 60, 40),
                                              QRectF(7, 7, 6, 6), QRectF(5, 5, 100, 4)})
                        for (const QColor& fill : {QColor(), t.surface, t.nowTint})
                            for (const QColor& border : {QColor(), t.line, t.nowLine}) {
                                const int off = keptAgainstAnew(
                                    t.bg, [&](QPainter& p) { paint::box(p, box, fill, border, radius, width); });
                                QVERIFY2(off <= kCorner, qPrintable(QStringLiteral("radius %1, border %2, %3 by %4, "
                                                                                   "off by %5")
                                                                        .arg(radius)
                                                                        .arg(width)
                                                                        .arg(box.width())
                                                                        .arg(box.height())
                                                                        .arg(off)));
                            }
    }

    void outlinesKeepTheirPixels() {
        const Theme& t = Theme::light();
        for (const double radius : {0.0, 2.0})
            for (const double width : {1.0, 1.5, 2.0, 3.0})
                for (const QRectF& cell : {QRectF(10, 8, 40, 31), QRectF(20.5, 9, 60, 40), QRectF(5, 5, 1, 1)})
                    QVERIFY(keptAgainstAnew(t.bg, [&](QPainter& p) {
                                paint::outline(p, cell, t.nowLine, width, radius);
                            }) <= kRounding);
    }

    void hatchesKeepTheirPixels() {
        const Theme& t = Theme::light();
        for (const QRectF& cell : {QRectF(10, 8, 40, 31), QRectF(3, 3, 7, 5), QRectF(2, 2, 150, 60)})
            QCOMPARE(keptAgainstAnew(t.bg, [&](QPainter& p) { paint::hatch(p, cell, t.hatchGround, t.hatch); }), 0);
    }

    void iconsKeepTheirPixels() {
        for (const Theme& t : {Theme::light(), Theme::dark()})
            for (const Icon icon : {Icon::Check, Icon::Play, Icon::Mute, Icon::Explore})
                for (const QRectF& box : {QRectF(10, 8, 16, 16), QRectF(12.5, 9.25, 20, 20), QRectF(4, 4, 90, 90)}) {
                    const int off = keptAgainstAnew(t.bg, [&](QPainter& p) { drawIcon(p, icon, box, t.text2); });
                    QVERIFY2(off <= kRounding, qPrintable(QString::number(off)));
                }
    }

    /// Also where another row, other numbers or another size come between.
    void linesAreThoseOfTheNumbersThatAreShown() {
        const Theme& t = Theme::light();
        for (const int heads : {1, 3}) {
            constexpr int n = 9;
            Card card(QStringLiteral("Lines"));
            auto* lines = new AttentionLines;
            card.body()->addWidget(lines, 1);
            card.resize(520, 460);
            LinesData data{
                .weights = somewhere(heads, n), .rowLabels = numberedWords(n), .columnLabels = numberedWords(n)};
            for (int head = 0; head < heads && heads > 1; ++head)
                data.headNames << QString::number(head + 1);
            lines->setData(data);
            card.grab();
            const auto check = [&] {
                QImage anew = ground(lines->size(), t.surface);
                QPicture recorded;
                lines->render(&recorded, {}, {}, {});
                QPainter p(&anew);
                p.drawPicture(0, 0, recorded);
                p.end();
                // Between the words, below the names: letters of a QPicture are laid out anew.
                const QRect between(lines->width() / 3, 80, lines->width() / 3, lines->height() - 90);
                const QImage kept = card.grab().toImage().copy(QRect(lines->mapTo(&card, QPoint()), lines->size()));
                QCOMPARE(difference(kept.convertToFormat(QImage::Format_RGB32), anew, between), 0);
                QVERIFY(difference(kept.convertToFormat(QImage::Format_RGB32), ground(lines->size(), t.surface),
                                   between) > 0);
            };
            check();
            check();
            lines->setShown(3, 2);
            check();
            lines->setShown(-1, -1);
            check();
            std::ranges::reverse(data.weights);
            lines->setData(data);
            check();
            card.resize(600, 500);
            card.grab();
            check();
        }
    }
};

QTEST_MAIN(TestKeptPictures)
#include "test_kept_pictures.moc"
