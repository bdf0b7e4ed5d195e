#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""NLLB (`m2m_100`): mBART's layers; words times √d, and sinusoids in halves that begin two rows on and turn as fairseq's
do, in place of a learned table and a norm. Two settings: one that says little, and one with a head of its own.

    /usr/bin/python3 nllb.py
"""
import torch

import common
from marian import D, TARGET, config, make_weights
from mbart import MBart

VOCABULARY, F = 53, 22
SOURCE = [49, 9, 11, 3, 7, 9, 2]  # its language before it


def sinusoids(length, padding):
    half = D // 2
    angle = torch.arange(padding + 1, padding + 1 + length)[:, None] * 10000.0 ** (
        -torch.arange(half, dtype=torch.float64) / (half - 1))[None]
    return torch.cat([angle.sin(), angle.cos()], 1)


class Nllb(MBart):
    padding = 1

    def embed(self, stack, ids):
        return self.table(stack)[ids] * self.scale + sinusoids(len(ids), self.padding)


def save(folder, seed, activation, scale, head, padding, sure, **more):
    w = make_weights(seed, VOCABULARY, F)
    del w["final_logits_bias"]
    for stack in ("encoder", "decoder"):
        w.norm(f"model.{stack}.layer_norm", D)
    if head:
        w.new("lm_head.weight", VOCABULARY, D)
    # What ends a text is likelier, so that a search comes to it: the last norm's bias leans towards its row.
    row = w["lm_head.weight" if head else "model.shared.weight"][2]
    w.put("model.decoder.layer_norm.bias", (sure * row / row.norm()).float())
    search = {"start": 2, "eos": 2, "forced": more["forced_bos_token_id"]} if "forced_bos_token_id" in more else {
        "start": 2, "eos": 2}
    settings = config("m2m_100", VOCABULARY, F, architectures=["M2M100ForConditionalGeneration"], bos_token_id=0,
                      pad_token_id=padding, eos_token_id=2, decoder_start_token_id=2, **more)
    if head:
        settings["tie_word_embeddings"] = False
    stored = w.stored()
    for stack in ("encoder", "decoder"):
        stored[f"model.{stack}.embed_tokens.weight"] = stored["model.shared.weight"]
    w.put("final_logits_bias", torch.zeros(1, VOCABULARY))  # it has none
    model = Nllb(w, activation, scale)
    model.padding = padding
    common.save(folder, settings, stored, model.expected(SOURCE, TARGET, search))


def main():
    save("nllb", 311, "relu", D**0.5, False, 1, 3.5, forced_bos_token_id=50)
    save("nllb_settings", 312, "gelu", 1.0, True, 4, 4.5, activation_function="gelu", scale_embedding=False)


if __name__ == "__main__":
    main()
