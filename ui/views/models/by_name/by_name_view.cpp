// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/by_name/by_name_view.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/import/import_model.h"
#include "ui/session/format/byte_count.h"
#include "ui/session/format/model_names.h"
#include "ui/views/models/by_name/first_models.h"
#include "ui/views/models/by_name/model_row.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"

namespace headlight {

namespace {

constexpr qsizetype kMostLocal = 30;  ///< that are listed; words find the others

/// "fits: 0.3 GB of 24 GB".
void tellMemory(const ModelOutline& outline, qint64 memory, ModelRow::Facts& facts) {
    const bool fits = outline.memory <= memory;
    facts.fit = fits ? ModelRow::Fit::Fits : ModelRow::Fit::TooLarge;
    facts.memory = (fits ? ByNameView::tr("fits: %1") : ByNameView::tr("too large: %1"))
                       .arg(ByNameView::tr("%1 of %2").arg(formatBytes(outline.memory), formatBytes(memory)));
}

/// "102 of 166 MB, 9 s left"
QString progressOf(const HubFetch& fetch) {
    if (fetch.state() == HubFetch::State::Checking) return ByNameView::tr("checking");
    QString far = formatBytesOf(fetch.received(), fetch.total());
    const std::optional<int> seconds = fetch.secondsLeft();
    constexpr int aMinute = 60, manySeconds = 100;
    if (!seconds) return far;
    return *seconds < manySeconds ? ByNameView::tr("%1, %2 s left").arg(far).arg(*seconds)
                                  : ByNameView::tr("%1, %2 min left").arg(far).arg((*seconds + aMinute / 2) / aMinute);
}

}  // namespace

ByNameView::ByNameView(QWidget* parent)
    : ViewWidget(parent),
      m_input(new QLineEdit),
      m_ask(new Button(Button::Kind::Ghost, tr("Ask the hub"))),
      m_column(nullptr),
      m_localList(nullptr),
      m_hubList(nullptr),
      m_first(new FirstModels) {
    auto* page = new QWidget;
    m_column = new QVBoxLayout(page);
    m_column->setContentsMargins(20, 20, 20, 20);
    m_column->setSpacing(24);
    m_localList = addSection(tr("Already on this computer"), m_localCaption, m_localSection);
    m_localCaption->setText(tr("from the cache of Hugging Face's programs"));
    m_hubList = addSection(tr("On the hub"), m_hubCaption, m_hubSection);
    QLabel* caption = nullptr;
    QWidget* section = nullptr;
    addSection(tr("Good first models"), caption, section)->addWidget(m_first);
    caption->setText(tr("small ones of each kind, their sizes as their publishers give them"));
    auto* note =
        new Caption(tr("Files are kept where other programs keep theirs, so each is fetched once. What broke off "
                       "goes on. Each file is checked against the hub's own checksum before it is opened."),
                    12, QFont::Normal, Caption::Tone::Secondary);
    note->setWordWrap(true);
    m_column->addWidget(note);
    m_column->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(makeBar());
    all->addWidget(scrolling(page), 1);
    connect(m_input, &QLineEdit::textEdited, this, [this] {
        showLocal();
        emit optionsChanged();
    });
    connect(m_input, &QLineEdit::returnPressed, this, &ByNameView::ask);
    connect(m_ask, &Button::clicked, this, &ByNameView::ask);
    connect(m_first, &FirstModels::wanted, this, &ByNameView::get);
    setPlace(HubPlace::ofThisComputer());
}

ByNameView::~ByNameView() = default;

QWidget* ByNameView::makeBar() {
    auto* bar = new Panel(Qt::BottomEdge);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(20, 14, 20, 14);
    row->setSpacing(12);
    // The sheet says how low a field may be, not how tall.
    m_input->setFixedHeight(44);
    m_input->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    QFont font = m_input->font();
    font.setPixelSize(17);
    m_input->setFont(font);
    m_input->setPlaceholderText(tr("A name, or words"));
    m_input->setAccessibleName(tr("A model's name, or words to find one by"));
    m_input->setClearButtonEnabled(true);
    m_ask->setToolTip(tr("Looks for models on the hub (Enter)"));
    auto* hint =
        new Caption(tr("Hugging Face names, for instance <b>gpt2</b> or <b>Helsinki-NLP/opus-mt-en-fr</b>. Only "
                       "weights and tokenizers are fetched; nothing that can run."),
                    12, QFont::Normal, Caption::Tone::Secondary);
    hint->setTextFormat(Qt::RichText);
    hint->setWordWrap(true);
    row->addWidget(m_input, 1);
    row->addWidget(m_ask);
    row->addWidget(hint, 1);
    return bar;
}

QVBoxLayout* ByNameView::addSection(const QString& title, QLabel*& caption, QWidget*& section) {
    section = new QWidget;
    auto* rows = new QVBoxLayout(section);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(new Caption(title, 15, QFont::DemiBold, Caption::Tone::Main));
    caption = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    caption->setWordWrap(true);
    head->addWidget(caption, 1);
    rows->addLayout(head);
    m_column->addWidget(section);
    return rows;
}

void ByNameView::setPlace(const HubPlace& place) {
    m_finder = std::make_unique<HubFinder>(place);
    connect(m_finder.get(), &HubFinder::changed, this, &ByNameView::showFound);
    showFound();
    if (isVisible()) readCache();
}

void ByNameView::showOptions(const StageState& state) {
    const QString words = QString::fromStdString(state.byName.words);
    if (words == m_input->text()) return;
    m_input->setText(words);
    showLocal();
}

void ByNameView::tellOptions(StageState& state) const {
    state.byName.words = m_input->text().toStdString();
}

void ByNameView::suggest(const QString& name) {
    m_input->setText(name);
    m_input->setFocus();
    showLocal();
    emit optionsChanged();
}

std::vector<ModelRow*> ByNameView::localRows() const {
    std::vector<ModelRow*> rows;
    for (const auto& [model, row] : m_localRows)
        rows.push_back(row);
    return rows;
}

QString ByNameView::found() const {
    return m_hubCaption->text();
}

void ByNameView::ask() {
    if (m_input->text().trimmed().isEmpty()) return m_input->setFocus();
    m_finder->find(m_input->text());
}

/// One of the models to begin with: its row stands among what was found, and it comes at once.
void ByNameView::get(const QString& name) {
    m_input->setText(name);
    emit optionsChanged();
    showLocal();
    m_last = m_finder->get(name);
}

void ByNameView::showEvent(QShowEvent* event) {
    ViewWidget::showEvent(event);
    readCache();
}

/// Another program may have fetched some, or taken some away.
void ByNameView::readCache() {
    m_reads.ask<std::vector<LocalModel>>([](const Background::Wanted& wanted) { return readLocal(wanted); },
                                         [this](std::vector<LocalModel> models) {
                                             m_local = std::move(models);
                                             showLocal();
                                         },
                                         [](const QString&) {});
}

std::vector<ByNameView::LocalModel> ByNameView::readLocal(const Background::Wanted& wanted) {
    std::vector<LocalModel> all;
    for (const std::string& name : cachedModels()) {
        if (!wanted()) break;
        LocalModel model{.name = QString::fromStdString(name), .path = {}};
        try {
            model.path = QString::fromStdString(cachedModel(name));
            model.outline = outlineOf(readCardOf(model.path.toStdString()));
            for (const QFileInfo& file : QDir(model.path).entryInfoList(QDir::Files))
                model.bytes += file.size();
        } catch (const std::exception& error) {
            model.trouble = QString::fromUtf8(error.what());
        }
        all.push_back(std::move(model));
    }
    return all;
}

void ByNameView::showLocal() {
    for (const auto& [model, row] : std::exchange(m_localRows, {}))
        row->deleteLater();
    const QString words = m_input->text().trimmed().section(u'@', 0, 0);
    for (const LocalModel& model : m_local) {
        if (!model.name.contains(words, Qt::CaseInsensitive)) continue;
        if (static_cast<qsizetype>(m_localRows.size()) == kMostLocal) break;
        ModelRow::Facts facts{
            .name = model.name, .what = {}, .size = {}, .memory = {}, .action = {}, .actionName = {}, .progress = {}};
        facts.trouble = model.trouble;
        if (model.trouble.isEmpty()) {
            facts.what = describeOutline(model.outline);
            facts.size = formatBytes(model.bytes);
            tellMemory(model.outline, m_finder->place().memory, facts);
            facts.action = tr("Open");
            facts.actionName = tr("Open %1").arg(model.name);
            facts.isMain = m_localRows.empty();
        }
        auto* row = new ModelRow(ModelRow::Comes::No);
        row->show(facts);
        m_localList->addWidget(row);
        m_localRows.emplace_back(&model, row);
        connect(row, &ModelRow::acted, this, [this, path = model.path] { emit openWanted(path); });
    }
    m_localSection->setVisible(!m_localRows.empty());
}

void ByNameView::showFound() {
    for (ModelRow* row : std::exchange(m_hubRows, {}))
        row->deleteLater();
    const QString& words = m_finder->words();
    m_hubCaption->setText(whatWasFound());
    m_hubSection->setVisible(!words.isEmpty() || !m_finder->entries().empty());
    for (const std::shared_ptr<HubFetch>& fetch : m_finder->entries())
        follow(fetch);
}

QString ByNameView::whatWasFound() const {
    const QString host = m_finder->place().host();
    if (!m_finder->failure().isEmpty()) return m_finder->failure();
    if (m_finder->isBusy()) return tr("asking %1").arg(host);
    const int found = m_finder->found();
    if (found == 0)
        return m_finder->entries().empty() ? tr("%1 knows no model by “%2”").arg(host, m_finder->words()) : host;
    return tr("%1 of %2 that %3 knows by “%4” may be opened")
        .arg(QString::number(m_finder->openable()),
             m_finder->hasMore() ? tr("%1 or more").arg(found) : QString::number(found), host, m_finder->words());
}

void ByNameView::follow(const std::shared_ptr<HubFetch>& fetch) {
    auto* row = new ModelRow(ModelRow::Comes::Yes);
    HubFetch* const of = fetch.get();
    m_hubList->addWidget(row);
    m_hubRows.push_back(row);
    show(*of, *row);
    connect(of, &HubFetch::changed, row, [this, of, row] { show(*of, *row); });
    connect(of, &HubFetch::fetched, row, [this, of](const QString& path) {
        readCache();
        if (m_last.lock().get() == of) emit openWanted(path);
    });
    connect(row, &ModelRow::acted, this, [this, weak = std::weak_ptr(fetch)] {
        if (const std::shared_ptr<HubFetch> held = weak.lock()) {
            if (held->state() == HubFetch::State::Known) m_last = held;
            act(*held);
        }
    });
}

void ByNameView::show(const HubFetch& fetch, ModelRow& row) const {
    using State = HubFetch::State;
    const State state = fetch.state();
    ModelRow::Facts facts{
        .name = fetch.name(), .what = {}, .size = {}, .memory = {}, .action = {}, .actionName = {}, .progress = {}};
    // That it cannot be opened is what it is, and nothing that went wrong.
    (fetch.isUnfit() ? facts.what : facts.trouble) = fetch.failure();
    if (state == State::Asking) facts.what = tr("asking %1 what it is").arg(fetch.place().host());
    if (fetch.outline()) {
        facts.what = describeOutline(*fetch.outline());
        facts.size = formatBytes(fetch.total());
        tellMemory(*fetch.outline(), fetch.place().memory, facts);
    }
    const bool isComing = state == State::Fetching || state == State::Checking;
    if (isComing || (fetch.canGoOn() && fetch.total() > 0)) {
        facts.share = static_cast<double>(fetch.received()) / static_cast<double>(std::max<qint64>(fetch.total(), 1));
        facts.progress = progressOf(fetch);
    }
    const auto offer = [&](const QString& action, const QString& name) {
        facts.action = action;
        facts.actionName = name.arg(fetch.name());
    };
    if (fetch.isBusy())
        offer(tr("Stop"), tr("Stop getting %1"));
    else if (state == State::Here)
        offer(tr("Open"), tr("Open %1"));
    else if (state == State::Known && fetch.isTooLarge())
        offer(tr("Why?"), tr("Why %1 is too large"));
    else if (state == State::Known && fetch.canGoOn())
        offer(tr("Go on"), tr("Go on getting %1"));
    else if (state == State::Known)
        offer(fetch.failure().isEmpty() ? tr("Get") : tr("Try again"), tr("Get %1"));
    else if (!fetch.failure().isEmpty() && !fetch.isUnfit())
        offer(tr("Try again"), tr("Ask again about %1"));
    facts.isMain = state == State::Here;
    row.show(facts);
}

void ByNameView::act(HubFetch& fetch) {
    if (fetch.isBusy()) return fetch.stop();
    if (fetch.state() == HubFetch::State::Here) return emit openWanted(fetch.path());
    if (fetch.state() == HubFetch::State::Unknown) return fetch.look();
    fetch.start();
}

}  // namespace headlight

#include "moc_by_name_view.cpp"
