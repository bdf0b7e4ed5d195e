// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/decode_room.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/data/translate.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/decode/next_word_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"

namespace headlight {

DecodeRoom::DecodeRoom(Workbench& workbench, QWidget* parent)
    : ViewRoom(workbench, parent),
      m_search(new QStackedWidget(this)),
      m_view(new DecodeView(this)),
      m_nextWord(new NextWordView(this)),
      m_forcing(new ForcingView(this)),
      m_bleu(new BleuView(this)),
      m_choice(new Panel(Qt::BottomEdge)),
      m_pageChoice(new SegmentedControl({tr("Search"), tr("Next word")})) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new SentenceBar(workbench.session, workbench.kept, this));
    column->addWidget(makeChoice());
    column->addWidget(m_pages, 1);
    m_search->addWidget(m_view);
    m_search->addWidget(m_nextWord);
    addView(ViewName::Decode, m_search, {m_view, m_nextWord});
    addView(ViewName::Forcing, m_forcing);
    addView(ViewName::Bleu, m_bleu);
    Decoding& decoding = workbench.decoding;
    connect(&decoding, &Decoding::changed, this, &DecodeRoom::showResult);
    connect(&decoding, &Decoding::settingsChanged, this, [this] {
        QStringList leftOut;
        if (const auto& model = m_workbench.session.model())
            for (const std::string& setting : searchLeftOut(*model))
                leftOut << QString::fromStdString(setting);
        m_view->setSettings(m_workbench.decoding.settings(), m_workbench.decoding.own(), leftOut);
    });
    connect(m_view, &DecodeView::ownSearchWanted, &decoding, &Decoding::searchAsOwn);
    connect(&decoding, &Decoding::nextWordsFound, m_view, &DecodeView::setNextWords);
    connect(m_view, &DecodeView::beamChanged, &decoding, &Decoding::setBeam);
    connect(m_view, &DecodeView::maxLengthChanged, &decoding, &Decoding::setMaxLength);
    connect(m_view, &DecodeView::penaltyChanged, &decoding, &Decoding::setPenalty);
    connect(m_view, &DecodeView::prefixWanted, &decoding, &Decoding::setPrefix);
    connect(m_view, &DecodeView::nextWordsWanted, &decoding, &Decoding::askNextWords);
    connect(m_view, &DecodeView::allHeadsOnWanted, this, [this] { m_workbench.session.setMutedHeads({}); });
    connect(m_nextWord, &NextWordView::wordChosen, this, &DecodeRoom::append);
    connect(m_forcing, &ForcingView::sourceWanted, &workbench.session, &Session::setSource);
    connect(m_bleu, &BleuView::sourceWanted, &workbench.session, &Session::setSource);
    connect(m_forcing, &ForcingView::targetWanted, &workbench.session, &Session::setTarget);
    connect(m_forcing, &ForcingView::runWanted, this, &DecodeRoom::openKeepingSentence);
    connect(&workbench.session, &Session::readingChanged, this, [this] {
        if (currentView() != ViewName::Decode || m_nextWord->isAskedOfTranslators()) showResult();
    });
    showResult();
}

/// Another model reads the example of its task; here the sentence is to be the same.
void DecodeRoom::openKeepingSentence(const QString& model) {
    Session& session = m_workbench.session;
    const QString file = shippedModel(model), source = session.source();
    if (file.isEmpty()) return;
    const auto keep = [&session, model, source] {
        if (session.modelName() == model) session.setSource(source);
    };
    connect(&session, &Session::modelOpened, this, keep, Qt::SingleShotConnection);
    session.openModel(file);
}

QWidget* DecodeRoom::makeChoice() {
    m_choice->setHoldsControls();
    auto* row = new QHBoxLayout(m_choice);
    row->setContentsMargins(20, 6, 20, 6);
    m_pageChoice->setAccessibleName(tr("What is shown of the translation"));
    m_pageChoice->setToolTip(tr("The search as a tree, or what the decoder makes of each next word"));
    row->addWidget(m_pageChoice);
    row->addStretch();
    connect(m_pageChoice, &SegmentedControl::currentChanged, this, [this](int page) {
        m_nextWord->askOfTranslators(page == 1);
        emit optionsChanged();
    });
    connect(m_nextWord, &NextWordView::askedOfTranslatorsChanged, this, &DecodeRoom::showResult);
    return m_choice;
}

QWidget* DecodeRoom::viewWidget() {
    return currentView() == ViewName::Decode ? m_search->currentWidget() : m_pages->currentWidget();
}

void DecodeRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_workbench.decoding.setWatched(true);
}

void DecodeRoom::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_workbench.decoding.setWatched(false);
}

/// Of a text it is its next word; of a translation the search is to go on from there.
void DecodeRoom::append(int word) {
    Session& session = m_workbench.session;
    if (session.model()->network->config().continuesTexts()) {
        const std::string text = session.source().trimmed().toStdString();
        return session.setSource(QString::fromStdString(continued(*session.model(), text, word)));
    }
    const std::vector<int> read = positionIds(*session.reading()->trace);
    std::vector<int> words(read.begin() + 1, read.begin() + 1 + m_nextWord->position());
    words.push_back(word);
    m_workbench.decoding.setPrefix(words);
    m_nextWord->askOfTranslators(false);
    emit optionsChanged();
}

void DecodeRoom::showResult() {
    if (currentView() == ViewName::Decode) return showSearch();
    m_choice->hide();
    const Session& session = m_workbench.session;
    if (currentView() == ViewName::Forcing)
        return m_forcing->setReading(session.model(), session.reading(), session.modelName(), session.mutedHeads());
    m_bleu->setReading(session.model(), session.reading(), session.mutedHeads());
}

void DecodeRoom::showSearch() {
    const auto& model = m_workbench.session.model();
    const auto& reading = m_workbench.session.reading();
    const bool goesOn = model && reading && model->network->config().continuesTexts();
    const bool translates = model && model->network->config().encoderDecoder();
    const bool asks = translates && m_nextWord->isAskedOfTranslators();
    m_choice->setVisible(translates);
    const QSignalBlocker quiet(m_pageChoice);
    m_pageChoice->setCurrentIndex(asks ? 1 : 0);
    const bool river = goesOn || (asks && reading);
    m_search->setCurrentWidget(river ? static_cast<QWidget*>(m_nextWord) : m_view);
    if (river && m_shown != reading->trace) m_nextWord->setReading(model, reading->trace);
    m_shown = river ? reading->trace : nullptr;
    if (goesOn) return;
    m_view->setMuted(m_workbench.session.mutedHeads());
    m_view->setResult(m_workbench.decoding.result(),
                      !model ? tr("No model is open: open one in the room Models.")
                      : !translates
                          ? tr("This model does not translate: there is no search to show. Open a translator.")
                          : tr("Type a sentence to search for its translation."));
}

}  // namespace headlight

#include "moc_decode_room.cpp"
