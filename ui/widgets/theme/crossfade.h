// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QVariantAnimation>
#include <QWidget>

namespace headlight {

/// What a place showed before, over what it shows now, until it has faded. With less motion it is not there at all.
class Crossfade : public QWidget {
    Q_OBJECT
public:
    /// Lies over `place`, and lets every click through.
    explicit Crossfade(QWidget* place);

    /// Keeps what is seen now.
    void hold();
    /// What is held fades away.
    void release();
    /// What is held is gone at once.
    void drop();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPixmap m_before;
    QVariantAnimation m_fade;
};

}  // namespace headlight
