#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes interventions.json: random lists of changes to the values of small models, and the logits that PyTorch computes
under each of them.

    /usr/bin/python3 make_interventions.py [--out-dir DIR]      (Debian: python3-torch, python3-numpy)

The models are those of make_golden.py, make_golden_rnn.py, make_golden_stack.py and make_golden_kinds.py, one of every
kind. Each forward pass is written out here word by word and value by value, in double precision; with no change it must
give the logits of CASE.expected.safetensors. A change is a place by its name in the trace, a head, rows and columns (null:
all), an act, and values [heads, rows, columns] each of which is 1 or one for each that is named.
"""
import argparse
import json
import math
import os
import random

import torch
import torch.nn.functional as F

from safetensors_file import load

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["post_relu_sinusoidal", "pre_gelu_learned", "post_relu_concat", "language_model", "classifier", "kind_bert",
         "rnn_dot", "gru_general_two_ways", "lstm_additive_every_input", "lstm_scaled_dot_two_ways", "lstm_none_deep",
         "gru_none_every_input", "rnn_language_model"]
LISTS, CHANGES = 4, 4
ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}
GATES = {"rnn": [], "gru": ["reset", "update", "candidate"], "lstm": ["input", "forget", "cell_candidate", "output"]}


class Slow:
    """A forward pass of one sentence; every value goes through put()."""

    def __init__(self, weights, config, changes):
        self.weights = {name: torch.tensor(values, dtype=torch.float64) for name, values in weights.items()}
        self.config, self.changes, self.shapes = config, changes, {}

    def put(self, name, value, first=0):
        """The value [rows, columns] or [heads, rows, columns] under its changes; its first row stands at `first`."""
        value = value.clone()
        shape = value.shape if value.dim() == 3 else (1, *value.shape)
        rows = max(first + shape[1], self.shapes.get(name, (1, 0, 1))[1])
        self.shapes[name] = (shape[0] if value.dim() == 3 else 0, rows, shape[2])
        whole = value.view(shape)
        for change in self.changes:
            if change["place"] == name:
                self.change(whole, change, first)
        return value

    @staticmethod
    def change(value, change, first):
        by = torch.tensor(change["values"], dtype=torch.float64).view(change["shape"])

        def pick(index, count):
            return 0 if count == 1 else index

        heads = range(value.shape[0]) if change["head"] is None else [change["head"]]
        rows = range(first + value.shape[1]) if change["rows"] is None else change["rows"]
        columns = range(value.shape[2]) if change["columns"] is None else change["columns"]
        for h, head in enumerate(heads):
            for r, row in enumerate(rows):
                if not first <= row < first + value.shape[1]:
                    continue
                for c, column in enumerate(columns):
                    number = by[pick(h, by.shape[0]), pick(r, by.shape[1]), pick(c, by.shape[2])]
                    old = value[head, row - first, column]
                    value[head, row - first, column] = {
                        "replace": number, "scale": old * number, "add": old + number}[change["act"]]

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    # Transformers

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.weights[name + ".weight"], self.weights[name + ".bias"],
                            self.config["layer_norm_eps"])

    def attention(self, name, prefix, x, memory, causal):
        d, heads = self.config["d_model"], self.config["num_heads"]

        def project(letter, of, index):
            rows = slice(index * d, (index + 1) * d)
            y = of @ self.weights[prefix + ".in_proj_weight"][rows].T + self.weights[prefix + ".in_proj_bias"][rows]
            return self.put(f"{name}.{letter}", y.view(len(of), heads, d // heads).transpose(0, 1))

        q, k, v = project("q", x, 0), project("k", memory, 1), project("v", memory, 2)
        scores = self.put(name + ".scores", q @ k.transpose(1, 2) / math.sqrt(d // heads))
        mask = torch.zeros(len(x), len(memory), dtype=torch.float64)
        if causal:
            mask.masked_fill_(torch.ones_like(mask).triu(1) > 0, -math.inf)
        weights = self.put(name + ".weights", torch.softmax(scores + self.put(name + ".mask", mask), -1))
        mixed = self.put(name + ".heads", weights @ v)
        concat = self.put(name + ".concat", mixed.transpose(0, 1).reshape(len(x), d))
        return self.put(name + ".output", self.linear(concat, prefix + ".out_proj"))

    def feed_forward(self, name, prefix, x):
        hidden = self.put(name + ".hidden", self.linear(x, prefix + ".linear1"))
        active = self.put(name + ".activation", ACTIVATIONS[self.config["activation"]](hidden))
        return self.put(name + ".output", self.linear(active, prefix + ".linear2"))

    def layer(self, scope, x, memory, causal):
        prefix = "transformer." + scope
        blocks = [lambda y: self.attention(f"{scope}.self_attn", f"{prefix}.self_attn", y, y, causal)]
        if memory is not None:
            blocks.append(
                lambda y: self.attention(f"{scope}.cross_attn", f"{prefix}.multihead_attn", y, memory, False))
        blocks.append(lambda y: self.feed_forward(scope + ".ffn", prefix, y))
        for number, block in enumerate(blocks, 1):
            norm, residual = f"norm{number}", f"{scope}.residual{number}"
            if self.config["norm_order"] == "pre":
                x = self.put(residual, x + block(self.put(f"{scope}.{norm}", self.norm(x, f"{prefix}.{norm}"))))
            else:
                x = self.put(f"{scope}.{norm}", self.norm(self.put(residual, x + block(x)), f"{prefix}.{norm}"))
        return x

    def positions(self, length, width):
        if self.config["positional_encoding"] == "learned":
            return self.weights["positions.weight"][:length]
        place = torch.arange(length, dtype=torch.float64)[:, None]
        even = torch.arange(0, width, 2, dtype=torch.float64)
        angles = place / self.config["positional_base"] ** (even / width)
        return torch.stack([torch.sin(angles), torch.cos(angles)], -1).view(length, width)

    def stack(self, scope, ids, table, memory, causal):
        at = scope + "." if scope else ""
        scale = math.sqrt(self.config["d_model"]) if self.config["scale_embeddings"] else 1
        x = self.put(at + "embedding", self.weights[table][ids] * scale)
        types = None
        if self.config.get("token_types"):
            # The separator itself is still of the first type.
            before = torch.cumsum(ids == self.config["separator_id"], 0) - (ids == self.config["separator_id"]).long()
            types = self.put(at + "token_type_embedding", self.weights["token_types.weight"][(before > 0).long()])
        places = self.put(at + "positional_encoding", self.positions(len(ids), x.shape[1]))
        if types is not None:
            x = x + types
        x = torch.cat([x, places], 1) if self.config["positional_combine"] == "concat" else x + places
        if self.config.get("embedding_norm"):
            x = self.norm(self.put(at + "embedding_sum", x), "embedding_norm")
        x = self.put(at + "input", x)
        layers = self.config[f"num_{scope}_layers" if scope else "num_layers"]
        for i in range(layers):
            x = self.layer(f"{at}layers.{i}", x, memory, causal)
        if self.config["final_norm"]:
            x = self.norm(x, f"transformer.{at}norm")
        return self.put(at + "output", x)

    def head(self, x):
        architecture = self.config["architecture"]
        if architecture == "encoder-classifier":
            return self.put("logits", self.linear(x[:1], "classifier"))
        if architecture == "masked-language-model":
            active = self.put("head.activation", ACTIVATIONS[self.config["activation"]](
                self.put("head.hidden", self.linear(x, "transform"))))
            x = self.put("head.norm", self.norm(active, "transform_norm"))
            return self.put("logits", x @ self.weights["embedding.weight"].T + self.weights["generator.bias"])
        return self.put("logits", self.linear(x, "generator"))

    # Recurrent models

    def cell(self, name, side, suffix, x, place, hidden, cell):
        w_ih, w_hh = self.weights[f"{side}.weight_ih_{suffix}"], self.weights[f"{side}.weight_hh_{suffix}"]
        of_input = x @ w_ih.T + self.weights[f"{side}.bias_ih_{suffix}"]
        of_state = hidden @ w_hh.T + self.weights[f"{side}.bias_hh_{suffix}"]

        def put(part, value):
            return self.put(f"{name}.{part}", value[None], place)[0]

        if self.config["cell"] == "rnn":
            return put("hidden", torch.tanh(of_input + of_state)), cell
        if self.config["cell"] == "gru":
            (x_r, x_z, x_n), (h_r, h_z, h_n) = of_input.chunk(3), of_state.chunk(3)
            r = put("gates.reset", torch.sigmoid(x_r + h_r))
            z = put("gates.update", torch.sigmoid(x_z + h_z))
            n = put("gates.candidate", torch.tanh(x_n + r * h_n))
            return put("hidden", (1 - z) * n + z * hidden), cell
        i, f, g, o = (of_input + of_state).chunk(4)
        i, f = put("gates.input", torch.sigmoid(i)), put("gates.forget", torch.sigmoid(f))
        g, o = put("gates.cell_candidate", torch.tanh(g)), put("gates.output", torch.sigmoid(o))
        cell = put("cell", f * cell + i * g)
        return put("hidden", o * torch.tanh(cell)), cell

    def run_layer(self, name, side, suffix, inputs, hidden, cell, backwards=False):
        states = [None] * len(inputs)
        for t in reversed(range(len(inputs))) if backwards else range(len(inputs)):
            hidden, cell = self.cell(name, side, suffix, inputs[t], t, hidden, cell)
            states[t] = hidden
        return torch.stack(states), hidden, cell

    def bridge(self, x):
        return torch.tanh(self.linear(x, "bridge")) if self.config["bidirectional"] else x

    def encode(self, ids):
        zeros = torch.zeros(self.config["hidden_size"], dtype=torch.float64)
        x, states = self.put("encoder.embedding", self.weights["source_embedding.weight"][ids]), []
        for i in range(self.config["num_layers"]):
            scope = f"encoder.layers.{i}"
            ahead, hidden, cell = self.run_layer(scope, "encoder", f"l{i}", x, zeros, zeros)
            if self.config["bidirectional"]:
                back, h, c = self.run_layer(scope + ".reverse", "encoder", f"l{i}_reverse", x, zeros, zeros, True)
                ahead, hidden, cell = torch.cat([ahead, back], 1), torch.cat([hidden, h]), torch.cat([cell, c])
            x = ahead
            states.append([self.bridge(hidden), self.bridge(cell)])
        states[-1][0] = self.put("encoder.state", states[-1][0][None])[0]
        return self.put("encoder.output", self.bridge(x)), states

    def attend(self, queries, keys):
        kind, name = self.config["attention"], "decoder.attention."
        projected = keys @ self.weights["attention.key.weight"].T if kind in ("general", "additive") else keys
        if kind == "additive":
            pairs = projected[None] + (queries @ self.weights["attention.query.weight"].T)[:, None]
            scores = torch.tanh(pairs) @ self.weights["attention.energy.weight"].flatten()
        else:
            scores = queries @ projected.T / (math.sqrt(keys.shape[1]) if kind == "scaled_dot" else 1)
        weights = self.put(name + "weights", torch.softmax(self.put(name + "scores", scores), -1))
        context = self.put(name + "context", weights @ keys)
        joined = torch.cat([context, queries], 1)
        return self.put("decoder.attentional", torch.tanh(self.linear(joined, "combine")))

    def recurrent_pair(self, source, target):
        keys, states = self.encode(source)
        x = self.put("decoder.embedding", self.weights["target_embedding.weight"][target])
        if self.config["context"] == "every_input":
            x = self.put("decoder.input", torch.cat([x, states[-1][0].expand(len(target), -1)], 1))
            states = [[torch.zeros_like(h), torch.zeros_like(c)] for h, c in states]
        for i, (hidden, cell) in enumerate(states):
            x, _, _ = self.run_layer(f"decoder.layers.{i}", "decoder", f"l{i}", x, hidden, cell)
        return self.attend(x, keys) if self.config["attention"] != "none" else x

    def run(self, expected):
        architecture = self.config["architecture"]
        if "trace.source.ids" in expected:
            source, target = (torch.tensor(expected[f"trace.{side}.ids"]).long() for side in ("source", "target"))
            if architecture == "rnn":
                return self.head(self.recurrent_pair(source, target))
            memory = self.stack("encoder", source, "source_embedding.weight", None, False)
            return self.head(self.stack("decoder", target, "target_embedding.weight", memory, True))
        ids = torch.tensor(expected["trace.ids"]).long()
        if architecture == "rnn-language-model":
            zeros = torch.zeros(self.config["hidden_size"], dtype=torch.float64)
            x = self.put("embedding", self.weights["embedding.weight"][ids])
            for i in range(self.config["num_layers"]):
                x, _, _ = self.run_layer(f"layers.{i}", "rnn", f"l{i}", x, zeros, zeros)
            return self.head(x)
        return self.head(self.stack("", ids, "embedding.weight", None, architecture == "language-model"))


def some(rng, count):
    """null, or some of so many"""
    return None if rng.random() < 0.4 else sorted(rng.sample(range(count), rng.randint(1, count)))


def random_change(rng, shapes):
    place = rng.choice(sorted(shapes))
    heads, rows, columns = shapes[place]
    head = rng.randrange(heads) if heads and rng.random() < 0.6 else None
    named_rows, named_columns = some(rng, rows), some(rng, columns)
    counts = [1 if head is not None else max(1, heads), len(named_rows or range(rows)), len(named_columns or range(columns))]
    shape = [count if rng.random() < 0.6 else 1 for count in counts]
    act = rng.choice(["replace", "scale", "add"])
    if place.endswith(".mask"):
        act = "add"  # a future that is added to stays out of sight
    if place.endswith("self_attn.weights"):
        act = "scale"  # likewise: who decodes word by word cannot look at what is not written yet
    values = [round(rng.gauss(0, 1), 3) for _ in range(math.prod(shape))]
    return {"place": place, "head": head, "rows": named_rows, "columns": named_columns, "act": act, "shape": shape,
            "values": values}


def main():
    parser = argparse.ArgumentParser(description="Writes what PyTorch computes under random changes of values.")
    parser.add_argument("--out-dir", default=HERE)
    arguments = parser.parse_args()
    result, rng = {}, random.Random(17)
    for case in CASES:
        weights, metadata = load(os.path.join(HERE, case + ".safetensors"))
        expected, _ = load(os.path.join(HERE, case + ".expected.safetensors"))
        config = json.loads(metadata["headlight.config"])
        plain = Slow(weights, config, [])
        logits = plain.run(expected)
        assert torch.allclose(logits, torch.tensor(expected["trace.logits"]).double(), atol=1e-5), case
        names = {name[6:] for name in expected if name.startswith("trace.") and not name.endswith("ids")}
        assert set(plain.shapes) == names - {"log_probs"}, set(plain.shapes) ^ names
        shapes = {name: shape for name, shape in plain.shapes.items() if name != "logits"}
        result[case] = []
        for _ in range(LISTS):
            changes = [random_change(rng, shapes) for _ in range(CHANGES)]
            changed = Slow(weights, config, changes).run(expected)
            moved = float((changed - logits).abs().max())
            result[case].append({"changes": changes, "logits": [[float(f"{x:.8g}") for x in row] for row in changed]})
            print(f"{case}: {moved:.3f} moved by {', '.join(change['place'] for change in changes)}")
    with open(os.path.join(arguments.out_dir, "interventions.json"), "w", encoding="utf-8") as file:
        cases = []
        for case, lists in result.items():
            rows = ",\n  ".join(json.dumps(one) for one in lists)
            cases.append(f'"{case}": [\n  {rows}]')
        file.write("{" + ",\n".join(cases) + "}\n")


if __name__ == "__main__":
    main()
