// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

class MutedMark;
class Session;

/// What is left of the controls while they are hidden, a low row above the stage that covers nothing of it: the way
/// back to them, and the mark of muted heads, which must be seen wherever they act.
class BareBar : public QWidget {
    Q_OBJECT
public:
    explicit BareBar(Session& session, QWidget* parent = nullptr);

signals:
    void controlsWanted();

private:
    void showMuted();

    Session& m_session;
    MutedMark* m_muted;
};

}  // namespace headlight
