// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

class Sketch;

/// The drawings of the lessons' signs (vignette.h), a function each.
namespace vignette {

void seq2seq(Sketch& s);
void cell(Sketch& s);
void handover(Sketch& s);
void forcing(Sketch& s);
void bottleneck(Sketch& s);
void attention(Sketch& s);
void scores(Sketch& s);
void byHand(Sketch& s);
void queryKeyValue(Sketch& s);

void positions(Sketch& s);
void heads(Sketch& s);
void masks(Sketch& s);
void residuals(Sketch& s);
void feedForward(Sketch& s);
void encoder(Sketch& s);
void decoder(Sketch& s);

void loss(Sketch& s);
void training(Sketch& s);
void decoding(Sketch& s);
void subwords(Sketch& s);
void languageModel(Sketch& s);
void cost(Sketch& s);
void headsLookAt(Sketch& s);
void bleu(Sketch& s);

}  // namespace vignette
}  // namespace headlight
