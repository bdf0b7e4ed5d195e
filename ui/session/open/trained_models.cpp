// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/trained_models.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <memory>

#include "core/error.h"

namespace headlight {

namespace {

constexpr QLatin1String ending(".safetensors");

QString settingsBeside(const QString& model) {
    return QString::fromStdString(settingsFileOf(model.toStdString()));
}

[[noreturn]] void refuse(const QString& what) {
    throw Error(what.toStdString());
}

/// A name that a file can bear: no folder, nothing hidden, and short enough with its ending.
void checkName(const QString& name) {
    constexpr qsizetype mostBytes = 200;
    if (name.isEmpty()) refuse(TrainedModels::tr("A model needs a name."));
    if (name.contains(u'/') || name.startsWith(u'.') || name.contains(QChar::Null))
        refuse(TrainedModels::tr("A name has no “/” in it and does not begin with a full stop: choose another."));
    if (name.toUtf8().size() > mostBytes) refuse(TrainedModels::tr("This name is too long for a file: shorten it."));
}

/// The model first: settings alone would say that there is one.
void write(const TrainedModel& model, const TrainingRecipe& recipe, const QString& path) {
    saveModel(model, path.toStdString());
    const QFileInfo file(path), settings(settingsBeside(path));
    std::vector<Setting> lines = settingsOf(recipe);
    lines.push_back({"out", (file.completeBaseName() + QStringLiteral(" again") + ending).toStdString()});
    writeSettings(settings.filePath().toStdString(), lines,
                  QStringLiteral("Trains %1 again: headlight-cli train --config \"%2\"")
                      .arg(file.fileName(), settings.fileName())
                      .toStdString());
}

}  // namespace

TrainedModels::~TrainedModels() {
    m_jobs.finish();
}

QString TrainedModels::fileOf(const QString& name) const {
    if (m_folder.isEmpty()) refuse(tr("There is no folder here to keep models in: use Save as."));
    return QDir(m_folder).filePath(name + ending);
}

std::vector<TrainedModels::Entry> TrainedModels::list() const {
    std::vector<Entry> all;
    if (m_folder.isEmpty()) return all;
    for (const QFileInfo& file :
         QDir(m_folder).entryInfoList({QStringLiteral("*") + ending}, QDir::Files, QDir::Time)) {
        Entry entry{file.filePath(), file.completeBaseName(), file.lastModified(), {}, {}};
        try {
            entry.card = readModelCard(file.filePath().toStdString());
        } catch (const std::exception& error) {
            entry.trouble = QString::fromUtf8(error.what());
        }
        all.push_back(std::move(entry));
    }
    return all;
}

QString TrainedModels::freePath(const QString& name) const {
    QString path = fileOf(name);
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = fileOf(QStringLiteral("%1 (%2)").arg(name).arg(number));
    return path;
}

int TrainedModels::save(TrainedModel model, const TrainingRecipe& recipe, const QString& path) {
    const int wish = ++m_wishes;
    const auto shared = std::make_shared<const TrainedModel>(std::move(model));
    m_jobs.post(wish, [this, wish, shared, recipe, path] {
        QString why;
        try {
            if (!QDir().mkpath(QFileInfo(path).path()))
                refuse(tr("The folder %1 cannot be made: check its permissions and the space on the disk")
                           .arg(QFileInfo(path).path()));
            write(*shared, recipe, path);
        } catch (const std::exception& error) {
            why = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, wish, why, path] {
            if (!why.isEmpty()) return emit failed(why, wish);
            emit changed();
            emit saved(path, wish);
        });
    });
    return wish;
}

QString TrainedModels::rename(const QString& path, const QString& name) {
    const QString wanted = name.trimmed();
    checkName(wanted);
    QString to = fileOf(wanted);
    if (to == path) return path;
    if (QFileInfo::exists(to)) refuse(tr("There is a model called %1 already: choose another name.").arg(wanted));
    QFile model(path);
    if (!model.rename(to)) refuse(tr("%1 cannot be renamed: %2").arg(path, model.errorString()));
    QFile::rename(settingsBeside(path), settingsBeside(to));
    emit changed();
    return to;
}

QString TrainedModels::moveToTrash(const QString& path) {
    if (m_folder.isEmpty() || QFileInfo(path).dir() != QDir(m_folder))
        refuse(tr("Only models that were trained here are deleted here."));
    // Qt makes the wastebasket, but not what it stands in, and without that moves the file to where the program began.
    QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
    QFile model(path);
    if (!model.moveToTrash())
        refuse(tr("There is no wastebasket for %1 (%2), and nothing is deleted for good here: remove the file by hand.")
                   .arg(path, model.errorString()));
    QFile::moveToTrash(settingsBeside(path));
    emit changed();
    return model.fileName();
}

TrainingSetup TrainedModels::trainOn(const QString& path) {
    const QString settings = settingsBeside(path);
    if (!QFileInfo::exists(settings))
        refuse(tr("%1, which says what it learned from, is not there: headlight-cli train --from goes on with it.")
                   .arg(settings));
    TrainingRecipe recipe = recipeOf(readSettings(settings.toStdString()));
    recipe.from = path.toStdString();
    recipe.stopAfter = 0;
    recipe.options.rateChanges.clear();  // they were of the run that is over
    recipe.options.forks = {};
    recipe.config = readModelCard(recipe.from).config;
    return setupOf(recipe);
}

}  // namespace headlight

#include "moc_trained_models.cpp"
