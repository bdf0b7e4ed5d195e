#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Llama: RMS norms before the sublayers, positions as rotations of queries and keys, several queries a key, a gated
feed-forward network with SiLU, no biases. The file's numbers are bfloat16.

    /usr/bin/python3 llama.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, linear, rms_norm, split_heads

D, F, LAYERS, HEADS, KEY_HEADS, VOCABULARY, BASE = 32, 40, 2, 4, 2, 44, 500.0
EPSILON = 1e-5
IDS = [1, 9, 11, 3, 43, 9, 9, 0, 17]


def make_weights(seed):
    w, width = Weights(seed, torch.bfloat16), D // HEADS
    w.new("model.embed_tokens.weight", VOCABULARY, D, std=0.7)
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        for name, out in (("q", HEADS), ("k", KEY_HEADS), ("v", KEY_HEADS)):
            w.linear(f"{layer}self_attn.{name}_proj", out * width, D, bias=False)
        w.linear(layer + "self_attn.o_proj", D, D, bias=False)
        w.linear(layer + "mlp.gate_proj", F, D, bias=False)
        w.linear(layer + "mlp.up_proj", F, D, bias=False)
        w.linear(layer + "mlp.down_proj", D, F, bias=False)
        w.norm(layer + "input_layernorm", D, bias=False)
        w.norm(layer + "post_attention_layernorm", D, bias=False)
    w.norm("model.norm", D, bias=False)
    w.linear("lm_head", VOCABULARY, D, bias=False)
    return w


def rotated(x):
    """[H, T, width]: the pair (i, i + width/2) of position t turned by t·base^(−2i/width)."""
    width = x.shape[-1]
    speed = BASE ** (-2 * torch.arange(width // 2, dtype=torch.float64) / width)
    angle = torch.arange(x.shape[1])[:, None] * speed[None]
    first, second = x[..., :width // 2], x[..., width // 2:]
    return torch.cat([first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin()], -1)


def forward(w, ids):
    """-> trace"""
    trace = {"ids": torch.tensor(ids)}
    x = w["model.embed_tokens.weight"][ids]
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        normal = rms_norm(w, layer + "input_layernorm", x, EPSILON)
        q = rotated(split_heads(linear(w, layer + "self_attn.q_proj", normal), HEADS))
        k = rotated(split_heads(linear(w, layer + "self_attn.k_proj", normal), KEY_HEADS))
        v = split_heads(linear(w, layer + "self_attn.v_proj", normal), KEY_HEADS)
        k, v = (each.repeat_interleave(HEADS // KEY_HEADS, 0) for each in (k, v))
        joined, weights = attention(q, k, v, causal(len(ids)))
        trace[f"layers.{i}.self_attn.weights"] = weights
        x = x + linear(w, layer + "self_attn.o_proj", joined)
        normal = rms_norm(w, layer + "post_attention_layernorm", x, EPSILON)
        gate = ACTIVATIONS["silu"](linear(w, layer + "mlp.gate_proj", normal))
        hidden = gate * linear(w, layer + "mlp.up_proj", normal)
        x = x + linear(w, layer + "mlp.down_proj", hidden)
    trace["output"] = rms_norm(w, "model.norm", x, EPSILON)
    trace["logits"] = linear(w, "lm_head", trace["output"])
    return trace


def main():
    w = make_weights(41)
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": D,
              "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
              "num_key_value_heads": KEY_HEADS, "intermediate_size": F, "max_position_embeddings": 32,
              "vocab_size": VOCABULARY, "hidden_act": "silu", "rms_norm_eps": EPSILON,
              "rope_theta": BASE, "rope_scaling": None, "tie_word_embeddings": False, "attention_bias": False,
              "mlp_bias": False, "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "bfloat16"}
    ids = list(IDS)
    for _ in range(8):
        ids.append(int(forward(w, ids)["logits"][-1].argmax()))
    print("  goes on with", ids[len(IDS):])
    common.save("llama", config, w, {**forward(w, IDS), "continuation": torch.tensor(ids[len(IDS):])})


if __name__ == "__main__":
    main()
