// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// The words that one row looks at, each on the shade of its weight, line below line. A click chooses a word.
class RowText : public QWidget {
    Q_OBJECT
public:
    explicit RowText(QWidget* parent = nullptr);

    struct Row {
        QStringList words;
        std::vector<float> weights;  ///< one a word
        std::vector<char> closed;    ///< one a word: it may not be looked at
        int looks = -1;              ///< the word that looks, where it stands among them
        int lookedAt = -1;
        bool firstLeftOut = false;
    };
    void setRow(Row row);
    const Row& row() const { return m_row; }
    QRectF wordRect(int word) const { return m_boxes[static_cast<size_t>(word)]; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {300, heightForWidth(300)}; }

signals:
    void wordChosen(int word);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    std::vector<QRectF> flow(double width) const;
    void place();

    Row m_row;
    std::vector<QRectF> m_boxes;
};

}  // namespace headlight
