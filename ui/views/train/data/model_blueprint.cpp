// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/model_blueprint.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kGap = 4;      ///< between rows
constexpr double kBetween = 1;  ///< between columns

/// In which column of its row a module is drawn: embeddings, each layer, the end.
struct Slot {
    Section section = Section::Start;
    int layer = 0;
    bool operator==(const Slot&) const = default;
};

Slot slotOf(const Module& module) {
    const bool inLayer = module.place.section == Section::Layer;
    return {module.place.section, inLayer ? module.place.layer : 0};
}

/// What serves both stacks is drawn with the one that reads first; what says the words with the one that writes.
Stack rowOf(const Module& module, const std::vector<std::pair<ModuleRef, long>>& all) {
    if (module.place.stack != Stack::Shared) return module.place.stack;
    const auto has = [&](Stack stack) {
        return std::ranges::any_of(all, [stack](const auto& each) { return each.first->place.stack == stack; });
    };
    if (!has(Stack::Decoder)) return has(Stack::Encoder) ? Stack::Encoder : Stack::Only;
    return module.place.section == Section::Head ? Stack::Decoder : Stack::Encoder;
}

QString titleOf(const Module& module) {
    if (module.kind == ModuleKind::Embedding) return ModelBlueprint::tr("words");
    return module.kind == ModuleKind::Head ? ModelBlueprint::tr("output") : QString();
}

}  // namespace

long ModelBlueprint::Column::count() const {
    return std::accumulate(pieces.begin(), pieces.end(), 0L,
                           [](long sum, const Piece& each) { return sum + each.count; });
}

long ModelBlueprint::Row::count() const {
    return std::accumulate(columns.begin(), columns.end(), 0L,
                           [](long sum, const Column& each) { return sum + each.count(); });
}

ModelBlueprint::ModelBlueprint(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("The model as areas of parameters"));
}

void ModelBlueprint::setParameters(const std::vector<std::pair<ModuleRef, long>>& parameters) {
    m_rows.clear();
    m_chosen.reset();
    std::vector<std::vector<Slot>> places;
    for (const auto& [module, count] : parameters) {
        const Stack stack = rowOf(*module, parameters);
        auto row = std::ranges::find(m_rows, stack, &Row::stack);
        if (row == m_rows.end()) {
            m_rows.push_back({stack, {}});
            places.emplace_back();
            row = m_rows.end() - 1;
        }
        std::vector<Slot>& known = places[static_cast<size_t>(row - m_rows.begin())];
        const Slot slot = slotOf(*module);
        const auto place = static_cast<size_t>(std::ranges::find(known, slot) - known.begin());
        if (place == known.size()) {
            known.push_back(slot);
            row->columns.emplace_back();
        }
        Column& column = row->columns[place];
        if (column.modules.empty() || column.modules.back() != module) column.modules.push_back(module);
        if (column.title.isEmpty()) column.title = titleOf(*module);
        // A norm's few numbers go with the sublayer that they follow.
        const bool isOwn = module->kind != ModuleKind::Norm || column.pieces.empty();
        const bool isNew = column.pieces.empty() || (isOwn && column.pieces.back().kind != module->kind);
        if (isNew)
            column.pieces.push_back({module->kind, count});
        else
            column.pieces.back().count += count;
    }
    // Files list what says the words before the layers that it reads, too.
    for (Row& row : m_rows)
        std::ranges::stable_sort(row.columns, {}, [](const Column& column) {
            const Slot slot = slotOf(*column.modules.front());
            return std::pair(slot.section, slot.layer);
        });
    tell();
    updateGeometry();
    update();
}

void ModelBlueprint::paintColumn(QPainter& p, const QRectF& area, const Column& column, Stack stack) const {
    const Theme& t = Theme::of(this);
    const QColor strong = stack == Stack::Decoder ? t.decoder : t.encoder;
    const QColor tint = stack == Stack::Decoder ? t.decoderTint : t.encoderTint;
    double y = area.top();
    for (const Piece& piece : column.pieces) {
        const double tall = area.height() * static_cast<double>(piece.count) / static_cast<double>(column.count());
        const QRectF box(area.left(), y, area.width(), tall);
        const bool isOutline = piece.kind == ModuleKind::Embedding || piece.kind == ModuleKind::Head ||
                               piece.kind == ModuleKind::Positions;
        if (isOutline)
            paint::box(p, box, tint, strong, 1);
        else
            p.fillRect(box, blueprintColor(t, piece.kind, stack));
        y += tall;
    }
    const QFont font = uiFont(11, QFont::Medium);
    if (!column.title.isEmpty() && paint::textWidth(column.title, font) + 8 < area.width())
        paint::centredText(p, area.center(), column.title, font, t.text, Anchor::Middle);
}

void ModelBlueprint::setScale(double parametersPerPixel, double rowHeight) {
    m_scale = parametersPerPixel;
    m_rowHeight = rowHeight;
    update();
}

double ModelBlueprint::widthAt(double parametersPerPixel, double rowHeight) const {
    double widest = 0;
    for (const Row& row : m_rows)
        widest = std::max(widest, static_cast<double>(row.count()) / (parametersPerPixel * rowHeight) +
                                      static_cast<double>(row.columns.size() - 1) * kBetween);
    return widest;
}

double ModelBlueprint::rowHeight() const {
    const auto rows = static_cast<double>(m_rows.size());
    return m_scale > 0 ? m_rowHeight : (height() - (rows - 1) * kGap) / rows;
}

double ModelBlueprint::parametersPerPixel() const {
    if (m_scale > 0) return m_scale;
    long widest = 1;
    size_t columns = 1;
    for (const Row& row : m_rows) {
        widest = std::max(widest, row.count());
        columns = std::max(columns, row.columns.size());
    }
    return static_cast<double>(widest) / ((width() - static_cast<double>(columns - 1) * kBetween) * rowHeight());
}

QRectF ModelBlueprint::areaOf(const Place& place) const {
    const double tall = rowHeight(), scale = parametersPerPixel() * tall;
    const std::vector<Column>& columns = m_rows[place.row].columns;
    double x = 0;
    for (size_t i = 0; i < place.column; ++i)
        x += static_cast<double>(columns[i].count()) / scale + kBetween;
    return {x, static_cast<double>(place.row) * (tall + kGap),
            static_cast<double>(columns[place.column].count()) / scale, tall};
}

std::optional<ModelBlueprint::Place> ModelBlueprint::placeAt(QPointF at) const {
    for (size_t row = 0; row < m_rows.size(); ++row)
        for (size_t column = 0; column < m_rows[row].columns.size(); ++column)
            // A column of a pixel's width can be met, too.
            if (areaOf({row, column}).adjusted(-kBetween, 0, kBetween, 0).contains(at)) return Place{row, column};
    return {};
}

void ModelBlueprint::setChoosable(bool choosable) {
    m_choosable = choosable;
    setFocusPolicy(choosable ? Qt::StrongFocus : Qt::NoFocus);
    if (choosable) setCursor(Qt::PointingHandCursor);
}

void ModelBlueprint::choose(const std::optional<Place>& place) {
    m_chosen = place;
    tell();
    update();
}

/// What a screen reader says: the chosen column, or all of them.
void ModelBlueprint::tell() {
    QStringList told;
    for (size_t row = 0; row < m_rows.size(); ++row)
        for (size_t column = 0; column < m_rows[row].columns.size(); ++column) {
            const Column& each = m_rows[row].columns[column];
            if (!m_chosen || *m_chosen == Place{row, column})
                told << tr("%1: %2").arg(nameOfColumn(each), formatCount(each.count()));
        }
    setAccessibleDescription(told.join(QStringLiteral(", ")));
}

bool ModelBlueprint::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !m_choosable) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<Place> place = placeAt(help->pos());
    if (!place) {
        QToolTip::hideText();
        return true;
    }
    const Column& column = m_rows[place->row].columns[place->column];
    QToolTip::showText(help->globalPos(),
                       tr("%1: %2 parameters").arg(nameOfColumn(column), formatCount(column.count())), this);
    return true;
}

void ModelBlueprint::mousePressEvent(QMouseEvent* event) {
    if (!m_choosable) return QWidget::mousePressEvent(event);
    const std::optional<Place> place = placeAt(event->position());
    choose(place == m_chosen ? std::nullopt : place);
    emit chosenChanged();
}

void ModelBlueprint::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool isArrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (!m_choosable || m_rows.empty() || (!isArrow && key != Qt::Key_Escape)) return QWidget::keyPressEvent(event);
    if (key == Qt::Key_Escape && !m_chosen) return QWidget::keyPressEvent(event);
    std::optional<Place> next = m_chosen;
    if (key == Qt::Key_Escape) {
        next.reset();
    } else if (!next) {
        next = Place{};
    } else if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const size_t last = m_rows[next->row].columns.size() - 1;
        next->column = key == Qt::Key_Right ? std::min(next->column + 1, last) : next->column - (next->column > 0);
    } else {
        next->row = key == Qt::Key_Down ? std::min(next->row + 1, m_rows.size() - 1) : next->row - (next->row > 0);
        next->column = std::min(next->column, m_rows[next->row].columns.size() - 1);
    }
    choose(next);
    emit chosenChanged();
}

void ModelBlueprint::paintEvent(QPaintEvent*) {
    if (m_rows.empty()) return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (size_t row = 0; row < m_rows.size(); ++row)
        for (size_t column = 0; column < m_rows[row].columns.size(); ++column)
            if (const QRectF area = areaOf({row, column}); area.width() > 0)
                paintColumn(p, area, m_rows[row].columns[column], m_rows[row].stack);
    const Theme& t = Theme::of(this);
    if (m_chosen)
        paint::box(p, areaOf(*m_chosen).adjusted(-1, 0, 1, 0).intersected(rect()), Qt::transparent, t.nowLine, 2, 2);
    if (hasFocus() && !m_chosen) paint::box(p, QRectF(rect()), Qt::transparent, t.ink, 3, 2);
}

QColor blueprintColor(const Theme& theme, ModuleKind kind, Stack stack) {
    const QColor strong = stack == Stack::Decoder ? theme.decoder : theme.encoder;
    return kind == ModuleKind::Attention   ? strong
           : kind == ModuleKind::Recurrent ? paint::mixed(strong, theme.surface, 0.2)
                                           : paint::mixed(strong, theme.surface, 0.5);
}

QString nameOfColumn(const ModelBlueprint::Column& column) {
    const Module& first = *column.modules.front();
    const bool decodes = first.place.stack == Stack::Decoder;
    switch (first.place.section) {
        case Section::Layer:
            return first.place.stack == Stack::Encoder
                       ? ModelBlueprint::tr("Encoder, layer %1").arg(first.place.layer + 1)
                   : decodes ? ModelBlueprint::tr("Decoder, layer %1").arg(first.place.layer + 1)
                             : ModelBlueprint::tr("Layer %1").arg(first.place.layer + 1);
        case Section::Start:
            return first.place.stack == Stack::Encoder ? ModelBlueprint::tr("Words that are read")
                   : decodes                           ? ModelBlueprint::tr("Words that are written")
                                                       : ModelBlueprint::tr("Words");
        case Section::End:
            return ModelBlueprint::tr("Behind the layers");
        case Section::Head:
            return ModelBlueprint::tr("Output");
    }
    return {};
}

}  // namespace headlight

#include "moc_model_blueprint.cpp"
