// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "core/data/file_layout.h"

class QVBoxLayout;

namespace headlight {

class Caption;
class ComboBox;

/// What a file was taken for, and what of it the reader may say otherwise: its encoding, whether its first line names
/// the columns, and which of them are read.
class LayoutRow : public QWidget {
    Q_OBJECT
public:
    explicit LayoutRow(QWidget* parent = nullptr);

    void show(const FileLayout& layout, const LayoutChoice& choice, SheetUse use);

signals:
    void chosen(const LayoutChoice& choice);

private:
    /// A list under its name.
    struct Choice {
        QWidget* box;
        Caption* name;
        ComboBox* list;
    };
    Choice makeChoice(const QString& name, const QString& tip);
    void choose();

    FileLayout m_layout;
    LayoutChoice m_choice;
    SheetUse m_use = SheetUse::Pairs;
    Caption* m_kind;
    Choice m_encoding, m_header, m_source, m_target;
};

}  // namespace headlight
