// SPDX-License-Identifier: GPL-3.0-or-later
// The equation while it is played: what of the row that is followed is there, and what is on its way.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <limits>

#include "ui/session/format/number_format.h"
#include "ui/session/open/playhead.h"
#include "ui/views/laboratory/equation_layout.h"
#include "ui/views/laboratory/equation_stage.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace equation;

namespace {

constexpr double kOverNumbers = 0.7;    ///< a share on its way lets the numbers be read that it passes
constexpr double kRoomForNumbers = 56;  ///< a column so wide shows the numbers of Q beside those of K

}  // namespace

void EquationStage::findMotion() {
    m_score.reset();
    m_softmax.reset();
    m_mix.reset();
    const double phase = m_playhead->phase();
    const QueryKeyValue& input = m_equation.input;
    if (phase >= 1 || input.queries == 0 || input.keys == 0) return;
    const auto rowOf = [this](const std::vector<float>& matrix, int columns) {
        return std::span<const float>(matrix).subspan(cellIndex(m_row, 0, columns), static_cast<size_t>(columns));
    };
    const auto weights = rowOf(m_equation.result.weights, input.keys);
    switch (static_cast<Operation>(m_playhead->operation())) {
        case Operation::Score:
            m_score = ScoreMotion::at(rowOf(input.query, input.width), input.key, input.width, phase);
            break;
        case Operation::Softmax: {
            std::vector<float> mask(static_cast<size_t>(input.keys));
            for (int key = 0; key < input.keys; ++key)
                if (isBlocked(m_row, key)) mask[static_cast<size_t>(key)] = -std::numeric_limits<float>::infinity();
            m_softmax =
                SoftmaxMotion::at(rowOf(m_equation.result.scores, input.keys), weights, mask, input.keys, phase);
            break;
        }
        case Operation::Mix:
            m_mix = MixMotion::at(weights, input.value, input.keys, phase);
            break;
    }
}

bool EquationStage::isDone(Operation operation) const {
    if (operation >= Operation::Softmax && (hasVeil(Matrix::Scores) || hasVeil(Matrix::Weights))) return false;
    if (operation == Operation::Mix && hasVeil(Matrix::Output)) return false;
    return m_playhead->time() >= static_cast<int>(operation) + 1;
}

bool EquationStage::isVeiled(const Cell& cell) const {
    const std::vector<char>* const flags = cell.matrix == Matrix::Scores    ? &m_equation.veiledScores
                                           : cell.matrix == Matrix::Weights ? &m_equation.veiledWeights
                                           : cell.matrix == Matrix::Output  ? &m_equation.veiledOutput
                                                                            : nullptr;
    if (!flags || flags->empty()) return false;
    const int columns = sizeOf(cell.matrix).second;
    return (*flags)[static_cast<size_t>(cell.row) * static_cast<size_t>(columns) + static_cast<size_t>(cell.column)];
}

bool EquationStage::hasVeil(Matrix matrix) const {
    for (int column = 0; column < sizeOf(matrix).second; ++column)
        if (isVeiled({matrix, m_row, column})) return true;
    return false;
}

int EquationStage::keyNow() const {
    const int last = m_equation.input.keys - 1;
    if (m_score) return std::min(m_score->column, last);
    if (m_softmax && m_softmax->rise >= 1 && m_softmax->shrink <= 0) return std::clamp(m_softmax->counted - 1, 0, last);
    if (m_mix && m_mix->fade >= 1) return std::min(m_mix->added, last);
    return m_key;
}

bool EquationStage::isThere(const Cell& cell) const {
    if (cell.row != m_row) return true;
    switch (cell.matrix) {
        case Matrix::Scores:
            return !m_score || cell.column < m_score->filled;
        case Matrix::Weights:
            return isDone(Operation::Softmax);
        case Matrix::Output:
            return isDone(Operation::Mix);
        case Matrix::Query:
        case Matrix::Key:
        case Matrix::Value:
            break;
    }
    return true;
}

/// An outline, and what has come of the number: a score fades in, a share too, an output is a sum that grows.
void EquationStage::paintMissing(QPainter& p, const Cell& cell, const QFont& font) const {
    const Theme& t = Theme::of(this);
    const QRectF area = areaOf(cell).adjusted(0, 0, -1, -1);
    paint::box(p, area, {}, t.line2);
    const auto put = [&](const QColor& fill, const QString& text, double opacity) {
        p.setOpacity(opacity);
        p.fillRect(area, fill);
        paint::centredText(p, area.center(), text, font, Theme::onColor(fill), Anchor::Middle);
        p.setOpacity(1);
    };
    if (cell.matrix == Matrix::Scores && m_score && cell.column == m_score->column && m_score->fill > 0)
        put(fillOf(cell, t), textOf(cell), m_score->fill);
    if (cell.matrix == Matrix::Weights && m_softmax && m_softmax->shrink > 0)
        put(fillOf(cell, t), m_softmax->shrink >= 0.5 ? textOf(cell) : QString(), m_softmax->shrink);
    if (cell.matrix == Matrix::Output && m_mix && m_mix->added > 0) {
        const double sum = m_mix->sum[static_cast<size_t>(cell.column)];
        const int decimals = static_cast<int>(textOf(cell).section(u'.', 1).size());
        put(t.diverging(sum, m_most), textOf(cell).isEmpty() ? QString() : formatNumber(sum, decimals), 1);
    }
}

/// The row of Q turns upright, comes to the column of Kᵀ and goes along from column to column.
void EquationStage::paintSliding(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Layout& at = m_layout;
    const int width = m_equation.input.width;
    const auto standing = [&](int key) {
        return QRectF(at.k.x() + at.cell * key - 3, at.k.y() - 3, at.cell + 5, at.row * width + 5);
    };
    const QRectF row(at.q.x(), at.q.y() + at.row * m_row, at.cell * width, at.row);
    const QRectF from = m_score->column == 0 ? row : standing(m_score->column - 1);
    paint::outline(p, paint::between(from, standing(m_score->column), m_score->slide), t.query, 2);
    if (at.cell < kRoomForNumbers) return;
    const QFont font = monoFont(12, QFont::Medium);
    for (int i = 0; i < width; ++i) {
        // On the line between two columns, beside the number that it is multiplied by.
        const auto beside = [&](int key) { return QPointF(at.k.x() + at.cell * key, at.k.y() + at.row * (i + 0.5)); };
        const QPointF begin =
            m_score->column == 0 ? areaOf({Matrix::Query, m_row, i}).center() : beside(m_score->column - 1);
        const QPointF there = begin + (beside(m_score->column) - begin) * m_score->slide;
        const QString text = formatNumber(valueOf({Matrix::Query, m_row, i}));
        const double wide = paint::textWidth(text, font) + 6;
        const bool isNext = i == m_score->products && m_score->slide >= 1;
        paint::box(p, {there.x() - wide / 2, there.y() - 8, wide, 16}, t.queryTint, isNext ? t.nowLine : t.query, 3);
        paint::centredText(p, there, text, font, t.query, Anchor::Middle);
    }
}

/// The next product on its way into the sum.
void EquationStage::paintDropping(QPainter& p, QPointF to) const {
    if (m_score->falling <= 0 || m_score->products >= m_equation.input.width) return;
    const Theme& t = Theme::of(this);
    const QPointF from = areaOf({Matrix::Key, m_score->column, m_score->products}).center();
    const QFont font = monoFont(13, QFont::Medium);
    const QString q = formatNumber(valueOf({Matrix::Query, m_row, m_score->products})),
                  k = formatNumber(valueOf({Matrix::Key, m_score->column, m_score->products}));
    const QString times = QStringLiteral(" × ");
    const double wide = paint::textWidth(q + times + k, font) + 12;
    const QPointF target = to + QPointF(wide / 2 + 14, 0), there = from + (target - from) * m_score->falling;
    const QRectF box(there.x() - wide / 2, there.y() - 11, wide, 22);
    paint::box(p, box, t.surface, t.nowLine, 5);
    double x = box.left() + 6;
    for (const auto& [text, ink] : {std::pair(q, t.query), std::pair(times, t.text2), std::pair(k, t.key)}) {
        paint::centredText(p, {x, there.y()}, text, font, ink);
        x += paint::textWidth(text, font);
    }
}

/// A bracket holds the bars that are added up; then each shrinks to its share of what is one.
void EquationStage::paintShrinking(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Layout& at = m_layout;
    if (m_softmax->counted > 0) {
        const double x = at.weight - 8, top = at.v.y() + 3, bottom = at.v.y() + at.tall * m_softmax->counted - 3;
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(t.nowLine, 2));
        p.drawPolyline(QPolygonF({{x - 4, top}, {x, top}, {x, bottom}, {x - 4, bottom}}));
    }
    if (m_softmax->shrink <= 0) return;
    for (int key = 0; key < m_equation.input.keys; ++key) {
        const QRectF share = paint::between(powerBar(key), shareBar(key), m_softmax->shrink);
        p.setOpacity(kOverNumbers);
        p.fillRect(share, t.sequential(valueOf({Matrix::Weights, m_row, key})));
        p.setOpacity(1);
        p.setPen(QPen(t.nowLine, 1));
        p.setBrush(Qt::NoBrush);
        p.drawRect(share);
    }
}

/// The next row of V on its way to the row of the output.
void EquationStage::paintFalling(QPainter& p) const {
    if (m_mix->falling <= 0 || m_mix->added >= m_equation.input.keys) return;
    const Theme& t = Theme::of(this);
    const QFont font = fontOf(Matrix::Output);
    QRectF all;
    for (int i = 0; i < m_equation.input.width; ++i) {
        const Cell value{Matrix::Value, m_mix->added, i};
        const QRectF from = areaOf(value), to = areaOf({Matrix::Output, m_row, i});
        const QRectF there = paint::between(from, to, m_mix->falling).adjusted(0, 0, -1, -1);
        const QColor fill = fillOf(value, t);
        p.fillRect(there, fill);
        const double product = valueOf(value) * valueOf({Matrix::Weights, m_row, m_mix->added});
        const QString text = formatNumber(product, 3);
        if (paint::textWidth(text, font) < there.width() - 2)
            paint::centredText(p, there.center(), text, font, Theme::onColor(fill), Anchor::Middle);
        all = all.united(there);
    }
    paint::outline(p, all, t.value, 2);
}

}  // namespace headlight
