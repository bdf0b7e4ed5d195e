// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/units/unit_contexts.h"

#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kContextRow = 26, kWords = 42, kInside = 8, kTall = 20, kArrow = 14;

}  // namespace

UnitContexts::UnitContexts(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Where the unit fires most"));
}

void UnitContexts::setSurvey(const std::shared_ptr<const FiringSurvey>& survey, int unit, double most,
                             const QStringList& hidden) {
    m_lines.clear();
    m_most = most;
    if (survey)
        for (const size_t word : survey->strongest(unit, kLines)) {
            const auto [sentence, position] = survey->words[word];
            const FiringSurvey::Sentence& of = survey->sentences[static_cast<size_t>(sentence)];
            if (!hidden.isEmpty() && wordList(of.words) == hidden) continue;
            Line line{static_cast<double>(survey->at(word, unit)), {}, {}, {}};
            for (int back = std::min(position, kMostWords - 1); back >= 0; --back) {
                line.words << QString::fromStdString(of.words[static_cast<size_t>(position - back)]);
                line.values.push_back(static_cast<double>(survey->at(word - static_cast<size_t>(back), unit)));
            }
            if (static_cast<size_t>(position) < of.written.size())
                line.next = QString::fromStdString(of.written[static_cast<size_t>(position)]);
            m_lines.push_back(std::move(line));
        }
    QStringList told;
    for (const Line& line : m_lines)
        told << QStringLiteral("%1 %2").arg(formatNumber(line.value), textOf(line.words));
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    update();
}

void UnitContexts::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QFont plain = uiFont(12, QFont::Medium), bold = uiFont(12, QFont::DemiBold);
    for (size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        const double y = kContextRow * (static_cast<double>(i) + 0.5);
        if (y + kContextRow / 2 > height()) break;
        paint::centredText(p, {30, y}, formatNumber(line.value), monoFont(12, QFont::DemiBold), t.text, Anchor::End);
        const double next = line.next.isEmpty() ? 0 : paint::textWidth(line.next, bold) + kArrow + 10;
        // The word at which it fires and what follows it stay; those before give way.
        qsizetype first = 0;
        const auto wide = [&] {
            double sum = 0;
            for (qsizetype word = first; word < line.words.size(); ++word)
                sum += paint::textWidth(line.words[word], plain) + kInside + 1;
            return sum;
        };
        while (first + 1 < line.words.size() && kWords + wide() + next > width())
            ++first;
        double x = kWords;
        for (qsizetype word = first; word < line.words.size(); ++word) {
            const double value = line.values[static_cast<size_t>(word)];
            const double room = paint::textWidth(line.words[word], plain) + kInside;
            const QColor fill = t.sequential(std::clamp(value / m_most, 0.0, 1.0));
            if (value > 0) paint::box(p, {x, y - kTall / 2, room, kTall}, fill, {}, 4);
            paint::centredText(p, {x + room / 2, y}, line.words[word], plain,
                               value > 0 ? Theme::onColor(fill) : t.text2, Anchor::Middle);
            x += room + 1;
        }
        if (line.next.isEmpty()) continue;
        drawIcon(p, Icon::Right, {x + 3, y - 6, 12, 12}, t.text3);
        paint::centredText(p, {x + kArrow + 6, y}, paint::elided(line.next, bold, width() - x - kArrow - 6), bold,
                           t.text);
    }
}

}  // namespace headlight

#include "moc_unit_contexts.cpp"
