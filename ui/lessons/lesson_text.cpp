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

#include "core/lessons/inline_markup.h"
#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kLessonPx = 15;
constexpr double kFormulaPx = 1.1;   ///< of the text's size: MathJax's letters are a little small beside Inter
constexpr double kLineHeight = 1.6;  ///< of the text's size; Vietnamese marks need the room

}  // namespace

LessonText::LessonText(int fontPx, QWidget* parent) : QTextBrowser(parent), m_fontPx(fontPx) {
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
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
    m_pictures.clear();
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
    // Qt sets the middle of a picture half an x above the line: the picture is filled up, above or below, so
    // that this puts the formula's own line on the text's.
    const double px = m_fontPx * kFormulaPx, ratio = std::max(2.0, devicePixelRatioF());
    const double half = QFontMetrics(font).xHeight() / 2.0;
    for (const Formula& formula : found) {
        const QSizeF size = formula.size(px);
        const double below = size.height() - 2 * (formula.depth(px) + half);
        const QSizeF whole(size.width(), size.height() + std::abs(below));
        QImage picture((whole * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        picture.fill(Qt::transparent);
        picture.setDevicePixelRatio(ratio);
        QPainter painter(&picture);
        formula.paint(painter, {QPointF(0, std::max(0.0, -below)), size}, theme);
        m_pictures.push_back(picture);
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
        // Lines at one distance, but where a formula is higher than a line.
        const bool high = std::ranges::any_of(m_pictures, [&](const QImage& picture) {
            return picture.deviceIndependentSize().height() > m_fontPx * kLineHeight;
        });
        format.setLineHeight(m_fontPx * kLineHeight,
                             high ? QTextBlockFormat::MinimumHeight : QTextBlockFormat::FixedHeight);
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
                piece.setVerticalAlignment(QTextCharFormat::AlignMiddle);
                piece.setFont(document()->defaultFont());
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

QVariant LessonText::loadResource(int type, const QUrl& name) {
    if (type != QTextDocument::ImageResource || name.scheme() != QLatin1String("formula")) return {};
    return m_pictures.at(name.path().toULong());
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

LessonText* lessonText(LessonPlayer& player, const std::string& markdown) {
    auto* text = new LessonText(kLessonPx);
    const LessonLibrary& library = player.library();
    text->setMeanings([&library](const QString& term) { return library.meaning(term); });
    const auto fill = [&player, text, markdown] {
        text->setText(player.filledIn(markdown), player.library().formulaFolders());
    };
    fill();
    if (!player.hasNumbers() && !markdown.empty()) player.withNumbers(text, fill);
    QObject::connect(text, &LessonText::lessonWanted, &player, &LessonPlayer::open);
    return text;
}

}  // namespace headlight
