#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""OPT: learned positions that begin at the third row, norms before the sublayers; and one with norms behind them,
another activation, no biases of maps and a head of its own.

    /usr/bin/python3 opt.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, layer_norm, linear, split_heads

D, F, LAYERS, POSITIONS, VOCABULARY = 18, 25, 2, 20, 40
IDS = [2, 9, 11, 3, 39, 9, 9, 17]


def make_weights(seed, biased, before, tied, dtype):
    w = Weights(seed, dtype)
    w.new("model.decoder.embed_tokens.weight", VOCABULARY, D, std=0.5)
    w.new("model.decoder.embed_positions.weight", POSITIONS + 2, D, std=0.3)
    for i in range(LAYERS):
        layer = f"model.decoder.layers.{i}."
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            w.linear(f"{layer}self_attn.{name}", D, D, bias=biased)
        w.linear(layer + "fc1", F, D, bias=biased)
        w.linear(layer + "fc2", D, F, bias=biased)
        w.norm(layer + "self_attn_layer_norm", D)
        w.norm(layer + "final_layer_norm", D)
    if before:
        w.norm("model.decoder.final_layer_norm", D)
    if not tied:
        w.linear("lm_head", VOCABULARY, D, bias=False)
    return w


def forward(w, ids, heads, activation, before):
    trace = {"ids": torch.tensor(ids)}
    x = w["model.decoder.embed_tokens.weight"][ids] + w["model.decoder.embed_positions.weight"][2:2 + len(ids)]

    def attend(layer, y, i):
        q, k, v = (split_heads(linear(w, f"{layer}self_attn.{name}_proj", y), heads) for name in "qkv")
        joined, trace[f"layers.{i}.self_attn.weights"] = attention(q, k, v, causal(len(ids)))
        return linear(w, layer + "self_attn.out_proj", joined)

    for i in range(LAYERS):
        layer = f"model.decoder.layers.{i}."
        network = lambda y: linear(w, layer + "fc2", ACTIVATIONS[activation](linear(w, layer + "fc1", y)))
        for name, block in (("self_attn_layer_norm", lambda y: attend(layer, y, i)), ("final_layer_norm", network)):
            if before:
                x = x + block(layer_norm(w, layer + name, x, 1e-5))
            else:
                x = layer_norm(w, layer + name, x + block(x), 1e-5)
    trace["output"] = layer_norm(w, "model.decoder.final_layer_norm", x, 1e-5) if before else x
    table = "lm_head" if "lm_head.weight" in w else "model.decoder.embed_tokens"
    trace["logits"] = trace["output"] @ w[table + ".weight"].T
    return trace


def save(folder, seed, heads, activation, biased, before, tied, dtype=torch.float32, **more):
    w = make_weights(seed, biased, before, tied, dtype)
    ids = list(IDS)
    for _ in range(6):
        ids.append(int(forward(w, ids, heads, activation, before)["logits"][-1].argmax()))
    config = {"model_type": "opt", "architectures": ["OPTForCausalLM"], "hidden_size": D, "word_embed_proj_dim": D,
              "num_hidden_layers": LAYERS, "num_attention_heads": heads, "ffn_dim": F,
              "max_position_embeddings": POSITIONS, "vocab_size": VOCABULARY, "activation_function": activation,
              "do_layer_norm_before": before, "pad_token_id": 1, "bos_token_id": 2, "eos_token_id": 2, **more}
    common.save(folder, config, w, {**forward(w, IDS, heads, activation, before),
                                    "continuation": torch.tensor(ids[len(IDS):])})


def main():
    save("opt", 251, 3, "relu", True, True, True, torch.float16)
    save("opt_norms_behind", 252, 1, "gelu", False, False, False, enable_bias=False, tie_word_embeddings=False)


if __name__ == "__main__":
    main()
