#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ModernBERT: rotary positions, gated networks whose two maps are one tensor, norms before the sublayers (none before the
first), windows on both sides but for every third layer. With its head that fills in words; with one that names labels,
biases and the settings as newer programs write them; and without a head.

    /usr/bin/python3 modernbert.py
"""
import math

import torch

import common
from common import ACTIVATIONS, Weights, linear, split_heads

D, F, HEADS, VOCABULARY = 20, 14, 2, 43
IDS = [2, 9, 11, 3, 40, 9, 9, 0, 17, 5, 30, 8]
LABELS = ["no", "yes", "both"]


def make_weights(seed, layers, norm_bias=False, attention_bias=False, mlp_bias=False):
    w = Weights(seed)
    w.new("model.embeddings.tok_embeddings.weight", VOCABULARY, D, std=0.7)
    w.norm("model.embeddings.norm", D, norm_bias)
    for i in range(layers):
        layer = f"model.layers.{i}."
        if i > 0:
            w.norm(layer + "attn_norm", D, norm_bias)
        w.linear(layer + "attn.Wqkv", 3 * D, D, attention_bias)
        w.linear(layer + "attn.Wo", D, D, attention_bias)
        w.norm(layer + "mlp_norm", D, norm_bias)
        w.linear(layer + "mlp.Wi", 2 * F, D, mlp_bias)
        w.linear(layer + "mlp.Wo", D, F, mlp_bias)
    w.norm("model.final_norm", D, norm_bias)
    return w


def norm(w, name, x, epsilon=1e-5):
    centred = x - x.mean(-1, keepdim=True)
    normal = centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + epsilon) * w[name + ".weight"]
    return normal + w[name + ".bias"] if name + ".bias" in w else normal


def turned(x, base):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = torch.arange(x.shape[1])[:, None] * speeds[None]
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin()], -1)


def forward(w, ids, windowed, reach, bases, activation="gelu"):
    """`windowed`: for each layer whether its words see those at most `reach` away; `bases`: of those and of the others."""
    trace = {"ids": torch.tensor(ids)}
    x = norm(w, "model.embeddings.norm", w["model.embeddings.tok_embeddings.weight"][ids])
    place = torch.arange(len(ids))
    far = torch.zeros(len(ids), len(ids), dtype=torch.float64).masked_fill(
        (place[:, None] - place[None]).abs() > reach, -math.inf)
    for i, narrow in enumerate(windowed):
        layer = f"model.layers.{i}."
        read = norm(w, layer + "attn_norm", x) if i > 0 else x
        q, k, v = (split_heads(part, HEADS) for part in linear(w, layer + "attn.Wqkv", read).split(D, -1))
        base = bases[0] if narrow else bases[1]
        joined, trace[f"layers.{i}.self_attn.weights"] = common.attention(
            turned(q, base), turned(k, base), v, far if narrow else None)
        x = x + linear(w, layer + "attn.Wo", joined)
        active, gate = linear(w, layer + "mlp.Wi", norm(w, layer + "mlp_norm", x)).split(F, -1)
        x = x + linear(w, layer + "mlp.Wo", ACTIVATIONS[activation](active) * gate)
    trace["output"] = norm(w, "model.final_norm", x)
    return trace


def head(w, trace, x, activation="gelu"):
    trace["head.hidden"] = linear(w, "head.dense", x)
    trace["head.activation"] = ACTIVATIONS[activation](trace["head.hidden"])
    trace["head.norm"] = norm(w, "head.norm", trace["head.activation"])
    return trace["head.norm"]


def config(name, layers, **more):
    return {"model_type": "modernbert", "architectures": [name], "hidden_size": D, "num_hidden_layers": layers,
            "num_attention_heads": HEADS, "intermediate_size": F, "vocab_size": VOCABULARY, "norm_eps": 1e-5,
            "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, **more}


def main():
    layers = 4
    w = make_weights(321, layers)
    w.linear("head.dense", D, D, bias=False)
    w.norm("head.norm", D, bias=False)
    w.new("decoder.bias", VOCABULARY)
    trace = forward(w, IDS, [i % 3 != 0 for i in range(layers)], 3, (10000.0, 160000.0))
    trace["logits"] = head(w, trace, trace["output"]) @ w["model.embeddings.tok_embeddings.weight"].T + w["decoder.bias"]
    common.save("modernbert", config(
        "ModernBertForMaskedLM", layers, hidden_activation="gelu", classifier_activation="gelu", norm_bias=False,
        attention_bias=False, mlp_bias=False, classifier_bias=False, decoder_bias=True, global_attn_every_n_layers=3,
        local_attention=6, global_rope_theta=160000.0, local_rope_theta=10000.0, classifier_pooling="mean"), w, trace)

    layers = 3
    w = make_weights(322, layers, norm_bias=True, attention_bias=True, mlp_bias=True)
    w.linear("head.dense", D, D)
    w.norm("head.norm", D)
    w.linear("classifier", len(LABELS), D)
    trace = forward(w, IDS, [True, False, True], 1, (50.0, 700.0), "silu")
    trace["logits"] = linear(w, "classifier", head(w, trace, trace["output"][:1]))
    rope = {"full_attention": {"rope_type": "default", "rope_theta": 700.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}}
    common.save("modernbert_classifier", config(
        "ModernBertForSequenceClassification", layers, hidden_activation="silu", classifier_activation="gelu",
        norm_bias=True, attention_bias=True, mlp_bias=True, classifier_bias=True, local_attention=2,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"], rope_parameters=rope,
        classifier_pooling="cls", id2label=dict(enumerate(LABELS)),
        label2id={label: i for i, label in enumerate(LABELS)}), w, trace)

    layers = 2
    w = make_weights(323, layers, attention_bias=True)
    trace = forward(w, IDS, [False, True], 2, (300.0, 300.0))
    stored = {name.removeprefix("model."): value for name, value in w.stored().items()}
    common.save("modernbert_model", config("ModernBertModel", layers, attention_bias=True, global_attn_every_n_layers=2,
                                           local_attention=4, global_rope_theta=300.0, local_rope_theta=None),
                stored, trace)


if __name__ == "__main__":
    main()
