// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QUrl>

#include "ui/fetch/download.h"

namespace headlight {

/// A hub of models, who asks it, and what this computer can keep of it.
struct HubPlace {
    QString endpoint;  ///< without a slash at its end
    QByteArray token = {};
    bool isOffline = false;  ///< nothing is to be asked of it
    QString cache = {};      ///< folder of Hugging Face's programs; empty: none is known
    qint64 memory = 0;       ///< bytes that a model may take
    DownloadLimits limits = {};

    /// As the variables of these programs say (core/import/hub_settings.h), and this machine.
    static HubPlace ofThisComputer();

    /// `path` begins with a slash.
    QUrl url(const QString& path) const { return QUrl(endpoint + path); }
    QString host() const { return QUrl(endpoint).host(); }
    /// Why nothing is asked; empty: it may be.
    QString whyNotAsked() const;
};

}  // namespace headlight
