// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/code_card.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>
#include <chrono>

#include "core/platform/pace.h"
#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr std::chrono::milliseconds kCopied{1500};

/// Lines of code on sunken ground.
class CodeBox : public QWidget {
public:
    explicit CodeBox(LessonText* lines) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(12, 9, 12, 9);
        column->addWidget(lines);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, rect(), Theme::of(this).sunken, {}, 6);
    }
};

}  // namespace

CodeCard::CodeCard(LessonPlayer& player, const LessonCode& code, QWidget* parent)
    : QFrame(parent), m_copy(new Button(Button::Kind::Ghost, tr("Copy"))), m_printed(printedText(player, code.prints)) {
    const QString lines = QString::fromStdString(code.code);
    auto* program = new LessonText(kCodePx);
    program->setCode(lines);
    program->setAccessibleName(tr("Python"));
    m_printed->setAccessibleName(tr("What it prints"));
    m_copy->setHeight(28);
    auto* where = new LessonText(13);
    const std::string model = player.lesson().stateAt(static_cast<size_t>(player.step())).model;
    where->setText(whereCodeRuns(code, model), {});
    QVBoxLayout* const column = lessonCardColumn(this);
    auto* head = new QHBoxLayout;
    head->addWidget(new Kicker(tr("Try it in PyTorch")), 1);
    head->addWidget(m_copy);
    column->addLayout(head);
    column->addWidget(where);
    column->addWidget(new CodeBox(program));
    column->addWidget(new Caption(tr("It prints:"), 13, QFont::Normal, Caption::Tone::Secondary));
    column->addWidget(new CodeBox(m_printed));
    connect(m_copy, &Button::clicked, this, [this, lines] {
        QGuiApplication::clipboard()->setText(lines + u'\n');
        m_copy->setText(tr("Copied"));
        QTimer::singleShot(platform::paced(kCopied), m_copy, [this] { m_copy->setText(tr("Copy")); });
    });
}

QString CodeCard::printed() const {
    return m_printed->toPlainText();
}

void CodeCard::paintEvent(QPaintEvent*) {
    paintLessonCard(this, LessonCardState::Open);
}

QString whereCodeRuns(const LessonCode& code, const std::string& model) {
    const auto needs = [&](const char* what) { return code.code.find(what) != std::string::npos; };
    if (!needs("torch")) return CodeCard::tr("Wherever Python is installed:");
    if (!needs("load_model")) return CodeCard::tr("Wherever PyTorch is installed:");
    return CodeCard::tr("In the folder that `headlight-cli export --format pytorch` makes of %1:")
        .arg(QString::fromStdString(model));
}

}  // namespace headlight

#include "moc_code_card.cpp"
