// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "core/lessons/lesson.h"
#include "core/lessons/lesson_numbers.h"
#include "core/lessons/stage_dial.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/session/open/background.h"

namespace headlight {

class LessonLibrary;

/// What judging an answer says.
struct Judgement {
    bool isRight = false;
    QString text;  ///< why, from the reader's own numbers
};

/// A lesson as it is gone through: which step, what the stage is asked for, what was answered and done. What a step
/// shows is a function of its number alone, so that going back returns exactly.
class LessonPlayer : public QObject {
    Q_OBJECT
public:
    /// `settling` hears of numbers that are computed; null: nobody does.
    explicit LessonPlayer(LessonLibrary& library, Settling* settling = nullptr, QObject* parent = nullptr);

    /// What is asked about the stage: is a condition met, is a number pointed at?
    struct Sight {
        std::function<bool(const std::string& key, const std::string& value)> isMet;
        std::function<bool(const NumberName& number)> isPointedAt;
        /// Under the pointer, or as isPointedAt: what the words that name it show.
        std::function<bool(const NumberName& number)> isShown = {};
        /// What a number of the text is, in words.
        std::function<QString(const NumberName& number)> describe = {};
        /// Has the reader touched what the conditions are about? Without it, always.
        std::function<bool(const StageSetting& when)> isTouched = {};
        /// All that the stage shows now; without it, what the step says.
        std::function<StageState()> stage = {};
    };
    void setSight(Sight sight) { m_sight = std::move(sight); }

    /// Begins, or goes on where the reader was.
    void open(const QString& slug);
    void close();
    bool isOpen() const { return !m_slug.isEmpty(); }
    const QString& slug() const { return m_slug; }

    const Lesson& lesson() const { return m_lesson; }
    int step() const { return m_progress.step; }
    int steps() const { return static_cast<int>(m_lesson.steps.size()); }
    const LessonStep& current() const { return m_lesson.steps[static_cast<size_t>(step())]; }
    void goTo(int step);
    void next() { goTo(step() + 1); }
    void previous() { goTo(step() - 1); }
    /// Puts the stage back to what this step shows.
    void restoreStage();

    /// The stage is the reader's; the lesson waits.
    bool isFree() const { return m_isFree; }
    void letPlay(bool free);

    bool isSolved(int part) const { return m_progress.solved.contains(keyOf(part)); }
    /// Answers are judged by the step's numbers: see withNumbers().
    Judgement judgeNumber(int part, const QString& answer);
    Judgement judgeChoice(int part, int choice);
    /// Of a number, as it is shown when the reader gives up; of a choice its text; of a cell where it stands.
    QString solution(int part) const;
    /// What the step hides until the reader has predicted it, here or in a step behind it: nothing of what was
    /// revealed, nor while veils are lifted.
    std::vector<NumberName> veiled() const;
    /// Shows what a veil hides. `given` is what was predicted: shares, a curve, a number, or row and column of a cell
    /// from 1; nothing: the reader gave up.
    void reveal(int part, const std::vector<double>& given);
    /// What was predicted of a veil that is revealed.
    std::vector<double> predicted(int part) const;
    /// A row that is to be predicted, its words, and what else its columns stand for; nothing where it cannot be
    /// computed.
    struct Row {
        QStringList words;
        std::vector<double> values, places;
    };
    std::optional<Row> hiddenRow(int part) const;
    /// What is said once the veil is off, with the reader's own numbers.
    QString afterVeil(int part) const;
    /// For paper and pages, which show all there is.
    void setVeilsLifted(bool lifted);
    /// Numbers that the one that is asked for may be mistaken for, and what is said then, `{{given}}` and `{{column}}`
    /// in the places of the answer and of the column where it stands.
    struct Neighbours {
        double right = 0;
        std::optional<double> swapped;  ///< row and column the other way round, where there is such a place
        std::vector<double> row;        ///< the same row, from its first column on
        QString signWords, swappedWords, rowWords;
    };
    /// Of a check that asks for a number. Throws Error where there is none of that name, or it is not computed yet.
    Neighbours neighbours(int part) const;
    /// The text with its numbers written out; as long as they are not there, with "…" in their places.
    QString filledIn(const std::string& text, const QString& given = {}) const;
    /// The same for who has answered: with the numbers that are veiled.
    QString filledInAll(const std::string& text, const QString& given = {}) const;
    /// The same with its numbers, and the words that point at one, as links (pointerTarget()). Those that can be
    /// dragged (dialTarget()) are the stage's, and the other numbers of a text with such are as they would have them.
    QString pointing(const std::string& text) const;
    /// What a program of the lesson prints.
    QString asPrinted(const std::string& text) const;
    /// A number of this step; nothing where there is none of that name, or it is not computed yet.
    std::optional<double> number(const NumberName& name) const;
    /// What the stage has of a number that can be dragged.
    double dialled(const StageDial& dial) const;
    const Sight& sight() const { return m_sight; }
    LessonLibrary& library() const { return m_library; }

    /// The numbers of this step's texts and checks are computed on a thread of their own: numbersReady() follows.
    bool hasNumbers() const { return m_numbers != nullptr; }
    /// Does what needs them: at once, or as soon as they are there; never for a step that was left, or once `who` is
    /// gone.
    void withNumbers(QObject* who, const std::function<void()>& act);

    /// Looks whether something that is to be tried was done, or the asked number pointed at. Called by a clock.
    void look();

signals:
    void opened();
    void closed();
    void stepChanged();
    void numbersReady();
    void stageWanted(const headlight::StageState& state);
    void freeChanged(bool free);
    /// A check or a try of this step was solved.
    void solved(int part);
    /// The reader points at a number in the text; nothing: no longer.
    void numberPointed(const std::optional<headlight::NumberName>& number);
    /// The reader clicked a number in the text.
    void numberChosen(const headlight::NumberName& number);
    /// The reader drags a number in the text: the stage is to show this one.
    void dialTurned(const QString& field, double value);
    /// Something on the stage is another: what can be dragged is printed anew.
    void stageMoved();
    /// What is veiled is another set; the words of the step are to be shown anew.
    void veilChanged();
    /// Sight::isShown answers anew.
    void shownMoved();

private:
    void reload();
    void findNumbers();
    void markSolved(int part);
    static QString keyOf(int step, int part) { return QStringLiteral("%1.%2").arg(step).arg(part); }
    QString keyOf(int part) const { return keyOf(step(), part); }
    LessonScene scene() const;
    void remember(int part, const QString& answer);
    const LessonCheck& check(int part) const;
    QString elsewhere(int part, double given) const;

    LessonLibrary& m_library;
    Sight m_sight;
    QString m_slug;
    Lesson m_lesson;
    LessonProgress m_progress;
    bool m_isFree = false;
    bool m_veilsLifted = false;
    QTimer m_clock;
    std::shared_ptr<LessonNumbers> m_numbers;  ///< of this step; used by the window's thread alone once it stands here
    Background m_finds{this};                  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
