#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the golden files of recurrent encoder-decoders, as make_golden.py does for Transformers: nn.RNN, nn.GRU and
nn.LSTM of PyTorch's, on packed sequences, for logits, loss and gradients; the trace comes from check_trace_rnn.py's
plain algebra and must agree with what those modules put out.

    /usr/bin/python3 make_golden_rnn.py [--out-dir DIR]
"""
import argparse
import json
import os

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import check_trace_rnn
import make_golden as golden
from safetensors_file import save

BASE = {
    "architecture": "rnn", "cell": "lstm", "embedding_size": 6, "hidden_size": 8, "num_layers": 1,
    "bidirectional": False, "context": "initial_state", "attention": "none", "dropout": 0.0, "max_length": 12,
    "source_vocab_size": golden.SOURCE_VOCABULARY, "target_vocab_size": golden.TARGET_VOCABULARY,
    "pad_id": golden.PAD, "bos_id": golden.BOS, "eos_id": golden.EOS, "unk_id": golden.UNK,
}
CASES = {
    "rnn_dot": {"cell": "rnn", "attention": "dot"},
    "gru_general_two_ways": {"cell": "gru", "attention": "general", "bidirectional": True, "num_layers": 2},
    "lstm_additive_every_input": {"attention": "additive", "context": "every_input"},
    "lstm_scaled_dot_two_ways": {"attention": "scaled_dot", "bidirectional": True},
    "lstm_none_deep": {"num_layers": 2},
    "gru_none_every_input": {"cell": "gru", "context": "every_input"},
}
MODULES = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        e, h, layers = config["embedding_size"], config["hidden_size"], config["num_layers"]
        joined = config["context"] == "every_input"
        self.source_embedding = nn.Embedding(config["source_vocab_size"], e)
        self.target_embedding = nn.Embedding(config["target_vocab_size"], e)
        module = MODULES[config["cell"]]
        self.encoder = module(e, h, layers, batch_first=True, bidirectional=config["bidirectional"])
        self.decoder = module(e + h if joined else e, h, layers, batch_first=True)
        if config["bidirectional"]:
            self.bridge = nn.Linear(2 * h, h)
        if config["attention"] != "none":
            self.attention = nn.Module()
            if config["attention"] in ("general", "additive"):
                self.attention.key = nn.Linear(h, h, bias=False)
            if config["attention"] == "additive":
                self.attention.query = nn.Linear(h, h, bias=False)
                self.attention.energy = nn.Linear(h, 1, bias=False)
            self.combine = nn.Linear(2 * h, h)
        self.generator = nn.Linear(h, config["target_vocab_size"])

    def merge(self, state):
        """[layers·directions, B, h] -> [layers, B, h] through the bridge"""
        if not self.config["bidirectional"]:
            return state
        both = state.reshape(self.config["num_layers"], 2, *state.shape[1:])
        return torch.tanh(self.bridge(torch.cat([both[:, 0], both[:, 1]], dim=-1)))

    def encode(self, source):
        lengths = (source != golden.PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.source_embedding(source), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.encoder(packed)
        outputs, _ = nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)
        if self.config["bidirectional"]:
            outputs = torch.tanh(self.bridge(outputs))
        state = tuple(map(self.merge, state)) if self.config["cell"] == "lstm" else self.merge(state)
        return outputs, state

    def scores(self, s, h):
        kind = self.config["attention"]
        if kind == "additive":
            return self.attention.energy(
                torch.tanh(self.attention.key(h)[:, None] + self.attention.query(s)[:, :, None])).squeeze(-1)
        if kind == "general":
            h = self.attention.key(h)
        return s @ h.transpose(1, 2) / (h.shape[-1] ** 0.5 if kind == "scaled_dot" else 1)

    def forward(self, source, target):
        outputs, state = self.encode(source)
        x = self.target_embedding(target)
        if self.config["context"] == "every_input":
            thought = (state[0] if self.config["cell"] == "lstm" else state)[-1]
            x, state = torch.cat([x, thought[:, None].expand(-1, x.shape[1], -1)], dim=-1), None
        s, _ = self.decoder(x, state)
        if self.config["attention"] != "none":
            hidden = (source == golden.PAD)[:, None]
            weights = torch.softmax(self.scores(s, outputs).masked_fill(hidden, -torch.inf), dim=-1)
            s = torch.tanh(self.combine(torch.cat([weights @ outputs, s], dim=-1)))
        return self.generator(s)


def is_second_bias(name, config):
    return ".bias_hh_" in name and config["cell"] != "gru"


def perturb(model):
    """Biases away from 0, but for those that a file holds as zeros; then single precision's values."""
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if is_second_bias(name, model.config):
                weight.zero_()
            elif weight.dim() == 1:
                weight.uniform_(-0.4, 0.4)
    return model.float().double()


def expectations(model):
    batch = golden.padded_batch()
    logits = model(batch["batch.source"], batch["batch.target_input"])
    wanted = batch["batch.target_output"].flatten()
    loss = F.cross_entropy(
        logits.flatten(0, 1), wanted, ignore_index=golden.PAD, label_smoothing=golden.LABEL_SMOOTHING)
    loss.backward()
    found = {name: value.numpy() for name, value in batch.items()}
    found["loss"] = loss.detach().numpy()
    found["loss_unsmoothed"] = F.cross_entropy(logits.flatten(0, 1), wanted, ignore_index=golden.PAD).detach().numpy()
    for name, weight in model.named_parameters():
        if not is_second_bias(name, model.config):
            found["gradient." + name] = weight.grad.numpy()
    source, target = golden.PAIRS[0][0], [golden.BOS] + golden.PAIRS[0][1]
    weights = {name: weight.detach().numpy() for name, weight in model.named_parameters()}
    trace = check_trace_rnn.Recomputation(weights, model.config, ()).run(np.array(source), np.array(target))
    outputs, _ = model.encode(torch.tensor([source]))
    assert np.allclose(trace["encoder.output"], outputs[0].detach().numpy(), atol=1e-10)
    assert np.allclose(trace["logits"], model(torch.tensor([source]), torch.tensor([target]))[0].detach(), atol=1e-10)
    assert np.allclose(trace["logits"], logits[0, : len(target)].detach(), atol=1e-10)
    found.update({"trace." + name: value for name, value in trace.items()})
    return weights, found


def make(case, index, folder):
    torch.manual_seed(200 + index)
    config = {**BASE, **CASES[case]}
    weights, expected = expectations(perturb(Model(config).double()))
    save(os.path.join(folder, case + ".safetensors"), weights, {
        "format": "headlight", "headlight.version": "0.1.0", "headlight.config": json.dumps(config),
        "headlight.tokenizer.source": golden.tokenizer(golden.SOURCE_VOCABULARY),
        "headlight.tokenizer.target": golden.tokenizer(golden.TARGET_VOCABULARY),
        "headlight.training": json.dumps({"data": "none: random weights", "steps": 0, "seed": 200 + index}),
    })
    save(os.path.join(folder, case + ".expected.safetensors"), expected, {"format": "headlight-golden"})
    print(f"{case}: loss {float(expected['loss']):.6f}, unsmoothed {float(expected['loss_unsmoothed']):.6f}")


def main():
    parser = argparse.ArgumentParser(description="Makes the golden files of recurrent models.")
    parser.add_argument("--out-dir", default=os.path.dirname(os.path.abspath(__file__)))
    arguments = parser.parse_args()
    for index, case in enumerate(CASES):
        make(case, index, arguments.out_dir)


if __name__ == "__main__":
    main()
