// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/time/unrolled_rnn.h"

#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/glide.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kUnrolledLeft = 14;
constexpr double kThought = 92;  ///< room for the thought vector between the stacks
constexpr double kNarrowest = 54, kWidest = 92;
constexpr double kLongestWord = 64;  ///< of a column that is as narrow as can be; a longer word ends in dots
constexpr double kBetweenChips = 6, kInsideChip = 2;
constexpr double kWeights = 46;  ///< top of the bars of attention
constexpr double kLanes = 58;    ///< between the bars and the states
constexpr double kCellHeight = 44, kChip = 26;
constexpr double kBottom = 380, kLowBottom = 312;  ///< with all the room that is good, and with as little as will do
constexpr double kLargest = 1.75;                  ///< of a zoom
constexpr double kMostMore = 440;                  ///< room that is put to use
constexpr int kStateRows = 8;
constexpr double kContextWidth = 56;
constexpr double kFaintest = 0.02;  ///< a weight below it has no line

}  // namespace

UnrolledRnn::UnrolledRnn(QWidget* parent)
    : QWidget(parent),
      m_glide(new Glide(this, [this] { return m_chosen >= 0 && m_chosen < count() ? cellRect(m_chosen) : QRectF(); })) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("The network unrolled in time"));
    setAccessibleDescription(tr("Left and right choose a step."));
}

void UnrolledRnn::setContent(Content content) {
    m_content = std::move(content);
    m_chosen = std::min(m_chosen, count() - 1);
    m_narrowest = kNarrowest;
    const auto giveRoomTo = [this](const QString& word) {
        const double wide = paint::textWidth(word, paint::fitting(word, uiFont(12, QFont::DemiBold), 0));
        m_narrowest = std::clamp(wide + 2 * kInsideChip + kBetweenChips, m_narrowest, kLongestWord);
    };
    for (const auto* steps : {&m_content.encoder, &m_content.decoder})
        for (const Step& step : *steps) {
            giveRoomTo(step.word);
            giveRoomTo(step.written);
        }
    updateGeometry();
    update();
}

void UnrolledRnn::setChosen(int step) {
    m_chosen = step;
    update();
}

const UnrolledRnn::Step& UnrolledRnn::at(int step) const {
    const size_t encoder = m_content.encoder.size(), index = static_cast<size_t>(step);
    return index < encoder ? m_content.encoder[index] : m_content.decoder[index - encoder];
}

UnrolledRnn::Heights UnrolledRnn::heights() const {
    const double low = std::clamp((kBottom + 8 - height() / zoom()) / (kBottom - kLowBottom), 0.0, 1.0);
    // States and bars take what is left of a high screen, as words and cells cannot.
    const double more = std::clamp(height() / zoom() - (kBottom + 8), 0.0, kMostMore);
    Heights tall{};
    tall.weight = 76 - 16 * low + 0.4 * more;
    tall.state = 72 - 38 * low + 0.6 * more;
    tall.lane = 62 - 12 * low;
    tall.states = kWeights + tall.weight + kLanes - 14 * low;
    tall.cells = tall.states + tall.state + 18;
    tall.under = tall.cells + kCellHeight + 10;
    tall.words = tall.cells + kCellHeight + 24;
    tall.bottom = tall.words + kChip + 16;
    return tall;
}

/// Everything is drawn larger where there is room for it: on a large screen a short sentence would be lost.
double UnrolledRnn::zoom() const {
    const double thought = m_content.thought.empty() ? 0 : kThought;
    const double wide = 2 * kUnrolledLeft + thought + std::max(1, count()) * kWidest;
    return std::clamp(std::min(width() / wide, height() / (kBottom + 8)), 1.0, kLargest);
}

double UnrolledRnn::pitch() const {
    const double thought = m_content.thought.empty() ? 0 : kThought;
    return std::clamp((width() / zoom() - 2 * kUnrolledLeft - thought) / std::max(1, count()), m_narrowest, kWidest);
}

double UnrolledRnn::columnX(int step) const {
    const double thought = isDecoder(step) && !m_content.thought.empty() ? kThought : 0;
    return kUnrolledLeft + thought + (step + 0.5) * pitch();
}

double UnrolledRnn::thoughtX() const {
    return kUnrolledLeft + static_cast<double>(m_content.encoder.size()) * pitch() + kThought / 2;
}

QSize UnrolledRnn::sizeHint() const {
    const double thought = m_content.thought.empty() ? 0 : kThought;
    return {static_cast<int>(2 * kUnrolledLeft + thought + std::max(1, count()) * m_narrowest),
            static_cast<int>(kBottom + 8)};
}

QSize UnrolledRnn::minimumSizeHint() const {
    return {sizeHint().width(), static_cast<int>(kLowBottom + 8)};
}

QRectF UnrolledRnn::cellBox(int step) const {
    const double w = pitch() - 12;
    return {columnX(step) - w / 2, heights().cells, w, kCellHeight};
}

QRectF UnrolledRnn::weightBox(int source) const {
    const double w = pitch() * 0.46;
    return {columnX(source) - w / 2, kWeights, w, heights().weight};
}

QRectF UnrolledRnn::thoughtBox() const {
    const Heights tall = heights();
    return {thoughtX() - 36, tall.states - 4, 72, tall.cells + kCellHeight - tall.states + 8};
}

QRectF UnrolledRnn::contextBox() const {
    constexpr double kAboveThought = 20;
    const Heights tall = heights();  // on a high screen the thought vector below it begins where a state would end
    return {thoughtX() - kContextWidth / 2, kWeights, kContextWidth,
            std::min(tall.state, tall.states - kWeights - kAboveThought)};
}

QRectF UnrolledRnn::writtenBox(int step) const {
    const double w = pitch() - kBetweenChips;
    return {columnX(step) - w / 2, kWeights + heights().weight - kChip, w, kChip};
}

/// Down from the bar, along between the bars and the states, and up into the context.
QPainterPath UnrolledRnn::weightWay(int source) const {
    const QRectF track = weightBox(source), context = contextBox();
    const QPointF from(track.center().x(), track.bottom() + 2), to(context.left() - 2, context.center().y());
    const double lane = track.bottom() + 26, turn = to.x() - 18, near = std::min(18.0, (turn - from.x()) / 2);
    QPainterPath path(from);
    path.quadTo({from.x(), lane}, {from.x() + near, lane});
    path.lineTo(turn - near, lane);
    path.cubicTo({turn, lane}, {turn, to.y()}, to);
    return path;
}

QPainterPath UnrolledRnn::contextWay() const {
    const QRectF written = writtenBox(m_chosen);
    const double x = written.center().x(), end = written.top() - 22, lane = heights().lane;
    QPainterPath path({contextBox().right() + 2, lane});
    path.lineTo(x - 8, lane);
    path.quadTo({x, lane}, {x, lane + 8});
    path.lineTo(x, end);
    return path;
}

void UnrolledRnn::mousePressEvent(QMouseEvent* event) {
    for (int step = 0; step < count(); ++step) {
        if (std::abs(event->position().x() / zoom() - columnX(step)) > pitch() / 2) continue;
        m_glide->stop();
        m_chosen = step;
        update();
        emit stepChosen(step);
        return;
    }
}

void UnrolledRnn::keyPressEvent(QKeyEvent* event) {
    const int move = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (move == 0 || count() == 0) return QWidget::keyPressEvent(event);
    m_chosen = std::clamp(m_chosen + move, 0, count() - 1);
    update();
    emit stepChosen(m_chosen);
}

/// All numbers of a state as cells of eight rows, so that its pattern has a shape.
void UnrolledRnn::paintState(QPainter& p, const QRectF& box, std::span<const float> state, const Theme& t) const {
    if (state.empty()) return;
    const int columns = (static_cast<int>(state.size()) + kStateRows - 1) / kStateRows;
    QImage image(columns, kStateRows, QImage::Format_RGB32);
    image.fill(t.surface);
    for (size_t i = 0; i < state.size(); ++i)
        image.setPixelColor(static_cast<int>(i) / kStateRows, static_cast<int>(i) % kStateRows,
                            t.diverging(static_cast<double>(state[i]), 1));
    p.drawImage(box, image);
    paint::outline(p, box.adjusted(1, 1, -1, -1), t.line2, 1);
}

void UnrolledRnn::paintStack(QPainter& p, bool decoder, const Theme& t) const {
    const int first = decoder ? static_cast<int>(m_content.encoder.size()) : 0;
    const int last = decoder ? count() - 1 : static_cast<int>(m_content.encoder.size()) - 1;
    if (last < first) return;
    const Heights tall = heights();
    const QRectF ground(columnX(first) - pitch() / 2, tall.states - 12, columnX(last) - columnX(first) + pitch(),
                        tall.bottom - tall.states + 12);
    paint::box(p, ground, decoder ? t.decoderTint : t.encoderTint, {}, 8);
    const QColor line = decoder ? t.decoder : t.encoder;
    const QString name = !decoder ? tr("Encoder") : m_content.encoder.empty() ? tr("Network") : tr("Decoder");
    paint::centredText(p, {ground.left(), 14}, name, uiFont(12, QFont::DemiBold), line);
    p.setPen(QPen(line, 1.5));
    for (int step = first; step < last; ++step) {
        const double y = cellBox(step).center().y(), from = cellBox(step).right(), to = cellBox(step + 1).left();
        const bool backward = !decoder && m_content.readsBackward;
        const double tip = backward ? from + 3 : to - 3, back = backward ? 4 : -4;
        p.drawLine(QPointF(from + 2, y), QPointF(to - 2, y));
        p.drawLine(QPointF(tip + back, y - 3.5), QPointF(tip, y));
        p.drawLine(QPointF(tip + back, y + 3.5), QPointF(tip, y));
    }
}

void UnrolledRnn::paintWord(QPainter& p, const QRectF& chip, const QString& word, const QColor& color) const {
    const double room = chip.width() - 2 * kInsideChip;
    const QFont font = paint::fitting(word, uiFont(12, QFont::DemiBold), room);
    paint::centredText(p, chip.center(), paint::elided(word, font, room), font, color, Anchor::Middle);
}

void UnrolledRnn::paintStep(QPainter& p, int step, const Theme& t) const {
    const Step& it = at(step);
    const bool chosen = step == m_chosen && !m_glide->isUnderWay(), decoder = isDecoder(step);
    const QColor line = decoder ? t.decoder : t.encoder;
    const double x = columnX(step), w = pitch() - kBetweenChips;
    const Heights tall = heights();
    p.setPen(QPen(t.text3, 1.5));
    p.drawLine(QPointF(x, tall.words), QPointF(x, tall.cells + kCellHeight + 1));
    p.drawLine(QPointF(x, tall.cells), QPointF(x, tall.states + tall.state + 1));
    const QRectF word(x - w / 2, tall.words, w, kChip);
    paint::box(p, word, t.surface, line, 6);
    paintWord(p, word, it.word, t.text);
    const QRectF cell = cellBox(step);
    paint::box(p, cell, chosen ? t.nowTint : t.surface, chosen ? t.nowLine : line, 6, chosen ? 2 : 1);
    constexpr double kBesideKind = 6;  // of a cell, at both sides together
    const QFont font = paint::fitting(m_content.cell, uiFont(12, QFont::DemiBold), cell.width() - kBesideKind);
    paint::centredText(p, cell.center(), m_content.cell, font, chosen ? t.nowText : t.text, Anchor::Middle);
    const QRectF state(x - (pitch() - 24) / 2, tall.states, pitch() - 24, tall.state);
    paintState(p, state, it.state, t);
    if (chosen) paint::outline(p, state, t.nowLine, 2);
    if (it.written.isEmpty()) return;
    const QRectF out = writtenBox(step);
    p.setPen(QPen(chosen ? t.nowLine : t.text3, 1.5));
    p.drawLine(QPointF(x, tall.states - 1), QPointF(x, out.bottom() + 1));
    paint::box(p, out, chosen ? t.nowTint : t.surface, chosen ? t.nowLine : line, 6, chosen ? 2 : 1);
    paintWord(p, out, it.written, chosen ? t.nowText : t.text);
    paint::centredText(p, {x, out.top() - 10}, formatNumber(it.probability), monoFont(11), t.text2, Anchor::Middle);
}

void UnrolledRnn::paintThought(QPainter& p, const Theme& t) const {
    const double x = thoughtX();
    const QRectF box = thoughtBox();
    const Heights tall = heights();
    const double y = tall.cells + kCellHeight / 2;
    p.setPen(QPen(t.nowLine, 1.5));
    const int last = static_cast<int>(m_content.encoder.size()) - 1;
    if (m_content.readsBackward) {
        // Its last state stands above the first word: the way to the thought vector leads below the cells.
        const double under = tall.under, x0 = cellBox(0).center().x();
        QPainterPath way({x0, tall.cells + kCellHeight + 1});
        way.lineTo(x0, under);
        way.lineTo(x, under);
        way.lineTo(x, box.bottom());
        p.setBrush(Qt::NoBrush);
        p.drawPath(way);
    } else {
        p.drawLine(QPointF(cellBox(last).right() + 2, y), QPointF(box.left(), y));
    }
    if (m_content.toEveryInput) {
        // One line below the cells, and from it up into each.
        const double under = tall.under;
        p.drawLine(QPointF(box.right(), box.bottom() - 12), QPointF(box.right() + 6, under));
        p.drawLine(QPointF(box.right() + 6, under), QPointF(columnX(count() - 1) - 8, under));
        for (int step = last + 1; step < count(); ++step)
            p.drawLine(QPointF(columnX(step) - 8, under), QPointF(columnX(step) - 8, tall.cells + kCellHeight + 1));
    } else if (!m_content.decoder.empty()) {
        p.drawLine(QPointF(box.right(), y), QPointF(cellBox(last + 1).left() - 2, y));
    }
    paint::box(p, box, t.nowTint, t.nowLine, 8, 2);
    paint::centredText(p, {x, box.top() + 14}, tr("Thought"), uiFont(12, QFont::DemiBold), t.nowText, Anchor::Middle);
    paint::centredText(p, {x, box.top() + 29}, tr("vector"), uiFont(12, QFont::DemiBold), t.nowText, Anchor::Middle);
    paintState(p, QRectF(x - 28, box.top() + 42, 56, tall.state), m_content.thought, t);
}

void UnrolledRnn::paintWeights(QPainter& p, const Theme& t) const {
    if (m_chosen < 0 || !isDecoder(m_chosen) || at(m_chosen).weights.empty()) return;
    const std::span<const float> weights = at(m_chosen).weights;
    const auto largest = std::ranges::max_element(weights) - weights.begin();
    for (size_t i = 0; i < weights.size() && i < m_content.encoder.size(); ++i) {
        const QRectF track = weightBox(static_cast<int>(i));
        const double weight = static_cast<double>(weights[i]);
        const bool most = static_cast<std::ptrdiff_t>(i) == largest;
        paint::box(p, track, t.sunken, {}, 3);
        const double h = track.height() * weight;
        if (h >= 0.5)
            paint::box(p, QRectF(track.left(), track.bottom() - h, track.width(), h), most ? t.now : t.sequential(0.6),
                       {}, 3);
        paint::centredText(p, {track.center().x(), track.top() - 8}, formatNumber(weight),
                           monoFont(11, most ? QFont::Medium : QFont::Normal), most ? t.nowText : t.text2,
                           Anchor::Middle);
        if (weight < kFaintest) continue;
        // What is weighed is the encoder's state below the bar.
        QColor line = most ? t.nowLine : t.text3;
        p.setPen(QPen(line, 1 + 4 * weight, Qt::SolidLine, Qt::FlatCap));
        p.setBrush(Qt::NoBrush);
        p.drawLine(QPointF(track.center().x(), heights().states - 1), QPointF(track.center().x(), track.bottom() + 2));
        p.drawPath(weightWay(static_cast<int>(i)));
    }
}

/// What the weights mix goes around the thought vector, straight to the word that is written.
void UnrolledRnn::paintContext(QPainter& p, const Theme& t) const {
    if (m_chosen < 0 || !isDecoder(m_chosen) || at(m_chosen).context.empty()) return;
    const QRectF box = contextBox();
    p.setPen(QPen(t.nowLine, 1.5));
    p.setBrush(Qt::NoBrush);
    const QPainterPath way = contextWay();
    p.drawPath(way);
    const QPointF tip = way.currentPosition();
    p.drawLine(tip, tip + QPointF(-4, -5));
    p.drawLine(tip, tip + QPointF(4, -5));
    paintState(p, box, at(m_chosen).context, t);
    paint::outline(p, box, t.nowLine, 1.5);
    paint::centredText(p, {box.center().x(), box.top() - 10}, tr("Context"), uiFont(12, QFont::DemiBold), t.nowText,
                       Anchor::Middle);
    paint::centredText(p, {box.right() + 10, heights().lane - 11}, tr("joins the decoder's state, then softmax"),
                       uiFont(11), t.text2);
}

void UnrolledRnn::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.scale(zoom(), zoom());
    paintStack(p, false, t);
    paintStack(p, true, t);
    if (!m_content.thought.empty()) paintThought(p, t);
    for (int step = 0; step < count(); ++step)
        paintStep(p, step, t);
    paintWeights(p, t);
    paintContext(p, t);
    if (!m_glide->isUnderWay()) return;
    p.resetTransform();
    paint::box(p, m_glide->shown(), {}, t.nowLine, 6, 2);
}

}  // namespace headlight

#include "moc_unrolled_rnn.cpp"
