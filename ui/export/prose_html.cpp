// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/prose_html.h"

#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>
#include <QUrl>

#include "core/lessons/inline_markup.h"
#include "ui/export/formula_html.h"
#include "ui/export/web_page.h"
#include "ui/lessons/formula.h"

namespace headlight {

namespace {

constexpr double kFormulaEm = 1.1;  ///< as in the window: MathJax's letters are a little small beside Inter

class Writer {
public:
    Writer(const TextWithFormulas& text, const ProseMeans& means) : m_text(text), m_means(means) {}

    QByteArray write() {
        QTextDocument document;
        document.setMarkdown(m_text.markdown, QTextDocument::MarkdownNoHTML);
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            add(block);
        closeList();
        return m_html;
    }

private:
    void add(const QTextBlock& block) {
        const QByteArray words = wordsOf(block);
        const QTextList* const list = block.textList();
        if (!list) {
            closeList();
            if (!words.trimmed().isEmpty()) m_html += "<p>" + words + "</p>\n";
            return;
        }
        const bool ordered = list->format().style() <= QTextListFormat::ListDecimal;
        const QByteArray tag = ordered ? "ol" : "ul";
        if (m_list != tag) {
            closeList();
            m_list = tag;
            m_html += "<" + tag + ">\n";
        }
        m_html += "<li>" + words + "</li>\n";
    }

    void closeList() {
        if (!m_list.isEmpty()) m_html += "</" + m_list + ">\n";
        m_list.clear();
    }

    QByteArray wordsOf(const QTextBlock& block) const {
        QByteArray html;
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment fragment = it.fragment();
            const QTextCharFormat format = fragment.charFormat();
            if (format.isImageFormat()) {
                const auto number = QUrl(format.toImageFormat().name()).path().toULong();
                if (number < m_text.formulas.size()) html += formulaHtml(m_text.formulas[number], kFormulaEm);
                continue;
            }
            html += styled(fragment.text(), format);
        }
        return html;
    }

    QByteArray styled(const QString& text, const QTextCharFormat& format) const {
        QByteArray words = escaped(text);
        words.replace(QString(givenMark).toUtf8(), "<span class=\"given\"></span>");
        words.replace(QString(QChar::LineSeparator).toUtf8(), "<br>");
        if (format.isAnchor()) return linked(words, format.anchorHref());
        if (format.fontFixedPitch()) words = "<code>" + words + "</code>";
        if (format.fontWeight() > QFont::Normal) words = "<strong>" + words + "</strong>";
        if (format.fontItalic()) words = "<em>" + words + "</em>";
        return words;
    }

    QByteArray linked(const QByteArray& words, const QString& target) const {
        if (target.startsWith(u'#')) {
            const QString meaning = m_means.meaning(target.mid(1));
            if (meaning.isEmpty()) return words;
            return "<span class=\"term\" tabindex=\"0\">" + words + "<span class=\"meaning\" role=\"tooltip\">" +
                   escaped(meaning) + "</span></span>";
        }
        if (parseDialTarget(target.toStdString())) return words;  // a page has no stage that would follow
        if (const auto number = parsePointerTarget(target.toStdString())) return pointer(words, *number);
        const QUrl url(target);
        QByteArray result = "<span class=\"elsewhere\">" + words + "</span>";
        if (url.scheme() == QLatin1String("https"))
            return result + " (" + escaped(url.toDisplayString(QUrl::RemoveScheme).remove(0, 2)) + ")";
        const QString title = m_means.lessonTitle(target);
        return title.isEmpty() ? result : result + " (“" + escaped(title) + "”)";
    }

    /// What lights its cell on the page's stage; indices from 1, as in the lesson.
    static QByteArray pointer(const QByteArray& words, const NumberName& number) {
        QByteArray at;
        for (const int index : number.indices)
            at += (at.isEmpty() ? "" : ",") + QByteArray::number(index);
        return "<span class=\"pointer\" role=\"button\" data-name=\"" + escaped(QString::fromStdString(number.name)) +
               "\" data-at=\"" + at + "\">" + words + "</span>";
    }

    const TextWithFormulas& m_text;
    const ProseMeans& m_means;
    QByteArray m_html, m_list;
};

}  // namespace

QByteArray proseHtml(const QString& markdown, const ProseMeans& means) {
    return Writer(withFormulas(markdown, means.formulas), means).write();
}

}  // namespace headlight
