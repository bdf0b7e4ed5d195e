// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <vector>

namespace headlight {

/// How large everything in the window is drawn, letters and what holds them alike, in per cent of what the desktop
/// wants. Qt asks for it once, while the application is made, so another one is there from the next start on.
class InterfaceSize {
public:
    static constexpr int kDefault = 100;

    /// Of those that are offered the ones at which the smallest window still fits a screen of so many pixels, of those
    /// that a program sees at 100 %; smaller ones than the default always do.
    static std::vector<int> fitting(const QSize& screen);

    /// The reader's choice.
    static int chosen();
    static void choose(int percent);
    /// Of this process.
    static int present() { return s_present; }
    /// Whether QT_SCALE_FACTOR was set by somebody else, who has the last word.
    static bool isSetOutside();

    /// Lets Qt know while it lives; the application is made meanwhile. Programs that this one starts are not told.
    class ForQt {
    public:
        ForQt();
        ~ForQt();
        ForQt(const ForQt&) = delete;
        ForQt& operator=(const ForQt&) = delete;
    };

private:
    static int s_present;
};

}  // namespace headlight
