// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

#include "core/io/zip_text.h"
#include "ui/fetch/sentence_sets.h"
#include "ui/session/open/background.h"

class QNetworkAccessManager;
class QNetworkReply;

namespace headlight {

/// What a download is held to. Tests have others.
struct FetchLimits {
    int silenceMs = 30'000;  ///< without a byte; then the publisher has stopped answering
    int redirects = 5;
    qint64 largest = 0;  ///< bytes of the download; 0: four times what the set is about, and 16 MiB
    UnpackLimits unpack = {};
    /// Bytes that are free where a folder is; null: as the system says.
    std::function<qint64(const QString& folder)> room = {};
};

/// Brings one set of sentences onto this computer: fetched into FILE.part, held to size and checksum, unpacked, and
/// moved to its place whole. A download that breaks off goes on where it stopped (HTTP ranges, RFC 9110) if the
/// publisher says by ETag or Last-Modified that the file is still the same, and begins again if not. Nothing is asked
/// of a network before start(). The window never waits: Qt reads in the background, and checking and unpacking have a
/// thread of their own.
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
    qint64 received() const { return m_received; }
    /// Bytes of the whole download; 0: not known.
    qint64 total() const { return m_total; }
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
    /// What an earlier attempt left; a validator is told by every file that can be gone on with.
    struct Part {
        qint64 size = 0, total = 0;
        QByteArray validator = {};
    };
    enum class Outcome { Whole, WrongSum, WebPage, Damaged, NoText, TooMuch, NotWritable, Stopped };
    enum class PartFile { Keep, Drop };

    QString partPath() const { return path() + QStringLiteral(".part"); }
    QString notePath() const { return path() + QStringLiteral(".part.json"); }
    std::optional<Part> keptPart() const;
    void dropPart();
    void noteDown(const QByteArray& validator);

    void ask(const Part& from);
    bool begin();
    void take();
    void finish();
    void startAgain();
    void check();
    void conclude(Outcome outcome);
    static Outcome bringHome(const SentenceSet& set, const QString& part, const QString& path,
                             const UnpackLimits& limits, const Background::Wanted& wanted);

    static QString whyNothingCame(const QString& host);
    QString whyNoAnswer(const QNetworkReply& reply) const;
    QString whyBrokenOff() const;
    QString whyNotKept(qint64 needed) const;
    qint64 largest() const;
    qint64 room() const;
    void letGo();
    void become(State state);
    void fail(const QString& why, PartFile part);

    const SentenceSet m_set;
    const FetchLimits m_limits;
    QString m_folder;
    State m_state = State::Absent;
    QString m_failure;
    qint64 m_received = 0, m_total = 0;
    std::unique_ptr<QNetworkAccessManager> m_network;
    QNetworkReply* m_reply = nullptr;  ///< that is waited for
    QString m_host;                    ///< whom it comes from, after what it was sent on to
    QFile m_part;
    bool m_hasBegun = false;           ///< what comes is the file
    bool m_hasStartedAgain = false;    ///< by itself, once
    std::optional<Background> m_work;  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
