#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GPT-Neo: GPT-2's shape in torch.nn.Linear's layout, queries, keys and values without biases, scores that nothing
divides, layers that see all words and layers that see a window of them.

    /usr/bin/python3 gpt_neo.py
"""
import math

import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, layer_norm, linear, split_heads

D, F, LAYERS, POSITIONS, VOCABULARY, EPSILON, WINDOW = 15, 22, 3, 24, 43, 1e-5, 3
IDS = [5, 9, 11, 3, 42, 9, 9, 17]


def make_weights(seed):
    w = Weights(seed)
    w.new("transformer.wte.weight", VOCABULARY, D, std=0.5)
    w.new("transformer.wpe.weight", POSITIONS, D, std=0.3)
    for i in range(LAYERS):
        layer = f"transformer.h.{i}."
        w.norm(layer + "ln_1", D)
        w.norm(layer + "ln_2", D)
        for name in "qkv":
            w.linear(f"{layer}attn.attention.{name}_proj", D, D, bias=False)
        w.linear(layer + "attn.attention.out_proj", D, D)
        w.linear(layer + "mlp.c_fc", F, D)
        w.linear(layer + "mlp.c_proj", D, F)
    w.norm("transformer.ln_f", D)
    return w


def forward(w, ids, heads, local):
    trace, place = {"ids": torch.tensor(ids)}, torch.arange(len(ids))
    near = causal(len(ids)).masked_fill(place[:, None] - place[None] >= WINDOW, -math.inf)
    x = w["transformer.wte.weight"][ids] + w["transformer.wpe.weight"][:len(ids)]
    for i in range(LAYERS):
        layer = f"transformer.h.{i}."
        normal = layer_norm(w, layer + "ln_1", x, EPSILON)
        q, k, v = (split_heads(linear(w, f"{layer}attn.attention.{name}_proj", normal), heads) for name in "qkv")
        joined, trace[f"layers.{i}.self_attn.weights"] = attention(
            q, k, v, near if i in local else causal(len(ids)), scale=1)
        x = x + linear(w, layer + "attn.attention.out_proj", joined)
        hidden = ACTIVATIONS["gelu_new"](linear(w, layer + "mlp.c_fc", layer_norm(w, layer + "ln_2", x, EPSILON)))
        x = x + linear(w, layer + "mlp.c_proj", hidden)
    trace["output"] = layer_norm(w, "transformer.ln_f", x, EPSILON)
    trace["logits"] = trace["output"] @ w["transformer.wte.weight"].T
    return trace


def save(folder, seed, heads, local, extra=False, **more):
    w = make_weights(seed)
    ids = list(IDS)
    for _ in range(6):
        ids.append(int(forward(w, ids, heads, local)["logits"][-1].argmax()))
    config = {"model_type": "gpt_neo", "architectures": ["GPTNeoForCausalLM"], "hidden_size": D, "num_layers": LAYERS,
              "num_heads": heads, "intermediate_size": F, "max_position_embeddings": POSITIONS,
              "vocab_size": VOCABULARY, "activation_function": "gelu_new", "layer_norm_epsilon": EPSILON,
              "window_size": WINDOW, "bos_token_id": 42, "eos_token_id": 42, **more}
    stored = w.stored()
    if extra:
        stored["transformer.h.0.attn.attention.bias"] = torch.ones(1, 1, POSITIONS, POSITIONS, dtype=torch.uint8).tril()
        stored["transformer.h.0.attn.attention.masked_bias"] = torch.tensor(-1e9)
        stored["lm_head.weight"] = stored["transformer.wte.weight"]
    common.save(folder, config, stored, {**forward(w, IDS, heads, local),
                                         "continuation": torch.tensor(ids[len(IDS):])})


def main():
    save("gpt_neo", 241, 3, {1}, extra=True, attention_types=[[["global", "local"], 1], [["global"], 1]],
         attention_layers=["global", "local", "global"])
    save("gpt_neo_local", 242, 1, {0, 1, 2}, attention_types=[[["local"], 3]])


if __name__ == "__main__":
    main()
