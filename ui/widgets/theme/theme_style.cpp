// SPDX-License-Identifier: GPL-3.0-or-later
// The two forms in which Qt's own widgets take the tokens: a palette and a style sheet.
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPalette>
#include <QScrollBar>
#include <QTableView>
#include <QTreeView>

#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

template <typename... Kinds>
bool isOneOf(const QWidget* widget) {
    return (qobject_cast<const Kinds*>(widget) || ...);
}

/// Whether a rule of the sheet below begins with it.
constexpr auto isStyled =
    isOneOf<QLineEdit, QAbstractSpinBox, QComboBox, QMenu, QTreeView, QTableView, QHeaderView, QScrollBar>;

/// With the theme's colours where their names stand.
QString filled(QString sheet, const Theme& t) {
    const std::pair<const char*, QColor> tokens[] = {
        {"@surface", t.surface}, {"@sunken", t.sunken}, {"@line2", t.line2}, {"@text3", t.text3},
        {"@onInk", t.onInk},     {"@ink", t.ink},       {"@text", t.text},
    };
    for (const auto& [token, color] : tokens)
        sheet.replace(QLatin1String(token), color.name());
    return sheet;
}

}  // namespace

bool ThemeManager::carriesSheet(const QWidget& widget) {
    if (!isStyled(&widget)) return false;
    for (const QWidget* around = widget.parentWidget(); around; around = around->parentWidget())
        if (isStyled(around)) return false;
    return true;
}

QPalette ThemeManager::palette(const Theme& t) {
    QPalette palette;
    palette.setColor(QPalette::Window, t.bg);
    palette.setColor(QPalette::Base, t.surface);
    palette.setColor(QPalette::AlternateBase, t.sunken);
    palette.setColor(QPalette::Button, t.surface);
    palette.setColor(QPalette::ToolTipBase, t.ink);
    palette.setColor(QPalette::ToolTipText, t.onInk);
    palette.setColor(QPalette::Highlight, t.ink);
    palette.setColor(QPalette::HighlightedText, t.onInk);
    palette.setColor(QPalette::PlaceholderText, t.text3);
    palette.setColor(QPalette::Link, t.query);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(role, t.text);
        palette.setColor(QPalette::Disabled, role, t.text3);
    }
    for (const auto role : {QPalette::Light, QPalette::Midlight, QPalette::Mid, QPalette::Dark, QPalette::Shadow})
        palette.setColor(role, t.line2);
    return palette;
}

QString ThemeManager::sheetOf(const QWidget& widget) const {
    return qobject_cast<const QScrollBar*>(&widget) ? m_scrollBarSheet : m_sheet;
}

QString ThemeManager::styleSheet(const Theme& t) {
    return filled(QStringLiteral(R"(
QLineEdit, QAbstractSpinBox, QComboBox {
    background: @surface; color: @text; border: 1px solid @line2; border-radius: 6px; padding: 0 10px;
    selection-background-color: @ink; selection-color: @onInk; min-height: 26px;
}
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: @text3; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border-color: @ink; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { background: @sunken; color: @text3; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: none; }
QComboBox QAbstractItemView, QMenu {
    background: @surface; color: @text; border: 1px solid @line2; padding: 4px; outline: none;
    selection-background-color: @sunken; selection-color: @text;
}
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 8px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: @sunken; }
QTreeView { background: @surface; color: @text; border: none; selection-background-color: @sunken; selection-color: @text; }
QTreeView::item { min-height: 22px; }
QTreeView::item:selected { background: @sunken; color: @text; }
QTableView { background: @surface; color: @text; border: none; selection-background-color: @sunken; selection-color: @text; }
QHeaderView { background: @surface; }
QHeaderView::section {
    background: @surface; color: @text3; border: none; border-bottom: 1px solid @line2; padding: 4px 2px; font-size: 11px;
}
)"),
                  t) +
           scrollBarSheet(t);
}

/// Every scroll area has two bars, and Qt reads the sheet of each anew: a tenth of what a window takes to come up.
QString ThemeManager::scrollBarSheet(const Theme& t) {
    return filled(QStringLiteral(R"(
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @line2; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @text3; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)"),
                  t);
}

}  // namespace headlight
