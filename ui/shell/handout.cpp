// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/handout.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QPointer>
#include <algorithm>
#include <span>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "ui/lessons/code_card.h"
#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kWidth = 680, kHeight = 980, kHandoutGap = 14;
constexpr double kFigureHeight = 460, kHandoutFormulaPx = 18;
constexpr QSize kFigure(1060, 680);  ///< of a view on paper

/// Writes from top to bottom and turns the page where something does not fit.
class Sheet {
public:
    Sheet(QPdfWriter& pdf, QPainter& painter) : m_pdf(pdf), p(painter) {
        const double scale = pdf.width() / kWidth;
        p.scale(scale, scale);
    }

    void room(double height) {
        if (m_y + height <= kHeight || m_y == 0) return;
        m_pdf.newPage();
        m_y = 0;
    }

    void line(const QString& text, int px, int weight, const QColor& color) {
        room(px * 3.0);
        paint::text(p, {0, m_y + px * 1.2}, text, uiFont(px, weight), color);
        m_y += px * 1.2 + kHandoutGap;
    }

    void prose(const QString& markdown, const QStringList& formulas, double indent = 0) {
        LessonText text(13);
        text.setPalette(ThemeManager::palette(Theme::light()));
        text.resize(static_cast<int>(kWidth - indent), 100);
        text.setText(markdown, formulas);
        lay(text, indent);
    }

    void code(const QString& lines) {
        constexpr double indent = 36;
        LessonText text(11);
        text.setPalette(ThemeManager::palette(Theme::light()));
        text.setCode(lines);
        lay(text, indent);
    }

    void formula(const QString& tex, const QStringList& folders) {
        const auto formula = Formula::find(tex, true, folders);
        if (!formula) return prose(QStringLiteral("`%1`").arg(tex), folders, 24);
        const QSizeF natural = formula->size(kHandoutFormulaPx);
        const QSizeF size = natural * std::min(1.0, (kWidth - 48) / natural.width());
        room(size.height() + kHandoutGap);
        formula->paint(p, {QPointF((kWidth - size.width()) / 2, m_y), size}, Theme::light());
        m_y += size.height() + kHandoutGap;
    }

    void figure(const QPicture& picture) {
        const QSizeF whole = picture.boundingRect().size();
        const QSizeF size = whole.scaled(kWidth, kFigureHeight, Qt::KeepAspectRatio);
        room(size.height() + kHandoutGap);
        p.save();
        p.translate((kWidth - size.width()) / 2, m_y);
        // A picture is as large on paper as it was on the screen, whatever a pixel of either is: here pixels count.
        const double pixels = static_cast<double>(picture.logicalDpiX()) / m_pdf.logicalDpiX();
        p.scale(pixels * size.width() / whole.width(), pixels * size.height() / whole.height());
        p.drawPicture(0, 0, picture);
        p.restore();
        m_y += size.height() + kHandoutGap;
    }

    /// Where an answer is written by hand.
    void blank() {
        room(28);
        p.setPen(QPen(Theme::light().line2, 1));
        p.drawLine(QPointF(24, m_y + 16), QPointF(260, m_y + 16));
        m_y += 28;
    }

private:
    void lay(const LessonText& text, double indent) {
        text.document()->setTextWidth(kWidth - indent);
        const double height = text.document()->size().height();
        room(height);
        p.save();
        p.translate(indent, m_y);
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(QPalette::Text, Theme::light().text);
        text.document()->documentLayout()->draw(&p, context);
        p.restore();
        m_y += height + kHandoutGap;
    }

    QPdfWriter& m_pdf;
    QPainter& p;
    double m_y = 0;
};

/// Buttons that are not there as long as it lives, while everything else keeps its place.
class WithoutButtons {
public:
    explicit WithoutButtons(QWidget& view) : m_focus(QApplication::focusWidget()) {
        for (Button* button : view.findChildren<Button*>()) {
            if (!button->isVisibleTo(&view)) continue;
            m_hidden.emplace_back(button, button->sizePolicy());
            QSizePolicy keeping = button->sizePolicy();
            keeping.setRetainSizeWhenHidden(true);
            button->setSizePolicy(keeping);
            button->hide();
        }
    }
    ~WithoutButtons() {
        for (const auto& [button, policy] : m_hidden) {
            button->show();
            button->setSizePolicy(policy);
        }
        if (m_focus) m_focus->setFocus();
    }
    WithoutButtons(const WithoutButtons&) = delete;
    WithoutButtons& operator=(const WithoutButtons&) = delete;
    WithoutButtons(WithoutButtons&&) = delete;
    WithoutButtons& operator=(WithoutButtons&&) = delete;

private:
    std::vector<std::pair<Button*, QSizePolicy>> m_hidden;
    QPointer<QWidget> m_focus;
};

}  // namespace

QPicture figureForPaper(QWidget& view) {
    const QSize before = view.size();
    QPicture picture;
    {
        const WithoutButtons buttons(view);
        view.resize(kFigure.expandedTo(view.minimumSizeHint()));
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        view.render(&painter);
        painter.end();
        picture.setBoundingRect({{}, view.size()});
    }
    view.resize(before);
    return picture;
}

Handout::Handout(LessonPlayer& player, Stage& stage, RoomStack& rooms, const QString& path)
    : QObject(&stage), m_player(player), m_rooms(rooms), m_path(path), m_walk(player, stage, this) {
    connect(&m_walk, &LessonWalk::stepShown, this, &Handout::takePage);
    connect(&m_walk, &LessonWalk::ended, this, &Handout::end);
}

void Handout::cancel() {
    m_isCancelled = true;
    m_walk.stop();
}

void Handout::takePage(int step) {
    const std::string model = m_player.lesson().stateAt(static_cast<size_t>(step)).model;
    m_pages.push_back({wordsOfStep(), figureForPaper(*m_rooms.current().viewWidget()), model});
    emit drawn(step + 1);
}

void Handout::end(const QString& failure) {
    const QString wrong = failure.isEmpty() && !m_isCancelled ? write() : failure;
    if (!wrong.isEmpty()) emit failed(wrong);
    emit finished();
    deleteLater();
}

QStringList Handout::wordsOfStep() const {
    QStringList words;
    for (const LessonPart& part : m_player.current().parts) {
        if (const auto* prose = std::get_if<LessonProse>(&part))
            words << m_player.filledIn(prose->markdown);
        else if (const auto* check = std::get_if<LessonCheck>(&part))
            words << m_player.filledIn(check->ask);
        else if (const auto* task = std::get_if<LessonTask>(&part))
            words << m_player.filledIn(task->what);
        else if (const auto* code = std::get_if<LessonCode>(&part))
            words << m_player.asPrinted(code->prints);
        else if (const auto* more = std::get_if<LessonMore>(&part))
            words << m_player.filledIn(more->text);
        else if (std::holds_alternative<LessonVeil>(part))
            words << m_player.afterVeil(static_cast<int>(words.size()));
        else
            words << QString();
    }
    return words;
}

QString Handout::write() const {
    const LessonPlayer& player = m_player;
    const QStringList formulas = player.library().formulaFolders();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter pdf(&buffer);
        pdf.setPageSize(QPageSize(QPageSize::A4));
        pdf.setPageMargins({18, 16, 18, 16}, QPageLayout::Millimeter);
        pdf.setTitle(QString::fromStdString(player.lesson().title));
        pdf.setCreator(QStringLiteral("Headlight"));
        QPainter painter(&pdf);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        Sheet sheet(pdf, painter);
        const Theme& t = Theme::light();
        sheet.line(QString::fromStdString(player.lesson().title), 26, QFont::Bold, t.text);
        sheet.prose(QString::fromStdString(player.lesson().summary), formulas);
        for (int step = 0; step < player.steps(); ++step) {
            const LessonStep& shown = player.lesson().steps[static_cast<size_t>(step)];
            const Page& page = m_pages[static_cast<size_t>(step)];
            sheet.line(QStringLiteral("%1. %2").arg(step + 1).arg(QString::fromStdString(shown.title)), 17,
                       QFont::DemiBold, t.text);
            for (size_t i = 0; i < shown.parts.size(); ++i) {
                const LessonPart& part = shown.parts[i];
                const QString& words = page.words[static_cast<qsizetype>(i)];
                if (std::holds_alternative<LessonProse>(part)) {
                    sheet.prose(words, formulas);
                } else if (const auto* formula = std::get_if<LessonFormula>(&part)) {
                    sheet.formula(QString::fromStdString(formula->tex), formulas);
                } else if (const auto* check = std::get_if<LessonCheck>(&part)) {
                    sheet.prose(QStringLiteral("**%1** %2").arg(tr("Question."), words), formulas, 24);
                    for (const std::string& choice : check->choices)
                        sheet.prose(QStringLiteral("☐ %1").arg(QString::fromStdString(choice)), formulas, 48);
                    if (check->choices.empty()) sheet.blank();
                } else if (const auto* veil = std::get_if<LessonVeil>(&part)) {
                    sheet.prose(QStringLiteral("**%1** %2").arg(tr("Predict."), QString::fromStdString(veil->ask)),
                                formulas, 24);
                    sheet.blank();
                    sheet.prose(words, formulas, 24);
                } else if (const auto* more = std::get_if<LessonMore>(&part)) {
                    sheet.prose(QStringLiteral("**%1**").arg(tr("More: %1.").arg(QString::fromStdString(more->title))),
                                formulas, 24);
                    sheet.prose(words, formulas, 24);
                } else if (const auto* code = std::get_if<LessonCode>(&part)) {
                    sheet.prose(
                        QStringLiteral("**%1** %2").arg(tr("Try it in PyTorch."), whereCodeRuns(*code, page.model)),
                        formulas, 24);
                    sheet.code(QString::fromStdString(code->code));
                    sheet.prose(tr("It prints:"), formulas, 24);
                    sheet.code(words);
                } else {
                    sheet.prose(QStringLiteral("**%1** %2").arg(tr("Try it."), words), formulas, 24);
                }
            }
            sheet.figure(page.figure);
        }
        sheet.prose(tr("Sources: %1").arg(wordList(player.lesson().sources).join(QStringLiteral("; "))), formulas);
    }
    // Whole: a writer of PDFs does not notice that a disk is full, nor does QSaveFile when half of a piece fits.
    try {
        atomicWrite(m_path.toStdString(), std::span(bytes.constData(), static_cast<size_t>(bytes.size())));
        return {};
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
}

}  // namespace headlight

#include "moc_handout.cpp"
