// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/forcing/forcing_runs.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/error.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/shipped.h"
#include "ui/session/open/test_set.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kNames = 58, kScores = 62, kAxis = 24, kKey = 22, kRunsTop = 6;

/// Of a model that ships, measured once as long as the program runs.
ForcingReport reportOf(const QString& name, const Background::Wanted& wanted) {
    static std::mutex mutex;  // guards known
    static std::map<QString, ForcingReport> known;
    {
        const std::lock_guard lock(mutex);
        if (const auto at = known.find(name); at != known.end()) return at->second;
    }
    const QString file = shippedModel(name);
    if (file.isEmpty()) throw Error("the model " + name.toStdString() + " did not come with this program");
    const auto model = openTrainedModel(file);
    const auto set = TestSet::of(*model);
    if (!set) throw Error("the model " + name.toStdString() + " has no test set");
    ForcingReport report = measureForcing(*model, set->sentences(), {}, [&](double) { return wanted(); });
    const std::lock_guard lock(mutex);
    return known[name] = std::move(report);
}

double shareOf(const ForcingReport& report, bool isFree) {
    return static_cast<double>(isFree ? report.all.free : report.all.forced) /
           static_cast<double>(std::max(1L, report.all.sentences));
}

}  // namespace

const std::vector<ForcingRun>& forcingRuns() {
    static const std::vector<ForcingRun> all = {
        {"vi-en-fed-truth", 1.0}, {"vi-en-fed-half", 0.5}, {"vi-en-fed-itself", 0.0}};
    return all;
}

ForcingRuns::ForcingRuns(QWidget* parent) : QWidget(parent), m_reports(forcingRuns().size()) {
    setAccessibleName(tr("Runs that were fed the truth more or less often"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ForcingRuns::measure() {
    m_isWanted = true;
    if (isVisible()) measureNext();
}

void ForcingRuns::measureNext() {
    if (m_measuring.isBusy()) return;
    const auto next = std::ranges::find_if(m_reports, [](const auto& report) { return !report; });
    if (next == m_reports.end()) return;
    const auto run = static_cast<size_t>(next - m_reports.begin());
    const QString name = QString::fromLatin1(forcingRuns()[run].model);
    m_measuring.ask<ForcingReport>([name](const Background::Wanted& wanted) { return reportOf(name, wanted); },
                                   [this, run](ForcingReport report) {
                                       m_reports[run] = std::move(report);
                                       update();
                                       measureNext();
                                       if (!m_measuring.isBusy()) emit measured();
                                   },
                                   [this](const QString& why) { emit failed(why); });
}

/// What nobody looks at is not computed.
void ForcingRuns::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_measuring.drop();
}

void ForcingRuns::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isWanted) measureNext();
}

void ForcingRuns::setOpen(int run) {
    m_open = run;
    update();
}

/// Where the axis begins: a whole 5 % below all that is drawn.
double ForcingRuns::least() const {
    double least = 1;
    for (const auto& report : m_reports)
        if (report) least = std::min({least, shareOf(*report, true), shareOf(*report, false)});
    return std::clamp(std::floor((least - 0.005) * 20) / 20, 0.0, 0.95);
}

QString ForcingRuns::points(double gap) {
    return formatNumber(100 * gap, 1);
}

void ForcingRuns::paintRun(QPainter& p, size_t run, double top, double high) const {
    const Theme& t = Theme::of(this);
    const double left = kNames, wide = width() - kNames - kScores - 12, y = top + high / 2 + 7;
    const bool open = static_cast<int>(run) == m_open;
    if (open) paint::box(p, {0, top + 2, static_cast<double>(width()), high - 4}, t.nowTint, {}, 6);
    const int weight = open ? QFont::DemiBold : QFont::Medium;
    paint::centredText(p, {8, y}, formatNumber(forcingRuns()[run].forcing, 1), monoFont(13, weight),
                       open ? t.nowText : t.text);
    if (!m_reports[run]) {
        paint::centredText(p, {left, y}, m_measuring.isBusy() ? tr("being measured") : tr("not measured"), uiFont(12),
                           t.text3);
        return;
    }
    const ForcingReport& report = *m_reports[run];
    const auto x = [&](double share) { return left + wide * (share - least()) / (1 - least()); };
    const double free = x(shareOf(report, true)), forced = x(shareOf(report, false));
    p.setPen(QPen(t.sequential(0.375), 3));
    p.drawLine(QPointF(free, y), QPointF(forced, y));
    p.setPen(QPen(t.text3, 1.5));
    p.setBrush(t.surface);
    p.drawEllipse(QPointF(forced, y), 4.5, 4.5);
    p.setPen(QPen(t.surface, 1));
    p.setBrush(t.text);
    p.drawEllipse(QPointF(free, y), 4.5, 4.5);
    const QString gap =
        tr("gap %1 points: %2 → %3")
            .arg(points(report.gap()), formatPercent(shareOf(report, false)), formatPercent(shareOf(report, true)));
    paint::centredText(p, {left, y - 17}, gap, uiFont(11, QFont::Medium), t.text2);
    paint::centredText(p, {width() - 8.0, y}, formatNumber(report.bleu.score, 1), monoFont(13, weight), t.text,
                       Anchor::End);
}

void ForcingRuns::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double left = kNames, wide = width() - kNames - kScores - 12;
    const double heads = kRunsTop + 18, bottom = height() - kAxis - kKey;
    const double high = (bottom - heads) / static_cast<double>(m_reports.size());
    paint::centredText(p, {8, kRunsTop + 6}, tr("truth"), uiFont(11, QFont::Medium), t.text3);
    paint::centredText(p, {left, kRunsTop + 6}, tr("right words of the test set"), uiFont(11, QFont::Medium), t.text3);
    paint::centredText(p, {width() - 8.0, kRunsTop + 6}, tr("BLEU, free"), uiFont(11, QFont::Medium), t.text3,
                       Anchor::End);
    for (size_t run = 0; run < m_reports.size(); ++run)
        paintRun(p, run, heads + high * static_cast<double>(run), high);
    if (std::ranges::all_of(m_reports, [](const auto& report) { return !report; })) return;
    const double from = least();
    const int marks = std::max(1, static_cast<int>(std::lround((1 - from) / 0.05)));
    const int every = marks > 6 ? 2 : 1;
    p.fillRect(QRectF(left, std::round(bottom), wide, 1), t.line2);
    for (int i = 0; i <= marks; i += every) {
        const double share = from + (1 - from) * i / marks, x = left + wide * i / marks;
        p.fillRect(QRectF(std::round(x), bottom, 1, 4), t.line2);
        paint::centredText(p, {x, bottom + 14}, formatPercent(share, 0), monoFont(11), t.text3, Anchor::Middle);
    }
    const double y = height() - 9.0;
    p.setPen(Qt::NoPen);
    p.setBrush(t.text);
    p.drawEllipse(QPointF(left + 5, y), 4, 4);
    paint::centredText(p, {left + 14, y}, tr("free"), uiFont(11), t.text2);
    p.setPen(QPen(t.text3, 1.5));
    p.setBrush(t.surface);
    p.drawEllipse(QPointF(left + 60, y), 3.5, 3.5);
    paint::centredText(p, {left + 70, y}, tr("fed the truth"), uiFont(11), t.text2);
}

}  // namespace headlight

#include "moc_forcing_runs.cpp"
