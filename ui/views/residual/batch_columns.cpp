// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/batch_columns.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBatchLabels = 60, kBatchEdge = 4, kBatchBetween = 5, kLegend = 28, kTable = 96, kHighest = 9;

}  // namespace

BatchColumns::BatchColumns(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Rows against columns"));
}

void BatchColumns::setShown(Shown shown) {
    m_shown = std::move(shown);
    std::vector<float> all;
    for (const std::vector<float>& sentence : m_shown.sentences)
        for (size_t at = 0; at < sentence.size(); ++at)
            if (&sentence != &m_shown.sentences.front() || !isAsked(at)) all.push_back(sentence[at]);
    m_most = ColorScale::scores(all).max;
    QStringList told;
    for (const InCompany& each : m_shown.company)
        told << tr("In a batch of %1: layer norm %2, batch norm %3")
                    .arg(each.sentences)
                    .arg(written(each.layerNorm), written(each.batchNorm));
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    update();
}

QString BatchColumns::written(double number) const {
    return m_shown.isCompanyHidden ? HiddenArea::mark() : formatNumber(number);
}

int BatchColumns::rowsOf(int sentence) const {
    return static_cast<int>(m_shown.sentences[static_cast<size_t>(sentence)].size()) / std::max(1, m_shown.width);
}

int BatchColumns::shownRows() const {
    int most = 1;
    for (int i = 0; i < static_cast<int>(m_shown.sentences.size()); ++i)
        most = std::max(most, rowsOf(i));
    return std::min(most, kMostRows);
}

/// Of a long sentence the part in which the chosen word stands.
int BatchColumns::firstRow(int sentence) const {
    if (sentence > 0 || rowsOf(0) <= kMostRows) return 0;
    return std::clamp(m_shown.row - kMostRows / 2, 0, rowsOf(0) - kMostRows);
}

double BatchColumns::rowHeight() const {
    const auto count = static_cast<double>(std::max<size_t>(1, m_shown.sentences.size()));
    const double room = height() - kTable - kLegend - 2 * kBatchEdge - kBatchBetween * (count - 1);
    return std::clamp(room / (count * shownRows()), 1.0, kHighest);
}

double BatchColumns::sentenceTop(int sentence) const {
    return kBatchEdge + sentence * (shownRows() * rowHeight() + kBatchBetween);
}

QRectF BatchColumns::cellRect(int sentence, int row, int unit) const {
    const double wide = (width() - kBatchLabels - kBatchEdge) / std::max(1, m_shown.width);
    const double tall = rowHeight();
    return {kBatchLabels + unit * wide, sentenceTop(sentence) + (row - firstRow(sentence)) * tall, wide,
            std::max(1.0, tall - (tall >= 4 ? 1 : 0))};
}

QRectF BatchColumns::rowFrame() const {
    const QRectF first = cellRect(0, m_shown.row, 0), last = cellRect(0, m_shown.row, m_shown.width - 1);
    return first.united(last).adjusted(-2, -2, 2, 2);
}

QRectF BatchColumns::columnFrame() const {
    const auto last = static_cast<int>(m_shown.sentences.size()) - 1;
    const QRectF top = cellRect(0, firstRow(0), m_shown.unit);
    const double bottom = sentenceTop(last) + shownRows() * rowHeight();
    return QRectF(top.left() - 1.5, top.top() - 3, top.width() + 3, bottom - top.top() + 6);
}

void BatchColumns::paintEvent(QPaintEvent*) {
    if (m_shown.sentences.empty() || m_shown.width == 0) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (int sentence = 0; sentence < static_cast<int>(m_shown.sentences.size()); ++sentence)
        paintSentence(p, t, sentence);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text, 2));
    p.drawRoundedRect(columnFrame(), 2, 2);
    p.setPen(QPen(t.nowLine, 2));
    p.drawRoundedRect(rowFrame(), 3, 3);
    paintLegend(p, t);
    paintTable(p, t);
}

void BatchColumns::paintSentence(QPainter& p, const Theme& t, int sentence) const {
    const std::vector<float>& numbers = m_shown.sentences[static_cast<size_t>(sentence)];
    const int rows = std::min(rowsOf(sentence), kMostRows), first = firstRow(sentence);
    const ColorScale scale{ColorScale::Kind::Diverging, m_most};
    const QRectF box(kBatchLabels, sentenceTop(sentence), width() - kBatchLabels - kBatchEdge,
                     shownRows() * rowHeight());
    QImage image(m_shown.width, rows, QImage::Format_RGB32);
    for (int row = 0; row < rows; ++row)
        for (int unit = 0; unit < m_shown.width; ++unit)
            image.setPixel(
                unit, row,
                scale.quickColor(t, numbers[static_cast<size_t>(first + row) * static_cast<size_t>(m_shown.width) +
                                            static_cast<size_t>(unit)]));
    p.setRenderHint(QPainter::Antialiasing, false);
    // Fewer pixels than numbers: their mean. Otherwise each cell is what it is.
    const bool dense = box.width() < m_shown.width;
    const QImage fitting =
        dense ? image.scaled(static_cast<int>(box.width()), rows, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
              : image;
    p.drawImage(QRectF(box.left(), box.top(), box.width(), rows * rowHeight()), fitting);
    for (int row = first; sentence == 0 && !m_shown.hidden.empty() && row < first + rows; ++row) {
        const auto isHidden = [&](int unit) {
            return isAsked(static_cast<size_t>(row) * static_cast<size_t>(m_shown.width) + static_cast<size_t>(unit));
        };
        forEachHiddenRun(m_shown.width, isHidden, [&](int from, int to) {
            const QRectF run = cellRect(0, row, from).united(cellRect(0, row, to - 1));
            paint::hatch(p, run.toAlignedRect(), t.hatchGround, t.hatch);
        });
    }
    if (rows < shownRows())
        paint::hatch(p, {box.left(), box.top() + rows * rowHeight(), box.width(), (shownRows() - rows) * rowHeight()},
                     t.hatchGround, t.hatch);
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.line2, 1));
    p.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5));
    const bool own = sentence == 0;
    QString name = own ? tr("this one") : QString::number(sentence + 1);
    paint::centredText(p, {kBatchLabels - 8, box.center().y()}, name, uiFont(11, own ? QFont::DemiBold : QFont::Normal),
                       own ? t.text : t.text3, Anchor::End);
    if (own && rowsOf(0) > rows && box.height() > 34)
        paint::centredText(p, {kBatchLabels - 8, box.center().y() + 14}, tr("%1 of %2").arg(rows).arg(rowsOf(0)),
                           uiFont(11), t.text3, Anchor::End);
}

void BatchColumns::paintLegend(QPainter& p, const Theme& t) const {
    const auto last = static_cast<int>(m_shown.sentences.size()) - 1;
    const double y = sentenceTop(last) + shownRows() * rowHeight() + 15;
    const QFont digits = monoFont(11);
    const QString low = formatNumber(-m_most, 1), high = formatSigned(m_most, 1);
    const QString padding = tr("padding");
    const double wide = paint::textWidth(low, digits) + paint::textWidth(high, digits) +
                        (last > 0 ? paint::textWidth(padding, uiFont(11)) + 118 : 82);
    double x = std::clamp(width() - wide, 0.0, kBatchLabels);
    paint::centredText(p, {x, y}, low, digits, t.text3);
    x += paint::textWidth(low, digits) + 5;
    for (int stop = 0; stop < 9; ++stop)
        p.fillRect(QRectF(x + 8.0 * stop, y - 5, 8, 10), t.divergingStops[static_cast<size_t>(stop)]);
    x += 77;
    paint::centredText(p, {x, y}, high, digits, t.text3);
    x += paint::textWidth(high, digits) + 14;
    if (last > 0) {
        paint::hatch(p, {x, y - 5, 16, 10}, t.hatchGround, t.hatch);
        paint::centredText(p, {x + 22, y}, padding, uiFont(11), t.text3);
    }
}

void BatchColumns::paintTable(QPainter& p, const Theme& t) const {
    const double top = tableTop();
    const bool narrow = width() < 300;
    const double right = width() - 1.0, left = narrow ? 84 : 124, step = (right - left - 24) / 3;
    const QFont plain = uiFont(12), bold = uiFont(12, QFont::DemiBold);
    const QString batchNorm = tr("batch norm"), own = m_shown.isRms ? tr("RMS norm") : tr("layer norm");
    paint::centredText(p, {0, top - 16}, tr("The same number in other batches"), uiFont(13, QFont::DemiBold), t.text);
    paint::centredText(p, {0, top + 10}, narrow ? tr("batch of") : tr("sentences in a batch"), plain, t.text3);
    p.fillRect(QRectF(0, std::round(top + 21), width(), 1), t.line);
    paint::centredText(p, {0, top + 35}, own, bold, t.text);
    paint::centredText(p, {0, top + 56}, batchNorm, plain, t.text2);
    for (size_t i = 0; i < m_shown.company.size(); ++i) {
        const InCompany& each = m_shown.company[i];
        const double x = right - step * (3.0 - static_cast<double>(i));
        paint::centredText(p, {x, top + 10}, QString::number(each.sentences), monoFont(12), t.text3, Anchor::End);
        paint::centredText(p, {x, top + 35}, written(each.layerNorm), monoFont(12, QFont::DemiBold), t.text,
                           Anchor::End);
        paint::centredText(p, {x, top + 56}, written(each.batchNorm), monoFont(12), t.text, Anchor::End);
    }
}

}  // namespace headlight

#include "moc_batch_columns.cpp"
