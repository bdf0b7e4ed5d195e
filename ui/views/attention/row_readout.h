// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// The weights of one row as words and numbers; of a long row the largest ones, as many as there is room for with their
/// whole words, and the one that is pointed at where it is none of these, in the order of the sentence.
class RowReadout : public QWidget {
    Q_OBJECT
public:
    explicit RowReadout(QWidget* parent = nullptr);

    /// `current` is the column that is pointed at, -1 for none. An empty title shows nothing.
    void setRow(const QString& title, const QStringList& words, const std::vector<float>& weights, int current);

    /// What stands above them, with what of the row is shown.
    const QString& title() const { return m_title; }
    /// Those that are shown.
    const std::vector<int>& columns() const { return m_columns; }
    const std::vector<float>& weights() const { return m_weights; }

    /// Its words stand beside the title, not below it: where rows want the height.
    void setOneLine(bool isOneLine);

    QSize sizeHint() const override { return {440, m_isOneLine ? 22 : 46}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose();
    /// For words and numbers: what the title leaves of a line, or a line of their own.
    double room() const;
    QFont wordFont(int column) const;
    /// Of a word and its number.
    double widthOf(int column) const;

    QString m_row, m_title;
    QStringList m_words;
    std::vector<float> m_weights;
    std::vector<int> m_columns;
    int m_current = -1;
    bool m_isOneLine = false;
};

}  // namespace headlight
