#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains with PyTorch the Transformer that `headlight-cli train` trains, on the same text: how low should the loss get?

    compare_training.py --source-file train.src --target-file train.tgt --validation-source-file val.src
        --validation-target-file val.tgt --steps 1000 [--translations-file FILE] [--d-model 128 … as `headlight-cli train`]

Tokens are what stands between white space; the vocabularies are the four special tokens and every word of the training
files by falling count. nn.Transformer with sinusoidal positions, embeddings times sqrt(d_model), dropout on their sum;
Adam with betas 0.9 and 0.98. Prints JSON lines, the last with the validation loss: cross entropy per token that is not
padding, no smoothing, no dropout. With --translations-file it writes what the model makes of the validation sentences, the
likeliest word each time: score_bleu.py compares them with the engine's. The random numbers are PyTorch's: losses agree in size with the engine's, not to the bit.
"""
import argparse
import collections
import json
import math
import random
import time

import torch
import torch.nn.functional as F
from torch import nn

PAD, BOS, EOS, UNK = range(4)


def read_pairs(source_path, target_path):
    """-> [(source words, target words)], without pairs that have an empty side: there is nothing to attend to."""
    sides = []
    for path in (source_path, target_path):
        with open(path, encoding="utf-8-sig") as file:
            sides.append([line.split() for line in file])
    if len(sides[0]) != len(sides[1]):
        raise SystemExit(f"compare_training: error: {source_path} has {len(sides[0])} lines, {target_path} "
                         f"{len(sides[1])}: give files that match line by line")
    return [(source, target) for source, target in zip(*sides) if source and target]


def vocabulary(sentences):
    counts = collections.Counter(word for sentence in sentences for word in sentence)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: id for id, word in enumerate(["<pad>", "<bos>", "<eos>", "<unk>"] + words)}


def encode(pairs, source_ids, target_ids):
    return [([source_ids.get(word, UNK) for word in source], [target_ids.get(word, UNK) for word in target])
            for source, target in pairs]


POOL = 50  # batches whose pairs are sorted together, as the engine's Batcher does


def batches(pairs, size, shuffler=None):
    """Batches of `size` pairs of like lengths; with a shuffler, other neighbours and another order at each call."""
    order = list(range(len(pairs)))
    if shuffler:
        shuffler.shuffle(order)
    pools = [order[start : start + size * POOL] for start in range(0, len(order), size * POOL)]
    order = [i for pool in pools for i in sorted(pool, key=lambda i: (len(pairs[i][1]), len(pairs[i][0])))]
    groups = [order[start : start + size] for start in range(0, len(order), size)]
    if shuffler:
        shuffler.shuffle(groups)
    for group in groups:
        yield [pairs[i] for i in group]


def tensors(batch):
    """-> source [B,S], decoder input <bos> y1 ... yn [B,T], wanted output y1 ... yn <eos> [B,T]"""
    def pad(rows):
        width = max(map(len, rows))
        return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])

    return (pad([source for source, _ in batch]), pad([[BOS] + target for _, target in batch]),
            pad([target + [EOS] for _, target in batch]))


class Translator(nn.Module):
    def __init__(self, options, source_size, target_size, longest):
        super().__init__()
        d = options.d_model
        self.scale = math.sqrt(d)
        self.source_embedding = nn.Embedding(source_size, d)
        self.target_embedding = nn.Embedding(target_size, d)
        self.transformer = nn.Transformer(
            d, options.num_heads, options.num_encoder_layers, options.num_decoder_layers, options.d_ff,
            dropout=options.dropout, batch_first=True, norm_first=options.norm_order == "pre")
        if options.norm_order == "post":  # PyTorch adds a norm behind each stack even so; the paper and Headlight do not
            self.transformer.encoder.norm = self.transformer.decoder.norm = None
        self.generator = nn.Linear(d, target_size)
        self.dropout = nn.Dropout(options.dropout)
        if options.embedding_init == "scaled":
            for embedding in (self.source_embedding, self.target_embedding):
                nn.init.normal_(embedding.weight, 0, d**-0.5)
        angles = torch.arange(longest)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        self.register_buffer("positions", table)

    def embed(self, embedding, ids):
        return self.dropout(embedding(ids) * self.scale + self.positions[: ids.shape[1]])

    def forward(self, source, target):
        length, padded = target.shape[1], source == PAD
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        return self.generator(self.transformer(
            self.embed(self.source_embedding, source), self.embed(self.target_embedding, target), tgt_mask=future,
            src_key_padding_mask=padded, memory_key_padding_mask=padded))


def learning_rate(options, step):
    """At step 1, 2, ..."""
    if options.schedule == "constant":
        return options.learning_rate
    return options.learning_rate * options.d_model**-0.5 * min(step**-0.5, step * options.warmup_steps**-1.5)


def validate(model, pairs, batch_size):
    """-> cross entropy per token"""
    # Gradients stay on: without them PyTorch 1.13 takes another path through the encoder, which drops padded columns.
    model.eval()
    total, count = 0.0, 0
    for source, target, wanted in map(tensors, batches(pairs, batch_size)):
        logits = model(source, target).flatten(0, 1)
        total += F.cross_entropy(logits, wanted.flatten(), ignore_index=PAD, reduction="sum").item()
        count += int((wanted != PAD).sum())
    model.train()
    return total / count


@torch.no_grad()
def translate(model, sources, target_words, longest, batch_size):
    """The likeliest word each time, until <eos> or `longest` words. -> texts, in the sources' order"""
    model.eval()
    texts = [""] * len(sources)
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    for start in range(0, len(order), batch_size):
        group = order[start : start + batch_size]
        width = max(len(sources[i]) for i in group)
        source = torch.tensor([sources[i] + [PAD] * (width - len(sources[i])) for i in group])
        written = torch.full((len(group), 1), BOS)
        ended = torch.zeros(len(group), dtype=torch.bool)
        while not ended.all() and written.shape[1] <= longest:
            with torch.enable_grad():  # see validate()
                logits = model(source, written)[:, -1].detach()
            word = logits.argmax(-1).masked_fill(ended, PAD)
            ended |= word == EOS
            written = torch.cat([written, word[:, None]], dim=1)
        for i, row in zip(group, written[:, 1:].tolist()):
            row = row[: row.index(EOS)] if EOS in row else row
            texts[i] = " ".join(target_words[id] for id in row)
    model.train()
    return texts


def endless(pairs, batch_size, shuffler):
    while True:
        yield from batches(pairs, batch_size, shuffler)


def train(model, pairs, options):
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    stream = endless(pairs, options.batch_size, random.Random(options.seed))
    tokens, since, losses = 0, time.monotonic(), []
    for step in range(1, options.steps + 1):
        source, target, wanted = tensors(next(stream))
        rate = optimizer.param_groups[0]["lr"] = learning_rate(options, step)
        loss = F.cross_entropy(model(source, target).flatten(0, 1), wanted.flatten(), ignore_index=PAD,
                               label_smoothing=options.label_smoothing)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), options.clip_norm)
        optimizer.step()
        tokens += int((source != PAD).sum() + (wanted != PAD).sum())
        losses.append(loss.item())
        if step % options.report_every == 0 or step == options.steps:
            seconds = time.monotonic() - since
            print(json.dumps({"step": step, "loss": sum(losses) / len(losses), "learning_rate": rate,
                              "tokens_per_second": tokens / seconds, "gradient_norm": norm.item()}), flush=True)
            tokens, since, losses = 0, time.monotonic(), []


def parse_options():
    parser = argparse.ArgumentParser(description="Trains the same Transformer with PyTorch, for comparison.")
    for name in ("source-file", "target-file", "validation-source-file", "validation-target-file"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--translations-file", help="where to write what becomes of the validation sentences")
    whole = {"steps": 1000, "seed": 1, "d-model": 128, "num-heads": 4, "num-encoder-layers": 2, "num-decoder-layers": 2,
             "d-ff": 512, "batch-size": 64, "warmup-steps": 400, "report-every": 50, "threads": 1}
    for name, default in whole.items():
        parser.add_argument("--" + name, type=int, default=default)
    for name, default in {"dropout": 0.1, "learning-rate": 1.0, "label-smoothing": 0.1, "clip-norm": 1.0}.items():
        parser.add_argument("--" + name, type=float, default=default)
    parser.add_argument("--schedule", choices=("noam", "constant"), default="noam")
    parser.add_argument("--norm-order", choices=("post", "pre"), default="post")
    parser.add_argument("--embedding-init", choices=("scaled", "default"), default="scaled",
                        help="variance 1/d_model, or PyTorch's own: variance 1")
    return parser.parse_args()


def main():
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    pairs = read_pairs(options.source_file, options.target_file)
    validation = read_pairs(options.validation_source_file, options.validation_target_file)
    if not pairs or not validation:
        raise SystemExit("compare_training: error: there is a file without sentences: give text on both sides")
    source_ids, target_ids = (vocabulary(side) for side in zip(*pairs))
    pairs, validation = (encode(some, source_ids, target_ids) for some in (pairs, validation))
    longest = max(len(sentence) for pair in pairs + validation for sentence in pair) + 1  # <bos> or <eos>
    model = Translator(options, len(source_ids), len(target_ids), longest)
    print(json.dumps({"pairs": len(pairs), "source_vocab_size": len(source_ids), "target_vocab_size": len(target_ids),
                      "parameters": sum(weight.numel() for weight in model.parameters())}), flush=True)
    started = time.monotonic()
    train(model, pairs, options)
    seconds = time.monotonic() - started
    loss = validate(model, validation, options.batch_size)
    print(json.dumps({"done": True, "steps": options.steps, "seconds": seconds, "validation_loss": loss,
                      "perplexity": math.exp(loss)}), flush=True)
    if options.translations_file:
        words = list(target_ids)
        texts = translate(model, [source for source, _ in validation], words, longest - 1, options.batch_size)
        with open(options.translations_file, "w", encoding="utf-8") as file:
            file.writelines(text + "\n" for text in texts)


if __name__ == "__main__":
    main()
