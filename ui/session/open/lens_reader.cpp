// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/lens_reader.h"

namespace headlight {

void LensReader::drop() {
    m_picture.reset();
    m_background.drop();
}

void LensReader::read(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace) {
    drop();
    // The thread reads what never changes of the picture; its rows are set here.
    const auto compute = [this, model, trace](const Background::Wanted& wanted) {
        const auto picture = std::make_shared<LensPicture>(model, trace);
        const auto tell = [this, wanted](auto what) {
            QMetaObject::invokeMethod(this, [wanted, what] {
                if (wanted()) what();
            });
        };
        tell([this, picture] {
            m_picture = picture;
            emit begun();
        });
        const LogitLens& lens = picture->lens();
        for (size_t depth = 0; depth < lens.depths().size() && wanted(); ++depth) {
            auto cells = std::make_shared<std::vector<LensCell>>(lens.read(depth));
            tell([this, picture, depth, cells] {
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

#include "moc_lens_reader.cpp"
