// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/sentence_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QStyle>

#include "ui/session/open/session.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/muted_mark.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

SentenceBar::SentenceBar(Session& session, QWidget* parent)
    : Panel(Qt::BottomEdge, parent), m_session(session), m_input(new QLineEdit(this)) {
    setFixedHeight(56);
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
    row->addWidget(m_input, 5);
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
    row->addWidget(m_translation, 5);
    m_unknown = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary, this);
    row->addWidget(m_unknown);

    connect(m_input, &QLineEdit::textEdited, &session, &Session::setSource);
    connect(&session, &Session::modelOpened, this, [this] {
        m_input->setText(m_session.source());
        const ModelConfig& config = m_session.model()->network->config();
        if (config.masked()) return m_verb->setText(tr("filled in"));
        switch (config.corpusKind()) {
            case CorpusKind::Translation:
                return m_verb->setText(tr("reads as"));
            case CorpusKind::Text:
                return m_verb->setText(tr("goes on"));
            case CorpusKind::Labels:
                return m_verb->setText(tr("is"));
        }
    });
    // Whoever set the sentence, also while the field has the focus: what stands in it is what the stage reads.
    connect(&session, &Session::inputChanged, this, [this] {
        if (m_input->text() != m_session.source()) m_input->setText(m_session.source());
    });
    connect(&session, &Session::readingChanged, this, &SentenceBar::showReading);
}

void SentenceBar::showReading() {
    const auto& reading = m_session.reading();
    m_translation->setText(reading ? reading->translation : QString());
    m_translation->setToolTip(m_translation->text());
    m_muted->setHeads(reading && reading->muted ? m_session.mutedHeads() : QStringList(),
                      reading ? reading->trace.get() : nullptr);
    const QStringList unknown = reading ? reading->unknownWords : QStringList();
    m_unknown->setText(unknown.isEmpty() ? QString() : tr("unknown: %1").arg(unknown.join(QStringLiteral(", "))));
    m_unknown->setToolTip(
        unknown.isEmpty() ? QString() : tr("The model has never seen these words, and reads <unk> in their place."));
}

}  // namespace headlight
