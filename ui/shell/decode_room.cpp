// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/decode_room.h"

#include <QVBoxLayout>

#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/views/decode_view.h"

namespace headlight {

DecodeRoom::DecodeRoom(Workbench& workbench, QWidget* parent)
    : QWidget(parent), m_workbench(workbench), m_view(new DecodeView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new SentenceBar(workbench.session, this));
    column->addWidget(m_view, 1);
    Decoding& decoding = workbench.decoding;
    connect(&decoding, &Decoding::changed, this, &DecodeRoom::showResult);
    connect(&decoding, &Decoding::nextWordsFound, m_view, &DecodeView::setNextWords);
    connect(m_view, &DecodeView::beamChanged, &decoding, &Decoding::setBeam);
    connect(m_view, &DecodeView::maxLengthChanged, &decoding, &Decoding::setMaxLength);
    connect(m_view, &DecodeView::penaltyChanged, &decoding, &Decoding::setPenalty);
    connect(m_view, &DecodeView::prefixWanted, &decoding, &Decoding::setPrefix);
    connect(m_view, &DecodeView::nextWordsWanted, &decoding, &Decoding::askNextWords);
    showResult();
}

void DecodeRoom::showResult() {
    const auto& model = m_workbench.session.model();
    const bool translates = model && model->network->config().encoderDecoder();
    m_view->setResult(m_workbench.decoding.result(),
                      !model ? tr("No model is open: open one in the room Models.")
                      : !translates
                          ? tr("This model does not translate: there is no search to show. Open a translator.")
                          : tr("Type a sentence to search for its translation."));
}

}  // namespace headlight
