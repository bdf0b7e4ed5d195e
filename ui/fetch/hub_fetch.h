// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/import/hub_model.h"
#include "core/import/model_cache.h"
#include "ui/fetch/hub_place.h"
#include "ui/session/open/background.h"

namespace headlight {

/// One model on a hub: first what it is, then, when it is wanted, its files, into the cache of Hugging Face's programs
/// and as these keep them: contents under their checksums, which are checked, and names that are links, made when all
/// is there. What breaks off goes on where it stopped. Nothing is asked of a network before look() or start().
class HubFetch : public QObject {
    Q_OBJECT
public:
    enum class State {
        Unknown,   ///< nothing was asked; or failure() says why nothing is known
        Asking,    ///< what it is
        Known,     ///< what it is; failure() says why it cannot be had, or did not come
        Fetching,  ///< bytes come, or will
        Checking,  ///< what came
        Here,
    };

    /// `name`: `[OWNER/]NAME[@REVISION]`.
    HubFetch(const QString& name, HubPlace place, QObject* parent = nullptr);
    ~HubFetch() override;

    /// As the hub spells it, once that is known.
    QString name() const;
    State state() const { return m_state; }
    bool isBusy() const { return m_state == State::Asking || m_state == State::Fetching || m_state == State::Checking; }
    /// What happened, and what to do: one line. Empty: nothing went wrong.
    const QString& failure() const { return m_failure; }
    /// Nothing before it is Known.
    const std::optional<ModelOutline>& outline() const { return m_outline; }
    /// Would it take more memory than this computer has?
    bool isTooLarge() const;
    /// Bytes of all its files; 0: not known.
    qint64 total() const { return bytesOf(m_files); }
    /// Those that are here, of an earlier attempt as well.
    qint64 received() const;
    /// Whether start() goes on where an earlier attempt stopped.
    bool canGoOn() const;
    /// How long the rest will take at the rate of this attempt, in seconds; nothing while that is not known.
    std::optional<int> secondsLeft() const;
    /// Its folder in the cache once it is Here.
    const QString& path() const { return m_path; }
    const HubPlace& place() const { return m_place; }
    /// It is of a kind, or in a form, that is not read: failure() says what, and asking again changes nothing.
    bool isUnfit() const { return m_isUnfit; }
    /// The hub says that it has no such model.
    bool isMissing() const { return m_isMissing; }

    /// Asks what it is.
    void look();
    /// Brings it here; looks first, where that was not done.
    void start();
    void stop();

signals:
    void changed();
    /// It has just come.
    void fetched(const QString& path);

private:
    enum class Wanted { Description, Settings, File };

    void ask(Wanted what, const QString& path, qint64 largest);
    void came();
    void takeDescription();
    void takeSettings();
    void known();
    void next();
    void check();
    void finish();
    void become(State state);
    void fail(const QString& why);
    void failed(const QString& why);
    QString whyRefused(const QString& why) const;
    QString whyTooLarge() const;
    QString modelFolder() const;
    QString blob(const HubFile& file) const;
    bool isHere(const HubFile& file) const;
    qint64 bytesHere(size_t without) const;

    const ModelName m_wanted;
    const HubPlace m_place;
    State m_state = State::Unknown;
    QString m_failure, m_path;
    std::optional<HubModel> m_model;
    std::optional<ModelOutline> m_outline;
    std::vector<HubFile> m_files;  ///< that are needed
    size_t m_at = 0;               ///< the file that comes
    qint64 m_besides = 0;          ///< bytes of the others that were here when it began
    Wanted m_asked = Wanted::Description;
    bool m_startsWhenKnown = false, m_isMissing = false, m_isUnfit = false;
    QElapsedTimer m_clock;  ///< of this attempt
    qint64 m_atStart = 0;   ///< bytes that were there when it began
    Download m_download;
    Background m_work{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
