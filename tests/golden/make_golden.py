#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the golden files: small Transformers of PyTorch's, and what PyTorch computes with them.

    /usr/bin/python3 make_golden.py [--out-dir DIR]      (Debian: python3-torch, python3-numpy)

For each case CASE.safetensors is a model file of Headlight's, and CASE.expected.safetensors holds a padded batch
(batch.source, batch.target_input, batch.target_output), its loss with label smoothing 0.1 and without, the gradient of
the smoothed loss by every weight (gradient.NAME), and every value of the forward pass of the first pair alone
(trace.NAME). Computed in double precision from weights rounded to single, written as single.

The trace is computed here step by step and must agree with what nn.Transformer itself puts out, and with the numpy
recomputation of check_trace.py.
"""
import argparse
import json
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

import check_trace
from safetensors_file import save

PAD, BOS, EOS, UNK = range(4)
SOURCE_VOCABULARY, TARGET_VOCABULARY = 13, 11
LABEL_SMOOTHING = 0.1
# Three pairs of different lengths. The first is the longest of neither side, so that it is padded on both.
PAIRS = [([4, 9, 12, 5], [6, 4, 10]), ([7, 4, 4, 11, 3, 8], [5, 9]), ([10, 6], [8, 8, 4, 7, 3])]

BASE = {
    "architecture": "transformer", "d_model": 16, "num_heads": 2, "num_encoder_layers": 2, "num_decoder_layers": 2,
    "d_ff": 32, "dropout": 0.0, "activation": "relu", "norm_order": "post", "final_norm": False,
    "layer_norm_eps": 1e-5, "positional_encoding": "sinusoidal", "positional_base": 10000,
    "positional_combine": "add", "scale_embeddings": True, "max_length": 12, "tie_embeddings": False,
    "source_vocab_size": SOURCE_VOCABULARY, "target_vocab_size": TARGET_VOCABULARY,
    "pad_id": PAD, "bos_id": BOS, "eos_id": EOS, "unk_id": UNK,
}
CASES = {
    "post_relu_sinusoidal": {},
    "pre_gelu_learned": {
        "norm_order": "pre", "final_norm": True, "activation": "gelu", "positional_encoding": "learned", "num_heads": 4,
    },
    "post_gelu_tanh_tied": {"activation": "gelu_tanh", "tie_embeddings": True, "num_heads": 4},
    "post_relu_concat": {"positional_combine": "concat"},
    "pre_gelu_learned_concat": {
        "norm_order": "pre", "activation": "gelu", "positional_encoding": "learned", "positional_combine": "concat",
    },
}
ACTIVATIONS = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
}


class Model(nn.Module):
    """The modules whose state_dict is a model file of Headlight's, around PyTorch's own nn.Transformer."""

    def __init__(self, config):
        super().__init__()
        d = config["d_model"]
        self.config = config
        # Where positions stand beside the embedding, each has half of the width.
        wide = d // 2 if config["positional_combine"] == "concat" else d
        self.source_embedding = nn.Embedding(config["source_vocab_size"], wide)
        self.target_embedding = nn.Embedding(config["target_vocab_size"], wide)
        if config["positional_encoding"] == "learned":
            self.positions = nn.Embedding(config["max_length"], wide)
        self.transformer = nn.Transformer(
            d, config["num_heads"], config["num_encoder_layers"], config["num_decoder_layers"], config["d_ff"],
            dropout=config["dropout"], activation=ACTIVATIONS[config["activation"]],
            layer_norm_eps=config["layer_norm_eps"], batch_first=True, norm_first=config["norm_order"] == "pre")
        if not config["final_norm"]:
            self.transformer.encoder.norm = self.transformer.decoder.norm = None
        self.generator = nn.Linear(d, config["target_vocab_size"])
        if config["tie_embeddings"]:
            self.generator.weight = self.target_embedding.weight

    def positional_encoding(self, length):
        if self.config["positional_encoding"] == "learned":
            return self.positions.weight[:length]
        d = self.config["d_model"] // (2 if self.config["positional_combine"] == "concat" else 1)
        table = torch.zeros(length, d, dtype=torch.float64)
        for position in range(length):
            for i in range(0, d, 2):
                angle = position / self.config["positional_base"] ** (i / d)
                table[position, i], table[position, i + 1] = math.sin(angle), math.cos(angle)
        return table

    def placed(self, embedded):
        """Embeddings [..., length, e] told where they stand: [..., length, d_model]."""
        positions = self.positional_encoding(embedded.shape[-2])
        if self.config["positional_combine"] == "concat":
            return torch.cat([embedded, positions.expand(*embedded.shape[:-2], *positions.shape)], dim=-1)
        return embedded + positions

    def embed(self, embedding, ids):
        return self.placed(embedding(ids) * math.sqrt(self.config["d_model"]))

    def forward(self, source, target):
        causal = nn.Transformer.generate_square_subsequent_mask(target.shape[1]).double()
        output = self.transformer(
            self.embed(self.source_embedding, source), self.embed(self.target_embedding, target), tgt_mask=causal,
            src_key_padding_mask=source == PAD, memory_key_padding_mask=source == PAD)
        return self.generator(output)


class Tracing:
    """The same forward pass for one sentence in plain algebra, every value kept under its name."""

    def __init__(self, model):
        self.model, self.config = model, model.config
        self.weights = dict(model.state_dict())
        self.values = {}

    def attention(self, name, prefix, x, memory, mask):
        d, heads = self.config["d_model"], self.config["num_heads"]
        dk = d // heads
        w_q, w_k, w_v = self.weights[prefix + ".in_proj_weight"].split(d)
        b_q, b_k, b_v = self.weights[prefix + ".in_proj_bias"].split(d)
        q, k, v = x @ w_q.T + b_q, memory @ w_k.T + b_k, memory @ w_v.T + b_v
        kept = {letter: [] for letter in ("q", "k", "v", "scores", "weights", "heads")}
        for h in range(heads):
            columns = slice(h * dk, (h + 1) * dk)
            scores = q[:, columns] @ k[:, columns].T / math.sqrt(dk)
            weights = torch.softmax(scores + mask, dim=-1)
            head = weights @ v[:, columns]
            for letter, value in zip(kept, (q[:, columns], k[:, columns], v[:, columns], scores, weights, head)):
                kept[letter].append(value)
        for letter, per_head in kept.items():
            self.values[f"{name}.{letter}"] = torch.stack(per_head)
        self.values[f"{name}.mask"] = mask
        concat = torch.cat(kept["heads"], dim=1)
        self.values[f"{name}.concat"] = concat
        output = concat @ self.weights[prefix + ".out_proj.weight"].T + self.weights[prefix + ".out_proj.bias"]
        self.values[f"{name}.output"] = output
        return output

    def feed_forward(self, name, prefix, x):
        hidden = x @ self.weights[prefix + ".linear1.weight"].T + self.weights[prefix + ".linear1.bias"]
        active = ACTIVATIONS[self.config["activation"]](hidden)
        output = active @ self.weights[prefix + ".linear2.weight"].T + self.weights[prefix + ".linear2.bias"]
        for part, value in (("hidden", hidden), ("activation", active), ("output", output)):
            self.values[f"{name}.ffn.{part}"] = value
        return output

    def norm(self, prefix, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.config["layer_norm_eps"])
        return normed * self.weights[prefix + ".weight"] + self.weights[prefix + ".bias"]

    def layer(self, stack, index, x, memory, mask):
        name, prefix = f"{stack}.layers.{index}", f"transformer.{stack}.layers.{index}"
        blocks = [lambda y: self.attention(f"{name}.self_attn", f"{prefix}.self_attn", y, y, mask)]
        if memory is not None:
            open_mask = torch.zeros(len(x), len(memory), dtype=torch.float64)
            blocks.append(
                lambda y: self.attention(f"{name}.cross_attn", f"{prefix}.multihead_attn", y, memory, open_mask))
        blocks.append(lambda y: self.feed_forward(name, prefix, y))
        for number, block in enumerate(blocks, start=1):
            if self.config["norm_order"] == "pre":
                self.values[f"{name}.norm{number}"] = normed = self.norm(f"{prefix}.norm{number}", x)
                self.values[f"{name}.residual{number}"] = x = x + block(normed)
            else:
                self.values[f"{name}.residual{number}"] = residual = x + block(x)
                self.values[f"{name}.norm{number}"] = x = self.norm(f"{prefix}.norm{number}", residual)
        return x

    def stack(self, stack, ids, table, memory, mask):
        embedding = self.weights[table][ids] * math.sqrt(self.config["d_model"])
        positions = self.model.positional_encoding(len(ids))
        x = self.model.placed(embedding)
        self.values.update({
            f"{stack}.embedding": embedding, f"{stack}.positional_encoding": positions, f"{stack}.input": x})
        for i in range(self.config[f"num_{stack}_layers"]):
            x = self.layer(stack, i, x, memory, mask)
        if self.config["final_norm"]:
            x = self.norm(f"transformer.{stack}.norm", x)
        self.values[f"{stack}.output"] = x
        return x

    def run(self, source, target):
        self.values.update({"source.ids": source, "target.ids": target})
        nothing = torch.zeros(len(source), len(source), dtype=torch.float64)
        future = torch.full((len(target), len(target)), -math.inf, dtype=torch.float64).triu(1)
        memory = self.stack("encoder", source, "source_embedding.weight", None, nothing)
        output = self.stack("decoder", target, "target_embedding.weight", memory, future)
        logits = output @ self.weights["generator.weight"].T + self.weights["generator.bias"]
        self.values.update({"logits": logits, "log_probs": torch.log_softmax(logits, -1)})
        return self.values


def perturb(model):
    """Biases and norms away from 0 and 1, so that a swapped or forgotten one shows; then single precision's values."""
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "norm" in name and name.endswith("weight"):
                weight.uniform_(0.5, 1.5)
            elif weight.dim() == 1:
                weight.uniform_(-0.4, 0.4)
            elif "embedding" in name or "positions" in name:
                weight.normal_(0, 0.4)
    return model.float().double()


def padded_batch():
    def pad(rows):
        width = max(len(row) for row in rows)
        return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])

    return {
        "batch.source": pad([source for source, _ in PAIRS]),
        "batch.target_input": pad([[BOS] + target for _, target in PAIRS]),
        "batch.target_output": pad([target + [EOS] for _, target in PAIRS]),
    }


def expectations(model):
    batch = padded_batch()
    logits = model(batch["batch.source"], batch["batch.target_input"]).flatten(0, 1)
    wanted = batch["batch.target_output"].flatten()
    loss = F.cross_entropy(logits, wanted, ignore_index=PAD, label_smoothing=LABEL_SMOOTHING)
    loss.backward()
    found = dict(batch)
    found["loss"] = loss
    found["loss_unsmoothed"] = F.cross_entropy(logits, wanted, ignore_index=PAD)
    for name, weight in model.named_parameters():  # a tied matrix comes once, under its first name
        found["gradient." + name] = weight.grad
    source, target = torch.tensor(PAIRS[0][0]), torch.tensor([BOS] + PAIRS[0][1])
    trace = Tracing(model).run(source, target)
    check_against_pytorch(model, trace, logits.reshape(len(PAIRS), -1, TARGET_VOCABULARY))
    found.update({"trace." + name: value for name, value in trace.items()})
    return {name: value.detach().numpy() for name, value in found.items()}


def check_against_pytorch(model, trace, batch_logits):
    """The steps must come to what PyTorch's own modules say: for the sentence alone, and for it padded in the batch."""
    source, target = trace["source.ids"][None], trace["target.ids"][None]
    memory = model.transformer.encoder(model.embed(model.source_embedding, source))
    assert torch.allclose(trace["encoder.output"], memory[0], atol=1e-10)
    assert torch.allclose(trace["logits"], model(source, target)[0], atol=1e-10)
    assert torch.allclose(trace["logits"], batch_logits[0, : target.shape[1]], atol=1e-10)
    layer = model.transformer.encoder.layers[0]
    attended = trace["encoder.input"][None] if not layer.norm_first else trace["encoder.layers.0.norm1"][None]
    output, weights = layer.self_attn(attended, attended, attended, average_attn_weights=False)
    assert torch.allclose(trace["encoder.layers.0.self_attn.weights"], weights[0], atol=1e-10)
    assert torch.allclose(trace["encoder.layers.0.self_attn.output"], output[0], atol=1e-10)


def tokenizer(size):
    tokens = ["<pad>", "<bos>", "<eos>", "<unk>"] + [f"w{i}" for i in range(4, size)]
    return json.dumps({"kind": "word", "lowercase": False, "tokens": tokens})


def make(case, index, folder):
    torch.manual_seed(100 + index)
    config = {**BASE, **CASES[case]}
    model = perturb(Model(config))
    expected = expectations(model)
    weights = {name: weight.detach().numpy() for name, weight in model.named_parameters()}
    path = os.path.join(folder, case + ".safetensors")
    save(path, weights, {
        "format": "headlight", "headlight.version": "0.1.0", "headlight.config": json.dumps(config),
        "headlight.tokenizer.source": tokenizer(SOURCE_VOCABULARY),
        "headlight.tokenizer.target": tokenizer(TARGET_VOCABULARY),
        "headlight.training": json.dumps({"data": "none: random weights", "steps": 0, "seed": 100 + index}),
    })
    save(os.path.join(folder, case + ".expected.safetensors"), expected, {"format": "headlight-golden"})
    trace = {name[len("trace."):]: value for name, value in expected.items() if name.startswith("trace.")}
    recomputed = check_trace.recompute(path, trace["source.ids"], trace["target.ids"])
    print(f"{case}: loss {float(expected['loss']):.6f}, unsmoothed {float(expected['loss_unsmoothed']):.6f}")
    assert check_trace.compare(trace, recomputed, quiet=True)


def main():
    parser = argparse.ArgumentParser(description="Makes the golden model files and what is expected of them.")
    parser.add_argument("--out-dir", default=os.path.dirname(os.path.abspath(__file__)))
    arguments = parser.parse_args()
    for index, case in enumerate(CASES):
        make(case, index, arguments.out_dir)


if __name__ == "__main__":
    main()
