// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// The heads of a block, each as a chip that a click or Space mutes or lets speak again (where all are muted: mutes it
/// alone), and below it the weight that it gives to one word. ← → go from head to head.
class HeadChips : public QWidget {
    Q_OBJECT
public:
    explicit HeadChips(QWidget* parent = nullptr);

    /// `muted`: heads, from 0. `weights`: of each head, or none at all.
    void setHeads(int count, const std::vector<int>& muted, const std::vector<float>& weights);
    int count() const { return m_count; }
    const std::vector<int>& muted() const { return m_muted; }
    const std::vector<float>& weights() const { return m_weights; }
    QRectF chip(int head) const;

    QSize sizeHint() const override { return {260, heightFor(260)}; }

signals:
    void chosen(const std::vector<int>& muted);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool isMuted(int head) const;
    bool areAllMuted() const;
    int heightFor(int width) const;
    int inRow(double width) const;
    double rowHeight() const;
    int headAt(QPointF at) const;
    void toggle(int head);

    int m_count = 0, m_current = 0;
    std::vector<int> m_muted;
    std::vector<float> m_weights;
};

}  // namespace headlight
