// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/widgets/controls/foldable.h"

class QLabel;
class QLineEdit;
class QScrollArea;

namespace headlight {

/// A surface along an edge of the window, with a hairline towards the stage.
class Panel : public Foldable {
    Q_OBJECT
public:
    explicit Panel(Qt::Edge line, QWidget* parent = nullptr);

    /// Steps aside while what it stands in is narrower than that: the stage comes first.
    void yieldBelow(int width);
    /// What a step names stays on a stage that is up to a quarter narrower.
    void setAskedFor(bool asked) override;
    /// Takes a share of the width of what it stands in, within bounds.
    void takeShare(int narrowest, int widest, double share = 0.28);

    /// Whether it holds nothing but controls, which a lecture may do without.
    bool holdsControls() const { return m_holdsControls; }
    void setHoldsControls() { m_holdsControls = true; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    Qt::Edge m_line;
    int m_yieldBelow = 0;
    int m_narrowest = 0, m_widest = 0;
    double m_share = 0;
    bool m_holdsControls = false, m_isAskedFor = false;
};

/// A hairline between two parts of a panel.
class Rule : public QWidget {
    Q_OBJECT
public:
    explicit Rule(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// What a place says while it has nothing to show: one sentence and one way on.
class EmptyPage : public QWidget {
    Q_OBJECT
public:
    EmptyPage(const QString& sentence, const QString& action, QWidget* parent = nullptr);

    /// A field below the sentence, to type what is missing.
    void addInput(const QString& placeholder);
    QLineEdit* input() const { return m_input; }
    /// Whether what the button does can be done.
    void showAction(bool isThere);

signals:
    void activated();
    /// What was typed, at Enter.
    void typed(const QString& text);

protected:
    bool event(QEvent* event) override;

private:
    QLabel* m_text = nullptr;
    QWidget* m_action = nullptr;
    QLineEdit* m_input = nullptr;
};

/// On the right margin of the content, or where that paints up to its edge, beside it.
enum class BarPlace { OnMargin, Beside };

/// A scroll area that has no look of its own, and a bar only where it is needed. The content is as wide with the bar as
/// without. Were it narrower, lines that wrap would need the bar that wraps them, and what is lower where it is
/// narrower would have it come and go without end.
QScrollArea* scrolling(QWidget* content, BarPlace place = BarPlace::OnMargin);

}  // namespace headlight
