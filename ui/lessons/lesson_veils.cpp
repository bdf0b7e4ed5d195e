// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson hides until the reader has predicted it.
#include <QRegularExpression>
#include <cmath>

#include "core/error.h"
#include "core/lessons/steps_before.h"
#include "ui/lessons/lesson_player.h"

namespace headlight {

LessonScene LessonPlayer::scene() const {
    LessonScene scene = sceneOf(m_lesson, static_cast<size_t>(step()));
    scene.veiled = veiled();
    return scene;
}

std::vector<NumberName> LessonPlayer::veiled() const {
    std::vector<NumberName> hidden;
    if (!isOpen() || m_veilsLifted) return hidden;
    for (const VeilPlace& place : veilsOver(m_lesson, static_cast<size_t>(step())))
        if (!m_progress.solved.contains(keyOf(static_cast<int>(place.step), static_cast<int>(place.part))))
            hidden.insert(hidden.end(), place.veil->hidden.begin(), place.veil->hidden.end());
    return hidden;
}

void LessonPlayer::reveal(int part, const std::vector<double>& given) {
    if (isSolved(part)) return;
    QStringList written;
    for (const double number : given)
        written << QString::number(number, 'g', 6);
    if (!given.empty()) remember(part, written.join(u' '));
    markSolved(part);
    emit veilChanged();
}

std::vector<double> LessonPlayer::predicted(int part) const {
    std::vector<double> given;
    for (const QString& number : m_progress.answers.value(keyOf(part)).last.split(u' ', Qt::SkipEmptyParts))
        given.push_back(number.toDouble());
    return given;
}

std::optional<LessonPlayer::Row> LessonPlayer::hiddenRow(int part) const {
    const auto& veil = std::get<LessonVeil>(current().parts[static_cast<size_t>(part)]);
    if (!m_numbers || veil.hidden.empty()) return {};
    try {
        const NumberName& row = veil.hidden.front();
        Row result;
        for (const std::string& word : m_numbers->columnWords(scene(), row.name))
            result.words << QString::fromStdString(word);
        result.values = m_numbers->row(scene(), row);
        const auto count = static_cast<qsizetype>(result.values.size());
        result.places = m_numbers->columnPlaces(scene(), row.name);
        while (result.words.size() < count)
            result.words << QString::number(result.words.size() + 1);
        return result;
    } catch (const Error&) {
        return {};  // a lesson that is being written; its check names the mistake
    }
}

QString LessonPlayer::afterVeil(int part) const {
    const auto& veil = std::get<LessonVeil>(current().parts[static_cast<size_t>(part)]);
    LessonScene open = scene();
    std::erase_if(open.veiled,
                  [&](const NumberName& each) { return std::ranges::find(veil.hidden, each) != veil.hidden.end(); });
    open.given = predicted(part);
    if (veil.predict == LessonVeil::Predict::Curve) open.drawn = veil;
    QString words = QString::fromStdString(m_numbers ? m_numbers->filledIn(open, veil.after, LessonNumbers::Form::Plain)
                                                     : withoutNumbers(veil.after));
    const QString given = open.given.empty() ? QStringLiteral("…") : QString::number(open.given.front());
    words.replace(QStringLiteral("{{given}}"), given);
    // Of somebody who gave up there is nothing to tell.
    static const QRegularExpression left(QStringLiteral("\\{\\{(?:given|distance)\\[[^}]*\\}\\}"));
    return words.replace(left, QStringLiteral("…"));
}

void LessonPlayer::setVeilsLifted(bool lifted) {
    if (std::exchange(m_veilsLifted, lifted) == lifted) return;
    emit veilChanged();
}

}  // namespace headlight
