// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QString>
#include <QUrl>
#include <memory>

namespace headlight::fixture {

/// What a server answers to whoever asks for a path.
struct ServedFile {
    QByteArray body = {};
    int status = 200;
    QByteArray etag = {};      ///< with its quotation marks
    QByteArray location = {};  ///< where a redirect leads
    bool handsOutParts = true;
    qint64 waitsAfter = -1;  ///< bytes of an answer's body, with the connection open until hangUp()
    qint64 announced = -1;   ///< Content-Length, if it isn't true
    bool isMute = false;     ///< takes the request, and answers nothing
    QByteArray code = {};    ///< X-Error-Code, as a hub of models has it
};

/// HTTP/1.1 on a port of this computer, in the event loop of the test: it is as fast as the test is.
class FileServer {
public:
    FileServer();
    ~FileServer();
    FileServer(const FileServer&) = delete;
    FileServer& operator=(const FileServer&) = delete;

    QUrl url(const QString& path) const;
    void serve(const QString& path, const ServedFile& file);
    /// Of each request, in their order, its lines.
    const QByteArrayList& requests() const;
    /// Closes every connection, wherever its answer stands.
    void hangUp();
    /// Nobody listens at that address any more.
    void close();

private:
    struct Inside;

    std::unique_ptr<Inside> m_inside;
};

}  // namespace headlight::fixture
