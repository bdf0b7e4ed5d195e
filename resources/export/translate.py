#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates sentences, as headlight-cli translate does: arguments, or a sentence a line from standard input."""
import argparse
import sys

from decoding import beam_search
from modeling import FOLDER, Config, load_model
from tokenization import load_tokenizers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="*", help="sentences; none: a sentence a line from standard input")
    parser.add_argument("--beam", type=int, default=1, metavar="K", help="hypotheses that go on at each step; 1: greedy")
    parser.add_argument("--length-penalty", default="average", metavar="none|average|gnmt:ALPHA")
    parser.add_argument("--n-best", type=int, default=1, metavar="N", help="hypotheses to print")
    parser.add_argument("--max-length", type=int, default=0, metavar="N", help="stop a translation after N words")
    parser.add_argument("--weights", metavar="FILE", help="weights of train.py instead of model.safetensors")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1 …")
    options = parser.parse_args()
    config, (source, target) = Config.read(), load_tokenizers(FOLDER)
    model = load_model(weights=options.weights, device=options.device)
    for text in options.text or (line.rstrip("\r\n") for line in sys.stdin):
        ids = source.encode_input(text)
        if not 0 < len(ids) <= config.max_length:
            sys.exit(f"translate.py: error: {text!r} has {len(ids)} tokens: the model reads 1 to {config.max_length}")
        found = beam_search(model, config, ids, options.beam, options.length_penalty, options.max_length)
        for hypothesis in found[: options.n_best]:
            score = f"{hypothesis.score:.4f}\t" if options.n_best > 1 else ""
            print(score + target.decode(hypothesis.tokens), flush=True)


if __name__ == "__main__":
    main()
