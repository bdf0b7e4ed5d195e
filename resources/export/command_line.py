# SPDX-License-Identifier: GPL-3.0-or-later
"""What the programs that use the model are called with, and how they begin."""
import argparse
import os
import sys

from modeling import FOLDER, Config, load_model
from tokenization import load_tokenizers


def options_parser(description, texts=""):
    """`texts`: what is given as arguments, or line by line, where anything is."""
    parser = argparse.ArgumentParser(description=description)
    if texts:
        parser.add_argument("text", nargs="*", help=f"{texts}; none: one a line from standard input")
    parser.add_argument("--weights", metavar="FILE", help="weights of train.py instead of model.safetensors")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1 …")
    return parser


def open_model(options):
    """-> the model, its configuration, (the tokenizer of what it reads, that of what it writes)"""
    return load_model(weights=options.weights, device=options.device), Config.read(), load_tokenizers(FOLDER)


def texts_of(options):
    return options.text or (line.rstrip("\r\n") for line in sys.stdin)


def check_length(text, ids, most):
    if not 0 < len(ids) <= most:
        program = os.path.basename(sys.argv[0])
        sys.exit(f"{program}: error: {text!r} has {len(ids)} tokens: the model reads 1 to {most}")
