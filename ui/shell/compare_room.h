// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/comparison.h"
#include "ui/shell/rooms.h"

namespace headlight {

class CompareView;
class Workbench;

/// Two models, or two settings of one, on the same sentence.
class CompareRoom : public Room {
    Q_OBJECT
public:
    CompareRoom(Workbench& workbench, QWidget* parent);

    std::vector<ViewName> viewNames() const override { return {ViewName::Compare}; }
    ViewName currentView() const override { return ViewName::Compare; }
    void showView(ViewName) override {}
    QWidget* viewWidget() override;
    std::vector<Staged*> staged() override;
    Comparison& comparison() { return m_comparison; }
    CompareView* view() const { return m_view; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    Comparison m_comparison;
    CompareView* m_view;
    bool m_filled = false;
};

}  // namespace headlight
