// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace headlight {

/// One of a list: a title, and below it a line that says more; a slim one says it in its tip. Checked: the one that is
/// chosen.
class ChoiceRow : public QAbstractButton {
    Q_OBJECT
public:
    enum class Size { Full, Slim };
    ChoiceRow(const QString& title, const QString& more, Size size = Size::Full, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_more;
    Size m_size;
};

}  // namespace headlight
