// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <memory>
#include <optional>

#include "core/experiment/head_judgement.h"
#include "core/experiment/head_worth.h"
#include "ui/session/open/background.h"

namespace headlight {

/// What takes many passes to know of a model's heads: what they look at over many sentences, and what the present text
/// costs without each. Both are asked for, worked out on a thread of their own, and can be stopped; one at a time.
class HeadStudy : public QObject {
    Q_OBJECT
public:
    enum class Work { None, Judging, Weighing };

    explicit HeadStudy(QObject* parent = nullptr) : QObject(parent) {}
    ~HeadStudy() override { stop(); }

    void setSettling(Settling* settling) { m_background.setSettling(settling); }
    /// Another text forgets what its heads cost, another model everything. `target`: what a translator is made to
    /// write; empty: its own.
    void setReading(std::shared_ptr<const TrainedModel> model, const QString& source, const QString& target);

    /// Is there a built-in task whose sentences the model can be judged by?
    bool hasTask() const;
    /// By sentences of its task that it was not trained on.
    void judge(FirstWord first);
    /// By those of a text file; of a translator `source TAB target` a line.
    void judge(FirstWord first, const QString& file);
    /// The habits of the present text alone are wanted again.
    void forgetJudgement();
    /// What the present text costs without each head.
    void weigh();
    /// What is under way ends with nothing found.
    void cancel();

    Work work() const { return m_background.isBusy() ? m_work : Work::None; }
    double progress() const { return m_progress; }
    const std::optional<HeadJudgement>& judgement() const { return m_judgement; }
    const std::optional<TextAblation>& ablation() const { return m_ablation; }
    const QString& failure() const { return m_failure; }

signals:
    /// Something is under way, has ended or has failed.
    void changed();
    /// What is known is otherwise; before changed().
    void known();
    void progressed();

private:
    using Progress = std::function<bool(double)>;
    void judge(FirstWord first, std::function<Corpus()> read);
    Progress begin(Work work);
    void stop();
    void fail(const QString& why);

    std::shared_ptr<const TrainedModel> m_model;
    QString m_source, m_target;
    Work m_work = Work::None;
    double m_progress = 0;
    std::optional<HeadJudgement> m_judgement;
    std::optional<TextAblation> m_ablation;
    QString m_failure;
    std::shared_ptr<std::atomic<bool>> m_wanted;  ///< of what is under way: read by the thread
    Background m_background{this};                ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
