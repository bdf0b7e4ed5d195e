// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

class DecodeView;
class SentenceBar;
class Workbench;

/// A sentence, and the search for its translation as a tree.
class DecodeRoom : public QWidget {
    Q_OBJECT
public:
    DecodeRoom(Workbench& workbench, QWidget* parent);

    DecodeView* view() const { return m_view; }

private:
    void showResult();

    Workbench& m_workbench;
    DecodeView* m_view;
};

}  // namespace headlight
