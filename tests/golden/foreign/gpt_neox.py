#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GPT-NeoX (Pythia): attention and network beside one another, the first numbers of each head turned, queries, keys and
values of one head after the other in one map. And one whose sublayers follow each other, with one head.

    /usr/bin/python3 gpt_neox.py
"""
from collections import namedtuple

import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, layer_norm, linear

VOCABULARY, LAYERS, EPSILON = 39, 2, 1e-5
IDS = [0, 9, 11, 3, 38, 9, 9, 17]
Settings = namedtuple("Settings", "d f heads share base parallel biased activation tied")


def make_weights(seed, s, dtype=torch.float32):
    w = Weights(seed, dtype)
    w.new("gpt_neox.embed_in.weight", VOCABULARY, s.d, std=0.7)
    for i in range(LAYERS):
        layer = f"gpt_neox.layers.{i}."
        w.norm(layer + "input_layernorm", s.d)
        w.norm(layer + "post_attention_layernorm", s.d)
        w.linear(layer + "attention.query_key_value", 3 * s.d, s.d, bias=s.biased)
        w.linear(layer + "attention.dense", s.d, s.d, bias=s.biased)
        w.linear(layer + "mlp.dense_h_to_4h", s.f, s.d)
        w.linear(layer + "mlp.dense_4h_to_h", s.d, s.f)
    w.norm("gpt_neox.final_layer_norm", s.d)
    if not s.tied:
        w.linear("embed_out", VOCABULARY, s.d, bias=False)
    return w


def turned(x, size, base):
    half = size // 2
    speed = 1 / base ** (torch.arange(0, size, 2, dtype=torch.float64) / size)
    angle = torch.arange(x.shape[1])[:, None] * speed[None]
    first, second, rest = x[..., :half], x[..., half:size], x[..., size:]
    return torch.cat(
        [first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin(), rest], -1)


def attend(w, layer, x, s):
    width = s.d // s.heads
    fused = linear(w, layer + "attention.query_key_value", x).reshape(len(x), s.heads, 3 * width)
    q, k, v = (each.transpose(0, 1) for each in fused.split(width, -1))
    size = int(width * s.share)
    joined, weights = attention(turned(q, size, s.base), turned(k, size, s.base), v, causal(len(x)))
    return linear(w, layer + "attention.dense", joined), weights


def forward(w, ids, s):
    trace = {"ids": torch.tensor(ids)}
    x = w["gpt_neox.embed_in.weight"][ids]
    network = lambda layer, y: linear(w, layer + "mlp.dense_4h_to_h", ACTIVATIONS[s.activation](
        linear(w, layer + "mlp.dense_h_to_4h", y)))
    for i in range(LAYERS):
        layer = f"gpt_neox.layers.{i}."
        made, trace[f"layers.{i}.self_attn.weights"] = attend(
            w, layer, layer_norm(w, layer + "input_layernorm", x, EPSILON), s)
        behind = x if s.parallel else x + made
        x = x + made + network(layer, layer_norm(w, layer + "post_attention_layernorm", behind, EPSILON))
    trace["output"] = layer_norm(w, "gpt_neox.final_layer_norm", x, EPSILON)
    trace["logits"] = linear(w, "gpt_neox.embed_in" if s.tied else "embed_out", trace["output"])
    return trace


def config(s, **more):
    return {"model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"], "hidden_size": s.d,
            "num_hidden_layers": LAYERS, "num_attention_heads": s.heads, "intermediate_size": s.f,
            "max_position_embeddings": 32, "vocab_size": VOCABULARY, "hidden_act": s.activation,
            "layer_norm_eps": EPSILON, "use_parallel_residual": s.parallel, "tie_word_embeddings": s.tied,
            "bos_token_id": 0, "eos_token_id": 0, **more}


def save(folder, seed, s, written, extra=None, dtype=torch.float32):
    w = make_weights(seed, s, dtype)
    ids = list(IDS)
    for _ in range(6):
        ids.append(int(forward(w, ids, s)["logits"][-1].argmax()))
    common.save(folder, written, {**w.stored(), **(extra or {})},
                {**forward(w, IDS, s), "continuation": torch.tensor(ids[len(IDS):])})


def main():
    s = Settings(24, 20, 3, 0.5, 10000.0, True, True, "gelu", False)
    extra = {"gpt_neox.layers.0.attention.bias": torch.ones(1, 1, 32, 32, dtype=torch.bool).tril(),
             "gpt_neox.layers.0.attention.masked_bias": torch.tensor(-1e9),
             "gpt_neox.layers.1.attention.rotary_emb.inv_freq": 1 / 10000 ** (torch.arange(0, 4, 2).float() / 4)}
    save("gpt_neox", 221, s, config(s, rotary_pct=0.5, rotary_emb_base=10000), extra, torch.float16)

    s = Settings(10, 14, 1, 0.6, 500.0, False, False, "relu", True)
    save("gpt_neox_settings", 222, s, config(s, attention_bias=False, rope_parameters={
        "rope_theta": 500.0, "rope_type": "default", "partial_rotary_factor": 0.6}))


if __name__ == "__main__":
    main()
