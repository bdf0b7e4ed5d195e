// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// Shares of a whole as bars that a reader drags: they always add up to one, the others giving way in proportion. Once
/// the answer is there, it stands below each, and nothing can be dragged any more.
class ShareBars : public QWidget {
    Q_OBJECT
public:
    explicit ShareBars(QWidget* parent = nullptr);

    /// All alike at first.
    void setWords(const QStringList& words);
    void setShares(const std::vector<double>& shares);
    const std::vector<double>& shares() const { return m_shares; }
    /// What the engine computed; `isPredicted`: the reader's own bars stand beside it.
    void setAnswer(const std::vector<double>& answer, bool isPredicted);
    /// One share, 0 to 1; the others keep their proportions.
    void setShare(int index, double share);
    QRectF barOf(int index) const;

    QSize sizeHint() const override { return {280, wantedHeight()}; }
    QSize minimumSizeHint() const override { return {160, wantedHeight()}; }

signals:
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool hasAnswer() const { return !m_answer.empty(); }
    int wantedHeight() const;
    double rowHeight() const;
    void drag(QPointF at);
    void say();

    QStringList m_words;
    std::vector<double> m_shares, m_answer;
    bool m_isPredicted = false;
    int m_current = 0;
};

}  // namespace headlight
