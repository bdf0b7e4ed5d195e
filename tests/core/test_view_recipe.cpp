// SPDX-License-Identifier: GPL-3.0-or-later
// CONTRIBUTING's recipes of a view and of an option, followed in a copy of what they name: a view is its own two files
// and two lines of the list; an option is a field and its line. The compiler is asked, and nothing else is touched.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

QString recipeSource(const QString& path) {
    QFile file(QStringLiteral(HEADLIGHT_SOURCE_DIR "/") + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// With `line` behind the first place of `before`; empty where there is none.
QString withLine(const QString& text, const QString& before, const QString& line) {
    const qsizetype at = text.indexOf(before);
    return at < 0 ? QString() : QString(text).insert(at + before.size(), line);
}

}  // namespace

class TestViewRecipe : public QObject {
    Q_OBJECT
private slots:
    void aViewIsItsFilesAndTwoLines();
    void anOptionIsAFieldAndItsLine();

private:
    void write(const QString& path, const QString& text);
    /// What the compiler says of `program`, which sees the copy before the tree; empty: nothing.
    QString compiled(const QString& program, const QStringList& sources);
    QTemporaryDir m_copy;
};

void TestViewRecipe::write(const QString& path, const QString& text) {
    QVERIFY2(!text.isEmpty(), qPrintable(path));
    const QString to = m_copy.filePath(path);
    QVERIFY(QDir().mkpath(QFileInfo(to).path()));
    QFile file(to);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
}

QString TestViewRecipe::compiled(const QString& program, const QStringList& sources) {
    write("program.cpp", program);
    QStringList arguments{"-std=c++20",
                          "-fsyntax-only",
                          "-Wall",
                          "-Wextra",
                          "-Werror",
                          "-I" + m_copy.path(),
                          "-I" HEADLIGHT_SOURCE_DIR,
                          "-isystem" + QStringLiteral("/usr/include/eigen3")};
    arguments << m_copy.filePath("program.cpp");
    for (const QString& source : sources)
        arguments << (QFile::exists(m_copy.filePath(source)) ? m_copy.filePath(source)
                                                             : QStringLiteral(HEADLIGHT_SOURCE_DIR "/") + source);
    QProcess compiler;
    compiler.setProcessChannelMode(QProcess::MergedChannels);
    compiler.start(QStringLiteral("c++"), arguments);  // which built what runs here
    if (!compiler.waitForFinished(fixture::kLongPatienceMs)) return "the compiler did not end";
    const QString said = QString::fromUtf8(compiler.readAll());
    return compiler.exitCode() == 0 ? QString() : "failed: " + said;
}

void TestViewRecipe::aViewIsItsFilesAndTwoLines() {
    write("core/views/clock.h", R"(#pragma once
#include "core/views/stage_field.h"
namespace headlight {
/// What time it is for the model.
struct ClockOptions {
    int hour = 12;
    bool operator==(const ClockOptions&) const = default;
    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::edited("clock_hour", 1, 12), o.hour);
    }
};
}  // namespace headlight
)");
    write("core/views/clock.cpp", R"(#include "core/views/views.h"
#include "core/words.h"
namespace headlight {
const View clockView = {
    .name = "clock",
    .title = HEADLIGHT_WORDS("Views", "Clock"),
    .question = HEADLIGHT_WORDS("Views", "What time is it?"),
};
}  // namespace headlight
)");
    QString list = recipeSource("core/views/views.h");
    list = withLine(list, "#include \"core/views/cell.h\"\n", "#include \"core/views/clock.h\"\n");
    list = withLine(list, "    PLAIN(Lessons, lessons) \\\n", "    VIEW(Clock, clock, ClockOptions) \\\n");
    write("core/views/views.h", list);
    QCOMPARE(compiled(R"(#include "core/lessons/stage_state.h"
using namespace headlight;
std::string link() {
    StageState state;
    state.view = ViewName::Clock;
    state.clock.hour = 3;
    return linkTo(state) + viewOf(ViewName::Clock).title;
}
)",
                      {"core/views/clock.cpp", "core/views/views.cpp", "core/lessons/stage_state.cpp"}),
             QString());
    // It is asked of the compiler indeed.
    QVERIFY(compiled("#include \"core/lessons/stage_state.h\"\nint hour = headlight::StageState().watch.hour;\n", {})
                .contains("watch"));
}

void TestViewRecipe::anOptionIsAFieldAndItsLine() {
    QString loss = recipeSource("core/views/loss.h");
    loss = withLine(loss, "struct LossOptions {\n", "    bool inBits = false;\n");
    loss = withLine(loss, "visitFields(Self& o, Visit&& visit) {\n",
                    "        visit(StageField{\"loss_bits\"}, o.inBits, kOffOn);\n");
    write("core/views/loss.h", loss);
    QCOMPARE(compiled(R"(#include "core/lessons/stage_state.h"
bool bits(const headlight::StageState& state) { return state.loss.inBits; }
)",
                      {"core/lessons/stage_state.cpp", "core/views/loss.cpp"}),
             QString());
}

QTEST_GUILESS_MAIN(TestViewRecipe)
#include "test_view_recipe.moc"
