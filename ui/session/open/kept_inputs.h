// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "core/lessons/stage_state.h"

namespace headlight {

class Session;

/// Inputs that the reader keeps so as to go to and fro between them: whatever is looked at stays, and shows the other
/// one. A source (a pair of sentences is one, with its separator), and what it is made to write, if anything.
class KeptInputs : public QObject {
    Q_OBJECT
public:
    struct Input {
        QString source, target;
        bool operator==(const Input&) const = default;
    };
    static constexpr size_t most = 6;

    explicit KeptInputs(Session& session, QObject* parent = nullptr);

    const std::vector<Input>& all() const { return m_all; }
    /// The place of the session's input among them; −1: it is not kept.
    int present() const;
    /// Why the session's input cannot be kept, or let go; empty: it can.
    QString whyNot() const;
    /// Keeps the session's input, or lets it go where it is kept.
    void toggle();
    /// The session reads that one; nothing where there is none.
    void choose(int place);

    /// As the state of the stage has them; none: those that there are stay.
    void show(const StageLines& kept);
    StageLines told() const;

signals:
    /// Others are kept, or another one is the session's.
    void changed();

private:
    Input now() const;

    Session& m_session;
    std::vector<Input> m_all;
};

}  // namespace headlight
