// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QLocalServer;

namespace headlight {

/// The window that was opened first takes what later starts of the program are asked to open, as those of other desktop
/// programs do. They meet at a local socket in the reader's own runtime folder, which nothing on a network can reach.
/// It is here because local sockets are Qt Network's, which no other folder is linked with.
class FirstStart : public QObject {
    Q_OBJECT
public:
    /// Becomes the one that others hand to, unless there is one. `home` is the folder in which the program keeps its
    /// things: starts that keep them elsewhere do not meet.
    explicit FirstStart(const QString& home, QObject* parent = nullptr);

    bool isFirst() const;

    /// Hands over what a start was asked to open: a path, a name or a link. A path is made absolute, as the other
    /// stands in another folder. Returns false if there is nobody, or nobody answers.
    static bool handOver(const QString& home, const QString& asked);

    /// Of one message; what is longer is nobody's file name.
    static constexpr qint64 kMostBytes = 1 << 16;

signals:
    void asked(const QString& what);

private:
    void take();

    QLocalServer* m_server;
};

}  // namespace headlight
