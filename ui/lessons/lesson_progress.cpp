// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_progress.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <algorithm>
#include <utility>

#include "ui/lessons/lesson_library.h"

namespace headlight {

namespace {

/// Where the open course's progress is kept; of all lessons as it was before there were courses.
QString& place() {
    static QString folder = QStringLiteral("lessons");
    return folder;
}
QString group() {
    return place() + QStringLiteral("/progress");
}
QString last() {
    return place() + QStringLiteral("/last");
}

}  // namespace

void LessonProgress::keepFor(const QString& course) {
    // A title may hold anything, and a key of the settings may not.
    const QByteArray key = QCryptographicHash::hash(course.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    place() = course.isEmpty() ? QStringLiteral("lessons") : QStringLiteral("courses/") + QString::fromLatin1(key);
}

LessonProgress LessonProgress::load(const QString& slug) {
    QSettings settings;
    settings.beginGroup(group());
    settings.beginGroup(slug);
    LessonProgress progress;
    progress.step = std::max(0, settings.value(QStringLiteral("step")).toInt());
    progress.furthest = settings.value(QStringLiteral("furthest"), -1).toInt();
    const QStringList solved = settings.value(QStringLiteral("solved")).toStringList();
    progress.solved = {solved.begin(), solved.end()};
    for (const QString& line : settings.value(QStringLiteral("answers")).toStringList()) {
        const QString key = line.section(u'\t', 0, 0);
        progress.answers[key] = {line.section(u'\t', 1, 1).toInt(), line.section(u'\t', 2)};
    }
    return progress;
}

void LessonProgress::save(const QString& slug) const {
    QSettings settings;
    settings.beginGroup(group());
    settings.beginGroup(slug);
    settings.setValue(QStringLiteral("step"), step);
    settings.setValue(QStringLiteral("furthest"), furthest);
    QStringList all(solved.begin(), solved.end());
    all.sort();
    settings.setValue(QStringLiteral("solved"), all);
    QStringList answered;
    for (auto each = answers.begin(); each != answers.end(); ++each)
        answered << QStringLiteral("%1\t%2\t%3").arg(each.key()).arg(each->times).arg(each->last);
    settings.setValue(QStringLiteral("answers"), answered);
    QSettings().setValue(last(), slug);
}

QString lastLesson() {
    return QSettings().value(last()).toString();
}

QByteArray exportedProgress() {
    QSettings settings;
    settings.beginGroup(group());
    QJsonObject lessons;
    for (const QString& slug : settings.childGroups()) {
        const LessonProgress progress = LessonProgress::load(slug);
        QStringList solved(progress.solved.begin(), progress.solved.end());
        solved.sort();
        lessons[slug] = QJsonObject{{QStringLiteral("steps_seen"), progress.furthest + 1},
                                    {QStringLiteral("solved"), QJsonArray::fromStringList(solved)}};
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("lessons"), lessons}}).toJson();
}

namespace {

/// Of a part that asks something: what kind it is, and its words; empty: it asks nothing.
std::pair<QString, QString> askedBy(const LessonPart& part) {
    if (const auto* check = std::get_if<LessonCheck>(&part)) {
        const char* kinds[] = {"number", "choice", "cell"};
        return {QLatin1String(kinds[static_cast<int>(check->kind)]), QString::fromStdString(check->ask)};
    }
    if (const auto* task = std::get_if<LessonTask>(&part))
        return {QStringLiteral("try"), QString::fromStdString(task->what)};
    if (const auto* veil = std::get_if<LessonVeil>(&part))
        return {QStringLiteral("prediction"), QString::fromStdString(veil->ask)};
    return {};
}

/// What a spreadsheet would take for a formula is a text.
QString field(QString text) {
    if (!text.isEmpty() && QStringLiteral("=+-@").contains(text.front()) && !text.contains(u' ')) {
        bool isNumber = false;
        text.toDouble(&isNumber);
        if (!isNumber) text.prepend(u'\'');
    }
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

}  // namespace

QByteArray exportedAnswers(const LessonLibrary& library, const QString& reader) {
    QString table = QStringLiteral("reader,lesson,step,title,kind,question,seen,solved,times,answer\r\n");
    for (const Lesson& lesson : library.lessons()) {
        const LessonProgress progress = LessonProgress::load(QString::fromStdString(lesson.slug));
        for (size_t step = 0; step < lesson.steps.size(); ++step)
            for (size_t part = 0; part < lesson.steps[step].parts.size(); ++part) {
                const auto [kind, question] = askedBy(lesson.steps[step].parts[part]);
                if (kind.isEmpty()) continue;
                const QString key = QStringLiteral("%1.%2").arg(step).arg(part);
                const LessonProgress::Answer answer = progress.answers.value(key);
                const QStringList row = {
                    field(reader),
                    field(QString::fromStdString(lesson.slug)),
                    QString::number(step + 1),
                    field(QString::fromStdString(lesson.steps[step].title)),
                    kind,
                    field(question),
                    static_cast<int>(step) <= progress.furthest ? QStringLiteral("1") : QStringLiteral("0"),
                    progress.solved.contains(key) ? QStringLiteral("1") : QStringLiteral("0"),
                    QString::number(answer.times),
                    field(answer.last)};
                table += row.join(u',') + QStringLiteral("\r\n");
            }
    }
    return table.toUtf8();
}

}  // namespace headlight
