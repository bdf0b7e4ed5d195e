// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBuffer>
#include <QFile>
#include <QObject>
#include <QString>
#include <QUrl>
#include <functional>
#include <memory>
#include <optional>

class QNetworkAccessManager;
class QNetworkReply;

namespace headlight {

/// What every download is held to. Tests have others.
struct DownloadLimits {
    int silenceMs = 30'000;  ///< without a byte; then the publisher has stopped answering
    int redirects = 5;
    /// Bytes that are free where a folder is; null: as the system says.
    std::function<qint64(const QString& folder)> room = {};
};

/// A file to bring, and where its bytes go.
struct DownloadFile {
    QUrl url;
    QString part = {};      ///< file that grows until all is there; empty: into memory
    qint64 largest = 0;     ///< bytes of which more are not taken
    qint64 size = 0;        ///< bytes that it has, where they are known beforehand
    QByteArray token = {};  ///< who asks (`Authorization: Bearer`, RFC 6750); other hosts are never told
    /// The address stands for these bytes for ever, as an address with a checksum in it does: what an earlier attempt
    /// left is gone on with, whoever made it. Otherwise a note lies beside the part, and the publisher is asked whether
    /// its file is still the same.
    bool neverChanges = false;
};

/// Brings one file onto this computer. A download that breaks off goes on where it stopped (HTTP ranges, RFC 9110) if
/// the bytes are still the same ones, and begins again if not. Nothing is asked of a network before start(). The window
/// never waits: Qt reads in the background.
class Download : public QObject {
    Q_OBJECT
public:
    explicit Download(QObject* parent = nullptr, DownloadLimits limits = {});
    ~Download() override;

    /// The next one; not while isBusy().
    void setFile(DownloadFile file);
    const DownloadFile& file() const { return m_file; }
    bool isBusy() const { return m_reply != nullptr; }
    /// Bytes, those of an earlier attempt among them.
    qint64 received() const { return m_received; }
    /// Bytes of all of it; 0: not known.
    qint64 total() const { return m_total; }
    /// Whom it comes from, after what it was sent on to.
    const QString& host() const { return m_host; }
    /// What came into memory.
    const QByteArray& bytes() const { return m_memory.buffer(); }
    /// Did an earlier attempt leave something that can be gone on with?
    bool canGoOn() const { return keptPart().has_value(); }

    void start();
    /// What can be gone on with stays.
    void stop();
    /// What came is of no use.
    void drop();
    /// Looks again what an earlier attempt left.
    void refresh();

    /// The answer that was no file: its HTTP status (0: there was none), and what a server of models calls it
    /// (`X-Error-Code`).
    struct Refusal {
        int status = 0;
        QByteArray code = {};
    };
    const Refusal& refusal() const { return m_refusal; }
    /// "The disk is full. …", or that the folder cannot be written to.
    QString whyNotKept(qint64 needed) const;
    /// Bytes that are free where the part is kept.
    qint64 room() const;

signals:
    /// More is there, or less.
    void changed();
    /// All of it is there: in the part, or in memory.
    void came();
    /// It did not come; what happened and what to do, in one line.
    void failed(const QString& why);

private:
    /// What an earlier attempt left; a validator is told by every file that can be gone on with.
    struct Part {
        qint64 size = 0, total = 0;
        QByteArray validator = {};
    };
    enum class PartFile { Keep, Drop };

    QString notePath() const { return m_file.part + QStringLiteral(".json"); }
    bool isInMemory() const { return m_file.part.isEmpty(); }
    QIODevice& sink();
    std::optional<Part> keptPart() const;
    void noteDown(const QByteArray& validator);

    void ask(const QUrl& url);
    void follow();
    bool begin();
    bool open(bool goesOn);
    void take();
    void finish();
    void startAgain();

    static QString whyNothingCame(const QString& host);
    QString whyNoAnswer(const QNetworkReply& reply) const;
    QString whyBrokenOff() const;
    void letGo();
    void fail(const QString& why, PartFile part);

    const DownloadLimits m_limits;
    DownloadFile m_file;
    qint64 m_received = 0, m_total = 0;
    Refusal m_refusal;
    std::unique_ptr<QNetworkAccessManager> m_network;
    QNetworkReply* m_reply = nullptr;  ///< that is waited for
    QString m_host;
    QByteArray m_validator;  ///< of the part that is gone on with
    QFile m_part;
    QBuffer m_memory;
    int m_redirects = 0;
    bool m_hasBegun = false;         ///< what comes is the file
    bool m_hasStartedAgain = false;  ///< by itself, once
};

}  // namespace headlight
