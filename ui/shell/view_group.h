// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/rooms.h"
#include "ui/widgets/controls/panel.h"

namespace headlight {

class FittingCaption;
class SegmentedControl;

/// The views of the group that is looked at, and the question that the present one answers. One that has nothing to
/// show of the open model is pale, and its tip says why.
class ViewGroup : public Panel {
    Q_OBJECT
public:
    explicit ViewGroup(QWidget* parent = nullptr);

    /// Of all these it shows those that stand in one group with `current`.
    void setViews(const std::vector<Room::View>& views, ViewName current);
    SegmentedControl* tabs() const { return m_tabs; }
    QString question() const;

signals:
    void chosen(ViewName view);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Room::View> m_views;
    SegmentedControl* m_tabs;
    FittingCaption* m_question;
};

}  // namespace headlight
