// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/subwords/subwords_side.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/subwords/piece_words.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kYieldsBelow = 800, kMargin = 20, kColumns = 3, kRows = MergeList::kPage / kColumns;

}  // namespace

MergeList::MergeList(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Merges, in their order"));
    setCursor(Qt::PointingHandCursor);
}

void MergeList::show(std::shared_ptr<const SubwordsShown> shown) {
    m_shown = std::move(shown);
    update();
}

int MergeList::first() const {
    return m_shown && m_shown->merges > 0 ? (m_shown->merges - 1) / kPage * kPage : 0;
}

QRectF MergeList::cellRect(int merge) const {
    const int at = merge - first(), column = at / kRows, row = at % kRows;
    const double width = static_cast<double>(this->width()) / kColumns, height = std::min(20.0, this->height() / 20.0);
    return {column * width, row * height, width - 6, height};
}

void MergeList::mousePressEvent(QMouseEvent* event) {
    for (int merge = first(); m_shown && merge < std::min(first() + kPage, m_shown->film->mergeCount()); ++merge)
        if (cellRect(merge).contains(event->position())) return emit mergesChosen(merge + 1);
}

void MergeList::paintEvent(QPaintEvent*) {
    if (!m_shown) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const std::vector<Merge>& merges = m_shown->film->merges();
    const double numbers = std::max(24.0, paint::textWidth(QString::number(merges.size()), monoFont(11)) + 4);
    for (int at = first(); at < std::min(first() + kPage, static_cast<int>(merges.size())); ++at) {
        const Merge& merge = merges[static_cast<size_t>(at)];
        const QRectF cell = cellRect(at);
        const double middle = cell.center().y();
        const bool on = at + 1 == m_shown->merges;
        if (on) paint::box(p, cell, t.nowTint, t.nowLine, 5);
        paint::centredText(p, {cell.left() + numbers, middle}, QString::number(at + 1), monoFont(11),
                           on ? t.nowText : t.text3, Anchor::End);
        const double left = cell.left() + numbers + 6;
        if (at >= m_shown->merges) {
            paint::box(p, QRectF(left, middle - 6, std::min(48.0, cell.right() - left - 8), 12), Qt::transparent,
                       t.line, 3);
            continue;
        }
        const QString count = merge.frequency > 0 ? formatCount(merge.frequency) : QString(),
                      bare = bareSymbol(merge.merged);
        const double room = cell.right() - left - paint::textWidth(count, monoFont(11)) - 3;
        const QFont font = paint::fitting(bare, monoFont(12, on ? QFont::DemiBold : QFont::Medium), room);
        const QString text = paint::elided(bare, font, room);
        paint::centredText(p, {left, middle}, text, font, on ? t.nowText : t.text);
        const double after = paint::textWidth(text, font);
        if (endsWord(merge.merged) && after + paint::textWidth(QStringLiteral("</w>"), monoFont(11)) <= room)
            paint::centredText(p, {left + after, middle}, QStringLiteral("</w>"), monoFont(11), t.text3);
        paint::centredText(p, {cell.right() - 4, middle}, count, monoFont(11), on ? t.nowText : t.text3, Anchor::End);
    }
}

WordLadder::WordLadder(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("How the chosen word is cut"));
}

void WordLadder::show(std::shared_ptr<const SubwordsShown> shown) {
    m_shown = std::move(shown);
    update();
}

int WordLadder::rungs() const {
    if (!m_shown || m_shown->cut.empty()) return 0;
    constexpr double least = 26;
    return std::min(static_cast<int>(m_shown->cut[static_cast<size_t>(m_shown->chosen)].ladder.size()),
                    std::max(2, static_cast<int>(height() / least)));
}

void WordLadder::paintEvent(QPaintEvent*) {
    const int shown = rungs();
    if (shown == 0) return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const size_t all = m_shown->cut[static_cast<size_t>(m_shown->chosen)].ladder.size();
    const double rung = std::min(36.0, static_cast<double>(height()) / shown);
    for (int i = 0; i < shown; ++i) {
        // The letters, and what came last.
        const size_t step = i == 0 ? 0 : all - static_cast<size_t>(shown - i);
        paintRung(p, step, rung * (i + 0.5), std::min(26.0, rung - 4));
    }
}

void WordLadder::paintRung(QPainter& p, size_t step, double middle, double height) const {
    const Theme& t = Theme::of(this);
    const SubwordsShown::Cut& cut = m_shown->cut[static_cast<size_t>(m_shown->chosen)];
    const BpeStep& rung = cut.ladder[step];
    const bool isNow = rung.merge && *rung.merge + 1 == m_shown->merges;
    constexpr double names = 84;
    if (rung.merge) {
        const QString name = tr("merge");
        paint::centredText(p, {0, middle}, name, uiFont(12), isNow ? t.nowText : t.text2);
        paint::centredText(p, {paint::textWidth(name, uiFont(12)) + 5, middle}, QString::number(*rung.merge + 1),
                           monoFont(12, isNow ? QFont::DemiBold : QFont::Medium), isNow ? t.nowText : t.text);
    } else {  // at the end: what the vocabulary lacks is cut where it was last merged
        paint::centredText(p, {0, middle}, step == 0 ? tr("letters") : tr("cut again"), uiFont(12), t.text2);
    }
    // Every rung is as wide as the letters below one another ask for.
    const auto letters = static_cast<double>(cut.ladder.front().symbols.size());
    const double unit = std::min(34.0, (width() - names + 6) / std::max(1.0, letters));
    const std::string made = rung.merge ? m_shown->film->merges()[static_cast<size_t>(*rung.merge)].merged : "";
    double x = names;
    for (const std::string& symbol : rung.symbols) {
        const QString text = bareSymbol(symbol);
        const double width = unit * static_cast<double>(std::max<qsizetype>(1, lettersIn(text))) - 6;
        const bool isMade = symbol == made;
        const QColor fill = isMade && isNow ? t.nowTint : PieceWords::colorOf(t, lettersIn(text));
        paint::box(p, QRectF(x, middle - height / 2, width, height), fill,
                   isMade ? (isNow ? t.nowLine : t.text) : QColor(), 4, isMade && isNow ? 2 : 1);
        paint::centredText(p, {x + width / 2, middle}, paint::elided(text, uiFont(13, QFont::DemiBold), width + 4),
                           uiFont(13, QFont::DemiBold), isMade && isNow ? t.nowText : Theme::onColor(fill),
                           Anchor::Middle);
        x += width + 6;
    }
}

SubwordsSide::SubwordsSide(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_list(new MergeList),
      m_note(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_title(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_inText(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_ladder(new WordLadder),
      m_story(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)) {
    takeShare(280, 392);
    yieldBelow(kYieldsBelow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, 12, kMargin, 12);
    column->setSpacing(8);
    column->addWidget(new Caption(tr("Merges, in their order"), 18, QFont::DemiBold, Caption::Tone::Main));
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    column->addWidget(m_list, 20);
    column->addWidget(new Rule);
    auto* heading = new QHBoxLayout;
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    heading->addWidget(m_title, 1);
    heading->addWidget(m_inText);
    column->addLayout(heading);
    m_list->setMaximumHeight(400);
    m_ladder->setMaximumHeight(230);
    column->addWidget(m_ladder, 10);
    m_story->setWordWrap(true);
    m_story->setTextFormat(Qt::RichText);
    column->addWidget(m_story);
    column->addStretch(1);
}

void SubwordsSide::setPlayed(bool isPlayed) {
    yieldBelow(isPlayed ? kYieldsBelow : QWIDGETSIZE_MAX);
}

void SubwordsSide::show(const std::shared_ptr<const SubwordsShown>& shown) {
    m_note->setText(shown && shown->isOfModel
                        ? tr("In the order in which the model learned them. A word is cut by going down this list.")
                        : tr("Each time the most frequent pair; the number says how often it stood there. A word is "
                             "cut by going down this list."));
    m_list->show(shown);
    m_ladder->show(shown);
    if (!shown || shown->cut.empty()) {
        m_title->clear();
        m_inText->clear();
        m_story->clear();
        return;
    }
    const SubwordsShown::Cut& cut = shown->cut[static_cast<size_t>(shown->chosen)];
    m_title->setText(tr("How “%1” is cut").arg(cut.text));
    m_inText->setText(shown->isOfModel ? QString()
                      : cut.count > 0
                          ? plural(tr("%n time(s) in the text", nullptr, static_cast<int>(cut.count)), cut.count)
                          : tr("not in the text"));
    QStringList places;
    for (size_t i = 0; i < shown->known.size(); ++i)
        if (!shown->known[i].empty())
            places << tr("<b>%1</b> from “%2”")
                          .arg(bareSymbol(cut.pieces()[i]).toHtmlEscaped(),
                               QString::fromStdString(shown->known[i]).toHtmlEscaped());
    m_story->setText(cut.count > 0 || places.isEmpty() ? QString()
                                                       : tr("%1. A word that the text does not have is written with "
                                                            "pieces that it has.")
                                                             .arg(places.join(QStringLiteral(", "))));
}

}  // namespace headlight

#include "moc_subwords_side.cpp"
