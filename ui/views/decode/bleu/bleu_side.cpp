// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu/bleu_side.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/views/decode/bleu/bleu_formula.h"
#include "ui/views/decode/bleu/brevity_curve.h"
#include "ui/views/decode/bleu/ngram_picture.h"
#include "ui/views/decode/bleu/published_results.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {

Caption* caption(const QString& text, int px, int weight, Caption::Tone tone) {
    auto* label = new Caption(text, px, weight, tone);
    label->setWordWrap(true);
    return label;
}

}  // namespace

BleuSide::BleuSide(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_formula(new BleuFormula),
      m_note(caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_curve(new BrevityCurve),
      m_lengths(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_published(new PublishedTable) {
    auto* content = new QWidget;
    m_content = content;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 14, 20, 14);
    column->setSpacing(6);
    const auto heading = [&](const QString& text, QWidget* beside) {
        auto* row = new QHBoxLayout;
        row->addWidget(new Caption(text, 13, QFont::DemiBold, Caption::Tone::Main));
        row->addWidget(beside, 1, Qt::AlignRight);
        column->addLayout(row);
    };
    column->addWidget(new Caption(tr("BLEU of this sentence"), 18, QFont::DemiBold, Caption::Tone::Main));
    column->addWidget(m_formula);
    column->addWidget(m_note);
    column->addSpacing(4);
    column->addWidget(new Rule);
    heading(tr("Brevity penalty"), m_lengths);
    column->addWidget(m_curve);
    column->addSpacing(4);
    column->addWidget(new Rule);
    heading(tr("Published results"),
            new Caption(tr("WMT 2014, other text than ours"), 12, QFont::Normal, Caption::Tone::Faint));
    column->addWidget(m_published);
    column->addWidget(caption(tr("Vaswani et al. 2017, table 2. FLOPs of training: English to French; of a Transformer "
                                 "one figure for either language. The abstract in the conference's proceedings says "
                                 "41.0 where the table says 41.8. ens.: an ensemble of models."),
                              12, QFont::Normal, Caption::Tone::Secondary));
    column->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(1, 0, 0, 0);
    all->addWidget(scrolling(content));
    standBeside(true);
}

void BleuSide::standBeside(bool isBeside) {
    m_isBeside = isBeside;
    if (isBeside) {
        takeShare(360, 392);  // no narrower than its sums
    } else {
        takeShare(0, 0, 0);
        setMinimumWidth(0);
        setMaximumWidth(QWIDGETSIZE_MAX);
    }
    fitHeight();
}

/// Below the pictures nothing of it scrolls by itself: the page around it does.
void BleuSide::fitHeight() {
    m_content->layout()->invalidate();
    setMinimumHeight(m_isBeside ? 0 : m_content->sizeHint().height());
}

void BleuSide::setSentence(const Bleu& bleu, int longest) {
    const bool counts = bleu.referenceLength > 0;
    m_formula->setVisible(counts);
    m_formula->setBleu(bleu, longest);
    m_curve->setSentence(bleu.hypothesisLength, bleu.referenceLength);
    m_sentenceLengths = counts ? tr("%1 words for %2").arg(bleu.hypothesisLength).arg(bleu.referenceLength) : QString();
    sayLengths();
    QStringList none;
    bool tooShort = false;
    for (int order = 1; order <= longest; ++order) {
        const auto n = static_cast<size_t>(order - 1);
        if (bleu.totals[n] == 0) tooShort = true;
        if (bleu.totals[n] > 0 && bleu.matches[n] == 0) none << ngramName(order);
    }
    QString note;
    if (!counts)
        note = tr("No score: there is no reference to count by.");
    else if (bleu.matches[0] == 0)
        note = tr("No word is found: the score is 0.");
    else if (tooShort)
        note = tr("It has no %1, so there is nothing to multiply by: the score is 0 even where every word is right.")
                   .arg(ngramName(longest));
    else if (!none.isEmpty())
        note = tr("No %1 found: one zero would make the whole product 0, so the first empty length counts as half a "
                  "find, the next as a quarter (smoothing).")
                   .arg(none.join(tr(" and no ")));
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    fitHeight();
}

void BleuSide::setTicks(const std::vector<double>& ratios) {
    m_curve->setTicks(ratios);
    m_hasTicks = !ratios.empty();
    sayLengths();
}

void BleuSide::sayLengths() {
    m_lengths->setText(!m_hasTicks                   ? m_sentenceLengths
                       : m_sentenceLengths.isEmpty() ? tr("ticks: the test set")
                                                     : tr("%1; ticks: the test set").arg(m_sentenceLengths));
}

}  // namespace headlight

#include "moc_bleu_side.cpp"
