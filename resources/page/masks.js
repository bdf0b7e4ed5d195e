// SPDX-License-Identifier: GPL-3.0-or-later
// A mask: what it closes, what becomes of the scores, and of the weights; every cell can be opened and closed, in the
// right way of masking and in those that go wrong (core/experiment/masking.h).

const MASK_STAGES = ['The mask', 'Scores', 'Scores under the mask', 'Weights'];
const WAYS = [
  {key: 'add', name: 'Add −∞', closed: '−∞', does: (score) => score - Infinity, says: 'Add −∞',
   note: 'e to the power of −∞ is 0: a closed cell gets no weight, and the row adds up to one.'},
  {key: 'billion', name: 'Add −10⁹', closed: '−10⁹', does: (score) => Math.fround(score - 1e9), says: 'Add −1,000,000,000',
   note: 'All but right. Close a whole row: its weights are spread evenly over what must not be seen.'},
  {key: 'multiply', name: 'Multiply by −∞', closed: '× −∞', does: (score) => score * -Infinity, says: 'Multiply by −∞',
   note: 'Wrong: a negative score becomes +∞, and the softmax of such a row is no number.'},
  {key: 'after', name: 'After the softmax', closed: '× 0', does: (score) => score, says: 'It stays as it is until after the softmax',
   note: 'Wrong: the weights were shared out before, and what is taken away is missing from the sum.'},
];

/** As the engine's softmax has it: its largest score is taken away first. */
const softmaxOf = (scores) => {
  const most = Math.max(...scores);
  const powers = Array.from(scores, (score) => Math.exp(score - most)), sum = powers.reduce((all, each) => all + each, 0);
  return powers.map((power) => power / sum);
};

class Masks extends Lab {
  constructor(record, onShown) {
    super(onShown);
    this.record = record;
    this.words = record.words;
    this.scores = unpack(record.scores);
    this.blocked = record.blocked.slice();
    this.wayAt = record.way;
    this.ways = new Choice(say('How cells are closed'), (way) => {
      this.wayAt = way;
      this.compute();
      this.draw();
    });
    this.stages = new Choice(say('What the cells show'), (at) => this.time.go(at));
    this.matrix = new Matrix((cell, isKept) => this.point(cell, isKept));
    this.sentence = make('p', {class: 'sentence', role: 'status', 'aria-live': 'polite'});
    this.turn = make('button', {type: 'button', class: 'button', onclick: () => this.toggle(this.cell)});
    this.asItWas = make('button', {type: 'button', class: 'button plain', text: say('As it was'), onclick: () => this.restore()});
    this.says = make('p', {class: 'quiet'});
    this.build(new Ticker(4, (at) => say(MASK_STAGES[at]), () => this.draw()), [this.ways.element],
      make('section', {class: 'card'}, this.stages.element, this.matrix.element, this.sentence,
           make('div', {class: 'row-of-buttons'}, this.turn, this.asItWas), this.says));
  }

  get size() { return this.words.length; }
  get way() { return WAYS[this.wayAt]; }

  show() {
    this.blocked = this.record.blocked.slice();
    this.wayAt = this.record.way;
    this.cell = null;
    this.hovered = null;
    this.begun = undefined;
    this.compute();
    this.time.at = 3;
    this.draw();
    this.begun = this.facts;
  }

  /** As the page was written the numbers are the engine's; what the reader changes is computed here. */
  compute() {
    const isAsWritten = this.blocked.join() === this.record.blocked.join();
    const made = this.record.ways[this.wayAt];
    if (isAsWritten) {
      this.masked = unpack(made.scores);
      this.weights = unpack(made.weights);
      return;
    }
    this.masked = this.scores.map((score, at) => (this.blocked[at] ? this.way.does(score) : score));
    this.weights = new Float32Array(this.scores.length);
    for (let row = 0; row < this.size; ++row)
      softmaxOf(this.rowOf(this.masked, row)).forEach((weight, column) => {
        const at = row * this.size + column;
        this.weights[at] = this.way.key === 'after' && this.blocked[at] ? 0 : weight;
      });
  }
  rowOf(numbers, row) { return numbers.subarray(row * this.size, (row + 1) * this.size); }
  sumOf(row) { return this.rowOf(this.weights, row).reduce((sum, weight) => sum + weight, 0); }

  get facts() { return {masking: this.way.key, cells: this.blocked.join('')}; }
  canMeet(key) { return key === 'masking' || key === 'cells'; }
  isMet(key, value) {
    return key === 'cells' ? this.begun !== undefined && this.facts.cells !== this.begun.cells : super.isMet(key, value);
  }

  toggle(cell) {
    if (!cell) return;
    const at = cell[0] * this.size + cell[1];
    this.blocked[at] = this.blocked[at] ? 0 : 1;
    this.compute();
    this.draw();
  }
  restore() {
    this.blocked = this.record.original.slice();
    this.compute();
    this.draw();
  }

  point(cell, isKept) {
    const isAgain = isKept && cell && this.cell && this.cell.join() === cell.join();
    this.hovered = isKept ? null : cell;
    if (isKept) this.cell = cell;
    if (isAgain && this.time.at === 0) this.toggle(cell);
    else this.draw();
  }

  draw() {
    this.title.textContent = say('Masks');
    const {scope, head} = this.record;
    this.note.textContent = `${scope ? `${named(scope)}, ${say('head %1', head)}.` : say('Scores given by hand.')} ${say('Rows look, columns are looked at.')}`;
    this.ways.show(WAYS.map(({name}) => say(name)), this.wayAt);
    this.stages.show(MASK_STAGES.map((stage) => say(stage)), this.time.at);
    this.time.draw();
    this.matrix.show(this.data());
    this.says.textContent = say(this.way.note);
    this.turn.disabled = !this.cell;
    this.turn.textContent = this.cell && this.isClosed(...this.cell) ? say('Open this cell') : say('Close this cell');
    this.asItWas.disabled = this.blocked.join() === this.record.original.join();
    this.drawNumber();
    this.onShown();
  }

  isClosed(row, column) { return this.blocked[row * this.size + column] !== 0; }

  data() {
    const stage = this.time.at, size = this.size, all = [null, this.scores, this.masked, this.weights][stage];
    const at = (row, column) => (stage === 0 ? 0 : all[row * size + column]);
    // What is nothing is hatched; what a wrong way makes of it shows as the number it is.
    const nothing = {0: () => true, 1: () => false, 2: (number) => number === -Infinity, 3: (number) => number === 0}[stage];
    return {
      key: `mask.${stage}`, rows: size, columns: size, at, rowNames: this.words,
      rowNotes: stage === 3 ? this.words.map((_, row) => `Σ ${formatNumber(this.sumOf(row), 3)}`) : [],
      columnNames: this.words, columnsAreWords: true, rowAxis: say('looks'), columnAxis: say('looked at'),
      scale: stage === 3 ? Scale.weights() : Scale.signed(this.scores),
      isMasked: (row, column) => this.isClosed(row, column) && nothing(at(row, column)),
      maskedText: stage === 3 ? '0' : stage === 2 ? notFinite(-Infinity) : this.way.closed,
      shownRows: size, isFaint: false, cell: this.cell,
      label: say('%1, %2 rows, %3 columns. Arrow keys move the cell.', say(MASK_STAGES[stage]), size, size),
    };
  }

  drawNumber() {
    const cell = this.hovered || this.cell;
    if (!cell) {
      this.sentence.textContent = say('Point at a cell to read it. Click to keep it.');
      return this.writeNothing();
    }
    const [row, column] = cell, at = row * this.size + column, isClosed = this.isClosed(row, column);
    this.sentence.textContent = say(isClosed ? '“%1” may not look at “%2”.' : '“%1” may look at “%2”.', this.words[row], this.words[column]);
    const masked = this.rowOf(this.masked, row), isAfter = this.way.key === 'after', most = Math.max(...masked);
    // Scores of which every power would be nothing: then all of them are told from the largest.
    const from = most < -1e6 && Number.isFinite(most) ? most : 0;
    const powers = Array.from(masked, (score) => Math.exp(score - from)), sum = powers.reduce((all, each) => all + each, 0);
    const steps = [{text: say('Score'), value: this.scores[at]}];
    if (isClosed) steps.push({text: say(this.way.says), value: this.masked[at]});
    if (from !== 0) steps.push({text: say('Take away the largest of the row'), value: masked[column] - from});
    steps.push({text: say('e to the power of the score'), value: powers[column]},
               {text: say('Divide by the sum of the row, %1', written(sum)), value: powers[column] / sum});
    if (isAfter && isClosed) steps.push({text: say('Set to zero after the softmax'), value: 0});
    return this.writeOut(say('Weight'), this.words[row], this.words[column], this.weights[at], [
      {title: say('Its share of the row'), formula: say('e<sup>s</sup> / Σ e<sup>s</sup> over row %1', row + 1),
       vectors: [vector('s', masked), vector('eˢ', powers)], marked: column, steps}]);
  }

  // Of a worked example the words point at its scores and weights.
  cellOf({name, at}) {
    const stage = {scores: 1, weights: 3}[name];
    return stage && at.length === 2 && at.every((each) => each >= 1 && each <= this.size) ? {stage, cell: at.map((each) => each - 1)} : null;
  }
  light(number) {
    const found = number && this.cellOf(number);
    this.matrix.hovered = found ? found.cell : null;
    this.point(found ? found.cell : null, false);
  }
  look(number) {
    const found = this.cellOf(number);
    if (!found) return;
    this.cell = found.cell;
    this.time.go(found.stage);
  }
  isShown(number) {
    const found = this.cellOf(number), cell = this.hovered || this.cell;
    return found !== null && cell !== null && cell.join() === found.cell.join();
  }
}
