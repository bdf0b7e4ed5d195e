// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/sentence_rows.h"

#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/piece_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/piece_box.h"

namespace headlight {

namespace {

constexpr int kRowHeight = 56;
constexpr double kChipHeight = 22, kSidePitch = 26, kRowsTop = 7;
constexpr double kLabels = 76, kNotes = 96, kChipGap = 4, kPadding = 7;

}  // namespace

SentenceRows::SentenceRows(QWidget* parent) : QWidget(parent) {
    setMinimumHeight(2 * kRowHeight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

int SentenceRows::capacity() const {
    return std::max(1, height() / kRowHeight);
}

void SentenceRows::setRows(std::vector<Row> rows) {
    m_rows = std::move(rows);
    QStringList spoken;
    for (const Row& row : m_rows) {
        QStringList words;
        for (const auto* side : {&row.source, &row.target})
            for (const Token& token : *side)
                words << token.text;
        spoken << row.line + u' ' + textOf(words);
    }
    setAccessibleDescription(spoken.join(u'\n'));
    update();
}

void SentenceRows::setEmptyText(const QString& text) {
    m_empty = text;
    update();
}

void SentenceRows::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().height() / kRowHeight != event->size().height() / kRowHeight) emit capacityChanged();
}

void SentenceRows::paintSide(QPainter& p, const Row& row, const std::vector<Token>& tokens, double top, bool isSource,
                             const QString& note) const {
    const Theme& t = Theme::of(this);
    const QFont font = uiFont(12, QFont::Medium);
    const double end = width() - kNotes;
    QStringList words;
    for (const Token& token : tokens)
        words << token.text;
    double x = kLabels;
    for (size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const auto at = static_cast<qsizetype>(i);
        const bool joinsBefore = touchesBefore(words, at), joinsBehind = touchesBefore(words, at + 1);
        const QString word = chipText(words, at);
        const double wide = paint::textWidth(word, font) + 2 * kPadding;
        const bool fits = x + wide <= end - 16;
        if (!fits) {
            paint::centredText(p, {x + 2, top + kChipHeight / 2}, QStringLiteral("…"), font, t.text2);
            break;
        }
        const QRectF chip(x, top, wide, kChipHeight);
        const QColor tint = row.leftOut ? t.sunken : isSource ? t.encoderTint : t.decoderTint;
        if (token.known || row.leftOut) {
            PieceBox{chip, joinsBefore, joinsBehind}.paint(p, tint, {}, 4);
        } else {
            paint::hatch(p, chip, t.hatchGround, t.hatch);
            const double text = paint::textWidth(word, font);
            paint::box(p, QRectF(chip.center().x() - text / 2 - 3, top + 3, text + 6, kChipHeight - 6), t.hatchGround);
            paint::box(p, chip, Qt::transparent, t.text2, 2);
        }
        paint::centredText(p, chip.center(), word, font, row.leftOut ? t.text2 : t.text, Anchor::Middle);
        x += wide + (joinsBehind ? 1 : kChipGap);
    }
    const QString shown = paint::elided(note, uiFont(12), kNotes - 4);
    paint::centredText(p, {static_cast<double>(width()), top + kChipHeight / 2}, shown, uiFont(12),
                       row.leftOut ? t.bad : t.text2, Anchor::End);
}

void SentenceRows::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_rows.empty()) {
        p.setFont(uiFont(13));
        p.setPen(t.text2);
        return p.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_empty);
    }
    const int count = std::min(capacity(), static_cast<int>(m_rows.size()));
    const double pitch = std::min(kRowHeight + 8.0, height() / static_cast<double>(capacity()));
    for (int i = 0; i < count; ++i) {
        const Row& row = m_rows[static_cast<size_t>(i)];
        const double top = std::round(i * pitch);
        p.fillRect(QRectF(0, top, width(), 1), t.line);
        const bool hasBoth = !row.source.empty();
        const double first = top + kRowsTop, second = first + kSidePitch;
        paint::centredText(p, {0, first + kChipHeight / 2}, row.line, monoFont(12), t.text2);
        paint::centredText(p, {0, second + kChipHeight / 2}, row.part, uiFont(12), row.leftOut ? t.bad : t.text2);
        if (hasBoth) paintSide(p, row, row.source, first, true, row.sourceNote);
        paintSide(p, row, row.target, hasBoth ? second : first, false, row.targetNote);
    }
}

}  // namespace headlight

#include "moc_sentence_rows.cpp"
