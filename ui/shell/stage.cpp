// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/stage.h"

#include <algorithm>
#include <cmath>

#include "ui/session/open/shipped.h"
#include "ui/session/trace/value_cell.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/compare_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/rooms.h"
#include "ui/shell/train_room.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/widgets/theme/motion.h"

namespace headlight {

namespace {

constexpr int kWalkMs = 700;  ///< from word to word

/// The place of a word among those that its key allows.
int placeOf(const std::vector<LessonKey>& keys, const char* name, const std::string& word) {
    const auto key = std::ranges::find(keys, name, &LessonKey::name);
    const auto at = std::ranges::find(key->values, word);
    return at == key->values.end() ? -1 : static_cast<int>(at - key->values.begin());
}

const LessonView* lessonViewNamed(const std::string& name) {
    const auto found = std::ranges::find(lessonViews(), name, &LessonView::name);
    return found == lessonViews().end() ? nullptr : &*found;
}

/// Of the worked example, in the order of QueryKeyValueView::Matrix; -1: none of it.
int placeOfMatrix(const std::string& name) {
    constexpr const char* names[] = {"Q", "K", "V", "scores", "weights", "output"};
    const auto at = std::ranges::find(names, name);
    return at == std::end(names) ? -1 : static_cast<int>(at - std::begin(names));
}

std::pair<int, int> cellOf(const QString& text) {
    return {text.section(u',', 0, 0).trimmed().toInt() - 1, text.section(u',', 1, 1).trimmed().toInt() - 1};
}

}  // namespace

Stage::Stage(MainWindow& window) : QObject(&window), m_window(window) {
    m_walk.setInterval(kWalkMs);
    connect(&m_walk, &QTimer::timeout, this, &Stage::walk);
    const Session& session = window.workbench().session;
    connect(&session, &Session::modelOpened, this, [this] {
        m_opening = false;
        goOn();
    });
    // After the rooms have taken the reading over, whoever was connected first.
    connect(&session, &Session::readingChanged, this, &Stage::goOn, Qt::QueuedConnection);
    connect(&session, &Session::failed, this, [this](const QString& message) {
        if (m_shown) return;
        m_shown = true;
        m_opening = false;
        emit failed(message);
    });
}

QString Stage::said(const char* key) const {
    const auto at = m_setting.find(key);
    return at == m_setting.end() ? QString() : QString::fromStdString(at->second);
}

int Stage::countSaid(const char* key) const {
    return said(key).toInt();
}

void Stage::show(const StageSetting& setting, const LessonTensors* tensors) {
    m_setting = setting;
    m_tensors = tensors ? std::optional(*tensors) : std::nullopt;
    m_shown = false;
    m_walk.stop();
    showView();
    goOn();
}

void Stage::showView() {
    if (const LessonView* view = lessonViewNamed(said("view").toStdString()))
        m_window.showRoom(QString::fromStdString(view->room), QString::fromStdString(view->tab));
}

/// Does the next thing that is still to be done; called again when it was.
void Stage::goOn() {
    if (m_shown || m_opening) return;
    Session& session = m_window.workbench().session;
    const QString model = said("model");
    if (!model.isEmpty() && session.modelName() != model) {
        if (const QString file = shippedModel(model); !file.isEmpty()) {
            m_opening = true;
            return m_window.openModel(file);
        }
        m_shown = true;
        return emit failed(tr("The model %1, which this step is about, is not installed.").arg(model));
    }
    const QString muted = said("mute");
    const QStringList wanted =
        muted.isEmpty() || muted == QLatin1String("none") ? QStringList() : muted.split(QStringLiteral(", "));
    QString source = said("source");
    if (source.isEmpty() && session.model()) source = exampleSentence(*session.model());
    session.setSource(source);
    session.setTarget(said("target"));
    session.setMutedHeads(wanted);
    const auto& reading = session.reading();
    if (!reading || reading->source != source || reading->target != said("target") ||
        reading->muted.has_value() != !wanted.isEmpty())
        return;
    setViews();
    showByHand();
    pointAt();
    m_shown = true;
    emit shown();
}

void Stage::pointAt() {
    Workbench& workbench = m_window.workbench();
    StepCursor& cursor = workbench.cursor;
    cursor.setGrain(StepCursor::Grain::Operation);
    if (cursor.playing()) cursor.togglePlaying();
    cursor.setPosition(cursor.count() - 1);
    const int step = countSaid("step");
    if (step > 0 && said("view") != QLatin1String("recurrent")) cursor.setPosition(std::min(step, cursor.count()) - 1);
    Selection& selection = workbench.selection;
    const auto find = [&](const QString& name) { return workbench.session.reading()->trace->find(name.toStdString()); };
    if (find(said("focus"))) selection.setValue(said("focus"));
    const int heads = std::max(1, workbench.session.model()->network->attentionHeads());
    selection.setHead(std::clamp(countSaid("head"), 1, heads) - 1);
    const auto [row, column] = said("cell").isEmpty() ? std::pair(-1, -1) : cellOf(said("cell"));
    // A file that was not checked may point outside of what there is.
    const TraceRecord* const record = find(selection.value());
    const bool inside = record && row < matrixRows(*record) && column < matrixColumns(*record);
    selection.setCell({});
    selection.setNumber(inside ? ValueCell{selection.head(), row, column} : ValueCell{});
    if (m_tensors && said("view") == QLatin1String("qkv") && row >= 0) {
        auto* explore = qobject_cast<ExploreRoom*>(m_window.room(QStringLiteral("explore")));
        if (const int matrix = placeOfMatrix(said("focus").toStdString()); matrix >= 0)
            explore->queryKeyValue()->point(static_cast<QueryKeyValueView::Matrix>(matrix), row, column);
    }
    if (said("animate") == QLatin1String("true")) {
        cursor.setPosition(0);
        cursor.togglePlaying();
    }
    m_stepShown = cursor.position();
}

void Stage::setViews() {
    const auto place = [this](const char* key) { return placeOf(stageKeys(), key, said(key).toStdString()); };
    auto* explore = qobject_cast<ExploreRoom*>(m_window.room(QStringLiteral("explore")));
    if (const int level = place("level"); level >= 0)
        explore->architecture()->stage()->setLevel(static_cast<ArchitectureLevel>(level));
    explore->attention()->stage()->showAs(std::max(0, place("quantity")), std::max(0, place("picture")));
    explore->queryKeyValue()->showKinds(place("kinds") == 1);
    explore->masks()->setWay(static_cast<MaskingWay>(std::max(0, place("masking"))));
    RecurrentView* recurrent = explore->recurrent();
    // Asked for by name it stays, however narrow the stage is.
    const QString side = said("side");
    recurrent->side()->yieldBelow(side == QLatin1String("none") ? 100000 : side.isEmpty() ? 1000 : 620);
    recurrent->side()->showPage(static_cast<RecurrentSide::Page>(std::clamp(place("side"), 0, 2)));
    if (const QString view = said("view"); view == QLatin1String("recurrent")) {
        if (const int layer = countSaid("layer"); layer > 0) recurrent->chooseLayer(layer - 1);
        const bool any = m_window.workbench().session.model()->network->config().recurrent();
        const int step = countSaid("step");
        m_walk.stop();
        if (any && said("animate") == QLatin1String("true") && !motion::isReduced()) {
            m_walkStep = 0;
            m_walkEnd = step > 0 ? step : recurrent->steps();
            walk();
            m_walk.start();
        } else if (any && step > 0) {
            recurrent->chooseStep(std::min(step, recurrent->steps()) - 1);
        }
    } else if (view == QLatin1String("compare") && place("with") >= 0) {
        auto* compare = qobject_cast<CompareRoom*>(m_window.room(QStringLiteral("compare")));
        compare->view()->chooseKind(static_cast<Comparison::Kind>(place("with")));
    } else if (view == QLatin1String("train")) {
        auto* train = qobject_cast<TrainRoom*>(m_window.room(QStringLiteral("train")));
        if (const int steps = countSaid("train"); steps > 0)
            train->trainTo(said("task").isEmpty() ? QStringLiteral("vi-en") : said("task"), steps);
    }
    PositionView* positions = explore->positions();
    m_shufflesShown = positions->shuffles();
    if (!said("base").isEmpty() || !said("width").isEmpty() || !said("length").isEmpty())
        positions->setSinusoids(said("length").isEmpty() ? 40 : countSaid("length"),
                                said("width").isEmpty() ? 64 : countSaid("width"),
                                said("base").isEmpty() ? 10000 : said("base").toDouble());
    if (const QString cell = said("cell"); !cell.isEmpty() && said("view") == QLatin1String("positions"))
        positions->chooseCell(cellOf(cell).first, cellOf(cell).second);
    Decoding& decoding = m_window.workbench().decoding;
    if (const int beam = countSaid("beam"); beam > 0) decoding.setBeam(beam);
    if (const QString penalty = said("penalty"); !penalty.isEmpty())
        decoding.setPenalty({LengthPenalty::Kind::Gnmt, std::clamp(penalty.toDouble(), 0.0, 1.0)});
    decoding.setPrefix({});
}

/// One word after another, until the last or until the reader moves on.
void Stage::walk() {
    auto* explore = qobject_cast<ExploreRoom*>(m_window.room(QStringLiteral("explore")));
    if (m_walkStep >= m_walkEnd || m_walkStep >= explore->recurrent()->steps()) return m_walk.stop();
    explore->recurrent()->chooseStep(m_walkStep++);
}

void Stage::leave() {
    m_shown = true;
    m_walk.stop();
    m_tensors.reset();
    auto* explore = qobject_cast<ExploreRoom*>(m_window.room(QStringLiteral("explore")));
    explore->masks()->setScores({}, {});
    explore->queryKeyValue()->restoreExample();
}

void Stage::showByHand() {
    auto* explore = qobject_cast<ExploreRoom*>(m_window.room(QStringLiteral("explore")));
    QStringList words;
    std::vector<float> scores;
    if (m_tensors) {
        words = wordList(m_tensors->words);
        const auto& by = m_tensors->matrices;
        if (const auto given = by.find("scores"); given != by.end()) {
            scores = given->second.values;
            while (words.size() < given->second.rows)
                words << QString::number(words.size() + 1);
        } else {
            const LessonMatrix &q = by.at("Q"), &k = by.at("K"), &v = by.at("V");
            while (words.size() < k.rows)
                words << QString::number(words.size() + 1);
            explore->queryKeyValue()->setExample({q.rows, k.rows, q.columns, q.values, k.values, v.values}, words);
        }
    }
    explore->masks()->setScores(scores.empty() ? QStringList() : words, scores);
}

bool Stage::isPointedAt(const NumberName& number) const {
    const std::vector<int>& at = number.indices;
    const int row = at[at.size() - 2] - 1, column = at.back() - 1;
    auto* explore = qobject_cast<ExploreRoom*>(m_window.room(QStringLiteral("explore")));
    if (m_tensors && placeOfMatrix(number.name) >= 0) {
        const auto [matrix, atRow, atColumn] = explore->queryKeyValue()->pointed();
        return matrix == placeOfMatrix(number.name) && atRow == row && atColumn == column;
    }
    const Selection& selection = m_window.workbench().selection;
    if (selection.value() != QString::fromStdString(number.name)) return false;
    const ValueCell cell = selection.shownNumber();
    return cell.row == row && cell.column == column && (at.size() < 3 || cell.head == at[0] - 1);
}

bool Stage::isMet(const std::string& key, const std::string& value) const {
    const QString wanted = QString::fromStdString(value);
    Workbench& workbench = m_window.workbench();
    const Session& session = workbench.session;
    const Selection& selection = workbench.selection;
    auto* explore = qobject_cast<ExploreRoom*>(m_window.room(QStringLiteral("explore")));
    if (key == "view") {
        const LessonView* view = lessonViewNamed(value);
        return m_window.isShowing(QString::fromStdString(view->room), QString::fromStdString(view->tab));
    }
    if (key == "source") {
        const QString before = said("source");
        if (value == "changed")
            return !session.source().trimmed().isEmpty() && session.source().trimmed() != before &&
                   !(before.isEmpty() && session.model() && session.source() == exampleSentence(*session.model()));
        return session.source().contains(wanted, Qt::CaseInsensitive);
    }
    if (key == "focus") return selection.value() == wanted;
    if (key == "head") return selection.head() + 1 == wanted.toInt();
    if (key == "cell") {
        const auto [row, column] = cellOf(wanted);
        const ValueCell at = selection.shownNumber();
        return (at.row == row && at.column == column) ||
               (selection.cell().query == row && selection.cell().key == column);
    }
    if (key == "muted") return value == "any" ? !session.mutedHeads().isEmpty() : session.mutedHeads().contains(wanted);
    if (key == "model") return session.modelName() == wanted;
    if (key == "step") return workbench.cursor.position() != m_stepShown;
    if (key == "edited")
        return explore->queryKeyValue()->isEdited(
            static_cast<QueryKeyValueView::Matrix>(placeOf(conditionKeys(), "edited", value)));
    if (key == "mask") return explore->masks()->isChanged();
    if (key == "masking")
        return explore->masks()->way() == static_cast<MaskingWay>(placeOf(conditionKeys(), "masking", value));
    if (key == "shuffled") return explore->positions()->shuffles() != m_shufflesShown;
    if (key == "measured") {
        const LengthCurves& curves = explore->recurrent()->side()->curves();
        return !curves.isMeasuring() && static_cast<int>(curves.curves().size()) >= wanted.toInt();
    }
    const Decoding::Settings& decoding = workbench.decoding.settings();
    if (key == "beam") return decoding.beam == wanted.toInt();
    if (key == "penalty") return std::abs(decoding.penalty.alpha - wanted.toDouble()) < 0.051;
    if (key == "fixed") {
        const auto& result = workbench.decoding.result();
        if (decoding.prefix.empty() || !result) return false;
        return value == "any" || result->fixedWords().contains(wanted);
    }
    if (key == "trained") {
        const auto* train = qobject_cast<TrainRoom*>(m_window.room(QStringLiteral("train")));
        return train->step() >= wanted.toInt();
    }
    return false;
}

}  // namespace headlight
