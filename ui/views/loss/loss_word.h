// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "ui/session/trace/loss_picture.h"
#include "ui/widgets/controls/foldable.h"

namespace headlight {

class Button;
struct Theme;

/// One word's loss opened: logits, softmax, the target distribution and the gradient side by side, a row a word and one
/// for all others; below them what the columns sum to, and the loss as a sum of its two parts. The handle of q is
/// dragged; a click on a word asks for it as the target; a button takes a step down the gradient, as the arrows show.
class LossWord : public Foldable {
    Q_OBJECT
public:
    explicit LossWord(QWidget* parent = nullptr);

    void show(std::shared_ptr<const LossShown> shown);

    /// The words that have a row of their own, by their ids, the largest logit before the steps first; the target is
    /// always among them.
    const std::vector<int>& rows() const { return m_rows; }
    QRectF rowRect(size_t row) const;
    /// The track of a word's q, and its handle, which the target's has.
    QRectF wantedTrack(size_t row) const;
    QPointF handle() const;
    Button* step() const { return m_step; }
    Button* undo() const { return m_undo; }

    QSize sizeHint() const override { return {944, 460}; }
    QSize minimumSizeHint() const override { return {300, 320}; }

signals:
    void chosen(int index);
    void wordWanted(int index, int word);
    void smoothingWanted(double smoothing);
    void stepsWanted(int steps);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Where the four columns stand: their bars, and the right end of their numbers.
    struct Block {
        double left, right, number;
    };
    enum Which { Logits, Softmax, Wanted, Gradient };
    Block block(Which which) const;
    double namesEnd() const;
    double rowHeight() const;
    double firstRow() const;
    double sumTop() const;
    double logitX(double logit) const;
    int wanted() const;
    void findRows();
    void placeButtons();
    void drag(double x);
    int rowAt(QPointF at) const;
    enum class Telling { Whole, Short, Shortest };
    QString story(Telling how = Telling::Whole) const;
    void paintHeads(QPainter& p, const Theme& t) const;
    void paintRow(QPainter& p, const Theme& t, size_t row) const;
    /// What the words without a row have together: with all others it would tell a share that is hidden.
    bool hidesRest() const;
    QString hintOf(int word) const;
    void paintHidden(QPainter& p, const Theme& t, double middle, Which which) const;
    void paintShares(QPainter& p, const Theme& t, double middle, const double (&values)[3], bool on,
                     bool isHidden) const;
    bool hasArrows() const;
    /// Of the word's logit, down the gradient.
    double stepOf(int word) const;
    void paintStep(QPainter& p, const Theme& t, double middle, int word) const;
    void paintRest(QPainter& p, const Theme& t) const;
    void paintSums(QPainter& p, const Theme& t) const;
    void paintLoss(QPainter& p, const Theme& t) const;

    std::shared_ptr<const LossShown> m_shown;
    std::vector<int> m_rows;
    double m_low = -1, m_high = 1;  ///< logits at the ends of their axis
    bool m_drags = false;
    Button *m_previous, *m_next, *m_step, *m_undo;
};

}  // namespace headlight
