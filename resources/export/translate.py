#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates sentences, as headlight-cli translate does: arguments, or a sentence a line from standard input."""
from command_line import check_length, open_model, options_parser, texts_of
from decoding import beam_search


def main():
    parser = options_parser(__doc__, "sentences")
    parser.add_argument("--beam", type=int, default=1, metavar="K", help="hypotheses that go on at each step; 1: greedy")
    parser.add_argument("--length-penalty", default="average", metavar="none|average|gnmt:ALPHA|power:ALPHA",
                        help="what log P is divided by in a score; average: the number of tokens")
    parser.add_argument("--n-best", type=int, default=1, metavar="N", help="hypotheses to print")
    parser.add_argument("--max-length", type=int, default=0, metavar="N", help="stop a translation after N words")
    options = parser.parse_args()
    model, config, (source, target) = open_model(options)
    for text in texts_of(options):
        ids = source.encode_input(text)
        check_length(text, ids, config.max_length)
        found = beam_search(model, config, ids, options.beam, options.length_penalty, options.max_length)
        for hypothesis in found[: options.n_best]:
            score = f"{hypothesis.score:.4f}\t" if options.n_best > 1 else ""
            print(score + target.decode(hypothesis.tokens), flush=True)


if __name__ == "__main__":
    main()
