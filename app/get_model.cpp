// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/get_model.h"

#include <QCoreApplication>
#include <iostream>
#include <optional>
#include <utility>

#include "app/progress.h"
#include "core/error.h"
#include "core/import/model_cache.h"
#include "ui/fetch/hub_fetch.h"
#include "ui/session/format/byte_count.h"
#include "ui/session/format/model_names.h"

namespace headlight {

int getModel(const std::string& name) {
    if (!isModelName(name)) throw Error(name + " is not a model's name: name one as OWNER/NAME or OWNER/NAME@REVISION");
    HubFetch fetch(QString::fromStdString(name), HubPlace::ofThisComputer());
    std::optional<Progress> line(name);
    QObject::connect(&fetch, &HubFetch::changed, qApp, [&, hasTold = false]() mutable {
        using State = HubFetch::State;
        if (const bool isKnown = fetch.state() == State::Fetching; isKnown && !std::exchange(hasTold, true))
            std::cerr << fetch.name().toStdString() << ": " << describeOutline(*fetch.outline()).toStdString() << ", "
                      << formatBytes(fetch.total()).toStdString() << "\n";
        if (fetch.state() == State::Fetching && fetch.total() > 0)
            line->show(static_cast<double>(fetch.received()) / static_cast<double>(fetch.total()),
                       formatBytesOf(fetch.received(), fetch.total()).toStdString());
        if (!fetch.isBusy() && !fetch.failure().isEmpty()) QCoreApplication::quit();
    });
    QObject::connect(
        &fetch, &HubFetch::fetched, qApp, [] { QCoreApplication::quit(); }, Qt::QueuedConnection);
    // Once the loop runs: what fails at once ends it as well.
    QMetaObject::invokeMethod(&fetch, &HubFetch::start, Qt::QueuedConnection);
    QCoreApplication::exec();
    line.reset();  // what follows stands alone
    if (!fetch.failure().isEmpty()) throw Error(fetch.failure().toStdString());
    std::cout << fetch.path().toStdString() << "\n";
    return 0;
}

}  // namespace headlight
