// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/view_suits.h"

namespace headlight {

std::string whyNothingToShow(ViewName view, const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    const bool recurrent = config.recurrent();
    switch (view) {
        case ViewName::Recurrent:
        case ViewName::Cell:
            return recurrent ? "" : "is not recurrent";
        case ViewName::Attention:
            return model.network->attentionBlocks().empty() ? "has no attention" : "";
        case ViewName::Lens:
            return recurrent || !config.saysWords() ? "has no layers that could say a word before the last" : "";
        case ViewName::Why:
        case ViewName::Surgery:
            return config.headless() ? "has no head that says words" : "";
        case ViewName::Residuals:
            return recurrent ? "has no residual stream" : "";
        case ViewName::FeedForward:
            return recurrent ? "has no feed-forward network" : "";
        case ViewName::Loss:
            return config.headless() ? "has no head that says words"
                   : config.masked() ? "is not told which words stood at its masks"
                                     : "";
        case ViewName::Masks:
            return recurrent ? "has no masks" : "";
        case ViewName::Forcing:
        case ViewName::Bleu:
            return config.encoderDecoder() ? "" : "does not translate";
        default:
            return "";
    }
}

}  // namespace headlight
