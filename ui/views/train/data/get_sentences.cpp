// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/get_sentences.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/session/format/byte_count.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/progress_line.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

SentenceSetRow::SentenceSetRow(SentenceSet set, const FetchLimits& limits, QWidget* parent)
    : QWidget(parent),
      m_fetch(new SentenceFetch(std::move(set), this, limits)),
      m_button(new Button(Button::Kind::Ghost, {})),
      m_remove(new Button(Button::Kind::Plain, {}, Icon::Cross)),
      m_what(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_progress(new Caption({}, 11, QFont::Normal, Caption::Tone::Secondary)),
      m_failure(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_bar(new ProgressLine(this)) {
    const SentenceSet& of = m_fetch->set();
    auto* name = new Caption(of.name, 13, QFont::DemiBold, Caption::Tone::Main);
    for (QLabel* each : {static_cast<QLabel*>(name), m_what})
        each->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    QString size = formatBytes(of.about);
    m_what->setText(tr("%1, %2").arg(of.what, size.replace(QLatin1String(".0 "), QLatin1String(" "))));
    setToolTip(tr("%1\nFrom %2").arg(of.credit, of.url.host()));
    m_progress->setFont(monoFont(11));
    m_failure->setWordWrap(true);
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (Button* each : {m_button, m_remove})
        each->setHeight(28);

    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(name);
    words->addWidget(m_what);
    words->addWidget(m_progress);
    auto* top = new QHBoxLayout;
    top->setSpacing(4);
    top->addLayout(words, 1);
    top->addWidget(m_remove);
    top->addWidget(m_button);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(14, 9, 10, 9);
    all->setSpacing(6);
    all->addLayout(top);
    all->addWidget(m_bar);
    all->addWidget(m_failure);
    connect(m_button, &Button::clicked, this, &SentenceSetRow::act);
    connect(m_remove, &Button::clicked, m_fetch, &SentenceFetch::remove);
    connect(m_fetch, &SentenceFetch::changed, this, [this] { show(m_fetch->state()); });
    show(m_fetch->state());
}

QLabel* SentenceSetRow::progress() const {
    return m_progress;
}

QLabel* SentenceSetRow::failure() const {
    return m_failure;
}

void SentenceSetRow::act() {
    if (m_fetch->isBusy()) return m_fetch->stop();
    if (m_fetch->state() == SentenceFetch::State::Here) return emit openWanted();
    emit asked();
    m_fetch->start();
}

void SentenceSetRow::show(SentenceFetch::State state) {
    using State = SentenceFetch::State;
    const bool isHere = state == State::Here, isBusy = m_fetch->isBusy(), canGoOn = m_fetch->canGoOn();
    const QString& why = m_fetch->failure();
    const QString label = isBusy          ? tr("Stop")
                          : isHere        ? tr("Open")
                          : canGoOn       ? tr("Go on")
                          : why.isEmpty() ? tr("Get")
                                          : tr("Try again");
    if (m_button->text() != label) {
        m_button->setText(label);
        m_button->setKind(isHere ? Button::Kind::Primary : Button::Kind::Ghost);
        m_button->updateGeometry();
        const QString name = m_fetch->set().name;
        m_button->setAccessibleName(isBusy    ? tr("Stop getting %1").arg(name)
                                    : isHere  ? tr("Open %1").arg(name)
                                    : canGoOn ? tr("Go on getting %1").arg(name)
                                              : tr("Get %1").arg(name));
        m_remove->setToolTip(isHere ? tr("Remove %1 from this computer").arg(name)
                                    : tr("Remove the part of %1 that is here").arg(name));
        m_remove->setAccessibleName(m_remove->toolTip());
    }
    m_remove->setVisible(isHere || canGoOn);
    const QString far = formatBytesOf(m_fetch->received(), m_fetch->total());
    m_progress->setText(state == State::Unpacking            ? tr("unpacking")
                        : isBusy && m_fetch->received() == 0 ? tr("asking %1").arg(m_fetch->set().url.host())
                        : isBusy || canGoOn                  ? far
                                                             : QString());
    m_what->setVisible(m_progress->text().isEmpty());
    m_progress->setVisible(!m_what->isVisibleTo(this));
    m_bar->setVisible(isBusy || canGoOn);
    m_bar->setShare(
        m_fetch->total() > 0 ? static_cast<double>(m_fetch->received()) / static_cast<double>(m_fetch->total()) : 0);
    m_failure->setText(why);
    m_failure->setVisible(!why.isEmpty());
    update();
}

void SentenceSetRow::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    const bool hasFailed = !m_fetch->failure().isEmpty();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), hasFailed ? t.badTint : t.surface, hasFailed ? t.bad : t.line, 8);
}

GetSentences::GetSentences(QWidget* parent) : QWidget(parent), m_list(new QVBoxLayout) {
    const auto words = [](const QString& text) {
        auto* label = new Caption(text, 12, QFont::Normal, Caption::Tone::Secondary);
        label->setWordWrap(true);
        return label;
    };
    m_list->setSpacing(8);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(12);
    all->addWidget(
        words(tr("Free collections, fetched only when you click. Pairs are under CC BY 2.0 FR, books in the "
                 "public domain.")));
    all->addLayout(m_list);
    all->addWidget(
        words(tr("The pairs are by the contributors of Tatoeba (tatoeba.org), selected by manythings.org. The "
                 "books come from Project Gutenberg. Every model that learns from a set names its source.")));
    all->addStretch();
    offer(sentenceSets());
}

void GetSentences::offer(const std::vector<SentenceSet>& sets, const FetchLimits& limits) {
    m_last = nullptr;
    for (SentenceSetRow* row : std::exchange(m_rows, {}))
        delete row;
    for (const SentenceSet& set : sets) {
        auto* row = new SentenceSetRow(set, limits);
        m_rows.push_back(row);
        m_list->addWidget(row);
        const auto open = [this, row] { emit openWanted(row->fetch().path(), row->fetch().set()); };
        connect(row, &SentenceSetRow::openWanted, this, open);
        connect(row, &SentenceSetRow::asked, this, [this, row] { m_last = row; });
        connect(&row->fetch(), &SentenceFetch::fetched, this, [this, row, open] {
            if (m_last == row) open();
        });
    }
    setFolder(m_folder);
}

void GetSentences::setFolder(const QString& folder) {
    m_folder = folder;
    for (const SentenceSetRow* row : m_rows)
        row->fetch().setFolder(folder);
}

/// Another window may have fetched one, or its file may be gone.
void GetSentences::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    for (const SentenceSetRow* row : m_rows)
        row->fetch().refresh();
}

}  // namespace headlight

#include "moc_get_sentences.cpp"
