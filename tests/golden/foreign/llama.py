#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Llama: RMS norms before the sublayers, positions as rotations of queries and keys, several queries a key, a gated
feed-forward network with SiLU, no biases. The file's numbers are bfloat16. And one whose settings are none of the usual:
heads that together are wider than the model, one key for all of them, the head tied to the words.

    /usr/bin/python3 llama.py
"""
from collections import namedtuple

import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, linear, rms_norm, split_heads

D, F, LAYERS, VOCABULARY = 32, 40, 2, 44
Settings = namedtuple("Settings", "heads key_heads width base activation tied")
USUAL = Settings(4, 2, 8, 500.0, "silu", False)
OTHERS = Settings(4, 1, 10, 500000.0, "gelu_new", True)
EPSILON = 1e-5
IDS = [1, 9, 11, 3, 43, 9, 9, 0, 17]


def make_weights(seed, settings):
    w, width = Weights(seed, torch.bfloat16), settings.width
    w.new("model.embed_tokens.weight", VOCABULARY, D, std=0.7)
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        for name, out in (("q", settings.heads), ("k", settings.key_heads), ("v", settings.key_heads)):
            w.linear(f"{layer}self_attn.{name}_proj", out * width, D, bias=False)
        w.linear(layer + "self_attn.o_proj", D, settings.heads * width, bias=False)
        w.linear(layer + "mlp.gate_proj", F, D, bias=False)
        w.linear(layer + "mlp.up_proj", F, D, bias=False)
        w.linear(layer + "mlp.down_proj", D, F, bias=False)
        w.norm(layer + "input_layernorm", D, bias=False)
        w.norm(layer + "post_attention_layernorm", D, bias=False)
    w.norm("model.norm", D, bias=False)
    if not settings.tied:
        w.linear("lm_head", VOCABULARY, D, bias=False)
    return w


def rotated(x, base):
    """[H, T, width]: the pair (i, i + width/2) of position t turned by t·base^(−2i/width)."""
    width = x.shape[-1]
    speed = base ** (-2 * torch.arange(width // 2, dtype=torch.float64) / width)
    angle = torch.arange(x.shape[1])[:, None] * speed[None]
    first, second = x[..., :width // 2], x[..., width // 2:]
    return torch.cat([first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin()], -1)


def forward(w, ids, settings):
    """-> trace"""
    heads, groups, base = settings.heads, settings.key_heads, settings.base
    trace = {"ids": torch.tensor(ids)}
    x = w["model.embed_tokens.weight"][ids]
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        normal = rms_norm(w, layer + "input_layernorm", x, EPSILON)
        q = rotated(split_heads(linear(w, layer + "self_attn.q_proj", normal), heads), base)
        k = rotated(split_heads(linear(w, layer + "self_attn.k_proj", normal), groups), base)
        v = split_heads(linear(w, layer + "self_attn.v_proj", normal), groups)
        k, v = (each.repeat_interleave(heads // groups, 0) for each in (k, v))
        joined, weights = attention(q, k, v, causal(len(ids)))
        trace[f"layers.{i}.self_attn.weights"] = weights
        x = x + linear(w, layer + "self_attn.o_proj", joined)
        normal = rms_norm(w, layer + "post_attention_layernorm", x, EPSILON)
        gate = ACTIVATIONS[settings.activation](linear(w, layer + "mlp.gate_proj", normal))
        hidden = gate * linear(w, layer + "mlp.up_proj", normal)
        x = x + linear(w, layer + "mlp.down_proj", hidden)
    trace["output"] = rms_norm(w, "model.norm", x, EPSILON)
    trace["logits"] = linear(w, "model.embed_tokens" if settings.tied else "lm_head", trace["output"])
    return trace


def config(settings, **more):
    return {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": D,
            "num_hidden_layers": LAYERS, "num_attention_heads": settings.heads,
            "num_key_value_heads": settings.key_heads, "intermediate_size": F, "max_position_embeddings": 32,
            "vocab_size": VOCABULARY, "hidden_act": settings.activation, "rms_norm_eps": EPSILON,
            "rope_theta": settings.base, "rope_scaling": None, "tie_word_embeddings": settings.tied,
            "attention_bias": False, "mlp_bias": False, "bos_token_id": 1, "eos_token_id": 2,
            "torch_dtype": "bfloat16", **more}


def main():
    w = make_weights(41, USUAL)
    ids = list(IDS)
    for _ in range(8):
        ids.append(int(forward(w, ids, USUAL)["logits"][-1].argmax()))
    print("  goes on with", ids[len(IDS):])
    common.save("llama", config(USUAL), w, {**forward(w, IDS, USUAL), "continuation": torch.tensor(ids[len(IDS):])})

    w = make_weights(42, OTHERS)
    common.save("llama_settings", config(OTHERS, head_dim=OTHERS.width), w, forward(w, IDS, OTHERS))


if __name__ == "__main__":
    main()
