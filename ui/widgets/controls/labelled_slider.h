// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace headlight {

class Slider;

/// A slider with its name above it and, at the right, what it stands at; what that reads is its owner's to say.
class LabelledSlider : public QWidget {
    Q_OBJECT
public:
    struct Range {
        int low = 0, high = 100, at = 0;
    };
    LabelledSlider(const QString& name, const Range& range, QWidget* parent = nullptr);

    void setRange(const Range& range);
    int value() const;
    void setValue(int value);
    void setText(const QString& text);
    void setName(const QString& name);

signals:
    void valueChanged(int value);

private:
    QLabel* m_name;
    QLabel* m_text;
    Slider* m_slider;
};

}  // namespace headlight
