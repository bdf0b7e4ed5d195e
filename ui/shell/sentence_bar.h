// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <vector>

#include "ui/widgets/controls/panel.h"

class QHBoxLayout;

namespace headlight {

class Button;
class KeptInputs;
class MutedMark;
class Session;

/// The sentence that the model reads, to be typed in, and what the model makes of it, as it is typed; and the inputs
/// that are kept, to go to and fro between them.
class SentenceBar : public Panel {
    Q_OBJECT
public:
    SentenceBar(Session& session, KeptInputs& kept, QWidget* parent = nullptr);

    QLineEdit* input() const { return m_input; }
    QString translation() const { return m_translation->text(); }
    Button* keep() const { return m_keep; }
    /// To each kept input.
    const std::vector<Button*>& places() const { return m_places; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showSource();
    QString withBreaks(QString text) const;
    void shareRoom();
    void makeKept(QHBoxLayout* row);
    void showKept();
    void showReading();
    void showUnknown(QStringList words);

    Session& m_session;
    KeptInputs& m_kept;
    QLineEdit* m_input;
    Button* m_keep;
    std::vector<Button*> m_places;
    QLabel* m_verb;
    MutedMark* m_muted;  ///< before what was written without some heads
    QLabel* m_translation;
    QLabel* m_unknown;
};

}  // namespace headlight
