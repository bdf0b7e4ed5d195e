// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <string>

namespace headlight {

class Button;
class LessonPlayer;
class LessonText;
struct LessonCode;

/// "Try it in PyTorch": the lines, a button that copies them, and what they print, by the engine's numbers.
class CodeCard : public QFrame {
    Q_OBJECT
public:
    CodeCard(LessonPlayer& player, const LessonCode& code, QWidget* parent = nullptr);
    Button* copyButton() const { return m_copy; }
    /// What stands below "It prints".
    QString printed() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Button* m_copy;
    LessonText* m_printed;
};

/// Where the lines run, as Markdown: those that load a model in the folder that is exported of it.
QString whereCodeRuns(const LessonCode& code, const std::string& model);

}  // namespace headlight
