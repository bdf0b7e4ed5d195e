// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/pairing_note.h"

#include <QFileInfo>
#include <QHBoxLayout>

#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {

QString fileName(const std::string& path) {
    return QFileInfo(QString::fromStdString(path)).fileName();
}

}  // namespace

PairingNote::PairingNote(DataChoice& choice, QWidget* parent)
    : TintedBox(Tone::Now, parent),
      m_choice(choice),
      m_text(new Caption({}, 13, QFont::Normal, Caption::Tone::Main)),
      m_keep(new Button(Button::Kind::Ghost, tr("Keep both"))),
      m_onlyOther(new Button(Button::Kind::Ghost, {})),
      m_undo(new Button(Button::Kind::Plain, tr("Undo"))) {
    m_text->setWordWrap(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(46, 8, 12, 8);
    row->setSpacing(8);
    row->addWidget(m_text, 1);
    for (Button* button : {m_keep, m_onlyOther, m_undo}) {
        button->setHeight(28);
        row->addWidget(button);
    }
    connect(m_keep, &Button::clicked, this, [this] {
        m_source.clear();
        refresh();
    });
    connect(m_onlyOther, &Button::clicked, this,
            [this] { m_choice.setFiles(DataChoice::filesOf({QString::fromStdString(m_other)})); });
    connect(m_undo, &Button::clicked, this, [this] { m_choice.choose(m_before); });
    connect(&choice, &DataChoice::chosen, this, &PairingNote::refresh);
    refresh();
}

CorpusFiles PairingNote::pairWith(const std::string& other) {
    m_choice.applyTo(m_before);
    m_source = m_before.data.files.textFile;
    m_other = other;
    m_text->setText(
        tr("“%1” is read as the translation of “%2”, line by line.").arg(fileName(m_other), fileName(m_source)));
    m_onlyOther->setText(tr("Read only “%1”").arg(fileName(m_other)));
    return {.sourceFile = m_source, .targetFile = m_other};
}

QString PairingNote::text() const {
    return m_text->text();
}

/// Other files than these two were chosen, or in another order: that is decided.
void PairingNote::refresh() {
    const CorpusFiles& files = m_choice.data().files;
    const bool stands = !m_source.empty() && files.sourceFile == m_source && files.targetFile == m_other;
    if (!stands) m_source.clear();
    setVisible(stands);
}

}  // namespace headlight

#include "moc_pairing_note.cpp"
