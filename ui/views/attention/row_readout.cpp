// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/row_readout.h"

#include <QPainter>
#include <algorithm>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr int kMost = 5;

/// The largest weights and whatever is pointed at, in the order of the sentence.
std::vector<int> chosenColumns(const std::vector<float>& weights, int current) {
    std::vector<int> columns(weights.size());
    std::iota(columns.begin(), columns.end(), 0);
    const auto before = [&](int a, int b) {
        if ((a == current) != (b == current)) return a == current;
        return weights[static_cast<size_t>(a)] > weights[static_cast<size_t>(b)];
    };
    std::stable_sort(columns.begin(), columns.end(), before);
    columns.resize(std::min<size_t>(columns.size(), kMost));
    std::sort(columns.begin(), columns.end());
    return columns;
}

}  // namespace

RowReadout::RowReadout(QWidget* parent) : QWidget(parent) {
    setFixedHeight(sizeHint().height());
}

void RowReadout::setRow(const QString& title, const QStringList& words, const std::vector<float>& weights,
                        int current) {
    m_title = title;
    m_words = words;
    m_weights = weights;
    m_current = current;
    update();
}

void RowReadout::paintEvent(QPaintEvent*) {
    if (m_title.isEmpty() || m_weights.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::centredText(p, {0, 10}, m_title, uiFont(12, QFont::DemiBold), t.text);
    const std::vector<int> columns = chosenColumns(m_weights, m_current);
    const double pitch = width() / static_cast<double>(columns.size());
    const double number = paint::textWidth(QStringLiteral("0.00"), monoFont(12)) + 6;
    for (size_t i = 0; i < columns.size(); ++i) {
        const int column = columns[i];
        const bool on = column == m_current;
        const double x = static_cast<double>(i) * pitch;
        const QFont font = uiFont(12, on ? QFont::DemiBold : QFont::Normal);
        const QString word = paint::elided(m_words.value(column), font, pitch - number - 10);
        paint::centredText(p, {x, 34}, word, font, on ? t.text : t.text2);
        paint::centredText(p, {x + paint::textWidth(word, font) + 6, 34},
                           formatNumber(m_weights[static_cast<size_t>(column)]), monoFont(12, QFont::Medium),
                           on ? t.text : t.text3);
    }
}

}  // namespace headlight
