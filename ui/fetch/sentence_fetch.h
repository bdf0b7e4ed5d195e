// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "core/io/zip_text.h"
#include "ui/fetch/download.h"
#include "ui/fetch/sentence_sets.h"
#include "ui/session/open/background.h"

namespace headlight {

/// What a set is held to. Tests have others.
struct FetchLimits {
    DownloadLimits download = {};
    qint64 largest = 0;  ///< bytes of the download; 0: four times what the set is about, and 16 MiB
    UnpackLimits unpack = {};
};

/// Brings one set of sentences onto this computer: fetched into FILE.part (Download), held to size and checksum,
/// unpacked on a thread of its own, and moved to its place whole. Nothing is asked of a network before start().
class SentenceFetch : public QObject {
    Q_OBJECT
public:
    enum class State {
        Absent,     ///< not on this computer, or in part; failure() says if something went wrong
        Fetching,   ///< bytes come, or will
        Unpacking,  ///< and being checked
        Here,
    };

    explicit SentenceFetch(SentenceSet set, QObject* parent = nullptr, FetchLimits limits = {});
    ~SentenceFetch() override;

    /// Where sets are kept; it is made when there is something to be put there.
    void setFolder(const QString& folder);

    const SentenceSet& set() const { return m_set; }
    State state() const { return m_state; }
    bool isBusy() const { return m_state == State::Fetching || m_state == State::Unpacking; }
    /// Bytes, those of an earlier attempt among them.
    qint64 received() const { return m_download.received(); }
    /// Bytes of the whole download; 0: not known.
    qint64 total() const { return m_download.total(); }
    /// What happened, and what to do: one line. Empty: nothing went wrong.
    const QString& failure() const { return m_failure; }
    /// Whether start() goes on where an earlier attempt stopped.
    bool canGoOn() const;
    /// Where it stands once it is here.
    QString path() const;

    void start();
    void stop();
    /// From this computer.
    void remove();
    /// Looks again whether it is here.
    void refresh();

signals:
    void changed();
    /// It has just come.
    void fetched(const QString& path);

private:
    enum class Outcome { Whole, WrongSum, WebPage, Damaged, NoText, TooMuch, NotWritable, Stopped };

    void check();
    void conclude(Outcome outcome);
    static Outcome bringHome(const SentenceSet& set, const QString& part, const QString& path,
                             const UnpackLimits& limits, const Background::Wanted& wanted);
    void become(State state);
    void fail(const QString& why);
    void deleteAndFail(const QString& why);

    const SentenceSet m_set;
    const FetchLimits m_limits;
    QString m_folder;
    State m_state = State::Absent;
    QString m_failure;
    Download m_download;
    std::optional<Background> m_work;  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
