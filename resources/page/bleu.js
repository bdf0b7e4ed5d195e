// SPDX-License-Identifier: GPL-3.0-or-later
// BLEU of one translation: its n-grams, which of them stand in a reference, and how that becomes a score
// (core/train/sentence_bleu.h). Every number is the engine's, until the reader adds a reference.

class BleuStage extends Lab {
  constructor(record, onShown) {
    super(onShown);
    this.recorded = record;
    Object.assign(this, record);
    this.order = record.order;
    this.lines = make('div', {class: 'bleu-lines'});
    this.grams = make('div', {class: 'bleu-grams'});
    this.sentence = make('p', {class: 'sentence', role: 'status', 'aria-live': 'polite'});
    this.build(new Ticker(4, (at) => (at ? say('Sequences of 1 to %1 words count', at + 1) : say('Single words count')), (at) => {
      this.order = at + 1;
      this.draw();
    }), [], card(say('The translation and its references'), this.lines, this.ownBox()), make('section', {class: 'card'}, this.grams, this.sentence),
      ...(this.set ? [this.setBox()] : []));
  }

  /** A reference of the reader's own. */
  ownBox() {
    const name = say('Another reference');
    this.input = make('input', {class: 'by-hand reference', autocomplete: 'off', maxlength: 400, 'aria-label': name, placeholder: name});
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.addReference();
    });
    this.remove = make('button', {type: 'button', class: 'button plain', text: say('Remove it'), onclick: () => this.setOwn(this.own.slice(0, -1))});
    return make('div', {class: 'row-of-buttons own-reference'}, this.input,
      make('button', {type: 'button', class: 'button', text: say('Add a reference'), onclick: () => this.addReference()}), this.remove);
  }

  addReference() {
    const text = this.input.value.trim().replace(/\s+/g, ' ');
    if (!text) return;
    this.input.value = '';
    this.setOwn([...this.own, text]);
  }

  /** `own`: the reader's references, beside those of the task. */
  setOwn(own) {
    this.own = own;
    this.references = [...this.recorded.references.slice(0, this.recorded.references.length - this.given.length), ...own.map(tokenize13a)];
    const isRecorded = own.join('\n') === this.given.join('\n');
    Object.assign(this, isRecorded ? {ngrams: this.recorded.ngrams, scores: this.recorded.scores} : countBleu(this.hypothesis, this.references));
    this.chosen = null;
    this.draw();
  }

  /** The whole test set: a dot a sentence, at its own score. */
  setBox() {
    this.dots = make('canvas', {class: 'wave', role: 'img'});
    this.setSays = make('p', {class: 'sentence', role: 'status'});
    const box = card(say('The whole test set'), this.dots, this.setSays);
    new ResizeObserver(() => this.drawSet()).observe(box);
    return box;
  }

  drawSet() {
    if (!this.set) return;
    const {sentences, sums, means} = this.set, width = this.dots.parentElement.clientWidth - 42, at = this.order - 1;
    this.setSays.textContent = say('BLEU of the test set %1, all counts added up first. Mean of its %2 sentences: %3.', formatNumber(sums[at], 2), sentences.length, formatNumber(means[at], 2));
    if (width < 120) return;
    const p = prepare(this.dots, width, 150), y = (score) => 134 - 1.2 * score;
    levels(p, [0, 50, 100], 36, width - 4, y, String);
    sentences.forEach(({words, scores, shown}, i) => {
      p.beginPath();
      p.arc(42 + (width - 50) * i / Math.max(1, sentences.length - 1), y(scores[at]), shown ? 5 : 2.5, 0, 2 * Math.PI);
      p.fillStyle = p.strokeStyle = shown ? theme.nowline : css(theme.sequential[5]);
      if (words < this.order) p.stroke();  // too short to have such a sequence
      else p.fill();
    });
    this.dots.setAttribute('aria-label', this.setSays.textContent);
  }

  show() {
    this.order = this.begunOrder = this.begunOrder || this.order;
    this.chosen = null;
    this.begun = undefined;
    this.setOwn(this.given);
    this.begun = this.facts;
  }
  get facts() { return {ngram: String(this.order), references: this.own.join('|').replace(/\s/g, '')}; }

  words(length, at) { return this.hypothesis.slice(at, at + length).join(' '); }
  sign({kind}) { return {found: '✓', absent: '✕', clipped: '–'}[kind]; }

  point(gram) {
    this.chosen = gram;
    this.drawLines();
    this.sentence.textContent = this.sentenceText();
  }

  draw() {
    this.title.textContent = 'BLEU';
    const counts = this.references.length > 0;
    this.note.textContent = counts ? say('Each sequence counts at most as often as one reference has it.')
      : say('This sentence has no reference, so it has no score. Add a good translation of your own.');
    for (const each of [this.grams, this.number]) each.parentElement.hidden = !counts;
    this.time.at = this.order - 1;
    this.time.draw();
    this.remove.hidden = this.own.length === 0;
    this.drawLines();
    this.grams.replaceChildren(...this.ngrams.slice(0, this.order).map((all, n) => make('div', {class: 'bleu-row'},
      make('span', {class: 'quiet', text: n ? say('%1 words', n + 1) : say('1 word')}),
      make('div', {class: 'bleu-list'}, ...all.map((match, at) => make('button', {type: 'button', class: `gram ${match.kind}`,
        onpointerenter: () => this.point({n: n + 1, at, match}), onfocus: () => this.point({n: n + 1, at, match}),
        text: `${this.sign(match)} ${this.words(n + 1, at)}`}))))));
    this.sentence.textContent = this.sentenceText();
    this.drawNumber();
    this.drawSet();
    this.onShown();
  }

  drawLines() {
    const lit = (place, from, length) => place >= from && place < from + length;
    const line = (name, words, from) => make('div', {class: 'bleu-line'}, make('span', {class: 'quiet', text: name}), make('div', {class: 'tokens'},
      ...words.map((word, at) => make('span', {class: from >= 0 && lit(at, from, this.chosen.n) ? 'token lit' : 'token', text: word}))));
    this.lines.replaceChildren(line(say('Translation'), this.hypothesis, this.chosen ? this.chosen.at : -1), ...this.references.map((words, which) =>
      line(say('Reference %1', which + 1), words, this.chosen && this.chosen.match.reference === which ? this.chosen.match.place : -1)));
  }

  sentenceText() {
    if (!this.chosen) return say('Point at a sequence: its words are lit where they stand.');
    const {n, at, match} = this.chosen, words = this.words(n, at);
    if (match.kind === 'found') return say('“%1” stands in reference %2 and counts.', words, match.reference + 1);
    if (match.kind === 'absent') return say('“%1” stands in no reference.', words);
    return say('“%1” is written %2 times, and a reference has it %3 times: this one counts no more.', words, match.written, match.held);
  }

  drawNumber() {
    const {score, brevity, precisions, matches, totals, length, reference} = this.scores[this.order - 1], shown = precisions.slice(0, this.order);
    const line = (text, value, isLast) => make('p', {class: isLast ? 'line last' : 'line'}, make('span', {text}), make('span', {class: 'mono', text: value}));
    this.number.replaceChildren(make('h3', {class: 'card-title', text: 'BLEU'}),
      make('p', {class: 'pair'}, make('span', {class: 'chip query', text: say('%1 words', length)}), '·', make('span', {class: 'chip key', text: say('%1 in the reference', reference)}),
           make('span', {class: 'value mono', text: formatNumber(score, 2)})),
      ...shown.map((precision, n) => line(n ? say('%1 words: %2 of %3 found', n + 1, matches[n], totals[n]) : say('1 word: %1 of %2 found', matches[n], totals[n]), `${formatNumber(precision, 1)} %`)),
      line(say('Brevity penalty'), formatNumber(brevity, 4)),
      line(say('100 × penalty × the geometric mean'), formatNumber(score, 2), true));
  }
}
