// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/controls/tinted_box.h"

class QLabel;

namespace headlight {

/// What went wrong and what to do, in the panel that failed, to be copied.
class FailureBox : public TintedBox {
    Q_OBJECT
public:
    explicit FailureBox(QWidget* parent = nullptr);

    void setText(const QString& text);
    QString text() const;

private:
    QLabel* m_text;
};

}  // namespace headlight
