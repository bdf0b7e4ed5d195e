// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_progress.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <algorithm>

namespace headlight {

namespace {

constexpr auto kGroup = "lessons/progress", kLast = "lessons/last";

}  // namespace

LessonProgress LessonProgress::load(const QString& slug) {
    QSettings settings;
    settings.beginGroup(QLatin1String(kGroup));
    settings.beginGroup(slug);
    LessonProgress progress;
    progress.step = std::max(0, settings.value(QStringLiteral("step")).toInt());
    progress.furthest = settings.value(QStringLiteral("furthest"), -1).toInt();
    const QStringList solved = settings.value(QStringLiteral("solved")).toStringList();
    progress.solved = {solved.begin(), solved.end()};
    return progress;
}

void LessonProgress::save(const QString& slug) const {
    QSettings settings;
    settings.beginGroup(QLatin1String(kGroup));
    settings.beginGroup(slug);
    settings.setValue(QStringLiteral("step"), step);
    settings.setValue(QStringLiteral("furthest"), furthest);
    QStringList all(solved.begin(), solved.end());
    all.sort();
    settings.setValue(QStringLiteral("solved"), all);
    QSettings().setValue(QLatin1String(kLast), slug);
}

QString lastLesson() {
    return QSettings().value(QLatin1String(kLast)).toString();
}

QByteArray exportedProgress() {
    QSettings settings;
    settings.beginGroup(QLatin1String(kGroup));
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

}  // namespace headlight
