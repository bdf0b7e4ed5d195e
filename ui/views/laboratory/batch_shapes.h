// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "ui/session/trace/head_batch.h"
#include "ui/widgets/theme/color_scale.h"

namespace headlight {

struct Theme;

/// The queries of a batch of sentences in the four shapes that they take on their way into the heads: (batch, words,
/// d_model), cut into (batch, words, heads, d_head), turned into (batch, heads, words, d_head), and multiplied within
/// each head of each sentence. What lies together is framed together. One number is outlined wherever it stands; a
/// click or the keys choose another.
class BatchShapes : public QWidget {
    Q_OBJECT
public:
    explicit BatchShapes(QWidget* parent = nullptr);

    enum Shape { Joined, Cut, Turned, Scores };
    static constexpr int kShapes = 4;
    /// A number of the queries, or of the scores (`number` is then the key), all from 0.
    struct Place {
        int sentence = 0, word = 0, head = 0, number = 0;
        bool operator==(const Place&) const = default;
    };

    void setBatch(HeadBatch batch);
    const HeadBatch& batch() const { return m_batch; }
    /// What stands where there is no batch.
    void setEmptyText(const QString& text);
    void setChosen(const Place& place);
    const Place& chosen() const { return m_chosen; }
    QRectF cellRect(Shape shape, const Place& place) const;
    /// (2, 5, 64)
    QString shapeText(Shape shape) const;
    /// Where the chosen number stands in each of the shapes of the queries.
    QString placeText() const;
    const ColorScale& scale(Shape shape) const { return shape == Scores ? m_scores : m_queries; }

    QSize sizeHint() const override { return {820, 460}; }
    QSize minimumSizeHint() const override { return {320, 340}; }

signals:
    void placeChosen();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Grid {
        double left = 0, top = 0;     ///< of the first cell of a sentence
        double across = 1, down = 1;  ///< of a cell
        double gap = 0, rowGap = 0;   ///< between heads, between words
    };
    double halfWidth() const;
    double bandHeight() const;
    Grid gridOf(Shape shape, int sentence) const;
    QRectF bandOf(Shape shape) const;
    QString titleOf(Shape shape) const;
    int columnsOf(Shape shape) const;
    void eachPlace(Shape shape, int sentence, const std::function<void(const Place&)>& act) const;
    void say();
    void paintShape(QPainter& p, const Theme& t, Shape shape) const;
    void paintCell(QPainter& p, const Theme& t, Shape shape, const Place& place) const;
    void paintFrames(QPainter& p, const Theme& t, Shape shape, int sentence) const;
    void paintWords(QPainter& p, const Theme& t, Shape shape, int sentence) const;

    HeadBatch m_batch;
    QString m_empty;
    ColorScale m_queries, m_scores;
    Place m_chosen;
};

}  // namespace headlight
