// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lesson_export.h"

#include <QBuffer>
#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "ui/export/lesson_html.h"
#include "ui/export/web_page.h"
#include "ui/session/page/reading_record.h"
#include "ui/session/page/search_record.h"
#include "ui/shell/laboratory_export.h"
#include "ui/shell/reading_export.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"
#include "ui/shell/stage.h"
#include "ui/shell/workbench.h"

namespace headlight {

namespace {

using nlohmann::json;

constexpr double kFigureScale = 1.5;               ///< sharp enough on a screen of twice the pixels, in half the room
constexpr size_t kOtherBytes = size_t{512} << 10;  ///< of a reading's values that are no attention

std::string dataUri(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG", 0);  // as small as it gets
    return "data:image/png;base64," + bytes.toBase64().toStdString();
}

/// Values that the lesson asks to point at, and those that its stages show.
QStringList valuesOf(const Lesson& lesson) {
    QStringList names;
    for (size_t step = 0; step < lesson.steps.size(); ++step) {
        names << QString::fromStdString(lesson.stateAt(step).focus);
        for (const LessonPart& part : lesson.steps[step].parts)
            if (const auto* check = std::get_if<LessonCheck>(&part); check && check->kind == LessonCheck::Kind::Cell)
                names << QString::fromStdString(check->number.name);
    }
    names.removeDuplicates();
    return names;
}

bool asksForCell(const LessonStep& step) {
    return std::ranges::any_of(step.parts, [](const LessonPart& part) {
        const auto* check = std::get_if<LessonCheck>(&part);
        return check && check->kind == LessonCheck::Kind::Cell;
    });
}

/// Keys of what there is to try in a step.
std::vector<std::string> triesOf(const LessonStep& step) {
    std::vector<std::string> keys;
    for (const LessonPart& part : step.parts)
        if (const auto* task = std::get_if<LessonTask>(&part))
            for (const auto& [key, value] : task->when)
                keys.push_back(key);
    return keys;
}

/// Does the page show the stage by its own means, from the recorded numbers?
bool isLive(const LessonStep& step, const StageState& state) {
    // Decode: of a language model, whose words are in its reading.
    constexpr ViewName live[] = {ViewName::Attention, ViewName::Values, ViewName::Architecture, ViewName::Recurrent,
                                 ViewName::Decode};
    if (std::ranges::find(live, state.view) != std::end(live)) return true;
    if (state.view == ViewName::QueryKeyValue)
        return state.queryKeyValue.matrices == QueryKeyValueOptions::Matrices::Model || state.queryKeyValue.batch;
    return asksForCell(step);
}

/// What the words speak of is in the program's picture, and not, or not as well, in the page's own.
bool isSaidOfPicture(const StageState& state) {
    if (state.view == ViewName::Attention)
        return state.attention.picture == AttentionOptions::Picture::Wall ||
               state.attention.quantity == AttentionOptions::Quantity::Rollout;
    if (state.view == ViewName::QueryKeyValue)
        return state.queryKeyValue.kinds || state.queryKeyValue.angle || state.queryKeyValue.batch;
    return state.view == ViewName::Recurrent && (state.side == StageSide::Gradient || state.side == StageSide::Length);
}

}  // namespace

struct LessonExport::Contents {
    Lesson lesson;
    QByteArrayList sections;
    json steps = json::array();
    std::vector<Source> sources;  ///< of readings, by their places
    /// Of matrices by hand, searches and laboratories; their places are behind those of the sources.
    std::vector<Laboratory> examples;
    std::vector<Figure> figures;

    /// On any thread. Throws Error.
    void write(const QString& path) {
        json record{{"steps", std::move(steps)}, {"readings", json::array()}, {"figures", json::array()}};
        const QStringList wanted = valuesOf(lesson);
        for (const Source& source : sources)
            record["readings"].push_back(readingRecord({.model = *source.model,
                                                        .trace = *source.trace,
                                                        .modelName = source.name,
                                                        .text = source.text,
                                                        .says = source.says,
                                                        .mutedHeads = source.muted,
                                                        .wanted = wanted,
                                                        .mostOtherBytes = kOtherBytes}));
        for (auto& [example, more] : examples) {
            if (more) example.update(more());
            record["readings"].push_back(std::move(example));
        }
        for (json& step : record["steps"])
            if (step.contains("example")) step["reading"] = sources.size() + step["example"].get<size_t>();
        for (const Figure& figure : figures)
            record["figures"].push_back({{"light", dataUri(figure.light)}, {"dark", dataUri(figure.dark)}});
        writePage(path, lessonPage(lesson, sections, std::move(record)));
    }
};

LessonExport::LessonExport(Workbench& workbench, Stage& stage, RoomStack& rooms, const QString& path)
    : QObject(&stage),
      m_workbench(workbench),
      m_stage(stage),
      m_rooms(rooms),
      m_path(path),
      m_walk(workbench.player, stage, this),
      m_contents(std::make_shared<Contents>()) {
    connect(&m_walk, &LessonWalk::stepShown, this, &LessonExport::takeStep);
    connect(&m_walk, &LessonWalk::ended, this, &LessonExport::end);
}

LessonExport::~LessonExport() = default;

void LessonExport::start() {
    m_contents->lesson = m_workbench.player.lesson();
    m_walk.start();
}

void LessonExport::cancel() {
    m_isCancelled = true;
    m_walk.stop();
}

void LessonExport::takeStep(int step) {
    const LessonPlayer& player = m_workbench.player;
    try {
        m_contents->sections << stepHtml(player);
        json taken{
            {"checks", checkRecords(player)}, {"tasks", taskRecords(player)}, {"figure", placeOf(figureOfStage())}};
        takeReading(taken);
        m_contents->steps.push_back(std::move(taken));
    } catch (const Error& error) {
        // A lesson that is being written; its check names the mistake.
        return leave(QStringLiteral("step %1: %2").arg(step + 1).arg(QString::fromUtf8(error.what())));
    }
    emit drawn(step + 1);
}

void LessonExport::takeReading(json& step) {
    const LessonPlayer& player = m_workbench.player;
    const auto at = static_cast<size_t>(player.step());
    const StageState state = player.lesson().stateAt(at);
    const LessonTensors* tensors = player.lesson().tensorsAt(at);
    const bool isByHand = state.view == ViewName::QueryKeyValue &&
                          state.queryKeyValue.matrices == QueryKeyValueOptions::Matrices::Example &&
                          !state.queryKeyValue.batch;
    step["prefersPicture"] = isSaidOfPicture(state);
    if (isByHand && tensors && tensors->matrices.contains("Q")) {
        step["shows"]["value"] = state.focus;
        if (state.cell.valid()) step["shows"]["cell"] = {state.cell.row - 1, state.cell.column - 1};
        step["example"] = placeOf(exampleRecord(*tensors, state), {});
        return;
    }
    const auto& search = m_workbench.decoding.result();
    if (state.view == ViewName::Decode && search && !state.decode.nextWord) {
        step["shows"] = json::object();
        step["example"] = placeOf(searchRecord(*search), {});
        return;
    }
    if (!asksForCell(player.current()))
        if (auto [lab, more] = laboratoryOf(*m_rooms.current().viewWidget(), m_stage.state(), m_workbench.session,
                                            triesOf(player.current()));
            !lab.is_null()) {
            step["shows"] = json::object();
            step["example"] = placeOf(std::move(lab), std::move(more));
            // What is to be predicted is hidden there.
            step["prefersPicture"] =
                isSaidOfPicture(state) || std::ranges::any_of(player.current().parts, [](const LessonPart& part) {
                    return std::holds_alternative<LessonVeil>(part);
                });
            return;
        }
    const Session& session = m_workbench.session;
    if (!isLive(player.current(), state) || !session.model() || !session.reading()) return;
    step["reading"] = placeOf(Source{session.model(), session.reading()->trace, session.modelName(), session.source(),
                                     session.reading()->translation, session.mutedHeads()});
    step["shows"] = shownOnPage(m_stage.state(), m_workbench.cursor);
    step["shows"]["network"] = state.view == ViewName::Architecture || state.view == ViewName::Recurrent;
}

/// What else belongs to a record follows from it.
size_t LessonExport::placeOf(json example, std::function<json()> more) {
    auto& all = m_contents->examples;
    const auto same = std::ranges::find(all, example, &Laboratory::first);
    const auto place = static_cast<size_t>(same - all.begin());
    if (same == all.end()) all.emplace_back(std::move(example), std::move(more));
    return place;
}

int LessonExport::placeOf(Source source) {
    auto& all = m_contents->sources;
    const auto same = std::ranges::find_if(all, [&](const Source& each) {
        return each.name == source.name && each.text == source.text && each.says == source.says &&
               each.muted == source.muted;
    });
    const auto place = static_cast<int>(same - all.begin());
    if (same == all.end()) all.push_back(std::move(source));
    return place;
}

/// Steps that show the same share it.
int LessonExport::placeOf(Figure figure) {
    auto& all = m_contents->figures;
    const auto same = std::ranges::find_if(all, [&](const Figure& each) { return each.light == figure.light; });
    const auto place = static_cast<int>(same - all.begin());
    if (same == all.end()) all.push_back(std::move(figure));
    return place;
}

/// The view in the theme that shows and in the other one, which nobody sees: the window is painted later.
LessonExport::Figure LessonExport::figureOfStage() {
    QWidget& view = *m_rooms.current().viewWidget();
    const auto grab = [&view] {
        QImage image((view.size().toSizeF() * kFigureScale).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(kFigureScale);
        view.render(&image);
        return image;
    };
    ThemeManager& theme = m_workbench.theme;
    const ThemeManager::Mode mode = theme.mode();
    const bool isDark = theme.current().isDark;
    const QImage now = grab();
    theme.setMode(isDark ? ThemeManager::Mode::Light : ThemeManager::Mode::Dark);
    const QImage other = grab();
    theme.setMode(mode);
    return isDark ? Figure{other, now} : Figure{now, other};
}

void LessonExport::end(const QString& failure) {
    if (!failure.isEmpty() || m_isCancelled) return leave(failure);
    m_writes.ask<bool>(
        [contents = m_contents, path = m_path] {
            contents->write(path);
            return true;
        },
        [this](bool) { leave({}); }, [this](const QString& why) { leave(why); });
}

void LessonExport::leave(const QString& failure) {
    disconnect(&m_walk, nullptr, this, nullptr);
    if (!failure.isEmpty()) emit failed(failure);
    emit finished();
    deleteLater();
}

}  // namespace headlight

#include "moc_lesson_export.cpp"
