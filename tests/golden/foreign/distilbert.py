#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""DistilBERT with its masked-word head: BERT without token types, under other names; and with another activation and a
head of its own. With a head that names a sentence's label; and without a head.

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
    return w


def with_word_head(w):
    w.linear("vocab_transform", D, D)
    w.norm("vocab_layer_norm", D)
    w.new("vocab_projector.bias", VOCABULARY)
    w.put("vocab_projector.weight", w["distilbert.embeddings.word_embeddings.weight"])
    return w


def forward(w, ids, activation="gelu"):
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
        hidden = ACTIVATIONS[activation](linear(w, layer + "ffn.lin1", x))
        x = layer_norm(w, layer + "output_layer_norm", x + linear(w, layer + "ffn.lin2", hidden), EPSILON)
    trace["output"] = x
    return trace


def labelled(w, trace):
    trace["head.hidden"] = linear(w, "pre_classifier", trace["output"][:1])
    trace["head.activation"] = torch.relu(trace["head.hidden"])
    trace["logits"] = linear(w, "classifier", trace["head.activation"])
    return trace


def filled_in(w, trace, activation="gelu"):
    x = trace["output"]
    head = layer_norm(w, "vocab_layer_norm", ACTIVATIONS[activation](linear(w, "vocab_transform", x)), EPSILON)
    trace["logits"] = linear(w, "vocab_projector", head)
    return trace


def config(**more):
    return {"model_type": "distilbert", "architectures": ["DistilBertForMaskedLM"], "dim": D, "n_layers": LAYERS,
            "n_heads": HEADS, "hidden_dim": F, "max_position_embeddings": POSITIONS, "vocab_size": VOCABULARY,
            "activation": "gelu", "pad_token_id": 0, "dropout": 0.1, "attention_dropout": 0.1,
            "sinusoidal_pos_embds": False, "tie_weights_": True, **more}


def main():
    w = with_word_head(make_weights(12))
    common.save("distilbert", config(), w, filled_in(w, forward(w, IDS)))

    w = with_word_head(make_weights(14))
    w.new("vocab_projector.weight", VOCABULARY, D)
    settings = config(activation="gelu_new", tie_word_embeddings=False, sinusoidal_pos_embds=True)
    common.save("distilbert_settings", settings, w, filled_in(w, forward(w, IDS, "gelu_new"), "gelu_new"))

    w = make_weights(17)
    w.linear("pre_classifier", D, D)
    w.linear("classifier", 2, D)
    settings = config(architectures=["DistilBertForSequenceClassification"])  # the labels have no names
    common.save("distilbert_classifier", settings, w, labelled(w, forward(w, IDS)))

    w = make_weights(18)
    common.save("distilbert_model", config(architectures=["DistilBertModel"]), w, forward(w, IDS))


if __name__ == "__main__":
    main()
