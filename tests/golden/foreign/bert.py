#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""BERT with its masked-word head, under the names of old files (gamma and beta for a norm's weight and bias).

    /usr/bin/python3 bert.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, layer_norm, linear, split_heads

D, F, LAYERS, HEADS, VOCABULARY, POSITIONS, TYPES = 16, 40, 2, 4, 47, 20, 2
EPSILON = 1e-12
IDS = [2, 10, 11, 3, 46, 20, 4, 17, 3]


def make_weights(seed):
    w = Weights(seed)
    for name, rows in (("word", VOCABULARY), ("position", POSITIONS), ("token_type", TYPES)):
        w.new(f"bert.embeddings.{name}_embeddings.weight", rows, D, std=0.6)
    w.norm("bert.embeddings.LayerNorm", D)
    for i in range(LAYERS):
        layer = f"bert.encoder.layer.{i}."
        for name in ("query", "key", "value"):
            w.linear(layer + "attention.self." + name, D, D)
        w.linear(layer + "attention.output.dense", D, D)
        w.norm(layer + "attention.output.LayerNorm", D)
        w.linear(layer + "intermediate.dense", F, D)
        w.linear(layer + "output.dense", D, F)
        w.norm(layer + "output.LayerNorm", D)
    w.linear("bert.pooler.dense", D, D)
    w.linear("cls.predictions.transform.dense", D, D)
    w.norm("cls.predictions.transform.LayerNorm", D)
    w.new("cls.predictions.bias", VOCABULARY)
    w.linear("cls.seq_relationship", 2, D)
    return w


def forward(w, ids, types):
    """-> trace"""
    trace = {"ids": torch.tensor(ids)}
    e = "bert.embeddings."
    x = (w[e + "word_embeddings.weight"][ids] + w[e + "token_type_embeddings.weight"][types]
         + w[e + "position_embeddings.weight"][:len(ids)])
    x = layer_norm(w, e + "LayerNorm", x, EPSILON)
    for i in range(LAYERS):
        layer = f"bert.encoder.layer.{i}."
        q, k, v = (split_heads(linear(w, layer + "attention.self." + name, x), HEADS)
                   for name in ("query", "key", "value"))
        joined, weights = attention(q, k, v)
        trace[f"layers.{i}.self_attn.weights"] = weights
        x = layer_norm(w, layer + "attention.output.LayerNorm",
                       x + linear(w, layer + "attention.output.dense", joined), EPSILON)
        hidden = ACTIVATIONS["gelu"](linear(w, layer + "intermediate.dense", x))
        x = layer_norm(w, layer + "output.LayerNorm", x + linear(w, layer + "output.dense", hidden), EPSILON)
    trace["output"] = x
    head = ACTIVATIONS["gelu"](linear(w, "cls.predictions.transform.dense", x))
    head = layer_norm(w, "cls.predictions.transform.LayerNorm", head, EPSILON)
    trace["logits"] = head @ w[e + "word_embeddings.weight"].T + w["cls.predictions.bias"]
    return trace


def main():
    w = make_weights(11)
    config = {"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": D, "num_hidden_layers": LAYERS,
              "num_attention_heads": HEADS, "intermediate_size": F, "max_position_embeddings": POSITIONS,
              "type_vocab_size": TYPES, "vocab_size": VOCABULARY, "hidden_act": "gelu", "layer_norm_eps": EPSILON,
              "pad_token_id": 0, "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1}
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    stored = {}
    for name, value in w.stored().items():
        for new_name, old_name in old.items():
            name = name.replace(new_name, old_name)
        stored[name] = value
    stored["bert.embeddings.position_ids"] = torch.arange(POSITIONS)[None]
    common.save("bert", config, stored, forward(w, IDS, [0] * len(IDS)))


if __name__ == "__main__":
    main()
