// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/presenter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <chrono>
#include <utility>

#include "ui/session/format/one_line.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/workbench.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/paint.h"

namespace headlight {

namespace {

constexpr std::chrono::milliseconds kHints{5000};
constexpr int kLiveMs = 66;
constexpr double kLargestZoom = 6;

/// The block that word slides are of: the one that is chosen, if words look at what was read there; else the last such.
const AttentionBlock* blockOfSlides(const std::vector<AttentionBlock>& blocks, const QString& chosen) {
    const auto cross = [](const AttentionBlock& b) { return b.kind == AttentionBlock::Kind::Cross; };
    const bool any = std::ranges::any_of(blocks, cross);
    const AttentionBlock* last = nullptr;
    for (const AttentionBlock& block : blocks) {
        if (any && !cross(block)) continue;
        if (block.scope == chosen) return &block;
        last = &block;
    }
    return last;
}

}  // namespace

Presenter::Presenter(Workbench& workbench, RoomStack& rooms)
    : m_workbench(workbench),
      m_rooms(rooms),
      m_words(new LectureWords(workbench.player, this)),
      m_modeBefore(workbench.theme.mode()),
      m_viewBefore(rooms.view()),
      m_isLecture(workbench.player.isOpen()),
      m_hints(kHints) {
    setDark(false);  // halls are lit
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Headlight on the projector"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    m_hints.start();
    connect(&m_hints, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    m_live.setInterval(kLiveMs);
    connect(&m_live, &QTimer::timeout, this, &Presenter::follow);
    connect(&workbench.session, &Session::readingChanged, this, [this] {
        if (isStep()) return;  // a lecture keeps its pages, whatever its stage reads
        collectPages();
        showPage(std::min(m_page, pages() - 1));
    });
    connect(&workbench.player, &LessonPlayer::closed, this, [this] {
        collectPages();
        showPage(0);
    });
    // A lesson that is opened goes to a step, and so does one that was written anew.
    connect(&workbench.player, &LessonPlayer::stepChanged, this, [this] {
        collectPages();
        showPage(m_workbench.player.step());
    });
    connect(&workbench.selection, &Selection::changed, this, [this] {
        makeSlide();
        update();
    });
    connect(&workbench.cursor, &StepCursor::changed, this, qOverload<>(&QWidget::update));
    connect(&workbench.cursor, &StepCursor::phaseChanged, this, qOverload<>(&QWidget::update));
    collectPages();
    showPage(workbench.player.isOpen() ? workbench.player.step() : 0);
}

Presenter::~Presenter() {
    if (!m_isLecture && !m_workbench.player.isOpen()) m_rooms.showView(m_viewBefore);
    if (m_workbench.theme.current().isDark == m_dark) m_workbench.theme.setMode(m_modeBefore);
}

void Presenter::setDark(bool dark) {
    m_dark = dark;
    if (m_workbench.theme.current().isDark != dark) m_workbench.theme.toggle();
    update();
}

/// What was the page is none any more: showPage() follows.
void Presenter::collectPages() {
    m_pages.clear();
    if (const LessonPlayer& player = m_workbench.player; player.isOpen()) {
        for (int step = 0; step < player.steps(); ++step)
            m_pages.push_back({.title = QString::fromStdString(player.lesson().steps[static_cast<size_t>(step)].title),
                               .step = step});
        return;
    }
    m_pages.push_back({});
    const auto& reading = m_workbench.session.reading();
    if (reading) {
        const std::vector<AttentionBlock> blocks = attentionBlocks(*reading->trace);
        if (const AttentionBlock* block = blockOfSlides(blocks, m_workbench.selection.block()))
            for (int row = 0; row < block->rows; ++row)
                m_pages.push_back({.word = row});
    }
    for (const Room* room : m_rooms.all())
        for (const Room::View& view : room->views())
            // A list is nothing to present; a lesson is a lecture of its own.
            if (view.name != ViewName::Lessons) m_pages.push_back({.view = view.name, .title = view.title});
}

void Presenter::showPage(int page) {
    m_page = std::clamp(page, 0, pages() - 1);
    m_zoom = 1;
    m_figure = -1;
    m_isAlone = false;
    const Page& shown = m_pages[static_cast<size_t>(m_page)];
    if (isStep()) {
        LessonPlayer& player = m_workbench.player;
        if (player.step() != shown.step) {
            player.setVeilsLifted(false);    // each step is predicted for itself
            return player.goTo(shown.step);  // and stepChanged() comes back here
        }
        m_words->showStep(wordsRoom().size());
        m_live.start();
    } else if (isView()) {
        m_rooms.showView(*shown.view);
        m_live.start();
    } else {
        m_live.stop();
        makeSlide();
    }
    layFigure();
    update();
}

void Presenter::turn(int by) {
    const int column = m_words->column() + by;
    if (showsWords() && column >= 0 && column < m_words->columns()) {
        m_words->setColumn(column);
        return update();
    }
    if ((by > 0 && isTooSmall()) || (by < 0 && m_isAlone)) {
        m_isAlone = by > 0;
        layFigure();
        return update();
    }
    const int before = m_page;
    if (before + by < 0 || before + by >= pages()) return;
    do {
        showPage(m_page + by);
    } while (saysNothing() && m_page > 0 && m_page + 1 < pages());
    if (saysNothing()) showPage(before);
    if (by < 0 && isStep()) m_words->setColumn(m_words->columns() - 1);  // what stood there last
}

/// A view that has nothing to show of this model says so in the window; a hall need not see that.
bool Presenter::saysNothing() const {
    const QWidget* const view = isStep() ? nullptr : viewOfPage();
    return view && std::ranges::any_of(view->findChildren<EmptyPage*>(),
                                       [view](const EmptyPage* page) { return page->isVisibleTo(view); });
}

void Presenter::makeSlide() {
    m_slide = {};
    if (isView()) return;
    const Workbench& workbench = m_workbench;
    const auto& reading = workbench.session.reading();
    if (!reading) {
        m_slide.headline = tr("No sentence yet");
        m_slide.subline = tr("Type one in the window, and it appears here.");
        return;
    }
    const Trace& trace = *reading->trace;
    const int word = m_pages[static_cast<size_t>(m_page)].word;
    const std::vector<AttentionBlock> blocks = attentionBlocks(trace);
    const AttentionBlock* block = blockOfSlides(blocks, workbench.selection.block());
    if (word < 0 || !block) {
        m_slide.headline = onOneLine(reading->source);
        m_slide.subline = onOneLine(reading->translation);
        m_slide.reads = wordList(trace.sourceTokens);
        m_slide.writes = reading->translation.split(u' ', Qt::SkipEmptyParts);
        m_slide.readsLabel = tr("reads");
        m_slide.writesLabel = tr("writes");
        return;
    }
    const int head = std::clamp(workbench.selection.head(), 0, block->heads - 1);
    const auto weights = block->headWeights(head);
    m_slide.reads = columnLabels(trace, *block);
    m_slide.writes = rowLabels(trace, *block);
    m_slide.weights.assign(weights.begin(), weights.end());
    m_slide.now = std::min(word, block->rows - 1);
    const auto row = weights.subspan(static_cast<size_t>(m_slide.now) * static_cast<size_t>(block->columns),
                                     static_cast<size_t>(block->columns));
    const QString most = m_slide.reads.value(std::ranges::max_element(row) - row.begin());
    const bool writes = block->rowsWrite();
    // What one head of many does is not said of the model.
    const bool isOne = blocks.size() == 1 && block->heads == 1;
    const QString who = isOne              ? tr("the model")
                        : block->heads > 1 ? tr("head %1 of layer %2").arg(head + 1).arg(block->layer + 1)
                                           : tr("layer %1").arg(block->layer + 1);
    m_slide.headline = (writes ? tr("To write “%1”, %2 looks at “%3”.") : tr("Reading “%1”, %2 looks at “%3”."))
                           .arg(m_slide.writes.value(m_slide.now), who, most);
    m_slide.subline = tr("%1, head %2 of %3").arg(blockTitle(*block)).arg(head + 1).arg(block->heads);
    m_slide.readsLabel = writes ? tr("reads") : tr("looks at");
    m_slide.writesLabel = writes ? tr("writes") : tr("reads");
}

/// In units of a 1440th of the width.
QRectF Presenter::wordsRoom() const {
    const double high = height() * 1440.0 / std::max(1, width());
    return {kMargin, kHeadline, kWordsWidth, high - kFoot - kHeadline - 20};
}

void Presenter::paintEvent(QPaintEvent*) {
    QPainter p(this);
    const HallColors colors = HallColors::of(m_dark);
    p.fillRect(rect(), colors.ground);
    if (m_blank) return;
    if (isStep()) paintHeadline(p, colors);
    if (showsWords()) paintWords(p);
    if (isView())
        paintView(p);
    else
        drawSlide(p, rect(), m_slide, colors);
    paintFoot(p, colors);
    if (listsKeys()) paintKeys(p, colors);
    paintMarks(p);
}

void Presenter::turnHead(int by) {
    Selection& selection = m_workbench.selection;
    const auto& reading = m_workbench.session.reading();
    if (!reading) return;
    const std::vector<AttentionBlock> blocks = attentionBlocks(*reading->trace);
    if (const AttentionBlock* block = blockOfSlides(blocks, selection.block()))
        selection.setHead(std::clamp(selection.head() + by, 0, block->heads - 1));
}

void Presenter::zoomBy(double factor) {
    m_zoom = std::clamp(m_zoom * factor, 1.0, kLargestZoom);
    update();
}

void Presenter::keyPressEvent(QKeyEvent* event) {
    const auto toggle = [this](bool& what) {
        what = !what;
        setCursor(m_laser || m_spotlight ? Qt::BlankCursor : Qt::ArrowCursor);
        update();
    };
    StepCursor& cursor = m_workbench.cursor;
    m_listsKeys = event->key() == Qt::Key_F1 || event->key() == Qt::Key_Question;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_PageUp:
        case Qt::Key_Backspace:
            return turn(-1);
        case Qt::Key_Right:
        case Qt::Key_PageDown:
        case Qt::Key_Space:
            return turn(1);
        case Qt::Key_Home:
            return showPage(0);
        case Qt::Key_End:
            return showPage(pages() - 1);
        case Qt::Key_Up:
            return turnHead(-1);
        case Qt::Key_Down:
            return turnHead(1);
        case Qt::Key_B:
        case Qt::Key_Period:
            // A clicker blanks with the point; with a view on the screen the point is a step.
            if (event->key() == Qt::Key_Period && isView()) return cursor.next();
            return toggle(m_blank);
        case Qt::Key_Comma:
            return cursor.previous();
        case Qt::Key_F:
            return nextFigure();
        case Qt::Key_L:
            return toggle(m_laser);
        case Qt::Key_S:
            return toggle(m_spotlight);
        case Qt::Key_V:  // the hall has predicted
            return m_workbench.player.setVeilsLifted(!m_workbench.player.veiled().empty());
        case Qt::Key_D:
            return setDark(!m_dark);
        case Qt::Key_W:
            if (!std::exchange(m_isAlone, false)) toggle(m_hasWords);
            layFigure();
            return update();
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomBy(1.25);
        case Qt::Key_Minus:
            return zoomBy(0.8);
        case Qt::Key_0:
            return zoomBy(0);
        case Qt::Key_Question:
        case Qt::Key_F1:
            m_hints.start();
            return update();
        case Qt::Key_Escape:
        case Qt::Key_F5:
            m_workbench.player.setVeilsLifted(false);
            close();
            return;
        default:
            return QWidget::keyPressEvent(event);
    }
}

void Presenter::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_words->setSize(wordsRoom().size());
    layFigure();
}

void Presenter::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->position();
    if (m_laser || m_spotlight || m_zoom > 1) update();
}

void Presenter::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) turn(1);
    if (event->button() == Qt::RightButton) turn(-1);
}

void Presenter::wheelEvent(QWheelEvent* event) {
    zoomBy(event->angleDelta().y() > 0 ? 1.25 : 0.8);
}

}  // namespace headlight

#include "moc_presenter.cpp"
