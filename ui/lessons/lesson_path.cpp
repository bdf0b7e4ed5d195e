// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_path.h"

#include <QPainter>
#include <QSettings>
#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>

#include "core/lessons/course_making.h"
#include "ui/lessons/lesson_station.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kPathMargin = 32, kGap = 20, kNarrowest = 164, kWidest = 400, kHeading = 50, kPathBelow = 12;
constexpr size_t kMostInARow = 6;

struct Chapter {
    int last;  ///< its last lesson's number
    QString title, promise;
};

std::vector<Chapter> chaptersOfHeadlight() {
    return {
        {5, LessonPath::tr("Sequence to sequence"),
         LessonPath::tr(
             "Afterwards you can follow a sentence into one vector and out again, and say where it gets lost.")},
        {9, LessonPath::tr("Attention"), LessonPath::tr("Afterwards you can work out every attention weight by hand.")},
        {16, LessonPath::tr("The Transformer"),
         LessonPath::tr("Afterwards you can take any number of a Transformer, and say where it came from.")},
        {19, LessonPath::tr("Learning and deciding"),
         LessonPath::tr("Afterwards you can train a model, and choose how it writes.")},
        {99, LessonPath::tr("In the wild"),
         LessonPath::tr("Afterwards you can open a stranger's model, and say what it looks at and what it costs.")}};
}

}  // namespace

LessonPath::LessonPath(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LessonPath::setLessons(const std::vector<Stop>& stops, bool chapters, const Course* course) {
    for (LessonStation* station : m_stations) {
        station->hide();
        station->deleteLater();
    }
    m_stations.clear();
    m_isChoosing = false;
    for (const Stop& stop : stops) {
        auto* station = new LessonStation(*stop.lesson, stop.inWords, this);
        const size_t place = m_stations.size();
        connect(station, &QAbstractButton::clicked, this, [this, station] { emit lessonChosen(station->slug()); });
        connect(station, &LessonStation::stepRequested, this,
                [this, place](int right, int down) { step(place, right, down); });
        m_stations.push_back(station);
        station->show();
    }
    findCurrent();
    makeHeadings(chapters, course);
    arrange();
}

void LessonPath::setChosen(const Course* course) {
    m_isChoosing = course != nullptr;
    for (LessonStation* station : m_stations) {
        const Course::Stop* const stop = course ? stopOf(*course, station->slug().toStdString()) : nullptr;
        station->setCurrent(station == m_current && !course);
        station->setChoice(!course               ? LessonStation::Choice::NotAsked
                           : !stop               ? LessonStation::Choice::None
                           : stop->steps.empty() ? LessonStation::Choice::All
                                                 : LessonStation::Choice::Some,
                           stop ? static_cast<int>(stop->steps.size()) : 0);
    }
    arrange();
}

/// Where the reader was last, unless that is done; else the first that is begun, or not done.
void LessonPath::findCurrent() {
    const QString last = lastLesson();
    m_current = nullptr;
    for (LessonStation* station : m_stations)
        if (station->slug() == last && !station->isDone() && station->seen() > 0) m_current = station;
    for (const bool begun : {true, false})
        for (LessonStation* station : m_stations)
            if (!m_current && !station->isDone() && (station->seen() > 0 || !begun)) m_current = station;
    if (m_current) m_current->setCurrent(true);
}

void LessonPath::makeHeadings(bool chapters, const Course* course) {
    m_headings.clear();
    if (course)
        addHeading(QString::fromStdString(course->title), QString::fromStdString(course->words), INT_MAX);
    else if (chapters)
        for (const Chapter& chapter : chaptersOfHeadlight())
            addHeading(chapter.title, chapter.promise, chapter.last);
}

/// Over the stations that have none yet, up to the lesson of number `last`.
void LessonPath::addHeading(const QString& title, const QString& promise, int last) {
    Heading heading{title, {}, promise, m_headings.empty() ? 0 : m_headings.back().first + m_headings.back().count,
                    0,     {}};
    int minutes = 0;
    for (size_t i = heading.first; i < m_stations.size() && m_stations[i]->number() <= last; ++i) {
        ++heading.count;
        minutes += m_stations[i]->minutes();
    }
    if (heading.count == 0) return;
    const auto count = static_cast<int>(heading.count);
    heading.more = tr("%1, %2 min").arg(plural(tr("%n lesson(s)", nullptr, count), count)).arg(minutes);
    m_headings.push_back(heading);
}

/// Whole chapters to a row, as long as they fit; one that does not fit into any row is broken into rows of about a
/// length.
std::vector<size_t> LessonPath::rowLengths() const {
    const int room = std::max(kNarrowest, width() - 2 * kPathMargin);
    const size_t most = std::clamp<size_t>(static_cast<size_t>((room + kGap) / (kNarrowest + kGap)), 1,
                                           std::max(kMostInARow, (m_stations.size() + 2) / 3));
    std::vector<size_t> parts;
    for (const Heading& heading : m_headings)
        parts.push_back(heading.count);
    const size_t inChapters = std::accumulate(parts.begin(), parts.end(), size_t{0});
    if (inChapters < m_stations.size()) parts.push_back(m_stations.size() - inChapters);
    std::vector<size_t> rows;
    for (size_t part : parts) {
        if (!rows.empty() && rows.back() + part <= most) {
            rows.back() += part;
            continue;
        }
        for (size_t left = (part + most - 1) / most; left > 0; --left) {
            const size_t row = (part + left - 1) / left;
            rows.push_back(row);
            part -= row;
        }
    }
    return rows;
}

void LessonPath::arrange() {
    m_rows = rowLengths();
    m_line.clear();
    int top = 0;
    size_t place = 0;
    for (size_t row = 0; row < m_rows.size(); ++row) {
        const auto count = static_cast<int>(m_rows[row]);
        const int wide = std::min(kWidest, (width() - 2 * kPathMargin - (count - 1) * kGap) / count);
        const int tall = LessonStation::heightFor(wide);
        const bool isHeaded = std::ranges::any_of(m_headings, [&](const Heading& heading) {
            return heading.first >= place && heading.first < place + m_rows[row];
        });
        const int head = isHeaded ? kHeading : 8;
        for (int i = 0; i < count; ++i, ++place) {
            LessonStation& station = *m_stations[place];
            station.setGeometry(kPathMargin + i * (wide + kGap), top + head, wide, tall);
            for (Heading& heading : m_headings)
                if (heading.first == place) {
                    const int columns = std::min(static_cast<int>(heading.count), count - i);
                    heading.area = QRectF(station.x(), top, columns * (wide + kGap) - kGap, kHeading);
                }
            const double y = station.y() + station.lineY();
            const bool ends = place + 1 == m_stations.size(), turns = i + 1 == count;
            const double right = turns && !ends ? width() : station.x() + wide + (ends ? 0 : kGap);
            if (i == 0 && row > 0)
                m_line.push_back(
                    {{0, y, kPathMargin, y}, !m_isChoosing && m_stations[place - 1]->isDone() ? 1.0 : 0.0});
            m_line.push_back({{station.x() + station.lineFrom(), y, right, y}, m_isChoosing ? 0.0 : station.seen()});
        }
        top += head + tall + kPathBelow;
    }
    setFixedHeight(std::max(top, 1));
    update();
}

QStringList LessonPath::headings() const {
    QStringList titles;
    for (const Heading& heading : m_headings)
        titles << heading.title;
    return titles;
}

void LessonPath::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void LessonPath::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (const Segment& segment : m_line) {
        p.setPen(QPen(t.line2, 3));
        p.drawLine(segment.line);
        if (segment.walked <= 0) continue;
        p.setPen(QPen(t.ink, 3));
        p.drawLine(QLineF(segment.line.p1(), segment.line.pointAt(segment.walked)));
    }
    const QFont title = uiFont(15, QFont::DemiBold), small = uiFont(12);
    for (const Heading& heading : m_headings) {
        const double x = heading.area.left(), y = heading.area.top(), room = heading.area.width();
        const double wide = paint::textWidth(heading.title, title);
        paint::text(p, {x, y + 18}, paint::elided(heading.title, title, room), title, t.text);
        if (wide + 10 + paint::textWidth(heading.more, small) <= room)
            paint::text(p, {x + wide + 10, y + 18}, heading.more, small, t.text3);
        paint::text(p, {x, y + 38}, paint::elided(heading.promise, small, room), small, t.text2);
    }
}

void LessonPath::step(size_t from, int right, int down) {
    size_t row = 0, first = 0;
    while (from >= first + m_rows[row])
        first += m_rows[row++];
    auto to = static_cast<std::ptrdiff_t>(from) + right;
    if (down != 0) {
        const auto next = static_cast<std::ptrdiff_t>(row) + down;
        if (next < 0 || next >= std::ssize(m_rows)) return;
        // To the station that stands nearest in that row.
        const auto other = static_cast<size_t>(next);
        const size_t start = down > 0 ? first + m_rows[row] : first - m_rows[other];
        const auto far = [&](size_t place) { return std::abs(m_stations[place]->x() - m_stations[from]->x()); };
        size_t best = start;
        for (size_t place = start; place < start + m_rows[other]; ++place)
            if (far(place) < far(best)) best = place;
        to = static_cast<std::ptrdiff_t>(best);
    }
    if (to >= 0 && to < std::ssize(m_stations)) m_stations[static_cast<size_t>(to)]->setFocus(Qt::TabFocusReason);
}

}  // namespace headlight

#include "moc_lesson_path.cpp"
