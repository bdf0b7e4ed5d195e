// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/sentence_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QStyle>
#include <QtMath>
#include <algorithm>

#include "core/data/task.h"
#include "core/text/line_tokenizer.h"
#include "ui/session/format/one_line.h"
#include "ui/session/open/kept_inputs.h"
#include "ui/session/open/session.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/muted_mark.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// A translation without a letter is said in words: a blank would look like one that is still to come.
QString whyEmpty(const TranslationRow& written) {
    if (written.words.size() < 2) return SentenceBar::tr("nothing: it ends at once");
    return SentenceBar::tr("nothing to read, only %1").arg(written.words.join(u' '));
}

/// How a gap is written for a model that fills in words; empty of any other.
QString gapOf(const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    return config.masked() ? QString::fromStdString(model.source->vocabulary().token(config.mask())) : QString();
}

}  // namespace

SentenceBar::SentenceBar(Session& session, KeptInputs& kept, QWidget* parent)
    : Panel(Qt::BottomEdge, parent),
      m_session(session),
      m_kept(kept),
      m_input(new QLineEdit(this)),
      m_keep(new Button(Button::Kind::Ghost, tr("Keep"), Icon::None, this)) {
    setFixedHeight(56);
    setHoldsControls();
    setPanelName("sentence");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 0, 20, 0);
    row->setSpacing(12);
    m_input->setFont(uiFont(15, QFont::Medium));
    m_input->setPlaceholderText(tr("Type a sentence"));
    m_input->setAccessibleName(tr("Sentence to read"));
    // Not the line edit's own, which fades: a picture would catch it half way.
    QAction* const clear =
        m_input->addAction(style()->standardIcon(QStyle::SP_LineEditClearButton), QLineEdit::TrailingPosition);
    clear->setText(tr("Clear the sentence"));
    connect(clear, &QAction::triggered, this, [this] {
        m_input->clear();
        m_session.setSource({});
    });
    m_input->setMinimumWidth(220);
    m_input->setFixedHeight(36);
    m_input->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(m_input, 1);
    makeKept(row);
    m_verb = new Caption(tr("reads as"), 12, QFont::Normal, Caption::Tone::Faint, this);
    row->addWidget(m_verb);
    m_muted = new MutedMark(MutedMark::Size::Small, this);
    row->addWidget(m_muted);
    connect(m_muted, &MutedMark::clicked, this, [this] { m_session.setMutedHeads({}); });
    m_translation = new Caption({}, 15, QFont::DemiBold, Caption::Tone::Main, this);
    m_translation->setAccessibleName(tr("What the model makes of it"));
    m_translation->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_translation->setMinimumWidth(160);
    m_translation->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long one ends in an ellipsis
    row->addWidget(m_translation, 1);
    m_unknown = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary, this);
    row->addWidget(m_unknown);

    connect(m_input, &QLineEdit::textEdited, &session,
            [this](const QString& text) { m_session.setSource(withBreaks(text)); });
    connect(&session, &Session::modelOpened, this, [this] {
        showSource();
        const ModelConfig& config = m_session.model()->network->config();
        const QString gap = gapOf(*m_session.model());
        m_input->setPlaceholderText(gap.isEmpty() ? tr("Type a sentence")
                                                  : tr("Type a sentence with %1 in it").arg(gap));
        if (config.headless()) return m_verb->setText(tr("is read: this model has no head that would say more"));
        if (config.masked()) return m_verb->setText(tr("filled in"));
        switch (config.corpusKind()) {
            case CorpusKind::Translation: {
                const Task* const task = taskOf(m_session.model()->training);
                const bool isReply =
                    task && !task->sourceLanguage.empty() && task->sourceLanguage == task->targetLanguage;
                return m_verb->setText(isReply ? tr("is answered by") : tr("reads as"));
            }
            case CorpusKind::Text:
                return m_verb->setText(tr("goes on"));
            case CorpusKind::Labels:
                return m_verb->setText(tr("is"));
        }
    });
    // Whoever set the sentence, also while the field has the focus: what stands in it is what the stage reads.
    connect(&session, &Session::inputChanged, this, [this] {
        if (withBreaks(m_input->text()) != m_session.source()) showSource();
    });
    connect(&session, &Session::readingChanged, this, &SentenceBar::showReading);
}

/// A field has one line: of a model that reads line breaks they are written `↵` in it, as everywhere on the stage.
QString SentenceBar::withBreaks(QString text) const {
    const std::shared_ptr<const TrainedModel> model = m_session.model();
    return model && keepsLines(*model->source) ? text.replace(u'↵', u'\n') : text;
}

/// A long sentence is seen from its beginning, as it is everywhere else.
void SentenceBar::showSource() {
    m_input->setText(onOneLine(m_session.source()));
    if (!m_input->hasFocus()) m_input->setCursorPosition(0);
    shareRoom();
}

/// The room goes to what is read and to what is written of it as their words need it; what is written takes a second
/// line where it is long. What is typed moves nothing before it is read.
void SentenceBar::shareRoom() {
    constexpr int kAround = 56;  // the frame and the button that clears
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->activate();
    const auto wide = [](const QString& text, const QFont& font) { return qCeil(paint::textWidth(text, font)); };
    const QFont one = uiFont(15, m_translation->font().weight()), two = uiFont(13, m_translation->font().weight());
    const int room = m_translation->width() + m_input->width();
    const int source = std::max(wide(m_session.source(), m_input->font()) + kAround, m_input->minimumWidth());
    int written = std::max(wide(m_translation->text(), one) + 4, m_translation->minimumWidth());
    const bool takesTwo = source + written > room;
    if (takesTwo) written = std::max(wide(m_translation->text(), two) * 6 / 10, m_translation->minimumWidth());
    const bool fits = source + written <= room || written <= room - m_input->minimumWidth();
    m_translation->setWordWrap(takesTwo && fits);
    m_translation->setFont(takesTwo && fits ? two : one);
    row->setStretchFactor(m_input, takesTwo ? std::max(room - written, 1) : source);
    row->setStretchFactor(m_translation, written);
}

void SentenceBar::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    shareRoom();
}

void SentenceBar::makeKept(QHBoxLayout* row) {
    auto* kept = new QHBoxLayout;
    kept->setSpacing(4);
    m_keep->setHeight(28);
    kept->addWidget(m_keep);
    connect(m_keep, &Button::clicked, &m_kept, &KeptInputs::toggle);
    for (size_t place = 0; place < KeptInputs::most; ++place) {
        auto* button = new Button(Button::Kind::Ghost, QString::number(place + 1), Icon::None, this);
        button->setHeight(28);
        connect(button, &Button::clicked, &m_kept, [this, place] { m_kept.choose(static_cast<int>(place)); });
        kept->addWidget(button);
        m_places.push_back(button);
    }
    row->addLayout(kept);
    connect(&m_kept, &KeptInputs::changed, this, &SentenceBar::showKept);
    showKept();
}

void SentenceBar::showKept() {
    const std::vector<KeptInputs::Input>& all = m_kept.all();
    const int present = m_kept.present();
    const QString why = m_kept.whyNot();
    m_keep->setText(present < 0 ? tr("Keep") : tr("Let go"));
    m_keep->setEnabled(why.isEmpty());
    m_keep->setToolTip(!why.isEmpty() ? why
                       : present < 0  ? tr("Keep this input, so as to come back to it (Ctrl+B)")
                                      : tr("Keep this input no longer (Ctrl+B)"));
    for (size_t place = 0; place < m_places.size(); ++place) {
        Button& button = *m_places[place];
        button.setVisible(place < all.size());
        if (place >= all.size()) continue;
        button.setKind(static_cast<int>(place) == present ? Button::Kind::Primary : Button::Kind::Ghost);
        button.setAccessibleName(tr("Kept input %1: %2").arg(place + 1).arg(all[place].source));
        const QString target = all[place].target.isEmpty() ? QString() : tr(" → %1").arg(all[place].target);
        button.setToolTip(tr("%1%2 (Alt+%3)").arg(all[place].source, target).arg(place + 1));
    }
}

void SentenceBar::showReading() {
    const auto& reading = m_session.reading();
    const bool isEmpty = reading && reading->translation.trimmed().isEmpty();
    m_translation->setText(isEmpty   ? whyEmpty(reading->muted.value_or(reading->baseline))
                           : reading ? onOneLine(reading->translation)
                                     : QString());
    m_translation->setFont(uiFont(15, isEmpty ? QFont::Normal : QFont::DemiBold));
    m_translation->setToolTip(isEmpty || !reading ? m_translation->text() : reading->translation);
    showUnknown(reading ? reading->unknownWords : QStringList());
    shareRoom();
    m_muted->setHeads(reading && reading->muted ? m_session.mutedHeads() : QStringList(),
                      reading ? reading->trace.get() : nullptr);
}

/// The first of them: all of a long sentence's would take the room of what is read.
void SentenceBar::showUnknown(QStringList words) {
    constexpr qsizetype kNamed = 3;
    // Every program has its own mark for a gap: another one's is read letter by letter.
    const QString gap = m_session.model() ? gapOf(*m_session.model()) : QString();
    for (const char* const other : {"<mask>", "[MASK]"}) {
        const QString foreign = QString::fromLatin1(other);
        if (gap.isEmpty() || foreign == gap || !m_session.source().contains(foreign)) continue;
        m_unknown->setText(tr("a gap is written %1").arg(gap));
        m_unknown->setToolTip(tr("This model fills in %1, and reads %2 as letters").arg(gap, foreign));
        return;
    }
    words.removeDuplicates();
    // A comma between commas says nothing.
    std::stable_partition(words.begin(), words.end(), [](const QString& word) {
        return std::ranges::any_of(word, [](QChar c) { return c.isLetterOrNumber(); });
    });
    const QString named = words.mid(0, kNamed).join(QStringLiteral(", "));
    m_unknown->setText(words.isEmpty()          ? QString()
                       : words.size() <= kNamed ? tr("unknown: %1").arg(named)
                                                : tr("unknown: %1 and %2 more").arg(named).arg(words.size() - kNamed));
    m_unknown->setToolTip(words.isEmpty()
                              ? QString()
                              : tr("The model has never seen these words, and reads <unk> in their place: %1")
                                    .arg(words.join(QStringLiteral(", "))));
}

}  // namespace headlight

#include "moc_sentence_bar.cpp"
