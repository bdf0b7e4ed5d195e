// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <array>
#include <functional>
#include <vector>

#include "ui/session/open/background.h"

class QAction;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace headlight {

class Button;
class ThemeManager;
class Workbench;

/// What the reader chooses for every start: each with its default, in force at once. It lies over the rooms until it
/// is shut, or another view is asked for.
class SettingsPage : public QWidget {
    Q_OBJECT
public:
    /// `lessMotion` is the window's own command, which the page turns.
    SettingsPage(Workbench& workbench, QAction* lessMotion, QWidget* parent);
    ~SettingsPage() override;

    /// In which models, sentences and the run are kept.
    void setFolder(const QString& folder) { m_folder = folder; }

    struct Setting {
        QString group, title, about;
        QWidget* control = nullptr;  ///< null: there is nothing to choose
        std::function<void()> reset = {};
    };
    const std::vector<Setting>& settings() const { return m_settings; }
    /// Those that are seen, by their titles.
    QStringList shown() const;
    QLineEdit* input() const { return m_input; }
    Button* resetButton() const { return m_reset; }

    /// At the group of that setting; empty: at the one that was looked at last.
    void open(const QString& title = {});
    void shut();
    bool isOpen() const { return !isHidden(); }
    /// Another view is seen: the page goes, unless a setting that is being chosen has brought it about.
    void giveWay();
    /// What was chosen at an earlier start and belongs to no window.
    static void applyKept(ThemeManager& theme);

signals:
    /// It came, or went.
    void toggled();
    /// What was chosen is there from the next start on, and the reader wants it now.
    void restartWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addAppearance(QAction* lessMotion);
    void addSize(const QString& group);
    void addWeightColors(const QString& group);
    void addLanguage();
    void addComputing();
    void addFiles();
    void addPrivacy();
    void add(const Setting& setting);
    QWidget* makeList();
    QString folderOf(size_t place) const;
    void measureFolders();
    void fill();
    void resetShown();
    static void focusOn(QWidget* control);

    static constexpr size_t kFolders = 4;

    Workbench& m_workbench;
    QString m_folder;
    std::vector<Setting> m_settings;
    std::vector<QWidget*> m_rows;  ///< of each setting
    QString m_group;               ///< that is seen, where nothing is searched for
    QButtonGroup* m_groups;
    QLineEdit* m_input;
    QLabel *m_heading, *m_nothing;
    Button* m_reset;
    QVBoxLayout* m_column;
    Button* m_clear = nullptr;  ///< the list of what was opened
    QScrollArea* m_page;
    QPointer<QWidget> m_before;  ///< that had the keyboard
    bool m_isChoosing = false;
    std::array<QLabel*, kFolders> m_sizes{};
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
