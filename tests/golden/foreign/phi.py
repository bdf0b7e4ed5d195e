#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Phi 1 to 2: attention and network read one norm and are added together, a part of each head is turned, every map has
a bias, the head too.

    /usr/bin/python3 phi.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, layer_norm, linear, split_heads
from gpt_neox import turned

D, F, LAYERS, VOCABULARY, EPSILON, BASE = 20, 28, 2, 37, 1e-5, 10000.0
IDS = [3, 9, 11, 3, 36, 9, 9, 17]


def make_weights(seed, groups, heads):
    w, width = Weights(seed), D // heads
    w.new("model.embed_tokens.weight", VOCABULARY, D, std=0.7)
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        for name, count in (("q", heads), ("k", groups), ("v", groups)):
            w.linear(f"{layer}self_attn.{name}_proj", count * width, D)
        w.linear(layer + "self_attn.dense", D, D)
        w.linear(layer + "mlp.fc1", F, D)
        w.linear(layer + "mlp.fc2", D, F)
        w.norm(layer + "input_layernorm", D)
    w.norm("model.final_layernorm", D)
    w.linear("lm_head", VOCABULARY, D)
    return w


def forward(w, ids, heads, groups, share):
    trace = {"ids": torch.tensor(ids)}
    x, size = w["model.embed_tokens.weight"][ids], int(D // heads * share)
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        normal = layer_norm(w, layer + "input_layernorm", x, EPSILON)
        q, k, v = (split_heads(linear(w, f"{layer}self_attn.{name}_proj", normal), count)
                   for name, count in (("q", heads), ("k", groups), ("v", groups)))
        q, k = turned(q, size, BASE), turned(k, size, BASE)
        k, v = (each.repeat_interleave(heads // groups, 0) for each in (k, v))
        joined, trace[f"layers.{i}.self_attn.weights"] = attention(q, k, v, causal(len(ids)))
        hidden = ACTIVATIONS["gelu_new"](linear(w, layer + "mlp.fc1", normal))
        x = x + linear(w, layer + "self_attn.dense", joined) + linear(w, layer + "mlp.fc2", hidden)
    trace["output"] = layer_norm(w, "model.final_layernorm", x, EPSILON)
    trace["logits"] = linear(w, "lm_head", trace["output"])
    return trace


def save(folder, seed, heads, groups, share, **more):
    w = make_weights(seed, groups, heads)
    ids = list(IDS)
    for _ in range(6):
        ids.append(int(forward(w, ids, heads, groups, share)["logits"][-1].argmax()))
    config = {"model_type": "phi", "architectures": ["PhiForCausalLM"], "hidden_size": D, "num_hidden_layers": LAYERS,
              "num_attention_heads": heads, "num_key_value_heads": groups, "intermediate_size": F,
              "max_position_embeddings": 32, "vocab_size": VOCABULARY, "hidden_act": "gelu_new",
              "layer_norm_eps": EPSILON, "rope_theta": BASE, "tie_word_embeddings": False, "qk_layernorm": False,
              "bos_token_id": 3, "eos_token_id": 3, **more}
    common.save(folder, config, w, {**forward(w, IDS, heads, groups, share),
                                    "continuation": torch.tensor(ids[len(IDS):])})


def main():
    save("phi", 231, 2, 2, 0.4, partial_rotary_factor=0.4, rope_scaling=None)
    save("phi_one_head", 232, 1, 1, 0.5)


if __name__ == "__main__":
    main()
