// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fetch/file_server.h"

#include <QHash>
#include <QHostAddress>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>

namespace headlight::fixture {

struct FileServer::Inside {
    QTcpServer server;
    QHash<QString, ServedFile> files;
    QByteArrayList requests;
    quint16 port = 0;

    void answer(QTcpSocket& socket, const QByteArray& request) const;
};

FileServer::FileServer() : m_inside(std::make_unique<Inside>()) {
    Inside* const inside = m_inside.get();
    if (!inside->server.listen(QHostAddress::LocalHost)) qFatal("no port to listen at");
    inside->port = inside->server.serverPort();
    QObject::connect(&inside->server, &QTcpServer::newConnection, &inside->server, [inside] {
        while (QTcpSocket* const socket = inside->server.nextPendingConnection()) {
            QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            QObject::connect(socket, &QTcpSocket::readyRead, socket, [inside, socket] {
                if (!socket->peek(1 << 16).contains("\r\n\r\n")) return;
                const QByteArray request = socket->readAll();
                inside->requests << request;
                inside->answer(*socket, request);
            });
        }
    });
}

FileServer::~FileServer() = default;

QUrl FileServer::url(const QString& path) const {
    return QUrl(QStringLiteral("http://127.0.0.1:%1/%2").arg(m_inside->port).arg(path));
}

void FileServer::serve(const QString& path, const ServedFile& file) {
    m_inside->files[path] = file;
}

const QByteArrayList& FileServer::requests() const {
    return m_inside->requests;
}

void FileServer::hangUp() {
    for (QTcpSocket* const socket : m_inside->server.findChildren<QTcpSocket*>())
        socket->disconnectFromHost();
}

void FileServer::close() {
    m_inside->server.close();
}

void FileServer::Inside::answer(QTcpSocket& socket, const QByteArray& request) const {
    static const QRegularExpression asksFor(QStringLiteral(R"(^GET /(\S*) HTTP)"));
    static const QRegularExpression asksFrom(QStringLiteral(R"(\r\nRange: bytes=(\d+)-\r\n)"));
    static const QRegularExpression asksIf(QStringLiteral(R"(\r\nIf-Range: ([^\r]*)\r\n)"));
    const QString text = QString::fromLatin1(request);
    const ServedFile file =
        files.value(asksFor.match(text).captured(1), ServedFile{.body = "Not here.", .status = 404});
    if (file.isMute) return;
    const auto part = asksFrom.match(text);
    const auto asked = asksIf.match(text);
    const bool isSame = !asked.hasMatch() || (asked.captured(1).toLatin1() == file.etag && !file.etag.isEmpty());
    const bool sendsPart = file.status == 200 && file.handsOutParts && part.hasMatch() && isSame;
    const qint64 from = sendsPart ? part.captured(1).toLongLong() : 0;
    QByteArray body = file.body.mid(from);
    QByteArray head = "HTTP/1.1 " + QByteArray::number(sendsPart ? 206 : file.status) + " X\r\nConnection: close\r\n";
    head += "Content-Length: " + QByteArray::number(file.announced < 0 ? body.size() : file.announced) + "\r\n";
    if (!file.etag.isEmpty()) head += "ETag: " + file.etag + "\r\n";
    if (!file.code.isEmpty()) head += "X-Error-Code: " + file.code + "\r\n";
    if (!file.location.isEmpty()) head += "Location: " + file.location + "\r\n";
    if (sendsPart)
        head += "Content-Range: bytes " + QByteArray::number(from) + '-' + QByteArray::number(file.body.size() - 1) +
                '/' + QByteArray::number(file.body.size()) + "\r\n";
    if (file.waitsAfter >= 0) body.truncate(file.waitsAfter);
    socket.write(head + "\r\n" + body);
    if (file.waitsAfter < 0) socket.disconnectFromHost();
}

}  // namespace headlight::fixture
