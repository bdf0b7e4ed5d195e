// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "core/io/trained_model.h"
#include "ui/session/open/job_thread.h"

namespace headlight {

/// How well models translate, by the length of the sentence (Cho et al. 2014, figure 4): one curve a model that was
/// asked for, measured on sentences of its task that it was not trained on, one length after another, on a thread of
/// its own.
class LengthCurves : public QObject {
    Q_OBJECT
public:
    struct Point {
        int from = 0, to = 0;  ///< source words
        double accuracy = 0;   ///< of words, under teacher forcing
        double bleu = 0;       ///< of translations, 0 to 100
        long sentences = 0;
    };
    struct Curve {
        QString name;
        std::vector<Point> points;
        int measurement = 0;  ///< that it comes from
    };

    explicit LengthCurves(QObject* parent = nullptr) : QObject(parent) {}
    ~LengthCurves() override;

    /// After those that wait. A model with a curve of that name is measured again. Only a translator of a built-in task
    /// can be.
    void measure(std::shared_ptr<const TrainedModel> model, const QString& name);
    /// The same of one that is still to be opened, on the thread.
    void measure(std::function<std::shared_ptr<const TrainedModel>()> open, const QString& name);
    static bool canMeasure(const TrainedModel& model);

    /// The newest last; at most four.
    const std::vector<Curve>& curves() const { return m_curves; }
    bool isMeasuring() const { return m_waiting > 0; }

signals:
    void changed();

private:
    /// Which measurements are still wanted: read by the thread, which leaves out what nobody would see.
    struct Wanted {
        std::mutex mutex;
        std::set<int> measurements;
    };
    bool isWanted(int measurement);
    void forget(const Curve& curve);
    void measureParts(const TrainedModel& model, int measurement);

    std::vector<Curve> m_curves;
    int m_measurements = 0;  ///< that there were
    int m_waiting = 0;       ///< that have not ended
    Wanted m_wanted;
    JobThread m_jobs;  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
