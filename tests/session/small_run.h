// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "ui/session/open/run_record.h"
#include "ui/session/open/training_run.h"

namespace headlight::fixture {

/// A run of some seconds.
inline TrainingSetup smallSetup(long steps) {
    TrainingSetup setup;
    setup.data.files.task = "copy";
    setup.config.dModel = 16;
    setup.config.numHeads = 2;
    setup.config.numEncoderLayers = setup.config.numDecoderLayers = 1;
    setup.config.dFf = 32;
    setup.config.maxLength = 24;  // one that has learned nothing writes on to the last position
    setup.options.steps = steps;
    setup.options.batchSize = 16;
    setup.options.threads = 1;
    return setup;
}

/// A run and its curves, as a window keeps them.
struct SmallRun {
    TrainingRun run;
    RunCurves curves;
    int arrivedAt = -1;

    SmallRun() {
        QObject::connect(&run, &TrainingRun::pointsAdded, [this](const std::vector<TrainingPoint>& points) {
            curves.points.insert(curves.points.end(), points.begin(), points.end());
        });
        QObject::connect(&run, &TrainingRun::validated, [this](const std::vector<ValidationPoint>& points) {
            curves.validations.insert(curves.validations.end(), points.begin(), points.end());
        });
        QObject::connect(&run, &TrainingRun::cutBack, [this](int step) { curves = upTo(curves, step); });
        QObject::connect(&run, &TrainingRun::arrived, [this](int step) { arrivedAt = step; });
    }

    bool trainTo(int step) {
        arrivedAt = -1;
        run.trainTo(step);
        return QTest::qWaitFor([&] { return arrivedAt == step; }, fixture::kLongPatienceMs);
    }

    /// Turned and told of.
    bool turnRate(double factor) {
        bool turned = false;
        const auto connection = QObject::connect(&run, &TrainingRun::rateTurned, [&] { turned = true; });
        run.setRateFactor(factor);
        const bool told = QTest::qWaitFor([&] { return turned; }, fixture::kLongPatienceMs);
        QObject::disconnect(connection);
        return told;
    }

    /// The weights where the run stands.
    std::vector<float> weights() {
        const ModelToSave found = model(-1);
        if (!found.model) return {};
        const auto flat = std::as_const(*found.model->network).parameters().flat();
        return {flat.begin(), flat.end()};
    }

    ModelToSave model(int step) {
        ModelToSave found;
        const auto connection =
            QObject::connect(&run, &TrainingRun::modelToSave, [&](const ModelToSave& model, int) { found = model; });
        run.requestModelToSave(step);
        static_cast<void>(QTest::qWaitFor([&] { return found.model != nullptr; }, fixture::kLongPatienceMs));
        QObject::disconnect(connection);
        return found;
    }
};

}  // namespace headlight::fixture
