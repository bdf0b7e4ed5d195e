// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_text.h"

#include <QCursor>
#include <QDesktopServices>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/lessons/lesson_parser.h"
#include "ui/lessons/formula.h"
#include "ui/widgets/theme.h"

namespace headlight {

namespace {

constexpr double kFormulaPx = 1.1;   ///< of the text's size: MathJax's letters are a little small beside Inter
constexpr double kLineHeight = 132;  ///< per cent; Vietnamese marks need the room

}  // namespace

LessonText::LessonText(int fontPx, QWidget* parent) : QTextBrowser(parent), m_fontPx(fontPx) {
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(this, &QTextBrowser::highlighted, this, qOverload<const QUrl&>(&LessonText::showMeaning));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.toString().startsWith(u'#'))
            showMeaning(link);
        else if (link.scheme() == QLatin1String("https"))
            QDesktopServices::openUrl(link);
        else
            emit lessonWanted(link.toString());
    });
}

void LessonText::setText(const QString& markdown, const QStringList& formulas) {
    m_markdown = markdown;
    m_formulas = formulas;
    build();
}

void LessonText::build() {
    const Theme& theme = Theme::of(this);
    const std::string text = m_markdown.toStdString();
    QString ready;
    size_t from = 0;
    int number = 0;
    m_missing = 0;
    document()->clear();
    std::vector<Formula> found;
    for (const InlineFormula& formula : inlineFormulas(text)) {
        const size_t end = std::min(formula.end, text.size());
        ready += QString::fromStdString(text.substr(from, formula.begin - from));
        from = end;
        const QString tex = QString::fromStdString(formula.tex);
        const auto picture = Formula::find(tex, false, m_formulas);
        if (!picture) {
            ++m_missing;
            ready += QStringLiteral("`%1`").arg(tex);  // readable TeX, until the picture is made
            continue;
        }
        found.push_back(*picture);
        ready += QStringLiteral("![%1](formula:%2)").arg(tex.toHtmlEscaped().remove(u']').remove(u'[')).arg(number++);
    }
    ready += QString::fromStdString(text.substr(from));
    QFont font = uiFont(m_fontPx);
    document()->setDefaultFont(font);
    const QFontMetricsF metrics(font);
    const double ratio = devicePixelRatioF(), px = m_fontPx * kFormulaPx;
    for (int i = 0; i < number; ++i) {
        const Formula& formula = found[static_cast<size_t>(i)];
        const QImage drawn = formula.image(px, ratio, theme);
        // Qt sets a picture's foot a descent below the line: the formula stands that much above the picture's foot,
        // less its own depth.
        const double depth = formula.depth(px), pad = std::max(0.0, metrics.descent() - depth);
        QImage padded((QSizeF(drawn.size()) + QSizeF(0, pad * ratio)).toSize(), QImage::Format_ARGB32_Premultiplied);
        padded.fill(Qt::transparent);
        padded.setDevicePixelRatio(ratio);
        QPainter(&padded).drawImage(0, 0, drawn);
        document()->addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("formula:%1").arg(i)), padded);
    }
    document()->setMarkdown(ready, QTextDocument::MarkdownNoHTML);
    dressUp();
    fit();
}

/// Line heights, the colours of terms, and where pictures stand.
void LessonText::dressUp() {
    const Theme& theme = Theme::of(this);
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextCursor at(block);
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(0);
        format.setBottomMargin(block.next().isValid() ? (block.textList() ? 4 : 10) : 0);
        at.setBlockFormat(format);
        std::vector<std::pair<int, int>> pieces;
        for (auto it = block.begin(); !it.atEnd(); ++it)
            pieces.emplace_back(it.fragment().position(), it.fragment().length());
        for (const auto& [position, length] : pieces) {
            at.setPosition(position);
            at.setPosition(position + length, QTextCursor::KeepAnchor);
            QTextCharFormat piece = at.charFormat();
            if (piece.isImageFormat()) {
                piece.setVerticalAlignment(QTextCharFormat::AlignBaseline);
            } else if (piece.isAnchor()) {
                const bool term = piece.anchorHref().startsWith(u'#');
                piece.setForeground(theme.text);
                piece.setFontWeight(QFont::DemiBold);
                piece.setFontUnderline(false);
                piece.setUnderlineStyle(term ? QTextCharFormat::DotLine : QTextCharFormat::SingleUnderline);
                piece.setUnderlineColor(theme.text3);
            } else {
                piece.setForeground(piece.fontWeight() > QFont::Normal ? theme.text : theme.text2);
                if (piece.fontFixedPitch()) piece.setFont(monoFont(m_fontPx - 1));
            }
            at.setCharFormat(piece);
        }
    }
}

void LessonText::showMeaning(const QUrl& link) {
    const QString target = link.toString();
    if (!target.startsWith(u'#') || !m_meanings) return QToolTip::hideText();
    const QString meaning = m_meanings(target.mid(1));
    if (meaning.isEmpty()) return;
    // Under the pointer, or, by keyboard, below the text.
    const bool pointed = rect().contains(mapFromGlobal(QCursor::pos()));
    QToolTip::showText(pointed ? QCursor::pos() : mapToGlobal(QPoint(0, height())),
                       QStringLiteral("<p style='max-width:320px'>%1</p>").arg(meaning.toHtmlEscaped()), this);
}

int LessonText::heightForWidth(int width) const {
    const std::unique_ptr<QTextDocument> copy(document()->clone());
    for (int i = 0;; ++i) {
        const QUrl name(QStringLiteral("formula:%1").arg(i));
        const QVariant picture = document()->resource(QTextDocument::ImageResource, name);
        if (!picture.isValid()) break;
        copy->addResource(QTextDocument::ImageResource, name, picture);
    }
    copy->setTextWidth(width);
    return static_cast<int>(std::ceil(copy->size().height()));
}

void LessonText::fit() {
    document()->setTextWidth(viewport()->width());
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + 1);
}

void LessonText::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fit();
}

void LessonText::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_markdown.isEmpty()) build();
}

}  // namespace headlight
