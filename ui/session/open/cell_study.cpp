// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/cell_study.h"

#include <algorithm>

#include "core/io/model_file.h"
#include "ui/session/open/shipped.h"
#include "ui/session/open/test_set.h"

namespace headlight {

namespace {

/// A shipped recurrent model, without its weights.
struct Shipped {
    QFileInfo file;
    ModelCard card;
    QString key() const { return file.completeBaseName(); }
    std::shared_ptr<const TrainedModel> open() const { return openTrainedModel(file.filePath()); }
};

std::vector<Shipped> shippedRecurrent() {
    std::vector<Shipped> found;
    for (const QFileInfo& file : shippedModels()) {
        ModelCard card = readModelCard(file.filePath().toStdString());
        if (card.config.recurrent()) found.push_back({file, std::move(card)});
    }
    return found;
}

/// Do they differ in their cell alone?
bool isSibling(const TrainedModel& one, const ModelCard& other) {
    const ModelConfig &left = one.network->config(), &right = other.config;
    return one.training.task() == other.training.task() && left.architecture == right.architecture &&
           left.attention == right.attention && left.bidirectional == right.bidirectional &&
           left.numLayers == right.numLayers && left.hiddenSize == right.hiddenSize && left.context == right.context;
}

}  // namespace

void CellStudy::setSettling(Settling* settling) {
    m_writing.setSettling(settling);
    m_reaching.setSettling(settling);
    m_gaining.setSettling(settling);
}

void CellStudy::drop() {
    m_writing.drop();
    m_reaching.drop();
    m_gaining.drop();
    m_gains.clear();
    m_model.reset();
    m_writes.reset();
    m_reaches.clear();
    m_siblings = {};
}

void CellStudy::study(const std::shared_ptr<const TrainedModel>& model, CellPlace place, const SentencePair& open) {
    const Task* const task = taskOf(model->training);
    if (model == m_model && place == m_place && (task || m_sentence == open.source)) return;
    drop();
    m_model = model;
    m_place = place;
    m_sentence = open.source;
    m_isOfOneSentence = task == nullptr;
    const auto corpus = [task, open] { return task ? task->corpus().test : Corpus{open}; };
    m_writing.ask<std::shared_ptr<const CellWrites>>(
        [model, place, corpus](const Background::Wanted& wanted) {
            return std::make_shared<const CellWrites>(cellWrites(*model, corpus(), place, kRead, wanted));
        },
        [this](const std::shared_ptr<const CellWrites>& writes) {
            m_writes = writes;
            emit writesFound();
        },
        [this](const QString& why) { emit failed(why); });
    m_reaching.ask<Found>(
        [model, place, corpus](const Background::Wanted& wanted) { return reachesOf(model, place, corpus(), wanted); },
        [this](Found found) {
            m_reaches = std::move(found.reaches);
            m_siblings = std::move(found.siblings);
            emit reachFound();
        },
        [this](const QString& why) { emit failed(why); });
    m_corpus = corpus;
    askGain();
}

void CellStudy::multiply(double gain) {
    if (gain == m_gain) return;
    m_gain = gain;
    askGain();
}

void CellStudy::askGain() {
    m_gaining.drop();
    m_gains.clear();
    if (!m_model || m_gain == 1) return;
    m_gaining.ask<std::vector<GainReach>>(
        [model = m_model, place = m_place, corpus = m_corpus, gain = m_gain](const Background::Wanted& wanted) {
            std::vector<GainReach> found;
            for (const double factor : {1.0, gain})
                found.push_back(untrainedReach(*model, corpus(), place, factor, kWithGradient, wanted));
            return found;
        },
        [this](std::vector<GainReach> found) {
            m_gains = std::move(found);
            emit gainFound();
        },
        [this](const QString& why) { emit failed(why); });
}

CellStudy::Found CellStudy::reachesOf(const std::shared_ptr<const TrainedModel>& model, CellPlace place,
                                      const Corpus& own, const StillWanted& wanted) {
    Found found;
    const ModelConfig& config = model->network->config();
    const auto add = [&](const QString& key, const TrainedModel& of, CellPlace where, const Corpus& corpus) {
        if (wanted())
            found.reaches.push_back({key, of.network->config().cell,
                                     gradientReach(of, corpus, where, kWithGradient, wanted),
                                     of.training.task() == model->training.task()});
    };
    add({}, *model, place, own);
    const std::vector<Shipped> shipped = shippedRecurrent();
    for (const Cell cell : {Cell::Rnn, Cell::Gru, Cell::Lstm}) {
        if (cell == config.cell) continue;
        const auto has = [&](const Shipped& each) { return each.card.config.cell == cell; };
        const auto sibling = std::ranges::find_if(
            shipped, [&](const Shipped& each) { return has(each) && isSibling(*model, each.card); });
        if (sibling != shipped.end()) {
            found.siblings[static_cast<size_t>(cell)] = sibling->key();
            add(sibling->key(), *sibling->open(), place, own);
            continue;
        }
        // Else the plainest translator with that cell, on its own task's sentences: the name says which.
        const auto other = std::ranges::find_if(shipped, [&](const Shipped& each) {
            const ModelConfig& its = each.card.config;
            return has(each) && its.encoderDecoder() && its.attention == AttentionKind::None &&
                   each.card.training.task() == "vi-en-long";
        });
        const Task* const task = other == shipped.end() ? nullptr : taskOf(other->card.training);
        if (task) add(other->key(), *other->open(), {Stack::Encoder, 0}, task->corpus().test);
    }
    return found;
}

}  // namespace headlight

#include "moc_cell_study.cpp"
