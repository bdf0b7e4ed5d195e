// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/views/subwords/subwords_shown.h"

namespace headlight {

/// Pairs of neighbours as they were counted before the merge at hand, the most frequent first; the one that is merged
/// is amber. The pointer, or the arrow keys, light a pair's words.
class PairBars : public QWidget {
    Q_OBJECT
public:
    explicit PairBars(QWidget* parent = nullptr);

    void show(std::shared_ptr<const SubwordsShown> shown);
    int shownPairs() const;
    QRectF rowRect(int row) const;
    /// The bar of a row, as long as its pair is frequent.
    QRectF barRect(int row) const;
    /// The row of the merge at hand; −1: it is not among those shown.
    int atHand() const;

    QSize sizeHint() const override { return {316, 360}; }
    QSize minimumSizeHint() const override { return {220, 120}; }

signals:
    void lit(int row);  ///< −1: none

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void light(int row);
    QString footer() const;

    std::shared_ptr<const SubwordsShown> m_shown;
    int m_lit = -1;
};

}  // namespace headlight
