// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/decode_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>
#include <QtMath>
#include <algorithm>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/playhead.h"
#include "ui/views/decode/decode_panel.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/heads/muted_mark.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/play_bar.h"

namespace headlight {

/// What the boxes of the tree mean.
class TreeLegend : public QWidget {
public:
    TreeLegend() { setFixedHeight(28); }
    void setHasFixed(bool hasFixed) {
        m_hasFixed = hasFixed;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        double x = 20;
        const auto entry = [&](const QString& text, const QColor& fill, const QColor& border, double width) {
            paint::box(p, QRectF(x, 7, 22, 14), fill, border, 4, width);
            paint::centredText(p, {x + 30, 14}, text, uiFont(12), t.text2);
            x += 30 + paint::textWidth(text, uiFont(12)) + 20;
        };
        entry(DecodeView::tr("best"), t.nowTint, t.nowLine, 2);
        entry(DecodeView::tr("finished"), t.goodTint, t.good, 1);
        entry(DecodeView::tr("kept"), t.surface, t.text2, 1);
        entry(m_hasFixed ? DecodeView::tr("pruned, or ruled out by a fixed word") : DecodeView::tr("pruned"), t.bg,
              t.line2, 1);
        // As much of the rest as there is room for.
        for (const QString& numbers :
             {DecodeView::tr("Below a word: log P of everything so far. Bar: its own probability"),
              DecodeView::tr("Below a word: log P so far"), DecodeView::tr("log P so far")}) {
            if (x + paint::textWidth(numbers, uiFont(12)) + 20 > width()) continue;
            paint::centredText(p, {width() - 20.0, 14}, numbers, uiFont(12), t.text3, Anchor::End);
            break;
        }
    }

private:
    bool m_hasFixed = false;
};

namespace {

constexpr int kBeams[] = {1, 2, 3, 4, 5, 8, 10};

/// Words that both searches looked at alike, and took alike.
int sameSteps(const SearchTree& one, const SearchTree& other) {
    const auto alike = [](const SearchNode& a, const SearchNode& b) {
        return a.parent == b.parent && a.token == b.token && a.state == b.state;
    };
    const auto [a, b] = std::ranges::mismatch(one.nodes, other.nodes, alike);
    int steps = b == other.nodes.end() ? (b == other.nodes.begin() ? 0 : (b - 1)->step) : b->step - 1;
    if (a != one.nodes.end()) steps = std::min(steps, a->step - 1);
    return steps;
}

BeamTree::Node::State stateOf(SearchNode::State state) {
    using State = BeamTree::Node::State;
    switch (state) {
        case SearchNode::State::Kept:
            return State::Kept;
        case SearchNode::State::Finished:
            return State::Finished;
        case SearchNode::State::Excluded:
            return State::Excluded;
        case SearchNode::State::Pruned:
            break;
    }
    return State::Pruned;
}

std::vector<BeamTree::Node> nodesOf(const Decoding::Result& result) {
    const std::vector<BeamLanes::Node> lanes = result.lanes();
    const std::vector<int>& prefix = result.settings.prefix;
    std::vector<BeamTree::Node> nodes(lanes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
        const SearchNode& searched = result.search.tree.nodes[i];
        static_cast<BeamLanes::Node&>(nodes[i]) = lanes[i];
        nodes[i].word = result.wordAt(static_cast<int>(i));
        nodes[i].logProb = searched.logProb;
        nodes[i].state = stateOf(searched.state);
        // The words that the reader fixed, not those that stood beside them.
        const auto step = static_cast<size_t>(searched.step);
        const bool follows = searched.parent < 0 || nodes[static_cast<size_t>(searched.parent)].fixed;
        nodes[i].fixed = follows && step <= prefix.size() && searched.token == prefix[step - 1];
        nodes[i].glued = searched.parent >= 0 && result.isOneWord(searched.parent, static_cast<int>(i));
    }
    return nodes;
}

}  // namespace

DecodeView::DecodeView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_empty(new Caption({}, 15, QFont::Normal, Caption::Tone::Secondary)),
      m_beam(new SegmentedControl({"1", "2", "3", "4", "5", "8", "10"})),
      m_beams(std::begin(kBeams), std::end(kBeams)),
      m_isOwn(new Caption(tr("the model's own search"), 12, QFont::Normal, Caption::Tone::Secondary)),
      m_own(new Button(Button::Kind::Ghost, tr("The model's own"), Icon::Reset)),
      m_maxLength(new QSpinBox),
      m_deadEnds(new SegmentedControl({tr("Folded"), tr("Shown")})),
      m_fixed(new Caption({}, 12, QFont::Medium, Caption::Tone::Main)),
      m_release(new Button(Button::Kind::Ghost, tr("Release"), Icon::Reset)),
      m_muted(new MutedMark(MutedMark::Size::Full)),
      m_tree(new BeamTree),
      m_panel(new DecodePanel),
      m_head(new Playhead(this)),
      m_steps(new PlayBar(m_head, {tr("One word back"), tr("One word on"), tr("Words searched")})) {
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makeStage(), 1);
    columns->addWidget(m_panel);
    m_panel->setPanelName("hypotheses");
    m_pages->addWidget(m_empty);
    m_pages->addWidget(room);

    connect(m_tree, &BeamTree::nodeSelected, this, &DecodeView::showNode);
    connect(m_tree, &BeamTree::nodeFixed, this, &DecodeView::fixPath);
    connect(m_panel, &DecodePanel::penaltyChanged, this, &DecodeView::penaltyChanged);
    connect(m_panel, &DecodePanel::hypothesisChosen, this, [this](int hypothesis) {
        const auto& all = m_result->search.translation.hypotheses;
        const int node = m_result->endOf(all[static_cast<size_t>(hypothesis)]);
        m_tree->setSelected(node);
        showNode(node);
    });
    connect(m_panel, &DecodePanel::fixWanted, this, [this] { fixPath(m_tree->selected()); });
    connect(m_panel, &DecodePanel::nextWordChosen, this, &DecodeView::fixNextWord);
    connect(m_head, &Playhead::moved, this, &DecodeView::showSteps);
    connect(&m_growth, &QVariantAnimation::valueChanged, m_tree,
            [this](const QVariant& steps) { showTime(steps.toDouble()); });
    setResult(nullptr);
}

/// Beside a lesson there is no room for every caption: their controls' tips say the same.
void DecodeView::fitBar() {
    const auto width = [this](const QWidget* caption) {
        return caption->sizeHint().width() + m_bar->layout()->spacing();
    };
    int needed = m_bar->layout()->sizeHint().width();
    for (const QWidget* caption : m_captions)
        if (caption->isHidden()) needed += width(caption);
    for (QWidget* caption : m_captions) {
        const bool hasRoom = needed <= m_bar->width();
        if (!hasRoom) needed -= width(caption);
        if (caption->isHidden() == hasRoom) caption->setVisible(hasRoom);  // which asks for another layout
    }
}

bool DecodeView::eventFilter(QObject* watched, QEvent* event) {
    const bool isMoved = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (watched == m_bar && isMoved) fitBar();
    return QWidget::eventFilter(watched, event);
}

QWidget* DecodeView::makeBar() {
    auto* bar = new Panel(Qt::BottomEdge);
    m_bar = bar;
    bar->setFixedHeight(52);
    bar->setHoldsControls();
    bar->setPanelName("controls");
    bar->installEventFilter(this);
    auto* row = new QHBoxLayout(bar);
    const auto caption = [this](const QString& text) {
        auto* label = new Caption(text, 12, QFont::Medium, Caption::Tone::Secondary);
        m_captions.insert(m_captions.begin(), label);
        return label;
    };
    row->setContentsMargins(20, 0, 20, 1);
    row->setSpacing(8);
    showBeams(Decoding::Settings().beam, 0);
    m_isOwn->hide();
    m_own->hide();
    m_own->setHeight(28);
    m_beam->setAccessibleName(tr("Beam width"));
    m_beam->setToolTip(tr("Beam width"));
    m_maxLength->setRange(1, 100);
    m_maxLength->setValue(20);
    m_maxLength->setAccessibleName(tr("Words at most"));
    m_maxLength->setToolTip(tr("Words at most"));
    m_maxLength->setFont(monoFont(12, QFont::Medium));
    m_maxLength->setFixedWidth(56);
    m_deadEnds->setAccessibleName(tr("Dead ends"));
    m_deadEnds->setToolTip(tr("Branches that the search gave up: counted as “+5”, or each in a row of its own"));
    row->addWidget(caption(tr("Beam width")));
    row->addWidget(m_beam);
    row->addWidget(m_isOwn);
    row->addWidget(m_own);
    row->addSpacing(4);
    row->addWidget(caption(tr("Words at most")));
    row->addWidget(m_maxLength);
    row->addSpacing(4);
    row->addWidget(caption(tr("Dead ends")));
    row->addWidget(m_deadEnds);
    row->addWidget(m_fixed);
    row->addWidget(m_release);
    row->addWidget(m_muted);
    connect(m_muted, &MutedMark::clicked, this, &DecodeView::allHeadsOnWanted);
    row->addStretch();
    connect(m_beam, &SegmentedControl::currentChanged, this,
            [this](int index) { emit beamChanged(m_beams[static_cast<size_t>(index)]); });
    connect(m_own, &Button::clicked, this, &DecodeView::ownSearchWanted);
    connect(m_maxLength, &QSpinBox::valueChanged, this, &DecodeView::maxLengthChanged);
    connect(m_deadEnds, &SegmentedControl::currentChanged, this, [this](int shown) {
        m_tree->setDeadEnds(static_cast<BeamTree::DeadEnds>(shown));
        emit optionsChanged();
    });
    connect(m_release, &Button::clicked, this, [this] { emit prefixWanted({}); });
    return bar;
}

QWidget* DecodeView::makeStage() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_area = scrolling(m_tree, BarPlace::Beside);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    column->addWidget(makeBar());
    column->addWidget(m_area, 1);
    m_legend = new TreeLegend;
    column->addWidget(m_legend);
    connect(m_area->verticalScrollBar(), &QScrollBar::valueChanged, m_tree, &BeamTree::setScrolled);
    column->addWidget(m_steps);
    m_steps->setPanelName("steps");
    return stage;
}

void DecodeView::setMuted(const QStringList& heads) {
    m_muted->setHeads(heads);
}

/// The usual widths, and any other that is used or that the model brings along.
void DecodeView::showBeams(int beam, int own) {
    std::vector<int> beams(std::begin(kBeams), std::end(kBeams));
    for (const int each : {beam, own})
        if (each > 0 && !std::ranges::count(beams, each)) beams.push_back(each);
    std::ranges::sort(beams);
    const QSignalBlocker quiet(m_beam);
    if (std::exchange(m_beams, beams) != beams) {
        QStringList items;
        for (const int each : m_beams)
            items << QString::number(each);
        m_beam->setItems(items);
    }
    m_beam->setCurrentIndex(static_cast<int>(std::ranges::find(m_beams, beam) - m_beams.begin()));
}

void DecodeView::setSettings(const Decoding::Settings& settings, const std::optional<Decoding::Settings>& own,
                             const QStringList& leftOut) {
    const QSignalBlocker quietLength(m_maxLength);
    const bool isOwn = own && settings.searchesAs(*own);
    showBeams(settings.beam, own ? own->beam : 0);
    m_isOwn->setVisible(isOwn);
    m_own->setVisible(own && !isOwn);
    if (own) {
        QString what = tr("Its file says: beam width %1, score %2")
                           .arg(own->beam)
                           .arg(DecodePanel::formulaOf(own->penalty, formatNumber(own->penalty.alpha)));
        if (!leftOut.isEmpty()) what += tr("; and %1, which is left out here").arg(leftOut.join(QStringLiteral(", ")));
        m_isOwn->setText(leftOut.isEmpty() ? tr("the model's own search") : tr("the model's own search, in part"));
        m_isOwn->setToolTip(what);
        m_own->setToolTip(what);
    }
    m_maxLength->setValue(settings.maxLength);
    m_panel->setPenalty(settings.penalty);
}

void DecodeView::showOptions(const StageState& state) {
    const auto deadEnds = state.decode.deadEndsShown ? BeamTree::DeadEnds::Shown : BeamTree::DeadEnds::Folded;
    const QSignalBlocker quiet(m_deadEnds);
    m_deadEnds->setCurrentIndex(static_cast<int>(deadEnds));
    if (m_tree->deadEnds() != deadEnds) m_tree->setDeadEnds(deadEnds);
}

void DecodeView::tellOptions(StageState& state) const {
    state.decode.deadEndsShown = m_tree->deadEnds() == BeamTree::DeadEnds::Shown;
}

void DecodeView::showSteps() {
    m_growth.stop();
    showTime(m_head->time());
    followWords();
}

/// While it is played, the word that comes stands where it is seen.
void DecodeView::followWords() {
    const double word = m_head->time();
    if (m_head->isAtEnd() && !m_head->playing()) return;
    const QRectF column = m_tree->columnRect(qCeil(word));
    m_area->ensureVisible(qRound(column.right()), m_area->verticalScrollBar()->value(), 20, 0);
}

void DecodeView::showTime(double steps) {
    m_tree->setTime(steps);
    m_steps->setText(tr("Word %1 of %2").arg(m_tree->revealed()).arg(m_head->count()));
}

/// A search that comes in grows word by word, from where it does otherwise than the one before.
void DecodeView::grow(int from) {
    const int steps = m_head->count();
    if (motion::isReduced() || !isVisible() || from >= steps) return;
    m_growth.setStartValue(static_cast<double>(from));
    m_growth.setEndValue(static_cast<double>(steps));
    m_growth.setDuration(std::min(motion::kOperation, (steps - from) * motion::kZoom));
    m_growth.start();
}

void DecodeView::setResult(std::shared_ptr<const Decoding::Result> result, const QString& why) {
    m_head->pause();
    m_growth.stop();
    const int same = m_result && result ? sameSteps(m_result->search.tree, result->search.tree) : 0;
    m_result = std::move(result);
    m_empty->setText(why);
    m_pages->setCurrentIndex(m_result ? 1 : 0);
    m_panel->setResult(m_result);
    m_path.clear();
    if (!m_result) return m_tree->setNodes({}, 0);

    m_tree->setStart(m_result->word(m_result->model->network->config().decoderStart()));
    std::vector<BeamTree::Node> nodes = nodesOf(*m_result);
    int steps = 0;
    for (const BeamTree::Node& node : nodes)
        steps = std::max(steps, node.step);
    m_tree->setNodes(std::move(nodes), steps);
    m_head->setCount(steps);
    const QStringList fixed = m_result->fixedWords();
    m_fixed->setText(fixed.isEmpty() ? QString() : tr("Fixed: %1").arg(fixed.join(' ')));
    m_release->setToolTip(tr("Let the search choose every word again (Esc)"));
    m_release->setVisible(!fixed.isEmpty());
    m_legend->setHasFixed(!fixed.isEmpty());
    showSteps();
    grow(same);
    showNode(-1);
    // Where the search begins, once the tree has its size.
    QTimer::singleShot(0, this, [this] { m_area->ensureVisible(0, 0, 0, 0); });
}

/// Where no node is chosen any more, Escape lets the fixed words go.
void DecodeView::keyPressEvent(QKeyEvent* event) {
    const bool fixed = m_result && !m_result->settings.prefix.empty();
    if (event->key() != Qt::Key_Escape || !fixed) return QWidget::keyPressEvent(event);
    emit prefixWanted({});
}

void DecodeView::showNode(int node) {
    m_panel->setNode(node);
    if (!m_result) return;
    if (node >= 0) bringIntoSight(node);
    m_path = node < 0 ? m_result->settings.prefix : m_result->pathTo(node);
    if (node >= 0 && m_result->search.tree.nodes[static_cast<size_t>(node)].state == SearchNode::State::Finished)
        return m_panel->setNextWords(m_path, {});
    emit nextWordsWanted(m_path);
}

/// Below the row that stays where it is.
void DecodeView::bringIntoSight(int node) {
    const QRect box = m_tree->nodeRect(node).toRect();
    if (box.isEmpty()) return;
    m_area->ensureVisible(box.left(), m_area->verticalScrollBar()->value(), 20, 0);
    m_area->ensureVisible(box.right(), m_area->verticalScrollBar()->value(), 20, 0);
    if (m_tree->rowOf(node) == 0) return;
    const int pinned = static_cast<int>(m_tree->pinnedHeight());
    m_area->ensureVisible(m_area->horizontalScrollBar()->value(), box.top() - pinned, 0, 8);
    m_area->ensureVisible(m_area->horizontalScrollBar()->value(), box.bottom(), 0, 24);
}

void DecodeView::setNextWords(const std::vector<int>& path, const std::vector<NextWord>& words) {
    if (path == m_path) m_panel->setNextWords(path, words);
}

void DecodeView::fixPath(int node) {
    if (node < 0 || !m_result) return;
    std::vector<int> path = m_result->pathTo(node);
    // A sentence that has ended does not go on: its words are fixed, its end is not.
    if (m_result->search.tree.nodes[static_cast<size_t>(node)].state == SearchNode::State::Finished) path.pop_back();
    emit prefixWanted(path);
}

void DecodeView::fixNextWord(const QString& word) {
    if (!m_result) return;
    const Vocabulary& vocabulary = m_result->model->target->vocabulary();
    std::vector<int> path = m_path;
    path.push_back(vocabulary.id(word.toStdString()));
    if (!m_result->model->network->config().ends(path.back())) emit prefixWanted(path);
}

}  // namespace headlight

#include "moc_decode_view.cpp"
