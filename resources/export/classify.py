#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names the label of sentences: arguments, or a sentence a line from standard input -> label, tab, probability."""
import torch

from command_line import check_length, open_model, options_parser, texts_of


def main():
    options = options_parser(__doc__, "sentences").parse_args()
    model, config, (source, target) = open_model(options)
    for text in texts_of(options):
        ids = source.encode_input(text)
        check_length(text, ids, config.max_length - len(config.before))
        with torch.no_grad():
            logits = model(torch.tensor([config.before + ids], device=options.device))[0]
        probabilities = torch.softmax(logits, dim=-1)
        best = int(probabilities.argmax())
        print(f"{target.decode([config.first_label + best])}\t{probabilities[best]:.4f}", flush=True)


if __name__ == "__main__":
    main()
