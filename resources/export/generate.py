#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Goes on with a text, as headlight-cli generate does. With --temperature 0 the words are the same; drawn ones differ,
as the random numbers are PyTorch's."""
import sys

from command_line import open_model, options_parser
from decoding import generate


def main():
    parser = options_parser(__doc__)
    parser.add_argument("--prompt", required=True, metavar="TEXT", help="how the text begins")
    parser.add_argument("--max-length", type=int, default=50, metavar="N", help="words at most, after the prompt")
    parser.add_argument("--temperature", type=float, default=1.0, metavar="T", help="0: always the likeliest word")
    parser.add_argument("--top-k", type=int, default=0, metavar="K", help="draw from the K likeliest words only")
    parser.add_argument("--top-p", type=float, default=1.0, metavar="P", help="… that have probability P together")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the drawing")
    options = parser.parse_args()
    model, config, (tokenizer, _) = open_model(options)
    prompt = tokenizer.encode_input(options.prompt)
    if len(prompt) >= config.max_length:
        sys.exit(f"generate.py: error: the prompt has {len(prompt)} tokens: the model reads {config.max_length - 1}")
    words = generate(model, config, prompt, options.max_length, options.temperature, options.top_k, options.top_p,
                     options.seed)
    print(tokenizer.decode(prompt + words))


if __name__ == "__main__":
    main()
