// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/check_card.h"

#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// Green where the answer is right, red where not; a sign besides, for eyes that do not tell them apart. What was only
/// shown is neither.
class Feedback : public QWidget {
public:
    CheckCard::Verdict verdict = CheckCard::Verdict::Right;

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        using Verdict = CheckCard::Verdict;
        const bool right = verdict == Verdict::Right, shown = verdict == Verdict::Shown;
        paint::box(p, rect(), shown ? t.sunken : right ? t.goodTint : t.badTint, {}, 6);
        drawIcon(p,
                 shown   ? Icon::Help
                 : right ? Icon::Check
                         : Icon::Cross,
                 QRectF(12, 12, 16, 16),
                 shown   ? t.text2
                 : right ? t.good
                         : t.bad);
    }
};

/// An answer to choose; a long one goes on in the next line.
class ChoiceButton : public QAbstractButton {
public:
    explicit ChoiceButton(const QString& text) {
        setText(text);
        setCheckable(true);
        setAutoExclusive(true);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return textBox(width).height() + 16; }
    QSize sizeHint() const override { return {200, heightForWidth(300)}; }
    QSize minimumSizeHint() const override { return {80, 32}; }

protected:
    void resizeEvent(QResizeEvent*) override { setFixedHeight(heightForWidth(width())); }
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, rect(), isChecked() ? t.ink : paint::mixed(t.surface, t.sunken, hoverTint(this)),
                   isChecked() ? t.ink : t.line2, 6);
        p.setFont(uiFont(13, QFont::Medium));
        p.setPen(isChecked() ? t.onInk : t.text);
        p.drawText(rect().adjusted(12, 8, -12, -8), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, text());
        if (hasFocus()) paint::outline(p, rect().adjusted(3, 3, -3, -3), isChecked() ? t.onInk : t.ink, 1, 4);
    }

private:
    QRect textBox(int width) const {
        return QFontMetrics(uiFont(13, QFont::Medium))
            .boundingRect(QRect(0, 0, width - 24, 2000), Qt::AlignLeft | Qt::TextWordWrap, text());
    }
};

}  // namespace

CheckCard::CheckCard(LessonPlayer& player, int part, QWidget* parent)
    : QFrame(parent), m_player(player), m_part(part), m_feedback(new Feedback), m_verdict(lessonText(player, {})) {
    const auto& asked = std::get<LessonCheck>(player.current().parts[static_cast<size_t>(part)]);
    QVBoxLayout* const column = lessonCardColumn(this);
    column->addWidget(new Kicker(tr("Question")));
    column->addWidget(lessonText(player, asked.ask));
    m_show = new Button(Button::Kind::Plain, tr("Show me"));
    connect(m_show, &Button::clicked, this, &CheckCard::showSolution);
    if (asked.kind == LessonCheck::Kind::Number) {
        makeNumber(column);
    } else if (asked.kind == LessonCheck::Kind::Choice) {
        makeChoices(column);
        column->addWidget(m_show, 0, Qt::AlignLeft);
    } else {
        auto* row = new QHBoxLayout;
        row->addWidget(new Caption(tr("Click it on the stage."), 13, QFont::Normal, Caption::Tone::Secondary), 1);
        row->addWidget(m_show);
        column->addLayout(row);
        connect(&player, &LessonPlayer::solved, this, [this](int which) {
            if (which == m_part) tellThatItIsSolved();
        });
    }
    auto* inside = new QHBoxLayout(m_feedback);
    inside->setContentsMargins(38, 9, 12, 9);
    inside->addWidget(m_verdict);
    column->addWidget(m_feedback);
    m_feedback->hide();
    if (player.isSolved(part)) tellThatItIsSolved();
}

void CheckCard::tellThatItIsSolved() {
    m_player.withNumbers(this, [this] {
        const auto& asked = std::get<LessonCheck>(m_player.current().parts[static_cast<size_t>(m_part)]);
        tell(Verdict::Right, m_player.filledInAll(asked.right));
    });
}

void CheckCard::makeNumber(QVBoxLayout* column) {
    m_answer = new QLineEdit;
    m_answer->setFont(monoFont(15));
    m_answer->setMinimumWidth(72);  // in a narrow panel the card is no wider than the words above it
    m_answer->setMaximumWidth(120);
    m_answer->setAccessibleName(tr("Your answer"));
    m_answer->setMaxLength(32);
    m_check = new Button(Button::Kind::Primary, tr("Check"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_answer);
    row->addWidget(m_check);
    row->addWidget(m_show);
    row->addStretch();
    column->addLayout(row);
    connect(m_answer, &QLineEdit::returnPressed, this, &CheckCard::judge);
    connect(m_check, &Button::clicked, this, &CheckCard::judge);
}

void CheckCard::makeChoices(QVBoxLayout* column) {
    const auto& asked = std::get<LessonCheck>(m_player.current().parts[static_cast<size_t>(m_part)]);
    for (size_t i = 0; i < asked.choices.size(); ++i) {
        auto* button = new ChoiceButton(QString::fromStdString(asked.choices[i]));
        connect(button, &QAbstractButton::clicked, this, [this, i] {
            for (size_t each = 0; each < m_choices.size(); ++each)
                m_choices[each]->setChecked(each == i);
            m_player.withNumbers(this, [this, i] {
                if (m_choices[i]->isChecked()) tell(m_player.judgeChoice(m_part, static_cast<int>(i)));
            });
        });
        m_choices.push_back(button);
        column->addWidget(button);
    }
}

void CheckCard::judge() {
    m_player.withNumbers(this, [this] {
        if (!m_answer->text().trimmed().isEmpty()) tell(m_player.judgeNumber(m_part, m_answer->text()));
    });
}

void CheckCard::showSolution() {
    m_player.withNumbers(this, [this] {
        const QString solution = m_player.solution(m_part);
        if (m_answer) m_answer->setText(solution);
        tell(Verdict::Shown, tr("It is **%1**.").arg(solution));
    });
}

void CheckCard::tell(const Judgement& judgement) {
    tell(judgement.isRight ? Verdict::Right : Verdict::Wrong, judgement.text);
}

void CheckCard::tell(Verdict verdict, const QString& text) {
    m_right = verdict == Verdict::Right;
    static_cast<Feedback*>(m_feedback)->verdict = verdict;
    m_verdict->setText(text, m_player.library().formulaFolders());
    m_feedback->show();
    m_feedback->update();
    update();
}

QString CheckCard::verdict() const {
    return m_feedback->isHidden() ? QString() : m_verdict->toPlainText();
}

void CheckCard::paintEvent(QPaintEvent*) {
    paintLessonCard(this, m_right ? LessonCardState::Solved : LessonCardState::Open);
}

TaskCard::TaskCard(LessonPlayer& player, int part, QWidget* parent)
    : QFrame(parent),
      m_state(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Secondary)),
      m_done(player.isSolved(part)) {
    const auto& task = std::get<LessonTask>(player.current().parts[static_cast<size_t>(part)]);
    QVBoxLayout* const column = lessonCardColumn(this);
    column->addWidget(new Kicker(tr("Try it")));
    column->addWidget(lessonText(player, task.what));
    m_state->setWordWrap(true);
    column->addWidget(m_state);
    const auto show = [this] {
        m_state->setText(m_done ? tr("✓ Done") : tr("The lesson sees it when you have done it."));
    };
    show();
    connect(&player, &LessonPlayer::solved, this, [this, part, show](int which) {
        if (which != part) return;
        m_done = true;
        show();
        update();
    });
}

void TaskCard::paintEvent(QPaintEvent*) {
    paintLessonCard(this, m_done ? LessonCardState::Solved : LessonCardState::Open);
}

}  // namespace headlight

#include "moc_check_card.cpp"
