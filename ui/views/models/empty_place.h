// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace headlight {

/// A place where something could stand: what is to be done for it, and more beneath.
class EmptyPlace : public QAbstractButton {
    Q_OBJECT
public:
    EmptyPlace(const QString& title, const QString& more, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_more;
};

}  // namespace headlight
