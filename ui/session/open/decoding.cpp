// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/decoding.h"

#include <QMetaObject>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

enum DecodingJob { Search, Ask };

/// A file that says it wrongly says nothing here: the reading tells of the fault.
std::optional<Decoding::Settings> ownSettings(const TrainedModel& model) {
    try {
        const std::optional<BeamOptions> own = ownSearch(model);
        if (!own) return {};
        return Decoding::Settings{.beam = std::min(own->beam, Decoding::mostBeams), .penalty = own->lengthPenalty};
    } catch (const Error&) {
        return {};
    }
}

/// As it is drawn behind those before it: a piece may touch the last of them.
QString lastWordOf(const TrainedModel& model, const std::vector<int>& path) {
    return QString::fromStdString(model.target->display(path).back());
}

}  // namespace

QString Decoding::Result::word(int token) const {
    return QString::fromStdString(model->target->displayOne(token));
}

QString Decoding::Result::wordAt(int node) const {
    return lastWordOf(*model, pathTo(node));
}

std::vector<int> Decoding::Result::pathTo(int node) const {
    std::vector<int> path;
    for (int at = node; at >= 0; at = search.tree.nodes[static_cast<size_t>(at)].parent)
        path.push_back(search.tree.nodes[static_cast<size_t>(at)].token);
    std::ranges::reverse(path);
    return path;
}

int Decoding::Result::endOf(const Written& hypothesis) const {
    const auto& nodes = search.tree.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
        const bool goesOn = nodes[i].state == SearchNode::State::Kept || nodes[i].state == SearchNode::State::Finished;
        if (nodes[i].step != static_cast<int>(hypothesis.tokens.size()) || !goesOn) continue;
        const std::vector<int> path = pathTo(static_cast<int>(i));
        if (model->target->display(path) == hypothesis.tokens) return static_cast<int>(i);
    }
    return -1;
}

QStringList Decoding::Result::fixedWords() const {
    return wordList(model->target->display(settings.prefix));
}

QString Decoding::Result::fixedAfter(const std::vector<int>& path) const {
    const std::vector<int>& fixed = settings.prefix;
    const bool isAmong = path.size() < fixed.size() && std::equal(path.begin(), path.end(), fixed.begin());
    return isAmong ? lastWordOf(*model, {fixed.begin(), fixed.begin() + std::ssize(path) + 1}) : QString();
}

const SearchNode* Decoding::Result::nodeAfter(const std::vector<int>& path, const QString& next) const {
    const auto& nodes = search.tree.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].step != static_cast<int>(path.size()) + 1 || wordAt(static_cast<int>(i)) != next) continue;
        std::vector<int> before = pathTo(static_cast<int>(i));
        before.pop_back();
        if (before == path) return &nodes[i];
    }
    return nullptr;
}

std::vector<BeamLanes::Node> Decoding::Result::lanes() const {
    using State = SearchNode::State;
    std::vector<BeamLanes::Node> nodes;
    nodes.reserve(search.tree.nodes.size());
    for (const SearchNode& it : search.tree.nodes)
        nodes.push_back({.parent = it.parent,
                         .step = it.step,
                         .cumulative = it.cumulative,
                         .score = it.score,
                         .kept = it.state == State::Kept || it.state == State::Finished,
                         .end = it.state == State::Finished ? BeamLanes::End::Finished : BeamLanes::End::None});
    const std::vector<Written>& hypotheses = search.translation.hypotheses;
    for (const Written& each : hypotheses)
        if (const int end = endOf(each); end >= 0 && !each.finished)
            nodes[static_cast<size_t>(end)].end = BeamLanes::End::CutOff;
    for (int at = endOf(search.translation.best()); at >= 0; at = nodes[static_cast<size_t>(at)].parent)
        nodes[static_cast<size_t>(at)].best = true;
    return nodes;
}

bool Decoding::Result::isOneWord(int node, int child) const {
    const PieceText before(wordAt(node)), behind(wordAt(child));
    // A mark of punctuation stands close to its word too, and is none of its pieces; but for those within a word.
    const auto isOfWord = [](QChar c) {
        return c.isLetterOrNumber() || c.category() == QChar::Punctuation_Dash || c == u'\'' || c == QChar(0x2019);
    };
    const QString seam = before.text.right(1) + behind.text.left(1);
    return (before.joinsRight || behind.joinsLeft) && std::ranges::all_of(seam, isOfWord);
}

std::shared_ptr<const Decoding::Result> searchNow(const std::shared_ptr<const TrainedModel>& model,
                                                  const QString& source, const Decoding::Settings& settings,
                                                  const std::vector<MutedHead>& muted) {
    const int longest = model->network->config().maxLength;
    const BeamOptions options{.beam = settings.beam,
                              .lengthPenalty = settings.penalty,
                              .nBest = settings.beam,
                              .maxLength = std::min(settings.maxLength, longest),
                              .prefix = settings.prefix,
                              .mutedHeads = muted};
    auto result = std::make_shared<Decoding::Result>();
    result->search = recordTranslation(*model, source.toStdString(), options);
    result->greedy = translate(*model, {source.toStdString()}, {.mutedHeads = muted}).front().best();
    result->settings = settings;
    result->model = model;
    return result;
}

std::vector<NextWord> nextWords(const TrainedModel& model, const QString& source, const std::vector<int>& path,
                                const std::vector<MutedHead>& muted) {
    constexpr int words = 5;  // twice as many are looked at
    const BeamOptions options{
        .beam = words, .maxLength = static_cast<int>(path.size()) + 1, .prefix = path, .mutedHeads = muted};
    const RecordedTranslation search = recordTranslation(model, source.toStdString(), options);
    std::vector<NextWord> result;
    for (const SearchNode& node : search.tree.nodes) {
        if (node.step != static_cast<int>(path.size()) + 1) continue;
        std::vector<int> behind = path;
        behind.push_back(node.token);
        result.push_back({lastWordOf(model, behind), std::exp(node.logProb), node.logProb});
    }
    return result;
}

Decoding::Decoding(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&session, &Session::modelOpened, this, &Decoding::onModel);
    connect(&session, &Session::readingChanged, this, &Decoding::onReading);
}

bool Decoding::isOwn() const {
    return m_own && m_settings.searchesAs(*m_own);
}

void Decoding::searchAsOwn() {
    if (!m_own) return;
    Settings settings = m_settings;
    settings.beam = m_own->beam;
    settings.penalty = m_own->penalty;
    setSettings(settings);
}

/// The search of the model before does not stay for one that says nothing.
void Decoding::onModel() {
    const bool wasOwn = isOwn();
    m_own = ownSettings(*m_session.model());
    if (m_own)
        searchAsOwn();
    else if (wasOwn)
        setSettings({.maxLength = m_settings.maxLength});
    emit settingsChanged();  // whose search it is may be new where the search is not
}

std::vector<MutedHead> Decoding::muted() const {
    return parseMutedHeads(m_session.mutedHeads(), *m_session.model()->network);
}

void Decoding::setSettings(const Settings& settings) {
    if (m_settings == settings) return;
    m_settings = settings;
    emit settingsChanged();
    search();
}

void Decoding::setBeam(int beam) {
    Settings settings = m_settings;
    settings.beam = beam;
    setSettings(settings);
}

void Decoding::setPenalty(const LengthPenalty& penalty) {
    Settings settings = m_settings;
    settings.penalty = penalty;
    setSettings(settings);
}

void Decoding::setMaxLength(int words) {
    Settings settings = m_settings;
    settings.maxLength = words;
    setSettings(settings);
}

void Decoding::setPrefix(const std::vector<int>& prefix) {
    Settings settings = m_settings;
    settings.prefix = prefix;
    setSettings(settings);
}

QString Decoding::fixedText() const {
    QStringList words;
    const auto& model = m_session.model();
    for (const int token : model ? m_settings.prefix : std::vector<int>())
        words << QString::fromStdString(model->target->vocabulary().token(token));
    return words.join(u' ');
}

std::vector<int> Decoding::idsOf(const QString& words) const {
    std::vector<int> ids;
    if (!m_session.model()) return ids;
    const Vocabulary& vocabulary = m_session.model()->target->vocabulary();
    for (const QString& word : words.split(u' ', Qt::SkipEmptyParts)) {
        const std::string token = word.toStdString();
        ids.push_back(vocabulary.id(token));
        if (!vocabulary.contains(token))
            throw Error("the model knows no word \"" + token + "\" that could be fixed: leave it out");
    }
    return ids;
}

void Decoding::onReading() {
    // Words that were fixed belong to one sentence of one model.
    const bool other = m_session.source() != m_searched || m_session.model() != m_searchedModel;
    if (other && !m_settings.prefix.empty()) {
        m_settings.prefix.clear();
        emit settingsChanged();
    }
    search();
}

void Decoding::setWatched(bool watched) {
    m_watched = watched;
    if (m_watched && m_stale) search();
}

void Decoding::search() {
    m_stale = !m_watched;
    const int request = ++m_request;
    m_searches.done();
    if (m_stale) return;
    // What was read belongs to what is to be read no more: the search follows the reading.
    m_searched = m_session.source();
    m_searchedModel = m_session.model();
    const bool translates = m_searchedModel && m_searchedModel->network->config().encoderDecoder();
    if (!translates || !m_session.reading() || m_session.reading()->source != m_searched) {
        m_result.reset();
        emit changed();
        return;
    }
    m_searches = m_session.settling().start();
    m_jobs.post(Search,
                [this, request, model = m_searchedModel, source = m_searched, settings = m_settings, muted = muted()] {
                    try {
                        auto result = searchNow(model, source, settings, muted);
                        QMetaObject::invokeMethod(this, [this, request, result = std::move(result)] {
                            if (request != m_request) return;  // superseded meanwhile
                            m_result = result;
                            m_searches.done();
                            emit changed();
                        });
                    } catch (const std::exception& error) {
                        const QString message = QString::fromUtf8(error.what());
                        QMetaObject::invokeMethod(this, [this, request, message] {
                            if (request != m_request) return;
                            m_searches.fail(message);
                            emit failed(message);
                        });
                    }
                });
}

void Decoding::askNextWords(const std::vector<int>& path) {
    if (!m_result) return;
    const int asked = ++m_asked;
    m_asks = m_session.settling().start();
    m_jobs.post(Ask, [this, asked, model = m_result->model, source = m_searched, path, muted = muted()] {
        std::vector<NextWord> words;
        try {
            words = nextWords(*model, source, path, muted);
        } catch (const std::exception&) {
            // Behind the longest sentence that the model reads there is no next word.
        }
        QMetaObject::invokeMethod(this, [this, asked, path, words = std::move(words)] {
            emit nextWordsFound(path, words);
            if (asked == m_asked) m_asks.done();
        });
    });
}

}  // namespace headlight

#include "moc_decoding.cpp"
