#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""BERT with its masked-word head, under the names of old files (gamma and beta for a norm's weight and bias), and with
settings that are none of the usual, under today's names: another activation, one kind of segment, a head of its own. With
a head that names a sentence's label; and without a head, as BertModel keeps it.

    /usr/bin/python3 bert.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, layer_norm, linear, split_heads

D, F, LAYERS, HEADS, VOCABULARY, POSITIONS = 16, 40, 2, 4, 47, 20
LABELS = ["very negative", "negative", "positive"]
IDS = [2, 10, 11, 3, 46, 20, 4, 17, 3]


def make_weights(seed, types=2, words=D):
    """`words`: their width; where it is another than the layers' a map leads from the one to the other (ELECTRA)."""
    w = Weights(seed)
    for name, rows in (("word", VOCABULARY), ("position", POSITIONS), ("token_type", types)):
        w.new(f"bert.embeddings.{name}_embeddings.weight", rows, words, std=0.6)
    w.norm("bert.embeddings.LayerNorm", words)
    if words != D:
        w.linear("bert.embeddings_project", D, words)
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
    return w


def with_word_head(w):
    w.linear("cls.predictions.transform.dense", D, D)
    w.norm("cls.predictions.transform.LayerNorm", D)
    w.new("cls.predictions.bias", VOCABULARY)
    w.linear("cls.seq_relationship", 2, D)
    return w


def forward(w, ids, types, activation="gelu", epsilon=1e-12):
    """-> trace"""
    trace = {"ids": torch.tensor(ids)}
    e = "bert.embeddings."
    x = (w[e + "word_embeddings.weight"][ids] + w[e + "token_type_embeddings.weight"][types]
         + w[e + "position_embeddings.weight"][:len(ids)])
    x = layer_norm(w, e + "LayerNorm", x, epsilon)
    if "bert.embeddings_project.weight" in w:
        x = linear(w, "bert.embeddings_project", x)
    for i in range(LAYERS):
        layer = f"bert.encoder.layer.{i}."
        q, k, v = (split_heads(linear(w, layer + "attention.self." + name, x), HEADS)
                   for name in ("query", "key", "value"))
        joined, weights = attention(q, k, v)
        trace[f"layers.{i}.self_attn.weights"] = weights
        x = layer_norm(w, layer + "attention.output.LayerNorm",
                       x + linear(w, layer + "attention.output.dense", joined), epsilon)
        hidden = ACTIVATIONS[activation](linear(w, layer + "intermediate.dense", x))
        x = layer_norm(w, layer + "output.LayerNorm", x + linear(w, layer + "output.dense", hidden), epsilon)
    trace["output"] = x
    return trace


def pooled(w, trace):
    trace["head.hidden"] = linear(w, "bert.pooler.dense", trace["output"][:1])
    trace["head.activation"] = torch.tanh(trace["head.hidden"])
    return trace


def labelled(w, trace):
    trace = pooled(w, trace)
    trace["logits"] = linear(w, "classifier", trace["head.activation"])
    return trace


def filled_in(w, trace, activation="gelu", epsilon=1e-12):
    x, e = trace["output"], "bert.embeddings."
    head = ACTIVATIONS[activation](linear(w, "cls.predictions.transform.dense", x))
    head = layer_norm(w, "cls.predictions.transform.LayerNorm", head, epsilon)
    table = "cls.predictions.decoder.weight"
    trace["logits"] = head @ w[table if table in w else e + "word_embeddings.weight"].T + w["cls.predictions.bias"]
    return trace


def config(types=2, **more):
    return {"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": D, "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS, "intermediate_size": F, "max_position_embeddings": POSITIONS,
            "type_vocab_size": types, "vocab_size": VOCABULARY, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
            "pad_token_id": 0, "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1, **more}


def main():
    w = with_word_head(make_weights(11))
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    stored = {}
    for name, value in w.stored().items():
        for new_name, old_name in old.items():
            name = name.replace(new_name, old_name)
        stored[name] = value
    stored["bert.embeddings.position_ids"] = torch.arange(POSITIONS)[None]
    common.save("bert", config(), stored, filled_in(w, forward(w, IDS, [0] * len(IDS))))

    w = with_word_head(make_weights(13, types=1))
    w.new("cls.predictions.decoder.weight", VOCABULARY, D)
    w.put("cls.predictions.decoder.bias", w["cls.predictions.bias"].float())
    settings = config(types=1, hidden_act="relu", layer_norm_eps=1e-2, tie_word_embeddings=False,
                      position_embedding_type="absolute")
    trace = forward(w, IDS, [0] * len(IDS), "relu", 1e-2)
    common.save("bert_settings", settings, w, filled_in(w, trace, "relu", 1e-2))

    w = make_weights(15)
    w.linear("classifier", len(LABELS), D)
    settings = config(architectures=["BertForSequenceClassification"], id2label=dict(enumerate(LABELS)),
                      label2id={label: i for i, label in enumerate(LABELS)},
                      problem_type="single_label_classification")
    common.save("bert_classifier", settings, w, labelled(w, forward(w, IDS, [0] * len(IDS))))

    w = make_weights(16)
    stored = {name.removeprefix("bert."): value for name, value in w.stored().items()}
    common.save("bert_model", config(architectures=["BertModel"]), stored, pooled(w, forward(w, IDS, [0] * len(IDS))))


if __name__ == "__main__":
    main()
