// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_list.h"

#include <QAbstractButton>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <span>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kCardHeight = 132, kShownMistakes = 8;

QString languageName(const QString& code) {
    if (code == QLatin1String("en")) return QStringLiteral("English");  // Qt would say whose
    const QString name = QLocale(code).nativeLanguageName();
    return name.isEmpty() ? code : name.left(1).toUpper() + name.mid(1);
}

}  // namespace

/// A lesson in the list: number, title, what it is about, how long it takes, and how much of it is done.
class LessonCard : public QAbstractButton {
public:
    /// `inWords`: the language that the lesson is in, where it is not the one that was chosen.
    LessonCard(const Lesson& lesson, const QString& inWords, QWidget* parent)
        : QAbstractButton(parent),
          m_number(lesson.number),
          m_minutes(lesson.minutes),
          m_steps(static_cast<int>(lesson.steps.size())),
          m_summary(QString::fromStdString(lesson.summary)),
          m_slug(QString::fromStdString(lesson.slug)),
          m_inWords(inWords),
          m_progress(LessonProgress::load(m_slug)) {
        setText(QString::fromStdString(lesson.title));
        setFixedHeight(kCardHeight);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setMinimumWidth(260);
        setCursor(Qt::PointingHandCursor);
        setAccessibleDescription(m_inWords.isEmpty() ? m_summary : m_inWords + QStringLiteral(". ") + m_summary);
    }
    const QString& slug() const { return m_slug; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, rect(), t.surface, underMouse() ? t.text2 : t.line, 8);
        const QFont title = uiFont(15, QFont::DemiBold);
        paint::text(p, {20, 32}, QString::number(m_number), monoFont(15), t.text3);
        const QFont small = uiFont(12, QFont::Medium);
        const double tag = m_inWords.isEmpty() ? 0 : paint::textWidth(m_inWords, small) + 16;
        paint::text(p, {52, 32}, paint::elided(text(), title, width() - 72 - tag), title, t.text);
        paint::text(p, {width() - 20.0, 32}, m_inWords, small, t.text3, Anchor::End);
        p.setFont(uiFont(13));
        p.setPen(t.text2);
        p.drawText(QRectF(52, 42, width() - 72, 44), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_summary);
        const int seen = std::clamp(m_progress.furthest + 1, 0, m_steps);
        const bool done = seen == m_steps;
        const QString state = seen == 0 ? plural(LessonList::tr("%n minute(s)", nullptr, m_minutes), m_minutes)
                              : done    ? LessonList::tr("gone through")
                                        : LessonList::tr("step %1 of %2").arg(m_progress.step + 1).arg(m_steps);
        paint::text(p, {52, kCardHeight - 16.0}, state, small, done ? t.good : t.text3);
        const double left = 170, full = width() - left - 20, y = kCardHeight - 22;
        paint::box(p, {left, y, full, 4}, t.sunken, {}, 2);
        if (seen > 0) paint::box(p, {left, y, full * seen / m_steps, 4}, done ? t.good : t.text3, {}, 2);
        if (hasFocus()) paint::outline(p, rect().adjusted(2, 2, -2, -2), t.ink, 2, 8);
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    int m_number, m_minutes, m_steps;
    QString m_summary, m_slug, m_inWords;
    LessonProgress m_progress;
};

LessonList::LessonList(LessonLibrary& library, QWidget* parent)
    : QWidget(parent),
      m_library(library),
      m_subtitle(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_language(new ComboBox(tr("Language of the lessons"))),
      m_shipped(new Button(Button::Kind::Ghost, tr("The lessons of Headlight"))),
      m_mistakes(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)) {
    auto* content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(32, 24, 32, 32);
    m_column->setSpacing(16);
    auto* head = new QHBoxLayout;
    auto* words = new QVBoxLayout;
    words->addWidget(new Caption(tr("Lessons"), 24, QFont::DemiBold, Caption::Tone::Main));
    words->addWidget(m_subtitle);
    head->addLayout(words, 1);
    head->addWidget(m_language, 0, Qt::AlignBottom);
    auto* open = new Button(Button::Kind::Ghost, tr("Open a folder…"));
    open->setToolTip(
        tr("Lessons of your own, LANGUAGE/NN-slug.md; a saved change shows at once. Or drop a folder or a zip."));
    auto* progress = new Button(Button::Kind::Ghost, tr("Export progress…"));
    for (Button* button : {m_shipped, open, progress})
        head->addWidget(button, 0, Qt::AlignBottom);
    m_column->addLayout(head);
    m_mistakes->setWordWrap(true);
    m_mistakes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_mistakes->setFont(monoFont(12));
    m_column->addWidget(m_mistakes);
    m_column->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scrolling(content));
    connect(open, &Button::clicked, this, &LessonList::askForFolder);
    connect(progress, &Button::clicked, this, &LessonList::exportProgress);
    connect(m_shipped, &Button::clicked, &library, &LessonLibrary::openShipped);
    connect(m_language, &QComboBox::activated, this,
            [this] { m_library.setLanguage(m_language->currentData().toString()); });
    connect(&library, &LessonLibrary::changed, this, [this] {
        if (isVisible()) fill();
    });
}

void LessonList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fill();  // for the first time, or because the reader has gone on
}

QAbstractButton* LessonList::card(int index) const {
    return m_cards[static_cast<size_t>(index)];
}

void LessonList::fill() {
    const QStringList languages = m_library.languages();
    const QSignalBlocker quiet(m_language);
    m_language->clear();
    for (const QString& language : languages)
        m_language->addItem(languageName(language), language);
    m_language->setCurrentIndex(std::max(0, m_language->findData(m_library.language())));
    m_language->setVisible(languages.size() > 1);
    m_shipped->setVisible(!m_library.isShipped());
    const std::string chosen = m_library.language().toStdString();
    const std::vector<Lesson>& lessons = m_library.lessons();
    const auto translated = std::ranges::count(lessons, chosen, &Lesson::language);
    m_subtitle->setText(!m_library.isShipped() ? m_library.path()
                        : translated == std::ssize(lessons)
                            ? tr("On live models: every number is computed while you look at it")
                            : tr("%1: %2 of %3 lessons; the others are in English")
                                  .arg(languageName(m_library.language()))
                                  .arg(translated)
                                  .arg(lessons.size()));
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

    delete m_grid;
    m_cards.clear();
    m_grid = new QWidget;
    auto* grid = new QGridLayout(m_grid);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(16);
    int place = 0;
    for (const Lesson& lesson : lessons) {
        if (lesson.steps.empty()) continue;
        auto* card = new LessonCard(lesson, lesson.language == chosen ? QString() : tr("in English"), m_grid);
        connect(card, &QAbstractButton::clicked, this, [this, card] { emit lessonChosen(card->slug()); });
        grid->addWidget(card, place / 2, place % 2);
        m_cards.push_back(card);
        ++place;
    }
    m_column->insertWidget(m_column->count() - 1, m_grid);
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

void LessonList::exportProgress() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export your progress"),
                                                      QStringLiteral("headlight-progress.json"), tr("JSON (*.json)"));
    if (path.isEmpty()) return;
    const QByteArray progress = exportedProgress();
    try {
        atomicWrite(path.toStdString(), std::span(progress.constData(), static_cast<size_t>(progress.size())));
    } catch (const Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

}  // namespace headlight
