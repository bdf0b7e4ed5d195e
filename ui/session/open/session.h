// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/nn/intervention.h"
#include "core/trace/trace.h"
#include "ui/session/open/job_thread.h"
#include "ui/session/open/settling.h"
#include "ui/session/open/translation_row.h"
#include "ui/session/trace/attention_facts.h"

namespace headlight {

/// What is open: a model, a sentence, what the model makes of it. Loading and translating run on a thread of their own;
/// a newer request takes the place of one that waits, and what an older one finds out is dropped.
class Session : public QObject {
    Q_OBJECT
public:
    /// `settling` hears of what is under way; null: one of its own does.
    explicit Session(Settling* settling = nullptr, QObject* parent = nullptr);

    /// What the model did with the sentence. `muted` is set while heads are muted or values changed.
    struct Reading {
        QString source;
        QString target;       ///< that was forced; else empty
        QString translation;  ///< or continuation, or label; with the muted heads, where there are any
        QStringList unknownWords;
        std::vector<Intervention> changes;   ///< that it was read with
        std::shared_ptr<const Trace> trace;  ///< with the muted heads and the changes, where there are any
        TranslationRow baseline;
        std::optional<TranslationRow> muted;
        /// Between the sentence and what was written, where the task knows them; comes later, with goldFound().
        GoldLinks gold = {};
    };

    const std::shared_ptr<const TrainedModel>& model() const { return m_model; }
    const QString& modelName() const { return m_modelName; }
    /// What StageState::model says of it: a shipped model's name, a file's path, `run:STEP`; empty: none of these.
    const QString& modelKey() const { return m_modelKey; }
    /// Of the file's bytes, 16 hexadecimal digits; empty until it is computed, and for what comes from no file.
    const QString& modelHash() const { return m_modelHash; }
    Settling& settling() const { return m_settling; }
    bool isLoading() const { return m_loads.isUnderWay(); }
    bool isReading() const { return m_reads.isUnderWay(); }
    const QString& source() const { return m_source; }
    /// What an encoder-decoder is made to write (teacher forcing); empty: its own translation.
    const QString& target() const { return m_target; }
    const QStringList& mutedHeads() const { return m_mutedHeads; }
    /// Of values, made in every pass; none: the model as it is.
    const std::vector<Intervention>& changes() const { return m_changes; }
    const std::optional<Reading>& reading() const { return m_reading; }
    /// Everything about the sentence is known, its gold links too where they are wanted, or it cannot be read.
    bool isSettled() const { return !m_reads.isUnderWay() && !m_findsGold.isUnderWay(); }

    /// Loads what namedModel() finds, in the background; modelOpened() or failed() follows. `sentence` is read then;
    /// empty: one that suits the model, where one is known.
    void openModel(const QString& path, const QString& sentence = {});
    /// Whatever model is on its way is not wanted any more.
    void keepModel();
    /// Takes over a model that is in memory (one that was just trained).
    void adoptModel(std::shared_ptr<const TrainedModel> model, const QString& name, const QString& key = {},
                    const QString& sentence = {});
    /// Another sentence is translated by the model itself again.
    void setSource(const QString& text);
    void setTarget(const QString& text);
    /// All at once; read only where one of them is another.
    void setInput(const QString& source, const QString& target, const QStringList& mutedHeads,
                  const std::vector<Intervention>& changes = {});
    /// Names such as `decoder.layers.1.cross_attn.3`.
    void setMutedHeads(const QStringList& heads);
    /// Somebody shows gold links: from now on they are looked for with every reading.
    void wantGold();

signals:
    void loadingStarted(const QString& path);
    void loadingStopped();  ///< without a model, as it is not wanted any more
    void modelOpened();
    /// Sentence, target or muted heads are others, whoever set them; their reading follows.
    void inputChanged();
    void readingChanged();
    /// The reading's gold links are known (the task's corpus has to be made once).
    void goldFound();
    /// One line: what is wrong and what to do.
    void failed(const QString& message);

private:
    void read();
    void findGold();
    void findHash(const QString& path);

    std::shared_ptr<const TrainedModel> m_model;
    QString m_modelName, m_modelKey, m_modelHash;
    QString m_source;
    QString m_target;
    QStringList m_mutedHeads;
    std::vector<Intervention> m_changes;
    std::optional<Reading> m_reading;
    int m_modelRequest = 0;  ///< counts the models that were asked for: the last one wins
    int m_readRequest = 0;   ///< likewise the readings
    Settling& m_settling;
    Settling::Work m_loads, m_reads, m_findsGold;
    bool m_goldIsWanted = false;
    JobThread m_jobs;  ///< last, so that its thread ends before what it reports to
};

/// Names such as `decoder.layers.1.cross_attn.3`. Throws Error for a head that the model does not have.
std::vector<MutedHead> parseMutedHeads(const QStringList& names, const Model& model);

/// Reads and translates a sentence at once, on this thread. Throws Error.
Session::Reading readSentence(const TrainedModel& model, const QString& source, const QStringList& mutedHeads = {},
                              const QString& target = {}, const std::vector<Intervention>& changes = {});

/// A sentence that suits the model: the one that its file names, or its task's example; else empty.
QString exampleSentence(const TrainedModel& model);

}  // namespace headlight
