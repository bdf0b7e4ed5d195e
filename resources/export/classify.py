#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names the label of sentences: arguments, or a sentence a line from standard input -> label, tab, probability."""
import argparse
import sys

import torch

from modeling import FOLDER, Config, load_model
from tokenization import load_tokenizers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="*", help="sentences; none: a sentence a line from standard input")
    parser.add_argument("--weights", metavar="FILE", help="weights of train.py instead of model.safetensors")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1 …")
    options = parser.parse_args()
    config, (source, target) = Config.read(), load_tokenizers(FOLDER)
    model = load_model(weights=options.weights, device=options.device)
    for text in options.text or (line.rstrip("\r\n") for line in sys.stdin):
        ids = [config.bos_id] + source.encode_input(text)
        if not 1 < len(ids) <= config.max_length:
            sys.exit(f"classify.py: error: {text!r} has {len(ids) - 1} tokens: the model reads 1 to {config.max_length - 1}")
        with torch.no_grad():
            probabilities = torch.softmax(model(torch.tensor([ids], device=options.device))[0], dim=-1)
        best = int(probabilities.argmax())
        print(f"{target.decode([config.first_label + best])}\t{probabilities[best]:.4f}", flush=True)


if __name__ == "__main__":
    main()
