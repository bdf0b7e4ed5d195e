// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/course_maker.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <algorithm>

#include "core/error.h"
#include "ui/lessons/chip_row.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kLongestTitle = 120, kLongestWords = 2000;

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString duration(int minutes) {
    return minutes < 60 ? CourseMaker::tr("%1 min").arg(minutes)
                        : CourseMaker::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

/// What a file of this title is called: its words, joined.
QString fileName(const QString& title) {
    QString name;
    for (const QChar c : title.toLower())
        if (c.isLetterOrNumber())
            name += c;
        else if (!name.isEmpty() && !name.endsWith(u'-'))
            name += u'-';
    while (name.endsWith(u'-'))
        name.chop(1);
    return (name.isEmpty() ? QStringLiteral("course") : name.left(60)) + QStringLiteral(".yaml");
}

}  // namespace

CourseMaker::CourseMaker(QWidget* parent)
    : QWidget(parent),
      m_heading(new Caption({}, 14, QFont::DemiBold, Caption::Tone::Main)),
      m_sum(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_stepsOf(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_stepTitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_advice(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_title(new QLineEdit),
      m_words(new QLineEdit),
      m_undo(new Button(Button::Kind::Plain, tr("Undo"))),
      m_cancel(new Button(Button::Kind::Ghost, tr("Cancel"))),
      m_saveAs(new Button(Button::Kind::Ghost, tr("Save as…"))),
      m_save(new Button(Button::Kind::Primary, tr("Save"))),
      m_needs(new Button(Button::Kind::Ghost, {})),
      m_stops(new ChipRow(ChipRow::Look::Stops)),
      m_steps(new ChipRow(ChipRow::Look::Choices)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 12, 20, 12);
    column->setSpacing(10);
    column->addWidget(makeHead());
    auto* texts = new QHBoxLayout;
    texts->setSpacing(8);
    m_title->setPlaceholderText(tr("Its title"));
    m_title->setAccessibleName(tr("Title of the course"));
    m_title->setMaxLength(kLongestTitle);
    m_words->setPlaceholderText(tr("What it is about, in a sentence"));
    m_words->setAccessibleName(tr("What the course is about"));
    m_words->setMaxLength(kLongestWords);
    texts->addWidget(m_title, 2);
    texts->addWidget(m_words, 3);
    column->addLayout(texts);
    column->addWidget(m_stops);
    column->addWidget(makeSteps());
    auto* advice = new QHBoxLayout;
    advice->setSpacing(12);
    m_advice->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_needs->setHeight(26);
    advice->addWidget(m_advice, 1);
    advice->addWidget(m_needs);
    column->addLayout(advice);
    connect(m_title, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_course.title = text.trimmed().toStdString();
        updateAdvice();
    });
    connect(m_words, &QLineEdit::textEdited, this,
            [this](const QString& text) { m_course.words = text.trimmed().toStdString(); });
    connect(m_needs, &Button::clicked, this, &CourseMaker::addNeeds);
    connect(m_stops, &ChipRow::chosen, this, [this](int at) {
        m_open = QString::fromStdString(m_course.stops[static_cast<size_t>(at)].lesson);
        refresh();
    });
    for (const auto& [keys, act] :
         {std::pair{QKeySequence::Undo, &CourseMaker::undo}, std::pair{QKeySequence::Redo, &CourseMaker::redo}}) {
        // Fields of text have their own, which come first.
        auto* action = new QAction(this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
    }
}

QWidget* CourseMaker::makeHead() {
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_heading);
    row->addSpacing(8);
    m_sum->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(m_sum, 1);
    for (Button* button : {m_undo, m_cancel, m_saveAs, m_save}) {
        button->setHeight(28);
        row->addWidget(button);
    }
    connect(m_undo, &Button::clicked, this, &CourseMaker::undo);
    connect(m_cancel, &Button::clicked, this, &CourseMaker::cancelled);
    connect(m_saveAs, &Button::clicked, this, [this] { save(true); });
    connect(m_save, &Button::clicked, this, [this] { save(m_course.path.empty()); });
    return head;
}

QWidget* CourseMaker::makeSteps() {
    m_stepsRow = new QWidget;
    auto* row = new QHBoxLayout(m_stepsRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_stepsOf);
    row->addWidget(m_steps);
    m_stepTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(m_stepTitle, 1);
    connect(m_steps, &ChipRow::chosen, this, [this](int at) { toggleStep(at + 1); });
    connect(m_steps, &ChipRow::pointedAt, this, &CourseMaker::pointAt);
    return m_stepsRow;
}

void CourseMaker::beginNew(std::vector<Lesson> path) {
    Course course;
    if (m_course.path.empty()) course = m_course;  // what was given up
    m_fileThen.clear();
    begin(std::move(course), std::move(path));
    m_title->setFocus();
}

void CourseMaker::beginChange(const QString& file, std::vector<Lesson> path) {
    Course course = readCourse(file.toStdString());
    m_fileThen = contents(file);
    begin(std::move(course), std::move(path));
}

void CourseMaker::begin(Course course, std::vector<Lesson> path) {
    m_path = std::move(path);
    m_past.clear();
    m_future.clear();
    m_course = std::move(course);
    m_heading->setText(m_course.path.empty() ? tr("New course") : tr("Change the course"));
    m_saveAs->setVisible(!m_course.path.empty());
    m_title->setText(QString::fromStdString(m_course.title));
    m_words->setText(QString::fromStdString(m_course.words));
    m_open = m_course.stops.empty() ? QString() : QString::fromStdString(m_course.stops.front().lesson);
    refresh();
}

/// Lessons and steps can be taken back; in what is typed, the fields do so.
template <class Change>
void CourseMaker::change(const Change& change) {
    m_past.push_back(m_course);
    m_future.clear();
    change();
    refresh();
}

void CourseMaker::travel(std::vector<Course>& from, std::vector<Course>& to) {
    if (from.empty()) return;
    to.push_back(m_course);
    m_course.stops = std::move(from.back().stops);
    from.pop_back();
    refresh();
}

void CourseMaker::undo() {
    travel(m_past, m_future);
}

void CourseMaker::redo() {
    travel(m_future, m_past);
}

void CourseMaker::toggleLesson(const QString& slug) {
    const std::string name = slug.toStdString();
    change([&] {
        if (stopOf(m_course, name)) return removeLesson(m_course, name);
        addLesson(m_course, name, m_path);
        m_open = slug;
    });
}

void CourseMaker::toggleStep(int step) {
    const std::string name = m_open.toStdString();
    const Course::Stop* const stop = stopOf(m_course, name);
    const bool isTaken = stop && (stop->steps.empty() || std::ranges::binary_search(stop->steps, step));
    change([&] { takeStep(m_course, name, step, !isTaken, m_path); });
}

void CourseMaker::addNeeds() {
    const auto missing = missingNeeds(m_course, m_path);
    if (!missing) return;
    change([&] {
        for (const Lesson* need : missing->needs)
            addLesson(m_course, need->slug, m_path);
    });
}

const Lesson* CourseMaker::lesson(const std::string& slug) const {
    const auto at = std::ranges::find(m_path, slug, &Lesson::slug);
    return at == m_path.end() ? nullptr : &*at;
}

void CourseMaker::refresh() {
    if (!stopOf(m_course, m_open.toStdString())) m_open.clear();
    std::vector<ChipRow::Chip> chips;
    for (const Course::Stop& stop : m_course.stops)
        if (const Lesson* const each = lesson(stop.lesson))
            chips.push_back({QString::number(each->number),
                             tr("Lesson %1, %2").arg(each->number).arg(QString::fromStdString(each->title)),
                             m_open.toStdString() == stop.lesson});
    m_stops->setChips(chips);
    m_stops->setVisible(!chips.empty());
    updateSteps();
    updateAdvice();
    int minutes = 0;
    for (const Lesson& each : lessonsOf(m_course, m_path))
        minutes += each.minutes;
    const auto count = static_cast<int>(m_course.stops.size());
    m_sum->setText(count == 0 ? QString()
                              : tr("%1, %2").arg(plural(tr("%n lesson(s)", nullptr, count), count), duration(minutes)));
    m_undo->setEnabled(canUndo());
    emit changed();
}

void CourseMaker::updateSteps() {
    const Course::Stop* const stop = stopOf(m_course, m_open.toStdString());
    const Lesson* const of = stop ? lesson(stop->lesson) : nullptr;
    m_stepsRow->setVisible(of);
    if (!of) return m_steps->setChips({});
    m_stepsOf->setText(tr("Steps of %1").arg(of->number));
    std::vector<ChipRow::Chip> chips;
    for (int step = 1; step <= static_cast<int>(of->steps.size()); ++step)
        chips.push_back(
            {QString::number(step),
             tr("Step %1: %2").arg(step).arg(QString::fromStdString(of->steps[static_cast<size_t>(step) - 1].title)),
             stop->steps.empty() || std::ranges::binary_search(stop->steps, step)});
    m_steps->setChips(chips);
    pointAt(-1);
}

void CourseMaker::pointAt(int step) {
    for (int i = 0; step < 0 && i < m_steps->count(); ++i)
        if (m_steps->chip(i)->hasFocus()) step = i;
    m_stepTitle->setText(step < 0 || step >= m_steps->count() ? QString() : m_steps->chip(step)->accessibleName());
}

QString CourseMaker::numbers(const std::vector<const Lesson*>& lessons) const {
    QStringList all;
    for (const Lesson* each : lessons)
        all << QString::number(each->number);
    const QString last = all.takeLast();
    return all.isEmpty() ? last : tr("%1 and %2").arg(all.join(QStringLiteral(", ")), last);
}

QString CourseMaker::advice() const {
    return m_advice->text();
}

void CourseMaker::updateAdvice() {
    const auto missing = missingNeeds(m_course, m_path);
    const std::vector<LessonMistake> mistakes = checkCourse(m_course, m_path);
    const bool isReady = !m_course.stops.empty() && !m_course.title.empty() && mistakes.empty();
    m_needs->setVisible(missing && mistakes.empty());
    if (missing) m_needs->setText(tr("Add %1").arg(numbers(missing->needs)));
    if (m_course.stops.empty())
        m_advice->setText(tr("Check the lessons that it takes, on the path below. They stand in its order."));
    else if (!mistakes.empty())
        m_advice->setText(QString::fromStdString(mistakes[0].what));
    else if (missing)
        m_advice->setText(missing->needs.size() == 1 ? tr("Lesson %1 builds on %2, which is not in it.")
                                                           .arg(missing->lesson->number)
                                                           .arg(numbers(missing->needs))
                                                     : tr("Lesson %1 builds on %2, which are not in it.")
                                                           .arg(missing->lesson->number)
                                                           .arg(numbers(missing->needs)));
    else
        m_advice->setText(m_course.title.empty() ? tr("It needs a title.")
                                                 : tr("It has what it builds on. Saved, it opens at once."));
    for (Button* button : {m_save, m_saveAs})
        button->setEnabled(isReady);
    m_save->setToolTip(isReady                  ? QString()
                       : m_course.stops.empty() ? tr("It takes no lesson yet")
                       : m_course.title.empty() ? tr("It needs a title")
                                                : m_advice->text());
}

void CourseMaker::save(bool asks) {
    QString file = QString::fromStdString(m_course.path);
    if (asks) {
        file =
            QFileDialog::getSaveFileName(this, tr("Save the course"), file.isEmpty() ? fileName(m_title->text()) : file,
                                         tr("Courses (*.yaml *.yml)"));
        if (file.isEmpty()) return;
        if (!file.endsWith(QLatin1String(".yaml")) && !file.endsWith(QLatin1String(".yml")))
            file += QStringLiteral(".yaml");
    }
    try {
        saveTo(file);
    } catch (const Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

void CourseMaker::saveTo(const QString& file) {
    if (file.toStdString() == m_course.path && QFile::exists(file) && contents(file) != m_fileThen)
        throw Error(m_course.path + " was changed meanwhile: save the course under another name");
    writeCourse(m_course, file.toStdString());
    m_course = {};  // the next one begins with nothing
    m_past.clear();
    m_future.clear();
    emit saved(file);
}

void CourseMaker::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::box(p, rect(), t.surface, t.line, 8);
}

}  // namespace headlight

#include "moc_course_maker.cpp"
