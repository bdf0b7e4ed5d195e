// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pointing.h"

#include <utility>

#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/workbench.h"

namespace headlight {

namespace {

bool isOfAttention(const TraceRecord& record) {
    return record.owner().kind == ModuleKind::Attention &&
           (record.part == Part::Scores || record.part == Part::Weights);
}

/// Does a view show the value that is selected?
bool showsValues(ViewName view, const TraceRecord& record) {
    if (view == ViewName::Attention) return isOfAttention(record);
    return view == ViewName::Values || view == ViewName::Architecture;
}

}  // namespace

Pointing::Pointing(Workbench& workbench, RoomStack& rooms, Stage& stage, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_rooms(rooms), m_stage(stage) {
    connect(&workbench.player, &LessonPlayer::numberPointed, this, &Pointing::light);
    connect(&workbench.player, &LessonPlayer::numberChosen, this, &Pointing::choose);
    connect(&stage, &Stage::touched, this, &Pointing::moved);
    connect(&stage, &Stage::settled, this, &Pointing::moved);
    connect(this, &Pointing::moved, &workbench.player, &LessonPlayer::shownMoved);
}

/// In what the stage has read; nothing where that has no such value, or not so many rows, columns and heads.
std::optional<Pointing::Place> Pointing::placeOf(const NumberName& number) const {
    const auto& reading = m_workbench.session.reading();
    const TraceRecord* const record = reading ? reading->trace->find(number.name) : nullptr;
    const bool hasHeads = record && record->shape.size() == 3;
    if (!record || number.indices.size() != (hasHeads ? 3U : 2U)) return {};
    const ValueCell cell{hasHeads ? number.indices[0] - 1 : 0, number.indices[number.indices.size() - 2] - 1,
                         number.indices.back() - 1};
    if (hasHeads && cell.head >= record->shape[0]) return {};
    if (cell.row >= matrixRows(*record) || cell.column >= matrixColumns(*record)) return {};
    return Place{record, cell};
}

bool Pointing::hasSameNumber(const NumberName& number, const Place& place) const {
    const std::optional<double> told = m_workbench.player.number(number);
    if (!told) return false;
    const TraceRecord& record = *place.record;
    const auto rows = static_cast<size_t>(matrixRows(record)), columns = static_cast<size_t>(matrixColumns(record));
    const size_t at = (static_cast<size_t>(place.cell.head) * rows + static_cast<size_t>(place.cell.row)) * columns +
                      static_cast<size_t>(place.cell.column);
    return at < record.values.size() && isSameNumber(static_cast<double>(record.values[at]), *told);
}

bool Pointing::isOfShownHead(const Place& place) const {
    const Selection& selection = m_workbench.selection;
    return isOfAttention(*place.record) && place.record->owner().scope == selection.block().toStdString() &&
           place.cell.head == selection.head();
}

bool Pointing::isOfShownValue(const Place& place) const {
    const Selection& selection = m_workbench.selection;
    return place.record->name == selection.value().toStdString() &&
           (place.record->shape.size() < 3 || place.cell.head == selection.head());
}

bool Pointing::isShown(const NumberName& number) const {
    const std::optional<Place> place = placeOf(number);
    if (!place) return m_stage.isSettled() && m_stage.isPointedAt(number);
    const Selection& selection = m_workbench.selection;
    const ValueCell &cell = place->cell, shown = selection.shownNumber();
    const bool isThere = isOfShownHead(*place)
                             ? selection.shown() == Selection::Cell{cell.row, cell.column}
                             : isOfShownValue(*place) && shown.row == cell.row && shown.column == cell.column;
    return isThere && hasSameNumber(number, *place);
}

QString Pointing::describe(const NumberName& number) const {
    const std::optional<Place> place = placeOf(number);
    const QString name = QString::fromStdString(number.name);
    if (!place) {
        const QString title = name.left(1).toUpper() + name.mid(1);
        return tr("%1, row %2, column %3").arg(title).arg(number.indices.rbegin()[1]).arg(number.indices.back());
    }
    const TraceRecord& record = *place->record;
    if (!hasSameNumber(number, *place)) return tr("The stage shows another sentence or model now");
    QStringList parts{valueTitle(record)};
    if (const QString scope = scopeTitle(record); !scope.isEmpty()) parts << scope;
    if (record.shape.size() == 3) parts << tr("head %1").arg(place->cell.head + 1);
    const auto& reading = m_workbench.session.reading();
    const QString row = rowNames(*m_workbench.session.model(), *reading->trace, record).value(place->cell.row);
    const QString column = columnNames(*m_workbench.session.model(), *reading->trace, record).value(place->cell.column);
    return tr("%1: “%2”, “%3”").arg(parts.join(QStringLiteral(", ")), row, column);
}

/// By the view that is seen, where the number is of a matrix that it alone has.
bool Pointing::lookAt(const NumberName* number, Staged::Look look) const {
    const double value = number ? m_workbench.player.number(*number).value_or(0) : 0;
    bool found = false;
    for (Staged* const view : m_rooms.current().staged()) {
        const auto* const widget = dynamic_cast<const QWidget*>(view);
        if (!number || (!found && widget && widget->isVisible())) found = view->lookAt(number, value, look) || found;
    }
    return found;
}

void Pointing::light(const std::optional<NumberName>& number) {
    Selection& selection = m_workbench.selection;
    lookAt(nullptr, Staged::Look::Light);
    if (std::exchange(m_isLit, false)) {
        selection.setHovered({});
        selection.setHoveredNumber({});
    }
    if (!number || !m_workbench.player.number(*number)) return;
    if (lookAt(&*number, Staged::Look::Light)) return;
    const std::optional<Place> place = placeOf(*number);
    if (!place || !hasSameNumber(*number, *place)) return;
    m_isLit = true;
    if (isOfShownHead(*place))
        selection.setHovered({place->cell.row, place->cell.column});
    else if (isOfShownValue(*place))
        selection.setHoveredNumber(place->cell);
}

void Pointing::choose(const NumberName& number) {
    light({});
    if (!m_workbench.player.number(number)) return;
    if (lookAt(&number, Staged::Look::Choose)) return;
    const std::optional<Place> place = placeOf(number);
    if (!place || !hasSameNumber(number, *place)) return;
    const TraceRecord& record = *place->record;
    Selection& selection = m_workbench.selection;
    selection.setValue(QString::fromStdString(number.name));
    if (isOfAttention(record)) selection.setBlock(QString::fromStdString(record.owner().scope));
    if (record.shape.size() == 3) selection.setHead(place->cell.head);
    selection.setNumber(place->cell);
    if (!showsValues(m_rooms.view(), record)) m_rooms.showView(ViewName::Values);
}

}  // namespace headlight

#include "moc_pointing.cpp"
