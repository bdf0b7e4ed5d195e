// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/compare_room.h"

#include <QFileDialog>
#include <QVBoxLayout>

#include "ui/session/open/shipped.h"
#include "ui/shell/main_window.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/side_drop.h"

namespace headlight {

CompareRoom::CompareRoom(Workbench& workbench, QWidget* parent)
    : Room(workbench, parent),
      m_comparison(workbench.session),
      m_view(new CompareView(&m_comparison, &workbench.selection)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new SentenceBar(workbench.session, workbench.kept, this));
    column->addWidget(m_view, 1);
    connect(&m_comparison, &Comparison::failed, &workbench.session, &Session::failed);
    follow(m_view);
    const auto showKept = [this, &workbench] {
        QStringList sentences;
        for (const KeptInputs::Input& input : workbench.kept.all())
            sentences << input.source;
        m_view->setSentences(sentences);
    };
    connect(&workbench.kept, &KeptInputs::changed, this, showKept);
    const auto putBeside = [this](const KeptModel& model) {
        m_comparison.setModel(model);
        emit m_view->optionsChanged();
    };
    connect(&workbench, &Workbench::besideWanted, this, putBeside);
    connect(new SideDrop(m_view), &SideDrop::dropped, this,
            [this, &workbench, putBeside](SideDrop::Side side, const KeptModel& kept) {
                if (side == SideDrop::Side::Second) return putBeside(kept);
                m_comparison.setModelPath(m_comparison.modelPath());  // who drops on one side means that one
                workbench.session.adoptModel(kept.model, kept.name, kept.lastingKey());
            });
    connect(m_view, &CompareView::allHeadsOnWanted, this, [&workbench] { workbench.session.setMutedHeads({}); });
    connect(m_view, &CompareView::modelWanted, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Compare with a model"), {},
                                                          tr("Models (*.safetensors *.gguf);;All files (*)"));
        if (path.isEmpty()) return;
        m_comparison.setModelPath(path);
        emit m_view->optionsChanged();
    });
}

QWidget* CompareRoom::viewWidget() {
    return m_view;
}

std::vector<Staged*> CompareRoom::staged() {
    return {m_view};
}

void CompareRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_filled) m_view->setModels(shippedModels());
    m_filled = true;
    m_comparison.setWatched(true);
}

void CompareRoom::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_comparison.setWatched(false);
}

}  // namespace headlight

#include "moc_compare_room.cpp"
