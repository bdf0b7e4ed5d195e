#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gemma: norms that scale by 1 + w, words times √d, a gated network with the tanh GELU, the head tied. Gemma 2: norms
behind the sublayers too, capped scores and logits, a scale of its own, every other layer a window. Gemma 3: norms of each
head in place of the caps, more windows, which turn by angles of their own.

    /usr/bin/python3 gemma.py
"""
import math
from collections import namedtuple

import torch

import common
from common import ACTIVATIONS, Weights, causal, linear, split_heads

VOCABULARY, EPSILON = 41, 1e-6
IDS = [2, 9, 11, 3, 40, 9, 9, 0, 17, 5]
Settings = namedtuple("Settings", "d f layers heads groups width query_scale outer_norms head_norms caps windows bases")


def make_weights(seed, s):
    w = Weights(seed)
    norm = lambda name, width: w.new(name + ".weight", width)
    w.new("model.embed_tokens.weight", VOCABULARY, s.d, std=0.4)
    for i in range(s.layers):
        layer = f"model.layers.{i}."
        for name, count in (("q", s.heads), ("k", s.groups), ("v", s.groups)):
            w.linear(f"{layer}self_attn.{name}_proj", count * s.width, s.d, bias=False)
        w.linear(layer + "self_attn.o_proj", s.d, s.heads * s.width, bias=False)
        w.linear(layer + "mlp.gate_proj", s.f, s.d, bias=False)
        w.linear(layer + "mlp.up_proj", s.f, s.d, bias=False)
        w.linear(layer + "mlp.down_proj", s.d, s.f, bias=False)
        norm(layer + "input_layernorm", s.d)
        norm(layer + "post_attention_layernorm", s.d)
        if s.outer_norms:
            norm(layer + "pre_feedforward_layernorm", s.d)
            norm(layer + "post_feedforward_layernorm", s.d)
        if s.head_norms:
            norm(layer + "self_attn.q_norm", s.width)
            norm(layer + "self_attn.k_norm", s.width)
    norm("model.norm", s.d)
    return w


def norm(w, name, x):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + EPSILON) * (1 + w[name + ".weight"])


def capped(x, cap):
    return x if cap is None else cap * torch.tanh(x / cap)


def turned(x, base, factor):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=torch.float64) / half) / factor
    angle = torch.arange(x.shape[1])[:, None] * speeds[None]
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin()], -1)


def attend(w, name, x, s, window):
    """-> what it adds, weights"""
    q, k, v = (split_heads(linear(w, f"{name}.{map}_proj", x), count)
               for map, count in (("q", s.heads), ("k", s.groups), ("v", s.groups)))
    if s.head_norms:
        q, k = norm(w, name + ".q_norm", q), norm(w, name + ".k_norm", k)
    base, factor = s.bases["window" if window else "all"]
    q, k = turned(q, base, factor), turned(k, base, factor)
    k, v = (each.repeat_interleave(s.heads // s.groups, 0) for each in (k, v))
    scores = capped(q @ k.transpose(1, 2) * s.query_scale**-0.5, s.caps[0])
    mask, place = causal(len(x)), torch.arange(len(x))
    if window:
        mask = mask.masked_fill(place[:, None] - place[None] >= window, -math.inf)
    weights = torch.softmax(scores + mask, -1)
    return linear(w, name + ".o_proj", (weights @ v).transpose(0, 1).reshape(len(x), -1)), weights


def network(w, name, x):
    return linear(w, name + ".down_proj",
                  ACTIVATIONS["gelu_new"](linear(w, name + ".gate_proj", x)) * linear(w, name + ".up_proj", x))


def forward(w, ids, s):
    trace = {"ids": torch.tensor(ids)}
    x = w["model.embed_tokens.weight"][ids] * math.sqrt(s.d)
    for i in range(s.layers):
        layer = f"model.layers.{i}."
        made, trace[f"layers.{i}.self_attn.weights"] = attend(
            w, layer + "self_attn", norm(w, layer + "input_layernorm", x), s, s.windows.get(i))
        if s.outer_norms:
            x = x + norm(w, layer + "post_attention_layernorm", made)
            made = network(w, layer + "mlp", norm(w, layer + "pre_feedforward_layernorm", x))
            x = x + norm(w, layer + "post_feedforward_layernorm", made)
        else:
            x = x + made
            x = x + network(w, layer + "mlp", norm(w, layer + "post_attention_layernorm", x))
    trace["output"] = norm(w, "model.norm", x)
    trace["logits"] = capped(linear(w, "model.embed_tokens", trace["output"]), s.caps[1])
    return trace


def config(kind, name, s, **more):
    return {"model_type": kind, "architectures": [name], "hidden_size": s.d, "num_hidden_layers": s.layers,
            "num_attention_heads": s.heads, "num_key_value_heads": s.groups, "head_dim": s.width,
            "intermediate_size": s.f, "max_position_embeddings": 64, "vocab_size": VOCABULARY,
            "hidden_activation": "gelu_pytorch_tanh", "rms_norm_eps": EPSILON, "bos_token_id": 2, "eos_token_id": 1,
            "pad_token_id": 0, "attention_bias": False, **more}


def save(folder, seed, s, written):
    w = make_weights(seed, s)
    ids = list(IDS)
    for _ in range(6):
        ids.append(int(forward(w, ids, s)["logits"][-1].argmax()))
    common.save(folder, written, w, {**forward(w, IDS, s), "continuation": torch.tensor(ids[len(IDS):])})


def main():
    plain = {"all": (10000.0, 1), "window": (10000.0, 1)}
    s = Settings(12, 15, 2, 2, 1, 8, 8, False, False, (None, None), {}, plain)
    save("gemma", 211, s, config("gemma", "GemmaForCausalLM", s, hidden_act="gelu", rope_theta=10000.0))

    s = Settings(12, 15, 3, 2, 1, 8, 6, True, False, (2.5, 4.0), {0: 4, 2: 4}, plain)
    save("gemma2", 212, s, config("gemma2", "Gemma2ForCausalLM", s, rope_theta=10000.0, query_pre_attn_scalar=6,
                                  attn_logit_softcapping=2.5, final_logit_softcapping=4.0, sliding_window=4))

    s = Settings(10, 13, 4, 1, 1, 6, 10, True, True, (None, None), {0: 3, 1: 3, 3: 3},
                 {"all": (100000.0, 2.0), "window": (300.0, 1)})
    save("gemma3", 213, s, config(
        "gemma3_text", "Gemma3ForCausalLM", s, query_pre_attn_scalar=10, sliding_window=3, sliding_window_pattern=3,
        rope_theta=100000.0, rope_local_base_freq=300.0, rope_scaling={"rope_type": "linear", "factor": 2.0},
        attn_logit_softcapping=None, final_logit_softcapping=None))
    # The same as newer programs write it.
    rope = {"full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 100000.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 300.0}}
    types = ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"]
    save("gemma3_newer", 214, s, config(
        "gemma3_text", "Gemma3ForCausalLM", s, query_pre_attn_scalar=10, sliding_window=3, layer_types=types,
        rope_parameters=rope, use_bidirectional_attention=False))


if __name__ == "__main__":
    main()
