// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/fixture.h"
#include "ui/session/open/heads_probe.h"

namespace headlight::fixture {

/// A frame of made-up numbers, others at every step; heads of which `sharp` says so are sharp.
inline HeadsFrame headsFrame(int step, const QString& written, const std::vector<int>& sharp = {},
                             const Size& size = {}) {
    const auto whole = makeTrace(size, static_cast<unsigned>(step + 1));
    HeadsFrame frame;
    frame.step = step;
    frame.trace = attentionOf(*whole, attentionBlocks(*whole));
    frame.spread.assign(static_cast<size_t>(3 * size.layers * size.heads), 0.9);
    for (const int head : sharp)
        frame.spread[static_cast<size_t>(head)] = 0.3;
    frame.source = QStringLiteral("tôi đang học tiếng anh");
    frame.reference = QStringLiteral("i am learning english");
    frame.written = written;
    frame.trainLoss = 4.0 / (1 + step / 50.0);
    frame.validationLoss = frame.trainLoss * 1.1;
    return frame;
}

/// A run up to step 400.
inline std::vector<HeadsFrame> headsFrames() {
    return {headsFrame(0, "waiting waiting"),
            headsFrame(10, "waiting"),
            headsFrame(50, ""),
            headsFrame(100, "i am the", {40}),
            headsFrame(200, "i am learning english", {3, 40}),
            headsFrame(400, "i am learning english", {3, 40, 41})};
}

}  // namespace headlight::fixture
