// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/hub_place.h"

#include <QCoreApplication>

#include "core/import/hub_settings.h"
#include "core/platform/process.h"

namespace headlight {

HubPlace HubPlace::ofThisComputer() {
    return {.endpoint = QString::fromStdString(hubEndpoint()),
            .token = QByteArray::fromStdString(hubToken()),
            .isOffline = hubIsOffline(),
            .cache = QString::fromStdString(hubCacheFolder()),
            .memory = static_cast<qint64>(platform::memoryLimit())};
}

QString HubPlace::whyNotAsked() const {
    if (!isOffline) return {};
    return QCoreApplication::translate(
        "HubPlace", "HF_HUB_OFFLINE is set, so nothing is asked of a network. Unset it and start Headlight again.");
}

}  // namespace headlight
