// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <utility>
#include <vector>

#include "ui/widgets/heads/line_choice.h"

namespace headlight {

/// What HeadRibbons shows: one head's weights between two sentences.
struct RibbonsData {
    QStringList above, below;                   ///< words as they are drawn (Tokenizer::display())
    std::vector<float> weights = {};            ///< [below, above]
    std::vector<std::pair<int, int>> lit = {};  ///< (below, above): the weights that something is said of
};

/// One head between the words that are read, above, and those that are written, below: the heavier the weight, the
/// wider and the more opaque its ribbon. What is lit is amber; the ribbons of a word that is pointed at are, as long as
/// it is. Chips shrink where there are many words, then the picture asks for more width. In a low one what is read and
/// what is written is not named.
class HeadRibbons : public QWidget {
    Q_OBJECT
public:
    enum class Side { Above, Below };
    static constexpr float kLeast = 0.06F;  ///< weights below it are no ribbons

    explicit HeadRibbons(QWidget* parent = nullptr);

    void setData(RibbonsData data);
    const RibbonsData& data() const { return m_data; }
    /// Ribbons as they are drawn.
    const std::vector<AttentionLine>& ribbons() const { return m_ribbons; }
    bool isLit(const AttentionLine& ribbon) const;
    bool isLit(Side side, int word) const;
    QRectF chipRect(Side side, int word) const { return rects(side)[static_cast<size_t>(word)]; }

    QSize sizeHint() const override { return {560, 240}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const std::vector<QRectF>& rects(Side side) const { return side == Side::Above ? m_above : m_below; }
    const QStringList& words(Side side) const { return side == Side::Above ? m_data.above : m_data.below; }
    double titles() const;
    void place();
    void point(Side side, int word);
    void tellAloud();
    void paintRibbon(QPainter& painter, const AttentionLine& ribbon) const;
    void paintChips(QPainter& painter, Side side) const;

    RibbonsData m_data;
    std::vector<AttentionLine> m_ribbons;
    size_t m_look = 0;  ///< how large the chips are
    std::vector<QRectF> m_above, m_below;
    Side m_side = Side::Above;
    int m_pointed = -1;  ///< the word there; -1: none
};

}  // namespace headlight
