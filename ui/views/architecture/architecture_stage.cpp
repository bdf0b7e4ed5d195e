// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/architecture/architecture_stage.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/theme/glide.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kMargin = 24, kRightLane = 26, kHeader = 44, kBeam = 40;

/// Beside a lesson every pixel is wanted.
double rightMargin(double width) {
    return width < 600 ? 4 : kMargin;
}

/// What a step does, as a verb: the stations at the head of an open block.
QString verb(const TraceRecord& record) {
    switch (record.operation) {
        case Operation::Linear:
            if (record.is(ModuleKind::Attention, Part::Output)) return ArchitectureStage::tr("Join");
            return record.owner().kind == ModuleKind::Attention ? ArchitectureStage::tr("Project")
                                                                : ArchitectureStage::tr("Linear");
        case Operation::Concat:
            return ArchitectureStage::tr("Join");
        case Operation::AttentionScores:
        case Operation::DotScores:
        case Operation::AdditiveScores:
            return ArchitectureStage::tr("Score");
        case Operation::Softmax:
            return ArchitectureStage::tr("Softmax");
        case Operation::WeightedSum:
            return ArchitectureStage::tr("Mix");
        case Operation::Input:
            return ArchitectureStage::tr("Ids");
        case Operation::Embedding:
            return ArchitectureStage::tr("Look up");
        case Operation::PositionalEncoding:
            return ArchitectureStage::tr("Positions");
        case Operation::Add:
            return ArchitectureStage::tr("Add");
        case Operation::LayerNorm:
        case Operation::RmsNorm:
            return ArchitectureStage::tr("Norm");
        case Operation::Multiply:
            return ArchitectureStage::tr("Gate");
        case Operation::Rotation:
            return ArchitectureStage::tr("Turn");
        case Operation::RelativeBias:
            return ArchitectureStage::tr("Distances");
        case Operation::Activation:
            return ArchitectureStage::tr("Activate");
        case Operation::Gate:
        case Operation::Candidate:
            return ArchitectureStage::tr("Gates");
        case Operation::CellState:
            return ArchitectureStage::tr("Cell");
        case Operation::HiddenState:
            return ArchitectureStage::tr("State");
        case Operation::SoftCap:
            return ArchitectureStage::tr("Cap");
        case Operation::LogSoftmax:
            return ArchitectureStage::tr("Log-softmax");
        case Operation::Tanh:
            return ArchitectureStage::tr("Tanh");
        case Operation::Identity:
            return ArchitectureStage::tr("Hand on");
        case Operation::Mask:
            break;
    }
    return {};
}

}  // namespace

ArchitectureStage::ArchitectureStage(Selection* selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_glide(new Glide(this, [this] {
          const int node = m_trace ? m_graph.nodeOf(current()) : -1;
          return node < 0 ? QRectF() : m_graph.nodes[static_cast<size_t>(node)].matrix;
      })) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Architecture"));
    for (QVariantAnimation* way : {&m_zoom, &m_beamWay}) {
        way->setDuration(motion::kZoom);
        way->setEasingCurve(QEasingCurve::InOutCubic);
        way->setStartValue(0.0);
        way->setEndValue(1.0);
    }
    connect(&m_zoom, &QVariantAnimation::valueChanged, this, [this] { relayout(); });
    connect(&m_beamWay, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(selection, &Selection::valueChanged, this, &ArchitectureStage::followValue);
    connect(selection, &Selection::changed, this, [this] {
        findUnderWay();  // of another head
        reroute();
    });
}

void ArchitectureStage::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    m_trace = std::move(trace);
    m_selection->setTrace(m_trace);
    m_tree = m_trace ? moduleTree(*m_trace) : ModuleTree();
    m_rowWords.clear();
    m_columnWords.clear();
    m_hoveredRecord = -1;
    m_beamWay.stop();
    m_beamPlace = m_trace ? m_tree.placeOf(current()) : ModuleTree::Place();
    findUnderWay();
    relayout();
}

void ArchitectureStage::setMuted(const QSet<QString>& heads) {
    if (m_muted == heads) return;
    m_muted = heads;
    relayout();
}

bool ArchitectureStage::isStruckThrough(int head) const {
    return std::ranges::any_of(m_chips, [head](const Chip& chip) { return chip.head == head && chip.muted; });
}

void ArchitectureStage::setLevel(ArchitectureLevel level) {
    if (m_level == level) return;
    m_detailFrom = detailRect();
    m_level = level;
    emit levelChanged();
    m_zoom.stop();
    if (motion::isReduced() || !isVisible()) return relayout();
    m_zoom.start();
}

int ArchitectureStage::current() const {
    return m_trace ? m_trace->indexOf(m_selection->value().toStdString()) : -1;
}

bool ArchitectureStage::isDetailAlone() const {
    constexpr int kLeastAround = 500;
    return m_level == ArchitectureLevel::Operation || (m_level == ArchitectureLevel::Block && height() < kLeastAround);
}

/// Where the detail stands once nothing moves.
QRectF ArchitectureStage::targetDetail() const {
    const QRectF all = QRectF(rect()).adjusted(kMargin, 8, -rightMargin(width()), -14);
    if (isDetailAlone()) return all;
    if (m_level != ArchitectureLevel::Block || m_map.items.empty()) return {};
    double top = all.top(), bottom = all.bottom();
    for (const ArchitectureMap::Item& item : m_map.items) {
        const bool below = item.rect.center().y() > all.center().y();
        if (below)
            bottom = std::min(bottom, item.rect.top() - kBeam - 14);
        else
            top = std::max(top, item.rect.bottom() + kBeam);
    }
    for (const ArchitectureMap::Frame& frame : m_map.frames) {
        if (frame.rect.center().y() > all.center().y())
            bottom = std::min(bottom, frame.rect.top() - kBeam - 14);
        else
            top = std::max(top, frame.rect.bottom() + kBeam);
    }
    return {all.left(), top, all.width() - kRightLane, bottom - top};
}

QRectF ArchitectureStage::detailRect() const {
    const QRectF to = targetDetail();
    if (m_zoom.state() != QAbstractAnimation::Running) return to;
    // A detail that opens comes from the block, one that closes goes back to it.
    const QRectF block = m_map.rectOf(m_tree.placeOf(current()));
    const QRectF from = m_detailFrom.isValid() ? m_detailFrom : block, end = to.isValid() ? to : block;
    const double t = m_zoom.currentValue().toDouble();
    const auto mix = [t](double a, double b) { return a + (b - a) * t; };
    return {mix(from.x(), end.x()), mix(from.y(), end.y()), mix(from.width(), end.width()),
            mix(from.height(), end.height())};
}

/// The records whose matrices are in the detail.
std::vector<int> ArchitectureStage::shownRecords() const {
    if (m_level == ArchitectureLevel::Operation) return {current()};
    return m_tree.block(m_tree.placeOf(current())).records;
}

void ArchitectureStage::relayout() {
    m_map = {};
    m_graph = {};
    m_chips.clear();
    update();
    const ModuleTree::Place place = m_trace ? m_tree.placeOf(current()) : ModuleTree::Place();
    if (!place.valid()) return;
    const double height = this->height(), width = this->width() - kMargin - rightMargin(this->width());
    const size_t stacks = m_tree.stacks.size();
    std::vector<QRectF> rows;
    const bool closed = m_level == ArchitectureLevel::Model || m_level == ArchitectureLevel::Layer;
    const double rowHeight = std::clamp(closed ? height * 0.24 : height * 0.165, 84.0, closed ? 180.0 : 122.0);
    if (closed) {
        const double between =
            std::min(120.0, (height - rowHeight * static_cast<double>(stacks)) / static_cast<double>(stacks + 1));
        for (size_t i = 0; i < stacks; ++i)
            rows.emplace_back(kMargin, between + static_cast<double>(i) * (rowHeight + between), width - kRightLane,
                              rowHeight);
    } else {
        rows.emplace_back(kMargin, 26, width - kRightLane, rowHeight);
        if (stacks > 1) rows.emplace_back(kMargin, height - rowHeight - 12, width - kRightLane, rowHeight);
    }
    m_map = layOut(m_tree, *m_trace, place, m_level, rows);
    const QRectF detail = detailRect();
    if (detail.height() < kHeader + 40) return;
    const QRectF room = detail.adjusted(16, kHeader + 12, -16, -8);
    m_graph = layOutOperations(*m_trace, shownRecords(), room);
    if (const double upright = uprightWords(); upright > 0)
        m_graph = layOutOperations(*m_trace, shownRecords(), room, upright);
    reroute();
    layOutHeader();
}

/// The height of words above columns that are too narrow for them; 0 where they lie, or there is no height to spare.
double ArchitectureStage::uprightWords() const {
    constexpr double kSpare = 150, kMost = 64;
    double longest = 0;
    bool fit = true;
    for (const OperationGraph::Node& node : m_graph.nodes) {
        const double width = node.matrix.width() / matrixColumns(record(node.record));
        if (!node.square || width < kNarrowestColumn || node.matrix.height() < kSpare) continue;
        for (const QString& word : wordsOfColumns(node.record)) {
            const double needs = paint::textWidth(word, uiFont(width < 30 ? 10 : 12));
            fit = fit && needs <= width - 2;
            longest = std::max(longest, paint::textWidth(word, uiFont(12, QFont::DemiBold)));
        }
    }
    return fit ? 0 : std::min(longest + 8, kMost);
}

Selection::Cell ArchitectureStage::scoreCell() const {
    const int node = m_graph.nodeOf(m_hoveredRecord);
    if (node >= 0 && m_graph.nodes[static_cast<size_t>(node)].square && m_hovered.valid())
        return {m_hovered.row, m_hovered.column};
    if (m_underWay && m_underWay->score) return {m_underWay->row, m_underWay->column};
    return m_selection->shown();
}

void ArchitectureStage::reroute() {
    update();
    if (!m_trace) return;
    const Selection::Cell cell = scoreCell();
    routeScores(m_graph, *m_trace, cell.query, cell.key);
}

void ArchitectureStage::layOutHeader() {
    const QRectF detail = detailRect();
    const ModuleBlock& block = m_tree.block(m_tree.placeOf(current()));
    const double y = detail.top() + kHeader / 2;
    m_detailTitle = block.label;
    double x = detail.left() + 16 + paint::textWidth(m_detailTitle, uiFont(13, QFont::DemiBold)) + 20;
    const int heads = matrixHeads(record(block.mainRecord(*m_trace)));
    for (int head = 0; heads > 1 && head < heads; ++head) {
        Chip chip;
        chip.rect = {x, y - 11, 22, 22};
        chip.text = QString::number(head + 1);
        chip.head = head;
        chip.on = head == m_selection->head();
        chip.muted = m_muted.contains(headName(QString::fromStdString(block.scope), head));
        if (chip.rect.right() > detail.right() - 16) break;
        m_chips.push_back(chip);
        x += 26;
    }
    const double left = x + 12;
    std::vector<Chip> stations;
    for (const int at : block.records) {
        const QString text = verb(record(at));
        if (text.isEmpty()) continue;
        if (stations.empty() || stations.back().text != text) {
            Chip& chip = stations.emplace_back();
            chip.text = text;
            chip.record = at;
        }
        if (at == current()) stations.back().on = true;
    }
    double right = detail.right() - 16;
    for (size_t i = stations.size(); i-- > 0;) {
        Chip& chip = stations[i];
        const double width = paint::textWidth(chip.text, uiFont(12, QFont::DemiBold)) + 16;
        chip.rect = {right - width, y - 12, width, 24};
        right -= width + 14;
    }
    if (right > left) m_chips.insert(m_chips.end(), stations.begin(), stations.end());
}

const QStringList& ArchitectureStage::wordsOfRows(int index) const {
    auto [at, isNew] = m_rowWords.try_emplace(index);
    if (isNew) at->second = rowNames(*m_model, *m_trace, record(index));
    return at->second;
}

const QStringList& ArchitectureStage::wordsOfColumns(int index) const {
    auto [at, isNew] = m_columnWords.try_emplace(index);
    if (isNew) at->second = columnNames(*m_model, *m_trace, record(index));
    return at->second;
}

void ArchitectureStage::choose(int index) {
    if (index >= 0) m_selection->setValue(QString::fromStdString(record(index).name));
}

void ArchitectureStage::stepValue(int by) {
    const ModuleTree::Place place = m_tree.placeOf(current());
    if (!place.valid()) return;
    int index = current() + by;
    const int count = static_cast<int>(m_trace->records().size());
    while (index >= 0 && index < count && record(index).operation == Operation::Mask)
        index += by;
    if (index >= 0 && index < count) choose(index);
}

void ArchitectureStage::resizeEvent(QResizeEvent*) {
    relayout();
}

void ArchitectureStage::mouseMoveEvent(QMouseEvent* event) {
    const int node = m_graph.nodeAt(event->position());
    const int over = node >= 0 ? m_graph.nodes[static_cast<size_t>(node)].record : -1;
    ValueCell cell = node >= 0 ? m_graph.cellAt(*m_trace, node, event->position()) : ValueCell();
    cell.head = m_selection->head();
    const bool clickable =
        over >= 0 || m_map.itemAt(event->position()) >= 0 ||
        std::ranges::any_of(m_chips, [&](const Chip& c) { return c.rect.contains(event->position()); });
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (over == m_hoveredRecord && cell == m_hovered) return;
    m_hoveredRecord = over;
    m_hovered = cell;
    if (over == current()) m_selection->setHoveredNumber(cell);
    reroute();
}

void ArchitectureStage::leaveEvent(QEvent*) {
    m_hoveredRecord = -1;
    m_hovered = {};
    m_selection->setHoveredNumber({});
    reroute();
}

void ArchitectureStage::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_trace) return;
    const QPointF at = event->position();
    if (offerRect().contains(at)) return emit stepWanted(current());
    for (const Chip& chip : m_chips) {
        if (!chip.rect.contains(at)) continue;
        if (chip.head >= 0) return m_selection->setHead(chip.head);
        return choose(chip.record);
    }
    if (const int node = m_graph.nodeAt(at); node >= 0 && detailRect().contains(at)) {
        const int index = m_graph.nodes[static_cast<size_t>(node)].record;
        ValueCell cell = m_graph.cellAt(*m_trace, node, at);
        cell.head = m_selection->head();
        choose(index);
        if (cell.valid()) m_selection->setNumber(cell);
        return;
    }
    if (detailRect().contains(at)) return;
    const int item = m_map.itemAt(at);
    if (item < 0) return;
    const ArchitectureMap::Item chosen = m_map.items[static_cast<size_t>(item)];
    choose(chosen.record);
    using Level = ArchitectureLevel;
    if (chosen.kind == ArchitectureMap::ItemKind::ClosedLayer && m_level == Level::Model) return setLevel(Level::Layer);
    if (chosen.kind == ArchitectureMap::ItemKind::Block && m_level < Level::Block) setLevel(Level::Block);
}

void ArchitectureStage::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) return event->ignore();
    const int by = event->angleDelta().y() > 0 ? 1 : -1;
    setLevel(static_cast<ArchitectureLevel>(std::clamp(static_cast<int>(m_level) + by, 0, 3)));
}

void ArchitectureStage::keyPressEvent(QKeyEvent* event) {
    if (!m_trace) return QWidget::keyPressEvent(event);
    const auto zoom = [this](int by) {
        setLevel(static_cast<ArchitectureLevel>(std::clamp(static_cast<int>(m_level) + by, 0, 3)));
    };
    const auto turnHead = [this](int by) {
        const int heads = current() >= 0 ? matrixHeads(record(current())) : 1;
        m_selection->setHead(std::clamp(m_selection->head() + by, 0, std::max(1, heads) - 1));
    };
    switch (event->key()) {
        case Qt::Key_Left:
            return stepValue(-1);
        case Qt::Key_Right:
            return stepValue(1);
        case Qt::Key_Up:
            return turnHead(-1);
        case Qt::Key_Down:
            return turnHead(1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Plus:
            return zoom(1);
        case Qt::Key_Escape:
        case Qt::Key_Minus:
            return zoom(-1);
        default:
            return QWidget::keyPressEvent(event);
    }
}

bool ArchitectureStage::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !m_trace) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    if (m_hoveredRecord >= 0 && m_hovered.valid()) {
        const TraceRecord& over = record(m_hoveredRecord);
        ValueCell cell = m_hovered;
        cell.head = headOf(over, cell.head);
        text = tr("%1, %2, %3: %4")
                   .arg(valueTitle(over), wordsOfRows(m_hoveredRecord).value(cell.row),
                        wordsOfColumns(m_hoveredRecord).value(cell.column), hintOf(m_hoveredRecord, cell));
    } else if (const int item = m_map.itemAt(help->pos()); item >= 0) {
        const int at = m_map.items[static_cast<size_t>(item)].record;
        if (at >= 0) text = tr("%1  %2").arg(QString::fromStdString(record(at).name), shapeText(record(at)));
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace headlight

#include "moc_architecture_stage.cpp"
