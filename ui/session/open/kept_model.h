// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMimeData>
#include <QString>
#include <memory>

#include "core/io/trained_model.h"

namespace headlight {

/// A model that a run has kept: it lies in memory, and no file has it.
struct KeptModel {
    std::shared_ptr<const TrainedModel> model;
    QString name;  ///< "vi-en, step 400"
    /// As StageState names it: `run:STEP` of the present run; `run:STEP:NUMBER` of an earlier one, which nobody can
    /// train again by that name.
    QString key;
    /// What the session may call it: the key, where a state that names it can be asked for again; else empty.
    QString lastingKey() const { return key.count(u':') == 1 ? key : QString(); }
};

/// One on its way from one view to another, in the reader's hand.
class KeptModelDrag : public QMimeData {
    Q_OBJECT
public:
    explicit KeptModelDrag(KeptModel model);
    const KeptModel& model() const { return m_model; }

private:
    KeptModel m_model;
};

/// Is that such a model?
inline bool isModelOfRun(const QString& key) {
    return key.startsWith(QLatin1String("run:"));
}

}  // namespace headlight
