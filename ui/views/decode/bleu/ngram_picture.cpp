// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu/ngram_picture.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLabels = 104, kCounts = 164;                       ///< beside the words
constexpr double kPitch = 124, kLeastPitch = 46, kNgramBetween = 6;  ///< of the words
constexpr double kWord = 28, kReference = 36, kLinks = 30, kAboveBars = 18;
constexpr double kBar = 12, kBarRow = 17, kBetweenRows = 15, kLow = 6;

QString fraction(int halvings) {
    return halvings == 1 ? QStringLiteral("½") : halvings == 2 ? QStringLiteral("¼") : QStringLiteral("⅛");
}

}  // namespace

QString ngramName(int order) {
    switch (order) {
        case 1:
            return NgramPicture::tr("single words");
        case 2:
            return NgramPicture::tr("pairs");
        case 3:
            return NgramPicture::tr("threes");
        default:
            return NgramPicture::tr("fours");
    }
}

void paintNgram(QPainter& p, const QRectF& box, NgramMatch::Kind kind, const QWidget* widget) {
    const Theme& t = Theme::of(widget);
    switch (kind) {
        case NgramMatch::Kind::Found:
            return paint::box(p, box, t.sequential(0.625), {}, 2);
        case NgramMatch::Kind::Absent:
            return paint::box(p, box, t.surface, t.line2, 2);
        case NgramMatch::Kind::Clipped:
            paint::hatch(p, box, t.hatchGround, t.hatch);
            p.setPen(QPen(t.text3, 1));
            p.setBrush(Qt::NoBrush);
            p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    }
}

NgramPicture::NgramPicture(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("N-grams of the translation"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void NgramPicture::setSentence(const SentenceBleu& sentence, int longest) {
    m_sentence = sentence;
    m_longest = longest;
    m_hovered = {};
    m_chosen = worthALook();
    updateGeometry();
    layOut();
    setAccessibleDescription(spoken());
    viewport()->update();
    emit litChanged();
}

const NgramMatch& NgramPicture::match(Bar bar) const {
    return m_sentence.ngrams[static_cast<size_t>(bar.order - 1)][static_cast<size_t>(bar.place)];
}

/// What was clipped; else what breaks the longest that was found; else the longest that was.
NgramPicture::Bar NgramPicture::worthALook() const {
    for (const auto kind : {NgramMatch::Kind::Clipped, NgramMatch::Kind::Absent, NgramMatch::Kind::Found})
        for (int order = 1; order <= m_longest; ++order) {
            const auto& all = m_sentence.ngrams[static_cast<size_t>(order - 1)];
            const auto at = std::ranges::find(all, kind, &NgramMatch::kind);
            if (at != all.end()) return {order, static_cast<int>(at - all.begin())};
        }
    return {};
}

void NgramPicture::choose(Bar bar) {
    m_chosen = bar;
    m_hovered = {};
    bringIntoSight(bar);
    viewport()->update();
    emit litChanged();
}

double NgramPicture::labels() const {
    return kLabels;
}

double NgramPicture::pitch() const {
    size_t most = m_sentence.hypothesis.size();
    for (const auto& reference : m_sentence.references)
        most = std::max(most, reference.size());
    if (most == 0) return kPitch;
    return std::clamp((viewport()->width() - kLabels - kCounts) / static_cast<double>(most), kLeastPitch, kPitch);
}

double NgramPicture::xOf(int word) const {
    return labels() + pitch() * word - horizontalScrollBar()->value();
}

double NgramPicture::hypothesisTop() const {
    return kReference * static_cast<double>(m_sentence.references.size()) + kLinks - (kReference - kWord);
}

double NgramPicture::rowTop(int order) const {
    double y = hypothesisTop() + kWord + kAboveBars;
    for (int n = 1; n < order; ++n)
        y += lanes(n) * kBarRow + kBetweenRows;
    return y;
}

/// Of a row: pieces that share words stand below one another, where there are so many.
int NgramPicture::lanes(int order) const {
    return std::clamp(static_cast<int>(m_sentence.ngrams[static_cast<size_t>(order - 1)].size()), 1, order);
}

QRectF NgramPicture::wordsArea() const {
    return {labels() - 4, 0, std::max(0.0, viewport()->width() - labels() - kCounts + 4),
            static_cast<double>(viewport()->height())};
}

QRectF NgramPicture::barRect(Bar bar) const {
    return {xOf(bar.place) + 1, rowTop(bar.order) + (bar.place % bar.order) * kBarRow,
            bar.order * pitch() - kNgramBetween - 2, kBar};
}

QRectF NgramPicture::wordRect(int word) const {
    return {xOf(word), hypothesisTop(), pitch() - kNgramBetween, kWord};
}

QRectF NgramPicture::referenceRect(int reference, int word) const {
    return {xOf(word), reference * kReference, pitch() - kNgramBetween, kWord};
}

QSize NgramPicture::sizeHint() const {
    const bool scrolls = horizontalScrollBar()->maximum() > 0;
    return {640, static_cast<int>(std::ceil(rowTop(m_longest) + lanes(m_longest) * kBarRow)) +
                     (scrolls ? horizontalScrollBar()->sizeHint().height() + 4 : 0)};
}

void NgramPicture::layOut() {
    size_t most = m_sentence.hypothesis.size();
    for (const auto& reference : m_sentence.references)
        most = std::max(most, reference.size());
    const double room = viewport()->width() - kLabels - kCounts, wanted = pitch() * static_cast<double>(most);
    const bool scrolled = horizontalScrollBar()->maximum() > 0;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(wanted - room))));
    horizontalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    horizontalScrollBar()->setSingleStep(static_cast<int>(pitch()));
    if (scrolled != (horizontalScrollBar()->maximum() > 0)) updateGeometry();
    horizontalScrollBar()->setValue(0);  // wherever the reader was before, the same is seen of the same sentence
    bringIntoSight(m_chosen);            // what the story below tells of
}

void NgramPicture::resizeEvent(QResizeEvent*) {
    layOut();
}

NgramPicture::Bar NgramPicture::barAt(QPointF at) const {
    if (!wordsArea().contains(at)) return {};
    for (int order = 1; order <= m_longest; ++order)
        for (int i = 0; i < static_cast<int>(m_sentence.ngrams[static_cast<size_t>(order - 1)].size()); ++i)
            if (barRect({order, i}).adjusted(0, -2, 0, 2).contains(at)) return {order, i};
    for (int i = 0; i < static_cast<int>(m_sentence.hypothesis.size()); ++i)
        if (wordRect(i).contains(at)) return {1, i};
    return {};
}

void NgramPicture::setHovered(Bar bar) {
    if (bar == m_hovered) return;
    m_hovered = bar;
    viewport()->update();
    emit litChanged();
}

void NgramPicture::mouseMoveEvent(QMouseEvent* event) {
    setHovered(barAt(event->position()));
    viewport()->setCursor(m_hovered.valid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void NgramPicture::mousePressEvent(QMouseEvent* event) {
    const Bar bar = barAt(event->position());
    if (bar.valid()) choose(bar);
}

void NgramPicture::leaveEvent(QEvent*) {
    setHovered({});
}

void NgramPicture::keyPressEvent(QKeyEvent* event) {
    Bar to = m_chosen;
    switch (event->key()) {
        case Qt::Key_Left:
            --to.place;
            break;
        case Qt::Key_Right:
            ++to.place;
            break;
        case Qt::Key_Up:
            --to.order;
            break;
        case Qt::Key_Down:
            ++to.order;
            break;
        default:
            return QAbstractScrollArea::keyPressEvent(event);
    }
    if (!m_chosen.valid() || to.order < 1 || to.order > m_longest) return;
    const int count = static_cast<int>(m_sentence.ngrams[static_cast<size_t>(to.order - 1)].size());
    if (count == 0) return;
    to.place = std::clamp(to.place, 0, count - 1);
    choose(to);
}

void NgramPicture::bringIntoSight(Bar bar) {
    if (!bar.valid()) return;
    const QRectF box = barRect(bar), area = wordsArea();
    QScrollBar* const scroll = horizontalScrollBar();
    if (box.left() < area.left()) scroll->setValue(scroll->value() - static_cast<int>(area.left() - box.left()));
    if (box.right() > area.right())
        scroll->setValue(scroll->value() + static_cast<int>(box.right() - area.right()) + 1);
}

QString NgramPicture::spoken() const {
    QStringList told;
    for (int order = 1; order <= m_longest; ++order) {
        const auto n = static_cast<size_t>(order - 1);
        told << tr("%1: %2 of %3").arg(ngramName(order)).arg(m_sentence.bleu.matches[n]).arg(m_sentence.bleu.totals[n]);
    }
    return told.join(QStringLiteral(", "));
}

QPainterPath NgramPicture::linkOf(int word) const {
    const NgramMatch& found = m_sentence.ngrams[0][static_cast<size_t>(word)];
    if (found.kind == NgramMatch::Kind::Absent) return {};
    const QRectF there = referenceRect(found.reference, found.place);
    const QPointF to(wordRect(word).center().x(), wordRect(word).top());
    const int last = static_cast<int>(m_sentence.references.size()) - 1;
    QPointF from(there.center().x(), there.bottom());
    QPainterPath path(from);
    if (found.reference < last) {  // behind a word of a later reference it would seem to begin there
        const double gap = (there.right() + referenceRect(found.reference, found.place + 1).left()) / 2;
        const double next = referenceRect(found.reference + 1, 0).top();
        path = QPainterPath(QPointF(there.right() - 10, from.y()));
        path.cubicTo({there.right() - 10, next}, {gap, from.y()}, {gap, next});
        from = {gap, referenceRect(last, 0).bottom()};
        path.lineTo(from);
    }
    path.cubicTo({from.x(), from.y() + 18}, {to.x(), to.y() - 18}, to);
    return path;
}

void NgramPicture::paintLinks(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const auto& words = m_sentence.ngrams[0];
    const Bar now = lit();
    for (int i = 0; i < static_cast<int>(words.size()); ++i) {
        const QPainterPath path = linkOf(i);
        if (path.isEmpty()) continue;
        const bool isLit = now.valid() && i >= now.place && i < now.place + now.order;
        const bool isClipped = words[static_cast<size_t>(i)].kind == NgramMatch::Kind::Clipped;
        p.setPen(
            QPen(isLit ? t.nowLine : t.sequential(0.625), isLit ? 2 : 1.5, isClipped ? Qt::DashLine : Qt::SolidLine));
        p.setBrush(Qt::NoBrush);
        p.drawPath(path);
    }
}

void NgramPicture::paintWords(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Bar now = lit();
    const auto chip = [&](const QRectF& box, const std::string& word, bool isLit, const QColor& border, int weight) {
        paint::box(p, box, isLit ? t.nowTint : t.surface, isLit ? t.nowLine : border, 6, isLit ? 2 : 1);
        const QString whole = QString::fromStdString(word);
        const QFont font = paint::fitting(whole, uiFont(pitch() < 60 ? 12 : 13, weight), box.width() - 2);
        const QString text = paint::elided(whole, font, box.width() - 2);
        paint::centredText(p, box.center(), text, font, isLit ? t.nowText : t.text, Anchor::Middle);
    };
    const NgramMatch* const there = now.valid() ? &match(now) : nullptr;
    for (int r = 0; r < static_cast<int>(m_sentence.references.size()); ++r) {
        const auto& reference = m_sentence.references[static_cast<size_t>(r)];
        for (int j = 0; j < static_cast<int>(reference.size()); ++j) {
            const bool isLit = there && there->reference == r && j >= there->place && j < there->place + now.order;
            chip(referenceRect(r, j), reference[static_cast<size_t>(j)], isLit, t.line2, QFont::Medium);
        }
    }
    for (int i = 0; i < static_cast<int>(m_sentence.hypothesis.size()); ++i)
        chip(wordRect(i), m_sentence.hypothesis[static_cast<size_t>(i)],
             now.valid() && i >= now.place && i < now.place + now.order, t.decoder, QFont::DemiBold);
}

void NgramPicture::paintBar(QPainter& p, Bar bar) const {
    paintNgram(p, barRect(bar), match(bar).kind, this);
    if (bar == lit()) paint::outline(p, barRect(bar).adjusted(-1, -1, 1, 1), Theme::of(this).nowLine, 2, 4);
}

void NgramPicture::paintBars(QPainter& p) const {
    for (int order = 1; order <= m_longest; ++order)
        for (int i = 0; i < static_cast<int>(m_sentence.ngrams[static_cast<size_t>(order - 1)].size()); ++i)
            paintBar(p, {order, i});
}

/// What stands at both sides: names of the rows, what was found of how many, and the share that counts.
void NgramPicture::paintCounts(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const double right = viewport()->width(), found = right - 124;
    for (int r = 0; r < static_cast<int>(m_sentence.references.size()); ++r) {
        const QString name = r == 0 ? tr("Reference") : tr("Reference %1").arg(r + 1);
        paint::centredText(p, {0, referenceRect(r, 0).center().y()}, name, uiFont(12, QFont::DemiBold), t.text2);
    }
    const double middle = wordRect(0).center().y();
    paint::centredText(p, {0, middle}, tr("Model writes"), uiFont(12, QFont::DemiBold), t.decoder);
    paint::centredText(p, {found, middle}, tr("found"), uiFont(12, QFont::Medium), t.text3, Anchor::Middle);
    paint::centredText(p, {right, middle}, tr("precision"), uiFont(12, QFont::Medium), t.text3, Anchor::End);
    const Bleu& bleu = m_sentence.bleu;
    int halvings = 0;
    for (int order = 1; order <= m_longest; ++order) {
        const auto n = static_cast<size_t>(order - 1);
        const double top = rowTop(order), y = top + (lanes(order) * kBarRow - (kBarRow - kBar)) / 2;
        if (order > 1) p.fillRect(QRectF(0, std::round(top - kBetweenRows / 2 - 1), right, 1), t.line);
        const bool none = bleu.totals[n] > 0 && bleu.matches[n] == 0 && bleu.matches[0] > 0;
        if (none) ++halvings;
        paint::centredText(p, {0, none ? y - kLow : y}, ngramName(order), uiFont(12, QFont::Medium), t.text2);
        if (none)
            paint::centredText(p, {0, y + kLow + 3}, tr("none: as %1").arg(fraction(halvings)), uiFont(11), t.text3);
        paint::centredText(p, {found, y}, QStringLiteral("%1/%2").arg(bleu.matches[n]).arg(bleu.totals[n]),
                           monoFont(13, QFont::DemiBold), t.text, Anchor::Middle);
        QFont italic = uiFont(14);
        italic.setItalic(true);
        paint::centredText(p, {right - 72, y}, QStringLiteral("p"), italic, t.text2, Anchor::End);
        paint::centredText(p, {right - 71, y + 5}, QString::number(order), uiFont(11), t.text2);
        const QString share = bleu.totals[n] > 0 ? formatNumber(bleu.precisions[n] / 100, 3) : QStringLiteral("–");
        paint::centredText(p, {right, y}, share, monoFont(12, QFont::Medium), t.text, Anchor::End);
    }
}

void NgramPicture::paintEvent(QPaintEvent*) {
    QPainter p(viewport());
    p.setRenderHint(QPainter::Antialiasing);
    paintCounts(p);
    p.setClipRect(wordsArea());
    paintLinks(p);
    paintWords(p);
    paintBars(p);
}

}  // namespace headlight

#include "moc_ngram_picture.cpp"
