// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QAbstractButton;

namespace headlight {

/// Small buttons with a number each: the stops of a course, joined by a line, of which one is open and which take as
/// many rows as they need; or what is taken of a lesson, in one row.
class ChipRow : public QWidget {
    Q_OBJECT
public:
    enum class Look { Stops, Choices };
    struct Chip {
        QString label, name;    ///< the name is what it is called, and its hint
        bool isMarked = false;  ///< open, or taken
    };

    explicit ChipRow(Look look, QWidget* parent = nullptr);

    /// Who has the focus keeps it, as long as there are so many.
    void setChips(const std::vector<Chip>& chips);
    int count() const { return static_cast<int>(m_chips.size()); }
    QAbstractButton* chip(int index) const { return m_chips[static_cast<size_t>(index)]; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void chosen(int index);
    /// By pointer or by keys; −1: none any more.
    void pointedAt(int index);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    Look m_look;
    std::vector<QAbstractButton*> m_chips;
};

}  // namespace headlight
