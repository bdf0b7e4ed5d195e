// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/io/trained_model.h"

namespace headlight {

/// A sentence that differs from `sentence` in one word and that the model answers differently: something to compare its
/// reading with. Of a built-in task it is one of the task's sentences, where there is such a one. Otherwise the new
/// word is one of the vocabulary that the model finds likely in that place: what a language model or a masked model
/// predicts there; of other models a word whose embedding is close (or, if no close one changes the answer, the most
/// distant), such that the answer is confident and shares most words with the old one; of a translator of whole
/// languages a word like “the” is replaced only where no other is, and by no word that it translates into itself. Where
/// a piece that ends words is written like a word, it stands for none if others end with it or none begins like it. A
/// word that the tokenizer cuts is not replaced; where no other suits, one piece is. Nothing where none of some hundred
/// candidates changes the answer. The same call gives the same sentence. `wanted` is asked between passes whether to go
/// on. Throws Error as traceSentence().
std::optional<std::string> oneWordOff(const TrainedModel& model, const std::string& sentence,
                                      const std::function<bool()>& wanted = {});

}  // namespace headlight
