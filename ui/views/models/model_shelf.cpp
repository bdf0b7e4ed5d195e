// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/model_shelf.h"

#include <QFileInfo>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/open/shipped.h"
#include "ui/views/models/empty_place.h"
#include "ui/views/models/trained_shelf.h"

namespace headlight {

namespace {
/// Sections whose largest models differ by no more stand at one scale.
constexpr double kMostApart = 3;
}  // namespace

ModelShelf::ModelShelf(QWidget* parent)
    : QWidget(parent),
      m_shipped(new ModelSection(tr("Included with Headlight"), ModelTile::Tells::Model, this)),
      m_trained(new TrainedShelf(this)),
      m_elsewhere(new ModelSection(tr("Opened from elsewhere"), ModelTile::Tells::Model, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(12);
    for (ModelSection* section : sections()) {
        column->addWidget(section);
        connect(section, &ModelSection::openRequested, this, [this, section](const QString& path) {
            const std::optional<ShelfAnswer>& answer = section->tile(path)->answer();
            emit openRequested(path, answer ? answer->asked : QString());
        });
        connect(section, &ModelSection::arranged, this, &ModelShelf::scale);
    }
    column->addStretch();
    m_shipped->showColours();
    auto* open =
        new EmptyPlace(tr("Open a model…"), tr("Hugging Face, GGUF, PyTorch as safetensors, Headlight: or drop "
                                               "a file or folder on the window"));
    open->setToolTip(tr("A .safetensors or .gguf file, or config.json in a folder of Hugging Face's"));
    m_elsewhere->setPlace(open);
    connect(open, &QAbstractButton::clicked, this, &ModelShelf::modelWanted);
}

void ModelShelf::setSettling(Settling* settling) {
    m_reads.setSettling(settling);
    m_asks.setSettling(settling);
}

std::vector<ModelSection*> ModelShelf::sections() const {
    return {m_shipped, m_trained, m_elsewhere};
}

QStringList ModelShelf::paths() const {
    QStringList all;
    for (const ModelSection* section : sections())
        for (const auto& [path, tile] : section->rows())
            all << path;
    return all;
}

void ModelShelf::refresh(const QString& folder, const std::vector<std::pair<QString, QString>>& trained) {
    m_trained->setVisible(!folder.isEmpty());
    if (m_shipped->rows().empty()) {
        std::vector<std::pair<QString, QString>> shipped;
        for (const QFileInfo& file : shippedModels())
            shipped.emplace_back(file.canonicalFilePath(), file.completeBaseName());
        m_shipped->setModels(shipped);
    }
    const auto pathsOf = [](const auto& models) {
        QStringList all;
        for (const auto& each : models)
            all << each.first;
        return all;
    };
    if (pathsOf(trained) != pathsOf(m_trained->rows())) m_trained->setModels(trained);
    std::vector<std::pair<QString, QString>> others;
    for (const QString& path : modelsFromElsewhere(folder))
        others.emplace_back(path, modelTitle(path));
    if (pathsOf(others) != pathsOf(m_elsewhere->rows())) m_elsewhere->setModels(others);
    read();
}

/// What changed since it was read, one file after another; each is shown as it comes.
void ModelShelf::read() {
    QStringList wanted;
    for (const QString& path : paths()) {
        const auto known = m_known.find(path);
        if (known != m_known.end() && known->second.written == QFileInfo(path).lastModified())
            take(known->second.model);
        else
            wanted << path;
    }
    if (wanted.isEmpty()) return ask();
    const auto readAll = [this, wanted](const Background::Wanted& isWanted) {
        for (const QString& path : wanted) {
            if (!isWanted()) break;
            const QDateTime written = QFileInfo(path).lastModified();
            QMetaObject::invokeMethod(this, [this, isWanted, written, model = readShelfModel(path)] {
                if (!isWanted()) return;
                m_known[model.path] = {written, model};
                take(model);
            });
        }
        return true;
    };
    // What is wrong with a file stands on its tile; reading itself does not fail.
    m_reads.ask<bool>(
        readAll, [this](bool) { ask(); }, [](const QString&) {});
}

void ModelShelf::take(const ShelfModel& model) {
    for (ModelSection* section : sections())
        section->setModel(model);
}

void ModelShelf::setSentence(const QString& sentence) {
    if (sentence == m_sentence) return;
    m_sentence = sentence;
    if (!m_reads.isBusy() && !m_known.empty()) ask();
}

void ModelShelf::ask() {
    std::vector<ShelfModel> models;
    for (const QString& path : paths())
        if (const auto known = m_known.find(path); known != m_known.end()) models.push_back(known->second.model);
    const auto askAll = [this, models = std::move(models), sentence = m_sentence](const Background::Wanted& isWanted) {
        for (const ShelfModel& model : models) {
            if (!isWanted()) break;
            std::optional<ShelfAnswer> answer;
            try {
                answer = askShelfModel(model, sentence);
            } catch (const std::exception&) {  // a sentence that this model cannot read: it says nothing
                answer.reset();
            }
            QMetaObject::invokeMethod(this, [this, isWanted, path = model.path, answer] {
                if (!isWanted()) return;
                for (ModelSection* section : sections())
                    section->setAnswer(path, answer);
            });
        }
        return true;
    };
    m_asks.ask<bool>(
        askAll, [](bool) {}, [](const QString&) {});
}

void ModelShelf::setOpen(const QString& path) {
    for (ModelSection* section : sections())
        section->setOpen(path);
}

/// One scale for all, where their sizes let areas be compared; else one for each section that says so.
void ModelShelf::scale() {
    if (m_isScaling) return;
    m_isScaling = true;
    const double own = m_shipped->leastScale();
    double shared = own;
    for (const ModelSection* section : {static_cast<ModelSection*>(m_trained), m_elsewhere})
        if (section->leastScale() <= kMostApart * own) shared = std::max(shared, section->leastScale());
    m_shipped->setScale(shared, false);
    for (ModelSection* section : {static_cast<ModelSection*>(m_trained), m_elsewhere}) {
        const bool apart = section->leastScale() > kMostApart * own;
        const double scale = apart ? section->leastScale() : section->leastScale() > 0 ? shared : 0;
        section->setScale(scale, apart);
    }
    m_isScaling = false;
}

}  // namespace headlight

#include "moc_model_shelf.cpp"
