// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/open/job_thread.h"
#include "ui/session/open/translation_row.h"
#include "ui/session/trace/attention_facts.h"

namespace headlight {

/// What is open: a model, a sentence, what the model makes of it. Loading and translating run on a thread of their own;
/// a newer request takes the place of one that waits.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);

    /// What the model did with the sentence. `muted` is set while heads are muted.
    struct Reading {
        QString source;
        QString target;       ///< that was forced; else empty
        QString translation;  ///< or continuation, or label; with the muted heads, where there are any
        QStringList unknownWords;
        std::shared_ptr<const Trace> trace;  ///< of the model with every head on; with muted heads, of the muted one
        TranslationRow baseline;
        std::optional<TranslationRow> muted;
        /// Between the sentence and what was written, where the task knows them; comes later, with goldFound().
        GoldLinks gold = {};
    };

    const std::shared_ptr<const TrainedModel>& model() const { return m_model; }
    const QString& modelName() const { return m_modelName; }
    const QString& source() const { return m_source; }
    /// What an encoder-decoder is made to write (teacher forcing); empty: its own translation.
    const QString& target() const { return m_target; }
    const QStringList& mutedHeads() const { return m_mutedHeads; }
    const std::optional<Reading>& reading() const { return m_reading; }
    /// Everything about the reading is known, its gold links too.
    bool isSettled() const { return m_settled; }

    /// Loads in the background; modelOpened() or failed() follows.
    void openModel(const QString& path);
    /// Takes over a model that is in memory (one that was just trained).
    void adoptModel(std::shared_ptr<const TrainedModel> model, const QString& name);
    /// Another sentence is translated by the model itself again.
    void setSource(const QString& text);
    void setTarget(const QString& text);
    /// Names such as `decoder.layers.1.cross_attn.3`.
    void setMutedHeads(const QStringList& heads);

signals:
    void loadingStarted(const QString& path);
    void modelOpened();
    void readingChanged();
    /// The reading's gold links are known (the task's corpus has to be made once).
    void goldFound();
    /// One line: what is wrong and what to do.
    void failed(const QString& message);

private:
    void read();
    void findGold();

    std::shared_ptr<const TrainedModel> m_model;
    QString m_modelName;
    QString m_source;
    QString m_target;
    QStringList m_mutedHeads;
    std::optional<Reading> m_reading;
    bool m_settled = true;
    int m_request = 0;  ///< counts the models that were asked for: the last one wins
    JobThread m_jobs;   ///< last, so that its thread ends before what it reports to
};

/// Names such as `decoder.layers.1.cross_attn.3`. Throws Error for a head that the model does not have.
std::vector<MutedHead> parseMutedHeads(const QStringList& names, const Model& model);

/// Reads and translates a sentence at once, on this thread. Throws Error.
Session::Reading readSentence(const TrainedModel& model, const QString& source, const QStringList& mutedHeads = {},
                              const QString& target = {});

/// A sentence that suits the model: its task's example where it was trained on one, else empty.
QString exampleSentence(const TrainedModel& model);

}  // namespace headlight
