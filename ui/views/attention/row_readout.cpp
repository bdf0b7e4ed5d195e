// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/row_readout.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_region.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr size_t kMost = 5;
constexpr float kLeastWritten = 0.005F;                       ///< less reads 0.00
constexpr double kBetween = 6, kApart = 14, kMostApart = 40;  ///< a word and its number, an entry and the next

QFont titleFont() {
    return uiFont(12, QFont::DemiBold);
}

QFont numberFont() {
    return monoFont(12, QFont::Medium);
}

/// "the largest", "the two largest".
QString largest(size_t count) {
    const QString names[] = {RowReadout::tr("the largest"), RowReadout::tr("the two largest"),
                             RowReadout::tr("the three largest"), RowReadout::tr("the four largest"),
                             RowReadout::tr("the five largest")};
    return names[count - 1];
}

}  // namespace

RowReadout::RowReadout(QWidget* parent) : QWidget(parent) {
    setFixedHeight(sizeHint().height());
}

void RowReadout::setRow(const QString& title, const QStringList& words, const std::vector<float>& weights,
                        int current) {
    m_row = title;
    m_words = words;
    m_weights = weights;
    m_current = current;
    choose();
}

void RowReadout::setOneLine(bool isOneLine) {
    if (std::exchange(m_isOneLine, isOneLine) == isOneLine) return;
    setFixedHeight(sizeHint().height());
    choose();
}

double RowReadout::room() const {
    return m_isOneLine ? width() - paint::textWidth(m_title, titleFont()) - kMostApart : width();
}

void RowReadout::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    choose();
}

QFont RowReadout::wordFont(int column) const {
    return uiFont(12, column == m_current ? QFont::DemiBold : QFont::Normal);
}

double RowReadout::widthOf(int column) const {
    return paint::textWidth(m_words.value(column), wordFont(column)) + kBetween +
           paint::textWidth(formatNumber(m_weights[static_cast<size_t>(column)]), numberFont());
}

/// A word that is cut short is another word: rather one less. What reads 0.00 is none of the largest.
void RowReadout::choose() {
    m_title = m_row;
    const bool areShares = std::ranges::all_of(m_weights, [](float each) { return each >= 0 && each <= 1; });
    const auto seen =
        std::ranges::count_if(m_weights, [areShares](float each) { return !areShares || each >= kLeastWritten; });
    for (size_t most = std::clamp<size_t>(static_cast<size_t>(seen), 1, kMost); most > 0; --most) {
        m_columns = largestColumns(m_weights, most);
        const bool isAmong = m_current < 0 || std::ranges::count(m_columns, m_current) > 0;
        if (!isAmong) m_columns.push_back(m_current);
        std::ranges::sort(m_columns);
        if (!m_isOneLine && !m_row.isEmpty() && m_weights.size() > most)
            m_title = isAmong ? tr("%1, %2").arg(m_row, largest(most))
                              : tr("%1, %2 and “%3”").arg(m_row, largest(most), m_words.value(m_current));
        double wide = -kApart;
        for (const int column : m_columns)
            wide += widthOf(column) + kApart;
        if (wide <= room()) break;
    }
    update();
}

void RowReadout::paintEvent(QPaintEvent*) {
    if (m_row.isEmpty() || m_weights.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::centredText(p, {0, 10}, m_title, titleFont(), t.text);
    double wide = 0;
    for (const int column : m_columns)
        wide += widthOf(column);
    const double count = static_cast<double>(m_columns.size());
    const double apart = std::max(0.0, (room() - wide) / std::max(1.0, count - 1));
    const double y = m_isOneLine ? 10 : 34;
    double x = width() - room();
    for (const int column : m_columns) {
        const bool on = column == m_current;
        paint::centredText(p, {x, y}, m_words.value(column), wordFont(column), on ? t.text : t.text2);
        x += widthOf(column);
        paint::centredText(p, {x, y}, formatNumber(m_weights[static_cast<size_t>(column)]), numberFont(),
                           on ? t.text : t.text3, Anchor::End);
        x += std::min(apart, kMostApart);
    }
}

}  // namespace headlight

#include "moc_row_readout.cpp"
