// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/progress.h"

#include <cstdio>
#include <utility>

#include "core/platform/process.h"

namespace headlight {

Progress::Progress(std::string label) : m_label(std::move(label)), m_terminal(platform::errorIsTerminal()) {}

Progress::~Progress() {
    if (m_drawn) std::fputs("\r\033[K", stderr);
}

void Progress::show(double fraction, const std::string& text) {
    if (!m_terminal) return;
    constexpr int width = 30;
    const int filled = static_cast<int>(fraction * width);
    const std::string bar =
        std::string(static_cast<size_t>(filled), '#') + std::string(static_cast<size_t>(width - filled), '.');
    std::fprintf(stderr, "\r\033[K%s [%s] %3d%%  %s", m_label.c_str(), bar.c_str(), static_cast<int>(fraction * 100),
                 text.c_str());
    std::fflush(stderr);
    m_drawn = true;
}

WorkProgress Progress::work() {
    return [this](double share) {
        show(share, "");
        return true;
    };
}

}  // namespace headlight
