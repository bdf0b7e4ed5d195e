// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lecture_words.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <algorithm>
#include <sstream>
#include <utility>

#include "ui/lessons/code_card.h"
#include "ui/lessons/formula_box.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"

namespace headlight {

namespace {

constexpr int kWordsPx = 26;
constexpr int kLecturedCodePx = 18;
constexpr double kLectureFormulaPx = 34;
constexpr int kLectureGap = 22;  ///< between paragraphs

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
    m_blocks.push_back({block});
    // Numbers come in later, and take their room; a text that is built anew lays itself out for its own width.
    if (const auto* text = qobject_cast<LessonText*>(block)) {
        const auto forget = [this] { m_isLaidOut = false; };
        connect(text->document(), &QTextDocument::contentsChanged, this, forget);
        connect(text->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this, forget);
    }
}

void LectureWords::showStep(const QSizeF& size) {
    for (const Block& block : std::exchange(m_blocks, {}))
        block.widget->deleteLater();
    setSize(size);
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
            add(new FormulaBox(QString::fromStdString(formula->tex), m_player.library().formulaFolders(),
                               kLectureFormulaPx));
        } else if (const auto* check = std::get_if<LessonCheck>(&part)) {
            say(check->ask);
            for (const std::string& choice : check->choices)
                say("- " + choice);
        } else if (const auto* veil = std::get_if<LessonVeil>(&part)) {
            say(veil->ask);
        } else if (const auto* code = std::get_if<LessonCode>(&part)) {
            const std::string model = m_player.lesson().stateAt(static_cast<size_t>(m_player.step())).model;
            say(whereCodeRuns(*code, model).toStdString());
            auto* lines = new LessonText(kLecturedCodePx);
            lines->setCode(QString::fromStdString(code->code));
            add(lines);
            add(printedText(m_player, code->prints, kLecturedCodePx));
        } else if (const auto* task = std::get_if<LessonTask>(&part)) {
            say(task->what);  // what is more is for whoever reads
        }
    }
}

void LectureWords::setSize(const QSizeF& size) {
    m_size = size;
    m_isLaidOut = false;
}

const std::vector<std::vector<LectureWords::Block>>& LectureWords::laidOut() const {
    if (m_isLaidOut) return m_columns;
    m_columns.clear();
    double filled = 0;
    for (Block block : m_blocks) {
        if (const auto* text = qobject_cast<LessonText*>(block.widget)) {
            QTextDocument& words = *text->document();
            words.setTextWidth(m_size.width());
            block.scale = std::min(1.0, m_size.width() / std::max(1.0, words.idealWidth()));
            words.setTextWidth(m_size.width() / block.scale);
            block.height = words.size().height() * block.scale;
        } else {
            block.height = block.widget->sizeHint().height();
            block.widget->resize(static_cast<int>(m_size.width()), static_cast<int>(block.height));
        }
        if (m_columns.empty() || filled + kLectureGap + block.height > m_size.height()) {
            m_columns.emplace_back();
            filled = -kLectureGap;
        }
        m_columns.back().push_back(block);
        filled += kLectureGap + block.height;
    }
    m_isLaidOut = true;  // last: laying out says that sizes have changed
    return m_columns;
}

int LectureWords::column() const {
    return std::clamp(m_column, 0, std::max(0, columns() - 1));
}

bool LectureWords::isWhole() const {
    return std::ranges::all_of(laidOut(), [this](const std::vector<Block>& column) {
        return std::ranges::all_of(column, [this](const Block& block) { return block.height <= m_size.height(); });
    });
}

QString LectureWords::text() const {
    QStringList lines;
    if (columns() > 0)
        for (const Block& block : laidOut()[static_cast<size_t>(column())])
            if (const auto* text = qobject_cast<const LessonText*>(block.widget)) lines << text->toPlainText();
    return lines.join(u'\n');
}

void LectureWords::paint(QPainter& p) const {
    if (columns() == 0) return;
    double y = 0;
    for (const Block& block : laidOut()[static_cast<size_t>(column())]) {
        p.save();
        p.translate(0, y);
        if (const auto* text = qobject_cast<LessonText*>(block.widget)) {
            // A text that was built anew may have laid itself out for its own width since.
            const double wide = m_size.width() / block.scale;
            if (text->document()->textWidth() != wide) text->document()->setTextWidth(wide);
            QAbstractTextDocumentLayout::PaintContext context;
            context.palette = text->palette();
            p.scale(block.scale, block.scale);
            text->document()->documentLayout()->draw(&p, context);
        } else {
            block.widget->render(&p, QPoint(), QRegion(), QWidget::DrawChildren);
        }
        p.restore();
        y += block.height + kLectureGap;
    }
}

}  // namespace headlight

#include "moc_lecture_words.cpp"
