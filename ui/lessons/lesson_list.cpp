// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_list.h"

#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "ui/lessons/course_maker.h"
#include "ui/lessons/lesson_continue.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_path.h"
#include "ui/lessons/lesson_pictures.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/lessons/lesson_station.h"
#include "ui/lessons/shipped_pictures.h"
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
      m_maker(new CourseMaker),
      m_continue(new LessonContinue),
      m_path(new LessonPath),
      m_pictures(new LessonPictures(this)) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 20, 0, 24);
    column->setSpacing(16);
    column->addWidget(m_head = makeHead());
    m_mistakes->setWordWrap(true);
    m_mistakes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_mistakes->setFont(monoFont(12));
    m_mistakes->setContentsMargins(kListMargin, 0, kListMargin, 0);
    column->addWidget(m_mistakes);
    column->addWidget(m_path);
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
    all->addWidget(scrolling(content));
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
    m_turn.setSingleShot(true);
    connect(&m_turn, &QTimer::timeout, this, &LessonList::showNextPicture);
    connect(m_pictures, &LessonPictures::drawn, this, &LessonList::showPicture);
    connect(m_pictures, &LessonPictures::failed, this, [this](const QString& slug, int, const QString& why) {
        for (LessonStation* station : m_path->stations())
            if (station->slug() == slug) station->setTrouble(why);
    });
    connect(&library, &LessonLibrary::changed, this, [this] {
        if (m_isMaking && m_library.path() != m_madeFrom) stopMaking();  // something else was opened
        if (isVisible()) fill();
    });
}

QWidget* LessonList::makeHead() {
    auto* head = new QWidget;
    head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // what is left of a tall window stays below
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(kListMargin, 0, kListMargin, 0);
    row->setSpacing(16);
    row->addWidget(m_continue, 3);
    row->addWidget(makeLibraryCard(), 2);
    return head;
}

/// Which lessons these are, and what may be done with them.
QWidget* LessonList::makeLibraryCard() {
    auto* card = new Card(tr("Lessons"));
    card->header()->addWidget(m_language);
    m_subtitle->setWordWrap(true);
    card->body()->addWidget(m_subtitle);
    card->body()->addStretch();
    auto* open = new Button(Button::Kind::Ghost, tr("Open a folder…"));
    open->setToolTip(
        tr("Lessons of your own, LANGUAGE/NN-slug.md; a saved change shows at once. Or drop a folder or a zip."));
    auto* course = new Button(Button::Kind::Ghost, tr("Open a course…"));
    course->setToolTip(tr("Lessons and steps that an instructor chose, from one YAML file. Or drop the file."));
    auto* progress = new Button(Button::Kind::Ghost, tr("Export progress…"));
    progress->setToolTip(tr("How far you are, what you solved and what you answered, as a file to hand in"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (Button* button : {m_shipped, m_change, open, course, m_make, progress})
        button->setHeight(28);
    m_make->setToolTip(tr("Choose lessons and steps on the path, and save them as one file"));
    m_change->setToolTip(tr("Choose the lessons and steps of this course anew"));
    buttons->addWidget(open);
    buttons->addWidget(progress);
    buttons->addStretch();
    // Three in a row are too wide for a window of 900 pixels.
    for (const auto& [left, right] : {std::pair{m_shipped, m_change}, std::pair{course, m_make}}) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        row->addWidget(left);
        row->addWidget(right);
        row->addStretch();
        card->body()->addLayout(row);
    }
    card->body()->addLayout(buttons);
    connect(open, &Button::clicked, this, &LessonList::askForFolder);
    connect(course, &Button::clicked, this, &LessonList::askForCourse);
    connect(progress, &Button::clicked, this, &LessonList::exportProgress);
    connect(m_make, &Button::clicked, this, [this] { makeCourse(false); });
    connect(m_change, &Button::clicked, this, [this] { makeCourse(true); });
    connect(m_shipped, &Button::clicked, &m_library, &LessonLibrary::openShipped);
    connect(m_language, &QComboBox::activated, this,
            [this] { m_library.setLanguage(m_language->currentData().toString()); });
    return card;
}

void LessonList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fill();  // for the first time, or because the reader has gone on
}

/// The pictures are of the theme that is seen.
void LessonList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible()) showPictures();
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
    m_head->hide();
    m_maker->show();
    if (!changed) m_maker->title()->setFocus();
    fill();
}

void LessonList::stopMaking() {
    m_isMaking = false;
    m_maker->hide();
    m_head->show();
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
    showPictures();
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
                        : translated == std::ssize(lessons)
                            ? tr("On live models: every number is computed while you look at it")
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
    LessonStation* const current = m_path->current();
    m_continue->setVisible(current);
    if (current)
        for (const Lesson& lesson : m_lessons)
            if (current->slug() == QString::fromStdString(lesson.slug))
                m_continue->setLesson(lesson, current->progress());
    showPictures();
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

/// Those that ship stand there at once; the others are drawn, that of the place to go on first.
void LessonList::showPictures() {
    m_pictures->forget();
    const bool dark = Theme::of(this).isDark;
    const auto showShipped = [&](const Lesson& lesson, int step) {
        if (!shippedPicture(lesson, step, dark).isNull()) showPicture(QString::fromStdString(lesson.slug), step);
    };
    if (m_isMaking || m_library.isShipped())
        for (const Lesson& lesson : m_lessons) {
            showShipped(lesson, pictureStep(lesson));
            if (QString::fromStdString(lesson.slug) == m_continue->slug()) showShipped(lesson, m_continue->step());
        }
    m_pictured = 0;
    m_turn.start();
}

void LessonList::showNextPicture() {
    if (m_pictured > m_lessons.size()) return;
    if (m_pictured == 0)
        showPicture(m_continue->slug(), m_continue->step());
    else
        showPicture(QString::fromStdString(m_lessons[m_pictured - 1].slug), pictureStep(m_lessons[m_pictured - 1]));
    ++m_pictured;
    m_turn.start();
}

/// Of a step, wherever it is shown, in the theme that is seen.
void LessonList::showPicture(const QString& slug, int step) {
    if (m_lessons.size() != m_path->stations().size()) return;
    for (size_t i = 0; i < m_lessons.size(); ++i) {
        const Lesson& lesson = m_lessons[i];
        if (QString::fromStdString(lesson.slug) != slug) continue;
        const QImage picture =
            m_pictures->picture(lesson, step, Theme::of(this).isDark, m_isMaking || m_library.isShipped());
        if (slug == m_continue->slug() && step == m_continue->step()) m_continue->setPicture(picture);
        if (step == pictureStep(lesson)) m_path->stations()[i]->setPicture(picture);
    }
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
