#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the training steps of `headlight-cli bench` in PyTorch as well, in the same run, and prints both side by side.

    /usr/bin/python3 compare_pytorch.py [--cli build/release/headlight-cli] [--config tiny …] [--rounds 3]
        (Debian: python3-torch)

PyTorch runs with one and with two threads, with the kernels that OpenBLAS chooses itself and with
OPENBLAS_CORETYPE=SkylakeX; its best counts. Every round times everything once, so that a busy minute of the machine falls
on both; the best of the rounds counts for both. Memory is the peak resident size of the process.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time

CONFIGS = {
    "tiny": dict(vocabulary=200, d=64, heads=4, layers=2, ff=256, batch=32, length=12),
    "small": dict(vocabulary=1000, d=128, heads=8, layers=2, ff=512, batch=64, length=20),
    "base": dict(vocabulary=8000, d=256, heads=8, layers=3, ff=1024, batch=64, length=30),
    "lstm-small": dict(vocabulary=1000, embedding=128, hidden=256, batch=64, length=20),
}
SECONDS = {"tiny": 2, "small": 3, "base": 8, "lstm-small": 3}


def transformer(torch, c):
    nn = torch.nn

    class Translator(nn.Module):
        def __init__(self):
            super().__init__()
            self.source, self.target = nn.Embedding(c["vocabulary"], c["d"]), nn.Embedding(c["vocabulary"], c["d"])
            self.transformer = nn.Transformer(c["d"], c["heads"], c["layers"], c["layers"], c["ff"], 0.1, batch_first=True)
            self.generator = nn.Linear(c["d"], c["vocabulary"])
            self.dropout, self.scale = nn.Dropout(0.1), c["d"] ** 0.5
            self.register_buffer("positions", torch.randn(c["length"], c["d"]))
            self.register_buffer("future", nn.Transformer.generate_square_subsequent_mask(c["length"]))

        def forward(self, source, target):
            embed = lambda table, ids: self.dropout(table(ids) * self.scale + self.positions)
            return self.generator(self.transformer(
                embed(self.source, source), embed(self.target, target), tgt_mask=self.future))

    return Translator()


def lstm(torch, c):
    nn = torch.nn

    class Translator(nn.Module):
        def __init__(self):
            super().__init__()
            self.source = nn.Embedding(c["vocabulary"], c["embedding"])
            self.target = nn.Embedding(c["vocabulary"], c["embedding"])
            self.encoder = nn.LSTM(c["embedding"], c["hidden"], batch_first=True)
            self.decoder = nn.LSTM(c["embedding"], c["hidden"], batch_first=True)
            self.generator = nn.Linear(c["hidden"], c["vocabulary"])

        def forward(self, source, target):
            _, state = self.encoder(self.source(source))
            return self.generator(self.decoder(self.target(target), state)[0])

    return Translator()


def time_pytorch(name, threads):
    """In a process of its own: prints the milliseconds of a step (median) and the peak memory in MiB."""
    import torch

    c = CONFIGS[name]
    torch.manual_seed(1)
    torch.set_num_threads(threads)
    model = (lstm if "hidden" in c else transformer)(torch, c)
    optimizer = torch.optim.Adam(model.parameters(), 1e-4, (0.9, 0.98), 1e-9)
    ids = lambda: torch.randint(4, c["vocabulary"], (c["batch"], c["length"]))
    source, target, wanted = ids(), ids(), ids().flatten()

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = model(source, target).flatten(0, 1)
        torch.nn.functional.cross_entropy(logits, wanted, ignore_index=0, label_smoothing=0.1).backward()
        optimizer.step()

    for _ in range(3):
        step()
    times, end = [], time.perf_counter() + SECONDS[name]
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"step_ms": sorted(times)[len(times) // 2] * 1e3, "peak_mib": peak}))


def run(command, core):
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    if core:
        environment["OPENBLAS_CORETYPE"] = core
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def peak_of(command, environment):
    """Peak resident size of a child, in MiB."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description="Headlight's training steps beside PyTorch's.")
    parser.add_argument("--cli", default="build/release/headlight-cli")
    parser.add_argument("--config", action="append", choices=CONFIGS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pytorch", nargs=2, metavar=("CONFIG", "THREADS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pytorch:
        return time_pytorch(options.pytorch[0], int(options.pytorch[1]))
    free = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    print(f"{'config':<12}{'PyTorch':>12}{'Headlight':>12}{'ratio':>8}{'one thread':>12}{'of SGEMM':>10}"
          f"{'MiB PyTorch':>13}{'MiB Headlight':>15}")
    for name in options.config or CONFIGS:
        theirs, ours, single, fraction, memory = [], [], [], [], []
        for _ in range(options.rounds):
            for threads in (1, 2):
                for core in (None, "SkylakeX"):
                    found = run([sys.executable, __file__, "--pytorch", name, str(threads)], core)
                    theirs.append(found["step_ms"])
                    memory.append(found["peak_mib"])
            command = [options.cli, "bench", "--config", name, "--json"]
            two = run(command + ["--threads", "2"], None)
            ours.append(two["step_ms"])
            fraction.append(two["fraction_of_sgemm"])
            single.append(run(command + ["--threads", "1"], None)["step_ms"])
        peak = peak_of([options.cli, "bench", "--config", name], free)
        print(f"{name:<12}{min(theirs):>9.2f} ms{min(ours):>9.2f} ms{min(theirs) / min(ours):>7.2f}x"
              f"{min(single) / min(ours):>11.2f}x{100 * max(fraction):>8.1f} %{min(memory):>13.0f}{peak:>15.0f}",
              flush=True)


if __name__ == "__main__":
    main()
