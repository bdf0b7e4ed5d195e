// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <utility>

namespace headlight {

/// A part of a view that can be put away whatever the view itself wants of it meanwhile: that counts again afterwards.
class Foldable : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// By which a lesson's step names it (`show:`), one of View::panels; null: it is no panel.
    const char* panelName() const { return m_panelName; }
    void setPanelName(const char* name) { m_panelName = name; }
    /// A step of a lesson names it.
    virtual void setAskedFor(bool) {}

    enum class By {
        Lecture,  ///< which may do without controls
        Step,     ///< of a lesson, which shows what it needs
        Count
    };
    void stow(By by, bool stowed) {
        const bool was = isStowed();
        m_stowed[static_cast<size_t>(by)] = stowed;
        if (isStowed() != was) QWidget::setVisible(was && m_isWanted);
    }
    void setVisible(bool visible) override {
        m_isWanted = visible;
        if (!isStowed()) QWidget::setVisible(visible);
    }

private:
    bool isStowed() const { return m_stowed[0] || m_stowed[1]; }

    const char* m_panelName = nullptr;
    std::array<bool, static_cast<size_t>(By::Count)> m_stowed{};
    bool m_isWanted = true;  ///< visible, were it not put away
};

}  // namespace headlight
