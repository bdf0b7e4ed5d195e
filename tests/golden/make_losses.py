#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes losses.json: what PyTorch says of the loss of single words.

    python3 tests/golden/make_losses.py

For a few rows of logits, targets and label smoothings: torch.nn.functional.cross_entropy, its gradient by autograd, and
the loss after one step of 3 against that gradient. In double precision. tests/core/test_loss_of_words.cpp reads it.
"""
import json
import pathlib

import torch
import torch.nn.functional as F

STEP = 3.0


def case(logits, target, smoothing):
    z = torch.tensor(logits, dtype=torch.float64, requires_grad=True)
    wanted = torch.tensor([target])
    loss = F.cross_entropy(z[None], wanted, label_smoothing=smoothing)
    loss.backward()
    with torch.no_grad():
        after = F.cross_entropy((z - STEP * z.grad)[None], wanted, label_smoothing=smoothing)
        p = F.softmax(z, dim=0)
    return {
        "logits": logits,
        "target": target,
        "smoothing": smoothing,
        "probability": p[target].item(),
        "loss": loss.item(),
        "gradient": z.grad.tolist(),
        "after": after.item(),
    }


def main():
    torch.manual_seed(17)
    rows = [[2.0, 1.0, 0.1], [0.0, 0.0, 0.0, 0.0], [800.0, -800.0, 3.0], (4 * torch.randn(12).double()).tolist()]
    cases = [
        case(row, target, smoothing)
        for row in rows
        for target in (0, len(row) - 1)
        for smoothing in (0.0, 0.1, 0.5)
    ]
    # Where the target word's probability is q the loss cannot be less: it is the entropy of q.
    least = []
    for vocabulary, smoothing in ((503, 0.1), (10, 0.3), (4, 0.5)):
        q = torch.full((vocabulary,), smoothing / vocabulary, dtype=torch.float64)
        q[0] += 1 - smoothing
        loss = F.cross_entropy(q.log()[None], torch.tensor([0]), label_smoothing=smoothing).item()
        least.append({"vocabulary": vocabulary, "smoothing": smoothing, "at": q[0].item(), "loss": loss})
    path = pathlib.Path(__file__).with_name("losses.json")
    path.write_text(json.dumps({"cases": cases, "least": least}, indent=1) + "\n")


if __name__ == "__main__":
    main()
