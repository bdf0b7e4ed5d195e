// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "ui/session/open/data_choice.h"
#include "ui/widgets/controls/panel.h"

class QHBoxLayout;
class QLabel;

namespace headlight {

class Button;

/// The files that are chosen, one beside the other, and room to drop others.
class DataBar : public Panel {
    Q_OBJECT
public:
    explicit DataBar(QWidget* parent = nullptr);

    void show(const DataChoice& choice);

signals:
    void filesWanted();
    void swapWanted();
    /// A file is taken away: 0 the first, 1 the second.
    void fileRemoved(int index);
    void cancelWanted();

private:
    class FileChip;
    class DropBox;

    FileChip* m_chips[2];
    Button* m_swap;
    DropBox* m_drop;
    QLabel* m_title;
    QLabel* m_more;
    Button* m_cancel;
};

/// What a side is called: the language that the file's ending names, else the ending, else "Source" and "Target".
QString sideName(const CorpusFiles& files, int side);

}  // namespace headlight
