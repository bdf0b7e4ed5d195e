// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/edit_history.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <chrono>
#include <utility>

#include "core/platform/pace.h"
#include "ui/shell/stage.h"

namespace headlight {

namespace {

/// Letters that follow one another so fast are one edit, and a slider's way too.
constexpr std::chrono::milliseconds kOneEdit{900};

/// What an edit is called in the menu: "Undo sentence".
QString titleOf(const std::string& key) {
    if (key == "source" || key == "target" || key == "second" || key == "beside") return EditHistory::tr("sentence");
    if (key == "mute" || key == "without") return EditHistory::tr("muted heads");
    if (key == "cells") return EditHistory::tr("mask");
    if (key == "numbers" || key == "changes") return EditHistory::tr("numbers");
    if (key == "fixed") return EditHistory::tr("fixed words");
    if (key == "shuffles") return EditHistory::tr("shuffling");
    return EditHistory::tr("setting");
}

}  // namespace

class EditHistory::Edit : public QUndoCommand {
public:
    Edit(EditHistory& history, StageState before, StageState after, std::vector<std::string> keys)
        : m_history(history), m_before(std::move(before)), m_after(std::move(after)), m_keys(std::move(keys)) {
        setText(titleOf(m_keys.front()));
        m_since.start();
    }

    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& newer = static_cast<const Edit&>(*other);
        if (newer.m_keys != m_keys || m_since.elapsed() >= platform::paced(kOneEdit).count()) return false;
        m_after = newer.m_after;
        m_since.restart();
        return true;
    }
    void undo() override { m_history.set(m_before); }
    void redo() override {
        // What is pushed was done by the reader already.
        if (std::exchange(m_isDone, false)) return;
        m_history.set(m_after);
    }

private:
    EditHistory& m_history;
    StageState m_before, m_after;
    std::vector<std::string> m_keys;
    QElapsedTimer m_since;
    bool m_isDone = true;
};

EditHistory::EditHistory(Stage& stage, QObject* parent) : QObject(parent), m_stage(stage) {
    connect(&stage, &Stage::edited, this, &EditHistory::look);
    connect(&stage, &Stage::modelChanged, this, &EditHistory::begin);
    connect(&stage, &Stage::settled, this, [this](quint64 revision) {
        if (revision != m_revision) begin();
    });
}

void EditHistory::begin() {
    m_stack.clear();
    m_last = m_stage.state();
    m_revision = m_stage.revision();
}

void EditHistory::look() {
    const StageState now = m_stage.state();
    std::vector<std::string> keys = editsBetween(m_last, now);
    const StageState before = std::exchange(m_last, now);
    if (!keys.empty()) m_stack.push(new Edit(*this, before, now, std::move(keys)));
}

void EditHistory::set(const StageState& edits) {
    m_last = withEditsOf(m_stage.state(), edits);
    m_revision = m_stage.apply(m_last);
}

}  // namespace headlight

#include "moc_edit_history.cpp"
