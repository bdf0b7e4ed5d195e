// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/io/trained_model.h"
#include "ui/widgets/controls/panel.h"

class QLabel;
class QTableWidget;

namespace headlight {

class ModelBlueprint;

/// The open model, taken apart: its blueprint, what it is, and the tensors of the part that is chosen in it.
class ModelInspector : public Panel {
    Q_OBJECT
public:
    explicit ModelInspector(QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const TrainedModel> model, const QString& name);
    /// What may be done with a model that was trained here.
    QWidget* ownTools() const { return m_ownTools; }
    ModelBlueprint* blueprint() const { return m_blueprint; }
    QTableWidget* tensors() const { return m_tensors; }
    QString title() const;

signals:
    void exploreRequested();
    void trainOnRequested();
    void renameRequested();
    void deleteRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeOwnTools();
    void showTensors();

    std::shared_ptr<const TrainedModel> m_model;
    bool m_isNarrow = false;  ///< a tensor's count stands below its shape
    QLabel *m_title, *m_caption, *m_facts, *m_part;
    QWidget* m_explore;
    QWidget* m_ownTools;
    ModelBlueprint* m_blueprint;
    QTableWidget* m_tensors;
};

}  // namespace headlight
