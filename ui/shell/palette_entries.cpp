// SPDX-License-Identifier: GPL-3.0-or-later
// What the palette finds.
#include <QCoreApplication>

#include "core/error.h"
#include "core/import/model_cache.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/actions.h"
#include "ui/shell/help_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"
#include "ui/shell/settings_page.h"
#include "ui/shell/workbench.h"

namespace headlight {

namespace {

struct PaletteText {
    Q_DECLARE_TR_FUNCTIONS(Palette)
};

void addViews(MainWindow& window, std::vector<PaletteEntry>& entries) {
    for (size_t i = 0; i < window.rooms().all().size(); ++i) {
        const RoomEntry& room = rooms()[i];
        for (const Room::View& view : window.rooms().all()[i]->views())
            entries.push_back({.icon = room.icon,
                               .title = view.title,
                               .detail = PaletteText::tr("%1: %2").arg(room.label, view.question),
                               .words = QLatin1String(viewOf(view.name).name),
                               .run = [&window, name = view.name] { window.rooms().showView(name); }});
    }
}

void addLessons(MainWindow& window, std::vector<PaletteEntry>& entries) {
    LessonPlayer& player = window.workbench().player;
    for (const Lesson& lesson : window.workbench().lessons.lessons()) {
        const QString slug = QString::fromStdString(lesson.slug);
        const QString title =
            PaletteText::tr("Lesson %1: %2").arg(lesson.number).arg(QString::fromStdString(lesson.title));
        entries.push_back({.icon = Icon::Learn,
                           .title = title,
                           .detail = QString::fromStdString(lesson.summary),
                           .words = slug,
                           .run = [&player, slug] { player.open(slug); }});
        for (size_t step = 0; step < lesson.steps.size(); ++step)
            entries.push_back({.icon = Icon::Learn,
                               .title = QString::fromStdString(lesson.steps[step].title),
                               .detail = PaletteText::tr("%1, step %2").arg(title).arg(step + 1),
                               .run = [&player, slug, step] {
                                   player.open(slug);
                                   player.goTo(static_cast<int>(step));
                               }});
    }
}

void addModels(MainWindow& window, std::vector<PaletteEntry>& entries) {
    const auto add = [&](const QString& name, const QString& where, const QString& path) {
        entries.push_back({.icon = Icon::Models,
                           .title = name,
                           .detail = where,
                           .words = PaletteText::tr("open model"),
                           .run = [&window, path] { window.open(path); }});
    };
    for (const QFileInfo& file : shippedModels())
        add(file.completeBaseName(), PaletteText::tr("Open a model included with Headlight"), file.canonicalFilePath());
    for (const TrainedModels::Entry& model : window.workbench().trained.list())
        add(model.name, PaletteText::tr("Open a model that was trained here"), model.path);
    for (const QString& path : recentModels())
        if (QFileInfo::exists(path) && QFileInfo(path).path() != shippedFolder(QStringLiteral("models")))
            add(modelTitle(path), PaletteText::tr("Open a model that was opened before"), path);
    for (const std::string& name : cachedModels())
        add(QString::fromStdString(name), PaletteText::tr("Open a model from Hugging Face's cache"),
            QString::fromStdString(name));
}

void addCommands(const MainWindow& window, std::vector<PaletteEntry>& entries) {
    for (const Actions::Entry& entry : window.commands().all())
        if (entry.action->isEnabled())
            entries.push_back({.icon = Icon::Step,
                               .title = entry.action->text(),
                               .detail = entry.does == entry.action->text()
                                             ? titleOf(entry.group)
                                             : QStringLiteral("%1: %2").arg(titleOf(entry.group), entry.does),
                               .keys = entry.action->shortcut().toString(QKeySequence::NativeText),
                               .words = entry.action->objectName(),
                               .run = [action = entry.action] { action->trigger(); }});
}

void addSettings(MainWindow& window, std::vector<PaletteEntry>& entries) {
    for (const SettingsPage::Setting& setting : window.settings()->settings())
        entries.push_back({.icon = Icon::Gear,
                           .title = setting.title,
                           .detail = PaletteText::tr("Settings: %1").arg(setting.about),
                           .words = setting.group,
                           .run = [&window, title = setting.title] { window.settings()->open(title); }});
}

void addTerms(MainWindow& window, std::vector<PaletteEntry>& entries) {
    for (const auto& [term, meaning] : window.workbench().lessons.terms())
        entries.push_back({.icon = Icon::Help,
                           .title = PaletteText::tr("What is “%1”?").arg(term),
                           .detail = meaning,
                           .words = PaletteText::tr("glossary"),
                           .run = [&window, word = term] { window.help()->explain(word); }});
}

}  // namespace

std::vector<PaletteEntry> paletteEntries(MainWindow& window) {
    std::vector<PaletteEntry> entries;
    addViews(window, entries);
    addCommands(window, entries);
    addSettings(window, entries);
    addModels(window, entries);
    addLessons(window, entries);
    addTerms(window, entries);
    return entries;
}

}  // namespace headlight
