// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/get_model.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <iostream>
#include <utility>

#include "core/error.h"
#include "core/import/model_cache.h"
#include "core/platform/process.h"
#include "ui/fetch/hub_fetch.h"
#include "ui/session/format/byte_count.h"
#include "ui/session/format/model_names.h"

namespace headlight {

namespace {

/// How far a download is, on one line that is written over; on lines of a file it would say the same a thousand times.
class ProgressLine {
public:
    void show(const HubFetch& fetch) {
        constexpr qint64 pace = 200;
        if (!platform::errorIsTerminal() || (m_since.isValid() && m_since.elapsed() < pace)) return;
        m_since.start();
        std::cerr << "\r\x1b[K" << formatBytesOf(fetch.received(), fetch.total()).toStdString() << std::flush;
        m_isThere = true;
    }
    void clear() {
        if (m_isThere) std::cerr << "\r\x1b[K" << std::flush;
    }

private:
    QElapsedTimer m_since;
    bool m_isThere = false;
};

}  // namespace

int getModel(const std::string& name) {
    if (!isModelName(name)) throw Error(name + " is not a model's name: name one as OWNER/NAME or OWNER/NAME@REVISION");
    HubFetch fetch(QString::fromStdString(name), HubPlace::ofThisComputer());
    ProgressLine line;
    QObject::connect(&fetch, &HubFetch::changed, qApp, [&, hasTold = false]() mutable {
        using State = HubFetch::State;
        if (const bool isKnown = fetch.state() == State::Fetching; isKnown && !std::exchange(hasTold, true))
            std::cerr << fetch.name().toStdString() << ": " << describeOutline(*fetch.outline()).toStdString() << ", "
                      << formatBytes(fetch.total()).toStdString() << "\n";
        if (fetch.state() == State::Fetching) line.show(fetch);
        if (!fetch.isBusy() && !fetch.failure().isEmpty()) QCoreApplication::quit();
    });
    QObject::connect(
        &fetch, &HubFetch::fetched, qApp, [] { QCoreApplication::quit(); }, Qt::QueuedConnection);
    // Once the loop runs: what fails at once ends it as well.
    QMetaObject::invokeMethod(&fetch, &HubFetch::start, Qt::QueuedConnection);
    QCoreApplication::exec();
    line.clear();
    if (!fetch.failure().isEmpty()) throw Error(fetch.failure().toStdString());
    std::cout << fetch.path().toStdString() << "\n";
    return 0;
}

}  // namespace headlight
