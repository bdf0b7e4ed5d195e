// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/models/model_section.h"

namespace headlight {

/// The models that were trained here, with what may be done with each, and the way to train another.
class TrainedShelf : public ModelSection {
    Q_OBJECT
public:
    explicit TrainedShelf(QWidget* parent = nullptr);

    QAbstractButton* trainAnother() const { return m_another; }

signals:
    void trainOnRequested(const QString& path);
    void renameRequested(const QString& path);
    void deleteRequested(const QString& path);
    void trainRequested();

protected:
    void prepare(ModelTile& tile) override;

private:
    QAbstractButton* m_another;
};

}  // namespace headlight
