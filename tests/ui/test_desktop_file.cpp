// SPDX-License-Identifier: GPL-3.0-or-later
// What tells the desktop of the program, so that a click on a link anywhere opens it here.
#include <QFile>
#include <QImage>
#include <QMap>
#include <QPainter>
#include <QSvgRenderer>
#include <QTest>

#include "core/lessons/stage_state.h"

using namespace headlight;

namespace {

const QString kFolder = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/desktop/");

}  // namespace

class TestDesktopFile : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QFile file(kFolder + QStringLiteral("headlight.desktop"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.first(), QStringLiteral("[Desktop Entry]"));
        for (const QString& line : lines.mid(1)) {
            QVERIFY2(line.indexOf(u'=') > 0, qPrintable(line));
            m_entry[line.section(u'=', 0, 0)] = line.section(u'=', 1);
        }
    }

    void itClaimsTheSchemeThatLinksAreWrittenWith() {
        const QString link = QString::fromStdString(linkTo(StageState()));
        QVERIFY(m_entry.value(QStringLiteral("MimeType"))
                    .split(u';')
                    .contains(QStringLiteral("x-scheme-handler/%1").arg(link.section(u':', 0, 0))));
        QCOMPARE(m_entry.value(QStringLiteral("Type")), QStringLiteral("Application"));
    }

    void itStartsTheProgramWithTheLinkThatWasClicked() {
        const QString program = QStringLiteral(HEADLIGHT_WINDOW).section(u'/', -1);
        QCOMPARE(m_entry.value(QStringLiteral("Exec")), program + QStringLiteral(" %u"));
    }

    void itsIconIsThereAndIsAPicture() {
        QSvgRenderer icon(kFolder + m_entry.value(QStringLiteral("Icon")) + QStringLiteral(".svg"));
        QVERIFY(icon.isValid());
        QImage image(48, 48, QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        icon.render(&painter);
        painter.end();
        QCOMPARE(image.pixelColor(28, 24), QColor(0xF0, 0xA3, 0x0A));
        QCOMPARE(image.pixelColor(13, 24), QColor(0x14, 0x17, 0x1F));
    }

private:
    QMap<QString, QString> m_entry;
};

QTEST_MAIN(TestDesktopFile)
#include "test_desktop_file.moc"
