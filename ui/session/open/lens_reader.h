// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "ui/session/open/background.h"
#include "ui/session/trace/lens_picture.h"

namespace headlight {

/// Reads the lens of a reading on a thread of its own, one depth after another; a newer reading takes the place of one
/// that is under way, which ends behind the depth that it is at.
class LensReader : public QObject {
    Q_OBJECT
public:
    explicit LensReader(QObject* parent = nullptr) : QObject(parent) {}

    /// Who is told while something is read; null: nobody.
    void setSettling(Settling* settling) { m_background.setSettling(settling); }
    /// failed() follows where the model has no layers that speak of words.
    void read(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace);
    void drop();
    bool isBusy() const { return m_background.isBusy(); }
    /// Of the present reading, as far as it is read; null: there is none, or not yet.
    const std::shared_ptr<LensPicture>& picture() const { return m_picture; }

signals:
    /// picture() is there, with no depth read.
    void begun();
    void depthRead();
    /// All depths are.
    void finished();
    void failed(const QString& why);

private:
    std::shared_ptr<LensPicture> m_picture;
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
