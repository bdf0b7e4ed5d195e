// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/focus_ring.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QPainter>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr int kReach = 4;  ///< 2 px of ring and 2 px of air

bool movesFocus(const QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Tab:
        case Qt::Key_Backtab:
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            return true;
        default:
            return false;
    }
}

}  // namespace

class FocusRing::Frame : public QWidget {
public:
    explicit Frame(QWidget* window) : QWidget(window) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter p(this);
        paint::box(p, rect(), {}, Theme::of(this).ink, 8, 2);
    }
};

FocusRing::FocusRing(QApplication* application) : QObject(application) {
    application->installEventFilter(this);
    connect(application, &QApplication::focusChanged, this,
            [this](QWidget*, QWidget* now) { follow(m_byKeyboard ? now : nullptr); });
}

FocusRing::~FocusRing() {
    delete m_frame;
}

void FocusRing::follow(QWidget* target) {
    m_target = target;
    if (!target) {
        delete m_frame;
        return;
    }
    if (!m_frame || m_frame->parentWidget() != target->window()) {
        delete m_frame;
        m_frame = new Frame(target->window());
    }
    place();
}

void FocusRing::place() {
    if (!m_frame || !m_target) return;
    const QRect inWindow(m_target->mapTo(m_target->window(), QPoint()), m_target->size());
    m_frame->setGeometry(inWindow.adjusted(-kReach, -kReach, kReach, kReach));
    m_frame->setVisible(m_target->isVisible());
    m_frame->raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::KeyPress) {
        m_byKeyboard = m_byKeyboard || movesFocus(static_cast<QKeyEvent*>(event));
    } else if (type == QEvent::MouseButtonPress) {
        m_byKeyboard = false;
        follow(nullptr);
    } else if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show || type == QEvent::Hide) {
        // Whatever moves may carry the ringed widget along: a scroll, a panel, the window.
        if (m_frame && watched != m_frame && watched->isWidgetType()) place();
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace headlight

#include "moc_focus_ring.cpp"
