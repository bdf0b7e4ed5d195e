// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

namespace headlight {

/// A line that says what went wrong and what to do. It lies over the foot of its parent, so that nothing moves away
/// from under the pointer. Hidden while there is nothing to say.
class Notice : public QFrame {
    Q_OBJECT
public:
    explicit Notice(QWidget* parent);
    void say(const QString& message);
    QString message() const { return m_text->text(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void applyTheme();

    QLabel* m_text;
};

}  // namespace headlight
