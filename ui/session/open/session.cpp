// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/session.h"

#include <QFileInfo>
#include <QMetaObject>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "ui/session/format/model_names.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/gold_alignment.h"

namespace headlight {

namespace {

enum SessionJob { Open, Read, Gold, Hash };

TranslationRow rowOf(const Written& translation) {
    TranslationRow row;
    for (const std::string& token : translation.tokens)
        row.words.append(QString::fromStdString(token));
    for (const std::string& token : translation.written)
        row.written.append(QString::fromStdString(token));
    for (double logProb : translation.tokenLogProbs)
        row.probabilities.push_back(static_cast<float>(std::exp(logProb)));
    row.logProb = translation.logProb;
    return row;
}

}  // namespace

std::vector<MutedHead> parseMutedHeads(const QStringList& names, const Model& model) {
    std::vector<std::string> texts;
    texts.reserve(static_cast<size_t>(names.size()));
    for (const QString& name : names)
        texts.push_back(name.toStdString());
    return parseMutedHeads(texts, model);
}

Session::Reading readSentence(const TrainedModel& model, const QString& source, const QStringList& mutedHeads,
                              const QString& target, const std::vector<Intervention>& changes) {
    Session::Reading reading;
    reading.changes = changes;
    reading.source = source;
    reading.target = target;
    const std::string text = source.toStdString();
    for (const std::string& part : textsAroundGaps(model, text))
        for (const std::string& token : model.source->split(part)) {
            if (model.source->vocabulary().contains(token)) continue;
            const std::vector<Piece> piece =
                piecesOf(std::vector<WrittenToken>{{token}}, model.source->marks(), Before::Nothing);
            reading.unknownWords.append(QString::fromStdString(piece.front().text));
        }
    reading.unknownWords.removeDuplicates();
    const std::vector<MutedHead> muted = parseMutedHeads(mutedHeads, *model.network);

    const Written plain = respond(model, text);
    reading.baseline = rowOf(plain);
    reading.translation = QString::fromStdString(plain.text);
    if (!muted.empty() || !changes.empty()) {
        const Written changed = respond(model, text, muted, changes);
        reading.muted = rowOf(changed);
        reading.translation = QString::fromStdString(changed.text);
    }
    // A classifier writes nothing: its target is a label that the loss is told of.
    const bool isForced = !target.isEmpty() && model.network->config().saysWords();
    reading.trace = std::make_shared<const Trace>(traceSentence(
        model, text, isForced ? std::optional(target.toStdString()) : std::nullopt, muted, nullptr, changes));
    return reading;
}

Session::Session(Settling* settling, QObject* parent)
    : QObject(parent), m_settling(settling ? *settling : *new Settling(this)) {}

void Session::openModel(const QString& path, const QString& sentence) {
    emit loadingStarted(path);
    m_loads = m_settling.start();
    m_jobs.post(Open, [this, path, sentence, request = ++m_modelRequest] {
        try {
            const QString at = namedModel(path);
            auto model = openTrainedModel(at);
            QMetaObject::invokeMethod(this, [this, model, path = at, sentence, request] {
                if (request != m_modelRequest) return;  // another one was asked for, or taken over, meanwhile
                const QFileInfo file(path);
                adoptModel(model, modelTitle(path), modelKeyOf(path), sentence);
                if (m_modelKey != file.absoluteFilePath()) return;
                rememberModel(m_modelKey);
                findHash(path);
            });
        } catch (const std::exception& error) {
            const QString message = QString::fromUtf8(error.what());
            QMetaObject::invokeMethod(this, [this, message, request] {
                if (request != m_modelRequest) return;
                m_loads.fail(message);
                emit failed(message);
            });
        }
    });
}

void Session::adoptModel(std::shared_ptr<const TrainedModel> model, const QString& name, const QString& key,
                         const QString& sentence) {
    ++m_modelRequest;
    m_model = std::move(model);
    m_modelName = name;
    m_modelKey = key;
    m_modelHash.clear();
    m_mutedHeads.clear();
    m_changes.clear();
    m_target.clear();
    m_reading.reset();
    const QString start = sentence.isEmpty() ? exampleSentence(*m_model) : sentence;
    if (!start.isEmpty()) m_source = start;
    read();  // under way before the model is: whoever hears of it finds the stage unsettled
    m_loads.done();
    emit modelOpened();
    emit inputChanged();
}

void Session::keepModel() {
    if (!isLoading()) return;
    ++m_modelRequest;
    m_loads.done();
    emit loadingStopped();
}

/// Low: nobody waits for it but a link.
void Session::findHash(const QString& path) {
    m_jobs.post(Hash, [this, path, request = m_modelRequest] {
        const QString digits = hashOfFile(path);
        QMetaObject::invokeMethod(this, [this, digits, request] {
            if (request == m_modelRequest) m_modelHash = digits;
        });
    });
}

void Session::setSource(const QString& text) {
    if (m_source != text) setInput(text, {}, m_mutedHeads);
}

void Session::setTarget(const QString& text) {
    setInput(m_source, text, m_mutedHeads);
}

void Session::setMutedHeads(const QStringList& heads) {
    setInput(m_source, m_target, heads);
}

void Session::setInput(const QString& source, const QString& target, const QStringList& mutedHeads,
                       const std::vector<Intervention>& changes) {
    if (m_source == source && m_target == target && m_mutedHeads == mutedHeads && m_changes == changes) return;
    m_source = source;
    m_target = target;
    m_mutedHeads = mutedHeads;
    m_changes = changes;
    read();
    emit inputChanged();
}

void Session::read() {
    const int request = ++m_readRequest;
    m_findsGold.done();
    if (!m_model) return;
    if (m_source.trimmed().isEmpty()) {
        m_reading.reset();
        m_reads.done();
        emit readingChanged();
        return;
    }
    m_reads = m_settling.start();
    m_jobs.post(Read, [this, request, model = m_model, source = m_source, target = m_target, muted = m_mutedHeads,
                       changes = m_changes] {
        try {
            // Nobody changes it after this: the two threads share it, and whoever lets go last destroys it.
            auto reading = std::make_shared<const Reading>(readSentence(*model, source, muted, target, changes));
            QMetaObject::invokeMethod(this, [this, request, reading = std::move(reading)] {
                if (request != m_readRequest) return;  // a newer sentence, or none, is wanted meanwhile
                m_reading = *reading;
                if (m_goldIsWanted) findGold();
                m_reads.done();
                emit readingChanged();
            });
        } catch (const std::exception& error) {
            const QString message = QString::fromUtf8(error.what());
            QMetaObject::invokeMethod(this, [this, request, message] {
                if (request != m_readRequest) return;
                m_reads.fail(message);
                emit failed(message);
            });
        }
    });
}

void Session::wantGold() {
    if (std::exchange(m_goldIsWanted, true) || isReading() || !m_reading) return;
    findGold();
}

void Session::findGold() {
    const QStringList written = m_reading->translation.split(u' ', Qt::SkipEmptyParts);
    m_findsGold = m_settling.start();
    m_jobs.post(Gold, [this, request = m_readRequest, model = m_model, source = m_reading->source, written] {
        GoldLinks gold;
        try {
            gold = goldAlignment(*model, source, written);
        } catch (const std::exception&) {
            // A task that does not know the sentence: there is nothing to mark.
        }
        QMetaObject::invokeMethod(this, [this, request, gold] {
            if (request != m_readRequest) return;
            m_reading->gold = gold;
            m_findsGold.done();
            emit goldFound();
        });
    });
}

QString exampleSentence(const TrainedModel& model) {
    const nlohmann::json& story = model.training.json();
    if (const auto own = story.find("example"); own != story.end() && own->is_string())
        return QString::fromStdString(own->get<std::string>());
    const Task* task = taskOf(model.training);
    if (!task) return {};
    return QString::fromUtf8(task->example.data(), static_cast<qsizetype>(task->example.size()));
}

}  // namespace headlight

#include "moc_session.cpp"
