// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_player.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/lessons/inline_markup.h"
#include "ui/lessons/lesson_library.h"

namespace headlight {

namespace {

constexpr int kLookMs = 200;

/// "0,385", "−0.2" and ".5" are numbers too.
std::optional<double> readNumber(QString text) {
    text = text.trimmed().replace(u',', u'.').replace(QChar(0x2212), u'-');
    bool good = false;
    const double value = text.toDouble(&good);
    return good ? std::optional(value) : std::nullopt;
}

/// What the words of a text point at.
void readWhatIsPointedAt(const std::string& text, const LessonScene& scene, LessonNumbers& numbers) {
    for (const LessonLink& link : lessonLinks(text)) {
        const auto number = link.isPointer() ? parseNumberName(link.target.substr(1)) : std::nullopt;
        if (!number) continue;
        try {
            numbers.number(scene, *number);
        } catch (const Error&) {
            // A lesson that is being written; its check names the mistake.
        }
    }
}

/// Has the engine compute whatever the step's texts and checks name, so that it is at hand.
void readWhatIsNamed(const LessonStep& step, const LessonScene& scene, LessonNumbers& numbers) {
    for (const LessonPart& part : step.parts) {
        if (const auto* prose = std::get_if<LessonProse>(&part)) {
            numbers.filledIn(scene, prose->markdown);
            readWhatIsPointedAt(prose->markdown, scene, numbers);
        } else if (const auto* task = std::get_if<LessonTask>(&part)) {
            numbers.filledIn(scene, task->what);
            readWhatIsPointedAt(task->what, scene, numbers);
        } else if (const auto* more = std::get_if<LessonMore>(&part)) {
            numbers.filledIn(scene, more->text);
            readWhatIsPointedAt(more->text, scene, numbers);
        } else if (const auto* veil = std::get_if<LessonVeil>(&part)) {
            numbers.filledIn(scene, veil->ask + veil->after);
            for (const NumberName& hidden : veil->hidden)
                numbers.filledIn(scene, "{{" + hidden.name + "[1,1]}}");
        } else if (const auto* code = std::get_if<LessonCode>(&part)) {
            numbers.filledIn(scene, code->prints, LessonNumbers::Form::Code);
        } else if (const auto* check = std::get_if<LessonCheck>(&part)) {
            numbers.filledIn(scene, check->ask + check->hint + check->right);
            for (const std::string& hint : check->hints)
                numbers.filledIn(scene, hint);
            readWhatIsPointedAt(check->ask, scene, numbers);
            if (check->number.indices.empty()) continue;
            try {
                numbers.columnWords(scene, check->number.name);
            } catch (const Error&) {
                // A lesson that is being written; its check names the mistake.
            }
        }
    }
}

}  // namespace

LessonPlayer::LessonPlayer(LessonLibrary& library, Settling* settling, QObject* parent)
    : QObject(parent), m_library(library) {
    m_finds.setSettling(settling);
    m_clock.setInterval(kLookMs);
    connect(&m_clock, &QTimer::timeout, this, &LessonPlayer::look);
    connect(&library, &LessonLibrary::changed, this, &LessonPlayer::reload);
}

void LessonPlayer::open(const QString& slug) {
    const Lesson* lesson = m_library.find(slug);
    if (!lesson || lesson->steps.empty()) return;
    m_slug = slug;
    m_lesson = *lesson;
    m_progress = LessonProgress::load(slug);
    if (m_progress.furthest + 1 >= steps()) m_progress.step = 0;  // it was gone through: from the beginning
    m_isFree = false;
    m_clock.start();
    emit opened();
    goTo(m_progress.step);
}

void LessonPlayer::close() {
    if (!isOpen()) return;
    m_slug.clear();
    m_clock.stop();
    m_finds.drop();
    m_numbers.reset();
    emit closed();
}

/// A file was saved, or another language chosen: the step stays.
void LessonPlayer::reload() {
    if (!isOpen()) return;
    const Lesson* lesson = m_library.find(m_slug);
    if (!lesson || lesson->steps.empty()) return close();
    const Lesson before = std::exchange(m_lesson, *lesson);
    m_progress.step = std::min(m_progress.step, steps() - 1);
    const auto at = static_cast<size_t>(step());
    const LessonTensors *was = before.tensorsAt(at), *is = m_lesson.tensorsAt(at);
    if (!(before.stateAt(at) == m_lesson.stateAt(at)) || !was != !is || (was && !(*was == *is))) restoreStage();
    findNumbers();
    emit stepChanged();
}

void LessonPlayer::goTo(int step) {
    m_progress.step = std::clamp(step, 0, steps() - 1);
    m_progress.furthest = std::max(m_progress.furthest, m_progress.step);
    m_progress.save(m_slug);
    if (m_isFree) letPlay(false);
    restoreStage();
    findNumbers();
    emit stepChanged();
}

/// Steps that stand on one reading share it.
void LessonPlayer::findNumbers() {
    if (m_numbers && m_numbers->hasRead(scene().state)) return m_finds.drop();
    m_numbers.reset();
    m_finds.ask<std::shared_ptr<LessonNumbers>>(
        [lesson = m_lesson, step = static_cast<size_t>(step()), open = m_library.modelOpener()] {
            auto numbers = std::make_shared<LessonNumbers>(open);
            readWhatIsNamed(lesson.steps[step], sceneOf(lesson, step), *numbers);
            return numbers;
        },
        [this](const std::shared_ptr<LessonNumbers>& numbers) {
            m_numbers = numbers;
            emit numbersReady();
        },
        [](const QString&) {});  // the stage tells it, and the places stay open
}

void LessonPlayer::withNumbers(QObject* who, const std::function<void()>& act) {
    if (hasNumbers()) return act();
    const int asked = step();
    connect(
        this, &LessonPlayer::numbersReady, who,
        [this, asked, act] {
            if (step() == asked) act();
        },
        Qt::SingleShotConnection);
}

void LessonPlayer::restoreStage() {
    emit stageWanted(m_lesson.stateAt(static_cast<size_t>(step())));
}

void LessonPlayer::letPlay(bool free) {
    if (m_isFree == free) return;
    m_isFree = free;
    if (!free) restoreStage();
    emit freeChanged(free);
}

const LessonCheck& LessonPlayer::check(int part) const {
    return std::get<LessonCheck>(current().parts[static_cast<size_t>(part)]);
}

void LessonPlayer::markSolved(int part) {
    if (isSolved(part)) return;
    m_progress.solved.insert(keyOf(part));
    m_progress.save(m_slug);
    emit solved(part);
}

void LessonPlayer::remember(int part, const QString& answer) {
    LessonProgress::Answer& kept = m_progress.answers[keyOf(part)];
    ++kept.times;
    kept.last = QString(answer).simplified();
    m_progress.save(m_slug);
}

Judgement LessonPlayer::judgeNumber(int part, const QString& answer) {
    const LessonCheck& asked = check(part);
    const std::optional<double> given = readNumber(answer);
    if (!given) return {false, tr("“%1” is no number. Write it like 0.385.").arg(answer.trimmed())};
    if (!m_numbers) return {false, tr("The numbers of this step are not there yet.")};
    remember(part, answer);
    try {
        const double right = m_numbers->number(scene(), asked.number);
        if (std::abs(*given - right) <= asked.tolerance) {
            markSolved(part);
            return {true, filledInAll(asked.right, answer.trimmed())};
        }
        return {false, filledIn(asked.hint, answer.trimmed()) + elsewhere(part, *given)};
    } catch (const Error& error) {
        return {false, QString::fromUtf8(error.what())};
    }
}

LessonPlayer::Neighbours LessonPlayer::neighbours(int part) const {
    if (!m_numbers) throw Error("the numbers of this step are not there yet");
    const LessonCheck& asked = check(part);
    NumberName at = asked.number;
    const size_t last = at.indices.size() - 1;
    Neighbours result;
    result.right = m_numbers->number(scene(), at);
    result.signWords = tr("Only the sign is wrong.");
    result.rowWords = tr("{{given}} stands in the same row, in column {{column}}.");
    std::swap(at.indices[last], at.indices[last - 1]);
    result.swappedWords = tr("{{given}} stands in row %1, column %2: row and column are swapped.")
                              .arg(at.indices[last - 1])
                              .arg(at.indices[last]);
    try {
        result.swapped = m_numbers->number(scene(), at);
    } catch (const Error&) {
        // The matrix is not square: there is no such place.
    }
    at = asked.number;
    try {
        for (at.indices[last] = 1;; ++at.indices[last])
            result.row.push_back(m_numbers->number(scene(), at));
    } catch (const Error&) {
        return result;  // behind the last column
    }
}

/// The answer stands in another place of the same matrix, or has the wrong sign: then that is what went wrong.
QString LessonPlayer::elsewhere(int part, double given) const {
    const Neighbours near = neighbours(part);
    const auto is = [&](double value) { return std::abs(value - given) <= check(part).tolerance; };
    const auto say = [given](QString words, size_t column) {
        words.replace(QStringLiteral("{{given}}"), QString::number(given));
        return u' ' + words.replace(QStringLiteral("{{column}}"), QString::number(column));
    };
    if (is(-near.right)) return say(near.signWords, 0);
    if (near.swapped && is(*near.swapped)) return say(near.swappedWords, 0);
    const auto found = std::ranges::find_if(near.row, is);
    if (found == near.row.end()) return {};
    return say(near.rowWords, static_cast<size_t>(found - near.row.begin()) + 1);
}

Judgement LessonPlayer::judgeChoice(int part, int choice) {
    const LessonCheck& asked = check(part);
    const auto at = static_cast<size_t>(choice);
    const QString given = QString::fromStdString(asked.choices[at]);
    remember(part, given);
    if (given == solution(part)) {
        markSolved(part);
        return {true, filledInAll(asked.right, given)};
    }
    const bool hasOwn = at < asked.hints.size() && !asked.hints[at].empty();
    return {false, filledIn(hasOwn ? asked.hints[at] : asked.hint, given)};
}

QString LessonPlayer::solution(int part) const {
    const LessonCheck& asked = check(part);
    if (asked.kind == LessonCheck::Kind::Cell)
        return tr("row %1, column %2")
            .arg(asked.number.indices[asked.number.indices.size() - 2])
            .arg(asked.number.indices.back());
    if (asked.rightChoice >= 0) return QString::fromStdString(asked.choices[static_cast<size_t>(asked.rightChoice)]);
    if (!m_numbers) return {};
    try {
        if (asked.kind == LessonCheck::Kind::Number) {
            const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(asked.tolerance))), 0, 6);
            return QString::fromStdString(writtenNumber(m_numbers->number(scene(), asked.number), decimals));
        }
        const auto best = static_cast<size_t>(m_numbers->largestColumn(scene(), asked.number));
        return QString::fromStdString(m_numbers->columnWords(scene(), asked.number.name).at(best));
    } catch (const std::exception&) {
        return {};  // a lesson that is being written; its check names the mistake
    }
}

QString LessonPlayer::filledIn(const std::string& text, const QString& given) const {
    QString result = QString::fromStdString(m_numbers ? m_numbers->filledIn(scene(), text) : withoutNumbers(text));
    return result.replace(QStringLiteral("{{given}}"), given);
}

QString LessonPlayer::filledInAll(const std::string& text, const QString& given) const {
    LessonScene open = scene();
    open.veiled.clear();
    QString result = QString::fromStdString(m_numbers ? m_numbers->filledIn(open, text) : withoutNumbers(text));
    return result.replace(QStringLiteral("{{given}}"), given);
}

QString LessonPlayer::pointing(const std::string& text) const {
    if (!m_numbers) return QString::fromStdString(withoutNumbers(text));
    LessonScene shown = scene();
    for (const NumberPlace& place : numberPlaces(text))
        if (place.dial) setNumber(shown.state, place.dial->field, dialled(*place.dial));
    return QString::fromStdString(m_numbers->filledIn(shown, text, LessonNumbers::Form::Pointing));
}

double LessonPlayer::dialled(const StageDial& dial) const {
    return *numberOf(m_sight.stage ? m_sight.stage() : scene().state, dial.field);
}

QString LessonPlayer::asPrinted(const std::string& text) const {
    return QString::fromStdString(m_numbers ? m_numbers->filledIn(scene(), text, LessonNumbers::Form::Code)
                                            : withoutNumbers(text));
}

std::optional<double> LessonPlayer::number(const NumberName& name) const {
    if (!m_numbers) return {};
    try {
        return m_numbers->number(scene(), name);
    } catch (const Error&) {
        return {};  // a lesson that is being written; its check names the mistake
    }
}

void LessonPlayer::look() {
    if (!isOpen() || !m_sight.isMet) return;
    const std::vector<LessonPart>& parts = current().parts;
    for (size_t i = 0; i < parts.size(); ++i) {
        const int part = static_cast<int>(i);
        if (isSolved(part)) continue;
        if (const auto* task = std::get_if<LessonTask>(&parts[i])) {
            if (m_sight.isTouched && !m_sight.isTouched(task->when)) continue;
            const bool done = std::ranges::all_of(
                task->when, [&](const auto& condition) { return m_sight.isMet(condition.first, condition.second); });
            if (done) markSolved(part);
        } else if (const auto* asked = std::get_if<LessonCheck>(&parts[i]);
                   asked && asked->kind == LessonCheck::Kind::Cell && m_sight.isPointedAt(asked->number)) {
            markSolved(part);
        }
    }
}

}  // namespace headlight

#include "moc_lesson_player.cpp"
