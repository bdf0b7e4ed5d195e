#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times a model of GPT-2's layout (make_gpt2.py) in PyTorch and in Headlight, in turns, and prints both.

    /usr/bin/python3 compare_gpt2.py FOLDER [--cli build/release/headlight-cli] [--tokens 64] [--rounds 3]
        (Debian: python3-torch, python3-numpy)

Open: the file's weights as float32 in memory. Read: all tokens at once, without gradients; Headlight keeps every value
besides. Write: one token after the other with the keys and values of those before. PyTorch has two threads; the best of
the rounds counts for both.
"""
import argparse
import json
import os
import subprocess
import sys
import time


def load(torch, path):
    """Every tensor as float32; the file is mapped, so that a number is read once."""
    import numpy as np

    data = np.memmap(path, np.uint8, "r")
    length = int(data[:8].view("<u8")[0])
    header = json.loads(bytes(data[8 : 8 + length]))
    header.pop("__metadata__", None)
    kinds = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        values = torch.frombuffer(bytearray(data[begin:end]), dtype=kinds[entry["dtype"]])
        tensors[name] = values.float().reshape(entry["shape"])
    return tensors


def step(torch, w, config, ids, cache):
    """Logits of `ids`, which follow what `cache` holds: (keys, values) of each layer."""
    functional, d, heads = torch.nn.functional, config["n_embd"], config["n_head"]
    conv1d = lambda name, x: torch.addmm(w[name + ".bias"], x, w[name + ".weight"])
    norm = lambda name, x: functional.layer_norm(x, (d,), w[name + ".weight"], w[name + ".bias"], 1e-5)
    split = lambda x: x.view(-1, heads, d // heads).transpose(0, 1)
    before, count = cache[0][0].shape[1] if cache[0] else 0, len(ids)
    future = torch.ones(count, before + count, dtype=torch.bool).triu(before + 1)
    x = w["wte.weight"][ids] + w["wpe.weight"][before : before + count]
    for i in range(config["n_layer"]):
        q, k, v = map(split, conv1d(f"h.{i}.attn.c_attn", norm(f"h.{i}.ln_1", x)).split(d, -1))
        if cache[i]:
            k, v = torch.cat((cache[i][0], k), 1), torch.cat((cache[i][1], v), 1)
        cache[i] = (k, v)
        scores = (q @ k.transpose(1, 2) / (d // heads) ** 0.5).masked_fill(future, float("-inf"))
        joined = (scores.softmax(-1) @ v).transpose(0, 1).reshape(count, d)
        x = x + conv1d(f"h.{i}.attn.c_proj", joined)
        hidden = conv1d(f"h.{i}.mlp.c_fc", norm(f"h.{i}.ln_2", x))
        gelu = 0.5 * hidden * (1 + torch.tanh(0.7978845608 * (hidden + 0.044715 * hidden**3)))
        x = x + conv1d(f"h.{i}.mlp.c_proj", gelu)
    return norm("ln_f", x) @ w["wte.weight"].T


def time_pytorch(folder, tokens):
    """In a process of its own: prints seconds to open, milliseconds to read, tokens a second, peak memory."""
    import torch

    torch.set_num_threads(2)
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    start = time.perf_counter()
    w = load(torch, os.path.join(folder, "model.safetensors"))
    opened = time.perf_counter() - start
    ids = torch.randint(0, config["vocab_size"], (tokens,), generator=torch.Generator().manual_seed(1))
    nothing = lambda: [None] * config["n_layer"]
    read = write = 1e9
    with torch.no_grad():
        for _ in range(3):
            start = time.perf_counter()
            step(torch, w, config, ids, nothing())
            read = min(read, time.perf_counter() - start)
        for _ in range(2):
            cache, start = nothing(), time.perf_counter()
            for i in range(tokens):
                step(torch, w, config, ids[i : i + 1], cache)
            write = min(write, time.perf_counter() - start)
    with open("/proc/self/status", encoding="utf-8") as file:
        peak = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
    print(json.dumps({"open_seconds": opened, "read_ms": read * 1e3, "tokens_per_second": tokens / write,
                      "peak_bytes": peak}))


def run(command):
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description="A model of GPT-2's layout in PyTorch and in Headlight.")
    parser.add_argument("folder")
    parser.add_argument("--cli", default="build/release/headlight-cli")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pytorch", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pytorch:
        return time_pytorch(options.folder, options.tokens)
    theirs, ours = [], []
    for _ in range(options.rounds):
        theirs.append(run([sys.executable, __file__, options.folder, "--pytorch", "--tokens", str(options.tokens)]))
        ours.append(run([options.cli, "bench", "--model", options.folder, "--tokens", str(options.tokens), "--json"]))
    print(f"{'':<12}{'open':>10}{'read':>12}{'write':>16}{'memory':>12}")
    for name, found, key in (("PyTorch", theirs, "read_ms"), ("Headlight", ours, "trace_ms")):
        print(f"{name:<12}{min(f['open_seconds'] for f in found):>8.2f} s{min(f[key] for f in found):>9.0f} ms"
              f"{max(f['tokens_per_second'] for f in found):>7.1f} tokens/s"
              f"{max(f['peak_bytes'] for f in found) / 2**20:>8.0f} MiB")


if __name__ == "__main__":
    main()
