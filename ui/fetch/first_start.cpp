// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/first_start.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QStandardPaths>
#include <algorithm>
#include <chrono>

#include "core/platform/pace.h"

namespace headlight {

namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 3s;
constexpr auto kTokenVariable = "XDG_ACTIVATION_TOKEN";
const QByteArray kTaken("taken");

/// A socket's path may have a hundred characters, so it is named by a sum of the folder's.
QString socketOf(const QString& home) {
    const QByteArray sum = QCryptographicHash::hash(QDir::cleanPath(home).toUtf8(), QCryptographicHash::Sha256);
    return QDir(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation))
        .filePath(QStringLiteral("headlight-%1").arg(QLatin1String(sum.toHex().left(16))));
}

int patience() {
    return static_cast<int>(std::min(platform::paced(kPatience), std::chrono::milliseconds(10min)).count());
}

}  // namespace

FirstStart::FirstStart(const QString& home, QObject* parent) : QObject(parent), m_server(new QLocalServer(this)) {
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server, &QLocalServer::newConnection, this, &FirstStart::take);
    const QString place = socketOf(home);
    // Listening there would take the place of another that does.
    QLocalSocket other;
    other.connectToServer(place);
    if (other.waitForConnected(patience())) return;
    QLocalServer::removeServer(place);  // of one that was killed
    m_server->listen(place);
}

bool FirstStart::isFirst() const {
    return m_server->isListening();
}

bool FirstStart::handOver(const QString& home, const QString& asked) {
    QLocalSocket socket;
    socket.connectToServer(socketOf(home));
    if (!socket.waitForConnected(patience())) return false;
    const QString what = QFileInfo::exists(asked) ? QFileInfo(asked).absoluteFilePath() : asked;
    QByteArray message;
    // The desktop lets a window come to the front that shows the token of the click.
    QDataStream stream(&message, QIODevice::WriteOnly);
    stream << what << qgetenv(kTokenVariable);
    socket.write(message);
    while (socket.bytesAvailable() < kTaken.size())
        if (!socket.waitForReadyRead(patience())) return false;
    return socket.readAll() == kTaken;
}

void FirstStart::take() {
    while (QLocalSocket* const socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        const auto read = [this, socket] {
            if (socket->bytesAvailable() > kMostBytes) return socket->abort();
            QDataStream stream(socket);
            stream.startTransaction();
            QString what;
            QByteArray token;
            stream >> what >> token;
            if (!stream.commitTransaction()) return;
            socket->write(kTaken);
            socket->disconnectFromServer();
            if (!token.isEmpty()) qputenv(kTokenVariable, token);
            if (!what.isEmpty()) emit this->asked(what);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        read();
    }
}

}  // namespace headlight

#include "moc_first_start.cpp"
