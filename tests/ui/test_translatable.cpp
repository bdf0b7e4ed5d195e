// SPDX-License-Identifier: GPL-3.0-or-later
// Every text that the window asks a translation of is one that translators are given: lupdate finds it under the very
// name of its context. What it does not find can never be translated, whoever writes a translation.
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

#include "tests/ui/stage_pictures.h"
#include "ui/shell/main_window.h"

using namespace headlight;

namespace {

using Text = QPair<QString, QString>;  ///< its context, and what stands in the code

/// What lupdate writes for whoever translates.
QSet<Text> textsForTranslators(const QString& folder) {
    const QString path = folder + QStringLiteral("/headlight.ts");
    QString program = QStandardPaths::findExecutable(QStringLiteral("lupdate"), {"/usr/lib/qt6/bin"});
    if (program.isEmpty()) program = QStandardPaths::findExecutable(QStringLiteral("lupdate"));
    if (program.isEmpty()) qFatal("lupdate is missing: install qt6-l10n-tools");
    QProcess lupdate;
    lupdate.setWorkingDirectory(QStringLiteral(HEADLIGHT_SOURCE_DIR));
    lupdate.start(program, {"-tr-function-alias", "QT_TRANSLATE_NOOP+=HEADLIGHT_WORDS", "-I", ".", "app", "core", "ui",
                            "-ts", path});
    if (!lupdate.waitForFinished(fixture::kLongPatienceMs) || lupdate.exitCode() != 0)
        qFatal("lupdate: %s", lupdate.readAllStandardError().constData());
    // A class that inherits another's tr() asks under that one's name.
    const QByteArray said = lupdate.readAllStandardError() + lupdate.readAllStandardOutput();
    if (said.contains("lacks Q_OBJECT")) qFatal("%s", said.constData());
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("lupdate has written nothing");
    QSet<Text> all;
    QString context;
    for (QXmlStreamReader xml(&file); !xml.atEnd(); xml.readNext()) {
        if (!xml.isStartElement()) continue;
        if (xml.name() == u"name") context = xml.readElementText();
        if (xml.name() == u"source") all.insert({context, xml.readElementText()});
    }
    return all;
}

/// A language in which everything stands in brackets; it notes what it was never given.
class Brackets : public QTranslator {
public:
    explicit Brackets(QSet<Text> given) : m_given(std::move(given)) {}

    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override {
        const QString where = QString::fromUtf8(context), text = QString::fromUtf8(source);
        ++m_asked;
        if (m_given.contains({where, text})) return u'⟦' + text + u'⟧';
        // Qt's own texts (of dialogs, of names of keys) come with Qt's translations; whoever forgets Q_OBJECT asks
        // under the name of a base class.
        static const QRegularExpression qts(QStringLiteral("^Q[A-Z](?!bject$|idget$|rame$)"));
        if (!qts.match(where).hasMatch()) m_missing.insert({where, text});
        return {};
    }

    int asked() const { return m_asked; }
    QStringList missing() const {
        QStringList all;
        for (const auto& [context, text] : m_missing)
            all << context + QStringLiteral(": ") + text;
        all.sort();
        return all;
    }

private:
    QSet<Text> m_given;
    mutable QSet<Text> m_missing;  // a translator answers, and is asked by whoever may not change it
    mutable int m_asked = 0;
};

}  // namespace

class TestTranslatable : public QObject {
    Q_OBJECT
private slots:
    void whateverTheWindowAsksForCanBeTranslated() {
        QTemporaryDir folder;
        const QSet<Text> given = textsForTranslators(folder.path());
        Brackets brackets(given);
        QCoreApplication::installTranslator(&brackets);
        {
            ThemeManager theme(qApp);
            const std::unique_ptr<MainWindow> window = fixture::openWindow(theme);
            for (const char* model :
                 {"en-fr-transformer", "en-fr-lstm-attention", "stories-transformer", "sentiment-transformer"})
                for (size_t view = 0; view < viewWords().size(); ++view) {
                    StageState state;
                    state.model = std::string(HEADLIGHT_SOURCE_DIR "/resources/models/") + model + ".safetensors";
                    state.view = static_cast<ViewName>(view);
                    fixture::apply(*window, state);
                    window->grab();
                }
        }
        QCoreApplication::removeTranslator(&brackets);
        QVERIFY(brackets.asked() > 1000);
        for (const auto& [context, text] : given)  // of a function that is called tr, and belongs to no class
            QVERIFY2(context != QStringLiteral("headlight"), qPrintable(text));
        QVERIFY2(brackets.missing().isEmpty(), qPrintable(brackets.missing().join(u'\n')));
    }
};

QTEST_MAIN(TestTranslatable)
#include "test_translatable.moc"
