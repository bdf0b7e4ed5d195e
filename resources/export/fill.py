#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills in the words of a text that stand as the vocabulary writes its mask (<mask>, [MASK]; of ids its number)."""
import argparse
import sys

import torch

from modeling import FOLDER, Config, load_model
from tokenization import Ids, load_tokenizers


def encode_masked(tokenizer, text, mask):
    """Tokenizers of other programs find a mask themselves; ours would cut it to pieces."""
    ids = tokenizer.encode_input(text)
    if isinstance(tokenizer, Ids) or mask in ids:
        return ids
    parts = text.split(tokenizer.tokens[mask])
    ids = tokenizer.encode(parts[0])
    for part in parts[1:]:
        ids += [mask] + tokenizer.encode(part)
    return ids


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="*", help="texts; none: one a line from standard input")
    parser.add_argument("--weights", metavar="FILE", help="weights of train.py instead of model.safetensors")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1 …")
    options = parser.parse_args()
    config, (tokenizer, _) = Config.read(), load_tokenizers(FOLDER)
    model = load_model(weights=options.weights, device=options.device)
    for text in options.text or (line.rstrip("\r\n") for line in sys.stdin):
        ids = encode_masked(tokenizer, text, config.mask_id)
        if not 0 < len(ids) <= config.max_length:
            sys.exit(f"fill.py: error: {text!r} has {len(ids)} tokens: the model reads 1 to {config.max_length}")
        with torch.no_grad():
            best = model(torch.tensor([ids], device=options.device))[0].argmax(-1).tolist()
        print(tokenizer.decode([word if id == config.mask_id else id for id, word in zip(ids, best)]), flush=True)


if __name__ == "__main__":
    main()
