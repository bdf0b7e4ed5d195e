// SPDX-License-Identifier: GPL-3.0-or-later
// BLEU of one translation beside references that the reader may add (core/train/bleu.cpp: Papineni et al. 2002, as
// sacreBLEU computes it: 13a tokens, up to four words, exponential smoothing).

const LONGEST_NGRAM = 4;

const tokenize13a = (line) => {
  const text = line.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ').replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const apart = ` ${text} `.replace(/[{-~[-` -&(-+:-@/]/g, ' $& ').replace(/([^0-9])([.,])/g, '$1 $2 ').replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ');
  return apart.split(' ').filter((token) => token);
};

/** Where each n-gram begins, from the first to the last. */
const ngramPlaces = (tokens, length) => {
  const places = new Map();
  for (let at = 0; at + length <= tokens.length; ++at) {
    const key = tokens.slice(at, at + length).join(' ');
    places.set(key, [...(places.get(key) || []), at]);
  }
  return places;
};

/** The n-grams of one length, paired from left to right: each counts at most as often as one reference has it. */
const matchNgrams = (hypothesis, references, length) => {
  const known = references.map((reference) => ngramPlaces(reference, length)), all = [];
  for (const [key, places] of ngramPlaces(hypothesis, length)) {
    let holder = {reference: -1, places: []};
    known.forEach((each, reference) => {
      const found = each.get(key) || [];
      if (found.length > holder.places.length) holder = {reference, places: found};
    });
    const held = holder.places.length;
    places.forEach((at, k) => {
      const counts = k < held;
      all[at] = {kind: !held ? 'absent' : counts ? 'found' : 'clipped', reference: holder.reference, place: held ? holder.places[counts ? k : 0] : -1,
                 written: places.length, held};
    });
  }
  return all;
};

/** The score with n-grams of 1 to `order` words; an order without a match counts as half a match, a quarter, … */
const scoreNgrams = (ngrams, length, reference, order) => {
  const matches = ngrams.map((all) => all.filter(({kind}) => kind === 'found').length), totals = ngrams.map((all) => all.length);
  const brevity = length === 0 ? 0 : length >= reference ? 1 : Math.exp(1 - reference / length), precisions = [0, 0, 0, 0];
  let halves = 1, logSum = 0;
  for (let n = 0; n < order; ++n) {
    if (totals[n] === 0) return {score: 0, brevity, precisions, matches, totals, length, reference};
    if (matches[n] === 0) halves *= 2;
    precisions[n] = matches[n] ? 100 * matches[n] / totals[n] : 100 / (halves * totals[n]);
    logSum += Math.log(precisions[n]);
  }
  const score = matches.every((count) => count === 0) ? 0 : brevity * Math.exp(logSum / order);
  return {score, brevity, precisions, matches, totals, length, reference};
};

/** As a page's record tells it: of the references the one closest in length counts, of two the shorter. */
const countBleu = (hypothesis, references) => {
  const ngrams = Array.from({length: LONGEST_NGRAM}, (_, n) => matchNgrams(hypothesis, references, n + 1));
  const farness = (tokens) => Math.abs(tokens.length - hypothesis.length) + tokens.length / 1e6;
  const closest = references.reduce((best, each) => (best === null || farness(each) < farness(best) ? each : best), null);
  return {ngrams, scores: ngrams.map((_, n) => scoreNgrams(ngrams, hypothesis.length, closest ? closest.length : 0, n + 1))};
};
