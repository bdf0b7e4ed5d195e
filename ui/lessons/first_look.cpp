// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/first_look.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/data/translate.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/heads/head_ribbons.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kWhole = 250, kFolded = 96;     ///< heights of the picture
constexpr int kSides = 28, kFoldedEnds = 12;  ///< around everything

/// Pairs that the model learned from; 0 where its story does not say.
qint64 pairsOf(const TrainedModel& model) {
    const nlohmann::json& story = model.training.json();
    const auto pairs = story.find("training_pairs");
    return pairs != story.end() && pairs->is_number_integer() ? pairs->get<qint64>() : 0;
}

/// Beginnings of a sentence may be answered by one word over and over, up to the last position that the model has: no
/// more of that is read than a translation would be long.
std::optional<HeadGlance> glanceAt(const TrainedModel& model, const std::string& text) {
    const std::vector<int> source = model.source->encodeInput(text).ids;
    BeamOptions options = ownBeam(model);
    options.maxLength = std::min(model.network->config().maxLength, 2 * static_cast<int>(source.size()) + 10);
    const Written written = translate(model, {text}, options).front().best();
    if (written.finished) return sharpestHead(traceSentence(model, text));
    std::vector<int> read{model.network->config().decoderStart()};
    for (const std::string& token : written.written)
        read.push_back(model.target->vocabulary().id(token));
    // What is read last writes what was cut off.
    read.resize(std::min(read.size(), static_cast<size_t>(model.network->config().maxLength)));
    return sharpestHead(traceIds(model, source, read), 1);
}

/// What the page begins with where the model reads English: “don't” becomes two words that do not stand together.
constexpr const char* kBeginning = "I don't know where she lives.";

/// No line is the last word alone: the last three stay together.
QString withoutOrphan(QString text) {
    for (int space = 0; space < 2; ++space)
        if (const qsizetype at = text.lastIndexOf(u' '); at >= 0) text[at] = QChar::Nbsp;
    return text;
}

/// "English" of a model that is called "English to French"; empty of any other.
QString languageOf(const TrainedModel& model) {
    const QString title = QString::fromStdString(model.training.ofData("title"));
    const qsizetype to = title.indexOf(QLatin1String(" to "));
    return to > 0 ? title.left(to) : QString();
}

}  // namespace

FirstLook::FirstLook(QWidget* parent)
    : QWidget(parent),
      m_heading(new Caption(tr("What does it look at?"), 24, QFont::DemiBold, Caption::Tone::Main)),
      m_words(new Caption({}, 15, QFont::Normal, Caption::Tone::Secondary)),
      m_language(new Caption(tr("Type a sentence"), 11, QFont::DemiBold, Caption::Tone::Faint)),
      m_minutes(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_fact(new Caption({}, 13, QFont::Medium, Caption::Tone::Secondary)),
      m_field(new QLineEdit),
      m_inside(new Button(Button::Kind::Primary, tr("See inside"), Icon::Right)),
      m_start(new Button(Button::Kind::Ghost, {})),
      m_ribbons(new HeadRibbons) {
    auto* columns = new QHBoxLayout(this);
    columns->setSpacing(32);
    columns->addWidget(makeWords(), 2);
    columns->addWidget(makePicture(), 4);
    connect(m_field, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_goesInside = false;
        read(text.isNull() ? QStringLiteral("") : text);
    });
    connect(m_field, &QLineEdit::returnPressed, m_inside, [this] { m_inside->click(); });
    connect(m_inside, &Button::clicked, this, &FirstLook::goInside);
    connect(m_start, &Button::clicked, this, [this] { emit lessonWanted(m_slug); });
    setFolded(false);
}

QWidget* FirstLook::makeWords() {
    auto* words = new QWidget;
    words->setMinimumWidth(312);  // the example is seen whole
    words->setMaximumWidth(430);
    auto* column = new QVBoxLayout(words);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addStretch();
    m_heading->setWordWrap(true);
    column->addWidget(m_heading);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::RichText);
    column->addWidget(m_words);
    column->addSpacing(4);
    column->addWidget(m_language);
    m_field->setFont(uiFont(15, QFont::Medium));
    m_field->setFixedHeight(40);
    m_field->setPlaceholderText(tr("Type a sentence"));
    m_field->setAccessibleName(tr("Sentence to translate"));
    m_language->setBuddy(m_field);
    column->addWidget(m_field);
    column->addSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_inside->setToolTip(tr("This sentence and this head on the stage (Enter)"));
    row->addWidget(m_inside);
    row->addWidget(m_start);
    row->addWidget(m_minutes);
    row->addStretch();
    column->addLayout(row);
    column->addStretch();
    return words;
}

QWidget* FirstLook::makePicture() {
    auto* picture = new QWidget;
    auto* column = new QVBoxLayout(picture);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_area = scrolling(m_ribbons);  // a long sentence is wider than the card
    column->addWidget(m_area, 1);
    m_fact->setWordWrap(true);
    m_fact->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_fact->setMinimumHeight(22);
    column->addWidget(m_fact);
    return picture;
}

void FirstLook::setLesson(const QString& slug, const QString& label, int minutes) {
    m_slug = slug;
    m_start->setText(label);
    m_start->setVisible(!slug.isEmpty());
    m_minutes->setText(tr("%1 min").arg(minutes));
    m_minutes->setVisible(!slug.isEmpty());
}

void FirstLook::setFolded(bool folded) {
    m_isFolded = folded;
    m_heading->setVisible(!folded);
    m_words->setVisible(!folded);
    m_area->setMinimumHeight(folded ? kFolded : kWhole);
    m_area->setMaximumHeight(folded ? kFolded : QWIDGETSIZE_MAX);
    for (Button* button : {m_inside, m_start})
        button->setHeight(folded ? 28 : 32);
    if (folded)
        layout()->setContentsMargins(kSides, kFoldedEnds, kSides, kFoldedEnds);
    else
        layout()->setContentsMargins(kSides, 20, kSides, 16);
    showFact(said());
}

/// In a low picture there is room for it where there is nothing else to be seen.
void FirstLook::showFact(const QString& fact) {
    m_fact->setText(fact);
    m_fact->setVisible(!m_isFolded || !m_glance);
    m_area->setVisible(!m_isFolded || m_glance);
}

QString FirstLook::said() const {
    return m_fact->text();
}

/// A model is opened when somebody sees what it does.
void FirstLook::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!std::exchange(m_hasBegun, true)) read({});
}

void FirstLook::read(const QString& text) {
    m_hasBegun = true;
    if (!text.isNull() && text.trimmed().isEmpty()) {
        m_reads.drop();
        return clear(tr("Type a sentence, and see which words it looks at while it writes each of its own."));
    }
    m_inside->setEnabled(true);
    m_reads.ask<Answer>(
        [text, model = m_model] {
            Answer answer{model ? model : openTrainedModel(firstModel()), text, {}};
            if (text.isNull())
                answer.text = languageOf(*answer.model) == QLatin1String("English") ? QString::fromLatin1(kBeginning)
                                                                                    : exampleSentence(*answer.model);
            answer.glance = glanceAt(*answer.model, answer.text.toStdString());
            return answer;
        },
        [this](const Answer& answer) { take(answer); }, [this](const QString& why) { clear(why); });
}

void FirstLook::take(const Answer& answer) {
    if (!m_model) {
        m_model = answer.model;
        introduce(*m_model);
    }
    if (m_field->text() != answer.text) m_field->setText(answer.text);  // the example
    m_glance = answer.glance;
    const std::optional<GlanceFact> fact = m_glance ? factOf(*m_glance) : std::nullopt;
    m_ribbons->setData(m_glance ? RibbonsData{m_glance->reads, m_glance->writes, m_glance->weights,
                                              fact ? fact->cells : std::vector<std::pair<int, int>>()}
                                : RibbonsData());
    showFact(fact ? fact->sentence : QString());
    if (std::exchange(m_goesInside, false)) goInside();
    emit answered();
}

void FirstLook::clear(const QString& why) {
    m_glance.reset();
    m_goesInside = false;
    m_inside->setEnabled(false);
    m_ribbons->setData({});
    showFact(why);
    emit answered();
}

/// What the model's own story tells of it, and no more.
void FirstLook::introduce(const TrainedModel& model) {
    QStringList sentences{tr("A small Transformer is translating what you type, here on your computer.")};
    if (const qint64 pairs = pairsOf(model); pairs > 0)
        sentences << tr("It learned from %1 sentence pairs.").arg(formatCount(pairs));
    sentences << tr("<b>Nothing is staged:</b> every line is a weight that it has just computed.");
    m_words->setText(withoutOrphan(sentences.join(u' ')));
    if (const QString language = languageOf(model); !language.isEmpty())
        m_language->setText(tr("Type %1").arg(language));
}

void FirstLook::goInside() {
    if (m_reads.isBusy()) {
        m_goesInside = true;
        return;
    }
    if (!m_glance) return;
    StageState state;
    state.view = ViewName::Attention;
    state.model = modelKeyOf(firstModel()).toStdString();
    state.source = m_field->text().toStdString();
    state.block = m_glance->block.toStdString();
    state.head = m_glance->head + 1;
    emit insideWanted(state);
}

void FirstLook::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::box(p, rect(), t.surface, t.line, 8);
}

}  // namespace headlight

#include "moc_first_look.cpp"
