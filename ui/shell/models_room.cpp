// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/models_room.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/io/model_file.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/workbench.h"
#include "ui/views/models/cost/cost_view.h"
#include "ui/views/models/embedding_view.h"
#include "ui/widgets/controls/choice_row.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/plain_table.h"

namespace headlight {

ModelsRoom::ModelsRoom(Workbench& workbench, QWidget* parent)
    : Room(parent),
      m_workbench(workbench),
      m_shelf(new Card(tr("They come with Headlight"), {}, this)),
      m_card(new Card(tr("No model open"), {}, this)),
      m_table(makePlainTable({tr("Tensor"), tr("Shape"), tr("Parameters")}, tr("Tensors of the open model"))),
      m_pages(new QStackedWidget(this)),
      m_cost(new CostView(this)),
      m_embeddings(new EmbeddingView(this)) {
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_pages);
    auto* models = new QWidget;
    m_pages->addWidget(models);
    m_pages->addWidget(m_cost);
    m_pages->addWidget(m_embeddings);
    auto* column = new QVBoxLayout(models);
    column->setContentsMargins(20, 20, 20, 20);
    column->setSpacing(16);
    auto* buttons = new QHBoxLayout;
    auto* open = new Button(Button::Kind::Primary, tr("Open a model…"), Icon::Models, this);
    open->setToolTip(
        tr("A .safetensors file, or config.json in a folder of Hugging Face's; or drop the folder on the window"));
    buttons->addWidget(open);
    buttons->addStretch();
    column->addLayout(buttons);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(16);
    m_shelf->setFixedWidth(340);
    cards->addWidget(m_shelf);
    cards->addWidget(m_card, 1);
    column->addLayout(cards, 1);

    for (const int number : {1, 2}) {
        m_table->horizontalHeader()->setSectionResizeMode(number, QHeaderView::Interactive);
        m_table->setColumnWidth(number, 140);
    }
    m_card->body()->addWidget(m_table);

    connect(open, &Button::clicked, &workbench, &Workbench::modelWanted);
    follow(m_cost);
    follow(m_embeddings);
    connect(&workbench.session, &Session::modelOpened, this, &ModelsRoom::showModel);
}

std::vector<Room::View> ModelsRoom::views() const {
    return {{ViewName::Models, tr("Models")}, {ViewName::Cost, tr("Cost")}, {ViewName::Embeddings, tr("Embeddings")}};
}

std::vector<Staged*> ModelsRoom::staged() {
    return {m_cost, m_embeddings};
}

ViewName ModelsRoom::currentView() const {
    return views()[static_cast<size_t>(m_pages->currentIndex())].name;
}

void ModelsRoom::showView(ViewName view) {
    const std::vector<View> all = views();
    m_pages->setCurrentIndex(static_cast<int>(std::ranges::find(all, view, &View::name) - all.begin()));
}

void ModelsRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_rows.empty()) fillShelf();
}

void ModelsRoom::fillShelf() {
    auto* list = new QWidget;
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(2);
    for (const QFileInfo& file : shippedModels()) {
        QString title = file.completeBaseName(), more;
        try {
            const ModelCard card = readModelCard(file.filePath().toStdString());
            if (const QString task = taskTitle(card.training); !task.isEmpty()) title = task;
            more = describeModel(card.config);
        } catch (const std::exception& error) {
            more = QString::fromUtf8(error.what());
        }
        auto* row = new ChoiceRow(title, more, list);
        row->setToolTip(file.fileName());
        connect(row, &ChoiceRow::clicked, this, [this, file] { m_workbench.session.openModel(file.filePath()); });
        column->addWidget(row);
        m_rows.emplace_back(file.completeBaseName(), row);
    }
    column->addStretch();
    m_shelf->body()->addWidget(scrolling(list));
    markOpenModel();
}

void ModelsRoom::markOpenModel() {
    for (const auto& [name, row] : m_rows) {
        row->setAutoExclusive(false);  // none at all may be the open one
        row->setChecked(name == m_workbench.session.modelName());
        row->setAutoExclusive(true);
    }
}

void ModelsRoom::showModel() {
    markOpenModel();
    m_cost->setModel(m_workbench.session.model());
    m_embeddings->setModel(m_workbench.session.model());
    const TrainedModel& model = *m_workbench.session.model();
    const ParameterSet& parameters = std::as_const(*model.network).parameters();
    m_card->setTitle(m_workbench.session.modelName());
    m_card->setCaption(tr("%1 parameters, %2 source words, %3 target words")
                           .arg(formatCount(static_cast<qint64>(parameters.count())),
                                formatCount(model.source->vocabulary().size()),
                                formatCount(model.target->vocabulary().size())));
    m_table->setRowCount(static_cast<int>(parameters.entries().size()));
    int row = 0;
    for (const ParameterSet::Entry& entry : parameters.entries()) {
        setPlainRow(m_table, row,
                    {QString::fromStdString(entry.name), QString::fromStdString(entry.shape.text()),
                     formatCount(static_cast<qint64>(entry.shape.count()))});
        m_table->item(row, 0)->setFont(monoFont(12));
        ++row;
    }
}

}  // namespace headlight
