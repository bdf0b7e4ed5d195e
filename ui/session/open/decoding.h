// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/translate.h"
#include "ui/session/open/job_thread.h"
#include "ui/session/open/settling.h"
#include "ui/session/trace/beam_lanes.h"

namespace headlight {

class Session;

/// A word that may come next, and what it would cost.
struct NextWord {
    QString word;
    double probability = 0;
    double logProb = 0;
};

/// A beam search over the open sentence, kept whole, and searched anew whenever sentence, model or a setting changes;
/// on a thread of its own. A model that says how it is searched is searched so, until the reader changes it.
class Decoding : public QObject {
    Q_OBJECT
public:
    explicit Decoding(Session& session, QObject* parent = nullptr);

    struct Settings {
        int beam = 2;
        LengthPenalty penalty = {LengthPenalty().kind, 0.7};  ///< as everywhere; the α is where one begins to turn it
        int maxLength = 20;
        std::vector<int> prefix = {};  ///< words (ids) that the reader fixed; the search goes on from them
        bool operator==(const Settings&) const = default;
        /// With the same width, and a penalty that scores alike: α counts where there is one.
        bool searchesAs(const Settings& other) const {
            return beam == other.beam && penalty.text() == other.penalty.text();
        }
    };
    /// A search, and greedy decoding beside it.
    struct Result {
        RecordedTranslation search;
        Written greedy;
        Settings settings;
        std::shared_ptr<const TrainedModel> model;

        QString word(int token) const;
        /// The word of a node as it is drawn behind those before it: `‿lle` where these go on into it.
        QString wordAt(int node) const;
        /// The words from the beginning to a node of the tree, the fixed ones first.
        std::vector<int> pathTo(int node) const;
        /// A hypothesis' last node in the tree, or -1.
        int endOf(const Written& hypothesis) const;
        QStringList fixedWords() const;
        /// The word that the reader fixed behind these; empty: none.
        QString fixedAfter(const std::vector<int>& path) const;
        /// Null where the search did not look at that word there.
        const SearchNode* nodeAfter(const std::vector<int>& path, const QString& next) const;
        /// The nodes of the tree, as rows are made of them.
        std::vector<BeamLanes::Node> lanes() const;
        /// Are they pieces of one word, the second going on with the first?
        bool isOneWord(int node, int child) const;
    };

    /// The most hypotheses that are searched with: what is kept of a wider search would not be seen.
    static constexpr int mostBeams = 32;

    const Settings& settings() const { return m_settings; }
    /// Width and length penalty of the search that the open model brings along; nothing where its file says none.
    const std::optional<Settings>& own() const { return m_own; }
    /// It is searched so.
    bool isOwn() const;
    /// Back to it.
    void searchAsOwn();
    /// Nobody looks on before this is told: only then there is searched.
    void setWatched(bool watched);
    /// Null before the first search, and for models that do not translate.
    const std::shared_ptr<const Result>& result() const { return m_result; }

    /// All at once: one search.
    void setSettings(const Settings& settings);
    void setBeam(int beam);
    void setPenalty(const LengthPenalty& penalty);
    void setMaxLength(int words);
    /// Fixes the first words; empty: none.
    void setPrefix(const std::vector<int>& prefix);
    /// Asks for the likeliest words behind a path; nextWordsFound() follows.
    void askNextWords(const std::vector<int>& path);

    /// The fixed words, a space between them, and the ids of such words. Throws Error for one that the open model does
    /// not know. Without a model there are none.
    QString fixedText() const;
    std::vector<int> idsOf(const QString& words) const;

signals:
    void changed();
    /// Whoever changed them, and before the search with them is done.
    void settingsChanged();
    void nextWordsFound(const std::vector<int>& path, const std::vector<NextWord>& words);
    void failed(const QString& message);

private:
    void search();
    void onModel();
    void onReading();
    std::vector<MutedHead> muted() const;

    Session& m_session;
    bool m_watched = false;
    bool m_stale = false;  ///< something changed while nobody looked on
    Settings m_settings;
    std::optional<Settings> m_own;
    QString m_searched;  ///< the sentence that the prefix belongs to
    std::shared_ptr<const TrainedModel> m_searchedModel;
    std::shared_ptr<const Result> m_result;
    int m_request = 0;  ///< counts the searches: only the last one counts
    int m_asked = 0;    ///< counts the questions for next words
    Settling::Work m_searches, m_asks;
    JobThread m_jobs;  ///< last, so that its thread ends before what it reports to
};

/// Searches at once, on this thread. Throws Error.
std::shared_ptr<const Decoding::Result> searchNow(const std::shared_ptr<const TrainedModel>& model,
                                                  const QString& source, const Decoding::Settings& settings,
                                                  const std::vector<MutedHead>& muted = {});
/// The ten likeliest words behind a path. Throws Error.
std::vector<NextWord> nextWords(const TrainedModel& model, const QString& source, const std::vector<int>& path,
                                const std::vector<MutedHead>& muted = {});

}  // namespace headlight
