#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills in the words of a text that stand as the vocabulary writes its mask (<mask>, [MASK]; of ids its number)."""
import torch

from command_line import check_length, open_model, options_parser, texts_of
from tokenization import Ids


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
    options = options_parser(__doc__, "texts").parse_args()
    model, config, (tokenizer, _) = open_model(options)
    for text in texts_of(options):
        ids = encode_masked(tokenizer, text, config.mask_id)
        check_length(text, ids, config.max_length)
        with torch.no_grad():
            best = model(torch.tensor([ids], device=options.device))[0].argmax(-1).tolist()
        print(tokenizer.decode([word if id == config.mask_id else id for id, word in zip(ids, best)]), flush=True)


if __name__ == "__main__":
    main()
