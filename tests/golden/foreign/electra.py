#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ELECTRA: BERT's layers without a pooler. Its discriminator as ElectraForPreTraining keeps it, whose words are as wide as
its layers, and which tells replaced words from others; its generator and a classifier of sentences, whose words are
narrower and go through a map. The two heads have the exact GELU, whatever the layers have.

    /usr/bin/python3 electra.py
"""
import bert
import common
from common import ACTIVATIONS, layer_norm, linear

LABELS = ["no", "yes", "both"]


def save(folder, name, w, trace, words, **more):
    stored = {key.replace("bert.", "electra.", 1): value for key, value in w.stored().items()
              if not key.startswith("bert.pooler.")}
    settings = bert.config(embedding_size=words) | {"model_type": "electra", "architectures": [name], **more}
    common.save(folder, settings, stored, trace)


def main():
    w = bert.make_weights(17)
    trace = bert.forward(w, bert.IDS, [0] * len(bert.IDS))
    w.linear("discriminator_predictions.dense", bert.D, bert.D)
    w.linear("discriminator_predictions.dense_prediction", 1, bert.D)
    trace["head.hidden"] = linear(w, "discriminator_predictions.dense", trace["output"])
    trace["head.activation"] = ACTIVATIONS["gelu"](trace["head.hidden"])
    trace["replaced"] = linear(w, "discriminator_predictions.dense_prediction", trace["head.activation"])
    save("electra", "ElectraForPreTraining", w, trace, bert.D)

    words = 10
    w = bert.make_weights(301, words=words)
    w.linear("generator_predictions.dense", words, bert.D)
    w.norm("generator_predictions.LayerNorm", words)
    w.new("generator_lm_head.bias", bert.VOCABULARY)
    trace = bert.forward(w, bert.IDS, [0] * len(bert.IDS), epsilon=1e-3)
    trace["head.hidden"] = linear(w, "generator_predictions.dense", trace["output"])
    trace["head.activation"] = ACTIVATIONS["gelu"](trace["head.hidden"])
    trace["head.norm"] = layer_norm(w, "generator_predictions.LayerNorm", trace["head.activation"], 1e-3)
    trace["logits"] = trace["head.norm"] @ w["bert.embeddings.word_embeddings.weight"].T + w["generator_lm_head.bias"]
    save("electra_generator", "ElectraForMaskedLM", w, trace, words, layer_norm_eps=1e-3, tie_word_embeddings=True)

    words = 21
    w = bert.make_weights(302, types=1, words=words)
    w.linear("classifier.dense", bert.D, bert.D)
    w.linear("classifier.out_proj", len(LABELS), bert.D)
    trace = bert.forward(w, bert.IDS, [0] * len(bert.IDS), "relu")
    trace["head.hidden"] = linear(w, "classifier.dense", trace["output"][:1])
    trace["head.activation"] = ACTIVATIONS["gelu"](trace["head.hidden"])
    trace["logits"] = linear(w, "classifier.out_proj", trace["head.activation"])
    save("electra_classifier", "ElectraForSequenceClassification", w, trace, words, type_vocab_size=1, hidden_act="relu",
         id2label=dict(enumerate(LABELS)), label2id={label: i for i, label in enumerate(LABELS)})


if __name__ == "__main__":
    main()
