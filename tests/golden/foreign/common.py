# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scripts of this folder share. Each makes a small model with random weights in the layout of another program
and computes with it in plain PyTorch, from a description of the format: `transformers` is not asked.

A folder KIND holds the model as people keep it (config.json, model.safetensors) and KIND.expected.safetensors beside it
holds what the model computes, under the names of Headlight's trace.
"""
import json
import math
import os
import struct

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
DTYPE_NAMES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64",
               torch.bool: "BOOL", torch.uint8: "U8"}
ACTIVATIONS = {
    "relu": torch.relu,
    "gelu": lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2))),
    "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x * torch.sigmoid(x),
}


class Weights(dict):
    """Tensors by name in the numbers that the file keeps; w[name] computes in double precision."""

    def __init__(self, seed, dtype=torch.float32):
        super().__init__()
        self.random, self.dtype = torch.Generator().manual_seed(seed), dtype

    def new(self, name, *shape, std=None, mean=0.0):
        """Normal numbers; a matrix's keep the size of what it multiplies, unless `std` says otherwise."""
        std = std if std is not None else (1.3 / math.sqrt(shape[-1]) if len(shape) > 1 else 0.2)
        self.put(name, torch.randn(*shape, generator=self.random) * std + mean)

    def put(self, name, values):
        super().__setitem__(name, values.to(self.dtype) if values.is_floating_point() else values)

    def linear(self, name, out, inner, bias=True):
        self.new(name + ".weight", out, inner)
        if bias:
            self.new(name + ".bias", out)

    def norm(self, name, width, bias=True):
        self.new(name + ".weight", width, mean=1.0)
        if bias:
            self.new(name + ".bias", width)

    def __getitem__(self, name):
        return super().__getitem__(name).double()

    def stored(self):
        return {name: super(Weights, self).__getitem__(name) for name in self}


def linear(w, name, x):
    y = x @ w[name + ".weight"].T
    return y + w[name + ".bias"] if name + ".bias" in w else y


def layer_norm(w, name, x, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    normal = centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + epsilon)
    return normal * w[name + ".weight"] + w[name + ".bias"]


def rms_norm(w, name, x, epsilon):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + epsilon) * w[name + ".weight"]


def split_heads(x, heads):
    """[T, heads·width] -> [heads, T, width]"""
    return x.reshape(x.shape[0], heads, -1).transpose(0, 1)


def attention(q, k, v, mask=None, scale=None, bias=0.0):
    """Heads [H,T,dk], [H,S,dk], [H,S,dv] -> ([T, H·dv], weights [H,T,S]). `scale` multiplies the scores: 1/√dk."""
    scores = q @ k.transpose(1, 2) * (scale if scale is not None else 1 / math.sqrt(q.shape[-1])) + bias
    weights = torch.softmax(scores if mask is None else scores + mask, -1)
    return (weights @ v).transpose(0, 1).reshape(q.shape[1], -1), weights


def causal(length):
    return torch.full((length, length), -math.inf, dtype=torch.float64).triu(1)


def write_safetensors(path, tensors, metadata=None):
    """Widest type first, then by name; the header padded to a multiple of 8."""
    names = sorted(tensors, key=lambda name: (-tensors[name].element_size(), name))
    header, chunks, offset = ({"__metadata__": metadata} if metadata else {}), [], 0
    for name in names:
        tensor = tensors[name].contiguous()
        data = bytes(tensor.reshape(-1).view(torch.uint8).tolist()) if tensor.numel() else b""
        header[name] = {"dtype": DTYPE_NAMES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
        chunks.append(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(chunks))


def save(kind, config, weights, expected, shards=1):
    """The folder and the expectation beside it. `weights`: Weights or tensors by name."""
    folder = os.path.join(HERE, kind)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.json"), "w") as file:
        file.write(json.dumps(config, indent=1) + "\n")
    tensors = weights.stored() if isinstance(weights, Weights) else weights
    if shards == 1:
        write_safetensors(os.path.join(folder, "model.safetensors"), tensors, {"format": "pt"})
    else:
        names, place = sorted(tensors), {}
        for i in range(shards):
            part = names[i * len(names) // shards:(i + 1) * len(names) // shards]
            file_name = f"model-{i + 1:05d}-of-{shards:05d}.safetensors"
            write_safetensors(os.path.join(folder, file_name), {name: tensors[name] for name in part}, {"format": "pt"})
            place.update({name: file_name for name in part})
        with open(os.path.join(folder, "model.safetensors.index.json"), "w") as file:
            size = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
            file.write(json.dumps({"metadata": {"total_size": size}, "weight_map": place}, indent=1) + "\n")
    save_expected(kind, expected)


def save_expected(kind, expected):
    values = {name: torch.as_tensor(value) for name, value in expected.items()}
    write_safetensors(os.path.join(HERE, kind + ".expected.safetensors"), {
        name: value if value.dtype == torch.int64 else value.float() for name, value in values.items()})
    last = "logits" if "logits" in values else "output"
    print(f"{kind}: {len(values)} values, the last of {last} {values[last][-1][:3].tolist()}")


def beam_search(logits_of, config, beam, limit):
    """The best hypotheses of a beam, best score first: -> [(ids with eos, log-probability)]. `logits_of` maps the
    decoder's ids to the logits of the next. Each step the best 2·beam continuations are looked at; of the first `beam`
    those that end are finished, and the best `beam` others go on, until `beam` are finished. The score is the mean
    log-probability of a token. `config`: start, eos, forbidden, forced (the first word)."""
    live, finished = [([], 0.0)], []
    for _ in range(limit):
        looked = []
        for ids, total in live:
            logits = logits_of([config["start"]] + ids).clone()
            logits[config.get("forbidden", [])] = -math.inf
            if not ids and "forced" in config:  # no other word is possible, so this one costs nothing
                logits[torch.arange(len(logits)) != config["forced"]] = -math.inf
            for token, log_prob in enumerate(torch.log_softmax(logits, -1).tolist()):
                if log_prob > -math.inf:
                    looked.append((ids + [token], total + log_prob))
        looked.sort(key=lambda each: -each[1])
        live = []
        for rank, (ids, total) in enumerate(looked[:2 * beam]):
            if ids[-1] == config["eos"]:
                if rank < beam:
                    finished.append((ids, total))
            elif len(live) < beam:
                live.append((ids, total))
        if len(finished) >= beam:
            break
    by_score = lambda each: -each[1] / len(each[0])
    return (sorted(finished, key=by_score) + sorted(live, key=by_score))[:beam]


def beam_results(hypotheses):
    """As tensors: a row a hypothesis, padded with −1."""
    longest = max(len(ids) for ids, _ in hypotheses)
    return {"beam.tokens": torch.tensor([ids + [-1] * (longest - len(ids)) for ids, _ in hypotheses]),
            "beam.log_probs": torch.tensor([total for _, total in hypotheses])}
