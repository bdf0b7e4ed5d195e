// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/profile_stack.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

using Role = StreamProfile::Role;

constexpr double kJoint = 11;  ///< half of what stands on the left edge
constexpr double kProfileLabels = 142, kAxis = 36, kHistogram = 64, kStats = 112, kGap = 12, kPad = 8, kNumbers = 22,
                 kEdge = 4;
constexpr double kLowest = 52;      ///< of a row: three lines stand in it
constexpr double kNarrow = 620;     ///< below, there is no histogram
constexpr double kTwoScales = 3.5;  ///< how much longer the stream is when the rest has a scale of its own

/// A step of a scale such that two lines are at least `apart` pixels from each other.
double niceStep(double pixelsForOne, double apart) {
    for (double decade = 0.01; decade < 1e9; decade *= 10)
        for (const double step : {1.0, 2.0, 5.0})
            if (step * decade * pixelsForOne >= apart) return step * decade;
    return 1e9;
}

/// With zero in it; what is hidden tells nothing of where it lies.
std::pair<double, double> rangeOf(const StreamProfile& profile) {
    std::pair<double, double> range = profile.isHidden() ? std::pair(-1.0, 1.0) : std::pair(0.0, 0.0);
    for (size_t unit = 0; unit < profile.values.size(); ++unit) {
        if (profile.isHidden(static_cast<int>(unit))) continue;
        range.first = std::min(range.first, profile.values[unit]);
        range.second = std::max(range.second, profile.values[unit]);
    }
    return range;
}

bool isNormed(Role role) {
    return role == Role::R || role == Role::Z;
}

}  // namespace

ProfileStack::ProfileStack(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("The five vectors of the word"));
}

void ProfileStack::setWord(std::optional<StreamWord> word) {
    m_word = std::move(word);
    layOut();
    setUnit(m_unit);
}

void ProfileStack::setUnit(int unit) {
    // Chosen in a wider model, it is the last of this one.
    m_unit = m_word ? std::clamp(unit, 0, m_word->width() - 1) : unit;
    QStringList told;
    if (m_word)
        for (const StreamProfile& profile : m_word->profiles())
            told << describe(profile, m_unit);
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    update();
}

QString ProfileStack::describe(const StreamProfile& profile, int unit) {
    const QString formula = paint::mathAsText(profile.formula);
    if (profile.isHidden()) return tr("%1 hidden until you have predicted it").arg(formula);
    const QString number = profile.isHidden(unit) ? tr("hidden until you have predicted it")
                                                  : formatNumber(profile.values[static_cast<size_t>(unit)]);
    return tr("%1 %2, mean %3, deviation %4, length %5")
        .arg(formula, number, formatNumber(profile.moments.mean), formatNumber(profile.moments.deviation),
             formatNumber(profile.moments.length));
}

/// Every row as high as its numbers need, on one scale; z, y and what the sublayer makes have their own where the
/// stream is many times as long.
void ProfileStack::layOut() {
    m_rows.clear();
    if (!m_word) return;
    const auto& profiles = m_word->profiles();
    double stream = 0, inside = 0;
    for (const StreamProfile& profile : profiles) {
        const auto [low, high] = rangeOf(profile);
        Row row;
        row.low = low;
        row.high = std::max(low + 1e-6, high);
        row.inside = profile.role != Role::X && profile.role != Role::R;
        (row.inside ? inside : stream) = std::max(row.inside ? inside : stream, row.high - row.low);
        m_rows.push_back(row);
    }
    const double ratio = inside > 0 && stream > kTwoScales * inside ? stream / inside : 1;
    const double room = height() - kNumbers - 2 * kEdge - 2 * kPad * static_cast<double>(m_rows.size());
    // Rows that would be too low take what they need; the rest share what is left.
    std::vector<bool> isLow(m_rows.size());
    double scale = 1;
    for (size_t pass = 0; pass <= m_rows.size(); ++pass) {
        double left = room, sum = 0;
        for (size_t i = 0; i < m_rows.size(); ++i) {
            const double span = (m_rows[i].high - m_rows[i].low) * (m_rows[i].inside ? ratio : 1);
            isLow[i] ? left -= kLowest - 2 * kPad : sum += span;
        }
        scale = sum > 0 ? std::max(1e-9, left) / sum : 1;
        bool settled = true;
        for (size_t i = 0; i < m_rows.size(); ++i) {
            const double span = (m_rows[i].high - m_rows[i].low) * (m_rows[i].inside ? ratio : 1);
            if (!isLow[i] && span * scale < kLowest - 2 * kPad) {
                isLow[i] = true;
                settled = false;
            }
        }
        if (settled) break;
    }
    m_scales = {scale, scale * ratio};
    double y = kEdge;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        Row& row = m_rows[i];
        const double span = (row.high - row.low) * m_scales[row.inside];
        const double tall = isLow[i] ? kLowest : span + 2 * kPad;
        row.top = y;
        row.bottom = y += tall;
        row.zero = row.top + (tall - span) / 2 + row.high * m_scales[row.inside];
    }
}

double ProfileStack::unitHeight(int row) const {
    return m_scales[m_rows[static_cast<size_t>(row)].inside];
}

QRectF ProfileStack::rowRect(int row) const {
    const Row& of = m_rows[static_cast<size_t>(row)];
    return {kJoint, of.top, width() - kJoint, of.bottom - of.top};
}

double ProfileStack::yOf(int row, double value) const {
    return m_rows[static_cast<size_t>(row)].zero - value * unitHeight(row);
}

double ProfileStack::statsLeft() const {
    return width() - kStats - kGap;
}

double ProfileStack::histogramLeft() const {
    return width() < kNarrow ? statsLeft() : statsLeft() - kHistogram - kGap - 8;
}

double ProfileStack::barsWidth() const {
    return histogramLeft() - kGap - (kJoint + kProfileLabels + kAxis);
}

QRectF ProfileStack::barRect(int row, int unit) const {
    const StreamProfile& profile = m_word->profiles()[static_cast<size_t>(row)];
    const double pitch = barsWidth() / static_cast<double>(profile.values.size()), gap = pitch >= 3 ? 1 : 0;
    const double left = kJoint + kProfileLabels + kAxis + unit * pitch, wide = std::max(0.5, pitch - gap);
    if (profile.isHidden(unit)) return {left, rowRect(row).top() + 3, wide, rowRect(row).height() - 6};
    const double value = profile.values[static_cast<size_t>(unit)];
    const double top = yOf(row, std::max(0.0, value)), tall = std::max(0.5, std::abs(value) * unitHeight(row));
    return {left, top, wide, tall};
}

double ProfileStack::binWidth(int row) const {
    return niceStep(unitHeight(row), 6);
}

std::vector<ProfileStack::Bin> ProfileStack::bins(int row) const {
    std::map<long, int> counts;
    const double wide = binWidth(row);
    const StreamProfile& profile = m_word->profiles()[static_cast<size_t>(row)];
    for (int unit = 0; unit < m_word->width(); ++unit)
        if (!profile.isHidden(unit))
            ++counts[std::lround(std::floor(profile.values[static_cast<size_t>(unit)] / wide))];
    std::vector<Bin> all;
    all.reserve(counts.size());
    for (const auto& [bin, count] : counts)
        all.push_back({static_cast<double>(bin) * wide, count});
    return all;
}

int ProfileStack::mostInABin() const {
    int most = 1;
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        for (const Bin& bin : bins(row))
            most = std::max(most, bin.count);
    return most;
}

QRectF ProfileStack::binRect(int row, const Bin& bin) const {
    const double top = yOf(row, bin.from + binWidth(row)), bottom = yOf(row, bin.from);
    return {histogramLeft() + 1, top + 0.5, kHistogram * bin.count / mostInABin(), bottom - top - 1};
}

void ProfileStack::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, QRectF(kJoint, 0, width() - kJoint, height()), t.surface, t.line, 8);
    if (!m_word || barsWidth() <= 0) return paintOutlines(p, t);
    const QRectF column = barRect(0, m_unit);
    paint::box(p, {column.left() - 3, kEdge + 4, column.width() + 6, height() - kNumbers - kEdge - 6}, t.nowTint, {},
               3);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        paintRow(p, t, row);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        paintChosen(p, t, row);
    paintJoints(p, t);
    paintNumbers(p, t);
}

void ProfileStack::paintOutlines(QPainter& p, const Theme& t) const {
    for (int row = 1; row < 5; ++row)
        p.fillRect(QRectF(kJoint + 20, std::round(height() * row / 5.0), width() - kJoint - 40, 1), t.line);
}

void ProfileStack::paintRow(QPainter& p, const Theme& t, int row) const {
    const StreamProfile& profile = m_word->profiles()[static_cast<size_t>(row)];
    const QRectF at = rowRect(row);
    if (row > 0) p.fillRect(QRectF(at.left() + 20, std::round(at.top()), at.width() - 40, 1), t.line);
    const double middle = at.center().y(), left = kJoint + 20;
    const int px = paint::mathWidth(profile.formula, 18) <= kProfileLabels - 16 ? 18 : 14;
    paint::math(p, {left, middle - 9}, profile.formula, px, t.text);
    const QFont small = uiFont(11);
    paint::centredText(p, {left, middle + 11}, paint::elided(profile.caption, small, kProfileLabels - 14), small,
                       t.text3);
    paintScale(p, t, row);
    paintBars(p, t, row);
    if (width() >= kNarrow) paintHistogram(p, t, row);
    paintMoments(p, t, row);
}

/// Where mean and deviation are what it is about, a band; the lines of the scale, and what they stand for.
void ProfileStack::paintScale(QPainter& p, const Theme& t, int row) const {
    const StreamProfile& profile = m_word->profiles()[static_cast<size_t>(row)];
    const Row& of = m_rows[static_cast<size_t>(row)];
    const double left = kJoint + kProfileLabels + kAxis, wide = barsWidth();
    const bool normed = isNormed(profile.role) && !(profile.role == Role::R && m_word->order() == NormOrder::Pre);
    const bool banded = normed || (profile.role == Role::X && m_word->order() == NormOrder::Pre);
    if (banded && !m_word->isRms() && !profile.isHidden()) {
        const double tall = 2 * profile.moments.deviation * unitHeight(row),
                     top = yOf(row, profile.moments.mean + profile.moments.deviation);
        p.fillRect(QRectF(left, top, wide, tall), t.sunken);
        if (width() >= kNarrow) p.fillRect(QRectF(histogramLeft() + 1, top, kHistogram, tall), t.sunken);
        const QRectF column = barRect(row, m_unit);
        p.fillRect(QRectF(column.left() - 3, top, column.width() + 6, tall), t.nowTint);
        p.setPen(QPen(t.text, 1, Qt::DashLine));
        const double mean = std::round(yOf(row, profile.moments.mean)) + 0.5;
        p.drawLine(QPointF(left, mean), QPointF(left + wide, mean));
        if (width() >= kNarrow) {
            p.drawLine(QPointF(histogramLeft() + 1, mean), QPointF(histogramLeft() + kHistogram, mean));
            paint::math(p, {histogramLeft() + kHistogram + 4, mean}, QStringLiteral("μ"), 13, t.text2);
        }
    }
    p.fillRect(QRectF(left - 4, std::round(of.zero), wide + 8, 1), t.line2);
    double step = niceStep(unitHeight(row), 14);
    if (step > std::max(-of.low, of.high)) step = niceStep(unitHeight(row), 10);  // with 0 alone it were no scale
    const int decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0;
    for (double value = std::ceil(of.low / step) * step; value <= of.high + 1e-9; value += step)
        paint::centredText(p, {left - 10, yOf(row, value)},
                           std::abs(value) < step / 2 ? QStringLiteral("0") : formatSigned(value, decimals),
                           monoFont(11), t.text3, Anchor::End);
}

void ProfileStack::paintBars(QPainter& p, const Theme& t, int row) const {
    const StreamProfile& profile = m_word->profiles()[static_cast<size_t>(row)];
    const bool ticks = profile.role == Role::R && m_word->hasResidual();
    const StreamProfile& x = m_word->profile(Role::X);
    for (int unit = 0; unit < m_word->width(); ++unit) {
        const QRectF bar = barRect(row, unit);
        const double value = profile.values[static_cast<size_t>(unit)];
        if (profile.isHidden(unit)) continue;
        p.fillRect(bar, unit == m_unit ? t.now : t.divergingStops[value >= 0 ? 6 : 2]);
        if (ticks && bar.width() >= 2 && !x.isHidden(unit))
            p.fillRect(QRectF(bar.left(), yOf(row, x.values[static_cast<size_t>(unit)]) - 0.75, bar.width(), 1.5),
                       t.text);
    }
    const auto isHidden = [&profile](int unit) { return profile.isHidden(unit); };
    forEachHiddenRun(m_word->width(), isHidden, [&](int from, int to) {
        paint::hatch(p, barRect(row, from).united(barRect(row, to - 1)), t.hatchGround, t.hatch);
    });
}

void ProfileStack::paintHistogram(QPainter& p, const Theme& t, int row) const {
    const Row& of = m_rows[static_cast<size_t>(row)];
    p.fillRect(QRectF(histogramLeft(), yOf(row, of.high), 1, (of.high - of.low) * unitHeight(row)), t.line2);
    for (const Bin& bin : bins(row))
        p.fillRect(binRect(row, bin), t.sequentialStops[4]);
}

void ProfileStack::paintMoments(QPainter& p, const Theme& t, int row) const {
    const StreamProfile& profile = m_word->profiles()[static_cast<size_t>(row)];
    const bool strong = isNormed(profile.role);
    const std::pair<QString, double> lines[] = {{tr("mean"), profile.moments.mean},
                                                {tr("deviation"), profile.moments.deviation},
                                                {tr("length"), profile.moments.length}};
    // Closer together where the row is low, so that they stand clear of the rules around it.
    const double pitch = std::clamp((rowRect(row).height() - 8) / 3, 14.0, 17.0);
    double y = rowRect(row).center().y() - pitch;
    for (const auto& [name, value] : lines) {
        paint::centredText(p, {statsLeft() + 4, y}, name, uiFont(12), t.text3);
        paint::centredText(p, {width() - kGap - 6, y}, profile.isHidden() ? HiddenArea::mark() : formatNumber(value),
                           monoFont(12, strong ? QFont::DemiBold : QFont::Normal), strong ? t.text : t.text2,
                           Anchor::End);
        y += pitch;
    }
}

/// The number that is followed, beside its bar.
void ProfileStack::paintChosen(QPainter& p, const Theme& t, int row) const {
    const StreamProfile& profile = m_word->profiles()[static_cast<size_t>(row)];
    const double value = profile.values[static_cast<size_t>(m_unit)];
    const bool hidden = profile.isHidden(m_unit);
    const QString text = hidden ? HiddenArea::mark() : formatNumber(value);
    const QFont font = monoFont(11, QFont::DemiBold);
    const double wide = paint::textWidth(text, font) + 10;
    const QRectF bar = barRect(row, m_unit), at = rowRect(row);
    const double end = hidden ? at.center().y() + 10 : yOf(row, value);
    const double y = std::clamp(hidden || value >= 0 ? end - 19 : end + 2, at.top() + 2, at.bottom() - 19);
    double x = bar.right() + 5;
    if (x + wide > histogramLeft()) x = bar.left() - 5 - wide;
    paint::box(p, {x, y, wide, 17}, t.nowTint, t.nowLine, 4);
    paint::centredText(p, {x + wide / 2, y + 8.5}, text, font, t.nowText, Anchor::Middle);
}

/// How one row becomes the next.
void ProfileStack::paintJoints(QPainter& p, const Theme& t) const {
    const auto& profiles = m_word->profiles();
    for (size_t i = 1; i < profiles.size(); ++i) {
        const QPointF at(kJoint, std::round(m_rows[i].top) + 0.5);
        const bool pre = m_word->order() == NormOrder::Pre;
        const bool adds = m_word->hasResidual() && (pre ? profiles[i].role == Role::R : profiles[i].role == Role::F);
        const bool equals = profiles[i].role == Role::R && !pre;
        p.setPen(QPen(adds || equals ? t.line2 : t.text2, adds || equals ? 1 : 1.5));
        p.setBrush(t.surface);
        if (adds || equals) {
            p.drawEllipse(at, 10, 10);
            p.setPen(QPen(t.text, 1.5));
            if (adds) {
                p.drawLine(at - QPointF(5, 0), at + QPointF(5, 0));
                p.drawLine(at - QPointF(0, 5), at + QPointF(0, 5));
            } else {
                for (const double y : {-2.5, 2.5})
                    p.drawLine(at + QPointF(-5, y), at + QPointF(5, y));
            }
        } else {
            p.drawLine(at - QPointF(0, 9), at + QPointF(0, 9));
            p.drawLine(at + QPointF(-4, 5), at + QPointF(0, 9));
            p.drawLine(at + QPointF(4, 5), at + QPointF(0, 9));
        }
    }
}

void ProfileStack::paintNumbers(QPainter& p, const Theme& t) const {
    const double y = height() - kNumbers / 2 - kEdge / 2, chosen = barRect(0, m_unit).center().x();
    const int count = m_word->width();
    const double pitch = barsWidth() / count;
    int step = 8;
    while (step * pitch < 34)
        step *= 2;
    const QFont plain = monoFont(11);
    for (int number = step; number <= count; number += step) {
        const double x = barRect(0, number - 1).center().x();
        if (std::abs(x - chosen) > 26)
            paint::centredText(p, {x, y}, QString::number(number), plain, t.text3, Anchor::Middle);
    }
    if (const double x = barRect(0, 0).center().x(); chosen - x > 26)
        paint::centredText(p, {x, y}, QStringLiteral("1"), plain, t.text3, Anchor::Middle);
    paint::centredText(p, {chosen, y}, QString::number(m_unit + 1), monoFont(11, QFont::DemiBold), t.nowText,
                       Anchor::Middle);
    // Clear of the last number, which may reach below the histogram.
    constexpr double kBehindNumbers = 10;
    const double end = barRect(0, count - 1).center().x() + paint::textWidth(QString::number(count), plain) / 2;
    const double left = std::max(histogramLeft(), end + kBehindNumbers);
    if (width() >= kNarrow) paint::centredText(p, {left, y}, tr("how many"), uiFont(11), t.text3);
}

void ProfileStack::resizeEvent(QResizeEvent*) {
    layOut();
}

void ProfileStack::choose(int unit) {
    if (!m_word || unit < 0 || unit >= m_word->width() || unit == m_unit) return;
    setUnit(unit);
    emit unitChosen(unit);
}

void ProfileStack::mousePressEvent(QMouseEvent* event) {
    mouseMoveEvent(event);
}

void ProfileStack::mouseMoveEvent(QMouseEvent* event) {
    if (!m_word || !(event->buttons() & Qt::LeftButton)) return;
    const double x = event->position().x() - barRect(0, 0).left();
    if (x < -4 || x > barsWidth() + 4) return;
    choose(std::clamp(static_cast<int>(x / barsWidth() * m_word->width()), 0, m_word->width() - 1));
}

void ProfileStack::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left)
        choose(m_unit - 1);
    else if (event->key() == Qt::Key_Right)
        choose(m_unit + 1);
    else
        QWidget::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_profile_stack.cpp"
