// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/interface_size.h"

#include <QSettings>
#include <algorithm>
#include <array>

namespace headlight {

namespace {

constexpr std::array kOffered{90, 100, 110, 125, 150, 175, 200};
constexpr QSize kSmallestWindow(1024, 700);
constexpr const char* kVariable = "QT_SCALE_FACTOR";

QString sizeKey() {
    return QStringLiteral("window/size-percent");
}

}  // namespace

int InterfaceSize::s_present = kDefault;

std::vector<int> InterfaceSize::fitting(const QSize& screen) {
    std::vector<int> all;
    for (const int percent : kOffered)
        if (percent <= kDefault || (kSmallestWindow.width() * percent <= screen.width() * kDefault &&
                                    kSmallestWindow.height() * percent <= screen.height() * kDefault))
            all.push_back(percent);
    return all;
}

int InterfaceSize::chosen() {
    const int kept = QSettings().value(sizeKey(), kDefault).toInt();
    return std::ranges::find(kOffered, kept) == kOffered.end() ? kDefault : kept;
}

void InterfaceSize::choose(int percent) {
    QSettings().setValue(sizeKey(), percent);
}

bool InterfaceSize::isSetOutside() {
    return qEnvironmentVariableIsSet(kVariable);
}

InterfaceSize::ForQt::ForQt() {
    if (isSetOutside() || chosen() == kDefault) return;
    s_present = chosen();
    qputenv(kVariable, QByteArray::number(s_present / 100.0));
}

InterfaceSize::ForQt::~ForQt() {
    if (s_present != kDefault) qunsetenv(kVariable);
}

}  // namespace headlight
