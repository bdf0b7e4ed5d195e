// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/learnt.h"

#include <algorithm>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/attention_facts.h"

namespace headlight {

namespace {

constexpr double kLikelierThanNot = 0.5;

/// What a head does, and how far it does what is asked.
HabitTally tallyOf(const HeadsFrame& frame, const AttentionBlock& block, int head) {
    return HabitPlaces(*frame.trace, *block.weights, frame.gold).read(block.headWeights(head));
}

}  // namespace

Learnt::Learnt(HeadsStory* story, QObject* parent) : QObject(parent), m_story(story) {
    connect(story, &HeadsStory::changed, this, &Learnt::follow);
}

void Learnt::setNothing() {
    choose(What::Nothing, 0);
}

void Learnt::setRole() {
    choose(What::Role, 0);
}

void Learnt::setWord(int word) {
    choose(What::Word, word);
}

void Learnt::choose(What what, int word) {
    if (m_what == what && m_word == word) return;
    m_what = what;
    m_word = word;
    forgetReplayed();
}

void Learnt::forgetReplayed() {
    stopReplay();
    m_replayed.clear();
    follow();
}

std::vector<HeadsFrame::Said> Learnt::words() const {
    return m_story->isEmpty() ? std::vector<HeadsFrame::Said>() : m_story->frames().back().said;
}

double Learnt::level() const {
    if (m_what == What::Word) return kLikelierThanNot;
    return m_role == HeadHabit::Broad ? broadEntropy : habitShare;
}

std::optional<double> Learnt::valueOf(const HeadsFrame& frame) const {
    if (m_what == What::Word) {
        if (m_word < 0 || m_word >= static_cast<int>(frame.said.size())) return {};
        return frame.said[static_cast<size_t>(m_word)].probability;
    }
    if (m_what != What::Role || m_head < 0 || m_role == HeadHabit::None || !frame.trace) return {};
    const HeadsStory::Head& at = m_story->heads()[static_cast<size_t>(m_head)];
    const std::vector<AttentionBlock> blocks = attentionBlocks(*frame.trace);
    const HabitTally tally = tallyOf(frame, blocks[static_cast<size_t>(at.block)], at.head);
    if (m_role == HeadHabit::Broad) return tally.relativeEntropy.value();
    return tally.habits[static_cast<size_t>(m_role)].value();
}

/// Looking at another frame changes nothing here.
void Learnt::follow() {
    const Followed now{m_what,
                       m_word,
                       m_story->isEmpty() ? -1 : m_story->chosen(),
                       m_story->isEmpty() ? -1 : m_story->frames().back().step,
                       m_story->frames().size(),
                       m_replayed.size(),
                       m_left};
    if (now == m_followed) return;
    m_followed = now;
    findRole();
    fillPoints();
    emit changed();
}

/// The role is that of the newest frame: what has become of the head is what it was to learn.
void Learnt::findRole() {
    const int head = m_story->isEmpty() ? -1 : m_story->chosen();
    HeadHabit role = HeadHabit::None;
    if (head >= 0) {
        const HeadsStory::Head& at = m_story->heads()[static_cast<size_t>(head)];
        const AttentionBlock& block = m_story->blocks(m_story->newest())[static_cast<size_t>(at.block)];
        role = tallyOf(m_story->frames().back(), block, at.head).facts().habit;
    }
    if (m_what == What::Role && (head != m_head || role != m_role)) {
        m_replayed.clear();
        stopReplay();
    }
    m_head = head;
    m_role = role;
}

void Learnt::fillPoints() {
    m_points.clear();
    for (const HeadsFrame& frame : m_story->frames())
        if (const std::optional<double> value = valueOf(frame)) m_points.push_back({frame.step, *value});
    if (!m_points.empty())
        for (const Point& point : m_replayed) {
            const auto place = std::ranges::lower_bound(m_points, point.step, {}, &Point::step);
            if (place == m_points.end() || place->step != point.step) m_points.insert(place, point);
        }
}

std::optional<Learnt::Moment> Learnt::moment() const {
    if (m_points.empty() || m_points.back().value < level()) return {};
    auto first = m_points.end() - 1;
    while (first != m_points.begin() && (first - 1)->value >= level())
        --first;
    if (first == m_points.begin()) return Moment{first->step, first->step};
    return Moment{(first - 1)->step, first->step};
}

double Learnt::valueAt(int step) const {
    return std::ranges::lower_bound(m_points, step, {}, &Point::step)->value;
}

QString Learnt::subject() const {
    if (m_what == What::Word) return tr("“%1”").arg(words()[static_cast<size_t>(m_word)].word);
    return tr("The role “%1” of this head").arg(habitName(m_role));
}

QString Learnt::sentence() const {
    if (m_what == What::Nothing || m_story->isEmpty()) return {};
    if (m_what == What::Role && m_head < 0) return tr("This model has no attention whose role could be dated.");
    if (m_what == What::Role && m_role == HeadHabit::None)
        return tr("This head has none of the roles that are looked for at step %1: no habit takes %2 of its weight.")
            .arg(formatCount(m_story->frames().back().step), formatNumber(habitShare));
    if (m_points.empty()) return tr("The model is made to write no such word.");
    const QString level = formatNumber(this->level()), last = formatCount(m_points.back().step);
    const QString least = m_what == What::Word ? tr("a probability of %1").arg(level) : tr("a share of %1").arg(level);
    const std::optional<Moment> found = moment();
    if (!found)
        return tr("%1 has not come to %2: it stands at %3 at step %4.")
            .arg(subject(), least, formatNumber(m_points.back().value, 3), last);
    if (found->after == found->step) return tr("%1 has %2 from the first step that is shown on.").arg(subject(), least);
    const QString before = formatNumber(valueAt(found->after), 3), since = formatNumber(valueAt(found->step), 3);
    if (found->isExact())
        return tr("%1 has kept %2 since step %3: %4 there, %5 one step before.")
            .arg(subject(), least, formatCount(found->step), since, before);
    return tr("%1 came to %2, and kept it, between step %3 (%4) and step %5 (%6).")
        .arg(subject(), least, formatCount(found->after), before, formatCount(found->step), since);
}

bool Learnt::canReplay() const {
    const std::optional<Moment> found = moment();
    return found && found->step > found->after + 1;
}

void Learnt::replay() {
    if (!canReplay() || isReplaying()) return;
    const Moment found = *moment();
    m_left = found.step - found.after - 1;
    emit changed();
    emit replayWanted(found.after, found.step - 1);
}

void Learnt::stopReplay() {
    if (std::exchange(m_left, 0) == 0) return;
    emit replayStopped();
    emit changed();
}

void Learnt::add(const std::vector<HeadsFrame>& readings, int left) {
    if (m_left == 0) return;
    for (const HeadsFrame& frame : readings)
        if (const std::optional<double> value = valueOf(frame)) {
            const auto place = std::ranges::lower_bound(m_replayed, frame.step, {}, &Point::step);
            if (place == m_replayed.end() || place->step != frame.step) m_replayed.insert(place, {frame.step, *value});
        }
    m_left = left;
    follow();
}

}  // namespace headlight

#include "moc_learnt.cpp"
