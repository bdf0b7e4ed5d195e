// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/plain_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <algorithm>
#include <cmath>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// Draws a cell's text with the labels that paint keeps; a style sheet would lay each out anew.
class PlainCells : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = Theme::of(option.widget);
        if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, t.sunken);
        const QVariant color = index.data(Qt::ForegroundRole);
        const QFont shown = fontOf(index);
        const bool right = index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
        QRectF room = QRectF(option.rect).adjusted(kInset, 0, -kInset, 0);
        if (const QVariant icon = index.data(Qt::DecorationRole); icon.isValid()) {
            const QRectF box(room.left(), room.center().y() - kIcon / 2.0, kIcon, kIcon);
            icon.value<QIcon>().paint(painter, box.toRect());
            room.setLeft(box.right() + 2 * kInset);
        }
        const QColor ink = color.isValid() ? color.value<QBrush>().color() : t.text;
        const QString text = index.data().toString();
        QFont small = shown;
        small.setPixelSize(std::min(shown.pixelSize(), 12));
        const QStringList lines = right || paint::textWidth(text, shown) <= room.width() || room.height() < 2 * kLine
                                      ? QStringList()
                                      : inTwo(text, small, room.width());
        if (lines.isEmpty())
            return paint::centredText(*painter, {right ? room.right() : room.left(), room.center().y()},
                                      paint::elided(text, shown, room.width(), option.textElideMode), shown, ink,
                                      right ? Anchor::End : Anchor::Start);
        for (const int line : {0, 1})
            paint::centredText(*painter, {room.left(), room.center().y() + (line - 0.5) * kLine},
                               paint::elided(lines[line], small, room.width()), small, ink);
    }

    /// As wide as what paint() draws: Qt's own hint measures with the fonts of the style sheet.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const double text = paint::textWidth(index.data().toString(), fontOf(index));
        const double icon = index.data(Qt::DecorationRole).isValid() ? kIcon + 2 * kInset : 0;
        return {static_cast<int>(std::ceil(text + icon + 2 * kInset)) + 1,
                QStyledItemDelegate::sizeHint(option, index).height()};
    }

private:
    static constexpr double kInset = 4;
    static constexpr int kIcon = 16;
    static constexpr double kLine = 14;

    /// Broken behind a word, or behind a dot of a tensor's name; none where already the first word is too long.
    static QStringList inTwo(const QString& text, const QFont& font, double width) {
        qsizetype end = 0;
        for (qsizetype at = 1; at < text.size(); ++at) {
            if (text[at - 1] != u' ' && text[at - 1] != u'.') continue;
            if (paint::textWidth(text.left(at).trimmed(), font) > width) break;
            end = at;
        }
        if (end == 0) return {};
        return {text.left(end).trimmed(), text.mid(end).trimmed()};
    }

    static QFont fontOf(const QModelIndex& index) {
        const QVariant font = index.data(Qt::FontRole);
        return font.isValid() ? font.value<QFont>() : uiFont(13);
    }
};

}  // namespace

QTableWidget* makePlainTable(const QStringList& columns, const QString& accessibleName) {
    auto* table = new QTableWidget(0, static_cast<int>(columns.size()));
    table->setHorizontalHeaderLabels(columns);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->horizontalHeader()->setResizeContentsPrecision(-1);  // by all rows, not by those that happened to be seen
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->verticalHeader()->hide();
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setItemDelegate(new PlainCells(table));
    table->setAccessibleName(accessibleName);
    return table;
}

void setPlainRow(QTableWidget* table, int row, const QStringList& cells) {
    for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        if (column > 0) {
            item->setFont(monoFont(12));
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        table->setItem(row, column, item);
    }
}

}  // namespace headlight
