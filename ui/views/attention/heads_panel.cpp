// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/heads_panel.h"

#include <QAbstractButton>
#include <QGridLayout>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/selection.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/token_strip.h"

namespace headlight {
namespace {

constexpr int kPanelWidth = 300;
constexpr int kPanelMargin = 20;
constexpr int kSwitchesInARow = 4;

/// Checked means muted.
class MuteSwitch : public QAbstractButton {
public:
    MuteSwitch(int head, QWidget* parent = nullptr) : QAbstractButton(parent) {
        setText(QString::number(head + 1));
        setCheckable(true);
        setFixedSize(59, 28);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(HeadsPanel::tr("Mute head %1").arg(head + 1));
        setToolTip(HeadsPanel::tr("Translate without head %1").arg(head + 1));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        const bool muted = isChecked();
        paint::box(p, rect(), muted ? t.badTint : paint::mixed(t.surface, t.sunken, hoverTint(this)),
                   muted ? t.bad : t.line2, 6);
        drawIcon(p, muted ? Icon::Mute : Icon::Sound, QRectF(8, 6, 16, 16), muted ? t.bad : t.text2);
        paint::centredText(p, {42, 14}, text(), uiFont(12, QFont::DemiBold), muted ? t.bad : t.text, Anchor::Middle);
    }
};

QString groupTitle(AttentionBlock::Kind kind) {
    switch (kind) {
        case AttentionBlock::Kind::EncoderSelf:
            return HeadsPanel::tr("Encoder self");
        case AttentionBlock::Kind::DecoderSelf:
            return HeadsPanel::tr("Decoder self");
        case AttentionBlock::Kind::Cross:
            return HeadsPanel::tr("Cross");
        case AttentionBlock::Kind::Self:
            return HeadsPanel::tr("Self-attention");
    }
    return {};
}

HeadGridRow gridRow(const AttentionBlock& block, const QSet<QString>& muted, bool revealed) {
    HeadGridRow row{block.scope,
                    groupTitle(block.kind),
                    HeadsPanel::tr("Layer %1").arg(block.layer + 1),
                    block.kind == AttentionBlock::Kind::EncoderSelf || block.kind == AttentionBlock::Kind::Self,
                    {}};
    for (int head = 0; head < block.heads; ++head)
        row.heads.push_back({block.headWeights(head), block.rows, block.columns, ColorScale::weights(),
                             block.maskValues(), muted.contains(headName(block.scope, head)), revealed});
    return row;
}

QHBoxLayout* titled(QWidget* left, QWidget* right) {
    auto* row = new QHBoxLayout;
    row->addWidget(left, 1);
    row->addWidget(right);
    return row;
}

QLabel* logProbLabel() {
    auto* label = new Caption({}, 11, QFont::Normal, Caption::Tone::Faint);
    label->setFont(monoFont(11));
    return label;
}

}  // namespace

QString briefBlockTitle(const AttentionBlock& block) {
    return QStringLiteral("%1 %2").arg(groupTitle(block.kind)).arg(block.layer + 1);
}

QString blockTitle(const AttentionBlock& block) {
    switch (block.kind) {
        case AttentionBlock::Kind::EncoderSelf:
            return HeadsPanel::tr("Encoder layer %1, self-attention").arg(block.layer + 1);
        case AttentionBlock::Kind::DecoderSelf:
            return HeadsPanel::tr("Decoder layer %1, self-attention").arg(block.layer + 1);
        case AttentionBlock::Kind::Cross:
            return HeadsPanel::tr("Decoder layer %1, cross-attention").arg(block.layer + 1);
        case AttentionBlock::Kind::Self:
            return HeadsPanel::tr("Layer %1, self-attention").arg(block.layer + 1);
    }
    return {};
}

HeadsPanel::HeadsPanel(Selection* selection, QWidget* parent)
    : Panel(Qt::RightEdge, parent),
      m_selection(selection),
      m_counts(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_grid(new HeadGrid) {
    setFixedWidth(kPanelWidth);
    yieldBelow(720);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 12, 1, 16);
    column->setSpacing(0);
    auto* heading = new QVBoxLayout;
    heading->setContentsMargins(kPanelMargin, 0, kPanelMargin, 0);
    heading->setSpacing(2);
    auto* wall = new Button(Button::Kind::Ghost, tr("All as a wall"));
    wall->setHeight(26);
    wall->setToolTip(tr("Every head of the model at once: search them, sort them, see what they look at"));
    connect(wall, &Button::clicked, this, &HeadsPanel::wallWanted);
    heading->addLayout(titled(new Caption(tr("Heads"), 18, QFont::DemiBold, Caption::Tone::Main), wall));
    heading->addWidget(m_counts);
    column->addLayout(heading);
    column->addWidget(m_grid);
    column->addSpacing(6);
    column->addWidget(new Rule);
    column->addWidget(makeMuteSection());
    column->addWidget(makeTranslations());
    column->addStretch(1);

    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 1, 0);
    whole->addWidget(scrolling(content));
    connect(m_grid, &HeadGrid::headToggled, m_selection, &Selection::toggleHead);
    connect(m_grid, &HeadGrid::headSelected, this, [this](const QString& block, int head) {
        m_selection->setHead(head);
        m_selection->setBlock(block);
    });
}

QWidget* HeadsPanel::makeMuteSection() {
    m_muteBlock = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    m_reset = new Button(Button::Kind::Ghost, tr("Reset"), Icon::Reset);
    m_reset->setHeight(28);
    m_reset->setToolTip(tr("Turn every head on again"));
    connect(m_reset, &Button::clicked, this, &HeadsPanel::resetRequested);
    m_switches = new QGridLayout;
    m_switches->setHorizontalSpacing(8);
    m_switches->setVerticalSpacing(6);

    auto* section = new QWidget;
    auto* column = new QVBoxLayout(section);
    column->setContentsMargins(kPanelMargin, 10, kPanelMargin, 0);
    column->setSpacing(0);
    column->addLayout(titled(new Caption(tr("Mute heads"), 13, QFont::DemiBold, Caption::Tone::Main), m_reset));
    column->addWidget(m_muteBlock);
    column->addSpacing(10);
    column->addLayout(m_switches);
    return section;
}

QWidget* HeadsPanel::makeTranslations() {
    m_baselineLogProb = logProbLabel();
    m_mutedLogProb = logProbLabel();
    m_baseline = new TokenStrip;
    m_muted = new TokenStrip;
    m_mutedLabel = new Caption({}, 12, QFont::DemiBold, Caption::Tone::Main);
    m_mutedLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    m_mutedPart = new QWidget;
    auto* mutedColumn = new QVBoxLayout(m_mutedPart);
    mutedColumn->setContentsMargins(0, 14, 0, 0);
    mutedColumn->setSpacing(6);
    mutedColumn->addLayout(titled(m_mutedLabel, m_mutedLogProb));
    mutedColumn->addWidget(m_muted);
    m_mutedPart->hide();

    auto* section = new QWidget;
    auto* column = new QVBoxLayout(section);
    column->setContentsMargins(kPanelMargin, 20, kPanelMargin, 0);
    column->setSpacing(6);
    column->addLayout(
        titled(m_baselineLabel = new Caption(tr("All heads on"), 12, QFont::DemiBold, Caption::Tone::Main),
               m_baselineLogProb));
    column->addWidget(m_baseline);
    column->addWidget(m_mutedPart);
    return section;
}

void HeadsPanel::setBlocks(const std::vector<AttentionBlock>& blocks, const QSet<QString>& muted, const Trace* trace,
                           int revealed) {
    std::vector<HeadGridRow> rows;
    const AttentionBlock* chosen = nullptr;
    for (const auto kind : {AttentionBlock::Kind::Self, AttentionBlock::Kind::EncoderSelf,
                            AttentionBlock::Kind::DecoderSelf, AttentionBlock::Kind::Cross}) {
        for (const AttentionBlock& block : blocks) {
            if (block.kind != kind) continue;
            const bool shown = revealed < 0 || trace->indexOf(block.weights->name) <= revealed;
            rows.push_back(gridRow(block, muted, shown));
            if (block.scope == m_selection->block()) chosen = &block;
        }
    }
    const int heads = rows.empty() ? 0 : static_cast<int>(rows.front().heads.size());
    const auto blocksShown = static_cast<int>(rows.size());
    const QString blockCount = plural(tr("%n attention block(s)", nullptr, blocksShown), blocksShown);
    const QString headCount = plural(tr("%n head(s)", nullptr, heads), heads);
    m_counts->setText(rows.empty() ? QString() : tr("%1 × %2").arg(blockCount, headCount));
    m_grid->setRows(std::move(rows));
    m_grid->setSelected(m_selection->block(), m_selection->heads());
    m_reset->setEnabled(!muted.isEmpty());
    if (chosen) rebuildSwitches(*chosen, muted);
}

void HeadsPanel::rebuildSwitches(const AttentionBlock& block, const QSet<QString>& muted) {
    m_muteBlock->setText(blockTitle(block));
    const bool sameCount = m_switches->count() == block.heads;
    while (!sameCount && m_switches->count() > 0) {
        QLayoutItem* item = m_switches->takeAt(0);
        delete item->widget();
        delete item;
    }
    for (int head = 0; head < block.heads; ++head) {
        if (!sameCount) {
            auto* fresh = new MuteSwitch(head);
            m_switches->addWidget(fresh, head / kSwitchesInARow, head % kSwitchesInARow, Qt::AlignLeft);
            connect(fresh, &QAbstractButton::clicked, this,
                    [this, head](bool on) { emit muteToggled(headName(m_selection->block(), head), on); });
        }
        auto* button = static_cast<QAbstractButton*>(m_switches->itemAt(head)->widget());
        button->setChecked(muted.contains(headName(block.scope, head)));
    }
}

void HeadsPanel::setBaseline(const TranslationRow& row) {
    m_baselineWords = row.words;
    m_baseline->setTokens(row);
    m_baselineLabel->setVisible(!row.words.isEmpty());  // a text without a gap is not filled in
    m_baselineLogProb->setText(row.words.isEmpty() ? QString() : formatLogProb(row.logProb));
}

void HeadsPanel::setMutedTranslation(const TranslationRow& row, const QString& label) {
    m_mutedPart->setVisible(!row.words.isEmpty());
    m_mutedLabel->setText(label);
    m_muted->setTokens(row, m_baselineWords);
    m_mutedLogProb->setText(row.words.isEmpty() ? QString() : formatLogProb(row.logProb));
}

}  // namespace headlight

#include "moc_heads_panel.cpp"
