#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Corpus BLEU (Papineni et al. 2002) of translations whose words stand between white space, one reference each.

    score_bleu.py --reference val.tgt TRANSLATIONS ...

Subwords (`do@@ g`) are joined before. Up to four words in a row, no smoothing. Prints a JSON line a file: the score, the
precisions, and the shares of sentences that equal their reference.
"""
import argparse
import collections
import json
import math


def sentences(path):
    with open(path, encoding="utf-8") as file:
        return [line.replace("@@ ", "").split() for line in file]


def runs(words, length):
    return collections.Counter(tuple(words[i : i + length]) for i in range(len(words) - length + 1))


def bleu(translations, references):
    precisions = []
    for length in range(1, 5):
        matches = total = 0
        for translation, reference in zip(translations, references):
            found = runs(translation, length)
            matches += sum((found & runs(reference, length)).values())
            total += sum(found.values())
        precisions.append(matches / total if total else 0.0)
    written, wanted = (sum(map(len, side)) for side in (translations, references))
    brevity = 1.0 if written >= wanted else math.exp(1 - wanted / written) if written else 0.0
    mean = math.exp(sum(map(math.log, precisions)) / 4) if all(precisions) else 0.0
    return 100 * brevity * mean, precisions, brevity


def main():
    parser = argparse.ArgumentParser(description="Corpus BLEU of translations cut at white space.")
    parser.add_argument("--reference", required=True)
    parser.add_argument("translations", nargs="+")
    options = parser.parse_args()
    references = sentences(options.reference)
    for path in options.translations:
        translations = sentences(path)
        if len(translations) != len(references):
            raise SystemExit(f"score_bleu: error: {path} has {len(translations)} lines, {options.reference} "
                             f"{len(references)}: give files that match line by line")
        score, precisions, brevity = bleu(translations, references)
        same = sum(map(list.__eq__, translations, references)) / max(1, len(references))
        print(json.dumps({"file": path, "bleu": round(score, 2), "precisions": [round(100 * p, 1) for p in precisions],
                          "brevity_penalty": round(brevity, 4), "same_as_reference": round(same, 4)}))


if __name__ == "__main__":
    main()
