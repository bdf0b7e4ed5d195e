// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <memory>

#include "ui/session/trace/loss_picture.h"

namespace headlight {

struct Theme;

/// What each target word costs: a column a word, below it the word and what the model expected in its place. The dark
/// part of a column is the target's own, q · −log p; the light part is what ε shares among all others. A click or the
/// arrow keys choose a column; a click on an expected word asks for it as the target.
class LossColumns : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit LossColumns(QWidget* parent = nullptr);

    /// Null: nothing.
    void show(std::shared_ptr<const LossShown> shown);
    /// Of a column: all of it, its bar (one that is hidden is as high as there is room), and the part of that which is
    /// ε's. In the viewport.
    QRectF columnRect(int index) const;
    QRectF barRect(int index) const;
    QRectF sharedRect(int index) const;
    /// The number at the top of the scale, and where a loss stands.
    double most() const { return m_most; }
    double yOf(double loss) const;
    void bringIntoSight();

    QSize sizeHint() const override { return {900, 270}; }
    QSize minimumSizeHint() const override { return {300, 150}; }

signals:
    void chosen(int index);
    void wordWanted(int index, int word);
    void scrolled();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    int count() const { return m_shown ? static_cast<int>(m_shown->costs.size()) : 0; }
    int expectedRows() const;
    int columnAt(QPointF at) const;
    /// Of a column the expected words as they are listed: the likeliest, the target among them.
    std::vector<WordCost::Likely> expected(int index) const;
    /// Which of them stands there; -1: none.
    int rowAt(QPointF at, int column) const;
    QString describe(int index) const;
    void layOut();
    void paintScale(QPainter& p, const Theme& t) const;
    void paintColumn(QPainter& p, const Theme& t, int index) const;
    void paintCost(QPainter& p, const Theme& t, int index) const;
    void paintExpected(QPainter& p, const Theme& t, int index) const;
    void paintMean(QPainter& p, const Theme& t) const;

    std::shared_ptr<const LossShown> m_shown;
    double m_pitch = 152, m_most = 4;
};

}  // namespace headlight
