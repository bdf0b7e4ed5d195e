// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/views/subwords/subwords_shown.h"

namespace headlight {

struct Theme;

/// Words that were typed, each in its pieces as they are written (`Ni@@ ki@@ tin`), beside what a vocabulary of whole
/// words has for it: the word, or <unk>. The pointer, or the arrow keys, choose one.
class CutWords : public QWidget {
    Q_OBJECT
public:
    explicit CutWords(QWidget* parent = nullptr);

    void show(std::shared_ptr<const SubwordsShown> shown);
    int shownWords() const;
    QRectF rowRect(int row) const;

    QSize sizeHint() const override { return {900, 176}; }
    QSize minimumSizeHint() const override { return {300, 60}; }

signals:
    void pointed(int word);  ///< −1: none any more

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void point(int row);
    double rowHeight() const;
    void paintRow(QPainter& p, const Theme& t, int row) const;

    std::shared_ptr<const SubwordsShown> m_shown;
    int m_pointed = -1;
};

}  // namespace headlight
