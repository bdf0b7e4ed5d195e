// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/shelf_model.h"

#include <QDir>
#include <QFileInfo>

#include "core/error.h"
#include "core/import/import_model.h"
#include "ui/session/open/model_parameters.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"

namespace headlight {

namespace {
constexpr long kMostAsked = 5'000'000;  ///< parameters of a model that is asked without being opened
}

ShelfModel readShelfModel(const QString& path) {
    ShelfModel model{.path = path};
    try {
        model.card = readCardOf(path.toStdString());
        // The modules tell where their weights belong; these stay zeros that nobody touches, and take no memory.
        const std::unique_ptr<const Model> network = Model::make(model.card.config);
        model.parameters = parametersOf(*network);
        model.count = static_cast<long>(network->parameters().count());
    } catch (const std::exception& error) {
        model.trouble = QString::fromUtf8(error.what());
    }
    return model;
}

QStringList modelsFromElsewhere(const QString& trainedFolder) {
    QStringList paths;
    for (const QString& path : recentModels()) {
        const QFileInfo file(path);
        const bool isOurs = !trainedFolder.isEmpty() && file.dir() == QDir(trainedFolder);
        const bool ships = modelKeyOf(path) == file.completeBaseName();
        if (file.exists() && !isOurs && !ships) paths << path;
    }
    return paths;
}

std::optional<ShelfAnswer> askShelfModel(const ShelfModel& model, const QString& sentence) {
    if (!model.trouble.isEmpty() || model.count > kMostAsked || model.card.config.headless()) return {};
    const auto opened = openTrainedModel(model.path);
    if (!sentence.trimmed().isEmpty()) {
        const Session::Reading reading = readSentence(*opened, sentence);
        if (reading.unknownWords.isEmpty()) return ShelfAnswer{sentence, false, reading.translation};
    }
    const QString own = exampleSentence(*opened);
    if (own.isEmpty()) return {};
    return ShelfAnswer{own, true, readSentence(*opened, own).translation};
}

}  // namespace headlight
