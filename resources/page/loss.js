// SPDX-License-Identifier: GPL-3.0-or-later
// What each target word costs, and one of them taken apart: logits, softmax, the target that ε softens, the gradient
// p − q, and steps down it (core/experiment/loss_of_words.h).

const LIKELY = 6;

/** One word's loss from its logits, as the engine's WordLoss has it. */
class WordLoss {
  constructor(logits, target, smoothing) {
    Object.assign(this, {logits, target, smoothing});
    const most = logits.reduce((all, each) => Math.max(all, each), -Infinity);
    this.logSumExp = most + Math.log(logits.reduce((sum, each) => sum + Math.exp(each - most), 0));
  }
  get size() { return this.logits.length; }
  logP(word) { return this.logits[word] - this.logSumExp; }
  p(word) { return Math.exp(this.logP(word)); }
  q(word) { return (word === this.target ? 1 - this.smoothing : 0) + this.smoothing / this.size; }
  gradient(word) { return this.p(word) - this.q(word); }
  get plain() { return -this.logP(this.target); }
  get ownPart() { return this.q(this.target) * this.plain; }
  get othersPart() {
    const all = this.logits.reduce((sum, _, word) => sum - this.logP(word), 0);
    return this.smoothing / this.size * (all - this.plain);
  }
  get loss() { return this.ownPart + this.othersPart; }
  stepped(rate) { return this.logits.map((logit, word) => logit - rate * this.gradient(word)); }
}

class Loss extends Lab {
  constructor(record, onShown) {
    super(onShown);
    this.record = record;
    this.columns = make('div', {class: 'loss-columns', role: 'group', 'aria-label': say('What each target word costs')});
    this.table = make('div', {class: 'loss-table'});
    this.wordTitle = make('h3', {class: 'card-title'});
    this.mean = make('p', {class: 'sentence', role: 'status'});
    this.slider = make('input', {type: 'range', min: 0, max: 0.5, step: 0.01, 'aria-label': say('Label smoothing ε'),
                                 oninput: () => this.smooth(Number(this.slider.value))});
    this.said = make('output', {class: 'mono'});
    this.stepDown = make('button', {type: 'button', class: 'button', text: say('Take a step'), onclick: () => this.step()});
    this.back = make('button', {type: 'button', class: 'button plain', text: say('As it was'), onclick: () => this.choose(this.chosen)});
    const time = new Ticker(record.words.length, (at) => say('Word %1 of %2', at + 1, record.words.length), (at) => this.choose(at));
    this.build(time, [make('label', {class: 'temperature quiet'}, 'ε', this.slider, this.said)],
      card(say('What each target word costs'), this.columns, this.mean),
      make('section', {class: 'card'}, this.wordTitle, this.table, make('div', {class: 'row-of-buttons'}, this.stepDown, this.back)));
  }

  show() {
    this.smoothing = this.record.smoothing;
    this.extra = this.hovered = null;
    this.begun = undefined;
    this.taken = 0;
    this.losses = this.record.words.map((word) => new WordLoss(Array.from(unpack(word.logits)), word.target, this.smoothing));
    this.chosen = this.record.chosen;
    this.open();
    for (let at = 0; at < this.record.steps; ++at) this.descend();
    this.draw();
    this.begun = this.facts;
  }

  get facts() { return {loss_word: String(this.chosen + 1), smoothing: String(this.smoothing), descended: String(this.taken)}; }
  isMet(key, value) {
    if (!this.begun || this.facts[key] === this.begun[key]) return false;
    return Math.abs(Number(this.facts[key]) - Number(value)) < 1e-9;
  }

  name(word) { return this.record.vocabulary[word]; }
  open() {
    const {logits, target} = this.losses[this.chosen];
    this.now = new WordLoss(logits, target, this.smoothing);
    this.taken = 0;
  }
  descend() {
    this.now = new WordLoss(this.now.stepped(this.record.rate), this.now.target, this.smoothing);
    ++this.taken;
  }

  choose(at) {
    this.chosen = at;
    this.extra = null;
    this.open();
    this.draw();
  }
  step() {
    this.descend();
    this.draw();
  }
  smooth(smoothing) {
    this.smoothing = smoothing;
    this.losses = this.losses.map(({logits, target}) => new WordLoss(logits, target, smoothing));
    this.now = new WordLoss(this.now.logits, this.now.target, smoothing);
    this.draw();
  }

  /** The likeliest words, the target among them, and one that the lesson's words point at. */
  get shownWords() {
    const order = this.now.logits.map((_, word) => word).sort((a, b) => this.now.logits[b] - this.now.logits[a]).slice(0, LIKELY);
    for (const word of [this.now.target, this.extra]) if (word !== null && !order.includes(word)) order.push(word);
    return order;
  }

  draw() {
    if (!this.losses) return;
    this.title.textContent = say('Loss');
    this.note.textContent = say('L = −Σ q log p, natural logarithms; %1 words share the probability.', formatCount(this.now.size));
    this.slider.value = this.smoothing;
    this.said.textContent = formatNumber(this.smoothing, 2);
    this.time.at = this.chosen;
    this.time.draw();
    this.back.disabled = this.taken === 0;
    this.drawColumns();
    this.drawTable();
    this.drawNumber();
    this.onShown();
  }

  drawColumns() {
    const now = this.losses.map((loss, at) => (at === this.chosen ? this.now : loss)), most = Math.max(...now.map((loss) => loss.loss), 0.5);
    const mean = now.reduce((sum, loss) => sum + loss.loss, 0) / now.length, plain = now.reduce((sum, loss) => sum + loss.plain, 0) / now.length;
    this.columns.replaceChildren(...now.map((loss, at) => make('button', {type: 'button', class: 'loss-column', 'aria-pressed': String(at === this.chosen),
        title: `${formatPrecise(loss.loss)}`, onclick: () => this.time.go(at)},
      make('span', {class: 'mono', text: formatNumber(loss.loss, 2)}),
      make('span', {class: 'loss-bar'}, make('span', {class: 'loss-others', style: `height:${100 * loss.othersPart / most}%`}),
           make('span', {class: 'loss-own', style: `height:${100 * loss.ownPart / most}%`})),
      make('span', {class: 'loss-word', text: this.name(loss.target)}))));
    this.mean.textContent = say('Mean %1; without smoothing %2, perplexity %3.', formatNumber(mean, 3), formatNumber(plain, 3), formatNumber(Math.exp(plain), 3));
  }

  drawTable() {
    const {now} = this, before = this.record.words[this.chosen].before;
    this.wordTitle.textContent = before ? say('“%1” behind “%2”', this.name(now.target), before) : say('“%1”, the first word', this.name(now.target));
    const head = ['', say('logit'), 'p', '', 'q', 'p − q'].map((text) => make('span', {class: 'quiet', text}));
    const rows = this.shownWords.map((word) => {
      const row = make('div', {class: word === this.hovered ? 'loss-row lit' : word === now.target ? 'loss-row target' : 'loss-row'},
        make('span', {class: 'loss-name', text: this.name(word)}), make('span', {class: 'mono', text: formatNumber(now.logits[word])}),
        make('span', {class: 'mono', text: formatNumber(now.p(word), 3)}),
        make('span', {class: 'bar-track'}, make('span', {class: 'bar-fill', style: `width:${100 * now.p(word)}%`})),
        make('span', {class: 'mono', text: formatNumber(now.q(word), 3)}), make('span', {class: 'mono', text: formatSigned(now.gradient(word), 3)}));
      row.addEventListener('pointerenter', () => this.hover(word));
      row.addEventListener('pointerleave', () => this.hover(null));
      return row;
    });
    this.table.replaceChildren(make('div', {class: 'loss-row'}, ...head), ...rows);
  }

  hover(word) {
    this.hovered = word;
    [...this.table.children].slice(1).forEach((row, at) => row.classList.toggle('lit', this.shownWords[at] === word));
    this.drawNumber();
    this.onShown();
  }

  drawNumber() {
    const {now} = this, word = this.hovered === null ? now.target : this.hovered, isTarget = word === now.target, name = this.name(word);
    const softmax = {title: 'log p', formula: 'z − log Σ e<sup>z</sup>', vectors: [],
      steps: [{text: say('Its logit'), value: now.logits[word]}, {text: say('Take away log Σ eᶻ'), value: now.logSumExp},
              {text: 'log p', value: now.logP(word)}]};
    const pull = {title: say('Its gradient'), formula: 'p − q', vectors: [],
      steps: [{text: 'p', value: now.p(word)}, {text: 'q', value: now.q(word)}, {text: say('Take it away'), value: now.gradient(word)}]};
    const cost = {title: say('The loss'), formula: '−Σ q log p', vectors: [],
      steps: [{text: say('q of the target, %1, times −log p', formatNumber(now.q(word), 4)), value: now.ownPart},
              {text: say('Add what ε shares among the other %1', formatCount(now.size - 1)), value: now.othersPart},
              {text: say('The loss'), value: now.loss}]};
    this.writeOut('log p', this.name(now.target), name, now.logP(word), isTarget ? [softmax, cost, pull] : [softmax, pull]);
  }

  // A lesson's words point at log p and logits.
  cellOf({name, at}) {
    if (!['log_probs', 'logits'].includes(name) || at.length !== 2) return null;
    const place = this.record.words.findIndex(({row}) => row === at[0] - 1);
    return place >= 0 && at[1] >= 1 && at[1] <= this.record.vocabulary.length ? {place, word: at[1] - 1} : null;
  }
  light(number) {
    const found = number && this.cellOf(number);
    this.hovered = found && found.place === this.chosen ? found.word : null;
    if (this.hovered !== null) this.extra = this.hovered;
    this.draw();
  }
  look(number) {
    const found = this.cellOf(number);
    if (!found) return;
    this.time.go(found.place);
    this.extra = this.hovered = found.word;
    this.draw();
  }
  isShown(number) {
    const found = this.cellOf(number);
    return found !== null && found.place === this.chosen && (this.hovered === null ? this.now.target : this.hovered) === found.word;
  }
}
