// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QWidget>

namespace headlight {

/// Cards side by side; where they have not the room, as beside a lesson, one below the other.
class CardRow : public QWidget {
    Q_OBJECT
public:
    /// `beside`: narrower than that, they stand one below the other.
    explicit CardRow(int beside, QWidget* parent = nullptr);
    void add(QWidget* card);
    QBoxLayout* row() const { return m_row; }
    QSize minimumSizeHint() const override;

signals:
    void turned(bool isStacked);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int m_beside;
    QBoxLayout* m_row;
};

}  // namespace headlight
