// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

namespace headlight {

/// Answers "is it there yet". Each state that the stage is set to is a revision; whatever works for it in the
/// background (loading, reading, searching, training, measuring) holds a Work meanwhile. When the last one is given
/// back, settled() tells that what is seen is the state of the present revision; where one failed, failed() tells why.
/// One a stage, used by one thread.
class Settling : public QObject {
    Q_OBJECT
public:
    using Revision = quint64;
    using QObject::QObject;

    /// Something under way. Gives itself back when it ends: whoever drops a result drops its Work with it.
    class Work {
    public:
        Work() = default;
        Work(Work&& other) noexcept { *this = std::move(other); }
        Work& operator=(Work&& other) noexcept;
        ~Work() { done(); }

        /// The revision that asked for it.
        Revision revision() const { return m_revision; }
        bool isUnderWay() const { return m_open; }
        void done();
        void fail(const QString& why);

    private:
        friend class Settling;
        QPointer<Settling> m_owner;
        Revision m_revision = 0;
        bool m_open = false;
    };

    Revision revision() const { return m_revision; }
    /// Another state is asked for: what failed before no longer counts.
    Revision advance();
    [[nodiscard]] Work start();
    bool isSettled() const { return m_underWay == 0; }

signals:
    /// Once for each revision, and again whenever work was under way in between; never while start() or done() is on
    /// the stack.
    void settled(quint64 revision);
    void failed(quint64 revision, const QString& why);

private:
    void close();
    void tell();

    Revision m_revision = 0;
    int m_underWay = 0;
    bool m_willTell = false;
    QString m_failure;
};

}  // namespace headlight
