// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/widgets/words/piece_box.h"

namespace headlight {

/// One word that looks, and the text that it looks at, each word shaded by its weight. Another word is chosen with a
/// click or the arrow keys.
class ShadedText : public QWidget {
    Q_OBJECT
public:
    explicit ShadedText(QWidget* parent = nullptr);

    struct Text {
        QStringList queries;         ///< words that look
        QStringList keys;            ///< words that are looked at
        std::vector<float> weights;  ///< [queries, keys]
        QString queryTitle, keyTitle;
    };
    void setText(Text text);
    void setQuery(int row);
    int query() const { return m_query; }
    /// Of a word that is looked at.
    QRectF keyRect(int column) const { return m_keys[static_cast<size_t>(column)].rect; }
    QRectF queryRect(int row) const { return m_queries[static_cast<size_t>(row)].rect; }

    QSize sizeHint() const override { return {440, 300}; }
    QSize minimumSizeHint() const override;

signals:
    void queryChosen(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void flow();

    Text m_text;
    int m_query = 0;
    std::vector<PieceBox> m_queries, m_keys;
    double m_keyTop = 0;
    double m_bottom = 0;
};

}  // namespace headlight
