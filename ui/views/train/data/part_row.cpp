// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/part_row.h"

#include <QDropEvent>
#include <QHBoxLayout>
#include <QMimeData>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kHeight = 22;

}  // namespace

QStringList localFiles(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    return paths;
}

PartRow::PartRow(const QString& name, const QString& role, const QString& tip, Files files, QWidget* parent)
    : QWidget(parent),
      m_roleText(role),
      m_tip(tip),
      m_role(new Caption(role, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_count(new Caption({}, 12, QFont::Medium, Caption::Tone::Main)) {
    auto* title = new Caption(name, 12, QFont::DemiBold, Caption::Tone::Main);
    title->setFixedWidth(70);
    m_count->setFont(monoFont(12, QFont::Medium));
    m_role->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(title);
    row->addWidget(m_role, 1);
    row->addWidget(m_count);
    setFixedHeight(kHeight);
    m_role->setToolTip(m_tip);
    if (files == Files::Fixed) return;
    setAcceptDrops(true);
    m_button = new Button(Button::Kind::Plain, {});
    m_button->setHeight(kHeight);
    row->addWidget(m_button);
    connect(m_button, &Button::clicked, this, [this] {
        if (m_hasFiles)
            emit filesRemoved();
        else
            emit filesWanted();
    });
    setPart({}, {});
}

QLabel* PartRow::count() const {
    return m_count;
}

QLabel* PartRow::role() const {
    return m_role;
}

void PartRow::setPart(const QString& count, const QString& files) {
    m_hasFiles = !files.isEmpty();
    m_count->setText(count);
    m_role->setText(m_hasFiles ? files : m_roleText);
    m_role->setToolTip(m_hasFiles ? files : m_tip);
    if (!m_button) return;
    m_button->setText(m_hasFiles ? QString() : tr("Open…"));
    m_button->setIcon(m_hasFiles ? Icon::Cross : Icon::None);
    const QString tip = m_hasFiles ? tr("Take %1 away: some are set aside again").arg(files)
                                   : tr("Files of your own for it, chosen or dropped here, in place of some that are "
                                        "set aside");
    m_button->setToolTip(tip);
    m_button->setAccessibleName(tip);
    m_button->updateGeometry();
}

void PartRow::dragEnterEvent(QDragEnterEvent* event) {
    const qsizetype files = localFiles(event->mimeData()).size();
    if (files == 1 || files == 2) event->acceptProposedAction();
}

void PartRow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    emit filesDropped(localFiles(event->mimeData()));
}

}  // namespace headlight

#include "moc_part_row.cpp"
