// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/handout.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTimer>
#include <algorithm>

#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kSettleMs = 350;  ///< what moves comes to rest
constexpr double kWidth = 680, kHeight = 980, kGap = 14;
constexpr double kFigureHeight = 330, kFormulaPx = 18;

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
        m_y += px * 1.2 + kGap;
    }

    void prose(const QString& markdown, const QStringList& formulas, double indent = 0) {
        LessonText text(13);
        text.setPalette(ThemeManager::palette(Theme::light()));
        text.resize(static_cast<int>(kWidth - indent), 100);
        text.setText(markdown, formulas);
        text.document()->setTextWidth(kWidth - indent);
        const double height = text.document()->size().height();
        room(height);
        p.save();
        p.translate(indent, m_y);
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(QPalette::Text, Theme::light().text);
        text.document()->documentLayout()->draw(&p, context);
        p.restore();
        m_y += height + kGap;
    }

    void formula(const QString& tex, const QStringList& folders) {
        const auto formula = Formula::find(tex, true, folders);
        if (!formula) return prose(QStringLiteral("`%1`").arg(tex), folders, 24);
        const QSizeF natural = formula->size(kFormulaPx);
        const QSizeF size = natural * std::min(1.0, (kWidth - 48) / natural.width());
        room(size.height() + kGap);
        formula->paint(p, {QPointF((kWidth - size.width()) / 2, m_y), size}, Theme::light());
        m_y += size.height() + kGap;
    }

    void figure(const QImage& image) {
        const QSizeF size = QSizeF(image.size()).scaled(kWidth, kFigureHeight, Qt::KeepAspectRatio);
        room(size.height() + kGap);
        p.drawImage(QRectF(QPointF((kWidth - size.width()) / 2, m_y), size), image);
        m_y += size.height() + kGap;
    }

    /// Where an answer is written by hand.
    void blank() {
        room(28);
        p.setPen(QPen(Theme::light().line2, 1));
        p.drawLine(QPointF(24, m_y + 16), QPointF(260, m_y + 16));
        m_y += 28;
    }

private:
    QPdfWriter& m_pdf;
    QPainter& p;
    double m_y = 0;
};

}  // namespace

Handout::Handout(LessonPlayer& player, Stage& stage, RoomStack& rooms, const QString& path)
    : QObject(&stage), m_player(player), m_stage(stage), m_rooms(rooms), m_path(path) {}

void Handout::start() {
    m_before = m_stage.state();
    m_stepBefore = m_player.step();
    connect(&m_stage, &Stage::settled, this, &Handout::takeFigure);
    connect(&m_stage, &Stage::failed, this, [this](Settling::Revision, const QString& message) {
        emit failed(message);
        emit finished();
        deleteLater();
    });
    show(0);
}

void Handout::show(int step) {
    m_player.goTo(step);
    m_shown = m_stage.revision();
}

void Handout::takeFigure(quint64 revision) {
    if (revision != m_shown) return;  // the reader meddled: the step's own state follows
    QWidget& view = *m_rooms.current().viewWidget();
    QImage figure(view.size() * 2, QImage::Format_RGB32);
    figure.setDevicePixelRatio(2);
    view.render(&figure);
    m_figures.push_back(figure);
    emit drawn(++m_step);
    if (m_step < m_player.steps()) return show(m_step);
    disconnect(&m_stage, nullptr, this, nullptr);
    write();
    m_player.goTo(m_stepBefore);
    m_stage.apply(m_before);
    emit finished();
    deleteLater();
}

void Handout::write() {
    const LessonPlayer& player = m_player;
    const QStringList formulas = player.library().formulaFolders();
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly))
        return emit failed(tr("%1 cannot be written: %2").arg(m_path, file.errorString()));
    {
        QPdfWriter pdf(&file);
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
            const auto words = [&](const std::string& text) { return player.filledInAt(step, text); };
            sheet.line(QStringLiteral("%1. %2").arg(step + 1).arg(QString::fromStdString(shown.title)), 17,
                       QFont::DemiBold, t.text);
            for (const LessonPart& part : shown.parts) {
                if (const auto* prose = std::get_if<LessonProse>(&part)) {
                    sheet.prose(words(prose->markdown), formulas);
                } else if (const auto* formula = std::get_if<LessonFormula>(&part)) {
                    sheet.formula(QString::fromStdString(formula->tex), formulas);
                } else if (const auto* check = std::get_if<LessonCheck>(&part)) {
                    sheet.prose(QStringLiteral("**%1** %2").arg(tr("Question."), words(check->ask)), formulas, 24);
                    for (const std::string& choice : check->choices)
                        sheet.prose(QStringLiteral("☐ %1").arg(QString::fromStdString(choice)), formulas, 48);
                    if (check->choices.empty()) sheet.blank();
                } else if (const auto* task = std::get_if<LessonTask>(&part)) {
                    sheet.prose(QStringLiteral("**%1** %2").arg(tr("Try it."), words(task->what)), formulas, 24);
                }
            }
            sheet.figure(m_figures[static_cast<size_t>(step)]);
        }
        sheet.prose(tr("Sources: %1").arg(wordList(player.lesson().sources).join(QStringLiteral("; "))), formulas);
    }
    if (!file.commit()) emit failed(tr("%1 cannot be written: %2").arg(m_path, file.errorString()));
}

}  // namespace headlight
