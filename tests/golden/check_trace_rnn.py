# SPDX-License-Identifier: GPL-3.0-or-later
"""Recomputes a forward pass of a recurrent encoder-decoder from its model file: numpy only, in double precision.
check_trace.py calls it for models of architecture rnn."""
import math

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def log_softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


GATES = {"rnn": [], "gru": ["reset", "update", "candidate"], "lstm": ["input", "forget", "cell_candidate", "output"]}


class Recomputation:
    def __init__(self, weights, config, muted):
        self.weights = {name: values.astype(np.float64) for name, values in weights.items()}
        self.config = config
        self.muted = set(muted)
        self.values = {}

    def put(self, name, value):
        self.values[name] = value
        return value

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def step(self, side, suffix, x, hidden, cell):
        """-> hidden, cell, [gates]"""
        w_ih, w_hh, b_ih, b_hh = (self.weights[f"{side}.{part}_{suffix}"]
                                  for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        of_input, of_state = x @ w_ih.T + b_ih, hidden @ w_hh.T + b_hh
        kind = self.config["cell"]
        if kind == "rnn":
            return np.tanh(of_input + of_state), cell, []
        if kind == "gru":
            (x_r, x_z, x_n), (h_r, h_z, h_n) = np.split(of_input, 3), np.split(of_state, 3)
            r, z = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
            n = np.tanh(x_n + r * h_n)
            return (1 - z) * n + z * hidden, cell, [r, z, n]
        i, f, g, o = np.split(of_input + of_state, 4)
        i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
        cell = f * cell + i * g
        return o * np.tanh(cell), cell, [i, f, g, o]

    def layer(self, name, side, suffix, inputs, hidden, cell, backwards=False):
        """-> outputs in the sentence's order, last hidden, last cell"""
        order = range(len(inputs))[::-1] if backwards else range(len(inputs))
        hiddens, cells, gates = [None] * len(inputs), [None] * len(inputs), [None] * len(inputs)
        for t in order:
            hidden, cell, gates[t] = self.step(side, suffix, inputs[t], hidden, cell)
            hiddens[t], cells[t] = hidden, cell
        for g, gate in enumerate(GATES[self.config["cell"]]):
            self.put(f"{name}.gates.{gate}", np.array([at[g] for at in gates]))
        if self.config["cell"] == "lstm":
            self.put(f"{name}.cell", np.array(cells))
        return self.put(f"{name}.hidden", np.array(hiddens)), hidden, cell

    def bridge(self, x):
        return np.tanh(self.linear(x, "bridge")) if self.config["bidirectional"] else x

    def encoder(self, ids):
        nothing = np.zeros(self.config["hidden_size"])
        x, states = self.put("encoder.embedding", self.weights["source_embedding.weight"][ids]), []
        for i in range(self.config["num_layers"]):
            name = f"encoder.layers.{i}"
            outputs, hidden, cell = self.layer(name, "encoder", f"l{i}", x, nothing, nothing)
            if self.config["bidirectional"]:
                back, back_hidden, back_cell = self.layer(
                    f"{name}.reverse", "encoder", f"l{i}_reverse", x, nothing, nothing, backwards=True)
                outputs = np.concatenate([outputs, back], axis=1)
                hidden, cell = np.concatenate([hidden, back_hidden]), np.concatenate([cell, back_cell])
            x = outputs
            states.append((self.bridge(hidden), self.bridge(cell)))
        self.put("encoder.state", states[-1][0][None])
        return self.put("encoder.output", self.bridge(x)), states

    def attend(self, queries, keys):
        """-> attentional states"""
        kind = self.config["attention"]
        if kind == "additive":
            projected_keys = keys @ self.weights["attention.key.weight"].T
            projected_queries = queries @ self.weights["attention.query.weight"].T
            energy = self.weights["attention.energy.weight"].ravel()
            scores = np.tanh(projected_keys[None] + projected_queries[:, None]) @ energy
        else:
            scored = keys @ self.weights["attention.key.weight"].T if kind == "general" else keys
            scores = queries @ scored.T
            if kind == "scaled_dot":
                scores = scores / math.sqrt(keys.shape[1])
        self.put("decoder.attention.scores", scores)
        weights = self.put("decoder.attention.weights", softmax(scores))
        context = weights @ keys
        if "decoder.attention.0" in self.muted:
            context = np.zeros_like(context)
        self.put("decoder.attention.context", context)
        joined = np.concatenate([context, queries], axis=1)
        return self.put("decoder.attentional", np.tanh(self.linear(joined, "combine")))

    def run(self, source, target):
        self.put("source.ids", source)
        self.put("target.ids", target)
        keys, states = self.encoder(source)
        x = self.put("decoder.embedding", self.weights["target_embedding.weight"][target])
        nothing = np.zeros(self.config["hidden_size"])
        if self.config["context"] == "every_input":
            thought = np.repeat(states[-1][0][None], len(target), axis=0)
            x = self.put("decoder.input", np.concatenate([x, thought], axis=1))
            states = [(nothing, nothing)] * len(states)
        for i, (hidden, cell) in enumerate(states):
            x, _, _ = self.layer(f"decoder.layers.{i}", "decoder", f"l{i}", x, hidden, cell)
        if self.config["attention"] != "none":
            x = self.attend(x, keys)
        return self.predict(x)

    def predict(self, x):
        logits = self.put("logits", self.linear(x, "generator"))
        self.put("log_probs", log_softmax(logits))
        return self.values

    def run_stack(self, ids):
        """A recurrent language model."""
        self.put("ids", ids)
        nothing = np.zeros(self.config["hidden_size"])
        x = self.put("embedding", self.weights["embedding.weight"][ids])
        for i in range(self.config["num_layers"]):
            x, _, _ = self.layer(f"layers.{i}", "rnn", f"l{i}", x, nothing, nothing)
        return self.predict(x)


def heads(config):
    """Names that --mute knows."""
    return {"decoder.attention.0"} if config.get("attention", "none") != "none" else set()
