// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/divergence_map.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/io/trained_model.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// What stands before the layers, and what a module is called among those of its layer.
std::pair<QString, QString> titlesOf(const TraceRecord& value) {
    const Module& module = value.owner();
    if (module.place.section == Section::Start) return {DivergenceMap::tr("Input"), DivergenceMap::tr("In")};
    switch (module.kind) {
        case ModuleKind::Attention:
            if (module.over == AttentionOver::Memory)
                return {DivergenceMap::tr("Cross- attention"), DivergenceMap::tr("Cross")};
            return {DivergenceMap::tr("Self- attention"), DivergenceMap::tr("Self")};
        case ModuleKind::FeedForward:
            return {DivergenceMap::tr("Feed- forward"), DivergenceMap::tr("FF")};
        case ModuleKind::Norm:
            if (value.part == Part::Residual) return {valueTitle(value), QStringLiteral("+")};
            return {DivergenceMap::tr("Norm"), DivergenceMap::tr("N")};
        case ModuleKind::Recurrent:
            return {
                module.direction == Direction::Backward ? DivergenceMap::tr("Backwards") : DivergenceMap::tr("State"),
                module.direction == Direction::Backward ? DivergenceMap::tr("←") : DivergenceMap::tr("h")};
        case ModuleKind::Head:
            // A head may have a layer of its own before what it says.
            if (value.part != Part::Logits) return {valueTitle(value), valueTitle(value).left(3)};
            return {DivergenceMap::tr("Logits"), DivergenceMap::tr("Out")};
        case ModuleKind::Embedding:
        case ModuleKind::Positions:
        case ModuleKind::Result:
        case ModuleKind::Bridge:
        case ModuleKind::Combine:
            break;
    }
    return {valueTitle(value), valueTitle(value).left(3)};
}

double shareOf(ModuleKind kind) {
    return kind == ModuleKind::Norm ? 1 : 2;
}

double longest(const QStringList& lines, const QFont& font) {
    double wide = 0;
    for (const QString& line : lines)
        wide = std::max(wide, paint::textWidth(line, font));
    return wide;
}

}  // namespace

QString DivergenceMap::percent(double value) {
    return std::isnan(value) ? QStringLiteral("–") : formatPercent(value, 0);
}

DivergenceMap::DivergenceMap(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("How far each module is apart"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void DivergenceMap::clear() {
    m_whole.clear();
    layOut();
}

void DivergenceMap::setReadings(const TrainedModel& model, const Trace& trace, std::vector<Divergence> divergences,
                                const QStringList& silent, const std::vector<HandChange>& changes) {
    m_whole.clear();
    for (Divergence& each : divergences) {
        const Module& module = each.value->owner();
        // What says the words belongs to the stack that it stands behind.
        const bool joins = module.place.section == Section::Head && !m_whole.empty();
        const Stack stack = joins ? m_whole.back().stack : module.place.stack;
        auto band = std::ranges::find(m_whole, stack, &Band::stack);
        if (band == m_whole.end()) band = m_whole.insert(band, Band{stack, rowNames(model, trace, *each.value), {}});
        const auto [title, shortTitle] = titlesOf(*each.value);
        const QString scope = QString::fromStdString(module.scope);
        QStringList heads;
        for (const QString& head : silent)
            if (head.section(u'.', 0, -2) == scope) heads << QString::number(head.section(u'.', -1).toInt() + 1);
        const bool isChanged = std::ranges::any_of(changes, [&](const HandChange& change) {
            return std::ranges::any_of(trace.records(), [&](const TraceRecord& record) {
                return record.owner().scope == module.scope && actsOn(change, record);
            });
        });
        band->columns.push_back({std::move(each),
                                 title,
                                 shortTitle,
                                 heads.join(QStringLiteral(", ")),
                                 module.place.section == Section::Layer ? module.place.layer : -1,
                                 shareOf(module.kind),
                                 {},
                                 scope,
                                 isChanged});
    }
    QStringList told;
    for (Band& band : m_whole) {
        band.isLow = std::ranges::all_of(band.columns, [](const Column& column) { return column.of.whole == 0; });
        for (const Column& column : band.columns)
            told << QStringLiteral("%1 %2").arg(column.scope, percent(column.of.whole));
    }
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    layOut();
}

double DivergenceMap::aroundRows() const {
    double around = std::max(0.0, static_cast<double>(m_bands.size()) - 1) * between();
    for (const Band& band : m_bands)
        around += headerOf(band) + footOf(band);
    return around;
}

int DivergenceMap::leastHeight() const {
    double least = aroundRows();
    const auto flat = [this](const Band& band) { return isFlat(band); };
    const int many = std::ranges::any_of(m_bands, flat) ? kManyBesideLow : kMany;
    for (const Band& band : m_bands) {
        const auto words = static_cast<double>(band.words.size());
        least += flat(band) ? kLowModule : std::max(std::min<double>(words, many) * kLeastRow, words * kLeastMany);
    }
    return static_cast<int>(std::clamp<double>(std::ceil(least), minimumSizeHint().height(), kMostLeast));
}

void DivergenceMap::setCurrent(const TraceRecord* value) {
    m_current = value ? QString::fromStdString(value->owner().scope) : QString();
    if (value) {
        m_currentLayer = value->owner().place.layer;
        m_currentStack = value->owner().place.stack;
    }
    update();
}

void DivergenceMap::setWord(Stack stack, int word) {
    m_wordStack = stack;
    m_word = word;
    update();
}

/// Where a decoder reads what an encoder made, the way there needs room.
double DivergenceMap::between() const {
    return m_titles != Titles::Layers && m_bands.size() == 2 && m_bands.back().stack == Stack::Decoder ? kMemory
                                                                                                       : kBetween;
}

bool DivergenceMap::isCurrent(const Column& column) const {
    if (m_current.isEmpty()) return false;
    if (isInLayers() && column.layer >= 0)
        return column.layer == m_currentLayer && column.of.value->owner().place.stack == m_currentStack;
    return column.scope == m_current;
}

bool DivergenceMap::isOneLine(const Column& column) {
    return paint::textWidth(column.title, uiFont(11)) <= column.area.width() + kGap - 1;
}

QStringList DivergenceMap::titleOf(const Column& column) const {
    switch (m_titles) {
        case Titles::Full:
            return column.title.split(u' ');
        case Titles::Short:
            return {column.shortTitle};
        case Titles::Layers:
            if (column.layer >= 0) return {QString::number(column.layer + 1)};
            return {isOneLine(column) ? column.title : column.shortTitle};
    }
    return {};
}

/// Of a band: layers, what is otherwise in a module, and titles of one line or two.
double DivergenceMap::header() const {
    constexpr double kLine = 13;
    const bool isTold = std::ranges::any_of(m_whole, [](const Band& band) {
        return std::ranges::any_of(band.columns,
                                   [](const Column& column) { return column.isChanged || !column.silent.isEmpty(); });
    });
    return 33 + (m_titles == Titles::Full ? kLine : 0) + (isTold ? kLine : 0);
}

bool DivergenceMap::isFlat(const Band& band) const {
    return band.isLow && !std::ranges::all_of(m_bands, &Band::isLow);
}

bool DivergenceMap::titlesFit() const {
    const QFont small = uiFont(11);
    const auto fits = [&](const Column& column) {
        const double text = std::max(longest(titleOf(column), small), paint::textWidth(percent(1), monoFont(11)));
        return text <= column.area.width() + kGap - 1;
    };
    return std::ranges::all_of(
        m_bands, [&](const Band& band) { return isFlat(band) || std::ranges::all_of(band.columns, fits); });
}

void DivergenceMap::placeColumns(double top, double row, Band& band) const {
    double shares = 0;
    for (const Column& column : band.columns)
        shares += column.share;
    int boundaries = 0;
    for (size_t i = 1; i < band.columns.size(); ++i)
        boundaries += band.columns[i].layer != band.columns[i - 1].layer;
    const double room =
        width() - kLabels - kGap * static_cast<double>(band.columns.size()) - 2 * kInset * (boundaries + 1.0);
    double x = kLabels;
    for (size_t i = 0; i < band.columns.size(); ++i) {
        Column& column = band.columns[i];
        if (i == 0 || column.layer != band.columns[i - 1].layer) x += kInset;
        const double wide = room * column.share / std::max(1.0, shares);
        column.area = {x, top, wide, row * static_cast<double>(band.words.size())};
        x += wide + kGap;
        if (i + 1 < band.columns.size() && band.columns[i + 1].layer != column.layer) x += kInset;
    }
}

/// Bands one below the other; one in which nothing is apart leaves its room to the others.
void DivergenceMap::shareRoom() {
    double words = 0, flat = 0;
    for (const Band& band : m_bands)
        (isFlat(band) ? flat : words) += isFlat(band) ? kLowModule : static_cast<double>(band.words.size());
    const double row = std::clamp((height() - aroundRows() - flat) / std::max(1.0, words), 1.0, kMostRow);
    double top = 0;
    for (Band& band : m_bands) {
        const auto count = static_cast<double>(band.words.size());
        const double own = isFlat(band) ? kLowModule / std::max(1.0, count) : row;
        placeColumns(top + headerOf(band), own, band);
        top += headerOf(band) + own * count + footOf(band) + between();
    }
}

/// As much as there is room for: every module with its name, with its initials, or a column for each layer.
void DivergenceMap::layOut() {
    for (const Titles titles : {Titles::Full, Titles::Short, Titles::Layers}) {
        m_titles = titles;
        m_bands = m_whole;
        for (Band& band : m_bands) {
            if (titles != Titles::Layers) continue;
            // The last module of a layer is what it hands on.
            std::vector<Column> layers;
            for (const Column& column : band.columns) {
                if (!layers.empty() && column.layer >= 0 && layers.back().layer == column.layer) {
                    const Column before = std::exchange(layers.back(), column);
                    // What is otherwise in one of its modules is so in the layer.
                    layers.back().isChanged = before.isChanged || column.isChanged;
                    if (column.silent.isEmpty()) layers.back().silent = before.silent;
                } else {
                    layers.push_back(column);
                }
                layers.back().share = 1;
            }
            band.columns = std::move(layers);
        }
        shareRoom();
        if (titlesFit()) break;
    }
    // By the width alone: whether titles fit does not depend on the height.
    setMinimumHeight(leastHeight());
    updateGeometry();
    update();
}

void DivergenceMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

const DivergenceMap::Column* DivergenceMap::columnAt(QPointF at) const {
    for (const Band& band : m_bands)
        for (const Column& column : band.columns)
            if (column.area.adjusted(-kGap / 2, -headerOf(band), kGap / 2, footOf(band)).contains(at)) return &column;
    return nullptr;
}

bool DivergenceMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Column* column = columnAt(help->pos());
    if (!column) {
        QToolTip::hideText();
        return true;
    }
    QString text = QStringLiteral("%1: %2").arg(moduleTitle(column->of.value->owner()), percent(column->of.whole));
    for (const Band& band : m_bands) {
        const double row = column->area.height() / std::max(1.0, static_cast<double>(band.words.size()));
        const int at = static_cast<int>(std::floor((help->pos().y() - column->area.top()) / row));
        const bool inBand = !band.columns.empty() && band.columns.front().area.top() == column->area.top();
        if (inBand && at >= 0 && at < static_cast<int>(column->of.rows.size()))
            text += QStringLiteral("\n“%1”: %2")
                        .arg(band.words.value(at), percent(column->of.rows[static_cast<size_t>(at)]));
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void DivergenceMap::mousePressEvent(QMouseEvent* event) {
    if (const Column* column = columnAt(event->position())) emit chosen(QString::fromStdString(column->of.value->name));
}

void DivergenceMap::keyPressEvent(QKeyEvent* event) {
    std::vector<const Column*> all;
    int at = -1;
    for (const Band& band : m_bands)
        for (const Column& column : band.columns) {
            if (isCurrent(column)) at = static_cast<int>(all.size());
            all.push_back(&column);
        }
    const ArrowKey arrow(event->key());
    const int step = arrow.right + arrow.down;
    if (step == 0 || all.empty()) return QWidget::keyPressEvent(event);
    const int to = std::clamp(at + step, 0, static_cast<int>(all.size()) - 1);
    emit chosen(QString::fromStdString(all[static_cast<size_t>(to)]->of.value->name));
}

}  // namespace headlight

#include "moc_divergence_map.cpp"
