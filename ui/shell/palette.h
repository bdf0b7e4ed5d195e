// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/widgets/theme/icon.h"

class QLineEdit;
class QListWidget;

namespace headlight {

class MainWindow;

/// Something that can be found by words: where the reader can go, what can be done, what a word means.
struct PaletteEntry {
    Icon icon = Icon::None;
    QString title, detail;
    QString keys = {};   ///< that do the same
    QString words = {};  ///< by which it is found as well
    std::function<void()> run;
};

/// Views, lessons and their steps, models, commands, and words of the field.
std::vector<PaletteEntry> paletteEntries(MainWindow& window);

/// Those that have every word of `query`, the best first: words in the title before words beside it, beginnings before
/// middles. Of an empty query nothing.
std::vector<const PaletteEntry*> matching(const std::vector<PaletteEntry>& entries, const QString& query);

/// Lies over the window until something is chosen or it is let go: words are typed, arrow keys move, Enter runs.
class Palette : public QWidget {
    Q_OBJECT
public:
    Palette(std::vector<PaletteEntry> entries, QWidget* over);

    QLineEdit* input() const { return m_input; }
    QListWidget* list() const { return m_list; }
    /// Titles of what is listed.
    QStringList titles() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    class Row;

    void place();
    void find(const QString& query);
    void move(int by);
    void run();

    std::vector<PaletteEntry> m_entries;
    std::vector<const PaletteEntry*> m_found;
    QWidget* m_box;
    QLineEdit* m_input;
    QListWidget* m_list;
};

}  // namespace headlight
