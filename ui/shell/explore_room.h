// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

class AttentionView;
class SentenceBar;
class Timeline;
class Workbench;

/// A sentence, every head that reads it, and the timeline that scrubs the computation.
class ExploreRoom : public QWidget {
    Q_OBJECT
public:
    ExploreRoom(Workbench& workbench, QWidget* parent);

    AttentionView* attention() const { return m_attention; }
    SentenceBar* sentenceBar() const { return m_sentence; }

private:
    void showReading();
    void showStep();

    Workbench& m_workbench;
    SentenceBar* m_sentence;
    AttentionView* m_attention;
    Timeline* m_timeline;
};

}  // namespace headlight
