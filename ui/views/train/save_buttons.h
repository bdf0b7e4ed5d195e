// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

class Button;

/// Keep and Save, in the bar of a run: for the model of the step that the film shows.
class SaveButtons : public QWidget {
    Q_OBJECT
public:
    explicit SaveButtons(QWidget* parent = nullptr);

    enum class State {
        Nothing,  ///< there is no model yet, or the run has failed
        Unsaved,
        Saving,
        Saved,
    };
    /// `step`: whose model would be saved; `name`: under which name.
    void showState(State state, int step, const QString& name);
    Button* keepButton() const { return m_keep; }
    Button* saveButton() const { return m_save; }

signals:
    void saveRequested();
    void saveAsRequested();
    void keepRequested();

private:
    Button* m_keep;
    Button* m_save;
    QAction* m_saveAction;
    State m_state = State::Saving;
    int m_step = -1;
    QString m_name;
};

}  // namespace headlight
