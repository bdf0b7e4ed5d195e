// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// The words of a sentence in one line, of which one is chosen: by a click, or by ← and →. Words for which there is no
/// room stand beyond the edges; the chosen one is always in sight.
class WordChips : public QWidget {
    Q_OBJECT
public:
    enum class Of { Encoder, Decoder, Neither };  ///< whose words they are: the colour of their frames
    explicit WordChips(QWidget* parent = nullptr);

    void setWords(const QStringList& words, Of of);
    const QStringList& words() const { return m_words; }
    /// From 0; -1: none.
    void setChosen(int word);
    int chosen() const { return m_chosen; }
    QRectF chipRect(int word) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

signals:
    void wordChosen(int word);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    double chipWidth(int word) const;
    double leftOf(int word) const;
    double allWidth() const;
    void choose(int word);

    QStringList m_words;
    Of m_of = Of::Neither;
    int m_chosen = -1;
};

}  // namespace headlight
