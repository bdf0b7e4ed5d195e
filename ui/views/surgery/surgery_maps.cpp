// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/surgery/surgery_maps.h"

#include <QGridLayout>
#include <QPainter>
#include <QScrollArea>
#include <algorithm>
#include <utility>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using Kind = PatchDepth::Kind;

namespace {

/// Of how far something moved, over its length, the end of the scale; the number is printed where it is more.
constexpr double kMostMoved = 1.5;
constexpr double kBeside = 14, kArrow = 5;  ///< a way runs as far beside the squares
constexpr int kWayRoom = 30, kBesideShares = kWayRoom + 10;
constexpr int kSourceRow = 2, kTargetRow = 4, kLastRow = 10;  ///< of the grid
constexpr int kBelow = 5;                                     ///< rows, to what stands below the shares
constexpr int kMapsShare = 100;  ///< of the height, for a row of squares; what these cannot take is left below them

/// A scale with its numbers.
class ScaleNote : public QWidget {
public:
    ScaleNote(double least, double most) : m_least(least), m_most(most) {
        setFixedHeight(20);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setAccessibleName(SurgeryMaps::tr("%1 to %2").arg(least).arg(most));
    }
    QSize sizeHint() const override { return {150, 20}; }
    QSize minimumSizeHint() const override { return {90, 20}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        const QFont digits = monoFont(11);
        const double middle = height() / 2.0;
        constexpr double kHigh = 8;
        const QString low = QString::number(m_least).replace(u'-', QChar(0x2212)), high = QString::number(m_most);
        double x = 0;
        paint::centredText(p, {x, middle}, low, digits, t.text2);
        x += paint::textWidth(low, digits) + kGap;
        // The bar gives way, its end does not.
        const double bar = std::min(kWidestBar, width() - x - kGap - paint::textWidth(high, digits));
        const ColorScale scale{ColorScale::Kind::Diverging, m_most};
        constexpr int kSteps = 48;
        for (int i = 0; i < kSteps; ++i)
            p.fillRect(QRectF(x + bar * i / kSteps, middle - kHigh / 2, bar / kSteps + 0.5, kHigh),
                       scale.color(t, m_least + (m_most - m_least) * (i + 0.5) / kSteps));
        paint::box(p, {x, middle - kHigh / 2, bar, kHigh}, {}, t.line2);
        x += bar + kGap;
        paint::centredText(p, {x, middle}, high, digits, t.text2);
    }

private:
    static constexpr double kWidestBar = 96, kGap = 6;

    double m_least, m_most;
};

/// The scale stands beside the note, so that the maps keep their height.
QVBoxLayout* heading(const QString& title, const QString& note, QWidget* scale) {
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    auto* text = new Caption(note, 12, QFont::Medium, Caption::Tone::Secondary);
    text->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(new Caption(title, 13, QFont::DemiBold, Caption::Tone::Main));
    row->addWidget(scale, 1);
    column->addLayout(row);
    column->addWidget(text);
    return column;
}

bool readsMemory(const PatchDepth& depth) {
    return !depth.ofSource &&
           (depth.after == PatchDepth::After::CrossAttention || depth.after == PatchDepth::After::Combine) &&
           depth.head <= 0;
}

}  // namespace

SurgeryMaps::SurgeryMaps(QWidget* parent)
    : QWidget(parent),
      m_sourceName(new Caption(tr("Encoder, after"), 12, QFont::DemiBold, Caption::Tone::Main)),
      m_targetName(new Caption(tr("Decoder, after"), 12, QFont::DemiBold, Caption::Tone::Main)) {
    const ColorScale shares{ColorScale::Kind::Diverging, 1}, moved{ColorScale::Kind::Diverging, kMostMoved};
    for (const bool ofSource : {true, false}) {
        const size_t at = ofSource ? 0 : 1;
        m_shares[at] = new PlaceMap(ofSource ? tr("Shares, source") : tr("Shares, decoder"), shares);
        m_moved[at] = new PlaceMap(ofSource ? tr("Moved, source") : tr("Moved, decoder"), moved);
        m_moved[at]->setEmpty(PlaceMap::Empty::Unreached);
        connect(m_shares[at], &PlaceMap::chosen, this, [this, ofSource](int depth, int position) {
            if (const auto edit = editAt(ofSource, {depth, position})) emit chosen(*edit);
        });
        connect(m_shares[at], &PlaceMap::pointed, this, [this, ofSource](int depth, int position) {
            emit pointed(editAt(ofSource, {depth, position}));
        });
        connect(m_shares[at], &PlaceMap::dropped, this, [this, ofSource](int depth, int position, QPoint to) {
            const auto edit = editAt(ofSource, {depth, position});
            for (const PlaceMap* map : m_moved)
                if (edit && map->isVisible() && map->rect().contains(map->mapFromGlobal(to))) return emit chosen(*edit);
        });
    }
    for (const PlaceMap* map : {m_shares[0], m_shares[1], m_moved[0], m_moved[1]})
        connect(map, &PlaceMap::resized, this, &SurgeryMaps::alignWords);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, kWayRoom, 0);
    grid->setVerticalSpacing(6);
    grid->addLayout(heading(tr("What B's pieces are worth"),
                            tr("share of the answer that moves; 1: A answers as B does"), new ScaleNote(-1, 1)),
                    0, 0);
    m_movedHeading = heading(tr("What follows in A"), tr("how far it moved, ‖Δx‖ / ‖x‖; empty: not reached"),
                             new ScaleNote(0, kMostMoved));
    grid->addWidget(m_sourceName, kSourceRow - 1, 0);
    grid->addWidget(m_shares[0], kSourceRow, 0);
    grid->addWidget(m_targetName, kTargetRow - 1, 0);
    grid->addWidget(m_shares[1], kTargetRow, 0);
    for (QLabel*& name : m_movedNames) {
        name = new Caption({}, 12, QFont::DemiBold, Caption::Tone::Main, this);
        name->hide();
    }
    grid->addItem(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Expanding), kLastRow, 0);
    grid->setRowStretch(kLastRow, 1);
    place();
}

/// What moved, beside the shares or below them.
void SurgeryMaps::place() {
    auto* const grid = static_cast<QGridLayout*>(layout());
    const int column = m_isStacked ? 0 : 1, down = m_isStacked ? kBelow : 0;
    grid->removeItem(m_movedHeading);
    grid->addLayout(m_movedHeading, down, column);
    constexpr int kBetweenMaps = 14;
    m_movedHeading->setContentsMargins(0, m_isStacked ? kBetweenMaps : 0, 0, 0);
    for (const size_t at : {size_t{0}, size_t{1}}) {
        const int row = at == 0 ? kSourceRow : kTargetRow;
        grid->removeWidget(m_moved[at]);
        grid->removeWidget(m_movedNames[at]);
        grid->addWidget(m_moved[at], row + down, column);
        if (m_isStacked) grid->addWidget(m_movedNames[at], row + down - 1, column);
        const QLabel* const name = at == 0 ? m_sourceName : m_targetName;
        m_movedNames[at]->setText(name->text());
        m_movedNames[at]->setVisible(m_isStacked && !m_shares[at]->isEmpty());
        grid->setRowStretch(row, kMapsShare * m_shares[at]->rows());
        grid->setRowStretch(row + kBelow, m_isStacked ? kMapsShare * m_shares[at]->rows() : 0);
    }
    for (const int each : {0, 1})
        grid->setColumnStretch(each, m_isStacked ? 1 - each : 1);
    grid->setHorizontalSpacing(m_isStacked ? 0 : kBesideShares);
}

/// Beside the shares stand the names of the depths; what is below them has its own.
void SurgeryMaps::nameDepths(bool ofSource) {
    PlaceMap& map = *moved(ofSource);
    map.setDepths(m_isStacked ? shares(ofSource)->depths() : QStringList());
}

double SurgeryMaps::widthBeside() const {
    double widest = 0;
    for (const size_t at : {size_t{0}, size_t{1}}) {
        if (m_shares[at]->isEmpty()) continue;
        // The names are whole, and so is the title of what moved.
        const double left = std::max(m_shares[at]->namesWanted() + PlaceMap::squaresWanted(m_shares[at]->columns()),
                                     m_shares[at]->namesWanted() / PlaceMap::kMostForNames);
        const double right =
            std::max<double>(PlaceMap::squaresWanted(m_moved[at]->columns()), m_movedHeading->minimumSize().width());
        widest = std::max(widest, left + right);
    }
    return kWayRoom + kBesideShares + widest;
}

QSize SurgeryMaps::minimumSizeHint() const {
    double squares = 0, names = 0;
    for (const size_t at : {size_t{0}, size_t{1}}) {
        names = std::max(names, m_shares[at]->namesWanted());
        for (const PlaceMap* map : {m_shares[at], m_moved[at]})
            if (!map->isEmpty()) squares = std::max(squares, PlaceMap::squaresWanted(map->columns()));
    }
    return {static_cast<int>(std::ceil(names + squares)) + waysRoom(), QWidget::minimumSizeHint().height()};
}

/// Rows stand beside their own.
void SurgeryMaps::alignWords() {
    for (const size_t at : {size_t{0}, size_t{1}}) {
        const double header = std::max(m_shares[at]->headerWanted(), m_moved[at]->headerWanted());
        m_shares[at]->setHeader(header);
        m_moved[at]->setHeader(header);
    }
    update();
}

/// A square on the left is as wide as one on the right; beside those on the left stand their names.
void SurgeryMaps::shareWidth() {
    // By the width without a bar that scrolls: that it appears, or goes, changes nothing.
    const int free = area() ? area()->maximumViewportSize().width() : width();
    if (const bool stacked = widthBeside() > free; std::exchange(m_isStacked, stacked) != stacked) {
        place();
        nameDepths(true);
        nameDepths(false);
        layout()->activate();
        updateGeometry();
    }
    auto* const grid = static_cast<QGridLayout*>(layout());
    const int room = width() - grid->contentsMargins().right() - grid->horizontalSpacing();
    double names = 0;
    int left = 0, right = 0;
    for (const size_t at : {size_t{0}, size_t{1}}) {
        if (m_shares[at]->isEmpty()) continue;
        names = std::max(names, m_shares[at]->namesWanted());
        left = std::max(left, m_shares[at]->columns());
        right = std::max(right, m_moved[at]->columns());
    }
    for (const size_t at : {size_t{0}, size_t{1}}) {
        m_shares[at]->setNamesWidth(names);
        m_moved[at]->setNamesWidth(m_isStacked ? names : 0);
    }
    if (m_isStacked) return;
    if (left == 0 || right == 0 || room <= names) return;
    const double square = (room - names) / (left + right);
    const std::array wide{static_cast<int>(names + left * square), static_cast<int>(right * square)};
    if (grid->columnStretch(0) == wide[0] && grid->columnStretch(1) == wide[1]) return;
    grid->setColumnStretch(0, wide[0]);
    grid->setColumnStretch(1, wide[1]);
    grid->activate();  // a square does not move away from under the pointer later
}

/// Null where the maps stand in none.
const QScrollArea* SurgeryMaps::area() const {
    return parentWidget() ? qobject_cast<QScrollArea*>(parentWidget()->parentWidget()) : nullptr;
}

/// A bar that appears takes of the room of the ways: squares that grew narrower by it could make words stand upright,
/// and so ask for the bar for ever.
int SurgeryMaps::waysRoom() const {
    const int bar = area() ? area()->maximumViewportSize().width() - area()->viewport()->width() : 0;
    return std::max(0, kWayRoom - bar);
}

void SurgeryMaps::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->setContentsMargins(0, 0, waysRoom(), 0);
    shareWidth();
}

std::vector<const PatchDepth*> SurgeryMaps::depths() const {
    return m_picture ? m_picture->depths(m_kind) : std::vector<const PatchDepth*>();
}

int SurgeryMaps::offset(bool ofSource) const {
    if (ofSource) return 0;
    return static_cast<int>(std::ranges::count_if(depths(), [](const PatchDepth* depth) { return depth->ofSource; }));
}

std::optional<SurgeryEdit> SurgeryMaps::editAt(bool ofSource, PlaceMap::Place place) const {
    if (place.depth < 0) return {};
    const SurgeryEdit edit{m_kind, place.depth + offset(ofSource), place.position, true};
    const auto& row = m_map[static_cast<size_t>(edit.depth)];
    return row[static_cast<size_t>(place.position)] ? std::optional(edit) : std::nullopt;
}

/// Nowhere in a map of another kind or of the other side.
PlaceMap::Place SurgeryMaps::placeIn(bool ofSource, const SurgeryEdit& edit) const {
    if (edit.kind != m_kind || (edit.depth < offset(false)) != ofSource) return {};
    return {edit.depth - offset(ofSource), edit.position};
}

void SurgeryMaps::setShares(std::shared_ptr<const SurgeryPicture> picture, Kind kind, SurgeryPicture::Map map) {
    m_picture = std::move(picture);
    m_kind = kind;
    m_map = std::move(map);
    const auto of = depths();
    for (const bool ofSource : {true, false}) {
        QStringList names, words;
        PlaceMap::Numbers numbers;
        for (size_t i = 0; i < of.size(); ++i) {
            if (of[i]->ofSource != ofSource) continue;
            names << SurgeryPicture::nameOf(*of[i]);
            words = m_picture->wordsOfB(*of[i]);
            numbers.push_back(m_map[i]);
        }
        shares(ofSource)->setMap(names, words, std::move(numbers));
        if (!m_picture) moved(ofSource)->setMap({}, {}, {});
    }
    m_sourceName->setText(m_picture && m_picture->hasTwoSides() ? tr("Encoder, after") : tr("After"));
    m_sourceName->setVisible(!shares(true)->isEmpty());
    m_targetName->setVisible(!shares(false)->isEmpty());
    place();
    update();
}

void SurgeryMaps::setOutcome(const SurgeryPicture::Outcome& outcome, const std::vector<SurgeryEdit>& edits,
                             const std::optional<SurgeryEdit>& tried) {
    const auto of = depths();
    const SurgeryPicture::Map& all = outcome.moved[static_cast<size_t>(m_kind)];
    m_memoryMoved = false;
    for (const bool ofSource : {true, false}) {
        QStringList words, spoken;
        PlaceMap::Numbers numbers;
        for (size_t i = 0; i < of.size(); ++i) {
            if (of[i]->ofSource != ofSource) continue;
            words = m_picture->wordsOfA(*of[i]);
            spoken << SurgeryPicture::nameOf(*of[i]);
            numbers.push_back(all[i]);
        }
        moved(ofSource)->setMap({}, words, std::move(numbers), spoken);
        nameDepths(ofSource);
        std::vector<PlaceMap::Place> marked;
        for (const SurgeryEdit& edit : edits) {
            const PlaceMap::Place place = placeIn(ofSource, edit);
            if (place.depth >= 0 && edit.isOn) marked.push_back(place);
        }
        const PlaceMap::Place last = marked.empty() ? PlaceMap::Place() : marked.back(),
                              pointedAt = tried ? placeIn(ofSource, *tried) : PlaceMap::Place();
        for (PlaceMap* map : {shares(ofSource), moved(ofSource)}) {
            map->setTried(pointedAt);
            map->setMarked(marked, last);
        }
    }
    shareWidth();
    alignWords();
    // What the decoder reads is the encoder's last state, whatever kind is looked at.
    const auto states = m_picture->depths(Kind::State);
    for (size_t i = 0; i < states.size(); ++i)
        if (states[i]->ofSource)
            m_memoryMoved = std::ranges::any_of(outcome.moved[0][i], [](const auto& cell) { return cell.has_value(); });
    update();
}

std::vector<QPolygonF> SurgeryMaps::memoryWays(bool onRight) const {
    const PlaceMap &above = onRight ? *moved(true) : *shares(true), &below = onRight ? *moved(false) : *shares(false);
    if (!m_picture || !m_picture->hasTwoSides() || above.isEmpty() || below.isEmpty()) return {};
    const auto rightOf = [this](const PlaceMap& map, int depth) {
        const QRectF cell = map.cellRect({depth, std::max(0, map.columns() - 1)});
        return QPointF(map.mapTo(this, QPoint(0, 0))) + QPointF(cell.right() + 1, cell.center().y());
    };
    const QPointF from = rightOf(above, static_cast<int>(above.numbers().size()) - 1);
    const double x = std::max(from.x(), rightOf(below, 0).x()) + kBeside;
    const auto of = depths();
    std::vector<QPolygonF> ways;
    for (size_t i = static_cast<size_t>(offset(false)); i < of.size(); ++i) {
        if (!readsMemory(*of[i])) continue;
        const QPointF to = rightOf(below, static_cast<int>(i) - offset(false));
        ways.push_back(QPolygonF{from, QPointF(x, from.y()), QPointF(x, to.y()), to + QPointF(3, 0)});
    }
    return ways;
}

void SurgeryMaps::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (const bool onRight : {false, true}) {
        const std::vector<QPolygonF> ways = memoryWays(onRight);
        const QColor color = !onRight ? t.encoder : m_memoryMoved ? t.nowLine : t.line2;
        p.setPen(QPen(color, onRight && m_memoryMoved ? 2 : 1.5));
        p.setBrush(Qt::NoBrush);
        for (const QPolygonF& way : ways) {
            p.drawPolyline(way);
            const QPointF to = way.back();
            p.drawPolyline(QPolygonF{to + QPointF(kArrow, -kArrow), to, to + QPointF(kArrow, kArrow)});
        }
        if (ways.empty()) continue;
        // Between the two maps, where nothing else is written.
        const QLabel& name = onRight && m_isStacked ? *m_movedNames[1] : *m_targetName;
        const QPointF at(ways.front()[1].x() - 6, name.geometry().center().y());
        paint::centredText(p, at, tr("memory"), uiFont(11), onRight && m_memoryMoved ? t.nowText : t.text2,
                           Anchor::End);
    }
}

}  // namespace headlight

#include "moc_surgery_maps.cpp"
