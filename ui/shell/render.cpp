// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/render.h"

#include <QApplication>

#include <functional>
#include <memory>

#include "core/error.h"
#include "ui/session/session.h"
#include "ui/session/selection.h"
#include "ui/shell/figure_export.h"
#include "ui/views/attention_view.h"
#include "ui/widgets/theme.h"

namespace headlight {

namespace {

/// What a view is drawn from.
struct Scene {
    Selection selection;
    TrainedModel model;
    Session::Reading reading;
    QStringList muted;
};

using MakeView = std::function<std::unique_ptr<QWidget>(Scene&)>;

std::unique_ptr<QWidget> makeAttention(Scene& scene) {
    auto view = std::make_unique<AttentionView>(&scene.selection);
    view->setTrace(scene.reading.trace);
    view->setBaseline(scene.reading.baseline);
    const std::vector<QString> muted(scene.muted.begin(), scene.muted.end());
    if (scene.reading.muted) view->setMuted(*scene.reading.muted, muted);
    return view;
}

/// Every view that can be drawn; a new one is registered here.
const QMap<QString, MakeView>& views() {
    static const QMap<QString, MakeView> all{{QStringLiteral("attention"), makeAttention}};
    return all;
}

int positiveNumber(const QString& key, const QString& text) {
    bool ok = false;
    const int number = text.toInt(&ok);
    if (!ok || number < 1) throw Error("--option " + key.toStdString() + "=" + text.toStdString() + ": give a number from 1 on");
    return number;
}

/// block=decoder.layers.1.cross_attn, head=1…, cell=ROW,COLUMN (from 1), mute=BLOCK.HEAD,… (heads from 0, as on the command line).
void applyOptions(const RenderRequest& request, Scene& scene) {
    for (const auto& [key, value] : request.options.asKeyValueRange()) {
        if (key == QLatin1String("block")) {
            if (!scene.reading.trace->find(value.toStdString() + ".weights"))
                throw Error("--option block=" + value.toStdString() + ": the model has no such attention block");
            scene.selection.setBlock(value);
        } else if (key == QLatin1String("head")) {
            const int head = positiveNumber(key, value);
            if (head > scene.model.transformer->config().numHeads)
                throw Error("--option head=" + value.toStdString() + ": the model has " +
                            std::to_string(scene.model.transformer->config().numHeads) + " heads");
            scene.selection.setHead(head - 1);
        } else if (key == QLatin1String("cell")) {
            const QStringList parts = value.split(',');
            if (parts.size() != 2) throw Error("--option cell=" + value.toStdString() + ": give ROW,COLUMN");
            scene.selection.setCell({positiveNumber(key, parts[0]) - 1, positiveNumber(key, parts[1]) - 1});
        } else if (key != QLatin1String("mute")) {
            throw Error("--option " + key.toStdString() + " is not known: use block, head, cell or mute");
        }
    }
}

}  // namespace

void render(const RenderRequest& request) {
    const auto make = views().find(request.view);
    if (make == views().end())
        throw Error("there is no view \"" + request.view.toStdString() + "\" to draw: use " + views().keys().join(", ").toStdString());
    if (request.size.width() < 200 || request.size.height() < 200 || request.size.width() > 10000 || request.size.height() > 10000)
        throw Error("--size must be between 200x200 and 10000x10000");

    Scene scene;
    scene.model = loadModel(request.model.toStdString());
    const QString source = request.source.isEmpty() ? exampleSentence(scene.model) : request.source;
    if (source.isEmpty()) throw Error("say what to read with --source: the model has no sentence of its own");
    scene.muted = request.options.value(QStringLiteral("mute")).split(',', Qt::SkipEmptyParts);
    scene.reading = readSentence(scene.model, source, scene.muted);
    const std::unique_ptr<QWidget> view = (*make)(scene);
    applyOptions(request, scene);
    view->setAttribute(Qt::WA_DontShowOnScreen);
    view->resize(request.size);
    view->show();  // lays out, scroll areas too; nothing appears
    QApplication::processEvents();
    exportFigure(*view, request.out);
}

}  // namespace headlight
