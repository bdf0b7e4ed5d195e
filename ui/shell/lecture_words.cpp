// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lecture_words.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <algorithm>
#include <sstream>
#include <utility>

#include "ui/lessons/formula_box.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"

namespace headlight {

namespace {

constexpr int kWordsPx = 26;
constexpr double kFormulaPx = 34;
constexpr int kGap = 22;  ///< between paragraphs

}  // namespace

std::vector<std::string> paragraphsOf(const std::string& markdown) {
    std::vector<std::string> paragraphs;
    std::istringstream lines(markdown);
    bool begins = true;
    for (std::string line; std::getline(lines, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) {
            begins = true;
            continue;
        }
        if (std::exchange(begins, false))
            paragraphs.push_back(line);
        else
            paragraphs.back() += '\n' + line;
    }
    return paragraphs;
}

LectureWords::LectureWords(LessonPlayer& player, QWidget* parent) : QWidget(parent), m_player(player) {
    hide();
}

void LectureWords::add(QWidget* block) {
    block->setParent(this);
    m_blocks.push_back(block);
}

void LectureWords::showStep(const QSizeF& size) {
    for (QWidget* block : std::exchange(m_blocks, {}))
        block->deleteLater();
    m_size = size;
    m_column = 0;
    if (!m_player.isOpen()) return;
    const auto say = [this](const std::string& markdown) {
        for (const std::string& paragraph : paragraphsOf(markdown))
            add(lessonText(m_player, paragraph, kWordsPx));
    };
    for (const LessonPart& part : m_player.current().parts) {
        if (const auto* prose = std::get_if<LessonProse>(&part)) {
            say(prose->markdown);
        } else if (const auto* formula = std::get_if<LessonFormula>(&part)) {
            add(new FormulaBox(QString::fromStdString(formula->tex), m_player.library().formulaFolders(), kFormulaPx));
        } else if (const auto* check = std::get_if<LessonCheck>(&part)) {
            say(check->ask);
            for (const std::string& choice : check->choices)
                say("- " + choice);
        } else {
            say(std::get<LessonTask>(part).what);
        }
    }
}

double LectureWords::heightOf(QWidget* block) const {
    auto* text = qobject_cast<LessonText*>(block);
    if (!text) return block->sizeHint().height();
    const double scale = scaleOf(*text);
    text->document()->setTextWidth(m_size.width() / scale);
    return text->document()->size().height() * scale;
}

double LectureWords::scaleOf(const LessonText& text) const {
    text.document()->setTextWidth(m_size.width());
    return std::min(1.0, m_size.width() / std::max(1.0, text.document()->idealWidth()));
}

int LectureWords::column() const {
    return std::clamp(m_column, 0, std::max(0, columns() - 1));
}

std::vector<std::vector<QWidget*>> LectureWords::flow() const {
    std::vector<std::vector<QWidget*>> columns;
    double filled = 0;
    for (QWidget* block : m_blocks) {
        const double height = heightOf(block);
        if (columns.empty() || filled + kGap + height > m_size.height()) {
            columns.emplace_back();
            filled = -kGap;
        }
        columns.back().push_back(block);
        filled += kGap + height;
    }
    return columns;
}

bool LectureWords::isWhole() const {
    return std::ranges::all_of(m_blocks, [this](QWidget* block) { return heightOf(block) <= m_size.height(); });
}

QString LectureWords::text() const {
    QStringList lines;
    const auto columns = flow();
    if (!columns.empty())
        for (const QWidget* block : columns[static_cast<size_t>(column())])
            if (const auto* text = qobject_cast<const LessonText*>(block)) lines << text->toPlainText();
    return lines.join(u'\n');
}

void LectureWords::paint(QPainter& p) {
    const auto columns = flow();
    if (columns.empty()) return;
    double y = 0;
    for (QWidget* block : columns[static_cast<size_t>(column())]) {
        const double height = heightOf(block);
        p.save();
        p.translate(0, y);
        if (auto* text = qobject_cast<LessonText*>(block)) {
            QAbstractTextDocumentLayout::PaintContext context;
            context.palette = text->palette();
            const double scale = scaleOf(*text);
            text->document()->setTextWidth(m_size.width() / scale);
            p.scale(scale, scale);
            text->document()->documentLayout()->draw(&p, context);
        } else {
            block->resize(static_cast<int>(m_size.width()), static_cast<int>(height));
            block->render(&p, QPoint(), QRegion(), QWidget::DrawChildren);
        }
        p.restore();
        y += height + kGap;
    }
}

}  // namespace headlight
