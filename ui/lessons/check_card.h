// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

class QAbstractButton;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace headlight {

class Button;
class LessonPlayer;
class LessonText;
struct Judgement;

/// A question of a lesson: a number to work out, a choice, or a cell to point at; it judges the answer and says why.
class CheckCard : public QFrame {
    Q_OBJECT
public:
    enum class Verdict { Right, Wrong, Shown };
    CheckCard(LessonPlayer& player, int part, QWidget* parent = nullptr);

    QLineEdit* answer() const { return m_answer; }
    Button* checkButton() const { return m_check; }
    const std::vector<QAbstractButton*>& choices() const { return m_choices; }
    /// What the last answer was told; empty: none was given.
    QString verdict() const;
    bool isRight() const { return m_right; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void makeNumber(QVBoxLayout* column);
    void makeChoices(QVBoxLayout* column);
    void judge();
    void tell(Verdict verdict, const QString& text);
    void tell(const Judgement& judgement);
    void tellThatItIsSolved();
    void showSolution();

    LessonPlayer& m_player;
    int m_part;
    QLineEdit* m_answer = nullptr;
    Button* m_check = nullptr;
    std::vector<QAbstractButton*> m_choices;
    Button* m_show = nullptr;
    QWidget* m_feedback;
    LessonText* m_verdict;
    bool m_right = false;
};

/// Something to try on the stage; it sees by itself when it is done.
class TaskCard : public QFrame {
    Q_OBJECT
public:
    TaskCard(LessonPlayer& player, int part, QWidget* parent = nullptr);
    bool isDone() const { return m_done; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_state;
    bool m_done;
};

}  // namespace headlight
