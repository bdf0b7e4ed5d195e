// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/lens_reader.h"

namespace headlight {

LensReader::~LensReader() {
    *m_unwanted = true;
}

void LensReader::drop() {
    *m_unwanted = true;
    m_picture.reset();
    m_background.drop();
}

void LensReader::read(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace) {
    drop();
    m_picture = std::make_shared<LensPicture>(model, trace);
    m_unwanted = std::make_shared<Flag>(false);
    const std::shared_ptr<LensPicture> picture = m_picture;
    const std::shared_ptr<Flag> unwanted = m_unwanted;
    // The thread reads what never changes of the picture; its rows are set here.
    const auto compute = [this, picture, unwanted] {
        const LogitLens& lens = picture->lens();
        for (size_t depth = 0; depth < lens.depths().size() && !*unwanted; ++depth) {
            auto cells = std::make_shared<std::vector<LensCell>>(lens.read(depth));
            QMetaObject::invokeMethod(this, [this, picture, depth, cells] {
                if (picture != m_picture) return;
                picture->setRow(depth, std::move(*cells));
                emit depthRead();
            });
        }
        return true;
    };
    m_background.ask<bool>(
        compute, [this](bool) { emit finished(); }, [this](const QString& why) { emit failed(why); });
}

}  // namespace headlight
