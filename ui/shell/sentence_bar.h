// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>

#include "ui/widgets/controls/panel.h"

namespace headlight {

class MutedMark;
class Session;

/// The sentence that the model reads, to be typed in, and what the model makes of it, as it is typed.
class SentenceBar : public Panel {
    Q_OBJECT
public:
    explicit SentenceBar(Session& session, QWidget* parent = nullptr);

    QLineEdit* input() const { return m_input; }
    QString translation() const { return m_translation->text(); }

private:
    void showReading();

    Session& m_session;
    QLineEdit* m_input;
    QLabel* m_verb;
    MutedMark* m_muted;  ///< before what was written without some heads
    QLabel* m_translation;
    QLabel* m_unknown;
};

}  // namespace headlight
