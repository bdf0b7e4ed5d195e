// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace headlight {

/// Sentences as the model will read them, as chips: both sides of a pair one above the other. Hatched: what the model
/// will not know. What is left out stands grey, with the reason at the right.
class SentenceRows : public QWidget {
    Q_OBJECT
public:
    struct Token {
        QString text;
        bool known = true;
    };
    struct Row {
        QString line;  ///< its number in the file
        QString part;  ///< what it is for, or that it is left out
        bool leftOut = false;
        std::vector<Token> source, target;  ///< the source of a text is empty
        QString sourceNote, targetNote;     ///< at the right
    };

    explicit SentenceRows(QWidget* parent = nullptr);

    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }
    /// How many there is room for.
    int capacity() const;
    /// What stands there while there are none.
    void setEmptyText(const QString& text);

signals:
    /// There is room for another number of them.
    void capacityChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void paintSide(QPainter& painter, const Row& row, const std::vector<Token>& tokens, double top, bool isSource,
                   const QString& note) const;

    std::vector<Row> m_rows;
    QString m_empty;
};

}  // namespace headlight
