// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/batch_shapes.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <optional>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kShapeTitle = 22, kShapeFoot = 30;    ///< above each shape; below all of them
constexpr double kWords = 68, kBetweenSentences = 20;  ///< of a sentence's words; between two sentences
constexpr double kHeadNames = 14;
constexpr double kSmallestName = 9, kTallest = 32;  ///< of a row

}  // namespace

BatchShapes::BatchShapes(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Queries of a batch, cut into heads"));
    setToolTip(
        tr("Click a number, or go to another by the arrow keys: Shift with ← and → goes from head to head, with "
           "↑ and ↓ from sentence to sentence"));
    say();
}

void BatchShapes::setBatch(HeadBatch batch) {
    m_batch = std::move(batch);
    std::vector<float> queries, scores;
    for (const HeadBatch::Sentence& each : m_batch.sentences) {
        queries.insert(queries.end(), each.queries.begin(), each.queries.end());
        for (size_t at = 0; at < each.scores.size(); ++at)
            if (each.blocked.empty() || each.blocked[at % each.blocked.size()] == 0) scores.push_back(each.scores[at]);
    }
    m_queries = ColorScale::scores(queries);
    m_scores = ColorScale::scores(scores);
    setChosen(m_chosen);
}

void BatchShapes::setEmptyText(const QString& text) {
    m_empty = text;
    say();
    update();
}

void BatchShapes::setChosen(const Place& place) {
    m_chosen = place;
    if (!m_batch.isEmpty())
        m_chosen = {std::clamp(place.sentence, 0, static_cast<int>(m_batch.sentences.size()) - 1),
                    std::clamp(place.word, 0, m_batch.length - 1), std::clamp(place.head, 0, m_batch.heads - 1),
                    std::clamp(place.number, 0, m_batch.width - 1)};
    say();
    update();
}

double BatchShapes::halfWidth() const {
    const auto sentences = std::max(2.0, static_cast<double>(m_batch.sentences.size()));
    return (width() - 2 - kBetweenSentences * (sentences - 1)) / sentences;  // a frame stands a pixel outside
}

double BatchShapes::bandHeight() const {
    return (height() - kShapeFoot) / kShapes;
}

QRectF BatchShapes::bandOf(Shape shape) const {
    return {0, static_cast<int>(shape) * bandHeight(), static_cast<double>(width()), bandHeight()};
}

/// Every shape has its cells where its sentence's half begins; scores are squares where there is room.
BatchShapes::Grid BatchShapes::gridOf(Shape shape, int sentence) const {
    const QRectF band = bandOf(shape);
    const bool byHead = shape == Turned || shape == Scores;
    Grid grid;
    grid.left = sentence * (halfWidth() + kBetweenSentences) + kWords;
    grid.top = band.top() + kShapeTitle + (byHead ? kHeadNames : 2);
    grid.gap = shape == Joined ? 0 : byHead ? 8 : 4;
    grid.rowGap = byHead ? 0 : 3;
    const double wide = halfWidth() - kWords - grid.gap * (m_batch.heads - 1);
    const double high = band.bottom() - 4 - grid.top - grid.rowGap * (m_batch.length - 1);
    const int columns = m_batch.heads * columnsOf(shape);
    grid.across = std::max(0.5, wide / std::max(1, columns));
    grid.down = std::clamp(high / std::max(1, m_batch.length), 0.5, kTallest);
    if (shape == Scores) grid.across = std::min(grid.across, 1.6 * grid.down);
    return grid;
}

QRectF BatchShapes::cellRect(Shape shape, const Place& place) const {
    const Grid grid = gridOf(shape, place.sentence);
    const int columns = columnsOf(shape);
    // A head's scores begin where its queries do.
    const double pitch = shape == Scores ? gridOf(Turned, place.sentence).across * m_batch.width + grid.gap
                                         : grid.across * columns + grid.gap;
    return {grid.left + place.head * pitch + place.number * grid.across,
            grid.top + place.word * (grid.down + grid.rowGap), grid.across, grid.down};
}

QString BatchShapes::shapeText(Shape shape) const {
    const auto sentences = m_batch.sentences.size();
    const HeadBatch& b = m_batch;
    switch (shape) {
        case Joined:
            return QStringLiteral("(%1, %2, %3)").arg(sentences).arg(b.length).arg(b.model());
        case Cut:
            return QStringLiteral("(%1, %2, %3, %4)").arg(sentences).arg(b.length).arg(b.heads).arg(b.width);
        case Turned:
            return QStringLiteral("(%1, %2, %3, %4)").arg(sentences).arg(b.heads).arg(b.length).arg(b.width);
        case Scores:
            return QStringLiteral("(%1, %2, %3, %4)").arg(sentences).arg(b.heads).arg(b.length).arg(b.keys);
    }
    return {};
}

QString BatchShapes::titleOf(Shape shape) const {
    const QString titles[] = {tr("batch, words, d_model: as the product X W leaves it"),
                              tr("batch, words, heads, d_head: only read otherwise, nothing has moved"),
                              tr("batch, heads, words, d_head: the heads have moved before the words"),
                              tr("batch, heads, words, words: q · k within one head of one sentence")};
    return titles[shape];
}

QString BatchShapes::placeText() const {
    if (m_batch.isEmpty()) return {};
    const auto [sentence, word, head, number] = m_chosen;
    const auto at = [](std::initializer_list<int> places) {
        QStringList all;
        for (const int place : places)
            all << QString::number(place + 1);
        return QStringLiteral("[%1]").arg(all.join(QStringLiteral(", ")));
    };
    const double value = static_cast<double>(m_batch.query(sentence, word, head, number));
    return tr("%1 stands at %2, then at %3, then at %4: number %5 in memory, twice, and then number %6")
        .arg(formatNumber(value, 4), at({sentence, word, head * m_batch.width + number}),
             at({sentence, word, head, number}), at({sentence, head, word, number}))
        .arg(m_batch.placeBefore(sentence, word, head, number) + 1)
        .arg(m_batch.placeBehind(sentence, word, head, number) + 1);
}

void BatchShapes::say() {
    if (m_batch.isEmpty()) return setAccessibleDescription(m_empty);
    QStringList all;
    for (int shape = 0; shape < kShapes; ++shape)
        all << shapeText(static_cast<Shape>(shape)) + u' ' + titleOf(static_cast<Shape>(shape));
    all << tr("“%1”, head %2: %3")
               .arg(m_batch.sentences[static_cast<size_t>(m_chosen.sentence)].rows.value(m_chosen.word))
               .arg(m_chosen.head + 1)
               .arg(placeText());
    setAccessibleDescription(all.join(QStringLiteral("; ")));
}

/// What lies together in memory: a word's numbers, or a head's.
void BatchShapes::paintFrames(QPainter& p, const Theme& t, Shape shape, int sentence) const {
    const auto span = [&](Place from, Place to) {
        const QRectF box = cellRect(shape, from) | cellRect(shape, to);
        p.drawRect(box.adjusted(-1, -1, 1, 1));
    };
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.line2, 1));
    const int last = columnsOf(shape) - 1;
    if (shape == Turned || shape == Scores) {
        for (int head = 0; head < m_batch.heads; ++head)
            span({sentence, 0, head, 0}, {sentence, m_batch.length - 1, head, last});
        return;
    }
    for (int word = 0; word < m_batch.length; ++word)
        span({sentence, word, 0, 0}, {sentence, word, m_batch.heads - 1, last});
}

/// Beside the rows, and above the heads their numbers.
void BatchShapes::paintWords(QPainter& p, const Theme& t, Shape shape, int sentence) const {
    const HeadBatch::Sentence& own = m_batch.sentences[static_cast<size_t>(sentence)];
    const Grid grid = gridOf(shape, sentence);
    const QFont font = uiFont(std::clamp(static_cast<int>(grid.down + grid.rowGap), 9, 12), QFont::Medium);
    for (int word = 0; word < m_batch.length && grid.down + grid.rowGap >= kSmallestName; ++word) {
        const double y = cellRect(shape, {sentence, word, 0, 0}).center().y();
        const bool isPadding = word >= own.words;
        paint::centredText(p, {grid.left - 8, y}, paint::elided(own.rows.value(word), font, kWords - 10), font,
                           isPadding ? t.text3 : t.text2, Anchor::End);
    }
    if (shape != Turned && shape != Scores) return;
    for (int head = 0; head < m_batch.heads; ++head) {
        const QRectF cell = cellRect(shape, {sentence, 0, head, 0});
        paint::centredText(p, {cell.left(), cell.top() - 8}, QString::number(head + 1), monoFont(10),
                           head == m_chosen.head ? t.text : t.text3);
    }
}

int BatchShapes::columnsOf(Shape shape) const {
    return shape == Scores ? m_batch.keys : m_batch.width;
}

void BatchShapes::eachPlace(Shape shape, int sentence, const std::function<void(const Place&)>& act) const {
    for (int head = 0; head < m_batch.heads; ++head)
        for (int word = 0; word < m_batch.length; ++word)
            for (int number = 0; number < columnsOf(shape); ++number)
                act({sentence, word, head, number});
}

void BatchShapes::paintCell(QPainter& p, const Theme& t, Shape shape, const Place& place) const {
    const QRectF cell = cellRect(shape, place);
    if (shape != Scores) {
        const float value = m_batch.query(place.sentence, place.word, place.head, place.number);
        return p.fillRect(cell, m_queries.color(t, static_cast<double>(value)));
    }
    const HeadBatch::Sentence& own = m_batch.sentences[static_cast<size_t>(place.sentence)];
    const auto row = static_cast<size_t>(place.word) * static_cast<size_t>(m_batch.keys);
    if (!own.blocked.empty() && own.blocked[row + static_cast<size_t>(place.number)] != 0)
        return paint::hatch(p, cell, t.hatchGround, t.hatch);
    const size_t at = static_cast<size_t>(place.head * m_batch.length) * static_cast<size_t>(m_batch.keys) + row +
                      static_cast<size_t>(place.number);
    p.fillRect(cell, m_scores.color(t, static_cast<double>(own.scores[at])));
}

void BatchShapes::paintShape(QPainter& p, const Theme& t, Shape shape) const {
    const QRectF band = bandOf(shape);
    const double y = band.top() + kShapeTitle / 2;
    const QString text = shapeText(shape);
    paint::centredText(p, {0, y}, text, monoFont(13, QFont::DemiBold), t.text);
    const double x = paint::textWidth(text, monoFont(13, QFont::DemiBold)) + 12;
    paint::centredText(p, {x, y}, paint::elided(titleOf(shape), uiFont(12), width() - x), uiFont(12), t.text2);
    for (int sentence = 0; sentence < static_cast<int>(m_batch.sentences.size()); ++sentence) {
        p.setRenderHint(QPainter::Antialiasing, false);
        eachPlace(shape, sentence, [&](const Place& place) { paintCell(p, t, shape, place); });
        p.setRenderHint(QPainter::Antialiasing, true);
        paintFrames(p, t, shape, sentence);
        paintWords(p, t, shape, sentence);
    }
}

void BatchShapes::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_batch.isEmpty()) {
        p.setFont(uiFont(13));
        p.setPen(t.text2);
        return p.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_empty);
    }
    for (int shape = 0; shape < kShapes; ++shape)
        paintShape(p, t, static_cast<Shape>(shape));
    for (const Shape shape : {Joined, Cut, Turned})
        paint::outline(p, cellRect(shape, m_chosen), t.now, 2, 1);
    const QFont font = monoFont(width() < 760 ? 10 : 12, QFont::Medium);
    p.setFont(font);
    p.setPen(t.text);
    p.drawText(QRectF(0, height() - kShapeFoot, width(), kShapeFoot), Qt::AlignVCenter | Qt::TextWordWrap, placeText());
    if (hasFocus()) paint::outline(p, QRectF(rect()).adjusted(2, 2, -2, -2), t.ink, 1, 3);
}

/// A click on a score chooses its row.
void BatchShapes::mousePressEvent(QMouseEvent* event) {
    std::optional<Place> hit;
    for (const Shape shape : {Joined, Cut, Turned, Scores})
        for (int sentence = 0; sentence < static_cast<int>(m_batch.sentences.size()); ++sentence)
            eachPlace(shape, sentence, [&](const Place& place) {
                if (!cellRect(shape, place).contains(event->position())) return;
                hit = place;
                if (shape == Scores) hit->number = m_chosen.number;
            });
    if (!hit) return;
    setChosen(*hit);
    emit placeChosen();
}

void BatchShapes::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

/// Along a word's numbers through its heads, and along the words.
void BatchShapes::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (arrow.isNone() || m_batch.isEmpty()) return QWidget::keyPressEvent(event);
    Place to = m_chosen;
    if (event->modifiers() & Qt::ShiftModifier) {
        to.head += arrow.right;
        to.sentence += arrow.down;
    } else {
        const int number = std::clamp(to.head * m_batch.width + to.number + arrow.right, 0, m_batch.model() - 1);
        to.head = number / m_batch.width;
        to.number = number % m_batch.width;
        to.word += arrow.down;
    }
    setChosen(to);
    emit placeChosen();
}

}  // namespace headlight

#include "moc_batch_shapes.cpp"
