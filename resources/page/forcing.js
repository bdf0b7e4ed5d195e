// SPDX-License-Identifier: GPL-3.0-or-later
// The same decoder fed the truth and fed its own words, step by step (core/experiment/free_running.h).

class Forcing extends Lab {
  constructor(record, onShown) {
    super(onShown);
    Object.assign(this, record);
    this.setHanded([]);
    this.rows = make('div', {class: 'forcing'});
    this.sentence = make('p', {class: 'sentence', role: 'status', 'aria-live': 'polite'});
    this.likelyBox = make('div', {class: 'forcing-likely'});
    this.hand = make('button', {type: 'button', class: 'button', onclick: () => this.handIn(this.time.at)});
    this.handSays = make('p', {class: 'quiet'});
    this.build(new Ticker(this.steps, (at) => say('Word %1 of %2', at + 1, this.steps), () => this.draw()), [],
      make('section', {class: 'card'}, this.rows, this.sentence, make('div', {class: 'row-of-buttons'}, this.hand, this.handSays)), card(say('What each would write'), this.likelyBox),
      ...(this.places ? [this.placesBox()] : []));
  }

  /** Over the test set: the share of right words in each place, either way. */
  placesBox() {
    this.curves = make('canvas', {class: 'wave', role: 'img'});
    const box = card(say('Right word, place by place'), this.curves);
    new ResizeObserver(() => this.drawPlaces()).observe(box);
    return box;
  }

  drawPlaces() {
    if (!this.places) return;
    const width = this.curves.parentElement.clientWidth - 42;
    if (width < 120) return;
    const p = prepare(this.curves, width, 170), y = (share) => 140 - 128 * share, x = (at) => 46 + (width - 190) * at / Math.max(1, this.places.length - 1);
    levels(p, [0, 0.5, 1], 46, width - 144, y, (share) => `${formatNumber(100 * share, 0)} %`);
    const line = (of, color, name) => {
      const all = this.places.map((place) => place[of] / place[0]);
      p.strokeStyle = color;
      p.lineWidth = 2;
      p.beginPath();
      all.forEach((share, at) => (at ? p.lineTo(x(at), y(share)) : p.moveTo(x(at), y(share))));
      p.stroke();
      write(p, name, x(all.length - 1) + 8, y(all[all.length - 1]), `12px ${UI_FONT}`, color);
      return `${name}: ${all.map((share) => formatNumber(share, 3)).join(' ')}`;
    };
    const said = [line(1, theme.encoder, say('Fed the truth')), line(2, theme.bad, say('Fed its own words'))];
    for (const at of [0, this.places.length - 1]) write(p, String(at + 1), x(at), 158, `11px ${MONO_FONT}`, theme.text3, 'center');
    this.curves.setAttribute('aria-label', said.join('; '));
  }

  get steps() { return Math.max(this.forced.length, this.free.length); }

  /** What it writes by itself where it is handed the truth at these places; null: the page holds no such run. */
  runOf(places) {
    const made = [];
    for (const place of places) {
      const run = this.runs[made.join(',')];
      if (run && run.steps[place] && !run.steps[place].readsTruth) made.push(place);  // else it reads the truth already
    }
    return this.runs[made.join(',')] || null;
  }

  setHanded(places) {
    const run = this.runOf(places);
    this.isMissing = run === null;
    if (!run) return;
    this.handedIn = places;
    this.free = run.steps;
    this.apart = run.apart;
    this.likely = {forced: this.forcedLikely, free: run.likely};
  }

  /** The word that the decoder reads at that step, from 0, is the truth; or once more its own. */
  handIn(step) {
    const isHanded = this.handedIn.includes(step);
    this.setHanded(isHanded ? this.handedIn.filter((each) => each !== step) : [...this.handedIn, step].sort((a, b) => a - b));
    this.time.count = this.steps;
    this.time.slider.max = this.steps - 1;
    this.time.go(Math.min(step, this.steps - 1));
  }

  show() {
    this.begun = undefined;
    this.setHanded(this.handed);
    this.time.count = this.steps;
    this.time.at = Math.min(this.chosen, this.steps - 1);
    this.draw();
    this.begun = this.facts;
  }
  get facts() { return {forced_word: String(this.time.at + 1), truth: this.handedIn.join(',')}; }

  cell(step, at, what) {
    if (!step) return make('span', {class: 'forcing-word', text: ''});
    const isWrong = what === 'writes' ? !step.isRight : !step.readsTruth, isHanded = what === 'reads' && step === this.free[at] && this.handedIn.includes(at);
    return make('button', {type: 'button', class: `forcing-word ${what}${isWrong ? ' wrong' : ''}${isHanded ? ' handed' : ''}`, 'aria-pressed': String(at === this.time.at),
      text: (isWrong ? '✕ ' : isHanded ? '✓ ' : '') + step[what],
      onclick: () => (what === 'reads' && step !== this.forced[at] && (isWrong || isHanded) ? this.handIn(at) : this.time.go(at))});
  }

  draw() {
    const at = this.time.at, all = Array.from({length: this.steps}, (_, step) => step);
    this.title.textContent = say('Teacher forcing');
    this.note.textContent = say('The same words in the same places count as right.');
    this.time.draw();
    const line = (name, cells) => [make('span', {class: 'quiet', text: name}), ...cells];
    this.rows.style.setProperty('--steps', this.steps);
    this.rows.replaceChildren(
      ...line(say('The truth'), all.map((step) => make('span', {class: 'forcing-word truth', text: this.truth[step] || ''}))),
      ...line(say('Fed the truth: reads'), all.map((step) => this.cell(this.forced[step], step, 'reads'))),
      ...line(say('writes'), all.map((step) => this.cell(this.forced[step], step, 'writes'))),
      ...line(say('Fed its own words: reads'), all.map((step) => this.cell(this.free[step], step, 'reads'))),
      ...line(say('writes'), all.map((step) => this.cell(this.free[step], step, 'writes'))));
    const now = this.rows.querySelector('[aria-pressed=true]');
    if (now) this.rows.scrollLeft = now.offsetLeft - this.rows.offsetLeft - this.rows.clientWidth / 2;
    const other = this.free.findIndex((step) => !step.readsTruth), isHelped = this.handedIn.length > 0;
    this.sentence.textContent = other < 0 ? (isHelped ? say('With the truth handed in, every word it reads is right.') : say('It never reads a word that is not the truth.')) : say('From word %1 on it reads a word of its own that is not the truth.', other + 1);
    this.drawHand(at);
    this.drawLikely(at);
    this.drawNumber(at);
    this.drawPlaces();
    this.onShown();
  }

  drawHand(at) {
    const isHanded = this.handedIn.includes(at), step = this.free[at];
    this.hand.textContent = isHanded ? say('Let it read its own word') : say('Hand in the truth here');
    this.hand.disabled = !isHanded && !(step && !step.readsTruth);
    this.handSays.textContent = this.isMissing ? say('This page does not hold what it writes then. The program computes it.') : '';
  }

  drawLikely(at) {
    const list = (name, run) => make('div', {}, make('h3', {text: name}), ...(run[at] || []).map(({word, probability, isRight}) => make('div', {class: 'bar'},
      make('span', {class: 'bar-word', text: isRight ? `✓ ${word}` : word}), make('span', {class: 'bar-track'},
        make('span', {class: 'bar-fill', style: `width:${100 * probability}%`})), make('span', {class: 'mono', text: formatNumber(probability, 3)}))));
    this.likelyBox.replaceChildren(list(say('Fed the truth'), this.likely.forced), list(say('Fed its own words'), this.likely.free));
  }

  drawNumber(at) {
    const forced = this.forced[at], free = this.free[at], truth = this.truth[at];
    const line = (text, value, isLast) => make('p', {class: isLast ? 'line last' : 'line'}, make('span', {text}), make('span', {class: 'mono', text: value}));
    const chance = (step) => (step && step.right >= 0 ? formatNumber(step.right, 4) : '–');
    this.number.replaceChildren(make('h3', {class: 'card-title', text: truth ? say('p of “%1”, the right word', truth) : say('Behind the truth')}),
      line(say('Fed the truth'), chance(forced)), line(say('Fed its own words'), chance(free)),
      ...(forced && forced.right > 0 ? [line(say('log p, fed the truth'), formatNumber(Math.log(forced.right), 4))] : []),
      ...(free && free.right > 0 ? [line(say('log p, fed its own words'), formatNumber(Math.log(free.right), 4))] : []),
      ...(at < this.apart.length ? [line(say('How far apart the states are, 0 to 1'), formatNumber(this.apart[at], 4), true)] : []));
  }
}
