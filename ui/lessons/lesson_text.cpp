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
#include <utility>

#include "core/lessons/inline_markup.h"
#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kFormulaPx = 1.1;   ///< of the text's size: MathJax's letters are a little small beside Inter
constexpr double kLineHeight = 1.6;  ///< of the text's size; Vietnamese marks need the room

/// What is typed: "!=" and "--" are two letters, which a ligature makes one.
QFont codeFont(int px) {
    QFont font = monoFont(px);
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

}  // namespace

LessonText::LessonText(int fontPx, QWidget* parent) : QTextBrowser(parent), m_fontPx(fontPx) {
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QTextBrowser::highlighted, this, [this](const QUrl& link) { pointAt(link); });
    connect(this, &QTextBrowser::anchorClicked, this, &LessonText::follow);
}

void LessonText::setNumbers(std::function<QString(const NumberName&)> describe,
                            std::function<bool(const NumberName&)> isShown) {
    m_describe = std::move(describe);
    m_isShown = std::move(isShown);
}

void LessonText::pointAt(const std::optional<NumberName>& number) {
    if (std::exchange(m_pointed, number) != number) emit numberPointed(number);
}

void LessonText::pointAt(const QUrl& link) {
    const QString target = link.toString();
    const std::optional<NumberName> number = parsePointerTarget(target.toStdString());
    pointAt(number);
    if (parseDialTarget(target.toStdString()))
        say(tr("Drag it, or press the arrow keys: the stage follows"));
    else if (number)
        say(m_describe ? m_describe(*number) : QString());
    else
        showMeaning(target);
}

void LessonText::follow(const QUrl& link) {
    const QString target = link.toString();
    if (parseDialTarget(target.toStdString())) return;  // it is dragged, not clicked
    if (const auto number = parsePointerTarget(target.toStdString()))
        emit numberChosen(*number);
    else if (target.startsWith(u'#'))
        showMeaning(target);
    else if (link.scheme() == QLatin1String("https"))
        QDesktopServices::openUrl(link);
    else
        emit lessonWanted(target);
}

void LessonText::leaveEvent(QEvent* event) {
    QTextBrowser::leaveEvent(event);
    pointAt(std::nullopt);
}

void LessonText::hideEvent(QHideEvent* event) {
    QTextBrowser::hideEvent(event);
    pointAt(std::nullopt);
}

void LessonText::setText(const QString& markdown, const QStringList& formulas) {
    m_markdown = markdown;
    m_formulas = formulas;
    m_isCode = false;
    build();
}

void LessonText::setCode(const QString& code) {
    m_markdown = code;
    m_isCode = true;
    build();
}

void LessonText::build() {
    if (m_isCode) return dressUpCode();
    const Theme& theme = Theme::of(this);
    const TextWithFormulas ready = withFormulas(m_markdown, m_formulas);
    m_missing = ready.missing;
    m_pictures.clear();
    QFont font = uiFont(m_fontPx);
    document()->setDefaultFont(font);
    // Qt sets the middle of a picture half an x above the line: the picture is filled up, above or below, so
    // that this puts the formula's own line on the text's.
    const double px = m_fontPx * kFormulaPx, ratio = std::max(2.0, devicePixelRatioF());
    const double half = QFontMetrics(font).xHeight() / 2.0;
    for (const Formula& formula : ready.formulas) {
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
    document()->setMarkdown(ready.markdown, QTextDocument::MarkdownNoHTML);
    dressUp();
    lightNumbers();
    fit();
}

/// Line heights, the colours of terms, and where pictures stand.
void LessonText::dressUp() {
    const Theme& theme = Theme::of(this);
    m_pointers.clear();
    m_dials.clear();
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
                const auto number = parsePointerTarget(piece.anchorHref().toStdString());
                const auto dial = parseDialTarget(piece.anchorHref().toStdString());
                if (number) m_pointers.push_back({*number, position, length});
                if (dial) m_dials.push_back({*dial, m_dialled ? m_dialled(*dial) : 0.0, position, length});
                piece.setForeground(theme.text);
                piece.setFontWeight(number ? QFont::Medium : QFont::DemiBold);
                piece.setFontUnderline(false);
                piece.setUnderlineStyle(dial             ? QTextCharFormat::DashUnderline
                                        : term || number ? QTextCharFormat::DotLine
                                                         : QTextCharFormat::SingleUnderline);
                piece.setUnderlineColor(dial ? theme.text : theme.text3);
            } else {
                piece.setForeground(piece.fontWeight() > QFont::Normal ? theme.text : theme.text2);
                if (piece.fontFixedPitch()) piece.setFont(codeFont(m_fontPx - 1));
            }
            at.setCharFormat(piece);
        }
    }
}

void LessonText::dressUpCode() {
    constexpr int hangs = 4;  // letters by which a line that goes on is set in
    const QFont font = codeFont(m_fontPx);
    const double letter = QFontMetricsF(font).horizontalAdvance(u'0');
    document()->setDefaultFont(font);
    setPlainText(m_markdown);
    QTextCursor at(document());
    at.select(QTextCursor::Document);
    QTextBlockFormat lines;
    lines.setLineHeight(m_fontPx * kLineHeight, QTextBlockFormat::FixedHeight);
    lines.setLeftMargin(hangs * letter);
    lines.setTextIndent(-hangs * letter);
    at.setBlockFormat(lines);
    QTextCharFormat letters;
    letters.setForeground(Theme::of(this).text);
    at.mergeCharFormat(letters);
    fit();
}

void LessonText::showMeaning(const QString& target) {
    if (!target.startsWith(u'#') || !m_meanings) return QToolTip::hideText();
    say(m_meanings(target.mid(1)));
}

/// Under the pointer, or, by keyboard, below the text.
void LessonText::say(const QString& text) {
    if (text.isEmpty()) return;
    const bool pointed = rect().contains(mapFromGlobal(QCursor::pos()));
    QToolTip::showText(pointed ? QCursor::pos() : mapToGlobal(QPoint(0, height())),
                       QStringLiteral("<p style='max-width:320px'>%1</p>").arg(text.toHtmlEscaped()), this);
}

void LessonText::lightNumbers() {
    const Theme& theme = Theme::of(this);
    for (Pointer& each : m_pointers) {
        const bool isLit = m_isShown && m_isShown(each.number);
        if (isLit == each.isLit) continue;
        each.isLit = isLit;
        QTextCursor at(document());
        at.setPosition(each.position);
        at.setPosition(each.position + each.length, QTextCursor::KeepAnchor);
        QTextCharFormat format;
        format.setBackground(isLit ? QBrush(theme.nowTint) : QBrush(Qt::NoBrush));
        format.setForeground(isLit ? theme.nowText : theme.text);
        at.mergeCharFormat(format);
    }
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

LessonText* lessonText(LessonPlayer& player, const std::string& markdown, int fontPx) {
    auto* text = new LessonText(fontPx);
    const LessonLibrary& library = player.library();
    text->setMeanings([&library](const QString& term) { return library.meaning(term); });
    const auto fill = [&player, text, markdown] {
        text->setText(player.pointing(markdown), player.library().formulaFolders());
    };
    const LessonPlayer::Sight& sight = player.sight();
    text->setNumbers(sight.describe, sight.isShown);
    text->setDials([&player](const StageDial& dial) { return player.dialled(dial); }, fill);
    QObject::connect(text, &LessonText::dialTurned, &player, &LessonPlayer::dialTurned);
    QObject::connect(&player, &LessonPlayer::stageMoved, text, &LessonText::followDials);
    QObject::connect(text, &LessonText::numberPointed, &player, &LessonPlayer::numberPointed);
    QObject::connect(text, &LessonText::numberChosen, &player, &LessonPlayer::numberChosen);
    QObject::connect(&player, &LessonPlayer::shownMoved, text, &LessonText::lightNumbers);
    fill();
    if (!player.hasNumbers() && !markdown.empty()) player.withNumbers(text, fill);
    QObject::connect(text, &LessonText::lessonWanted, &player, &LessonPlayer::open);
    return text;
}

LessonText* printedText(LessonPlayer& player, const std::string& prints, int fontPx) {
    auto* text = new LessonText(fontPx);
    const auto fill = [&player, text, prints] { text->setCode(player.asPrinted(prints)); };
    fill();
    if (!player.hasNumbers()) player.withNumbers(text, fill);
    return text;
}

}  // namespace headlight

#include "moc_lesson_text.cpp"
