// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <utility>

#include "ui/views/subwords/subwords_shown.h"

namespace headlight {

struct Theme;

/// The most frequent words of the text with their counts, cut into pieces: the longer a piece, the darker. The piece
/// that was made last is amber; the neighbours that a pair is made of are framed where one is lit.
class PieceWords : public QWidget {
    Q_OBJECT
public:
    explicit PieceWords(QWidget* parent = nullptr);

    void show(std::shared_ptr<const SubwordsShown> shown);
    /// The words that have this pair; nothing: none is lit.
    void light(std::optional<std::pair<std::string, std::string>> pair);
    /// How many words there is room for.
    int shownWords() const;
    /// Where a piece of a word is drawn, and how often it is lit there.
    QRectF pieceRect(size_t word, size_t piece) const;
    int litWords() const;

    QSize sizeHint() const override { return {612, 360}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

    /// The colour of a piece by its letters, and the key to it.
    static QColor colorOf(const Theme& theme, qsizetype letters);
    static void paintKey(QPainter& p, const Theme& theme, QPointF rightMiddle);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int rows() const;
    int columns() const;
    double columnWidth() const;
    double countWidth() const;
    QPointF origin(size_t word) const;
    bool isLit(const MergeFilm::Word& word, size_t piece) const;
    void paintWord(QPainter& p, const Theme& t, size_t word) const;

    std::shared_ptr<const SubwordsShown> m_shown;
    std::optional<std::pair<std::string, std::string>> m_pair;
};

}  // namespace headlight
