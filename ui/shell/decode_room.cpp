// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/decode_room.h"

#include <QVBoxLayout>

#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/decode/next_word_view.h"

namespace headlight {

DecodeRoom::DecodeRoom(Workbench& workbench, QWidget* parent)
    : Room(parent),
      m_workbench(workbench),
      m_pages(new QStackedWidget(this)),
      m_view(new DecodeView(this)),
      m_nextWord(new NextWordView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new SentenceBar(workbench.session, this));
    m_pages->addWidget(m_view);
    m_pages->addWidget(m_nextWord);
    column->addWidget(m_pages, 1);
    Decoding& decoding = workbench.decoding;
    connect(&decoding, &Decoding::changed, this, &DecodeRoom::showResult);
    connect(&decoding, &Decoding::settingsChanged, this,
            [this] { m_view->setSettings(m_workbench.decoding.settings()); });
    connect(&decoding, &Decoding::nextWordsFound, m_view, &DecodeView::setNextWords);
    connect(m_view, &DecodeView::beamChanged, &decoding, &Decoding::setBeam);
    connect(m_view, &DecodeView::maxLengthChanged, &decoding, &Decoding::setMaxLength);
    connect(m_view, &DecodeView::penaltyChanged, &decoding, &Decoding::setPenalty);
    connect(m_view, &DecodeView::prefixWanted, &decoding, &Decoding::setPrefix);
    connect(m_view, &DecodeView::nextWordsWanted, &decoding, &Decoding::askNextWords);
    connect(m_view, &DecodeView::allHeadsOnWanted, this, [this] { m_workbench.session.setMutedHeads({}); });
    connect(m_nextWord, &NextWordView::wordChosen, this, &DecodeRoom::append);
    follow(m_view);
    follow(m_nextWord);
    showResult();
}

std::vector<Room::View> DecodeRoom::views() const {
    return {{ViewName::Decode, tr("Decode")}};
}

std::vector<Staged*> DecodeRoom::staged() {
    return {m_view, m_nextWord};
}

void DecodeRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_workbench.decoding.setWatched(true);
}

void DecodeRoom::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_workbench.decoding.setWatched(false);
}

void DecodeRoom::append(int word) {
    Session& session = m_workbench.session;
    const std::string text = session.source().trimmed().toStdString();
    session.setSource(QString::fromStdString(continued(*session.model(), text, word)));
}

void DecodeRoom::showResult() {
    const auto& model = m_workbench.session.model();
    const auto& reading = m_workbench.session.reading();
    const bool goesOn = model && reading && model->network->config().corpusKind() == CorpusKind::Text &&
                        !model->network->config().masked();
    m_pages->setCurrentWidget(goesOn ? static_cast<QWidget*>(m_nextWord) : m_view);
    if (goesOn) return m_nextWord->setReading(model, reading->trace);
    m_view->setMuted(m_workbench.session.mutedHeads());
    const bool translates = model && model->network->config().encoderDecoder();
    m_view->setResult(m_workbench.decoding.result(),
                      !model ? tr("No model is open: open one in the room Models.")
                      : !translates
                          ? tr("This model does not translate: there is no search to show. Open a translator.")
                          : tr("Type a sentence to search for its translation."));
}

}  // namespace headlight
