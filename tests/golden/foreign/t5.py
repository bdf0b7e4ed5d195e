#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""T5: RMS norms before the sublayers, relative positions as a bias of the scores, no biases, scores not scaled. And
Flan-T5's gated feed-forward network with a head of its own. And one whose settings are none of the usual: gated with
SiLU and tied all the same, a decoder that is not as deep as the encoder, few buckets.

    /usr/bin/python3 t5.py
"""
import math
from collections import namedtuple

import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, linear, rms_norm, split_heads

D, KV, F, HEADS, LAYERS, VOCABULARY = 16, 6, 24, 3, 2, 50
Settings = namedtuple("Settings", "network tied decoder_layers buckets farthest")
T5_SETTINGS = Settings("relu", True, 2, 32, 128)
FLAN_SETTINGS = Settings("gated-gelu", False, 2, 32, 128)
OTHERS = Settings("gated-silu", True, 1, 8, 20)
NETWORKS = {"relu": "relu", "gated-gelu": "gelu_new", "gated-silu": "silu"}
EPSILON = 1e-6
SOURCE = [5, 9, 11, 3, 7, 9, 22, 23, 24, 9, 31, 5, 8, 1]
TARGET = [7, 8, 20, 4, 31, 7, 7, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]


def make_weights(seed, settings):
    w = Weights(seed)
    w.new("shared.weight", VOCABULARY, D, std=1.0)
    if settings.tied:
        lengthen(w, "shared.weight")
    for stack, layers in (("encoder", LAYERS), ("decoder", settings.decoder_layers)):
        w.new(f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight", settings.buckets,
              HEADS, std=0.7)
        for i in range(layers):
            block = f"{stack}.block.{i}.layer."
            attentions = ("SelfAttention", "EncDecAttention") if stack == "decoder" else ("SelfAttention",)
            for at, name in enumerate(attentions):
                for each in "qkv":
                    w.new(f"{block}{at}.{name}.{each}.weight", HEADS * KV, D, std=0.6 / math.sqrt(D))
                w.new(f"{block}{at}.{name}.o.weight", D, HEADS * KV)
                w.norm(f"{block}{at}.layer_norm", D, bias=False)
            at = len(attentions)
            for name in ("wi_0", "wi_1") if settings.network != "relu" else ("wi",):
                w.new(f"{block}{at}.DenseReluDense.{name}.weight", F, D)
            w.new(f"{block}{at}.DenseReluDense.wo.weight", D, F)
            w.norm(f"{block}{at}.layer_norm", D, bias=False)
        w.norm(f"{stack}.final_layer_norm", D, bias=False)
    if not settings.tied:
        w.new("lm_head.weight", VOCABULARY, D)
        lengthen(w, "lm_head.weight")
    return w


def lengthen(w, name):
    """The vector of <eos>, so that a search comes to it."""
    values = w[name]
    values[1] *= 2.5 if name == "lm_head.weight" else -2.7
    w.put(name, values.float())


def bucket(relative, both_ways, settings):
    """Of key − query."""
    buckets, first = settings.buckets, 0
    if both_ways:
        buckets //= 2
        first = buckets if relative > 0 else 0
    n, exact = (abs(relative) if both_ways else max(-relative, 0)), buckets // 2
    if n < exact:
        return first + n
    return first + min(buckets - 1, exact + int(math.log(n / exact) / math.log(settings.farthest / exact) * (buckets - exact)))


class T5:
    def __init__(self, w, settings):
        self.w, self.settings = w, settings

    def position_bias(self, stack, length):
        places = torch.tensor([[bucket(key - query, stack == "encoder", self.settings) for key in range(length)]
                               for query in range(length)])
        table = self.w[f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        return table[places].permute(2, 0, 1)

    def attend(self, block, kind, x, memory, mask, bias, trace, name):
        """x + attention(norm(x)); `memory` is what it looks at, None: itself."""
        normal = rms_norm(self.w, block + ".layer_norm", x, EPSILON)
        memory = normal if memory is None else memory
        q = split_heads(linear(self.w, f"{block}.{kind}.q", normal), HEADS)
        k, v = (split_heads(linear(self.w, f"{block}.{kind}.{each}", memory), HEADS) for each in "kv")
        joined, weights = attention(q, k, v, mask, 1.0, bias)
        trace[name + ".weights"] = weights
        return x + linear(self.w, f"{block}.{kind}.o", joined)

    def feed_forward(self, block, x):
        normal = rms_norm(self.w, block + ".layer_norm", x, EPSILON)
        dense = block + ".DenseReluDense."
        activation = ACTIVATIONS[NETWORKS[self.settings.network]]
        if self.settings.network != "relu":
            gate = activation(linear(self.w, dense + "wi_0", normal))
            hidden = gate * linear(self.w, dense + "wi_1", normal)
        else:
            hidden = activation(linear(self.w, dense + "wi", normal))
        return x + linear(self.w, dense + "wo", hidden)

    def encode(self, ids, trace):
        x, bias = self.w["shared.weight"][ids], self.position_bias("encoder", len(ids))
        for i in range(LAYERS):
            block = f"encoder.block.{i}.layer."
            x = self.attend(block + "0", "SelfAttention", x, None, None, bias, trace, f"encoder.layers.{i}.self_attn")
            x = self.feed_forward(block + "1", x)
        trace["encoder.output"] = rms_norm(self.w, "encoder.final_layer_norm", x, EPSILON)
        return trace["encoder.output"]

    def decode(self, ids, memory, trace):
        x, bias = self.w["shared.weight"][ids], self.position_bias("decoder", len(ids))
        for i in range(self.settings.decoder_layers):
            block, name = f"decoder.block.{i}.layer.", f"decoder.layers.{i}."
            x = self.attend(block + "0", "SelfAttention", x, None, causal(len(ids)), bias, trace, name + "self_attn")
            x = self.attend(block + "1", "EncDecAttention", x, memory, None, 0.0, trace, name + "cross_attn")
            x = self.feed_forward(block + "2", x)
        x = trace["decoder.output"] = rms_norm(self.w, "decoder.final_layer_norm", x, EPSILON)
        # Tied to the embedding the head reads the state made small again; a head of its own reads it as it is.
        tied = self.settings.tied
        trace["logits"] = D**-0.5 * x @ self.w["shared.weight"].T if tied else linear(self.w, "lm_head", x)
        return trace["logits"]

    def expected(self):
        trace = {"source.ids": torch.tensor(SOURCE), "target.ids": torch.tensor([0] + TARGET)}
        memory = self.encode(SOURCE, trace)
        self.decode([0] + TARGET, memory, trace)
        found = common.beam_search(lambda ids: self.decode(ids, memory, {})[-1], {"start": 0, "eos": 1}, 4, 12)
        print("  beam:", [(ids, round(total, 3)) for ids, total in found])
        return {**trace, **common.beam_results(found)}


def main():
    for kind, seed, settings in (("t5", 31, T5_SETTINGS), ("flan_t5", 32, FLAN_SETTINGS), ("t5_settings", 34, OTHERS)):
        w = make_weights(seed, settings)
        stored = w.stored()
        if not settings.tied:  # some programs write what is tied under each of its names
            stored["encoder.embed_tokens.weight"] = stored["decoder.embed_tokens.weight"] = stored["shared.weight"]
        config = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_model": D, "d_kv": KV,
                  "d_ff": F, "num_layers": LAYERS, "num_decoder_layers": settings.decoder_layers, "num_heads": HEADS,
                  "vocab_size": VOCABULARY, "relative_attention_num_buckets": settings.buckets,
                  "feed_forward_proj": settings.network, "layer_norm_epsilon": EPSILON,
                  "dropout_rate": 0.1, "tie_word_embeddings": settings.tied, "decoder_start_token_id": 0,
                  "pad_token_id": 0, "eos_token_id": 1, "is_encoder_decoder": True}
        if settings.farthest != 128:
            config["relative_attention_max_distance"] = settings.farthest
        common.save(kind, config, stored, T5(w, settings).expected())


if __name__ == "__main__":
    main()
