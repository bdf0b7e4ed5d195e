// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "ui/fetch/hub_fetch.h"

namespace headlight {

/// Looks for models on a hub by words or by a name, and asks of each what it is, a few at a time. Nothing is asked of a
/// network before find().
class HubFinder : public QObject {
    Q_OBJECT
public:
    explicit HubFinder(HubPlace place, QObject* parent = nullptr);
    ~HubFinder() override;

    /// What is being fetched goes on, before what is found.
    void find(const QString& words);
    /// Brings the model of that name; it stands before what was found.
    std::shared_ptr<HubFetch> get(const QString& name);
    /// Nothing more is asked; what is being fetched goes on.
    void stop();

    const QString& words() const { return m_words; }
    bool isBusy() const { return m_download.isBusy(); }
    /// What happened, and what to do: one line. Empty: nothing went wrong.
    const QString& failure() const { return m_failure; }
    /// Models of any kind that it has by these words.
    int found() const { return m_found; }
    /// It has more than it was asked for.
    bool hasMore() const;
    /// Of them those that Headlight may open; the first few are among entries().
    int openable() const { return m_openable; }
    const std::vector<std::shared_ptr<HubFetch>>& entries() const { return m_entries; }
    const HubPlace& place() const { return m_place; }

signals:
    /// entries() are others, or failure() is.
    void changed();

private:
    void came();
    void show(const std::vector<std::string>& names);
    std::shared_ptr<HubFetch> make(const QString& name);
    void lookOn();
    void fail(const QString& why);

    const HubPlace m_place;
    QString m_words, m_failure;
    int m_found = 0, m_openable = 0;
    Download m_download;
    std::vector<std::shared_ptr<HubFetch>> m_entries;
    size_t m_next = 0;  ///< the first that was not asked about
};

}  // namespace headlight
