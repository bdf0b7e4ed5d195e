// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/heads_story.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headlight {

namespace {

/// Steps that have as much room as all that come until they have doubled.
constexpr double linearSteps = 12.5;

}  // namespace

double stepPlace(double step, int last) {
    return std::log1p(step / linearSteps) / std::log1p(std::max(1, last) / linearSteps);
}

double stepAt(double place, int last) {
    return std::expm1(place * std::log1p(std::max(1, last) / linearSteps)) * linearSteps;
}

std::vector<bool> newWords(const QStringList& before, const QStringList& now) {
    const auto rows = static_cast<size_t>(before.size()), columns = static_cast<size_t>(now.size());
    // common[i][j]: words in common, in order, of what follows the first i and j.
    std::vector<std::vector<int>> common(rows + 1, std::vector<int>(columns + 1));
    const auto same = [&](size_t i, size_t j) {
        return before[static_cast<qsizetype>(i)] == now[static_cast<qsizetype>(j)];
    };
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;)
            common[i][j] = same(i, j) ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    std::vector<bool> isNew(columns, true);
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
        if (same(i, j)) {
            isNew[j] = false;
            ++i, ++j;
        } else if (common[i + 1][j] >= common[i][j + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
    return isNew;
}

HeadsStory::HeadsStory(QObject* parent) : QObject(parent) {}

void HeadsStory::begin(int last) {
    m_last = std::max(1, last);
    m_frames.clear();
    m_blocks.clear();
    m_heads.clear();
    m_held = 0;
    m_peek = -1;
    m_cell.reset();
    emit changed();
}

void HeadsStory::append(const std::vector<HeadsFrame>& frames) {
    for (const HeadsFrame& frame : frames)
        addFrame(frame);
    emit changed();
}

void HeadsStory::addFrame(const HeadsFrame& frame) {
    dropResting();
    m_blocks.push_back(frame.trace ? attentionBlocks(*frame.trace) : std::vector<AttentionBlock>());
    m_frames.push_back(frame);
    if (m_frames.size() > 1) return;
    for (int block = 0; block < static_cast<int>(m_blocks.front().size()); ++block)
        for (int head = 0; head < m_blocks.front()[static_cast<size_t>(block)].heads; ++head)
            m_heads.push_back({block, head});
}

void HeadsStory::dropResting() {
    if (m_frames.empty() || m_frames.back().kind != HeadsFrame::Kind::Resting) return;
    m_frames.pop_back();
    m_blocks.pop_back();
}

void HeadsStory::cutBack(int step) {
    dropResting();
    while (!m_frames.empty() && m_frames.back().step > step) {
        m_frames.pop_back();
        m_blocks.pop_back();
    }
    if (m_held > step) m_held = 0;
    m_peek = -1;
    emit changed();
}

int HeadsStory::current() const {
    if (m_peek >= 0) return std::min(m_peek, newest());
    if (m_held <= 0) return newest();
    const auto after = std::ranges::upper_bound(m_frames, m_held, {}, &HeadsFrame::step);
    return std::max(0, static_cast<int>(after - m_frames.begin()) - 1);
}

const HeadsFrame* HeadsStory::shown() const {
    return m_frames.empty() ? nullptr : &m_frames[static_cast<size_t>(current())];
}

void HeadsStory::peek(int frame) {
    if (isEmpty() || m_peek == frame) return;
    m_peek = std::clamp(frame, 0, newest());
    emit changed();
}

void HeadsStory::release() {
    if (m_peek < 0 && m_held == 0) return;
    m_peek = -1;
    const bool wasHeld = std::exchange(m_held, 0) > 0;
    emit changed();
    if (wasHeld) emit chosenByReader();
}

void HeadsStory::hold(int frame) {
    if (isEmpty()) return;
    m_peek = -1;
    const int at = std::clamp(frame, 0, newest());
    // Step 0 cannot be said by its number, which means the newest: the frame before the first step is reached by 1.
    m_held = at == newest() ? 0 : std::max(1, m_frames[static_cast<size_t>(at)].step);
    emit changed();
    emit chosenByReader();
}

void HeadsStory::holdStep(int step) {
    m_held = step;
    emit changed();
}

int HeadsStory::nearest(int step) const {
    int best = newest();
    for (int i = 0; i <= newest(); ++i)
        if (std::abs(m_frames[static_cast<size_t>(i)].step - step) <
            std::abs(m_frames[static_cast<size_t>(best)].step - step))
            best = i;
    return best;
}

int HeadsStory::chosen() const {
    int first = -1;  // of the last block
    for (int i = 0; i < static_cast<int>(m_heads.size()); ++i) {
        if (nameOf(i) == m_wanted) return i;
        if (m_heads[static_cast<size_t>(i)].head == 0) first = i;
    }
    return first;
}

void HeadsStory::choose(int head) {
    if (head < 0 || head >= static_cast<int>(m_heads.size()) || head == chosen()) return;
    m_wanted.clear();
    if (chosen() != head) m_wanted = nameOf(head);
    m_cell.reset();
    emit changed();
    emit chosenByReader();
}

void HeadsStory::wantHead(const QString& name) {
    if (name == m_wanted) return;
    m_wanted = name;
    m_cell.reset();
    emit changed();
}

QString HeadsStory::nameOf(int head) const {
    const Head& at = m_heads[static_cast<size_t>(head)];
    return headName(m_blocks.front()[static_cast<size_t>(at.block)].scope, at.head);
}

std::span<const float> HeadsStory::weights(int frame, int head) const {
    const Head& at = m_heads[static_cast<size_t>(head)];
    return blocks(frame)[static_cast<size_t>(at.block)].headWeights(at.head);
}

bool HeadsStory::isSharp(int frame, int head) const {
    return m_frames[static_cast<size_t>(frame)].spread[static_cast<size_t>(head)] < sharpBelow;
}

std::optional<int> HeadsStory::sharpSince(int frame, int head) const {
    if (!isSharp(frame, head)) return {};
    while (frame > 0 && isSharp(frame - 1, head))
        --frame;
    return m_frames[static_cast<size_t>(frame)].step;
}

int HeadsStory::sharpHeads(int frame) const {
    return static_cast<int>(std::ranges::count_if(m_frames[static_cast<size_t>(frame)].spread,
                                                  [](double spread) { return spread < sharpBelow; }));
}

std::pair<int, int> HeadsStory::cell() const {
    if (m_cell) return *m_cell;
    if (chosen() < 0) return {-1, -1};
    const AttentionBlock& block = m_blocks.front()[static_cast<size_t>(m_heads[static_cast<size_t>(chosen())].block)];
    const int middle = block.rows / 2;
    return {middle, std::min(middle, block.columns - 1)};
}

void HeadsStory::chooseCell(int row, int column) {
    m_cell = {row, column};
    emit changed();
}

std::vector<HeadsStory::Writing> HeadsStory::writings(int frame) const {
    std::vector<Writing> all;
    for (int i = 0; i <= frame; ++i) {
        const HeadsFrame& told = m_frames[static_cast<size_t>(i)];
        Writing next{told.step, told.written.split(u' ', Qt::SkipEmptyParts), {}};
        if (!all.empty() && all.back().words == next.words) continue;
        next.isNew = all.empty() ? std::vector<bool>(static_cast<size_t>(next.words.size()))
                                 : newWords(all.back().words, next.words);
        all.push_back(std::move(next));
    }
    return all;
}

std::vector<int> HeadsStory::film(int most) const {
    if (isEmpty()) return {};
    const int first = m_frames.front().step, last = m_frames.back().step;
    std::set<int> chosen = {0, newest()};
    const double from = stepPlace(first, m_last), to = stepPlace(last, m_last);
    for (int i = 1; i + 1 < most; ++i)
        chosen.insert(nearest(static_cast<int>(std::lround(stepAt(from + (to - from) * i / (most - 1), m_last)))));
    std::vector<int> film(chosen.begin(), chosen.end());
    if (chosen.contains(current())) return film;
    // The one beside it gives way, so that the others stay where they are.
    const auto step = [this](int frame) { return m_frames[static_cast<size_t>(frame)].step; };
    const auto inner = std::ranges::min_element(film.begin() + 1, film.end() - 1, {}, [&](int frame) {
        return std::abs(stepPlace(step(frame), m_last) - stepPlace(step(current()), m_last));
    });
    if (inner == film.end() - 1) return {film.front(), current(), film.back()};
    *inner = current();
    return film;
}

}  // namespace headlight

#include "moc_heads_story.cpp"
