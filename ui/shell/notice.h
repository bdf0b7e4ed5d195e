// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

namespace headlight {

/// A line across the top of a room that says what went wrong and what to do, where it happened. Hidden while there is
/// nothing to say.
class Notice : public QFrame {
    Q_OBJECT
public:
    explicit Notice(QWidget* parent = nullptr);
    void say(const QString& message);
    QString message() const { return m_text->text(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyTheme();

    QLabel* m_text;
};

}  // namespace headlight
