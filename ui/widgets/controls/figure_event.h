// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QWidget>

namespace headlight {

/// The reader wants a figure that is a part of a view: to be copied, or written to a file. Sent to its window, as who
/// draws a figure knows neither clipboard nor files.
class FigureEvent : public QEvent {
public:
    static Type kind() {
        static const auto registered = static_cast<Type>(registerEventType());
        return registered;
    }
    explicit FigureEvent(QWidget& figure) : QEvent(kind()), m_figure(figure) {}
    QWidget& figure() const { return m_figure; }

private:
    QWidget& m_figure;
};

}  // namespace headlight
