// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/session.h"

#include <QFileInfo>
#include <QMetaObject>
#include <cmath>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "ui/session/format/model_names.h"
#include "ui/session/trace/gold_alignment.h"

namespace headlight {

namespace {

enum JobKind { Open, Read, Gold };

TranslationRow rowOf(const Written& translation) {
    TranslationRow row;
    for (const std::string& token : translation.tokens)
        row.words.append(QString::fromStdString(token));
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
                              const QString& target) {
    Session::Reading reading;
    reading.source = source;
    reading.target = target;
    const std::string text = source.toStdString();
    for (const std::string& token : model.source->split(text))
        if (!model.source->vocabulary().contains(token)) reading.unknownWords.append(QString::fromStdString(token));
    const std::vector<MutedHead> muted = parseMutedHeads(mutedHeads, *model.network);

    const Written plain = respond(model, text);
    reading.baseline = rowOf(plain);
    reading.translation = QString::fromStdString(plain.text);
    if (!muted.empty()) {
        const Written changed = respond(model, text, muted);
        reading.muted = rowOf(changed);
        reading.translation = QString::fromStdString(changed.text);
    }
    reading.trace = std::make_shared<const Trace>(
        traceSentence(model, text, target.isEmpty() ? std::nullopt : std::optional(target.toStdString()), muted));
    return reading;
}

Session::Session(QObject* parent) : QObject(parent) {}

void Session::openModel(const QString& path) {
    emit loadingStarted(path);
    m_jobs.post(Open, [this, path, request = ++m_request] {
        try {
            auto model = std::make_shared<const TrainedModel>(loadModel(path.toStdString()));
            QMetaObject::invokeMethod(this, [this, model, path, request] {
                // Another model may have been taken over while this one loaded.
                if (request == m_request) adoptModel(model, QFileInfo(path).completeBaseName());
            });
        } catch (const std::exception& error) {
            const QString message = QString::fromUtf8(error.what());
            QMetaObject::invokeMethod(this, [this, message] { emit failed(message); });
        }
    });
}

void Session::adoptModel(std::shared_ptr<const TrainedModel> model, const QString& name) {
    ++m_request;
    m_model = std::move(model);
    m_modelName = name;
    m_mutedHeads.clear();
    m_target.clear();
    m_reading.reset();
    const QString example = exampleSentence(*m_model);
    if (!example.isEmpty()) m_source = example;
    emit modelOpened();
    read();
}

void Session::setSource(const QString& text) {
    if (m_source == text) return;
    m_source = text;
    m_target.clear();
    read();
}

void Session::setTarget(const QString& text) {
    if (m_target == text) return;
    m_target = text;
    read();
}

void Session::setMutedHeads(const QStringList& heads) {
    if (m_mutedHeads == heads) return;
    m_mutedHeads = heads;
    read();
}

void Session::read() {
    if (!m_model) return;
    m_settled = m_source.trimmed().isEmpty();
    if (m_settled) {
        m_reading.reset();
        emit readingChanged();
        return;
    }
    m_jobs.post(Read, [this, model = m_model, source = m_source, target = m_target, muted = m_mutedHeads] {
        try {
            // Nobody changes it after this: the two threads share it, and whoever lets go last destroys it.
            auto reading = std::make_shared<const Reading>(readSentence(*model, source, muted, target));
            QMetaObject::invokeMethod(this, [this, model, reading = std::move(reading)] {
                if (model != m_model) return;  // another model was opened meanwhile
                m_reading = *reading;
                emit readingChanged();
                findGold();
            });
        } catch (const std::exception& error) {
            const QString message = QString::fromUtf8(error.what());
            QMetaObject::invokeMethod(this, [this, message] { emit failed(message); });
        }
    });
}

void Session::findGold() {
    const QStringList written = m_reading->translation.split(u' ', Qt::SkipEmptyParts);
    m_jobs.post(Gold, [this, model = m_model, source = m_reading->source, written] {
        const GoldLinks gold = goldAlignment(*model, source, written);
        QMetaObject::invokeMethod(this, [this, model, source, gold] {
            if (model != m_model || !m_reading || m_reading->source != source) return;
            m_reading->gold = gold;
            m_settled = true;
            emit goldFound();
        });
    });
}

QString exampleSentence(const TrainedModel& model) {
    const Task* task = taskOf(model.training);
    if (!task) return {};
    return QString::fromUtf8(task->example.data(), static_cast<qsizetype>(task->example.size()));
}

}  // namespace headlight
