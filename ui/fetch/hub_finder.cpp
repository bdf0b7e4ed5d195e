// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/hub_finder.h"

#include <QUrl>
#include <algorithm>
#include <utility>

#include "core/error.h"

namespace headlight {

namespace {

constexpr int kMostFound = 100;  ///< that a hub is asked for
constexpr size_t kMostShown = 8;
constexpr size_t kAtOnce = 3;            ///< models that are asked about at a time
constexpr qint64 kMostListed = 8 << 20;  ///< bytes

bool isComing(const HubFetch& entry) {
    return entry.state() == HubFetch::State::Fetching || entry.state() == HubFetch::State::Checking;
}

}  // namespace

HubFinder::HubFinder(HubPlace place, QObject* parent)
    : QObject(parent), m_place(std::move(place)), m_download(nullptr, m_place.limits) {
    connect(&m_download, &Download::came, this, &HubFinder::came);
    connect(&m_download, &Download::failed, this, &HubFinder::fail);
}

HubFinder::~HubFinder() = default;

void HubFinder::find(const QString& words) {
    stop();
    m_words = words.trimmed();
    m_failure.clear();
    std::erase_if(m_entries, [](const auto& entry) { return !isComing(*entry); });
    m_next = m_entries.size();
    m_found = m_openable = 0;
    if (m_words.isEmpty()) return emit changed();
    if (const QString why = m_place.whyNotAsked(); !why.isEmpty()) return fail(why);
    const QString wanted = QString::fromStdString(modelNameFrom(m_words.toStdString()).name);
    m_download.setFile({.url = m_place.url(QStringLiteral("/api/models?search=%1&limit=%2&sort=downloads&direction=-1")
                                               .arg(QString::fromLatin1(QUrl::toPercentEncoding(wanted)),
                                                    QString::number(kMostFound))),
                        .largest = kMostListed,
                        .token = m_place.token});
    m_download.start();
    emit changed();
}

std::shared_ptr<HubFetch> HubFinder::make(const QString& name) {
    auto entry = std::make_shared<HubFetch>(name, m_place);
    connect(entry.get(), &HubFetch::changed, this, &HubFinder::lookOn);
    return entry;
}

std::shared_ptr<HubFetch> HubFinder::get(const QString& name) {
    const auto known = std::ranges::find_if(m_entries, [&](const auto& entry) { return entry->name() == name; });
    std::shared_ptr<HubFetch> entry = known == m_entries.end() ? make(name) : *known;
    if (known == m_entries.end()) {
        m_entries.insert(m_entries.begin(), entry);
        ++m_next;
        emit changed();
    }
    entry->start();
    return entry;
}

bool HubFinder::hasMore() const {
    return m_found >= kMostFound;
}

void HubFinder::stop() {
    m_download.stop();
    for (const auto& entry : m_entries)
        if (entry->state() == HubFetch::State::Asking) entry->stop();
    m_next = m_entries.size();
}

void HubFinder::came() {
    try {
        const HubSearch search = hubSearchFromJson(m_download.bytes().toStdString());
        m_found = search.found;
        m_openable = static_cast<int>(search.names.size());
        show(search.names);
    } catch (const Error& error) {
        fail(QString::fromUtf8(error.what()));
    }
}

/// A name that was typed whole is asked about first, whether the search has it or not: with its revision, which the
/// search does not know.
void HubFinder::show(const std::vector<std::string>& names) {
    std::vector<std::string> shown;
    const std::string typed = m_words.toStdString();
    if (isModelName(typed) && typed.find_first_of("/@") != std::string::npos) shown.push_back(typed);
    for (const std::string& name : names)
        if (shown.size() < kMostShown && (shown.empty() || name != shown.front())) shown.push_back(name);
    const size_t coming = m_entries.size();
    for (const std::string& each : shown) {
        const QString name = QString::fromStdString(each);
        const auto isIt = [&](const auto& entry) { return entry->name() == name; };
        if (std::any_of(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(coming), isIt)) continue;
        m_entries.push_back(make(name));
    }
    m_next = coming;
    emit changed();
    lookOn();
}

void HubFinder::lookOn() {
    const auto isAsking = [](const auto& entry) { return entry->state() == HubFetch::State::Asking; };
    while (m_next < m_entries.size() && static_cast<size_t>(std::ranges::count_if(m_entries, isAsking)) < kAtOnce)
        m_entries[m_next++]->look();
}

void HubFinder::fail(const QString& why) {
    m_failure = why;
    emit changed();
}

}  // namespace headlight

#include "moc_hub_finder.cpp"
