// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/models_room.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "core/error.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/views/models/by_name/by_name_view.h"
#include "ui/views/models/cost/cost_view.h"
#include "ui/views/models/model_inspector.h"
#include "ui/views/models/model_shelf.h"
#include "ui/views/models/trained_shelf.h"
#include "ui/widgets/controls/panel.h"

namespace headlight {

ModelsRoom::ModelsRoom(Workbench& workbench, QWidget* parent)
    : ViewRoom(workbench, parent),
      m_shelf(new ModelShelf),
      m_inspector(new ModelInspector),
      m_byName(new ByNameView(this)),
      m_cost(new CostView(this)) {
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_pages);
    addPage(ViewName::Models, makeModels());
    addView(ViewName::ByName, m_byName);
    addView(ViewName::Cost, m_cost);
    m_shelf->setSettling(&workbench.settling);
    connectModels();
}

QWidget* ModelsRoom::makeModels() {
    auto* models = new QWidget;
    auto* rows = new QVBoxLayout(models);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(new SentenceBar(m_workbench.session, m_workbench.kept, this));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(0);
    columns->addWidget(scrolling(m_shelf), 1);
    columns->addWidget(m_inspector);
    rows->addLayout(columns, 1);
    return models;
}

void ModelsRoom::connectModels() {
    Session& session = m_workbench.session;
    connect(&session, &Session::modelOpened, this, &ModelsRoom::showModel);
    connect(&session, &Session::inputChanged, this, [this] {
        if (isVisible()) m_shelf->setSentence(m_workbench.session.source());
    });
    connect(&m_workbench.trained, &TrainedModels::changed, this, &ModelsRoom::refresh);
    connect(m_shelf, &ModelShelf::openRequested, &session, &Session::openModel);
    connect(m_byName, &ByNameView::openWanted, this, [this](const QString& path) {
        m_workbench.session.openModel(path);
        emit m_workbench.lookInsideRequested();
    });
    connect(m_shelf, &ModelShelf::modelWanted, &m_workbench, &Workbench::modelWanted);
    connect(trained(), &TrainedShelf::trainOnRequested, &m_workbench, &Workbench::trainOnWanted);
    connect(trained(), &TrainedShelf::renameRequested, this, &ModelsRoom::rename);
    connect(trained(), &TrainedShelf::deleteRequested, this, &ModelsRoom::moveToTrash);
    connect(trained(), &TrainedShelf::trainRequested, &m_workbench,
            [this] { emit m_workbench.viewRequested(ViewName::Training); });
    const auto key = [this] { return m_workbench.session.modelKey(); };
    connect(m_inspector, &ModelInspector::exploreRequested, &m_workbench, &Workbench::lookInsideRequested);
    connect(m_inspector, &ModelInspector::trainOnRequested, this,
            [this, key] { emit m_workbench.trainOnWanted(key()); });
    connect(m_inspector, &ModelInspector::renameRequested, this, [this, key] { rename(key()); });
    connect(m_inspector, &ModelInspector::deleteRequested, this, [this, key] { moveToTrash(key()); });
}

TrainedShelf* ModelsRoom::trained() const {
    return m_shelf->trained();
}

QWidget* ModelsRoom::ownTools() const {
    return m_inspector->ownTools();
}

void ModelsRoom::refresh() {
    std::vector<std::pair<QString, QString>> trained;
    for (const TrainedModels::Entry& entry : m_workbench.trained.list())
        trained.emplace_back(entry.path, entry.name);
    m_shelf->setSentence(m_workbench.session.source());
    m_shelf->refresh(m_workbench.trained.folder(), trained);
    markOpenModel();
}

void ModelsRoom::rename(const QString& path) {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename the model"));
    dialog->setLabelText(tr("The name of the model, and of its file"));
    dialog->setTextValue(QFileInfo(path).completeBaseName());
    connect(dialog, &QInputDialog::textValueSelected, this, [this, path](const QString& name) {
        try {
            const QString to = m_workbench.trained.rename(path, name);
            // What is open is shown, remembered and linked to by its file.
            if (m_workbench.session.modelKey() == path && to != path) m_workbench.session.openModel(to);
        } catch (const Error& error) {
            emit m_workbench.session.failed(QString::fromUtf8(error.what()));
        }
    });
    dialog->open();
}

void ModelsRoom::moveToTrash(const QString& path) {
    try {
        m_workbench.trained.moveToTrash(path);
    } catch (const Error& error) {
        emit m_workbench.session.failed(QString::fromUtf8(error.what()));
    }
}

void ModelsRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void ModelsRoom::markOpenModel() {
    const QString& key = m_workbench.session.modelKey();
    const QString shipped = shippedModel(key);
    m_shelf->setOpen(shipped.isEmpty() ? key : shipped);
    ownTools()->setVisible(
        std::ranges::any_of(trained()->rows(), [&key](const auto& row) { return row.first == key; }));
}

void ModelsRoom::showModel() {
    const auto& model = m_workbench.session.model();
    m_cost->setModel(model);
    m_inspector->setModel(model, m_workbench.session.modelName());
    // What was opened just now stands on the shelf.
    if (isVisible()) return refresh();
    markOpenModel();
}

}  // namespace headlight

#include "moc_models_room.cpp"
