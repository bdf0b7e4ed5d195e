// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/surgery/surgery_side.h"

#include <QCheckBox>
#include <QFontMetrics>
#include <QPainter>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/found_list.h"
#include "ui/widgets/words/piece_box.h"

namespace headlight {

namespace {

constexpr double kLabel = 56, kRow = 48, kSideShare = 60, kBarRow = 24, kSideMargin = 4;
constexpr double kNumbers = 104;
constexpr int kYieldsBelow = 900, kSideWords = 4;

/// Words from the left, and on in a further line; pieces of a word touch.
std::vector<PieceBox> boxesOf(const TranslationRow& row, double y, double right) {
    std::vector<PieceBox> boxes;
    double x = kLabel;
    for (qsizetype i = 0; i < row.words.size(); ++i) {
        const double text = paint::textWidth(row.words[i], uiFont(13, QFont::DemiBold));
        const double wide = std::min(right - kLabel, std::max(34.0, text + 14));
        bool touches = touchesBefore(row.words, i);
        const double gap = i == 0 ? 0 : touches ? -kPieceOverlap : 4;
        if (x > kLabel && x + gap + wide > right) {
            x = kLabel;
            y += kRow;
            touches = false;
        } else {
            x += gap;
        }
        if (touches) boxes.back().touchesRight = true;
        boxes.push_back({QRectF(x, y, wide, 22), touches});
        x += wide;
    }
    return boxes;
}

double heightOf(const TranslationRow& row, double right) {
    const std::vector<PieceBox> boxes = boxesOf(row, 0, right);
    return kRow + (boxes.empty() ? 0 : boxes.back().rect.top());
}

/// Words with their probabilities below; marked where the row above it has another. Where the next row begins.
double paintRow(QPainter& p, const Theme& t, double y, double right, const QString& label, const TranslationRow& row,
                const TranslationRow* against) {
    paint::centredText(p, {0, y + 11}, label, uiFont(12, QFont::Medium), t.text2);
    const std::vector<PieceBox> boxes = boxesOf(row, y, right);
    for (size_t i = 0; i < boxes.size(); ++i) {
        const PieceBox& box = boxes[i];
        const auto at = static_cast<qsizetype>(i);
        const QString word = chipText(row.words, at, !box.touchesLeft, !box.touchesRight);
        const bool changed = against && against->words.value(at) != row.words[at];
        const QFont font = uiFont(13, changed ? QFont::DemiBold : QFont::Normal);
        box.paint(p, changed ? t.nowTint : t.sunken,
                  changed                               ? t.nowLine
                  : box.touchesLeft || box.touchesRight ? t.line2
                                                        : QColor(),
                  5);
        paint::centredText(p, box.rect.center(), paint::elided(word, font, box.rect.width() - 6), font,
                           changed ? t.nowText : t.text, Anchor::Middle);
        if (i < row.probabilities.size())
            paint::centredText(p, {box.rect.center().x(), box.rect.top() + 32},
                               formatNumber(static_cast<double>(row.probabilities[i])), monoFont(11), t.text2,
                               Anchor::Middle);
    }
    return y + heightOf(row, right);
}

/// B's word and A's, and where.
QString nameOf(const SurgeryPicture& picture, const SurgeryEdit& edit) {
    const auto depths = picture.depths(edit.kind);
    if (static_cast<size_t>(edit.depth) >= depths.size()) return SurgerySide::tr("no such place");
    const PatchDepth& depth = *depths[static_cast<size_t>(edit.depth)];
    return SurgerySide::tr("%1 → %2\n%3")
        .arg(picture.wordsOfB(depth).value(edit.position), picture.wordsOfA(depth).value(edit.position),
             SurgeryPicture::placeOf(depth));
}

}  // namespace

SurgeryFigures::SurgeryFigures(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("A, with the pieces of B"));
    QSizePolicy grows(QSizePolicy::Preferred, QSizePolicy::Minimum);
    grows.setHeightForWidth(true);
    setSizePolicy(grows);
}

void SurgeryFigures::setOutcome(std::shared_ptr<const SurgeryPicture> picture, const SurgeryPicture::Outcome& outcome,
                                bool isTried) {
    m_picture = std::move(picture);
    m_outcome = outcome;
    m_isTried = isTried;
    if (m_picture)
        setAccessibleDescription(
            (m_isTried ? tr("before: %1; tried: %2; B: %3; share %4") : tr("before: %1; now: %2; B: %3; share %4"))
                .arg(textOf(m_picture->rowOfA().words), textOf(m_outcome.row.words), textOf(m_picture->rowOfB().words),
                     m_outcome.share ? formatNumber(*m_outcome.share, 3) : tr("none")));
    updateGeometry();
    update();
}

double SurgeryFigures::xOf(double share) const {
    const double left = 10, right = width() - 10.0;
    return left + (right - left) * std::clamp(share, -0.02, 1.02);
}

double SurgeryFigures::gaugeTop(double right) const {
    if (!m_picture) return kSideMargin + 3 * kRow;
    if (!writes()) return -4;
    return kSideMargin + heightOf(m_picture->rowOfA(), right) + heightOf(m_outcome.row, right) +
           heightOf(m_picture->rowOfB(), right);
}

bool SurgeryFigures::writes() const {
    return !m_picture->rowOfA().words.isEmpty() || !m_picture->rowOfB().words.isEmpty() ||
           !m_outcome.row.words.isEmpty();
}

int SurgeryFigures::heightForWidth(int width) const {
    const double height = gaugeTop(width) + 18 + kSideShare + 20 + kBarRow * kSideWords;
    return static_cast<int>(std::ceil(height));
}

void SurgeryFigures::paintEvent(QPaintEvent*) {
    if (!m_picture) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double right = width();
    const double top = gaugeTop(right) + 18;
    if (writes()) {
        double y = paintRow(p, t, kSideMargin, right, tr("before"), m_picture->rowOfA(), nullptr);
        y = paintRow(p, t, y, right, nowWord(), m_outcome.row, &m_picture->rowOfA());
        paintRow(p, t, y, right, tr("B"), m_picture->rowOfB(), nullptr);
        p.fillRect(QRectF(0, top - 12, right, 1), t.line);
    }
    paintShare(p, top, right);
    paintWords(p, top + kSideShare, right);
}

void SurgeryFigures::paintShare(QPainter& p, double top, double right) const {
    const Theme& t = Theme::of(this);
    const Patching& patching = m_picture->patching();
    paint::centredText(p, {0, top}, tr("How much of the answer moved"), uiFont(13, QFont::DemiBold), t.text);
    paint::centredText(p, {right, top}, m_outcome.share ? formatNumber(*m_outcome.share, 3) : tr("too close to say"),
                       monoFont(14, QFont::DemiBold), t.nowText, Anchor::End);
    const double line = top + 20;
    p.setPen(QPen(t.line2, 3));
    p.drawLine(QPointF(xOf(0), line), QPointF(xOf(1), line));
    const auto end = [&](double x, const QString& name) {
        p.setPen(Qt::NoPen);
        p.setBrush(t.ink);
        p.drawEllipse(QPointF(x, line), 9, 9);
        paint::centredText(p, {x, line}, name, uiFont(10, QFont::DemiBold), t.onInk, Anchor::Middle);
    };
    if (m_outcome.share) {
        p.setPen(QPen(t.now, 3));
        p.drawLine(QPointF(xOf(0), line), QPointF(xOf(*m_outcome.share), line));
    }
    end(xOf(0), tr("A"));
    end(xOf(1), tr("B"));
    if (m_outcome.share) {
        p.setPen(QPen(t.nowLine, 2));
        p.setBrush(t.now);
        p.drawEllipse(QPointF(xOf(*m_outcome.share), line), 6, 6);
    }
    paint::centredText(p, {0, line + 19}, formatSigned(patching.differenceOfA(), 3), monoFont(11), t.text2);
    paint::centredText(p, {right, line + 19}, formatSigned(patching.differenceOfB(), 3), monoFont(11), t.text2,
                       Anchor::End);
    paint::centredText(p, {right / 2, line + 19},
                       (m_isTried ? tr("tried %1") : tr("now %1")).arg(formatSigned(m_outcome.difference, 3)),
                       monoFont(11), t.nowText, Anchor::Middle);
}

QString SurgeryFigures::nowWord() const {
    return m_isTried ? tr("tried") : tr("now");
}

/// Of a table: its title, and the names of its two columns of numbers.
void SurgeryFigures::paintHeads(QPainter& p, double top, double right, const QString& title) const {
    const Theme& t = Theme::of(this);
    paint::centredText(p, {0, top}, title, uiFont(13, QFont::DemiBold), t.text);
    paint::centredText(p, {right - 52, top}, tr("before"), uiFont(11), t.text2, Anchor::End);
    paint::centredText(p, {right, top}, nowWord(), uiFont(11), t.text2, Anchor::End);
}

void SurgeryFigures::paintWords(QPainter& p, double top, double right) const {
    const Theme& t = Theme::of(this);
    const QString before = m_picture->before();
    const QString after = tr("After “%1”").arg(before);
    const bool fits = !before.isEmpty() && paint::textWidth(after, uiFont(13, QFont::DemiBold)) <= right - kNumbers;
    paintHeads(p, top, right, fits ? after : tr("The answer"));
    const double left = 92, room = right - kNumbers - left;
    for (size_t i = 0; i < m_outcome.words.size(); ++i) {
        const auto& word = m_outcome.words[i];
        const double y = top + 20 + kBarRow * static_cast<double>(i);
        const bool grew = word.now > word.before;
        paint::centredText(p, {0, y}, paint::elided(word.name, uiFont(13), left - 8), uiFont(13), t.text);
        paint::box(p, QRectF(left, y - 5, room, 10), t.sunken, {}, 2);
        paint::box(p, QRectF(left, y - 5, std::max(1.0, room * word.now), 10), grew ? t.now : t.sequentialStops[5], {},
                   2);
        p.fillRect(QRectF(left + room * word.before - 1, y - 8, 2, 16), t.text);
        paint::centredText(p, {right - 52, y}, formatNumber(word.before, 3), monoFont(12), t.text2, Anchor::End);
        paint::centredText(p, {right, y}, formatNumber(word.now, 3), monoFont(12, QFont::Medium), t.text, Anchor::End);
    }
}

SurgerySide::SurgerySide(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_figures(new SurgeryFigures),
      m_found(new FoundList),
      m_hint(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_none(new Caption(tr("No edits yet. Click a square of the first map, or drag it to the second."), 12,
                         QFont::Normal, Caption::Tone::Secondary)),
      m_undo(new Button(Button::Kind::Ghost, tr("Undo"), Icon::Reset)),
      m_clear(new Button(Button::Kind::Ghost, tr("Clear"), Icon::Cross)),
      m_copy(new Button(Button::Kind::Ghost, tr("Copy as JSON"), Icon::Export)) {
    takeShare(320, 400);
    yieldBelow(kYieldsBelow);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 12, 20, 12);
    column->setSpacing(8);
    column->addWidget(new Caption(tr("A, with the pieces of B"), 18, QFont::DemiBold, Caption::Tone::Main));
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_hint->setMinimumHeight(2 * QFontMetrics(uiFont(12)).lineSpacing() + 4);
    column->addWidget(m_hint);
    column->addWidget(m_figures);
    column->addWidget(m_found);
    column->addWidget(new Rule);
    auto* heading = new QHBoxLayout;
    heading->addWidget(new Caption(tr("Edits"), 13, QFont::DemiBold, Caption::Tone::Main), 1);
    for (Button* button : {m_undo, m_clear}) {
        button->setHeight(28);
        heading->addWidget(button);
    }
    column->addLayout(heading);
    m_none->setWordWrap(true);
    column->addWidget(m_none);
    m_list = new QVBoxLayout;
    m_list->setSpacing(4);
    column->addLayout(m_list);
    m_copy->setHeight(28);
    column->addWidget(m_copy, 0, Qt::AlignLeft);
    column->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(1, 0, 0, 0);
    all->addWidget(scrolling(content));
    fillEdits({});
    connect(m_undo, &Button::clicked, this, &SurgerySide::undoWanted);
    connect(m_clear, &Button::clicked, this, &SurgerySide::clearWanted);
    connect(m_copy, &Button::clicked, this, &SurgerySide::copyWanted);
}

void SurgerySide::setOutcome(const std::shared_ptr<const SurgeryPicture>& picture,
                             const SurgeryPicture::Outcome& outcome, const std::vector<SurgeryEdit>& edits,
                             const std::optional<SurgeryEdit>& tried) {
    m_figures->setOutcome(picture, outcome, tried.has_value());
    m_found->setFound(outcome.found, tried ? tr("tried") : tr("now"));
    if (picture && tried) {
        const bool stands =
            std::ranges::any_of(edits, [&](const SurgeryEdit& edit) { return edit.isOn && edit.isWhere(*tried); });
        m_hint->setText((stands ? tr("If taken out: %1") : tr("If put in: %1")).arg(nameOf(*picture, *tried)));
    } else {
        m_hint->setText(tr("Point at a square of the first map: what it would do is tried here. A click puts it in."));
    }
    const bool same = picture == m_picture && edits == m_edits;
    m_picture = picture;
    if (!same) fillEdits(edits);
}

void SurgerySide::fillEdits(const std::vector<SurgeryEdit>& edits) {
    m_edits = edits;
    for (QCheckBox* box : m_switches)
        box->deleteLater();
    m_switches.clear();
    for (size_t i = 0; m_picture && i < edits.size(); ++i) {
        auto* box = new QCheckBox(nameOf(*m_picture, edits[i]));
        box->setChecked(edits[i].isOn);
        connect(box, &QCheckBox::toggled, this, [this, i](bool on) { emit switched(static_cast<int>(i), on); });
        m_switches.push_back(box);
        m_list->addWidget(box);
    }
    m_none->setVisible(edits.empty());
    m_copy->setVisible(!edits.empty());
    m_undo->setEnabled(!edits.empty());
    m_clear->setEnabled(!edits.empty());
}

}  // namespace headlight

#include "moc_surgery_side.cpp"
