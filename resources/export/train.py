#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Goes on training the model of this folder, on one processor or many:

    python3 train.py --pairs FILE.tsv --steps 1000
    torchrun --nproc_per_node 4 train.py --pairs FILE.tsv --steps 1000          four GPUs of one machine
    torchrun --nnodes 2 --nproc_per_node 4 --rdzv_backend c10d --rdzv_endpoint HOST:29500 train.py …   of two, on each

A batch is shared out among all processes and its loss divided by all of its words, so that their number changes the
speed, and nothing else but dropout. What is written is a model file of Headlight's.
"""
import argparse
import json
import math
import os
import random
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

import safetensors_file
from data import IGNORED, batches, examples_of, fail, tensors
from modeling import FOLDER, Config, load_model
from tokenization import load_tokenizers


def parse_options(story, config):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for prefix, what in (("", "to train on"), ("validation-", "to measure on, before and behind the training")):
        parser.add_argument(f"--{prefix}pairs", metavar="FILE.tsv", help=f"source TAB target a line, {what}")
        parser.add_argument(f"--{prefix}source-file", metavar="FILE", help="sources, a sentence a line …")
        parser.add_argument(f"--{prefix}target-file", metavar="FILE", help="… and targets, line by line")
        parser.add_argument(f"--{prefix}text-file", metavar="FILE", help="of language models: a sentence a line")
    told = story.get("data")  # other programs write a name
    parser.add_argument("--running-text", choices=("breaks", "paragraphs"), help="the text is one stream",
                        default=told.get("running_text") if isinstance(told, dict) else None)
    parser.add_argument("--steps", type=int, default=1000, metavar="N")
    parser.add_argument("--batch-size", type=int, default=story.get("batch_size", 64), metavar="N",
                        help="examples a step, of all processes together")
    parser.add_argument("--schedule", choices=("cosine", "noam", "constant"), default="cosine")
    parser.add_argument("--learning-rate", type=float, metavar="X", help="as headlight-cli train chooses it")
    parser.add_argument("--warmup-steps", type=int, metavar="N", help="cosine 200, noam 400, constant 0")
    parser.add_argument("--label-smoothing", type=float, default=story.get("label_smoothing", 0.1), metavar="X")
    parser.add_argument("--clip-norm", type=float, default=story.get("clip_norm", 1.0), metavar="X", help="0: none")
    parser.add_argument("--dropout", type=float, default=config.dropout, metavar="X")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--report-every", type=int, default=50, metavar="N")
    parser.add_argument("--weights", metavar="FILE", help="what to go on from instead of model.safetensors")
    parser.add_argument("--out", default="trained.safetensors", metavar="FILE")
    options = parser.parse_args()
    if options.steps < 1 or options.batch_size < 1:
        parser.error("--steps and --batch-size must be at least 1")
    return options


def start_processes():
    """-> number of this process, how many there are, its device"""
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(device)
    if world > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return rank, world, device


class Schedule:
    """The learning rate at step 1, 2, …"""

    def __init__(self, options, config):
        self.kind, self.steps = options.schedule, options.steps
        self.width = config.hidden_size if config.recurrent else config.d_model
        cosine = 0.007 * math.sqrt(128 / self.width) if config.recurrent else 0.003 * math.sqrt(64 / self.width)
        rate, warmup = {"cosine": (cosine, 200), "noam": (1.0, 400), "constant": (0.001, 0)}[self.kind]
        self.rate = rate if options.learning_rate is None else options.learning_rate
        self.warmup = warmup if options.warmup_steps is None else options.warmup_steps

    def at(self, step):
        warmup = max(1, self.warmup)
        if self.kind == "noam":
            return self.rate * self.width**-0.5 * min(step**-0.5, step * warmup**-1.5)
        if self.kind == "constant" or step < warmup:
            return self.rate * min(1, step / warmup)
        return self.rate * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / max(1, self.steps - warmup))))


def summed_loss(model, batch, config, device, chance, smoothing=0.0):
    """-> cross-entropy, summed over the words that are asked for; how many these are"""
    given, wanted = tensors(batch, config, device, chance)
    logits = model(*given)
    loss = F.cross_entropy(logits.flatten(0, -2), wanted.flatten(), ignore_index=IGNORED, reduction="sum",
                           label_smoothing=smoothing)
    return loss, (wanted != IGNORED).sum()


@torch.no_grad()
def measure(model, examples, config, device, seed):
    """-> mean cross-entropy of a word; dropout off, no smoothing: headlight-cli evaluate's loss"""
    model.eval()
    chance, total, words = random.Random(seed), 0.0, 0
    order = sorted(examples, key=lambda pair: (len(pair[1]), len(pair[0])))
    for start in range(0, len(order), 64):
        loss, count = summed_loss(model, order[start : start + 64], config, device, chance)
        total, words = total + loss.item(), words + int(count)
    model.train()
    return total / max(1, words)


def share(batch, rank, world):
    """Of each process its part; where there are fewer examples than processes, one that does not count."""
    part = batch[rank::world]
    return (part, 1) if part else (batch[:1], 0)


def train(model, examples, options, config, processes):
    rank, world, device = processes
    parallel = DistributedDataParallel(model) if world > 1 else model
    schedule, stream = Schedule(options, config), batches(examples, options.batch_size, options.seed)
    optimizer = torch.optim.Adam((w for w in model.parameters() if w.requires_grad), betas=(0.9, 0.98), eps=1e-9)
    torch.manual_seed(options.seed + rank)  # each process drops out other numbers
    chance = random.Random(f"{options.seed} {rank}")
    since, words_since = time.monotonic(), 0
    for step in range(1, options.steps + 1):
        part, counts = share(next(stream), rank, world)
        loss, words = summed_loss(parallel, part, config, device, chance, options.label_smoothing)
        total = torch.stack([loss.detach() * counts, (words * counts).to(loss.dtype)])
        if world > 1:
            dist.all_reduce(total)
        mean, words = total[0].item() / total[1].item(), total[1].item()
        optimizer.zero_grad()
        # DistributedDataParallel takes the mean of the processes' gradients, and what is wanted is their sum.
        (loss * (counts * world / words)).backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), options.clip_norm or math.inf)
        if not math.isfinite(mean) or not math.isfinite(norm):
            fail(f"at step {step} the loss is no longer a number: lower --learning-rate or set --clip-norm")
        optimizer.param_groups[0]["lr"] = rate = schedule.at(step)
        optimizer.step()
        words_since += words
        if rank == 0 and (step == 1 or step % options.report_every == 0 or step == options.steps):
            speed = words_since / max(1e-9, time.monotonic() - since)
            since, words_since = time.monotonic(), 0
            print(json.dumps({"step": step, "loss": mean, "learning_rate": rate, "tokens_per_second": round(speed),
                              "gradient_norm": float(norm)}), flush=True)


def write(model, options, story, loss):
    """The file that we read, with other weights, and a word on how they came about."""
    tensors_before, metadata = safetensors_file.load(os.path.join(FOLDER, "model.safetensors"))
    state = model.state_dict()
    more = {"steps": story.get("steps", 0) + options.steps, "continued": {"program": "PyTorch", "steps": options.steps}}
    if loss is not None:
        more["validation_loss"] = loss
    metadata["headlight.training"] = json.dumps({**story, **more, "bleu": None})
    safetensors_file.save(options.out, {name: state[name] for name in tensors_before}, metadata)


def main():
    with open(os.path.join(FOLDER, "training.json"), encoding="utf-8") as file:
        story = json.load(file)
    options = parse_options(story, Config.read())
    processes = rank, world, device = start_processes()
    if world > 1:
        torch.set_num_threads(max(1, torch.get_num_threads() // int(os.environ.get("LOCAL_WORLD_SIZE", world))))
    model = load_model(weights=options.weights, device=device, dropout=options.dropout)
    config, tokenizers = Config.read(), load_tokenizers(FOLDER)
    examples = examples_of(options, "", tokenizers, config, training=True)
    validation = examples_of(options, "validation_", tokenizers, config, training=False)
    if not examples:
        fail("there is nothing to train on that the model can read: give --pairs, --source-file and --target-file, or "
             "of a language model --text-file")
    model.train()
    loss = None
    for moment in ("before", "behind"):
        if moment == "behind":
            train(model, examples, options, config, processes)
        if validation and rank == 0:
            loss = measure(model, validation, config, device, options.seed)
            print(json.dumps({"validation_loss": loss, "perplexity": math.exp(loss)}), flush=True)
    if rank == 0:
        write(model, options, story, loss)
        print(json.dumps({"done": True, "steps": options.steps, "model": options.out}), flush=True)
    if world > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
