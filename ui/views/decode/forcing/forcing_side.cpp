// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/forcing/forcing_side.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/word_bars.h"

namespace headlight {

namespace {

constexpr size_t kWords = 6;
constexpr int kYieldsBelow = 780;

Caption* caption(const QString& text, int px, int weight, Caption::Tone tone) {
    auto* label = new Caption(text, px, weight, tone);
    label->setWordWrap(true);
    return label;
}

/// p(y₄ | tuan met the, x)
QString given(const DecoderRun& run, const TrainedModel& model, size_t step) {
    QString before;
    bool touches = false;
    for (size_t t = 1; t <= step; ++t) {
        const PieceText word(QString::fromStdString(model.target->displayOne(run.reads[t])));
        if (!before.isEmpty() && !touches && !word.joinsLeft) before += u' ';
        before += (t == step ? QStringLiteral("<b>%1</b>") : QStringLiteral("%1")).arg(word.text.toHtmlEscaped());
        touches = word.joinsRight;
    }
    if (!before.isEmpty()) before += QStringLiteral(", ");
    return QStringLiteral("<i>p</i>(<i>y</i><sub>%1</sub> | %2<i>x</i>)").arg(step + 1).arg(before);
}

}  // namespace

ForcingSide::ForcingSide(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_story(caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_hand(new Button(Button::Kind::Ghost, {}, Icon::Edit)) {
    takeShare(280, 392);
    yieldBelow(kYieldsBelow);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 14, 20, 14);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(caption(tr("Same source, same weights: only the words fed in differ, and with them the state."),
                              12, QFont::Normal, Caption::Tone::Secondary));
    m_forced = makeWay(column, tr("Fed the truth"));
    m_free = makeWay(column, tr("Fed its own words"));
    column->addWidget(new Rule);
    m_right = makeRow(column, {});
    m_rightName = content->findChildren<QLabel*>(QStringLiteral("name")).back();
    m_apart = makeRow(column, tr("The two states apart  ‖h′ − h‖ / (‖h′‖ + ‖h‖)"));
    column->addWidget(new Rule);
    column->addWidget(new Caption(tr("Does it notice?"), 13, QFont::DemiBold, Caption::Tone::Main));
    m_truth = makeRow(column, tr("log P of the truth"));
    m_own = makeRow(column, tr("log P of its own sentence"));
    m_story->setTextFormat(Qt::PlainText);
    column->addWidget(m_story);
    column->addSpacing(4);
    column->addWidget(m_hand, 0, Qt::AlignLeft);
    column->addWidget(caption(tr("or click a wrong word that it reads, to correct it once."), 12, QFont::Normal,
                              Caption::Tone::Faint));
    column->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(1, 0, 0, 0);
    all->addWidget(scrolling(content));
    connect(m_hand, &Button::clicked, this, &ForcingSide::handWanted);
}

ForcingSide::Way ForcingSide::makeWay(QVBoxLayout* column, const QString& title) {
    Way way{caption({}, 13, QFont::Normal, Caption::Tone::Secondary), new WordBars(WordBars::Use::Read)};
    way.given->setTextFormat(Qt::RichText);
    way.bars->setAccessibleName(title);
    column->addSpacing(4);
    column->addWidget(new Rule);
    column->addWidget(new Caption(title, 13, QFont::DemiBold, Caption::Tone::Main));
    column->addWidget(way.given);
    column->addWidget(way.bars);
    return way;
}

QLabel* ForcingSide::makeRow(QVBoxLayout* column, const QString& name) {
    auto* row = new QHBoxLayout;
    auto* left = caption(name, 12, QFont::Normal, Caption::Tone::Secondary);
    left->setObjectName(QStringLiteral("name"));
    auto* right = new Caption({}, 12, QFont::Medium, Caption::Tone::Main);
    right->setFont(monoFont(12, QFont::Medium));
    row->addWidget(left, 1);
    row->addWidget(right, 0, Qt::AlignRight);
    column->addLayout(row);
    return right;
}

void ForcingSide::setStep(const TrainedModel& model, const TwoWays& ways, const ForcingPicture& picture, size_t step) {
    m_title->setText(tr("Word %1, two ways").arg(step + 1));
    const int right = step < ways.truth.size() ? ways.truth[step] : -1;
    const auto show = [&](const Way& way, const DecoderRun& run) {
        std::vector<WordBars::Bar> bars;
        if (step < run.steps())
            for (const LikelyWord& each : likelyWords(model, run, step, right, kWords))
                bars.push_back({each.word, each.probability, each.isRight, false});
        way.given->setText(step < run.steps() ? given(run, model, step) : tr("It has come to its end before."));
        way.bars->setBars(std::move(bars));
    };
    show(m_forced, ways.forced);
    show(m_free, ways.free);
    const bool both = step < picture.forced.size() && step < picture.free.size() && right >= 0;
    m_rightName->setText(right >= 0 ? tr("The right word, %1").arg(picture.truth[step]) : tr("There is no right word"));
    m_right->setText(both ? QStringLiteral("%1 → %2").arg(formatNumber(picture.forced[step].right, 3),
                                                          formatNumber(picture.free[step].right, 3))
                          : QStringLiteral("–"));
    m_apart->setText(step < picture.apart.size() ? formatNumber(picture.apart[step], 3) : QStringLiteral("–"));
    m_truth->setText(formatNumber(ways.forced.logProb));
    m_own->setText(formatNumber(ways.free.logProb));
    sayLikelier(ways, picture);
    const bool handed = step < picture.free.size() && picture.free[step].isHanded;
    const bool wrong = step < picture.free.size() && !picture.free[step].readsTruth && step < picture.truth.size();
    m_hand->setText(handed ? tr("Let it read its own word") : tr("Hand in the truth here"));
    m_hand->setEnabled(handed || wrong);
}

void ForcingSide::sayLikelier(const TwoWays& ways, const ForcingPicture& picture) {
    const size_t wrong = picture.firstWrongRead();
    if (wrong >= picture.free.size())
        return m_story->setText(ways.handedIn.empty()
                                    ? tr("Every word it reads here is right: fed either way, it is the same decoder.")
                                    : tr("With the truth handed in, every word it reads is right."));
    const QString word = picture.free[wrong].reads;
    const bool own = ways.free.logProb > ways.forced.logProb;
    m_story->setText((own ? tr("After “%1” its own sentence is the likelier one to the model: from where it stands, "
                               "nothing looks wrong.")
                          : tr("After “%1” its own sentence is less likely to the model than the truth, but it chose a "
                               "word at a time, and does not go back."))
                         .arg(word));
}

QStringList ForcingSide::said() const {
    QStringList all;
    for (const QLabel* label : findChildren<QLabel*>())
        if (!label->text().isEmpty()) all << label->text();
    return all;
}

}  // namespace headlight

#include "moc_forcing_side.cpp"
