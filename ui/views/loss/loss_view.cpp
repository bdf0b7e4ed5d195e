// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/loss/loss_view.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/views/loss/loss_columns.h"
#include "ui/views/loss/loss_layout.h"
#include "ui/views/loss/loss_side.h"
#include "ui/views/loss/loss_word.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace loss_layout;

namespace {

constexpr int kBeam = 24;  ///< between the columns and the opened word
constexpr int kMostSteps = 1000;

/// Columns above, the chosen one opened below, and the beam between them.
class LossStage : public QWidget {
public:
    LossStage(LossColumns* columns, LossWord* word) : m_columns(columns), m_word(word) {
        QObject::connect(columns, &LossColumns::scrolled, this, qOverload<>(&QWidget::update));
    }
    void follow(int chosen, bool isThere) {
        m_chosen = chosen;
        m_isThere = isThere;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (!m_isThere) return;
        const Theme& t = Theme::of(this);
        const QPoint shift = m_columns->viewport()->mapTo(this, QPoint());
        const QRectF area(shift, m_columns->viewport()->size());
        const QRectF column = m_columns->columnRect(m_chosen).translated(shift).intersected(area);
        if (column.isEmpty()) return;
        const double bottom = m_word->y();
        const QPointF above[] = {column.bottomLeft() + QPointF(3, 0), column.bottomRight() + QPointF(-3, 0)};
        const QPointF below[] = {QPointF(m_word->x() + 4, bottom), QPointF(m_word->x() + m_word->width() - 4, bottom)};
        QPainterPath beam(above[0]);
        beam.lineTo(below[0]);
        beam.lineTo(below[1]);
        beam.lineTo(above[1]);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        p.fillPath(beam, t.beam);
        p.setPen(QPen(t.nowLine, 1));
        for (int i = 0; i < 2; ++i)
            p.drawLine(above[i], below[i]);
    }

private:
    LossColumns* m_columns;
    LossWord* m_word;
    int m_chosen = 0;
    bool m_isThere = false;
};

/// What the line and the colours mean.
class LossKey : public QWidget {
public:
    explicit LossKey(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(20); }
    void setMean(const QString& mean) {
        m_mean = mean;
        setMinimumWidth(wide());
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        double x = width();
        const auto key = [&](const QString& text, const QColor& color) {
            x -= paint::textWidth(text, uiFont(12));
            paint::centredText(p, {x, 10}, text, uiFont(12), t.text2);
            x -= kBox;
            if (color.isValid()) paint::box(p, QRectF(x, 4, 12, 12), color, {}, 2);
        };
        key(LossView::tr("shared by ε"), t.sequentialStops[2]);
        x -= kApart;
        key(LossView::tr("the target"), t.sequentialStops[5]);
        x -= kApart;
        key(m_mean, {});
        p.setPen(QPen(t.text3, 1, Qt::DashLine));
        p.drawLine(QPointF(x - 8, 10.5), QPointF(x - 8 + kLine, 10.5));
    }

private:
    static constexpr int kBox = 18, kApart = 14, kLine = 20;

    int wide() const {
        double texts = 0;
        for (const QString& text : {LossView::tr("shared by ε"), LossView::tr("the target"), m_mean})
            texts += paint::textWidth(text, uiFont(12));
        return static_cast<int>(std::ceil(texts)) + 3 * kBox + 2 * kApart + kLine;
    }

    QString m_mean;
};

LossStage* stageOf(LossColumns* columns) {
    return static_cast<LossStage*>(columns->parentWidget());
}

}  // namespace

LossView::LossView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_bar(new Panel(Qt::BottomEdge)),
      m_target(new QLineEdit),
      m_targetName(new Caption(tr("Target"), 12, QFont::Medium, Caption::Tone::Secondary)),
      m_slider(new Slider),
      m_epsilon(new Caption({}, 12, QFont::Medium, Caption::Tone::Main)),
      m_failure(new FailureBox),
      m_columns(new LossColumns),
      m_word(new LossWord),
      m_side(new LossSide) {
    auto* none = new EmptyPage(tr("No model is open. Open one and type a sentence to see what each word costs."),
                               tr("Open a model"));
    m_pages->addWidget(none);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see what each word of its target costs."), {}));
    m_pages->addWidget(new EmptyPage(tr("This model fills in words that were taken out: its loss counts those places "
                                        "alone, and the text does not say what stood there. Open one that writes."),
                                     {}));
    m_pages->addWidget(new EmptyPage(tr("This model has no head that says words or labels, so there is nothing that a "
                                        "target could be compared with. Open one that writes."),
                                     {}));
    m_pages->addWidget(new EmptyPage(tr("A language model is told each word and says the next. Type at least two words "
                                        "to have one that it said."),
                                     {}));
    m_pages->addWidget(makeRoom());
    m_moves.setStartValue(0.0);
    m_moves.setEndValue(1.0);
    m_moves.setDuration(motion::kReflow);
    m_moves.setEasingCurve(QEasingCurve::InOutCubic);
    connect(none, &EmptyPage::activated, this, &LossView::openModelRequested);
    connect(&m_moves, &QVariantAnimation::valueChanged, this, [this](const QVariant& at) { refresh(at.toDouble()); });
    connect(&m_moves, &QVariantAnimation::finished, this, [this] { refresh(); });
    connect(m_columns, &LossColumns::chosen, this, &LossView::choose);
    connect(m_columns, &LossColumns::wordWanted, this, &LossView::wantWord);
    connect(m_word, &LossWord::chosen, this, &LossView::choose);
    connect(m_word, &LossWord::wordWanted, this, &LossView::wantWord);
    connect(m_word, &LossWord::smoothingWanted, this, &LossView::setSmoothing);
    connect(m_word, &LossWord::stepsWanted, this, &LossView::setSteps);
    connect(m_side, &LossSide::chosen, this, &LossView::choose);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { setSmoothing(value / 100.0); });
    connect(m_target, &QLineEdit::returnPressed, this, [this] { emit targetWanted(m_target->text().trimmed()); });
}

QWidget* LossView::makeBar() {
    m_bar->setHoldsControls();
    m_bar->setPanelName("controls");
    m_word->setPanelName("word");
    m_side->setPanelName("side");
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(20, 8, 20, 8);
    row->setSpacing(12);
    m_target->setAccessibleName(tr("Target"));
    m_target->setMinimumWidth(160);
    m_slider->setAccessibleName(tr("Label smoothing ε"));
    m_slider->setRange(0, static_cast<int>(kMostSmoothing * 100));
    m_slider->setMinimumWidth(80);
    m_slider->setMaximumWidth(160);
    m_slider->setValueLabel(m_epsilon);
    m_epsilon->setFont(monoFont(12));
    m_epsilon->setMinimumWidth(36);
    row->addWidget(m_targetName);
    row->addWidget(m_target, 3);
    row->addStretch(1);
    row->addWidget(new Caption(tr("Label smoothing ε"), 12, QFont::Medium, Caption::Tone::Secondary));
    row->addWidget(new Caption(QStringLiteral("0"), 11, QFont::Normal, Caption::Tone::Faint));
    row->addWidget(m_slider, 1);
    row->addWidget(new Caption(formatNumber(kMostSmoothing, 1), 11, QFont::Normal, Caption::Tone::Faint));
    row->addWidget(m_epsilon);
    return m_bar;
}

QWidget* LossView::makeRoom() {
    auto* room = new QWidget;
    auto* across = new QHBoxLayout(room);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(makeBar());
    auto* stage = new LossStage(m_columns, m_word);
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 8, 20, 12);
    column->setSpacing(0);
    auto* heading = new QHBoxLayout;
    heading->setSpacing(10);
    heading->addWidget(m_heading = new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main));
    heading->addWidget(m_note = new FittingCaption(12, QFont::Normal, Caption::Tone::Secondary), 2);
    heading->addWidget(m_key = new LossKey);
    column->addLayout(heading);
    column->addWidget(m_failure);
    m_failure->hide();
    column->addWidget(m_columns, 36);
    column->addSpacing(kBeam);
    column->addWidget(m_word, 64);
    left->addWidget(stage, 1);
    across->addLayout(left, 1);
    across->addWidget(m_side);
    return room;
}

void LossView::setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                          const QString& target, const TranslationRow& own) {
    m_background.drop();
    m_moves.stop();
    m_failure->hide();
    const ModelConfig* const config = model ? &model->network->config() : nullptr;
    const Page page = !config              ? NoModel
                      : config->headless() ? Headless
                      : config->masked()   ? Masked
                      : !trace             ? NoSentence
                                           : Room;
    m_pages->setCurrentIndex(page);
    const bool hasTarget = config && (config->encoderDecoder() || !config->saysWords());
    m_target->setVisible(hasTarget);
    m_targetName->setVisible(hasTarget);
    if (m_target->text().trimmed() != target) m_target->setText(target);
    m_target->setPlaceholderText(config && !config->saysWords() ? tr("the label that it names itself")
                                                                : tr("its own; type another"));
    const bool isLabel = config && config->corpusKind() == CorpusKind::Labels;
    m_heading->setText(isLabel ? tr("What the label costs") : tr("What each word costs"));
    m_note->setTexts({isLabel ? tr("its loss in nats, and what the model expected")
                              : tr("its loss in nats, and what the model expected in its place"),
                      tr("in nats, and what was expected"), tr("in nats")});
    m_own.reset();
    if (!target.isEmpty() && config && config->encoderDecoder() && !own.words.isEmpty())
        m_own = std::exp(-own.logProb / static_cast<double>(own.words.size()));
    if (page != Room) return take(nullptr);
    using Picture = std::shared_ptr<const LossPicture>;
    m_background.ask<Picture>(
        [model, trace, target](const Background::Wanted& wanted) -> Picture {
            return std::make_shared<const LossPicture>(model, trace, target, wanted);
        },
        [this](const Picture& picture) { take(picture); },
        [this](const QString& why) {
            take(nullptr);
            m_failure->setText(tr("What the words cost was not computed: %1").arg(why));
            m_failure->show();
        });
}

void LossView::take(std::shared_ptr<const LossPicture> picture) {
    m_picture = std::move(picture);
    if (m_picture && m_picture->words() == 0) {
        m_picture.reset();
        m_pages->setCurrentIndex(TooShort);
    }
    refresh();
    m_columns->bringIntoSight();
}

int LossView::chosen() const {
    return std::clamp(m_wantedWord, 1, m_picture->words()) - 1;
}

void LossView::refresh(double share) {
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(m_smoothing * 100)));
    m_epsilon->setText(formatNumber(m_smoothing));
    if (!m_picture) {
        m_shown.reset();
    } else {
        const WordLoss start = m_picture->open(chosen(), m_smoothing);
        WordLoss now = start.stepped(m_steps);
        if (share < 1) {
            const WordLoss from = start.stepped(m_from);
            std::vector<double> logits = now.logits();
            for (size_t i = 0; i < logits.size(); ++i)
                logits[i] = std::lerp(from.logits()[i], logits[i], share);
            now = WordLoss(std::move(logits), now.target(), m_smoothing);
        }
        std::vector<WordCost> costs = m_picture->costs();
        const LossVeil veil(m_veiled, costs);
        WordCost& changed = costs[static_cast<size_t>(chosen())];
        changed = now.cost(changed.position, LossPicture::likely);
        m_shown = std::make_shared<const LossShown>(
            LossShown{m_picture, std::move(costs), chosen(), m_smoothing, m_steps, start, std::move(now), veil});
    }
    m_columns->show(m_shown);
    m_word->show(m_shown);
    m_side->show(m_shown, m_own);
    if (m_shown)
        static_cast<LossKey*>(m_key)->setMean(tr("mean %1").arg(
            m_shown->veil.hidesMean() ? HiddenArea::mark()
                                      : formatNumber(meanLoss(m_shown->costs, m_smoothing).smoothed)));
    stageOf(m_columns)->follow(m_shown ? m_shown->chosen : 0, m_shown != nullptr);
}

void LossView::choose(int index) {
    if (!m_picture || index < 0 || index >= m_picture->words() || index == chosen()) return;
    m_moves.stop();
    m_wantedWord = index + 1;
    m_steps = 0;
    refresh();
    m_columns->bringIntoSight();
    emit optionsChanged();
}

void LossView::setSmoothing(double smoothing) {
    if (std::abs(smoothing - m_smoothing) < 1e-9) return;
    m_moves.stop();
    m_smoothing = smoothing;
    refresh();
    emit optionsChanged();
}

void LossView::setSteps(int steps) {
    m_moves.stop();
    m_from = m_steps;
    m_steps = std::clamp(steps, 0, kMostSteps);
    const bool moves = !motion::isReduced() && isVisible();
    refresh(moves ? 0 : 1);  // the steps are counted at once
    if (moves) m_moves.start();
    emit optionsChanged();
}

void LossView::wantWord(int index, int word) {
    const std::optional<QString> target = m_picture ? m_picture->with(index, word) : std::nullopt;
    if (!target) return;
    m_steps = 0;
    emit optionsChanged();
    emit targetWanted(*target);
}

void LossView::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    if (m_picture) refresh();
}

void LossView::showOptions(const StageState& state) {
    m_moves.stop();
    m_wantedWord = state.loss.word;
    m_smoothing = std::clamp(state.loss.smoothing, 0.0, kMostSmoothing);
    m_steps = std::clamp(state.loss.descended, 0, kMostSteps);
    refresh();
    m_columns->bringIntoSight();
}

void LossView::tellOptions(StageState& state) const {
    state.loss.word = m_wantedWord;
    state.loss.smoothing = m_smoothing;
    state.loss.descended = m_steps;
}

}  // namespace headlight

#include "moc_loss_view.cpp"
