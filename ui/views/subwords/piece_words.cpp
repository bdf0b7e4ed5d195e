// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/subwords/piece_words.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kPieceRow = 23, kColumn = 172, kPiece = 20;
constexpr qsizetype kMostLetters = 8;

double pieceWidth(const std::string& symbol) {
    return std::max(15.0, std::round(paint::textWidth(bareSymbol(symbol), uiFont(13, QFont::Medium))) + 9);
}

}  // namespace

PieceWords::PieceWords(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("The text, in pieces"));
}

QColor PieceWords::colorOf(const Theme& theme, qsizetype letters) {
    return theme.sequential(static_cast<double>(std::min(letters, kMostLetters)) / kMostLetters);
}

void PieceWords::paintKey(QPainter& p, const Theme& theme, QPointF rightMiddle) {
    constexpr qsizetype lengths[] = {8, 6, 4, 3, 2, 1};
    double x = rightMiddle.x();
    for (const qsizetype letters : lengths) {
        const QColor fill = colorOf(theme, letters);
        const QString text = letters == kMostLetters ? QStringLiteral("8+") : QString::number(letters);
        x -= 21;
        paint::box(p, QRectF(x, rightMiddle.y() - 8, 20, 16), fill, {}, 2);
        paint::centredText(p, {x + 10, rightMiddle.y()}, text, monoFont(11), Theme::onColor(fill), Anchor::Middle);
    }
    const QString whole = tr("letters in a piece"), brief = tr("letters");
    const bool fits = paint::textWidth(whole, uiFont(12)) <= x - 10;
    paint::centredText(p, {x - 10, rightMiddle.y()}, fits ? whole : brief, uiFont(12), theme.text3, Anchor::End);
}

void PieceWords::show(std::shared_ptr<const SubwordsShown> shown) {
    m_shown = std::move(shown);
    QStringList spoken;
    if (m_shown)
        for (size_t i = 0; i < std::min<size_t>(10, m_shown->words.size()); ++i) {
            QStringList pieces;
            for (const std::string& symbol : m_shown->words[i].symbols)
                pieces << bareSymbol(symbol);
            spoken << pieces.join(u' ');
        }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

void PieceWords::light(std::optional<std::pair<std::string, std::string>> pair) {
    if (m_pair == pair) return;
    m_pair = std::move(pair);
    update();
}

int PieceWords::rows() const {
    return std::max(1, static_cast<int>(height() / kPieceRow));
}

int PieceWords::columns() const {
    return std::max(1, static_cast<int>(width() / kColumn));
}

double PieceWords::columnWidth() const {
    return std::floor(static_cast<double>(width()) / columns());
}

/// The first word is the most frequent.
double PieceWords::countWidth() const {
    const QString most = m_shown->words.empty() ? QString() : formatCount(m_shown->words.front().count);
    return std::max(30.0, std::ceil(paint::textWidth(most, monoFont(11, QFont::DemiBold))) + 10);
}

int PieceWords::shownWords() const {
    return m_shown ? std::min(columns() * rows(), static_cast<int>(m_shown->words.size())) : 0;
}

QPointF PieceWords::origin(size_t word) const {
    const int at = static_cast<int>(word), column = at / rows(), row = at % rows();
    return {column * columnWidth(), row * kPieceRow};
}

QRectF PieceWords::pieceRect(size_t word, size_t piece) const {
    const std::vector<std::string>& symbols = m_shown->words[word].symbols;
    double x = origin(word).x() + countWidth();
    for (size_t i = 0; i < piece; ++i)
        x += pieceWidth(symbols[i]) + 1;
    return {x, origin(word).y() + 1, pieceWidth(symbols[piece]), kPiece};
}

/// A piece that goes with its right neighbour into the pair, or with its left one.
bool PieceWords::isLit(const MergeFilm::Word& word, size_t piece) const {
    const auto stands = [&](size_t left) {
        return left + 1 < word.symbols.size() && word.symbols[left] == m_pair->first &&
               word.symbols[left + 1] == m_pair->second;
    };
    return m_pair &&
           (stands(piece) || (piece > 0 && stands(piece - 1)) || word.symbols[piece] == m_pair->first + m_pair->second);
}

int PieceWords::litWords() const {
    int lit = 0;
    for (size_t word = 0; word < static_cast<size_t>(shownWords()); ++word) {
        bool any = false;
        for (size_t piece = 0; piece < m_shown->words[word].symbols.size(); ++piece)
            any = any || isLit(m_shown->words[word], piece);
        lit += any;
    }
    return lit;
}

void PieceWords::paintEvent(QPaintEvent*) {
    if (!m_shown) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (size_t word = 0; word < static_cast<size_t>(shownWords()); ++word)
        paintWord(p, t, word);
}

void PieceWords::paintWord(QPainter& p, const Theme& t, size_t word) const {
    const MergeFilm::Word& shown = m_shown->words[word];
    const std::string made = m_shown->made();
    const bool hasMade = !made.empty() && std::ranges::find(shown.symbols, made) != shown.symbols.end();
    const QPointF at = origin(word);
    p.save();
    p.setClipRect(QRectF(at.x(), at.y() - 1, columnWidth() - 6, kPieceRow + 2));
    paint::centredText(p, {at.x() + countWidth() - 8, at.y() + kPieceRow / 2}, formatCount(shown.count),
                       monoFont(11, hasMade ? QFont::DemiBold : QFont::Normal), hasMade ? t.nowText : t.text3,
                       Anchor::End);
    for (size_t piece = 0; piece < shown.symbols.size(); ++piece) {
        const QRectF box = pieceRect(word, piece);
        const QString text = bareSymbol(shown.symbols[piece]);
        const bool isMade = shown.symbols[piece] == made;
        const QColor fill = isMade ? t.nowTint : colorOf(t, lettersIn(text));
        paint::box(p, box, fill, isMade ? t.nowLine : QColor(), isMade ? 3 : 2, isMade ? 2 : 1);
        paint::centredText(p, box.center(), text, uiFont(13, isMade ? QFont::DemiBold : QFont::Medium),
                           isMade ? t.nowText : Theme::onColor(fill), Anchor::Middle);
        if (isLit(shown, piece)) paint::box(p, box, Qt::transparent, t.text, 3, 2);
    }
    p.restore();
}

}  // namespace headlight

#include "moc_piece_words.cpp"
