// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/stage.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/lessons/stage_dial.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/workbench.h"
#include "ui/views/architecture/architecture_view.h"

namespace headlight {

namespace {

QString fromText(const std::string& text) {
    return QString::fromStdString(text);
}

StageTexts textsOf(const QStringList& list) {
    StageTexts texts;
    for (const QString& each : list)
        texts.push_back(each.toStdString());
    return texts;
}

/// Heads as a state counts them, from 1; what is no number is none.
std::vector<int> headsOf(const StageTexts& texts) {
    std::vector<int> heads;
    for (const std::string& each : texts)
        heads.push_back(fromText(each).toInt() - 1);
    return heads;
}

StageTexts textsOf(const std::vector<int>& heads) {
    StageTexts texts;
    for (const int head : heads)
        texts.push_back(std::to_string(head + 1));
    return texts;
}

/// What the stage calls a length penalty, and what the search does.
using Scorings = std::pair<DecodeOptions::Scoring, LengthPenalty::Kind>;
constexpr Scorings scorings[] = {{DecodeOptions::Scoring::Gnmt, LengthPenalty::Kind::Gnmt},
                                 {DecodeOptions::Scoring::Average, LengthPenalty::Kind::Average},
                                 {DecodeOptions::Scoring::Power, LengthPenalty::Kind::Power},
                                 {DecodeOptions::Scoring::None, LengthPenalty::Kind::None}};

ValueCell cellOf(const StageState& state) {
    return {state.head - 1, state.cell.row - 1, state.cell.column - 1};
}

}  // namespace

Stage::Stage(Workbench& workbench, RoomStack& rooms, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_rooms(rooms) {
    const Session& session = workbench.session;
    connect(&session, &Session::modelOpened, this, [this] {
        if (std::exchange(m_opening, false)) m_phase = Phase::Sentence;
    });
    connect(&session, &Session::modelOpened, this, &Stage::goOn, Qt::QueuedConnection);
    // After the rooms have taken the reading over, whoever was connected first.
    connect(&session, &Session::readingChanged, this, &Stage::goOn, Qt::QueuedConnection);
    connect(&session, &Session::failed, this, [this](const QString& why) {
        if (isApplying()) fail(why);
    });
    connect(&workbench.settling, &Settling::settled, this, [this](Settling::Revision revision) {
        if (std::exchange(m_settled, revision) != revision) m_before = state();
        emit settled(revision);
    });
    connect(&workbench.settling, &Settling::failed, this, [this](Settling::Revision revision, const QString& why) {
        m_settled = revision;
        m_before = state();
        emit failed(revision, why);
    });
    // While a state is set, what changes is not the reader's doing.
    const auto tell = [this](auto signal) {
        return [this, signal] {
            if (isApplying()) return;
            emit(this->*signal)();
            if (signal != &Stage::touched) emit touched();
        };
    };
    connect(&session, &Session::inputChanged, this, tell(&Stage::edited));
    connect(&session, &Session::modelOpened, this, tell(&Stage::modelChanged));
    connect(&workbench.kept, &KeptInputs::changed, this, tell(&Stage::touched));
    connect(&workbench.decoding, &Decoding::settingsChanged, this, tell(&Stage::edited));
    connect(&rooms, &RoomStack::optionsChanged, this, tell(&Stage::edited));
    connect(&rooms, &RoomStack::viewChanged, this, tell(&Stage::touched));
    connect(&rooms, &RoomStack::controlsShown, this, tell(&Stage::touched));
    connect(&workbench.selection, &Selection::changed, this, tell(&Stage::touched));
    connect(&workbench.cursor, &StepCursor::changed, this, tell(&Stage::touched));
}

Settling::Revision Stage::revision() const {
    return m_workbench.settling.revision();
}

bool Stage::isSettled() const {
    return !isApplying() && m_settled == m_workbench.settling.revision() && m_workbench.settling.isSettled();
}

Settling::Revision Stage::apply(const StageState& state) {
    const Settling::Revision revision = m_workbench.settling.advance();
    m_wanted = state;
    m_wanted.model = modelKeyOf(fromText(state.model)).toStdString();
    m_work = m_workbench.settling.start();
    m_phase = Phase::Model;
    m_opening = false;
    m_rooms.showView(state.view);
    goOn();
    return revision;
}

void Stage::turn(const std::string& field, double value) {
    if (isApplying()) return;
    StageState turned = state();
    setNumber(turned, field, value);
    if (turned.decode.beam != state().decode.beam || turned.decode.penalty != state().decode.penalty)
        turned.decode.search = DecodeOptions::Search::Set;
    const bool ofSearch = field == "beam" || field == "penalty" || field == "max_length";
    const StageState asked = std::exchange(m_wanted, turned);
    if (ofSearch)
        setDecoding();
    else if (field == "head")
        m_workbench.selection.setHead(turned.head - 1);
    else
        for (Staged* view : m_rooms.staged())
            view->showOptions(turned);
    m_wanted.model = asked.model;
    m_wanted.lesson = asked.lesson;
    m_wanted.page = asked.page;
    // The views say nothing of what they are told, and a search does.
    if (!ofSearch) emit edited();
    emit touched();
}

/// Does the next thing that is still to be done; called again when something was.
void Stage::goOn() {
    if (m_phase == Phase::Model) openModel();
    if (m_phase == Phase::Sentence && setSentence()) finish();
}

void Stage::openModel() {
    Session& session = m_workbench.session;
    const QString wanted = fromText(m_wanted.model);
    if (wanted.isEmpty() ? !session.isLoading() : session.model() && session.modelKey() == wanted) {
        if (!wanted.isEmpty()) session.keepModel();  // whatever else was about to be opened
        m_phase = Phase::Sentence;
        return;
    }
    if (m_opening || wanted.isEmpty()) return;  // it is on its way
    if (wanted.startsWith(QLatin1String("run:"))) {
        m_opening = true;
        emit m_workbench.runModelWanted(m_wanted);
        return;
    }
    const QString file = findModel(wanted, fromText(m_wanted.modelHash));
    if (file.isEmpty())
        return fail(tr("The model %1 is not on this machine. Open its file, and then this again.").arg(wanted));
    m_opening = true;
    session.openModel(file);
}

/// True once the sentence is read, or there is none.
bool Stage::setSentence() {
    Session& session = m_workbench.session;
    QString source = fromText(m_wanted.source);
    if (source.isEmpty() && session.model()) source = exampleSentence(*session.model());
    session.setInput(source, fromText(m_wanted.target), wordList(m_wanted.mute));
    return isApplying() && !session.isReading();
}

void Stage::finish() {
    try {
        setDecoding();
    } catch (const Error& error) {
        return fail(QString::fromUtf8(error.what()));
    }
    m_workbench.kept.show(m_wanted.kept);
    m_rooms.showControls(!m_wanted.isBare);
    m_rooms.showPanels(m_wanted.show);
    showByHand();
    for (Staged* view : m_rooms.staged())
        view->showOptions(m_wanted);
    pointAt();
    m_phase = Phase::Done;
    m_work.done();
}

void Stage::fail(const QString& why) {
    m_phase = Phase::Done;
    m_opening = false;
    m_work.fail(why);
}

void Stage::setDecoding() {
    Decoding& decoding = m_workbench.decoding;
    m_search = m_wanted.decode.search;
    Decoding::Settings settings;
    if (decoding.own() && m_search == DecodeOptions::Search::Own) {
        settings = *decoding.own();
    } else {
        const LengthPenalty::Kind kind = std::ranges::find(scorings, m_wanted.decode.scoring, &Scorings::first)->second;
        settings.beam = std::min(m_wanted.decode.beam, Decoding::mostBeams);
        settings.penalty = {kind,
                            std::clamp(m_wanted.decode.penalty, 0.0, kind == LengthPenalty::Kind::Power ? 10.0 : 1.0)};
    }
    settings.maxLength = m_wanted.decode.maxLength;
    settings.prefix = decoding.idsOf(fromText(m_wanted.decode.fixed));
    decoding.setSettings(settings);
}

/// What goes without saying, the model's own search or the window's, is not said.
void Stage::tellDecoding(StageState& now) const {
    const Decoding& decoding = m_workbench.decoding;
    const Decoding::Settings& search = decoding.settings();
    now.decode.maxLength = search.maxLength;
    if (decoding.isOwn()) return;
    const StageState fresh = now;
    now.decode.beam = search.beam;
    now.decode.scoring = std::ranges::find(scorings, search.penalty.kind, &Scorings::second)->first;
    now.decode.penalty = search.penalty.alpha;
    const bool asFresh = now.decode.beam == fresh.decode.beam && now.decode.scoring == fresh.decode.scoring &&
                         now.decode.penalty == fresh.decode.penalty;
    now.decode.search = decoding.own() || !asFresh ? DecodeOptions::Search::Set : m_search;
}

const LessonTensors* Stage::tensors() const {
    const Lesson* const lesson = m_workbench.lessons.find(fromText(m_wanted.lesson));
    return lesson && m_wanted.page > 0 ? lesson->tensorsAt(static_cast<size_t>(m_wanted.page - 1)) : nullptr;
}

void Stage::showByHand() {
    const LessonTensors* const given = tensors();
    m_workbench.byHand = given ? std::optional(*given) : std::nullopt;
    emit m_workbench.byHandChanged();
}

void Stage::pointAt() {
    StepCursor& cursor = m_workbench.cursor;
    Selection& selection = m_workbench.selection;
    const auto& reading = m_workbench.session.reading();
    cursor.setGrain(static_cast<StepCursor::Grain>(m_wanted.grain));
    cursor.pause();
    const bool timeline = m_wanted.view != ViewName::Recurrent;
    cursor.setPosition((m_wanted.step > 0 && timeline ? std::min(m_wanted.step, cursor.count()) : cursor.count()) - 1);
    selection.setHovered({});
    selection.setHoveredNumber({});
    const int heads =
        m_workbench.session.model() ? std::max(1, m_workbench.session.model()->network->attentionHeads()) : 1;
    selection.setHead(std::clamp(m_wanted.head, 1, heads) - 1);
    if (!reading) return;
    const Trace& trace = *reading->trace;
    const bool known = trace.find(m_wanted.focus) != nullptr;
    selection.setValue(known ? fromText(m_wanted.focus) : QString());
    chooseFirstValue(selection, trace);
    const std::vector<AttentionBlock> blocks = attentionBlocks(trace);
    const TraceRecord* const record = trace.find(selection.value().toStdString());
    const auto isNamed = [&](const std::string& scope) {
        return std::ranges::find(blocks, fromText(scope), &AttentionBlock::scope) != blocks.end();
    };
    if (isNamed(m_wanted.block))
        selection.setBlock(fromText(m_wanted.block));
    else if (known && record->module && isNamed(record->module->scope))
        selection.setBlock(fromText(record->module->scope));
    else
        selection.setBlock(blocks.empty() ? QString() : blocks.back().scope);
    std::vector<int> overlaid = headsOf(m_wanted.attention.overlaid);
    std::erase_if(overlaid, [heads](int head) { return head >= heads; });
    selection.setOverlaid(overlaid);
    // A file that was not checked may point outside of what there is.
    const ValueCell cell = cellOf(m_wanted);
    const bool inside =
        record && m_wanted.cell.valid() && cell.row < matrixRows(*record) && cell.column < matrixColumns(*record);
    selection.setCell({});
    selection.setNumber(inside ? ValueCell{selection.head(), cell.row, cell.column} : ValueCell{});
    if (!m_wanted.animate || !timeline) return;
    cursor.toStart();
    cursor.play();
}

StageState Stage::state() const {
    if (isApplying()) return m_wanted;
    StageState now;
    const Session& session = m_workbench.session;
    const Selection& selection = m_workbench.selection;
    const StepCursor& cursor = m_workbench.cursor;
    now.view = m_rooms.view();
    if (m_workbench.player.isOpen()) {
        now.lesson = m_workbench.player.slug().toStdString();
        now.page = m_workbench.player.step() + 1;
    }
    now.model = session.modelKey().toStdString();
    now.modelHash = session.modelHash().toStdString();
    now.source = session.source().toStdString();
    now.target = session.target().toStdString();
    now.mute = textsOf(session.mutedHeads());
    now.kept = m_workbench.kept.told();
    now.isBare = !m_rooms.hasControls();
    now.show = m_rooms.shownPanels();
    now.focus = selection.value().toStdString();
    now.block = selection.block().toStdString();
    now.head = selection.head() + 1;
    const std::vector<int> chosen = selection.heads();
    now.attention.overlaid = textsOf(std::vector<int>(chosen.begin() + 1, chosen.end()));
    const ValueCell cell = selection.number();
    now.cell = {std::max(0, cell.row + 1), std::max(0, cell.column + 1)};
    now.step = cursor.position() + 1 < cursor.count() ? cursor.position() + 1 : 0;
    now.grain = static_cast<StageState::Grain>(cursor.grain());
    now.animate = cursor.playing();
    tellDecoding(now);
    now.decode.fixed = m_workbench.decoding.fixedText().toStdString();
    for (const Staged* view : m_rooms.staged())
        view->tellOptions(now);
    return now;
}

void Stage::leaveLesson() {
    m_wanted.lesson.clear();
    m_wanted.show.clear();                            // it may not have been shown yet
    if (m_wanted.isBare) m_rooms.showControls(true);  // it was the lesson that needed none
    m_rooms.showPanels({});
    showByHand();
}

bool Stage::isPointedAt(const NumberName& number) const {
    const std::vector<int>& at = number.indices;
    const int row = at[at.size() - 2], column = at.back();
    const StageState now = state();
    if (now.focus != number.name || now.cell.row != row || now.cell.column != column) return false;
    return at.size() < 3 || now.head == at[0];
}

}  // namespace headlight

#include "moc_stage.cpp"
