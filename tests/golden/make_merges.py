#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes merges.json: byte-pair merges of a small text, by their definition.

    python3 tests/golden/make_merges.py

Counts every pair of neighbours anew before each merge, merges the most frequent one (of equal ones the greatest, left
symbol before right, as subword-nmt takes it) and begins again. Kept are the words with their counts, and of each merge
the pair, its count, the first pairs of the list, and how many pieces the text has before it.
tests/core/test_merge_film.cpp reads it.
"""
import collections
import json
import pathlib

MERGES = 40
TEXT = """low low low low low lower lower newest newest newest newest newest newest widest widest widest
Nico Nico kite kite kite king king Latin Martin Martin tin trường trường trường học học học học
учить учить учитель учитель ученик aaaa aaa aa banana banana"""


def fused(symbols, pair):
    result, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            result.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result


def main():
    counts = collections.Counter(TEXT.split())
    words = {word: list(word[:-1]) + [word[-1] + "</w>"] for word in counts}
    merges = []
    for _ in range(MERGES):
        pairs = collections.Counter()
        for word, symbols in words.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += counts[word]
        ranked = sorted(pairs.items(), key=lambda item: (item[1], item[0]), reverse=True)
        pair, count = ranked[0]
        if count < 2:
            break
        merges.append(
            {
                "pair": pair,
                "count": count,
                "first": [[*each, n] for each, n in ranked[:8] if n > 1],
                "pieces": sum(counts[word] * len(symbols) for word, symbols in words.items()),
            }
        )
        words = {word: fused(symbols, pair) for word, symbols in words.items()}
    path = pathlib.Path(__file__).with_name("merges.json")
    path.write_text(
        json.dumps({"counts": counts, "merges": merges, "last": words}, ensure_ascii=False, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
