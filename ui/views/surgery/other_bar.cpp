// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/surgery/other_bar.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/session/format/one_line.h"
#include "ui/session/trace/attention_block.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"

namespace headlight {

namespace {

constexpr int kBarMargin = 20;
constexpr size_t kHeld = 4;

Caption* small(const QString& text) {
    return new Caption(text, 12, QFont::Medium, Caption::Tone::Secondary);
}

/// Chooses the item, which is added where the list does not have it.
void choose(ComboBox& box, const QString& name, const QVariant& data) {
    const QSignalBlocker quiet(&box);
    int at = box.findData(data);
    if (at < 0) {
        box.addItem(name, data);
        at = box.count() - 1;
    }
    box.setCurrentIndex(at);
}

}  // namespace

OtherBar::OtherBar(SegmentedControl* pieces, QWidget* parent)
    : Panel(Qt::BottomEdge, parent),
      m_sentence(new QLineEdit),
      m_reader(new ComboBox(tr("The model that reads B"))),
      m_heads(new ComboBox(tr("Heads that are off where B is read"))),
      m_second(new QHBoxLayout),
      m_writesName(small(tr("writes"))),
      m_writes(new Caption({}, 14, QFont::Medium, Caption::Tone::Main)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kBarMargin, 8, kBarMargin, 8);
    column->setSpacing(6);
    auto* first = new QHBoxLayout;
    first->setSpacing(10);
    m_sentence->setAccessibleName(tr("B, the sentence that pieces are taken from"));
    m_sentence->setPlaceholderText(tr("another sentence"));
    m_sentence->setMinimumWidth(160);
    first->addWidget(new Caption(tr("B"), 15, QFont::Bold, Caption::Tone::Main));
    first->addWidget(m_sentence, 1);
    first->addWidget(small(tr("Move a")));
    first->addWidget(pieces);
    column->addLayout(first);
    m_second->setSpacing(10);
    m_second->addWidget(small(tr("read by")));
    m_second->addWidget(m_reader);
    m_second->addWidget(m_heads);
    m_second->addWidget(m_writesName);
    m_writes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_second->addWidget(m_writes, 1);
    m_second->addStretch();
    column->addLayout(m_second);
    m_reader->setMaximumWidth(180);
    m_heads->setMaximumWidth(300);
    showReader();
    showHeads();
    connect(m_sentence, &QLineEdit::returnPressed, this, [this] {
        choose({m_sentence->text().trimmed(), m_wanted.reader, m_wanted.without});
    });
    connect(m_reader, &ComboBox::activated, this, [this] {
        choose({m_wanted.sentence, m_reader->currentData().toString(), m_wanted.without});
    });
    connect(m_heads, &ComboBox::activated, this, [this] {
        choose({m_wanted.sentence, m_wanted.reader, m_heads->currentData().toStringList()});
    });
}

void OtherBar::choose(const Wanted& wanted) {
    setWanted(wanted);
    emit changed();
}

void OtherBar::setWanted(const Wanted& wanted) {
    m_wanted = wanted;
    showReader();
    showHeads();
}

void OtherBar::setReaders(const QFileInfoList& files) {
    m_reader->clear();
    for (const QFileInfo& file : files)
        m_reader->addItem(file.completeBaseName(), file.filePath());
    for (const KeptModel& kept : m_held)
        m_reader->addItem(kept.name, kept.key);
    showReader();
    layout()->activate();  // what has settled may be drawn before another round of events
}

void OtherBar::hold(const KeptModel& model) {
    std::erase_if(m_held, [&](const KeptModel& kept) { return kept.key == model.key; });
    m_held.push_back(model);
    if (m_held.size() > kHeld) m_held.erase(m_held.begin());
    const int there = m_reader->findData(model.key);
    if (there >= 0)
        m_reader->setItemText(there, model.name);
    else
        m_reader->addItem(model.name, model.key);
}

std::shared_ptr<const TrainedModel> OtherBar::held(const QString& key) const {
    const auto found = std::ranges::find(m_held, key, &KeptModel::key);
    return found == m_held.end() ? nullptr : found->model;
}

void OtherBar::showReader() {
    if (m_reader->findData(QString()) < 0) m_reader->insertItem(0, tr("the same model"), QString());
    headlight::choose(*m_reader, QFileInfo(m_wanted.reader).completeBaseName(), m_wanted.reader);
}

void OtherBar::showHeads() {
    if (m_heads->findData(QStringList()) < 0) m_heads->insertItem(0, tr("with all heads"), QStringList());
    headlight::choose(*m_heads, tr("without %n head(s)", nullptr, static_cast<int>(m_wanted.without.size())),
                      m_wanted.without);
}

void OtherBar::showWritten() {
    const QString& words = m_writes->text();
    const int name = m_writesName->isHidden() ? m_second->spacing() + m_writesName->sizeHint().width() : 0;
    const double wide = paint::textWidth(words, m_writes->font()) + m_second->spacing();
    const bool fits = !words.isEmpty() && wantedWidth(*m_second) + name + wide <= width() - 2 * kBarMargin;
    m_writesName->setVisible(fits);
    m_writes->setVisible(fits);
}

void OtherBar::resizeEvent(QResizeEvent* event) {
    showWritten();
    Panel::resizeEvent(event);
}

void OtherBar::setPicture(const SurgeryPicture* picture) {
    if (!picture) {
        m_writes->clear();
        return showWritten();
    }
    if (!m_sentence->hasFocus() || m_sentence->text().trimmed() != picture->b()) {
        m_sentence->setText(picture->b());
        m_sentence->setCursorPosition(0);  // a long one is read from its beginning
    }
    m_writesName->setText(picture->namesLabel() ? tr("is") : picture->fillsIn() ? tr("filled in") : tr("writes"));
    m_writes->setText(onOneLine(picture->textOfB()));
    const QSignalBlocker quiet(m_heads);
    m_heads->clear();
    const std::vector<AttentionBlock> blocks = attentionBlocks(picture->patching().a());
    for (const AttentionBlock& block : blocks) {
        QStringList all;
        for (int head = 0; head < block.heads; ++head)
            all << headName(block.scope, head);
        QString name = blockTitle(block);
        name[0] = name[0].toLower();
        if (block.heads > 1) m_heads->addItem(tr("without %1").arg(name), all);
        for (int head = 0; head < block.heads; ++head)
            m_heads->addItem(
                block.heads > 1 ? tr("without %1, head %2").arg(name).arg(head + 1) : tr("without %1").arg(name),
                QStringList(all[head]));
    }
    m_heads->setVisible(!blocks.empty());
    showHeads();
    showWritten();
}

}  // namespace headlight

#include "moc_other_bar.cpp"
