#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""RoBERTa, XLM-RoBERTa and CamemBERT: BERT's layers, positions that begin behind the pad id, heads of their own: one that
says words, one that names a sentence's label, or none.

    /usr/bin/python3 roberta.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, layer_norm, linear, split_heads

D, F, LAYERS, POSITIONS, VOCABULARY, PAD = 18, 26, 2, 20, 42, 1
IDS = [0, 9, 11, 3, 41, 9, 2, 17, 2]


def make_weights(seed, types):
    w = Weights(seed)
    e = "roberta.embeddings."
    w.new(e + "word_embeddings.weight", VOCABULARY, D, std=0.5)
    w.new(e + "position_embeddings.weight", POSITIONS, D, std=0.3)
    w.new(e + "token_type_embeddings.weight", types, D, std=0.3)
    w.norm(e + "LayerNorm", D)
    for i in range(LAYERS):
        layer = f"roberta.encoder.layer.{i}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            w.linear(layer + name, D, D)
        w.norm(layer + "attention.output.LayerNorm", D)
        w.linear(layer + "intermediate.dense", F, D)
        w.linear(layer + "output.dense", D, F)
        w.norm(layer + "output.LayerNorm", D)
    return w


def forward(w, ids, heads, epsilon, activation="gelu"):
    trace = {"ids": torch.tensor(ids)}
    e, first = "roberta.embeddings.", PAD + 1
    x = (w[e + "word_embeddings.weight"][ids] + w[e + "token_type_embeddings.weight"][0]
         + w[e + "position_embeddings.weight"][first:first + len(ids)])
    x = layer_norm(w, e + "LayerNorm", x, epsilon)
    for i in range(LAYERS):
        layer = f"roberta.encoder.layer.{i}."
        q, k, v = (split_heads(linear(w, layer + "attention.self." + name, x), heads)
                   for name in ("query", "key", "value"))
        joined, trace[f"layers.{i}.self_attn.weights"] = attention(q, k, v)
        x = layer_norm(w, layer + "attention.output.LayerNorm",
                       x + linear(w, layer + "attention.output.dense", joined), epsilon)
        hidden = ACTIVATIONS[activation](linear(w, layer + "intermediate.dense", x))
        x = layer_norm(w, layer + "output.LayerNorm", x + linear(w, layer + "output.dense", hidden), epsilon)
    trace["output"] = x
    return trace


def filled_in(w, trace, epsilon):
    head = layer_norm(w, "lm_head.layer_norm", ACTIVATIONS["gelu"](linear(w, "lm_head.dense", trace["output"])), epsilon)
    own = "lm_head.decoder.weight"
    table = own if own in w else "roberta.embeddings.word_embeddings.weight"
    trace["logits"] = head @ w[table].T + w["lm_head.bias"]
    return trace


def with_word_head(w):
    w.linear("lm_head.dense", D, D)
    w.norm("lm_head.layer_norm", D)
    w.new("lm_head.bias", VOCABULARY)
    return w


def config(kind, name, heads, types, **more):
    return {"model_type": kind, "architectures": [name], "hidden_size": D, "num_hidden_layers": LAYERS,
            "num_attention_heads": heads, "intermediate_size": F, "max_position_embeddings": POSITIONS,
            "type_vocab_size": types, "vocab_size": VOCABULARY, "hidden_act": "gelu", "layer_norm_eps": 1e-5,
            "bos_token_id": 0, "pad_token_id": PAD, "eos_token_id": 2, **more}


def main():
    w = with_word_head(make_weights(261, 1))
    stored = w.stored()
    stored["roberta.embeddings.position_ids"] = torch.arange(POSITIONS)[None]
    stored["lm_head.decoder.bias"] = stored["lm_head.bias"]
    common.save("roberta", config("roberta", "RobertaForMaskedLM", 3, 1), stored,
                filled_in(w, forward(w, IDS, 3, 1e-5), 1e-5))

    w = make_weights(262, 1)
    w.linear("classifier.dense", D, D)
    w.linear("classifier.out_proj", 3, D)
    trace = forward(w, IDS, 2, 1e-5, "relu")
    trace["head.hidden"] = linear(w, "classifier.dense", trace["output"][:1])
    trace["head.activation"] = torch.tanh(trace["head.hidden"])
    trace["logits"] = linear(w, "classifier.out_proj", trace["head.activation"])
    labels = ["negative", "neutral", "positive"]
    common.save("roberta_classifier", config(
        "roberta", "RobertaForSequenceClassification", 2, 1, hidden_act="relu", id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)}), w, trace)

    w = make_weights(263, 2)
    w.linear("roberta.pooler.dense", D, D)
    trace = forward(w, IDS, 1, 1e-5)
    trace["head.hidden"] = linear(w, "roberta.pooler.dense", trace["output"][:1])
    trace["head.activation"] = torch.tanh(trace["head.hidden"])
    stored = {name.removeprefix("roberta."): value for name, value in w.stored().items()}
    common.save("xlm_roberta_model", config("xlm-roberta", "XLMRobertaModel", 1, 2), stored, trace)

    w = with_word_head(make_weights(264, 1))
    w.new("lm_head.decoder.weight", VOCABULARY, D)
    common.save("camembert", config("camembert", "CamembertForMaskedLM", 3, 1, tie_word_embeddings=False,
                                    layer_norm_eps=1e-3), w, filled_in(w, forward(w, IDS, 3, 1e-3), 1e-3))


if __name__ == "__main__":
    main()
