// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/undivided.h"

#include <QPaintEngine>
#include <QPainter>
#include <QSemaphore>
#include <QThread>
#include <QThreadPool>

namespace headlight::paint {

void undivided(const QPainter& painter, const std::function<void()>& draw) {
    QThreadPool* const pool = QThreadPool::globalInstance();
    const bool isRaster = painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster;
    if (!isRaster || pool->contains(QThread::currentThread())) return draw();
    QSemaphore done;
    // Tried, not queued: where all of the pool's threads are at something else, it is drawn here.
    const bool started = pool->tryStart([&] {
        draw();
        done.release();
    });
    if (started)
        done.acquire();
    else
        draw();
}

}  // namespace headlight::paint
