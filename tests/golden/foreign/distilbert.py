#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""DistilBERT with its masked-word head: BERT without token types, under other names.

    /usr/bin/python3 distilbert.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, layer_norm, linear, split_heads

D, F, LAYERS, HEADS, VOCABULARY, POSITIONS = 16, 32, 2, 2, 45, 20
EPSILON = 1e-12
IDS = [2, 10, 11, 3, 44, 20, 4, 17, 3]


def make_weights(seed):
    w = Weights(seed)
    for name, rows in (("word", VOCABULARY), ("position", POSITIONS)):
        w.new(f"distilbert.embeddings.{name}_embeddings.weight", rows, D, std=0.6)
    w.norm("distilbert.embeddings.LayerNorm", D)
    for i in range(LAYERS):
        layer = f"distilbert.transformer.layer.{i}."
        for name in ("q_lin", "k_lin", "v_lin", "out_lin"):
            w.linear(layer + "attention." + name, D, D)
        w.norm(layer + "sa_layer_norm", D)
        w.linear(layer + "ffn.lin1", F, D)
        w.linear(layer + "ffn.lin2", D, F)
        w.norm(layer + "output_layer_norm", D)
    w.linear("vocab_transform", D, D)
    w.norm("vocab_layer_norm", D)
    w.new("vocab_projector.bias", VOCABULARY)
    w.put("vocab_projector.weight", w["distilbert.embeddings.word_embeddings.weight"])
    return w


def forward(w, ids):
    """-> trace"""
    trace = {"ids": torch.tensor(ids)}
    e = "distilbert.embeddings."
    x = w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][:len(ids)]
    x = layer_norm(w, e + "LayerNorm", x, EPSILON)
    for i in range(LAYERS):
        layer = f"distilbert.transformer.layer.{i}."
        q, k, v = (split_heads(linear(w, f"{layer}attention.{name}_lin", x), HEADS) for name in "qkv")
        joined, weights = attention(q, k, v)
        trace[f"layers.{i}.self_attn.weights"] = weights
        x = layer_norm(w, layer + "sa_layer_norm", x + linear(w, layer + "attention.out_lin", joined), EPSILON)
        hidden = ACTIVATIONS["gelu"](linear(w, layer + "ffn.lin1", x))
        x = layer_norm(w, layer + "output_layer_norm", x + linear(w, layer + "ffn.lin2", hidden), EPSILON)
    trace["output"] = x
    head = layer_norm(w, "vocab_layer_norm", ACTIVATIONS["gelu"](linear(w, "vocab_transform", x)), EPSILON)
    trace["logits"] = linear(w, "vocab_projector", head)
    return trace


def main():
    w = make_weights(12)
    config = {"model_type": "distilbert", "architectures": ["DistilBertForMaskedLM"], "dim": D, "n_layers": LAYERS,
              "n_heads": HEADS, "hidden_dim": F, "max_position_embeddings": POSITIONS, "vocab_size": VOCABULARY,
              "activation": "gelu", "pad_token_id": 0, "dropout": 0.1, "attention_dropout": 0.1,
              "sinusoidal_pos_embds": False, "tie_weights_": True}
    common.save("distilbert", config, w, forward(w, IDS))


if __name__ == "__main__":
    main()
