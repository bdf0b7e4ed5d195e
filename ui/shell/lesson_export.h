// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/open/background.h"
#include "ui/shell/lesson_walk.h"

namespace headlight {

class RoomStack;
class Stage;
class Workbench;

/// The open lesson as one web page: it goes through the steps, takes words, questions and numbers of each, and a figure
/// of its stage in both themes, and writes the file on a thread of its own. Deletes itself when it is done.
class LessonExport : public QObject {
    Q_OBJECT
public:
    LessonExport(Workbench& workbench, Stage& stage, RoomStack& rooms, const QString& path);
    ~LessonExport() override;
    void start();
    /// Nothing is written; finished() follows.
    void cancel();

signals:
    void drawn(int steps);
    /// The lesson stands again where it did, and the file is there, or failed() has said why not.
    void finished();
    void failed(const QString& message);

private:
    struct Figure {
        QImage light, dark;
    };
    /// What a reading's record is made of, later and elsewhere.
    struct Source {
        std::shared_ptr<const TrainedModel> model;
        std::shared_ptr<const Trace> trace;
        QString name, text, says;
        QStringList muted;
    };
    struct Contents;

    void takeStep(int step);
    void takeReading(nlohmann::json& step);
    size_t placeOf(nlohmann::json example, std::function<nlohmann::json()> more);
    int placeOf(Source source);
    int placeOf(Figure figure);
    Figure figureOfStage();
    void end(const QString& failure);
    void leave(const QString& failure);

    Workbench& m_workbench;
    Stage& m_stage;
    RoomStack& m_rooms;
    QString m_path;
    LessonWalk m_walk;
    bool m_isCancelled = false;
    std::shared_ptr<Contents> m_contents;
    Background m_writes{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
