// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "core/data/training_data.h"

namespace headlight {

class Button;
class Caption;
class ComboBox;

/// What a file was taken for, with the reason, and the reader's word on it: its kind, its encoding, whether its first
/// line names the columns, and which of them are read.
class LayoutRow : public QWidget {
    Q_OBJECT
public:
    explicit LayoutRow(QWidget* parent = nullptr);

    /// `isSaid`: something of it was chosen by hand, and can be taken back.
    void show(const FileLayout& layout, const CorpusFiles& files, bool isSaid);

    ComboBox* kind() const { return m_kind.list; }
    Button* reset() const { return m_reset; }

signals:
    /// `use`: pairs, or the text of one column.
    void chosen(const LayoutChoice& choice, SheetUse use);
    /// Of a text: a sentence a line, or running text.
    void kindChosen(LayoutKind kind, bool isRunning);
    void resetWanted();

private:
    /// A list under its name, and why that is chosen in it.
    struct Choice {
        QWidget* box;
        Caption* name;
        ComboBox* list;
        Caption* why;
    };
    Choice makeChoice(const QString& name, const QString& tip);
    void choose();
    void chooseKind(int index);
    void chooseList(int index);
    void showKind();
    void showColumns();
    void showReasons();

    FileLayout m_layout;
    LayoutChoice m_choice;
    SheetUse m_use = SheetUse::Pairs;
    bool m_isRunning = false;
    Choice m_kind, m_encoding, m_list, m_header, m_source, m_target;
    Button* m_reset;
};

}  // namespace headlight
