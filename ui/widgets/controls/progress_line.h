// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

/// How far something is: a bar of 4 px over the whole width. Nothing is drawn while nothing is under way; its place
/// stays.
class ProgressLine : public QWidget {
    Q_OBJECT
public:
    explicit ProgressLine(QWidget* parent = nullptr);

    /// 0 to 1; below 0: nothing is under way.
    void setShare(double share);
    double share() const { return m_share; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_share = -1;
};

}  // namespace headlight
