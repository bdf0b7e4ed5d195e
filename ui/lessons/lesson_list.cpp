// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_list.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "ui/lessons/course_maker.h"
#include "ui/lessons/door_card.h"
#include "ui/lessons/first_look.h"
#include "ui/lessons/lesson_continue.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_path.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/lessons/lesson_station.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/controls/card_row.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kListMargin = 32, kShownMistakes = 8;

QString languageName(const QString& code) {
    if (code == QLatin1String("en")) return QStringLiteral("English");  // Qt would say whose
    const QString name = QLocale(code).nativeLanguageName();
    return name.isEmpty() ? code : name.left(1).toUpper() + name.mid(1);
}

}  // namespace

LessonList::LessonList(LessonLibrary& library, QWidget* parent)
    : QWidget(parent),
      m_library(library),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_language(new ComboBox(tr("Language of the lessons"))),
      m_shipped(new Button(Button::Kind::Ghost, tr("The lessons of Headlight"))),
      m_mistakes(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_make(new Button(Button::Kind::Ghost, tr("Make a course"))),
      m_change(new Button(Button::Kind::Ghost, tr("Change it…"))),
      m_look(new FirstLook),
      m_maker(new CourseMaker),
      m_continue(new LessonContinue),
      m_path(new LessonPath) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 24);
    column->setSpacing(16);
    column->addWidget(m_head = makeHead());
    column->addWidget(m_pathHead = makePathHead());
    m_mistakes->setWordWrap(true);
    m_mistakes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_mistakes->setFont(monoFont(12));
    m_mistakes->setContentsMargins(kListMargin, 0, kListMargin, 0);
    column->addWidget(m_mistakes);
    column->addWidget(m_path);
    column->addWidget(m_courses = makeLibraryCard());
    column->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    // What is made stays in sight, however far down the path is.
    auto* making = new QVBoxLayout;
    making->setContentsMargins(kListMargin, 20, kListMargin, 0);
    making->addWidget(m_maker);
    m_maker->hide();
    all->addLayout(making);
    all->addWidget(m_page = scrolling(content));
    connect(m_path, &LessonPath::lessonChosen, this, &LessonList::choose);
    connect(m_maker, &CourseMaker::changed, this, [this] {
        if (m_isMaking) m_path->setChosen(&m_maker->course());
    });
    connect(m_maker, &CourseMaker::cancelled, this, &LessonList::stopMaking);
    connect(m_maker, &CourseMaker::failed, this, &LessonList::failed);
    connect(m_maker, &CourseMaker::saved, this, [this](const QString& file) {
        stopMaking();
        try {
            m_library.openCourse(file);
        } catch (const Error& error) {
            emit failed(QString::fromUtf8(error.what()));
        }
    });
    connect(m_continue, &LessonContinue::wanted, this, &LessonList::lessonChosen);
    connect(m_look, &FirstLook::lessonWanted, this, &LessonList::lessonChosen);
    connect(&library, &LessonLibrary::changed, this, [this] {
        if (m_isMaking && m_library.path() != m_madeFrom) stopMaking();  // something else was opened
        if (isVisible()) fill();
    });
}

QWidget* LessonList::makeHead() {
    auto* head = new QWidget;
    head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // what is left of a tall window stays below
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(kListMargin, 0, kListMargin, 0);
    column->setSpacing(16);
    column->addWidget(m_continue);
    column->addWidget(m_look);
    column->addWidget(makeDoors());
    return head;
}

QWidget* LessonList::makeDoors() {
    constexpr int kBeside = 640;
    auto* row = new CardRow(kBeside);
    row->row()->setSpacing(16);
    const std::pair<Icon, QString> names[] = {{Icon::Learn, tr("Learn")},
                                              {Icon::Train, tr("Train")},
                                              {Icon::Models, tr("Open a model")},
                                              {Icon::Present, tr("Teach")}};
    for (const auto& [icon, name] : names) {
        auto* card = new DoorCard(icon, name);
        const auto door = static_cast<Door>(m_doors.size());
        connect(card, &DoorCard::clicked, this, [this, door] { enter(door); });
        row->add(card);
        m_doors.push_back(card);
    }
    door(Door::Train)->setSentence(tr("Watch attention heads appear in a model that learns in front of you"));
    door(Door::Models)->setSentence(tr("GPT-2, BERT, Llama, a translator or your own, from a folder or a file"));
    door(Door::Teach)->setSentence(tr("Put any of this on a projector, make a course, hand out a page"));
    return row;
}

void LessonList::enter(Door door) {
    switch (door) {
        case Door::Learn: {
            const auto& stations = m_path->stations();
            QWidget* const first = stations.empty() ? nullptr : stations.front();
            return goTo(m_pathHead, m_path->current() ? m_path->current() : first);
        }
        case Door::Train:
            return emit viewWanted(ViewName::Training);
        case Door::Models:
            return emit viewWanted(ViewName::Models);
        case Door::Teach:
            return goTo(m_courses, m_make);
    }
}

void LessonList::goTo(QWidget* part, QWidget* focus) {
    if (focus) focus->setFocus(Qt::OtherFocusReason);
    m_page->verticalScrollBar()->setValue(part->y());
}

QWidget* LessonList::makePathHead() {
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(kListMargin, 4, kListMargin, 0);
    row->setSpacing(12);
    row->addWidget(new Caption(tr("The path"), 18, QFont::DemiBold, Caption::Tone::Main));
    m_subtitle->setWordWrap(true);
    row->addWidget(m_subtitle, 1);
    m_shipped->setHeight(28);
    row->addWidget(m_shipped);
    row->addWidget(m_language);
    connect(m_shipped, &Button::clicked, &m_library, &LessonLibrary::openShipped);
    connect(m_language, &QComboBox::activated, this,
            [this] { m_library.setLanguage(m_language->currentData().toString()); });
    return head;
}

/// What may be done with lessons besides reading them.
QWidget* LessonList::makeLibraryCard() {
    auto* around = new QWidget;
    auto* margins = new QVBoxLayout(around);
    margins->setContentsMargins(kListMargin, 8, kListMargin, 0);
    auto* card = new Card(tr("Teach"), tr("Present (F5) puts what you see on the projector."));
    margins->addWidget(card);
    auto* open = new Button(Button::Kind::Ghost, tr("Open a folder…"));
    open->setToolTip(
        tr("Lessons of your own, LANGUAGE/NN-slug.md; a saved change shows at once. Or drop a folder or a zip."));
    auto* course = new Button(Button::Kind::Ghost, tr("Open a course…"));
    course->setToolTip(tr("Lessons and steps that an instructor chose, from one YAML file. Or drop the file."));
    auto* progress = new Button(Button::Kind::Ghost, tr("Export progress…"));
    progress->setToolTip(tr("How far you are, what you solved and what you answered, as a file to hand in"));
    m_make->setToolTip(tr("Choose lessons and steps on the path, and save them as one file"));
    m_change->setToolTip(tr("Choose the lessons and steps of this course anew"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (Button* button : {m_make, m_change, course, open, progress}) {
        button->setHeight(28);
        row->addWidget(button);
    }
    row->addStretch();
    card->body()->addLayout(row);
    connect(open, &Button::clicked, this, &LessonList::askForFolder);
    connect(course, &Button::clicked, this, &LessonList::askForCourse);
    connect(progress, &Button::clicked, this, &LessonList::exportProgress);
    connect(m_make, &Button::clicked, this, [this] { makeCourse(false); });
    connect(m_change, &Button::clicked, this, [this] { makeCourse(true); });
    return around;
}

void LessonList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fill();  // for the first time, or because the reader has gone on
    if (!m_continue->isVisibleTo(this) && !std::exchange(m_hasFocused, true)) m_look->field()->setFocus();
}

QAbstractButton* LessonList::card(int index) const {
    return m_path->stations()[static_cast<size_t>(index)];
}

void LessonList::makeCourse(bool changed) {
    try {
        if (changed)
            m_maker->beginChange(m_library.path(), m_library.shippedLessons());
        else
            m_maker->beginNew(m_library.shippedLessons());
    } catch (const Error& error) {
        return emit failed(QString::fromUtf8(error.what()));
    }
    m_isMaking = true;
    m_madeFrom = m_library.path();
    for (QWidget* part : {m_head, m_pathHead, m_courses})
        part->hide();
    m_maker->show();
    if (!changed) m_maker->title()->setFocus();
    fill();
}

void LessonList::stopMaking() {
    m_isMaking = false;
    m_maker->hide();
    for (QWidget* part : {m_head, m_pathHead, m_courses})
        part->show();
    fill();
    m_make->setFocus();
}

void LessonList::choose(const QString& slug) {
    if (!m_isMaking) return emit lessonChosen(slug);
    m_maker->toggleLesson(slug);
}

/// All lessons, of which a course may have some.
void LessonList::fillMaking() {
    m_lessons.clear();
    std::vector<LessonPath::Stop> stops;
    for (Lesson& lesson : m_library.shippedLessons())
        if (!lesson.steps.empty()) m_lessons.push_back(std::move(lesson));
    for (const Lesson& lesson : m_lessons)
        stops.push_back(
            {&lesson, lesson.language == m_library.language().toStdString() ? QString() : tr("in English")});
    m_mistakes->hide();
    m_path->setLessons(stops, true);
    m_path->setChosen(&m_maker->course());
}

void LessonList::fill() {
    if (m_isMaking) return fillMaking();
    const QStringList languages = m_library.languages();
    const QSignalBlocker quiet(m_language);
    m_language->clear();
    for (const QString& language : languages)
        m_language->addItem(languageName(language), language);
    m_language->setCurrentIndex(std::max(0, m_language->findData(m_library.language())));
    m_language->setVisible(languages.size() > 1);
    m_shipped->setVisible(!m_library.isShipped());
    m_change->setVisible(m_library.course());
    const std::string chosen = m_library.language().toStdString();
    const std::vector<Lesson>& lessons = m_library.lessons();
    const auto translated = std::ranges::count(lessons, chosen, &Lesson::language);
    const Course* const course = m_library.course();
    m_subtitle->setText(course                   ? tr("A course: %1").arg(QString::fromStdString(course->title))
                        : !m_library.isShipped() ? m_library.path()
                        : translated == std::ssize(lessons) ? tr("Your place in it is kept. Start anywhere.")
                                                            : tr("%1: %2 of %3 lessons; the others are in English")
                                                                  .arg(languageName(m_library.language()))
                                                                  .arg(translated)
                                                                  .arg(lessons.size()));
    showMistakes();

    m_lessons.clear();
    for (const Lesson& lesson : lessons)
        if (!lesson.steps.empty()) m_lessons.push_back(lesson);
    std::vector<LessonPath::Stop> stops;
    for (const Lesson& lesson : m_lessons)
        stops.push_back({&lesson, lesson.language == chosen ? QString() : tr("in English")});
    m_path->setLessons(stops, m_library.isShipped(), course);
    // Stations are made anew, and each comes behind the one before, not behind all that was there already.
    QWidget* before = m_language;
    for (LessonStation* station : m_path->stations()) {
        setTabOrder(before, station);
        before = station;
    }
    showPlace();
}

/// Where to go on: before all else once something was begun, and until then behind the first look's second button.
void LessonList::showPlace() {
    const LessonStation* const current = m_path->current();
    const bool hasBegun =
        std::ranges::any_of(m_path->stations(), [](const LessonStation* station) { return station->seen() > 0; });
    m_continue->setVisible(current && hasBegun);
    m_look->setFolded(hasBegun);
    m_look->setLesson({}, {}, 0);
    for (const Lesson& lesson : m_lessons) {
        if (!current || current->slug() != QString::fromStdString(lesson.slug)) continue;
        m_continue->setLesson(lesson, current->progress());
        const QString label = current->seen() > 0 ? tr("Continue lesson %1") : tr("Start lesson %1");
        m_look->setLesson(current->slug(), label.arg(lesson.number), lesson.minutes);
    }
    const auto count = static_cast<int>(m_lessons.size());
    door(Door::Learn)
        ->setSentence(
            m_library.isShipped()
                ? plural(tr("%n lesson(s), from the first RNN to a Transformer you can operate on", nullptr, count),
                         count)
                : plural(tr("%n lesson(s) on live models", nullptr, count), count));
}

void LessonList::showMistakes() {
    const std::vector<LessonMistake>& mistakes = m_library.mistakes();
    QStringList lines;
    for (size_t i = 0; i < mistakes.size() && i < kShownMistakes; ++i)
        lines << QStringLiteral("%1:%2: %3")
                     .arg(QString::fromStdString(mistakes[i].path).section(u'/', -2))
                     .arg(mistakes[i].line)
                     .arg(QString::fromStdString(mistakes[i].what));
    if (mistakes.size() > kShownMistakes)
        lines << tr("and %1 more: headlight-cli lessons check").arg(mistakes.size() - kShownMistakes);
    m_mistakes->setText(lines.join(u'\n'));
    m_mistakes->setVisible(!lines.isEmpty());
}

void LessonList::askForFolder() {
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open a folder of lessons"));
    if (path.isEmpty()) return;
    try {
        m_library.open(path);
    } catch (const Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

void LessonList::askForCourse() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a course"), {}, tr("Courses (*.yaml *.yml)"));
    if (path.isEmpty()) return;
    try {
        m_library.openCourse(path);
    } catch (const Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

void LessonList::exportProgress() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export your progress and answers: the file's name says whose they are"),
        QStringLiteral("my-name.csv"), tr("Answers as a table (*.csv);;Progress (*.json)"));
    if (path.isEmpty()) return;
    const QFileInfo file(path);
    const bool isTable = file.suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) != 0;
    const QByteArray progress = isTable ? exportedAnswers(m_library, file.completeBaseName()) : exportedProgress();
    try {
        atomicWrite(path.toStdString(), std::span(progress.constData(), static_cast<size_t>(progress.size())));
    } catch (const Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

}  // namespace headlight

#include "moc_lesson_list.cpp"
