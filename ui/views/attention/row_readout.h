// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// The weights of one row as words and numbers; of a long row the largest ones, in the order of the sentence.
class RowReadout : public QWidget {
    Q_OBJECT
public:
    explicit RowReadout(QWidget* parent = nullptr);

    /// `current` is the column that is pointed at, -1 for none. An empty title shows nothing.
    void setRow(const QString& title, const QStringList& words, const std::vector<float>& weights, int current);

    QSize sizeHint() const override { return {440, 46}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_title;
    QStringList m_words;
    std::vector<float> m_weights;
    int m_current = -1;
};

}  // namespace headlight
