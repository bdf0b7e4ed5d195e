// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/fed_table.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kSides = 92, kMostSides = 160, kLetter = 18, kFedLeast = 58, kFedMost = 124, kFedWidest = 148,
                 kFedGap = 6, kBeside = 26;
constexpr double kFed = 12, kFirst = 24, kSecond = 76, kFedChip = 26, kNumber = 14;  ///< from the top
constexpr double kCross = 16;

QString probability(double value) {
    return formatNumber(value, 3);
}

/// With as many decimals as it takes to see that it is not nothing.
QString logProb(double value) {
    return formatNumber(value, std::abs(value) < 0.1 ? 4 : 2);
}

}  // namespace

FedTable::FedTable(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("What both are fed, and what each says"));
}

void FedTable::setShown(Shown shown) {
    m_shown = std::move(shown);
    m_hovered = -1;
    QStringList spoken;
    for (const FedWord& word : m_shown.words)
        spoken << describe(word).replace(u'\n', QStringLiteral(", "));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    setVisible(!m_shown.words.empty());
    bringIntoSight(m_current);
    update();
}

void FedTable::setCurrent(int word) {
    m_current = word;
    bringIntoSight(word);
    update();
}

/// So wide that a name takes at most two lines: a third would run into what stands above it.
double FedTable::leastSides() const {
    const QFontMetricsF metrics(uiFont(11));
    double wide = kSides;
    for (const QString& name : {m_shown.first, m_shown.second})
        while (wide < kMostSides &&
               metrics.boundingRect(QRectF(0, 0, wide - kLetter - 4, 1000), Qt::TextWordWrap, name).height() >
                   2.5 * metrics.lineSpacing())
            wide += 4;
    return wide;
}

/// The names on one line where the words leave room for that; else these break.
double FedTable::sides() const {
    const double spare = width() - endWidth() - kFedMost * static_cast<double>(m_shown.words.size());
    const double least = leastSides();
    const double names =
        std::max(paint::textWidth(m_shown.first, uiFont(11)), paint::textWidth(m_shown.second, uiFont(11)));
    return std::clamp(spare, least, std::max(least, std::ceil(names) + kLetter + 10));
}

double FedTable::wordRoom() const {
    return std::max(kFedLeast, width() - sides() - endWidth());
}

/// An even share, where all of them fit with letters that are a little smaller; else what the longest word asks.
double FedTable::columnWidth() const {
    const double even = wordRoom() / std::max<double>(1, static_cast<double>(m_shown.words.size()));
    if (even >= kFedLeast) return std::floor(std::min(even, kFedWidest));
    double wide = kFedLeast;
    for (const FedWord& word : m_shown.words) {
        wide = std::max(wide, paint::textWidth(word.fed + QStringLiteral(" →"), uiFont(12)) + kFedGap);
        for (const QString& each : {word.first.word, word.second ? word.second->word : QString()})
            wide = std::max(wide, paint::textWidth(each, uiFont(13, QFont::DemiBold)) + kFedGap + 10);
    }
    return std::floor(std::min(wide, kFedMost));
}

double FedTable::endWidth() const {
    return m_shown.firstLogProb ? 84 : 0;
}

int FedTable::countShown() const {
    const auto all = static_cast<int>(m_shown.words.size());
    const double column = columnWidth();
    const int fit = static_cast<int>(wordRoom() / column);
    // What stands on either side takes room, too.
    return fit >= all ? all : std::clamp(static_cast<int>((wordRoom() - 2 * kBeside) / column), 1, all);
}

QRectF FedTable::columnRect(int word) const {
    const bool all = countShown() == static_cast<int>(m_shown.words.size());
    const double column = columnWidth();
    return {sides() + (all ? 0 : kBeside) + (word - m_from) * column, 0, column, static_cast<double>(kHeight)};
}

int FedTable::wordAt(QPointF at) const {
    for (int word = m_from; word < m_from + countShown(); ++word)
        if (columnRect(word).contains(at)) return word;
    return -1;
}

void FedTable::bringIntoSight(int word) {
    const int count = countShown(), last = static_cast<int>(m_shown.words.size()) - count;
    if (word >= 0 && (word < m_from || word >= m_from + count)) m_from = word - count / 2;
    m_from = std::clamp(m_from, 0, std::max(0, last));
}

QString FedTable::describe(const FedWord& word) const {
    QStringList lines;
    if (!word.fed.isEmpty()) lines << (m_shown.saysNext ? tr("behind “%1”") : tr("in the place of “%1”")).arg(word.fed);
    lines << tr("A: %1, p %2").arg(word.first.word, formatPrecise(word.first.probability));
    if (!word.second) return (lines << tr("B was fed other words until here")).join(u'\n');
    lines << tr("B: %1, p %2").arg(word.second->word, formatPrecise(word.second->probability));
    if (word.differs() && word.kept) lines << tr("B gives “%1” %2").arg(word.first.word, formatPrecise(*word.kept));
    if (word.apart) lines << tr("logits apart: %1").arg(formatPercent(*word.apart));
    return lines.join(u'\n');
}

bool FedTable::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int word = wordAt(help->pos());
    if (word < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), describe(m_shown.words[static_cast<size_t>(word)]), this);
    return true;
}

void FedTable::resizeEvent(QResizeEvent*) {
    bringIntoSight(m_current);
}

void FedTable::mousePressEvent(QMouseEvent* event) {
    if (const int word = wordAt(event->position()); word >= 0) return emit chosen(word);
    // Beside the columns stands how many there are more: they come when that is clicked.
    const int count = countShown(), last = static_cast<int>(m_shown.words.size()) - count;
    const double x = event->position().x();
    if (last <= 0 || x < sides()) return;
    m_from = std::clamp(m_from + (x < columnRect(m_from).left() ? -count : count), 0, last);
    update();
}

void FedTable::mouseMoveEvent(QMouseEvent* event) {
    m_hovered = wordAt(event->position());
    setCursor(m_hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void FedTable::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void FedTable::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    const int all = static_cast<int>(m_shown.words.size());
    // What is shown whole leaves the wheel to the page.
    if (countShown() == all || turn.x() == 0) return event->ignore();
    m_from = std::clamp(m_from + (turn.x() < 0 ? 1 : -1), 0, all - countShown());
    update();
}

void FedTable::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_shown.words.size()) - 1;
    int to = m_current;
    switch (event->key()) {
        case Qt::Key_Left:
            --to;
            break;
        case Qt::Key_Right:
            ++to;
            break;
        case Qt::Key_Home:
            to = 0;
            break;
        case Qt::Key_End:
            to = last;
            break;
        default:
            return QWidget::keyPressEvent(event);
    }
    if (last >= 0) emit chosen(std::clamp(to, 0, last));
}

void FedTable::paintSides(QPainter& p) const {
    const Theme& t = Theme::of(this);
    paint::centredText(p, {0, kFed}, m_shown.saysNext ? tr("fed") : tr("reads"), uiFont(11, QFont::Medium), t.text3);
    for (const auto& [letter, name, top] :
         {std::tuple(QStringLiteral("A"), m_shown.first, kFirst), {QStringLiteral("B"), m_shown.second, kSecond}}) {
        paint::centredText(p, {0, top + kFedChip / 2}, letter, uiFont(15, QFont::DemiBold), t.text);
        p.setFont(uiFont(11));
        p.setPen(t.text2);
        // A file's name breaks at its dashes.
        p.drawText(QRectF(kLetter, top - 10, sides() - kLetter - 4, kFedChip + 20), Qt::AlignVCenter | Qt::TextWordWrap,
                   name);
    }
}

void FedTable::paintSaid(QPainter& p, const QRectF& column, double top, const std::optional<SaidWord>& said,
                         bool differs) const {
    const Theme& t = Theme::of(this);
    const QRectF chip(column.left() + kFedGap / 2, top, column.width() - kFedGap, kFedChip);
    if (!said) return paint::centredText(p, chip.center(), QStringLiteral("–"), uiFont(13), t.text3, Anchor::Middle);
    paint::box(p, chip, differs ? t.badTint : t.surface, differs ? t.bad : t.line2, 6);
    const QFont large = uiFont(13, differs ? QFont::DemiBold : QFont::Medium);
    // The word comes first: the cross only where it takes nothing from it.
    const bool hasCross = differs && paint::textWidth(said->word, large) + kCross + 8 < chip.width();
    const QRectF room = chip.adjusted(4, 0, hasCross ? -kCross - 2 : -4, 0);
    const QFont font = paint::fitting(said->word, large, room.width());
    paint::centredText(p, room.center(), paint::elided(said->word, font, room.width()), font, differs ? t.bad : t.text,
                       Anchor::Middle);
    if (hasCross) drawIcon(p, Icon::Cross, {chip.right() - kCross - 1, top + 5, kCross, kCross}, t.bad);
    paint::centredText(p, {chip.center().x(), chip.bottom() + kNumber - 4}, probability(said->probability),
                       monoFont(11, differs ? QFont::DemiBold : QFont::Normal), differs ? t.bad : t.text2,
                       Anchor::Middle);
}

void FedTable::paintColumn(QPainter& p, int word) const {
    const Theme& t = Theme::of(this);
    const FedWord& shown = m_shown.words[static_cast<size_t>(word)];
    const QRectF column = columnRect(word);
    const bool isCurrent = word == m_current;
    if (isCurrent)
        paint::box(p, column.adjusted(0.5, 1, -0.5, -1), t.beam, t.nowLine, 8, 2);
    else if (word == m_hovered)
        paint::box(p, column.adjusted(0.5, 1, -0.5, -1), t.sunken, {}, 8);
    const QString fed = shown.fed.isEmpty() ? tr("all of it")
                        : m_shown.saysNext  ? shown.fed + QStringLiteral(" →")
                                            : shown.fed;
    const QFont font = paint::fitting(fed, uiFont(12), column.width() - kFedGap);
    paint::centredText(p, {column.center().x(), kFed}, paint::elided(fed, font, column.width() - kFedGap), font,
                       isCurrent ? t.nowText : t.text3, Anchor::Middle);
    paintSaid(p, column, kFirst, shown.first, false);
    paintSaid(p, column, kSecond, shown.second, shown.differs());
}

/// log P of all that was fed, and words that there is no room for.
void FedTable::paintEnd(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const int count = countShown(), behind = static_cast<int>(m_shown.words.size()) - m_from - count;
    const QRectF last = columnRect(m_from + count - 1);
    const double middle = kFirst + kFedChip / 2;
    if (m_from > 0)
        paint::centredText(p, {columnRect(m_from).left() - kBeside / 2, middle}, QStringLiteral("+%1").arg(m_from),
                           monoFont(11), t.text3, Anchor::Middle);
    if (behind > 0)
        paint::centredText(p, {last.right() + kBeside / 2, middle}, QStringLiteral("+%1").arg(behind), monoFont(11),
                           t.text3, Anchor::Middle);
    if (!m_shown.firstLogProb) return;
    const double right = last.right() + (count < static_cast<int>(m_shown.words.size()) ? kBeside : 0) + endWidth();
    paint::centredText(p, {right, kFed}, tr("log P of it"), uiFont(11, QFont::Medium), t.text3, Anchor::End);
    paint::centredText(p, {right, middle}, logProb(*m_shown.firstLogProb), monoFont(12, QFont::Medium), t.text,
                       Anchor::End);
    if (!m_shown.secondLogProb) return;
    const bool isLess = *m_shown.secondLogProb < *m_shown.firstLogProb;
    paint::centredText(p, {right, kSecond + kFedChip / 2}, logProb(*m_shown.secondLogProb),
                       monoFont(12, QFont::DemiBold), isLess ? t.bad : t.text, Anchor::End);
}

void FedTable::paintEvent(QPaintEvent*) {
    if (m_shown.words.empty()) return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintSides(p);
    for (int word = m_from; word < m_from + countShown(); ++word)
        paintColumn(p, word);
    paintEnd(p);
}

}  // namespace headlight

#include "moc_fed_table.cpp"
