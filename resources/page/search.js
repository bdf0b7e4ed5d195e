// SPDX-License-Identifier: GPL-3.0-or-later
// A beam search, word by word: what it looked at, what it kept, what it gave up; and what each of these costs.

const NODE = [84, 40], PITCH = [101, 58], TRUNK = 9;

class Search {
  /** `onShown()`: what is looked at may be another. */
  constructor(record, onShown = () => {}) {
    Object.assign(this, record);
    this.onShown = onShown;
    this.steps = this.nodes.reduce((most, node) => Math.max(most, node.step), 0);
    this.best = new Set(this.pathTo(this.hypotheses.length ? this.hypotheses[0].end : -1));
    this.deadEnds = false;
    this.title = make('h2', {text: this.hypotheses.length ? this.hypotheses[0].words : ''});
    this.tree = make('div', {class: 'tree', tabindex: 0, role: 'group', 'aria-label': say('The tree of the search. Arrow keys go from word to word.'),
      onkeydown: (event) => this.move(event)});
    this.turn = make('button', {type: 'button', class: 'button', 'aria-pressed': 'false', onclick: () => this.showDeadEnds(!this.deadEnds)}, say('Dead ends'));
    this.drawTree();
    this.found = make('div', {class: 'found'}, make('h3', {class: 'card-title', text: say('What was found')}), ...this.hypotheses.map((each) =>
      make('button', {type: 'button', class: 'hypothesis', onclick: () => this.choose(each.end)}, make('span', {text: each.words}),
           make('span', {class: 'mono', text: `log P ${formatNumber(each.logProb, 3)}`}), make('span', {class: 'mono', text: formatNumber(each.score, 3)}))));
    this.number = make('div', {class: 'number-box'});
    this.time = new Ticker(this.steps, (at) => say('Word %1 of %2', at + 1, this.steps), (at) => this.follow(at));
    this.element = make('div', {class: 'reading alone search'},
      make('div', {class: 'stage'},
        make('div', {class: 'stage-head'}, make('div', {}, this.title, make('p', {class: 'note', text: this.noteText()}))),
        make('div', {class: 'cards'},
          make('section', {class: 'card'}, make('h3', {class: 'card-title', text: say('The search')}), this.turn, this.tree, this.found),
          make('section', {class: 'card number-card', 'aria-label': say('The number, written out')}, this.number))),
      this.time.element);
  }

  noteText() {
    const fixed = this.fixed.length ? ` · ${say('fixed by hand')}: ${this.fixed.join(' ')}` : '';
    return `${say('beam %1', this.beam)} · ${say('score = %1', this.formula)}${fixed}`;
  }

  /** From the first word to a node, places in `nodes`. */
  pathTo(place) {
    const path = [];
    for (let at = place; at >= 0; at = this.nodes[at].parent) path.unshift(at);
    return path;
  }

  /** Its row, a hypothesis each: the answer is the first; -1: it is folded. */
  rowOf(place) { return this.nodes[place].rows[this.deadEnds ? 1 : 0]; }

  showDeadEnds(shown) {
    this.deadEnds = shown;
    this.turn.setAttribute('aria-pressed', String(shown));
    this.drawTree();
    if (this.chosen >= 0 && this.rowOf(this.chosen) < 0) this.chosen = this.hypotheses.length ? this.hypotheses[0].end : -1;
    this.hovered = -1;
    this.draw();
  }

  /** A row leaves another one where the two part, down the trunk before its first word. */
  drawTree() {
    const left = (place) => (this.nodes[place].step - 1) * PITCH[0], top = (place) => this.rowOf(place) * PITCH[1];
    const drawn = this.nodes.map((_, place) => place).filter((place) => this.rowOf(place) >= 0);
    const way = (place) => {
      const parent = this.nodes[place].parent, x2 = left(place), y2 = top(place) + NODE[1] / 2;
      if (parent < 0 || this.rowOf(place) < 0) return '<path/>';
      const x1 = left(parent) + NODE[0], y1 = top(parent) + NODE[1] / 2, trunk = x2 - TRUNK;
      return `<path d="M${x1} ${y1}${y1 === y2 ? '' : `H${trunk - 6}Q${trunk} ${y1} ${trunk} ${y1 + 6}V${y2 - 6}Q${trunk} ${y2} ${trunk + 6} ${y2}`}H${x2}"/>`;
    };
    this.size = [this.steps * PITCH[0] + 130, (1 + drawn.reduce((most, place) => Math.max(most, this.rowOf(place)), 0)) * PITCH[1]];
    const holder = document.createElement('template');  // of numbers alone
    holder.innerHTML = `<svg width="${this.size[0]}" height="${this.size[1]}" aria-hidden="true">${this.nodes.map((_, place) => way(place)).join('')}</svg>`;
    const svg = holder.content.firstChild;
    this.edges = [...svg.children];
    this.buttons = this.nodes.map(({word, logProb, sum, state}, place) => make('button', {type: 'button', class: `node ${state}`,
      style: `left:${left(place)}px;top:${Math.max(0, top(place))}px;width:${NODE[0]}px;height:${NODE[1]}px`,
      'aria-label': `${word}, log P ${formatNumber(sum)}, ${formatNumber(Math.exp(logProb))}, ${this.stateText(place)}`,
      onclick: () => this.choose(place), onpointerenter: () => this.hover(place), onpointerleave: () => this.hover(-1)},
      make('span', {class: 'node-word', text: word}), make('span', {class: 'mono', text: formatNumber(sum)}),
      make('span', {class: 'node-bar', style: `width:${Math.round(100 * Math.exp(logProb))}%`})));
    const beside = (place, className, below, text, act) => make(act ? 'button' : 'span', {class: className, text, ...(act ? {type: 'button', 'aria-label': say('Dead ends'), onclick: act} : {}),
      style: `left:${(place < 0 ? -PITCH[0] : left(place)) + NODE[0] + (below ? -34 : 8)}px;top:${(place < 0 ? 0 : top(place)) + (below ? NODE[1] : NODE[1] / 2 - 9)}px`});
    // What the start folds hangs below the first word of all.
    this.folded = this.deadEnds ? [] : this.folds.map(({parent, count}) => {
      const mark = beside(parent < 0 ? this.childrenOf(-1)[0] : parent, 'fold', true, `+${count}`, () => this.showDeadEnds(true));
      if (parent < 0) Object.assign(mark.style, {left: '0', textAlign: 'left'});
      return [parent < 0 ? 0 : this.nodes[parent].step, mark];
    });
    this.endings = drawn.filter((place) => this.nodes[place].dropped > 0 && !this.childrenOf(place).some((child) => this.rowOf(child) === this.rowOf(place)))
      .map((place) => [this.nodes[place].dropped, beside(place, 'ending', false, this.stateText(place))]);
    this.tree.replaceChildren(svg, ...this.buttons, ...this.folded.map(([, mark]) => mark), ...this.endings.map(([, text]) => text));
    this.tree.style.height = `${this.size[1] + 16}px`;
  }

  childrenOf(parent) { return this.nodes.map((_, place) => place).filter((place) => this.nodes[place].parent === parent && this.rowOf(place) >= 0).sort((a, b) => this.rowOf(a) - this.rowOf(b)); }

  stateText(place) {
    if (this.best.has(place)) return say('the answer');
    const {state, dropped} = this.nodes[place];
    if (state === 'excluded') return say('ruled out by a fixed word');
    if (dropped) return say('dropped at word %1', dropped);
    return {kept: say('kept'), finished: say('ends here')}[state];
  }

  follow(at) {
    this.word = at + 1;
    this.tree.scrollLeft = this.word * PITCH[0] - this.tree.clientWidth;
    this.draw();
  }

  show() {
    this.word = this.steps;
    this.chosen = this.hypotheses.length ? this.hypotheses[0].end : -1;
    this.hovered = -1;
    this.draw();
  }

  hover(place) {
    this.hovered = place;
    this.draw();
  }
  choose(place) {
    if (place < 0) return;
    this.chosen = place;
    if (this.rowOf(place) < 0) {  // as a hypothesis may be that was not finished
      this.deadEnds = true;
      this.turn.setAttribute('aria-pressed', 'true');
      this.drawTree();
    }
    this.word = Math.max(this.word, this.nodes[place].step);
    this.draw();
  }

  /** To the parent, to the likeliest child, up and down within a column. */
  move(event) {
    if (this.chosen < 0 || event.altKey) return;
    const at = this.nodes[this.chosen], row = this.rowOf(this.chosen);
    // The nearest of the column above, or below.
    const beside = (by) => this.nodes.map((_, place) => place).filter((place) => this.nodes[place].step === at.step && this.rowOf(place) >= 0 && (this.rowOf(place) - row) * by > 0)
      .sort((a, b) => (this.rowOf(a) - this.rowOf(b)) * by)[0] ?? -1;
    const place = {ArrowLeft: () => at.parent, ArrowRight: () => this.childrenOf(this.chosen)[0] ?? -1,
                   ArrowUp: () => beside(-1), ArrowDown: () => beside(1)}[event.key];
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(place());
  }

  draw() {
    if (this.word === undefined) return;
    const shown = this.hovered >= 0 ? this.hovered : this.chosen, path = new Set(this.pathTo(shown));
    this.buttons.forEach((button, place) => {
      const isThere = this.nodes[place].step <= this.word && this.rowOf(place) >= 0;
      button.hidden = !isThere;
      button.classList.toggle('best', this.best.has(place));
      button.classList.toggle('path', path.has(place));
      button.setAttribute('aria-pressed', String(place === this.chosen));
      this.edges[place].setAttribute('class', `${isThere ? 'edge' : 'edge later'} ${this.nodes[place].state}${path.has(place) ? ' path' : ''}`);
    });
    for (const [step, mark] of this.folded) mark.hidden = step >= this.word;
    for (const [step, text] of this.endings) text.hidden = step > this.word;
    this.time.at = this.word - 1;
    this.time.draw();
    this.drawNumber(shown >= 0 && this.nodes[shown].step <= this.word ? shown : -1);
    this.onShown();
  }

  drawNumber(place) {
    if (place < 0) {
      this.number.replaceChildren(make('h3', {class: 'card-title', text: say('Where a number comes from')}),
                                  make('p', {class: 'quiet', text: say('Point at a word of the tree: what it costs is written out here.')}));
      return;
    }
    const {word, parent, logProb, sum, score, step} = this.nodes[place];
    const line = (text, value, isLast) => make('p', {class: isLast ? 'line last' : 'line'}, make('span', {text}), make('span', {class: 'mono', text: written(value)}));
    this.number.replaceChildren(
      make('h3', {class: 'card-title', text: this.pathTo(place).map((at) => this.nodes[at].word).join(' ')}),
      make('p', {class: 'pair'}, make('span', {class: 'chip query', text: word}), this.stateText(place), make('span', {class: 'value mono', text: formatPrecise(score)})),
      line(say('log P of what stands before'), parent < 0 ? sum - logProb : this.nodes[parent].sum),
      line(say('Add log P of “%1”, which has %2', word, formatNumber(Math.exp(logProb), 3)), sum),
      line(say('Score for its %1 words', step), score, true));
  }

  // What a lesson's words point at: the log P and the score of a hypothesis.
  cellOf({name, at}) { return name === 'hypotheses' && at.length > 1 && at[0] >= 1 && at[0] <= this.hypotheses.length ? {hypothesis: at[0] - 1} : null; }
  light(number) {
    const found = number && this.cellOf(number);
    this.hover(found ? this.hypotheses[found.hypothesis].end : -1);
  }
  look(number) {
    const found = this.cellOf(number);
    if (found) this.choose(this.hypotheses[found.hypothesis].end);
  }
  isShown(number) {
    const found = this.cellOf(number), shown = this.hovered >= 0 ? this.hovered : this.chosen;
    return found !== null && shown >= 0 && this.hypotheses[found.hypothesis].end === shown;
  }

  canMeet() { return false; }  // what there is to try asks for another search
  isMet() { return false; }
  redraw() {}
}
