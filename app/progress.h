// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/work_progress.h"

namespace headlight {

/// A line of progress on standard error that is drawn over itself; nothing where that is no terminal.
class Progress {
public:
    explicit Progress(std::string label);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void show(double fraction, const std::string& text);
    /// For the engine's long works: shows how far they are, and never stops them. As long as this lives.
    WorkProgress work();

private:
    std::string m_label;
    bool m_terminal;
    bool m_drawn = false;
};

}  // namespace headlight
