#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the golden files of models without a decoder of their own: language models and the classifier, as make_golden.py
does for encoder-decoders, on nn.TransformerEncoder and nn.LSTM. The batch is examples.source [B,S] and
examples.target [B,T], padded: windows of text (no source), or sentences and the ids of their labels.

    /usr/bin/python3 make_golden_stack.py [--out-dir DIR]
"""
import argparse
import json
import os

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import check_trace
import make_golden as golden
from safetensors_file import save

VOCABULARY, LABELS = 13, 3
WINDOWS = [[2, 4, 9, 12, 5, 2], [7, 4, 4, 11], [10, 6, 2]]
SENTENCES = [([4, 9, 12, 5], 5), ([7, 4, 4, 11, 3, 8], 4), ([10, 6], 6)]

SPECIAL = {"pad_id": golden.PAD, "bos_id": golden.BOS, "eos_id": golden.EOS, "unk_id": golden.UNK}
TRANSFORMER = {key: golden.BASE[key] for key in (
    "d_model", "num_heads", "d_ff", "dropout", "activation", "norm_order", "final_norm", "layer_norm_eps",
    "positional_encoding", "positional_base", "positional_combine", "scale_embeddings", "max_length")}
CASES = {
    "language_model": {
        **TRANSFORMER, **SPECIAL, "architecture": "language-model", "num_layers": 2, "norm_order": "pre",
        "final_norm": True, "activation": "gelu", "positional_encoding": "learned", "tie_embeddings": False,
        "source_vocab_size": VOCABULARY, "target_vocab_size": VOCABULARY},
    "rnn_language_model": {
        **SPECIAL, "architecture": "rnn-language-model", "cell": "lstm", "embedding_size": 6, "hidden_size": 8,
        "num_layers": 2, "dropout": 0.0, "max_length": 12, "source_vocab_size": VOCABULARY,
        "target_vocab_size": VOCABULARY},
    "classifier": {
        **TRANSFORMER, **SPECIAL, "architecture": "encoder-classifier", "num_layers": 2,
        "source_vocab_size": VOCABULARY, "target_vocab_size": 4 + LABELS},
}


def pad(rows):
    width = max(map(len, rows))
    return torch.tensor([row + [golden.PAD] * (width - len(row)) for row in rows])


class Stack(golden.Model):
    def __init__(self, config):
        nn.Module.__init__(self)
        self.config, d = config, config["d_model"]
        self.embedding = nn.Embedding(VOCABULARY, d)
        if config["positional_encoding"] == "learned":
            self.positions = nn.Embedding(config["max_length"], d)
        layer = nn.TransformerEncoderLayer(
            d, config["num_heads"], config["d_ff"], 0.0, golden.ACTIVATIONS[config["activation"]],
            config["layer_norm_eps"], batch_first=True, norm_first=config["norm_order"] == "pre")
        norm = nn.LayerNorm(d, config["layer_norm_eps"]) if config["final_norm"] else None
        self.transformer = nn.TransformerEncoder(layer, config["num_layers"], norm)
        if config["architecture"] == "language-model":
            self.generator = nn.Linear(d, VOCABULARY)
        else:
            self.classifier = nn.Linear(d, LABELS)

    def forward(self, ids):
        x = self.embed(self.embedding, ids)
        if self.config["architecture"] == "language-model":
            future = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu(1)
            return self.generator(self.transformer(x, mask=future, src_key_padding_mask=ids == golden.PAD))
        return self.classifier(self.transformer(x, src_key_padding_mask=ids == golden.PAD)[:, 0])


class Recurrent(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(VOCABULARY, config["embedding_size"])
        self.rnn = nn.LSTM(config["embedding_size"], config["hidden_size"], config["num_layers"], batch_first=True)
        self.generator = nn.Linear(config["hidden_size"], VOCABULARY)
        for name, weight in self.rnn.named_parameters():
            if "bias_hh" in name:
                weight.requires_grad_(False).zero_()

    def forward(self, ids):
        return self.generator(self.rnn(self.embedding(ids))[0])


def perturb(model):
    golden.perturb(model)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "bias_hh" in name:
                weight.zero_()
    return model.float().double()


def batch(config):
    """-> sources, targets, what the model reads, what it is to say"""
    if config["architecture"] == "encoder-classifier":
        sources, labels = [s for s, _ in SENTENCES], [[label] for _, label in SENTENCES]
        return sources, labels, [[golden.BOS] + s for s in sources], torch.tensor([label - 4 for _, label in SENTENCES])
    wanted = pad([window[1:] for window in WINDOWS]).flatten()
    return [], WINDOWS, [window[:-1] for window in WINDOWS], wanted


def make(case, index, folder):
    torch.manual_seed(300 + index)
    config = CASES[case]
    model = perturb((Recurrent if "rnn" in config["architecture"] else Stack)(config).double())
    sources, targets, read, wanted = batch(config)
    logits = model(pad(read)).flatten(0, -2)
    ignore = -100 if config["architecture"] == "encoder-classifier" else golden.PAD
    loss = F.cross_entropy(logits, wanted, ignore_index=ignore, label_smoothing=golden.LABEL_SMOOTHING)
    loss.backward()
    weights = {name: weight.detach().numpy() for name, weight in model.named_parameters()}
    expected = {
        "examples.target": pad(targets).numpy(), "loss": loss.detach().numpy(),
        "loss_unsmoothed": F.cross_entropy(logits, wanted, ignore_index=ignore).detach().numpy(),
        **{"gradient." + name: w.grad.numpy() for name, w in model.named_parameters() if w.grad is not None}}
    if sources:
        expected["examples.source"] = pad(sources).numpy()
    path = os.path.join(folder, case + ".safetensors")
    save(path, weights, {
        "format": "headlight", "headlight.version": "0.1.0", "headlight.config": json.dumps(config),
        "headlight.tokenizer.source": golden.tokenizer(VOCABULARY),
        "headlight.tokenizer.target": golden.tokenizer(config["target_vocab_size"]),
        "headlight.training": json.dumps({"data": "none: random weights", "steps": 0, "seed": 300 + index}),
    })
    # A trace begins with <bos> (classifier) or <eos> (language models).
    ids = np.array([golden.BOS, 4, 9, 12, 5] if sources else [golden.EOS, 4, 9, 12, 5])
    trace = check_trace.recompute(path, ids)
    alone = model(torch.tensor([ids.tolist()])).detach().numpy().reshape(trace["logits"].shape)
    assert np.allclose(trace["logits"], alone, atol=1e-10)
    expected.update({"trace." + name: value for name, value in trace.items()})
    save(os.path.join(folder, case + ".expected.safetensors"), expected, {"format": "headlight-golden"})
    print(f"{case}: loss {float(expected['loss']):.6f}, unsmoothed {float(expected['loss_unsmoothed']):.6f}")


def main():
    parser = argparse.ArgumentParser(description="Makes the golden files of language models and of the classifier.")
    parser.add_argument("--out-dir", default=os.path.dirname(os.path.abspath(__file__)))
    arguments = parser.parse_args()
    for index, case in enumerate(CASES):
        make(case, index, arguments.out_dir)


if __name__ == "__main__":
    main()
