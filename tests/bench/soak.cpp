// SPDX-License-Identifier: GPL-3.0-or-later
// A seeded monkey at the window: it opens views, models and lessons, types, scrubs, trains, exports and undoes, presses
// whatever button it finds, and closes what asks it something. Says by quarters of the time what memory is taken and
// how long the window kept it waiting; on the error output what it did whenever that was too long:
// QT_QPA_PLATFORM=offscreen build/release/tests/bench_soak [SECONDS] [SEED]
#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPointer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

#include "core/views/views.h"
#include "tests/bench/process_figures.h"
#include "ui/lessons/lesson_library.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"

using namespace headlight;

namespace {

constexpr int kBetweenMs = 20;
constexpr qint64 kTooLongMs = 100;

/// Takes what would be opened by another program.
class Swallow : public QObject {
    Q_OBJECT
public slots:
    void take(const QUrl&) {}
};

class Monkey : public QObject {
    Q_OBJECT
public:
    Monkey(MainWindow& window, ThemeManager& theme, unsigned seed, int seconds)
        : m_window(window), m_theme(theme), m_random(seed), m_seconds(seconds) {
        m_clock.start();
        m_pulse.setInterval(10);
        m_pulse.setTimerType(Qt::PreciseTimer);
        connect(&m_pulse, &QTimer::timeout, this, &Monkey::feel);
        m_pulse.start();
        m_sincePulse.start();
        next();
    }

private:
    int below(int end) { return std::uniform_int_distribution(0, std::max(0, end - 1))(m_random); }

    void next() { QTimer::singleShot(kBetweenMs, this, &Monkey::act); }

    void feel() {
        const qint64 waited = m_sincePulse.restart();
        m_waits.push_back(waited);
        if (waited > kTooLongMs) std::cerr << waited << " ms: " << m_last.toStdString() << std::endl;
        const int quarter = static_cast<int>(m_clock.elapsed() * 4 / (1000LL * m_seconds));
        if (quarter == m_quarter) return;
        m_quarter = quarter;
        tell();
        if (quarter >= 4) QApplication::exit(0);
    }

    void tell() {
        std::ranges::sort(m_waits);
        const auto at = [this](double share) {
            return m_waits[static_cast<size_t>(share * static_cast<double>(m_waits.size() - 1))];
        };
        std::cout << "{\"quarter\":" << m_quarter << ",\"mib\":" << bench::memory("VmRSS:") << ",\"done\":" << m_done
                  << ",\"over_100_ms\":"
                  << std::ranges::count_if(m_waits, [](qint64 each) { return each > kTooLongMs; })
                  << ",\"p99_ms\":" << at(0.99) << ",\"longest_ms\":" << m_waits.back() << "}" << std::endl;
        m_waits.clear();
    }

    void act() {
        next();  // what opens a dialog comes back only when that is closed
        if (QWidget* const asks = QApplication::activePopupWidget() ? QApplication::activePopupWidget()
                                                                    : QApplication::activeModalWidget();
            asks && below(3) > 0) {
            did("closes what asks");
            asks->close();
            return;
        }
        ++m_done;
        switch (below(20)) {
            case 0:
            case 1:
                return showAView();
            case 2:
            case 3:
                return type();
            case 4:
                return openAModel();
            case 5:
                return openALesson();
            case 6:
                return resize();
            case 7:
                return trigger();
            case 8:
            case 9:
            case 10:
                return point();
            case 11:
            case 12:
                return press();
            default:
                return use();
        }
    }

    void did(const QString& what) { m_last = what; }

    void showAView() {
        const int place = below(static_cast<int>(views().size()));
        did(QStringLiteral("view %1").arg(QLatin1String(views()[static_cast<size_t>(place)]->name)));
        m_window.rooms().showView(static_cast<ViewName>(place));
    }

    void type() {
        static const QStringList texts{QStringLiteral("The cat is hiding under the bed."),
                                       QStringLiteral("tôi đang học tiếng anh"),
                                       QStringLiteral("Hi"),
                                       QString(),
                                       QStringLiteral("Once upon a time there was a quokka ☂ <unk> <mask> \"\\"),
                                       QStringLiteral("good ").repeated(40)};
        const QString text = texts[below(static_cast<int>(texts.size()))];
        did(QStringLiteral("types “%1”").arg(text.left(20)));
        m_window.workbench().session.setInput(text, {}, {});
    }

    void openAModel() {
        const QFileInfoList files = shippedModels();
        const QFileInfo file = files[below(static_cast<int>(files.size()))];
        did(QStringLiteral("opens %1").arg(file.fileName()));
        m_window.workbench().session.openModel(file.filePath());
    }

    void openALesson() {
        LessonPlayer& player = m_window.workbench().player;
        const std::vector<Lesson>& lessons = m_window.workbench().lessons.lessons();
        if (lessons.empty()) return;
        const int step = below(12);
        const QString slug =
            QString::fromStdString(lessons[static_cast<size_t>(below(static_cast<int>(lessons.size())))].slug);
        did(QStringLiteral("lesson %1, step %2").arg(slug).arg(step));
        player.open(slug);
        player.goTo(step);
    }

    void resize() {
        if (below(4) == 0) {
            did(QStringLiteral("another theme"));
            m_theme.setMode(below(2) ? ThemeManager::Mode::Light : ThemeManager::Mode::Dark);
            return;
        }
        const QSize size(1024 + below(1536), 700 + below(740));
        did(QStringLiteral("%1 × %2").arg(size.width()).arg(size.height()));
        m_window.resize(size);
    }

    void trigger() {
        const QList<QAction*> all = m_window.findChildren<QAction*>();
        if (all.isEmpty()) return;
        QAction* const action = all[below(static_cast<int>(all.size()))];
        if (!action->isEnabled() || leaves(action->text())) return;
        did(QStringLiteral("action %1").arg(action->text()));
        action->trigger();
    }

    /// Ends the program, or asks the network.
    static bool leaves(const QString& text) {
        return std::ranges::any_of(
            std::initializer_list<const char*>{"Quit", "Restart", "Close", "Get", "Fetch", "Download"},
            [&](const char* each) { return text.contains(QLatin1String(each)); });
    }
    static bool isOutside(const QWidget* widget) {
        for (; widget; widget = widget->parentWidget()) {
            const QByteArray name = widget->metaObject()->className();
            if (name.contains("Fetch") || name.contains("ByName") || name.contains("GetSentences")) return true;
        }
        return false;
    }

    QWidget* anyOf(const std::function<bool(QWidget*)>& suits) {
        QWidget* const top = QApplication::activeModalWidget() ? QApplication::activeModalWidget() : &m_window;
        std::vector<QWidget*> found;
        for (QWidget* each : top->findChildren<QWidget*>())
            if (each->isVisible() && each->isEnabled() && suits(each) && !isOutside(each)) found.push_back(each);
        return found.empty() ? nullptr : found[static_cast<size_t>(below(static_cast<int>(found.size())))];
    }

    static QString nameOf(const QWidget* widget) {
        return QStringLiteral("%1 “%2”").arg(QLatin1String(widget->metaObject()->className()),
                                             widget->accessibleName());
    }

    /// A button, a list, a slider, a field.
    void use() {
        QWidget* const widget = anyOf([](QWidget* each) {
            return qobject_cast<QAbstractButton*>(each) || qobject_cast<QComboBox*>(each) ||
                   qobject_cast<QAbstractSlider*>(each) || qobject_cast<QLineEdit*>(each);
        });
        if (!widget) return;
        if (auto* const button = qobject_cast<QAbstractButton*>(widget)) {
            if (leaves(button->text())) return;
            did(QStringLiteral("presses %1 %2").arg(nameOf(button), button->text()));
            button->click();
        } else if (auto* const list = qobject_cast<QComboBox*>(widget)) {
            if (list->count() == 0) return;
            did(QStringLiteral("chooses of %1").arg(nameOf(list)));
            const int index = below(list->count());
            list->setCurrentIndex(index);
            emit list->activated(index);
        } else if (auto* const slider = qobject_cast<QAbstractSlider*>(widget)) {
            did(QStringLiteral("drags %1").arg(nameOf(slider)));
            slider->setValue(slider->minimum() + below(slider->maximum() - slider->minimum() + 1));
        } else if (auto* const field = qobject_cast<QLineEdit*>(widget)) {
            did(QStringLiteral("writes into %1").arg(nameOf(field)));
            field->setText(QString::number(below(100)));
            QTest::keyClick(field, Qt::Key_Return);
        }
    }

    /// Somewhere in what is drawn: a move, a click, the wheel, a drag.
    void point() {
        QWidget* const widget = anyOf([](QWidget* each) { return each->width() > 40 && each->height() > 20; });
        if (!widget) return;
        if (auto* const button = qobject_cast<QAbstractButton*>(widget); button && leaves(button->text())) return;
        const QPoint from(below(widget->width()), below(widget->height())),
            to(below(widget->width()), below(widget->height()));
        did(QStringLiteral("points at %1").arg(nameOf(widget)));
        const QPointer<QWidget> alive(widget);
        QTest::mouseMove(widget, from);
        const int how = below(4);
        if (how == 0 || !alive) return;
        if (how == 1) {
            QWheelEvent wheel(from, widget->mapToGlobal(QPointF(from)), {}, {0, below(2) ? 120 : -120}, Qt::NoButton,
                              below(3) ? Qt::NoModifier : Qt::ControlModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(widget, &wheel);
            return;
        }
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        if (how == 3 && alive) QTest::mouseMove(widget, to);
        if (alive) QTest::mouseRelease(widget, Qt::LeftButton, {}, how == 3 ? to : from);
    }

    void press() {
        static const Qt::Key keys[] = {Qt::Key_Left,     Qt::Key_Right, Qt::Key_Up,     Qt::Key_Down,  Qt::Key_Return,
                                       Qt::Key_Escape,   Qt::Key_Tab,   Qt::Key_Space,  Qt::Key_Plus,  Qt::Key_Minus,
                                       Qt::Key_PageDown, Qt::Key_Home,  Qt::Key_Delete, Qt::Key_F1,    Qt::Key_F,
                                       Qt::Key_0,        Qt::Key_K,     Qt::Key_Z,      Qt::Key_Comma, Qt::Key_Y};
        QWidget* const at = QApplication::focusWidget() ? QApplication::focusWidget() : &m_window;
        if (isOutside(at)) return;
        const Qt::Key key = keys[below(static_cast<int>(std::size(keys)))];
        did(QStringLiteral("key %1 in %2").arg(key).arg(nameOf(at)));
        if (const auto* button = qobject_cast<QAbstractButton*>(at); button && leaves(button->text())) return;
        QTest::keyClick(at, key, below(4) ? Qt::NoModifier : Qt::ControlModifier);
    }

    MainWindow& m_window;
    ThemeManager& m_theme;
    std::mt19937 m_random;
    int m_seconds = 0, m_quarter = 0;
    qint64 m_done = 0;
    QString m_last;
    QElapsedTimer m_clock, m_sincePulse;
    QTimer m_pulse;
    std::vector<qint64> m_waits;
};

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    QTemporaryDir kept;
    qputenv("XDG_CONFIG_HOME", kept.filePath(QStringLiteral("config")).toUtf8());
    QDir::setCurrent(kept.path());  // where dialogs begin
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    Swallow swallow;
    for (const char* scheme : {"http", "https", "file", "mailto"})
        QDesktopServices::setUrlHandler(QLatin1String(scheme), &swallow, "take");
    ThemeManager theme(&application);
    MainWindow window(theme);
    window.keepIn(kept.path());
    window.resize(1440, 900);
    window.show();
    const int seconds = argc > 1 ? std::max(4, std::atoi(argv[1])) : 7200;
    const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    Monkey monkey(window, theme, seed, seconds);
    return QApplication::exec();
}

#include "soak.moc"
