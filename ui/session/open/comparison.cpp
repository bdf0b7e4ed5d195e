// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/comparison.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/positions.h"

namespace headlight {

const TraceRecord* counterpart(const Trace& a, const TraceRecord& value, const Trace& b) {
    if (const TraceRecord* same = b.find(value.name)) return same;
    const bool weights = value.is(ModuleKind::Attention, Part::Weights);
    if (!weights && !value.is(ModuleKind::Attention, Part::Scores)) return nullptr;
    for (const AttentionBlock& own : attentionBlocks(a)) {
        if (own.scope.toStdString() != value.owner().scope) continue;
        for (const AttentionBlock& other : attentionBlocks(b))
            if (other.kind == own.kind) return weights ? other.weights : other.scores;
    }
    return nullptr;
}

Comparison::Comparison(Session& session, QObject* parent)
    : QObject(parent), m_first(session), m_second(&session.settling()) {
    m_searching.setSettling(&session.settling());
    m_studying.setSettling(&session.settling());
    connect(&m_first, &Session::modelOpened, this, [this] {
        m_muted.clear();
        m_changes.clear();
        if (!m_insisted.isEmpty() && m_chosenPath == m_insisted) m_chosenPath.clear();
        m_insisted.clear();
        seeWhatShips();
        renew();
    });
    connect(&m_first, &Session::readingChanged, this, [this] {
        follow();
        emit changed();
    });
    connect(&m_second, &Session::modelOpened, this, &Comparison::follow);
    connect(&m_second, &Session::readingChanged, this, [this] {
        search();
        study();
        emit changed();
    });
    connect(&m_second, &Session::failed, this, &Comparison::failed);
}

void Comparison::setWatched(bool watched) {
    if (m_watched == watched) return;
    m_watched = watched;
    if (watched) renew();
}

Comparison::Kind Comparison::kind() const {
    return m_kind == Kind::Model && m_chosenPath.isEmpty() && m_lacksOther ? Kind::Heads : m_kind;
}

void Comparison::seeWhatShips() {
    const ModelConfig& config = m_first.model()->network->config();
    const bool hasHeads = !config.recurrent() || config.attention != AttentionKind::None;
    m_lacksOther = hasHeads && !isComparable(config, shippedBeside(m_first.modelKey()));
}

void Comparison::insistOnModel() {
    m_lacksOther = false;
    m_insisted = modelPath();
    setModelPath(m_insisted);
    setKind(Kind::Model);
    renew();
}

void Comparison::setKind(Kind kind) {
    if (m_kind == kind) return;
    m_kind = kind;
    renew();
}

void Comparison::setModelPath(const QString& path) {
    if (m_chosenPath == path) return;
    m_chosenPath = path;
    if (m_kind == Kind::Model) renew();
}

QString Comparison::modelPath() const {
    return m_chosenPath.isEmpty() ? shippedBeside(m_first.modelKey()) : m_chosenPath;
}

void Comparison::setModel(const KeptModel& model) {
    constexpr size_t kMostHeld = 4;
    std::erase_if(m_held, [&](const KeptModel& each) { return each.key == model.key; });
    if (m_held.size() == kMostHeld) m_held.erase(m_held.begin());
    m_held.push_back(model);
    if (m_openPath == model.key) m_openPath.clear();  // the key may be another run's by now
    m_chosenPath = model.key;
    m_kind = Kind::Model;
    renew();
}

const KeptModel* Comparison::held(const QString& key) const {
    const auto found = std::ranges::find(m_held, key, &KeptModel::key);
    return found == m_held.end() ? nullptr : &*found;
}

QString Comparison::nameOf(const QString& path) const {
    const KeptModel* const kept = held(path);
    return kept ? kept->name : isModelOfRun(path) ? path : QFileInfo(path).completeBaseName();
}

bool Comparison::isGone() const {
    return kind() == Kind::Model && isModelOfRun(m_chosenPath) && !held(m_chosenPath);
}

QString Comparison::modelHash() const {
    return m_second.modelKey() == QFileInfo(m_chosenPath).absoluteFilePath() ? m_second.modelHash() : QString();
}

void Comparison::setMutedHeads(const QStringList& heads) {
    m_muted = heads;
    follow();
    emit changed();
}

void Comparison::setChanges(const QStringList& changes) {
    m_changes = changes;
    follow();
    emit changed();
}

void Comparison::setSentence(const QString& sentence) {
    m_sentence = sentence;
    follow();
    emit changed();
}

QString Comparison::wantedSource() const {
    return kind() == Kind::Sentence && !m_sentence.trimmed().isEmpty() ? m_sentence : m_first.source();
}

/// What is written otherwise would also be fed otherwise, and words that are not the same would be held against each
/// other: so the second side is fed what the first one wrote, where it knows these words.
QString Comparison::wantedTarget() const {
    const auto& own = m_first.reading();
    const auto& other = m_second.model();
    if (kind() == Kind::Sentence || !own || !other) return {};
    if (!m_first.model()->network->config().encoderDecoder() || !other->network->config().encoderDecoder()) return {};
    const QString target = own->target.isEmpty() ? own->translation : own->target;
    const std::vector<std::string> words = other->target->split(target.toStdString());
    const bool known =
        std::ranges::all_of(words, [&](const std::string& word) { return other->target->vocabulary().contains(word); });
    // What never came to an end is as long as a model may write: with its mark of the beginning it is too long to read.
    const bool fits = static_cast<int>(words.size()) + 1 < other->network->config().maxLength;
    return known && fits ? target : QString();
}

QStringList Comparison::wantedHeads() const {
    // What the reader has muted in the open model stays muted beside it, where it is the same model.
    QStringList heads = kind() == Kind::Model ? QStringList() : m_first.mutedHeads();
    if (kind() == Kind::Heads) heads += m_muted;
    heads.removeDuplicates();
    return heads;
}

/// Follows from the first reading: a weight that is set leaves the others of its row what they had of each other.
std::vector<Intervention> Comparison::wantedChanges() {
    m_made.clear();
    m_problem.clear();
    if (kind() != Kind::Changes || !m_first.reading()) return {};
    try {
        std::vector<HandChange> wanted;
        for (const QString& change : m_changes)
            wanted.push_back(parseHandChange(change.toStdString()));
        std::vector<Intervention> list = interventionsOf(wanted, *m_first.reading()->trace);
        m_made = std::move(wanted);
        return list;
    } catch (const Error& error) {
        m_problem = QString::fromUtf8(error.what());
        return {};
    }
}

/// Puts the model that is wanted on the second side.
void Comparison::renew() {
    if (!m_watched || !m_first.model()) return;
    m_possible = true;
    if (kind() == Kind::Model) {
        const QString path = modelPath();
        const KeptModel* const kept = held(path);
        m_possible = !isGone();
        if (const QString before = std::exchange(m_openPath, m_possible ? path : QString());
            m_openPath.isEmpty() || before == m_openPath) {
            // It is there, or nothing is wanted.
        } else if (kept) {
            m_second.adoptModel(kept->model, kept->name, kept->key);
        } else {
            m_second.openModel(path);
        }
    } else {
        std::shared_ptr<const TrainedModel> model = m_first.model();
        if (kind() == Kind::Positions) model = withoutPositions(*model);
        m_openPath.clear();
        m_possible = model != nullptr;
        if (model) m_second.adoptModel(std::move(model), m_first.modelName());
    }
    follow();
    emit changed();
}

/// Puts the sentence, the muted heads and the changes that are wanted on the second side.
void Comparison::follow() {
    if (!m_watched || !m_second.model()) return;
    if (kind() == Kind::Changes && m_first.isReading()) return;  // they are made in what it will have read
    m_second.setInput(wantedSource(), wantedTarget(), wantedHeads(), wantedChanges());
    search();
    study();
}

/// Once for each reading with numbers put in by hand.
void Comparison::search() {
    const bool isWanted = m_watched && kind() == Kind::Changes && !m_made.empty() && isReady();
    const std::shared_ptr<const Trace> trace = isWanted ? m_second.reading()->trace : nullptr;
    if (isWanted && trace == m_searched.lock()) return;
    m_searched = trace;
    m_found.clear();
    m_searching.drop();
    if (!isWanted) return;
    m_searching.ask<std::vector<FoundText>>(
        [model = m_second.model(), source = m_second.source(), heads = m_second.mutedHeads(),
         changes = m_second.changes()] {
            const std::vector<MutedHead> muted = parseMutedHeads(heads, *model->network);
            return findTexts(*model, source, muted, changes, findTexts(*model, source, muted, {}));
        },
        [this](std::vector<FoundText> found) {
            m_found = std::move(found);
            emit changed();
        },
        [this](const QString& why) { emit failed(tr("The changes were not searched with: %1").arg(why)); });
}

bool Comparison::isReady() const {
    const auto &a = m_first.reading(), &b = m_second.reading();
    if (!a || !b || a->source != m_first.source() || b->source != wantedSource() || b->target != wantedTarget())
        return false;
    if (kind() == Kind::Model && m_openPath.isEmpty()) return false;
    // Other heads may be wanted by now than those that the last reading was without.
    if (!m_possible || m_first.isReading() || m_second.isReading()) return false;
    return b->muted.has_value() != (m_second.mutedHeads().isEmpty() && m_second.changes().empty()) &&
           b->changes == m_second.changes() && m_problem.isEmpty();
}

QString Comparison::title() const {
    switch (kind()) {
        case Kind::Model:
            return m_second.modelName();
        case Kind::Heads:
            return m_muted.isEmpty() ? tr("the same model")
                   : m_muted.size() == 1
                       ? tr("without head %1").arg(m_muted.first().section(u'.', -1).toInt() + 1)
                       : plural(tr("without %n head(s)", nullptr, static_cast<int>(m_muted.size())), m_muted.size());
        case Kind::Positions:
            return tr("without positions");
        case Kind::Sentence:
            return tr("another sentence");
        case Kind::Changes:
            return m_made.empty()
                       ? tr("the same model")
                       : plural(tr("with %n change(s)", nullptr, static_cast<int>(m_made.size())), std::ssize(m_made));
    }
    return {};
}

}  // namespace headlight

#include "moc_comparison.cpp"
