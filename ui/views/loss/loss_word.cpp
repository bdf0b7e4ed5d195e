// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/loss/loss_word.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/views/loss/loss_layout.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace loss_layout;

namespace {

constexpr double kLeastRow = 19, kMostRow = 28;
constexpr int kFewest = 3, kMany = 8, kMost = 16;  ///< more than many where even the highest rows leave room
constexpr double kWordNames = 100, kNarrow = 640;

}  // namespace

LossWord::LossWord(QWidget* parent)
    : Foldable(parent),
      m_previous(new Button(Button::Kind::Plain, tr("Previous word"), Icon::Left, this)),
      m_next(new Button(Button::Kind::Plain, tr("Next word"), Icon::Right, this)),
      m_step(new Button(Button::Kind::Ghost, tr("Take a step"), Icon::Step, this)),
      m_undo(new Button(Button::Kind::Ghost, tr("As it was"), Icon::Reset, this)) {
    for (Button* button : {m_previous, m_next}) {
        button->setIconAlone(true);
        button->setHeight(24);
    }
    setMouseTracking(true);
    setAccessibleName(tr("The loss of the chosen word"));
    m_undo->setIconAlone(true);
    m_undo->setToolTip(tr("As it was"));
    m_step->setToolTip(tr("Moves the logits against their gradient: z − %1 (p − q)").arg(descentRate));
    connect(m_previous, &Button::clicked, this, [this] { emit chosen(m_shown->chosen - 1); });
    connect(m_next, &Button::clicked, this, [this] { emit chosen(m_shown->chosen + 1); });
    connect(m_step, &Button::clicked, this, [this] { emit stepsWanted(m_shown->steps + 1); });
    connect(m_undo, &Button::clicked, this, [this] { emit stepsWanted(0); });
    show(nullptr);
}

void LossWord::show(std::shared_ptr<const LossShown> shown) {
    m_shown = std::move(shown);
    for (Button* button : {m_previous, m_next, m_step, m_undo})
        button->setVisible(m_shown != nullptr);
    if (m_shown) {
        m_previous->setEnabled(m_shown->chosen > 0);
        m_next->setEnabled(m_shown->chosen + 1 < m_shown->picture->words());
        m_undo->setEnabled(m_shown->steps > 0);
        setAccessibleDescription(story());
    }
    findRows();
    placeButtons();
    update();
}

int LossWord::wanted() const {
    const double room = height() - kHeader - kHeads - kLoss - kFoot;
    const int roomy = static_cast<int>(room / kMostRow) - 1;
    return roomy > kMany ? std::min(roomy, kMost) : std::clamp(static_cast<int>(room / kLeastRow) - 1, kFewest, kMany);
}

void LossWord::findRows() {
    m_rows.clear();
    if (!m_shown) return;
    const WordLoss& start = m_shown->start;
    std::vector<int> all(static_cast<size_t>(start.vocabulary()));
    std::iota(all.begin(), all.end(), 0);
    const auto count = std::min<std::ptrdiff_t>(wanted(), start.vocabulary());
    const auto before = [&](int a, int b) {
        return start.logits()[static_cast<size_t>(a)] > start.logits()[static_cast<size_t>(b)];
    };
    std::partial_sort(all.begin(), all.begin() + count, all.end(), before);
    m_rows.assign(all.begin(), all.begin() + count);
    if (std::ranges::find(m_rows, start.target()) == m_rows.end()) m_rows.back() = start.target();
    const auto [low, high] = std::ranges::minmax_element(start.logits());
    const auto [nowLow, nowHigh] = std::ranges::minmax_element(m_shown->now.logits());
    m_low = std::min({*low, *nowLow, 0.0});
    m_high = std::max({*high, *nowHigh, 0.0, m_low + 1});
}

double LossWord::rowHeight() const {
    const double room = height() - kHeader - kHeads - kLoss - kFoot;
    return std::clamp(room / static_cast<double>(m_rows.size() + 1), kLeastRow - 3, kMostRow);
}

double LossWord::firstRow() const {
    return kHeader + kHeads;
}

double LossWord::sumTop() const {
    return firstRow() + rowHeight() * static_cast<double>(m_rows.size() + 1);
}

double LossWord::namesEnd() const {
    return kMargin + std::min(kWordNames, width() * 0.13);
}

LossWord::Block LossWord::block(Which which) const {
    // Bars share what names and numbers leave.
    constexpr double numbers[] = {54, 56, 56, 62}, shares[] = {144, 112, 80, 112};
    const double left = namesEnd() + 14;
    const double gap = width() < kNarrow ? 12 : 28;
    double room = width() - kMargin - left - 3 * gap;
    for (const double number : numbers)
        room -= number;
    double x = left;
    for (int i = 0;; ++i) {
        const double bar = std::max(8.0, room * shares[i] / 448);
        if (i == which) return {x, x + bar, x + bar + numbers[i]};
        x += bar + numbers[i] + gap;
    }
}

double LossWord::logitX(double logit) const {
    const Block at = block(Logits);
    return at.left + (at.right - at.left) * (logit - m_low) / (m_high - m_low);
}

QRectF LossWord::rowRect(size_t row) const {
    return {8, firstRow() + rowHeight() * static_cast<double>(row) + 1, width() - 16.0, rowHeight() - 2};
}

QRectF LossWord::wantedTrack(size_t row) const {
    const Block at = block(Wanted);
    return {at.left, rowRect(row).center().y() - 5, at.right - at.left, 10};
}

QPointF LossWord::handle() const {
    const auto row = std::ranges::find(m_rows, m_shown->now.target()) - m_rows.begin();
    const QRectF track = wantedTrack(static_cast<size_t>(row));
    return {track.left() + track.width() * m_shown->now.wanted(m_shown->now.target()), track.center().y()};
}

void LossWord::placeButtons() {
    if (!m_shown) return;
    const int right = width() - static_cast<int>(kMargin);
    const auto place = [](Button* button, int x, int middle) {
        button->resize(button->sizeHint());
        button->move(x, middle - button->height() / 2);
    };
    m_next->resize(m_next->sizeHint());
    place(m_next, right - m_next->width(), 24);
    m_previous->resize(m_previous->sizeHint());
    place(m_previous, right - m_next->width() - 52 - m_previous->width(), 24);
    const int middle = height() - static_cast<int>(kLoss) + 34;
    m_step->setIconAlone(width() < kNarrow);
    m_step->resize(m_step->sizeHint());
    place(m_step, right - m_step->width(), middle);
    m_undo->resize(m_undo->sizeHint());
    place(m_undo, m_step->x() - m_undo->width() - 6, middle);
}

void LossWord::resizeEvent(QResizeEvent*) {
    findRows();
    placeButtons();
}

int LossWord::rowAt(QPointF at) const {
    for (size_t row = 0; row < m_rows.size(); ++row)
        if (rowRect(row).contains(at)) return static_cast<int>(row);
    return -1;
}

/// q of the target is where the pointer is; ε follows.
void LossWord::drag(double x) {
    const Block at = block(Wanted);
    const double q = std::clamp((x - at.left) / (at.right - at.left), 0.0, 1.0), v = m_shown->now.vocabulary();
    const double smoothing = std::clamp((1 - q) * v / (v - 1), 0.0, kMostSmoothing);
    emit smoothingWanted(std::round(smoothing * 100) / 100);
}

void LossWord::mousePressEvent(QMouseEvent* event) {
    if (!m_shown || event->button() != Qt::LeftButton) return;
    const int row = rowAt(event->position());
    if (row < 0) return;
    const int word = m_rows[static_cast<size_t>(row)];
    if (word == m_shown->now.target()) {
        m_drags = wantedTrack(static_cast<size_t>(row)).adjusted(-8, -8, 8, 8).contains(event->position());
        if (m_drags) drag(event->position().x());
    } else if (event->position().x() <= namesEnd() + 4) {
        emit wordWanted(m_shown->chosen, word);
    }
}

void LossWord::mouseMoveEvent(QMouseEvent* event) {
    if (m_drags) return drag(event->position().x());
    const int row = m_shown ? rowAt(event->position()) : -1;
    const bool isName = row >= 0 && event->position().x() <= namesEnd() + 4;
    const bool isHandle = row >= 0 && m_rows[static_cast<size_t>(row)] == m_shown->now.target() &&
                          wantedTrack(static_cast<size_t>(row)).adjusted(-8, -8, 8, 8).contains(event->position());
    setCursor(isHandle ? Qt::SizeHorCursor : isName ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LossWord::mouseReleaseEvent(QMouseEvent*) {
    m_drags = false;
}

bool LossWord::hidesRest() const {
    return std::ranges::any_of(m_rows, [this](int word) { return m_shown->veil.hidesShare(m_shown->chosen, word); });
}

QString LossWord::hintOf(int word) const {
    const WordLoss& now = m_shown->now;
    const LossVeil& veil = m_shown->veil;
    const int index = m_shown->chosen;
    const auto written = [](double number, bool isHidden) {
        return isHidden ? HiddenArea::mark() : formatPrecise(number);
    };
    return tr("“%1”: z %2, p %3, q %4, p − q %5")
        .arg(m_shown->picture->word(index, word),
             written(now.logits()[static_cast<size_t>(word)], veil.hidesLogit(index, word)),
             written(now.probability(word), veil.hidesShare(index, word)), formatPrecise(now.wanted(word)),
             written(now.gradient(word), veil.hidesShare(index, word)));
}

bool LossWord::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_shown) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        if (row >= 0) {
            QToolTip::showText(help->globalPos(), hintOf(m_rows[static_cast<size_t>(row)]), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

}  // namespace headlight

#include "moc_loss_word.cpp"
