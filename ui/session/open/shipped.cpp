// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/shipped.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QSettings>
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/import/hub_cache.h"
#include "core/import/import_model.h"
#include "core/import/model_cache.h"

namespace headlight {

namespace {

/// What a model can be held against.
struct ModelSort {
    std::pair<CorpusKind, bool> says;  ///< what it learned from, and whether it fills in words that were taken out
    int words = 0;                     ///< of its target's vocabulary
};

ModelSort sortOf(const ModelConfig& config) {
    return {{config.corpusKind(), config.masked()}, config.targetVocabSize};
}

/// Of the file as it is now; nothing where there is none that can be read. Only what its header says is read, once.
std::optional<ModelSort> sortOf(const QString& path) {
    static std::mutex mutex;  // guards known
    static std::map<std::pair<QString, QDateTime>, std::optional<ModelSort>> known;
    const QFileInfo file(path);
    if (!file.exists()) return {};
    const std::lock_guard lock(mutex);
    const auto [at, isNew] = known.try_emplace({file.canonicalFilePath(), file.lastModified()});
    if (!isNew) return at->second;
    try {
        at->second = sortOf(readCardOf(path.toStdString()).config);
    } catch (const std::exception&) {  // who opens it is told why
        at->second.reset();
    }
    return at->second;
}

/// The cached model of that name. What is wrong with one is said to whoever opens it by hand.
QString cachedOrNone(const QString& name) {
    try {
        return QString::fromStdString(cachedModel(name.toStdString()));
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

QString shippedFolder(const QString& name) {
    const QDir program(QCoreApplication::applicationDirPath());
    // The tests lie one folder deeper than the program.
    for (const char* place :
         {"../share/headlight/%1", "../../resources/%1", "../../%1", "../../../resources/%1", "../../../%1"}) {
        const QDir folder(program.filePath(QString::fromLatin1(place).arg(name)));
        if (folder.exists()) return folder.canonicalPath();
    }
    return {};
}

QFileInfoList shippedModels() {
    const QString folder = shippedFolder(QStringLiteral("models"));
    if (folder.isEmpty()) return {};
    return QDir(folder).entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files, QDir::Name);
}

QString shippedModel(const QString& name) {
    for (const QFileInfo& file : shippedModels())
        if (file.completeBaseName() == name) return file.canonicalFilePath();
    return {};
}

QString firstModel() {
    return shippedModel(QStringLiteral("en-fr-transformer"));
}

QString shippedBeside(const QString& key) {
    const QString own = QFileInfo(key).completeBaseName();
    const QStringList parts = own.split(u'-');
    const QString shipped = shippedModel(key);
    const std::optional<ModelSort> sort = sortOf(shipped.isEmpty() ? key : shipped);
    const auto rank = [&](const QFileInfo& file) {
        const std::optional<ModelSort> its = sortOf(file.canonicalFilePath());
        const QStringList others = file.completeBaseName().split(u'-');
        const bool plain = others.size() == 3 && others.last() == QLatin1String("transformer");  // `vi-en-transformer`
        return std::tuple(sort && its && sort->says == its->says,
                          std::ranges::mismatch(parts, others).in1 - parts.begin(),
                          sort && its && sort->words == its->words, plain);
    };
    std::optional<QFileInfo> best;
    for (const QFileInfo& file : shippedModels())
        if (file.completeBaseName() != own && (!best || rank(file) >= rank(*best))) best = file;
    if (!best || (sort && !std::get<0>(rank(*best)))) return {};
    return best->canonicalFilePath();
}

bool isComparable(const ModelConfig& config, const QString& file) {
    const std::optional<ModelSort> its = sortOf(file);
    const ModelSort own = sortOf(config);
    return its && its->says == own.says && its->words == own.words;
}

QString modelKeyOf(const QString& file) {
    const QFileInfo info(file);
    if (!info.exists()) return file;
    const QString name = info.completeBaseName();
    return shippedModel(name) == info.canonicalFilePath() ? name : info.absoluteFilePath();
}

QString namedModel(const QString& name) {
    if (QFileInfo::exists(name)) return name;
    if (QString file = shippedModel(name); !file.isEmpty()) return file;
    return QString::fromStdString(modelOrCached(name.toStdString()));
}

bool isAbsentModel(const QString& name) {
    if (QFileInfo::exists(name) || !shippedModel(name).isEmpty() || !isModelName(name.toStdString())) return false;
    try {
        return cachedModel(name.toStdString()).empty();
    } catch (const Error&) {  // who opens it is told what is wrong with it
        return false;
    }
}

QString modelTitle(const QString& path) {
    const QFileInfo file(path);
    if (!file.isDir()) return file.completeBaseName();
    const std::string inCache = hubName(path.toStdString());
    return inCache.empty() ? file.fileName() : QString::fromStdString(inCache);
}

std::shared_ptr<const TrainedModel> openTrainedModel(const QString& path) {
    struct Known {
        QDateTime written;
        std::weak_ptr<const TrainedModel> model;
    };
    static std::mutex mutex;  // guards known
    static std::map<QString, Known> known;
    const QFileInfo file(path);
    const QString name = file.canonicalFilePath();
    const auto shared = [&]() -> std::shared_ptr<const TrainedModel> {
        const std::lock_guard lock(mutex);
        const auto at = known.find(name);
        return at != known.end() && at->second.written == file.lastModified() ? at->second.model.lock() : nullptr;
    };
    if (auto model = shared()) return model;
    // One file after another: a lesson's step has the stage and its own numbers ask for the same one at once.
    static std::mutex loading;
    const std::lock_guard turn(loading);
    if (auto model = shared()) return model;
    auto model = std::make_shared<const TrainedModel>(openModel(path.toStdString()));
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& each) { return each.second.model.expired(); });
    known[name] = {file.lastModified(), model};
    return model;
}

QString hashOfFile(const QString& path) {
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) return {};
    return QString::fromLatin1(hash.result().toHex().left(16));
}

namespace {

constexpr const char *kRecentModels = "models/recent", *kRecentlyOpened = "opened/recent";

/// Puts a path before the others of a list that is kept.
void remember(const char* list, const QString& path, int most) {
    QStringList recent = QSettings().value(QLatin1String(list)).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    QSettings().setValue(QLatin1String(list), recent.mid(0, most));
}

}  // namespace

QStringList recentModels() {
    return QSettings().value(QLatin1String(kRecentModels)).toStringList();
}

void rememberModel(const QString& path) {
    constexpr int most = 10;
    remember(kRecentModels, path, most);
    rememberOpened(path);
}

void rememberOpened(const QString& path) {
    constexpr int most = 15;
    remember(kRecentlyOpened, path, most);
}

QStringList recentlyOpened() {
    QStringList there = QSettings().value(QLatin1String(kRecentlyOpened)).toStringList();
    there.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return there;
}

void forgetOpened() {
    QSettings().remove(QLatin1String(kRecentlyOpened));
}

QString findModel(const QString& key, const QString& hash) {
    if (QString file = shippedModel(key); !file.isEmpty()) return file;
    if (QFileInfo(key).isFile() || isModelFolder(key.toStdString())) return key;
    if (QString cached = cachedOrNone(key); !cached.isEmpty()) return cached;
    constexpr qint64 largest = 256LL << 20U;  // whoever waits for a link does not wait for gigabytes to be read
    if (hash.isEmpty()) return {};
    QStringList candidates = recentModels();
    for (const QFileInfo& file : shippedModels())
        candidates << file.filePath();
    for (const QString& path : candidates)
        if (QFileInfo(path).size() <= largest && hashOfFile(path) == hash) return path;
    return {};
}

}  // namespace headlight
