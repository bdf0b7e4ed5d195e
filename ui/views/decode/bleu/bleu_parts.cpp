// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu/bleu_parts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include "ui/session/format/number_format.h"
#include "ui/views/decode/bleu/ngram_picture.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBox = 20, kBesideBox = 6, kPartsBetween = 16, kPartsRow = 23;

struct Kind {
    NgramMatch::Kind kind;
    QString name;
};
std::vector<Kind> kinds() {
    return {{NgramMatch::Kind::Found, NgramKey::tr("found")},
            {NgramMatch::Kind::Absent, NgramKey::tr("not there")},
            {NgramMatch::Kind::Clipped, NgramKey::tr("clipped")}};
}

}  // namespace

NgramKey::NgramKey(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Kinds of bars"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize NgramKey::sizeHint() const {
    double wide = -kPartsBetween;
    for (const Kind& each : kinds())
        wide += kBox + kBesideBox + paint::textWidth(each.name, uiFont(12)) + kPartsBetween;
    return {static_cast<int>(wide) + 1, 18};
}

void NgramKey::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    double x = 0;
    for (const Kind& each : kinds()) {
        paintNgram(p, {x, 4, kBox, 10}, each.kind, this);
        x += kBox + kBesideBox;
        paint::centredText(p, {x, 9}, each.name, uiFont(12), Theme::of(this).text2);
        x += paint::textWidth(each.name, uiFont(12)) + kPartsBetween;
    }
}

NowBand::NowBand(QWidget* parent)
    : QFrame(parent),
      m_head(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Now)),
      m_text(new Caption({}, 13, QFont::Normal, Caption::Tone::Main)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 12, 8);
    row->setSpacing(12);
    row->addWidget(m_head, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
}

void NowBand::setText(const QString& head, const QString& text) {
    m_head->setText(head);
    m_text->setText(text);
    setVisible(!text.isEmpty());
}

QString NowBand::text() const {
    return m_text->text();
}

void NowBand::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), t.nowTint, t.nowLine, 6);
}

BleuSums::BleuSums(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("BLEU of the test set"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void BleuSums::setSums(const Bleu& sum, double mean, long sentences, int longest) {
    m_sum = sum;
    m_mean = mean;
    m_sentences = sentences;
    m_longest = longest;
    setAccessibleDescription(tr("BLEU of the test set %1; mean of the sentences' own scores %2")
                                 .arg(formatNumber(sum.score, 1), formatNumber(mean, 1)));
    updateGeometry();
    update();
}

QSize BleuSums::sizeHint() const {
    return {310, static_cast<int>(24 + kPartsRow * (m_longest + 1) + 64)};
}

void BleuSums::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double right = width(), counts = right - 62;
    paint::centredText(p, {0, 8}, tr("Counts of all sentences, added up first"), uiFont(12, QFont::Medium), t.text2);
    p.fillRect(QRectF(0, 20, right, 1), t.line);
    const auto row = [&](double y, const QString& name, const QString& count, double value) {
        paint::centredText(p, {0, y}, name, uiFont(12), t.text2);
        paint::centredText(p, {counts, y}, count, monoFont(12), t.text2, Anchor::End);
        paint::centredText(p, {right, y}, formatNumber(value, 3), monoFont(12, QFont::Medium), t.text, Anchor::End);
    };
    double y = 24 + kPartsRow / 2;
    for (int order = 1; order <= m_longest; ++order, y += kPartsRow) {
        const auto n = static_cast<size_t>(order - 1);
        row(y, ngramName(order),
            QStringLiteral("%1/%2").arg(formatCount(m_sum.matches[n]), formatCount(m_sum.totals[n])),
            m_sum.precisions[n] / 100);
    }
    const bool isLong = m_sum.hypothesisLength >= m_sum.referenceLength;
    const QString lengths =
        QStringLiteral("%1 %2 %3")
            .arg(formatCount(m_sum.hypothesisLength), isLong ? QStringLiteral("≥") : QStringLiteral("<"),
                 formatCount(m_sum.referenceLength));
    const double room = counts - 12 - paint::textWidth(lengths, monoFont(12));
    const QString penalty = tr("brevity penalty");
    const bool fits = paint::textWidth(penalty, uiFont(12)) <= room;
    row(y, fits ? penalty : tr("BP"), lengths, m_sum.brevityPenalty);
    y += kPartsRow / 2 + 6;
    p.fillRect(QRectF(0, std::round(y), right, 1), t.line);
    paint::centredText(p, {0, y + 20}, tr("BLEU of the test set"), uiFont(13, QFont::DemiBold), t.text);
    paint::centredText(p, {right, y + 20}, formatNumber(m_sum.score, 1), monoFont(18, QFont::Bold), t.text,
                       Anchor::End);
    paint::centredText(p, {0, y + 44}, tr("mean of the %1 dots").arg(formatCount(m_sentences)), uiFont(12), t.text3);
    paint::centredText(p, {right, y + 44}, formatNumber(m_mean, 1), monoFont(12), t.text3, Anchor::End);
}

}  // namespace headlight

#include "moc_bleu_parts.cpp"
