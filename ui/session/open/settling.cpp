// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/settling.h"

#include <QMetaObject>
#include <utility>

namespace headlight {

Settling::Work& Settling::Work::operator=(Work&& other) noexcept {
    if (this == &other) return *this;
    done();
    m_owner = std::move(other.m_owner);
    m_revision = other.m_revision;
    m_open = std::exchange(other.m_open, false);
    return *this;
}

void Settling::Work::done() {
    if (std::exchange(m_open, false) && m_owner) m_owner->close();
}

void Settling::Work::fail(const QString& why) {
    if (!m_open) return;
    // A newer state does not care for what the one before it could not have.
    if (m_owner && m_owner->m_revision == m_revision && m_owner->m_failure.isEmpty()) m_owner->m_failure = why;
    done();
}

Settling::Revision Settling::advance() {
    m_failure.clear();
    return ++m_revision;
}

Settling::Work Settling::start() {
    Work work;
    work.m_owner = this;
    work.m_revision = m_revision;
    work.m_open = true;
    ++m_underWay;
    return work;
}

void Settling::close() {
    if (--m_underWay > 0 || std::exchange(m_willTell, true)) return;
    // Later: whoever gives its work back may be about to start some more.
    QMetaObject::invokeMethod(this, &Settling::tell, Qt::QueuedConnection);
}

void Settling::tell() {
    m_willTell = false;
    if (m_underWay > 0) return;
    if (const QString why = std::exchange(m_failure, {}); !why.isEmpty())
        emit failed(m_revision, why);
    else
        emit settled(m_revision);
}

}  // namespace headlight

#include "moc_settling.cpp"
