#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""BLEU of random translations against one to three references, counted without the engine: make_bleu.py [--out FILE].

Words stand between white space. Each n-gram counts at most as often as one reference has it, the closest reference
gives the length, of two the shorter (Papineni et al. 2002, section 2); a length without a match counts as half a match,
the next as a quarter (Post 2018). Fractions until the very end; the same bytes every time.
"""
import argparse
import json
import math
import pathlib
import random
from fractions import Fraction

WORDS = "the a cat dog sat lay on under mat and".split()


def pieces(words, length):
    return [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]


def counts(translation, references, length):
    """What is found, what is clipped, how many there are."""
    mine = pieces(translation, length)
    found = clipped = 0
    for piece in set(mine):
        written = mine.count(piece)
        held = max((pieces(reference, length).count(piece) for reference in references), default=0)
        found += min(written, held)
        clipped += max(0, written - held) if held else 0
    return found, clipped, len(mine)


def closest(translation, references):
    length = len(translation)
    return min((len(reference) for reference in references), key=lambda other: (abs(other - length), other))


def score(found, totals, written, wanted, longest):
    if written == 0 or not any(found) or not all(totals[:longest]):
        return 0.0
    product, half = Fraction(1), Fraction(1)
    for hit, total in zip(found[:longest], totals):
        if hit == 0:
            half /= 2
        product *= Fraction(hit, total) if hit else half / total
    brevity = 1.0 if written >= wanted else math.exp(1 - wanted / written)
    return 100 * brevity * float(product) ** (1 / longest)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=pathlib.Path(__file__).with_name("bleu.expected.json"))
    options = parser.parse_args()
    draw = random.Random(7)
    sentence = lambda: draw.choices(WORDS, k=draw.randint(1, 9))
    cases, summed = [], [[0] * 4, [0] * 4, 0, 0]
    for _ in range(60):
        translation, references = sentence(), [sentence() for _ in range(draw.randint(1, 3))]
        if draw.random() < 0.3:  # nearly right
            translation = references[0][: draw.randint(1, 9)] + translation[:2]
        found, clipped, totals = map(list, zip(*(counts(translation, references, n) for n in range(1, 5))))
        wanted = closest(translation, references)
        scores = [score(found, totals, len(translation), wanted, longest) for longest in range(1, 5)]
        cases.append({"translation": " ".join(translation), "references": [" ".join(r) for r in references],
                      "found": found, "clipped": clipped, "totals": totals, "reference_length": wanted,
                      "scores": scores})
        for n in range(4):
            summed[0][n] += found[n]
            summed[1][n] += totals[n]
        summed[2] += len(translation)
        summed[3] += wanted
    whole = [score(*summed, longest) for longest in range(1, 5)]
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump({"cases": cases, "summed": whole}, file, indent=0)
        file.write("\n")


if __name__ == "__main__":
    main()
