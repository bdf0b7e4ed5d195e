#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes parallel text with the statistics of image captions: a stand-in that anyone may copy.

    make_captions.py --pairs 30000 --seed 1 --out-dir DIR [--validation-pairs 1000]

Makes train.src, train.tgt, val.src, val.tgt. Some 10,000 words a side, frequencies by Zipf's law with a long tail of
words that occur once, 4 to 40 words a sentence, 12 on average. The translation can be learned: each word has one, an
adjective goes behind its noun, a noun may be led by an article of its class, and a verb drags a particle to the end of
its clause. Needs nothing but Python; the same seed gives the same bytes.
"""
import argparse
import bisect
import collections
import itertools
import os
import random

ADJECTIVES, NOUNS, VERBS, NAMES = 1500, 6000, 1500, 13000
ARTICLES = ("la", "el", "lo")  # by the class of the noun
PARTICLE_SHARE = 3  # every third verb has one


def syllable_words(random_source, count, consonants, vowels, taken):
    """New words of two to four syllables, none of which is in `taken`; shorter ones first, as frequent words are."""
    words = []
    while len(words) < count:
        syllables = 2 + (len(words) > count // 20) + (len(words) > count // 3)
        word = "".join(random_source.choice(consonants) + random_source.choice(vowels) for _ in range(syllables))
        if word not in taken:
            taken.add(word)
            words.append(word)
    return words


class WordClass:
    """Words of one kind in both languages, drawn by Zipf's law: the word of rank r about 1 / (r + shift) as often."""

    def __init__(self, random_source, count, exponent, shift, taken):
        self.random_source = random_source
        self.source = syllable_words(random_source, count, "bcdfghjklmnprstvw", "aeiou", taken[0])
        self.target = syllable_words(random_source, count, "bdfgklmnprstvzxq", "aeiouy", taken[1])
        self.cumulative = list(itertools.accumulate((rank + shift) ** -exponent for rank in range(1, count + 1)))

    def draw(self):
        """-> the word's rank"""
        return bisect.bisect(self.cumulative, self.random_source.random() * self.cumulative[-1])


class Captions:
    def __init__(self, seed):
        self.random = random.Random(seed)
        taken = ({"a", "the", "with", "and", "while"}, {*ARTICLES, "kon", "ed", "dum", "zu", "ab", "an"})
        self.adjectives = WordClass(self.random, ADJECTIVES, 1.2, 5, taken)
        self.nouns = WordClass(self.random, NOUNS, 1.25, 12, taken)
        self.verbs = WordClass(self.random, VERBS, 1.2, 5, taken)
        self.names = WordClass(self.random, NAMES, 0.55, 1, taken)  # the tail: nearly flat, most occur once or never

    def noun_phrase(self):
        """The blue big dog -> la dog big blue: an article by the noun's class, the adjectives behind and turned round."""
        if self.random.random() < 0.045:
            name = self.names.draw()
            return [self.names.source[name]], [self.names.target[name]]
        noun = self.nouns.draw()
        adjectives = [self.adjectives.draw() for _ in range(self.random.choice((0, 0, 0, 1, 1, 1, 2)))]
        source = [self.random.choice(("a", "a", "the"))]
        source += [self.adjectives.source[i] for i in adjectives] + [self.nouns.source[noun]]
        target = [ARTICLES[noun % len(ARTICLES)], self.nouns.target[noun]]
        target += [self.adjectives.target[i] for i in reversed(adjectives)]
        # "the" is told apart from "a" by a word behind the phrase, one that the source does not have.
        return source, target + (["zu"] if source[0] == "the" else [])

    def clause(self):
        subject, subject_translated = self.noun_phrase()
        verb = self.verbs.draw()
        source = subject + [self.verbs.source[verb]]
        target = subject_translated + [self.verbs.target[verb]]
        if self.random.random() < 0.75:
            thing, thing_translated = self.noun_phrase()
            source, target = source + thing, target + thing_translated
        if verb % PARTICLE_SHARE == 0:
            target.append("ab" if verb % 2 else "an")
        return source, target

    def pair(self):
        """One sentence of 4 to 40 words a side, and its translation."""
        while True:
            source, target = self.clause()
            while self.random.random() < 0.52:
                link, linked, more = self.random.choice(
                    (("with", "kon", self.noun_phrase), ("and", "ed", self.noun_phrase), ("while", "dum", self.clause)))
                phrase, translated = more()
                source, target = source + [link] + phrase, target + [linked] + translated
            if 3 <= len(source) <= 39 and 3 <= len(target) <= 39:  # and a full stop
                return source + ["."], target + ["."]


def write(captions, pairs, folder, name):
    """-> how often each word occurs, source and target, and the number of words"""
    counts = (collections.Counter(), collections.Counter())
    with open(os.path.join(folder, name + ".src"), "w", encoding="utf-8") as source_file, open(
        os.path.join(folder, name + ".tgt"), "w", encoding="utf-8"
    ) as target_file:
        for _ in range(pairs):
            for sentence, file, count in zip(captions.pair(), (source_file, target_file), counts):
                file.write(" ".join(sentence) + "\n")
                count.update(sentence)
    for count, side in zip(counts, ("source", "target")):
        once = sum(occurrences == 1 for occurrences in count.values())
        print(f"{name} {side}: {pairs} sentences, {sum(count.values()) / max(pairs, 1):.1f} words each, "
              f"{len(count)} different words, {once} of them once")


def main():
    parser = argparse.ArgumentParser(description="Writes parallel text with the statistics of image captions.")
    parser.add_argument("--pairs", type=int, default=30000)
    parser.add_argument("--validation-pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out-dir", required=True)
    arguments = parser.parse_args()
    os.makedirs(arguments.out_dir, exist_ok=True)
    captions = Captions(arguments.seed)
    write(captions, arguments.pairs, arguments.out_dir, "train")
    write(captions, arguments.validation_pairs, arguments.out_dir, "val")


if __name__ == "__main__":
    main()
