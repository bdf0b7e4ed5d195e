// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

class QButtonGroup;
class QPainter;
class QRectF;

namespace headlight {

/// One of several, each shown by a small picture of what it does, with its name below.
class PictureChoice : public QWidget {
    Q_OBJECT
public:
    struct Choice {
        QString name;
        std::function<void(QPainter&, const QRectF&)> draw;  ///< what is in the box, given its inside
    };
    PictureChoice(const std::vector<Choice>& choices, const QSize& picture, QWidget* parent = nullptr);

    int currentIndex() const;
    void setCurrentIndex(int index);

signals:
    void currentChanged(int index);

private:
    QButtonGroup* m_group;
};

}  // namespace headlight
