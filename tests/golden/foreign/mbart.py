#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mBART: BART with norms before the sublayers and one behind each stack; the words of all languages in one vocabulary,
of which one stands for the language and is written first.

    /usr/bin/python3 mbart.py
"""
import torch

import common
from common import ACTIVATIONS, attention, causal, layer_norm, linear, split_heads
from marian import D, EPSILON, HEADS, LAYERS, TARGET, EncoderDecoder, config, favour, make_weights

VOCABULARY, F = 51, 40
SOURCE = [9, 11, 3, 7, 9, 2, 48]  # its language behind the end


class MBart(EncoderDecoder):
    """The sublayers are BART's; what is normed is what they read."""

    def attend(self, block, x, memory, mask, trace, name):
        normal = layer_norm(self.w, block + "_layer_norm", x, EPSILON)
        read = normal if memory is x else memory
        q = split_heads(linear(self.w, block + ".q_proj", normal), HEADS)
        k, v = (split_heads(linear(self.w, f"{block}.{each}_proj", read), HEADS) for each in "kv")
        joined, trace[name + ".weights"] = attention(q, k, v, mask)
        return x + linear(self.w, block + ".out_proj", joined)

    def feed_forward(self, layer, x):
        normal = layer_norm(self.w, layer + "final_layer_norm", x, EPSILON)
        return x + linear(self.w, layer + "fc2", self.activation(linear(self.w, layer + "fc1", normal)))

    def encode(self, ids, trace):
        x = layer_norm(self.w, "model.encoder.layer_norm", super().encode(ids, trace), EPSILON)
        trace["encoder.output"] = x
        return x

    def decode(self, ids, memory, trace):
        super().decode(ids, memory, trace)
        x = layer_norm(self.w, "model.decoder.layer_norm", trace["decoder.output"], EPSILON)
        trace["decoder.output"] = x
        trace["logits"] = x @ (self.w["lm_head.weight"] if self.head else self.table("decoder")).T \
            + self.w["final_logits_bias"][0]
        return trace["logits"]


def save(folder, seed, biases, activation, scale, head, **more):
    w = make_weights(seed, VOCABULARY, F, bart=True)
    for stack in ("encoder", "decoder"):
        w.norm(f"model.{stack}.layer_norm", D)
    if head:
        w.new("lm_head.weight", VOCABULARY, D)
    favour(w, biases)
    search = {"start": more.get("decoder_start_token_id", 2), "eos": 2}
    if "forced_bos_token_id" in more:
        search["forced"] = more["forced_bos_token_id"]
    settings = config("mbart", VOCABULARY, F, architectures=["MBartForConditionalGeneration"],
                      activation_function=activation, scale_embedding=scale != 1, bos_token_id=0, pad_token_id=1,
                      eos_token_id=2, **more)
    if head:
        settings["tie_word_embeddings"] = False
    stored = w.stored()
    for stack in ("encoder", "decoder"):
        stored[f"model.{stack}.embed_tokens.weight"] = stored["model.shared.weight"]
    model = MBart(w, activation, scale, bart=True)
    common.save(folder, settings, stored, model.expected(SOURCE, TARGET, search))


def main():
    save("mbart", 271, {2: 3.0}, "gelu", D**0.5, False, decoder_start_token_id=49, normalize_before=True,
         normalize_embedding=True, add_final_layer_norm=True, static_position_embeddings=False)
    save("mbart_50", 272, {2: 4.0}, "relu", 1.0, True, decoder_start_token_id=2, forced_bos_token_id=50)


if __name__ == "__main__":
    main()
