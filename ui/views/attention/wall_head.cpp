// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/wall_head.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/views/attention/habit_mark.h"
#include "ui/views/attention/rank_strips.h"
#include "ui/views/attention/row_text.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kNarrowest = 300, kWidest = 392;
constexpr int kExamples = 3;
constexpr int kLeastMatrix = 220, kLargestCell = 44, kAroundCells = 110;  ///< heights

}  // namespace

/// The habit's mark, its words and its share.
class WallHead::HabitLine : public QWidget {
public:
    HabitLine() { setFixedHeight(20); }
    void set(const HeadFacts& facts, bool causal) {
        m_facts = facts;
        m_phrase = habitPhrase(facts.habit, causal);
        setAccessibleName(m_phrase);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        const bool has = m_facts.habit != HeadHabit::None;
        drawHabit(p, {0, 4}, m_facts.habit, 3, t);
        const double left = has ? 22 : 0;
        const QFont font = uiFont(12, QFont::Medium);
        paint::centredText(p, {left, 10}, m_phrase, font, t.text);
        if (has)
            paint::centredText(p, {left + paint::textWidth(m_phrase, font) + 10, 10}, formatNumber(m_facts.share),
                               monoFont(12, QFont::Medium), t.text2);
    }

private:
    HeadFacts m_facts;
    QString m_phrase;
};

WallHead::WallHead(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_mute(new Button(Button::Kind::Ghost, tr("Mute"), Icon::Sound)),
      m_habit(new HabitLine),
      m_matrix(new MatrixView),
      m_sentence(new Caption({}, 13, QFont::Medium, Caption::Tone::Main)),
      m_shade(new Caption(tr("shade = weight"), 12, QFont::Normal, Caption::Tone::Faint)),
      m_text(new RowText),
      m_rankTitle(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_ranks(new RankStrips),
      m_weigh(new Button(Button::Kind::Ghost, {})),
      m_weighing(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_examples(new QWidget) {
    takeShare(kNarrowest, kWidest);
    m_mute->setHeight(28);
    m_weigh->setHeight(26);
    m_matrix->setAccessibleName(tr("Weights of the chosen head"));
    m_matrix->setFixedHeight(kLeastMatrix);
    m_matrix->setZoom(1);  // the text as a whole is worth more here than large cells
    m_sentence->setWordWrap(true);
    m_weighing->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(8);
    const auto row = [column](QWidget* left, QWidget* right) {
        auto* both = new QHBoxLayout;
        both->addWidget(left, 1);
        both->addWidget(right);
        column->addLayout(both);
    };
    row(m_title, m_mute);
    column->addWidget(m_habit);
    column->addWidget(m_matrix);
    row(m_sentence, m_shade);
    column->addWidget(m_text);
    column->addWidget(new Rule);
    row(m_rankTitle, new Caption(tr("rank"), 12, QFont::Normal, Caption::Tone::Faint));
    column->addWidget(m_ranks);
    row(m_weighing, m_weigh);
    auto* examples = new QVBoxLayout(m_examples);
    examples->setContentsMargins(0, 0, 0, 0);
    examples->setSpacing(6);
    examples->addWidget(new Rule);
    examples->addWidget(new Caption(tr("Where it does so most"), 13, QFont::DemiBold, Caption::Tone::Main));
    for (int i = 0; i < kExamples; ++i) {
        auto* text = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
        text->setWordWrap(true);
        m_exampleTexts.push_back(text);
        examples->addWidget(text);
    }
    column->addWidget(m_examples);
    column->addStretch(1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(1, 0, 0, 0);
    whole->addWidget(scrolling(content));

    connect(m_mute, &Button::clicked, this, [this] { emit muteWanted(!m_isMuted); });
    connect(m_matrix, &MatrixView::cellClicked, this, &WallHead::cellChosen);
    connect(m_matrix, &MatrixView::cellHovered, this, &WallHead::cellHovered);
    connect(m_matrix, &MatrixView::unlocked, this, [this] { emit cellChosen(-1, -1); });
    connect(m_text, &RowText::wordChosen, this,
            [this](int word) { emit cellChosen(std::max(0, m_shown.query), word); });
    connect(m_weigh, &Button::clicked, this, [this] { m_isWeighing ? emit stopWanted() : emit weighingWanted(); });
}

void WallHead::show(const Shown& shown) {
    const HeadSurvey::Head& head = shown.survey.heads()[static_cast<size_t>(shown.head)];
    m_title->setText(tr("Layer %1, head %2").arg(head.layer + 1).arg(head.head + 1));
    m_isMuted = shown.muted;
    m_mute->setText(shown.muted ? tr("Muted") : tr("Mute"));
    m_mute->setIcon(shown.muted ? Icon::Mute : Icon::Sound);
    m_mute->setToolTip(shown.muted ? tr("Turn this head on again") : tr("Read the text without this head"));
    m_habit->set(head.facts, shown.survey.isCausal());
    showMatrix(shown);
    showRow(shown);
    showRanks(shown);
    showExamples(head);
    // What it does on average would tell what is hidden.
    const bool isVeiled = !shown.hidden.empty();
    for (QWidget* each :
         {static_cast<QWidget*>(m_habit), static_cast<QWidget*>(m_rankTitle), static_cast<QWidget*>(m_ranks)})
        each->setVisible(!isVeiled);
    if (isVeiled) m_examples->hide();
}

void WallHead::showMatrix(const Shown& shown) {
    const HeadSurvey& survey = shown.survey;
    const std::span<const float> seen = survey.heads()[static_cast<size_t>(shown.head)].seen();
    const bool leftOut = survey.look().first == FirstWord::LeftOut;
    MatrixData matrix{.rows = survey.rows(),
                      .columns = survey.columns(),
                      .values = {seen.begin(), seen.end()},
                      .masked = std::vector<char>(seen.size()),
                      .rowLabels = survey.rowLabels(),
                      .rowSubLabels = {},
                      .columnLabels = survey.columnLabels(),
                      .rowAxis = {},
                      .columnAxis = {},
                      .scale = ColorScale::weights()};
    for (int row = 0; row < survey.rows(); ++row)
        for (int column = 0; column < survey.columns(); ++column)
            matrix.masked[survey.at(row, column)] = char(!survey.isOpen(row, column) || (leftOut && column == 0));
    if (!shown.hidden.empty())
        takeOut(matrix, [&](int row, int column) { return shown.hidden[survey.at(row, column)] != 0; });
    m_matrix->setFixedHeight(std::max(kLeastMatrix, std::min(width(), kAroundCells + kLargestCell * survey.rows())));
    m_matrix->setData(std::move(matrix));
    m_matrix->setReveal(shown.revealed ? MatrixView::Reveal::Full : MatrixView::Reveal::Outline);
    m_matrix->setHovered({shown.hovered.query, shown.hovered.key});
    m_matrix->setLocked({shown.cell.query, shown.cell.key});
}

void WallHead::showRow(const Shown& shown) {
    const HeadSurvey& survey = shown.survey;
    m_shown = shown.hovered.valid() ? shown.hovered : shown.cell;
    const bool isRow = m_shown.query >= 0 && m_shown.query < survey.rows() && shown.revealed;
    m_text->setVisible(isRow);
    m_shade->setVisible(isRow);
    if (!isRow) {
        m_sentence->setText(shown.revealed ? tr("Point at a cell to read it. Click to keep it.")
                                           : tr("Computed in a later step: move the playhead on."));
        return;
    }
    const auto isHidden = [&](int column) { return shown.hidden[survey.at(m_shown.query, column)] != 0; };
    for (int column = 0; column < survey.columns() && !shown.hidden.empty(); ++column)
        if (isHidden(column)) {
            m_text->hide();
            m_shade->hide();
            return m_sentence->setText(tr("Hidden until you have predicted it."));
        }
    const std::span<const float> seen = survey.heads()[static_cast<size_t>(shown.head)].seen();
    const auto row = seen.subspan(survey.at(m_shown.query, 0), static_cast<size_t>(survey.columns()));
    // A decoder's row stands at the word before the one that it writes.
    RowText::Row text{survey.columnLabels(),
                      {row.begin(), row.end()},
                      {},
                      survey.kind() == AttentionBlock::Kind::Cross ? -1 : m_shown.query,
                      m_shown.key,
                      survey.look().first == FirstWord::LeftOut};
    for (int column = 0; column < survey.columns(); ++column)
        text.closed.push_back(char(!survey.isOpen(m_shown.query, column)));
    m_text->setRow(std::move(text));
    if (!m_shown.valid()) return m_sentence->setText(tr("From %1").arg(survey.rowLabels().value(m_shown.query)));
    m_sentence->setText(tr("From %1 %2 to %3 %4: %5")
                            .arg(survey.rowLabels().value(m_shown.query))
                            .arg(m_shown.query + 1)
                            .arg(survey.columnLabels().value(m_shown.key))
                            .arg(m_shown.key + 1)
                            .arg(formatNumber(row[static_cast<size_t>(m_shown.key)], 3)));
}

void WallHead::showRanks(const Shown& shown) {
    using Measure = HeadSurvey::Measure;
    const HeadSurvey& survey = shown.survey;
    const HeadSurvey::Head& own = survey.heads()[static_cast<size_t>(shown.head)];
    m_rankTitle->setText(tr("Its rank among the %1").arg(survey.heads().size()));
    std::vector<RankStrips::Strip> strips;
    const auto add = [&](Measure measure, const QString& name, const QString& number, const QString& unit) {
        RankStrips::Strip strip{name, number, unit, {}, -1, 0};
        for (size_t i = 0; i < survey.heads().size() && !number.isEmpty(); ++i) {
            const std::optional<double> value = survey.value(measure, survey.heads()[i]);
            if (!value) continue;
            if (static_cast<int>(i) == shown.head) strip.own = static_cast<int>(strip.values.size());
            strip.values.push_back(*value);
        }
        strip.rank = survey.rank(measure, shown.head);
        strips.push_back(std::move(strip));
    };
    add(Measure::Entropy, tr("Entropy"), formatNumber(own.facts.entropy),
        tr("bit, at most %1").arg(formatNumber(own.facts.mostEntropy)));
    if (survey.kind() != AttentionBlock::Kind::Cross)
        add(Measure::Distance, tr("Distance"), formatNumber(own.facts.distance, 1),
            survey.isCausal() ? tr("words back") : tr("words off"));
    add(Measure::First, tr("First word"), formatNumber(own.facts.first), tr("of its weight"));
    add(Measure::Importance, tr("Loss when muted"), own.rise ? formatSigned(*own.rise, 3) : QString(),
        own.rise ? tr("nats, this text") : tr("not worked out yet"));
    m_ranks->setStrips(std::move(strips));
}

void WallHead::showExamples(const HeadSurvey::Head& head) {
    m_examples->setVisible(!head.examples.empty());
    for (size_t i = 0; i < m_exampleTexts.size(); ++i) {
        m_exampleTexts[i]->setVisible(i < head.examples.size());
        if (i >= head.examples.size()) continue;
        const HeadExample& example = head.examples[i];
        m_exampleTexts[i]->setText(tr("%1  From “%2” %3 to “%4” %5: %6")
                                       .arg(formatNumber(example.share), QString::fromStdString(example.looks))
                                       .arg(example.row + 1)
                                       .arg(QString::fromStdString(example.lookedAt))
                                       .arg(example.column + 1)
                                       .arg(QString::fromStdString(example.text)));
    }
}

void WallHead::showStudy(const HeadStudy& study) {
    m_isWeighing = study.work() == HeadStudy::Work::Weighing;
    m_weigh->setVisible(m_isWeighing || !study.ablation());
    m_weigh->setText(m_isWeighing ? tr("Stop") : tr("Mute each in turn"));
    m_weigh->setToolTip(m_isWeighing ? tr("Leave the losses unknown")
                                     : tr("Read the text without each head, and see what its loss becomes"));
    m_weigh->updateGeometry();
    m_weighing->setText(
        m_isWeighing ? tr("Muting, %1").arg(formatPercent(study.progress(), 0))
        : study.ablation()
            ? tr("With every head on the loss is %1 nats a word.").arg(formatNumber(study.ablation()->loss, 3))
            : QString());
}

}  // namespace headlight

#include "moc_wall_head.cpp"
