// SPDX-License-Identifier: GPL-3.0-or-later
// A recurrent cell: all its units at one word, one unit over all words, and the arithmetic of that unit there
// (core/experiment/cell_parts.h).

const CELL_NAMES = {forget: 'f', input: 'i', memory: 'c', squashed: 'tanh c', output: 'o', state: 'h', reset: 'r', update: 'z', complement: '1 − z',
                    recall: 'U h₋₁ + b', resetRecall: 'r · (U h₋₁ + b)', word: 'W x', past: 'U h₋₁', bias: 'b', sum: 'a'};
const CELL_OWN = {lstm: {before: 'c₋₁', kept: 'f · c₋₁', candidate: 'g', written: 'i · g'}, gru: {before: 'h₋₁', kept: 'z · h₋₁', candidate: 'n', written: '(1 − z) · n'},
                  rnn: {before: 'h₋₁'}};

class CellStage extends Lab {
  constructor(record, onShown) {
    super(onShown);
    Object.assign(this, record);
    this.columns.forEach((column) => { column.all = unpack(column.numbers); });
    this.begunAt = [record.word, record.unit];
    this.matrix = new Matrix((cell, isKept) => this.point(cell, isKept));
    this.sentence = make('p', {class: 'sentence', role: 'status', 'aria-live': 'polite'});
    this.story = make('canvas', {class: 'wave', role: 'img'});
    this.storyTitle = make('h3', {class: 'card-title'});
    this.storyBox = make('section', {class: 'card'}, this.storyTitle, this.story);
    this.side = this.sums ? new CellSide(this) : null;
    this.beside = this.side ? this.side.elements : [];
    this.sorting = new Choice(say('Order of the units'), (at) => {
      this.sorts = at === 1;
      this.draw();
    });
    this.build(new Ticker(this.tokens.length, (at) => say('Word %1 of %2', at + 1, this.tokens.length) + `: ${this.tokens[at]}`, () => this.draw()),
      this.keeps ? [this.sorting.element] : [], make('section', {class: 'card'}, this.matrix.element, this.sentence), this.storyBox);
    new ResizeObserver(() => this.drawStory()).observe(this.storyBox);
  }

  show() {
    [this.time.at, this.unit] = this.begunAt;
    this.row = this.columns.length - 1;
    this.hovered = null;
    this.sorts = this.sorted;
    this.begun = undefined;
    this.draw();
    this.begun = this.facts;
  }
  get facts() { return {cell_unit: String(this.unit + 1), cell_word: String(this.time.at + 1), cell_units: this.sorts ? 'sorted' : 'stored'}; }

  /** The gate that says how much stays: a plain network has none. */
  get keeps() { return this.columns.find(({kind}) => kind === {lstm: 'forget', gru: 'update'}[this.kind]); }
  /** The unit of each column: those that keep most come first, or as the weights have them. */
  get order() {
    const units = Array.from({length: this.units}, (_, unit) => unit), {keeps} = this, word = this.time.at;
    return this.sorts && keeps ? units.sort((a, b) => this.at(keeps, word, b) - this.at(keeps, word, a)) : units;
  }

  nameOf(kind) { return CELL_OWN[this.kind][kind] || CELL_NAMES[kind]; }
  at(column, word, unit) { return column.all[word * this.units + unit]; }
  of(kind, unit = this.unit) {
    const column = this.columns.find((each) => each.kind === kind);
    return column && this.at(column, this.time.at, unit);
  }

  point(cell, isKept) {
    const at = cell && [cell[0], this.order[cell[1]]];
    this.hovered = isKept ? null : at;
    if (isKept && at) [this.row, this.unit] = at;
    this.draw();
  }

  draw() {
    const word = this.time.at, [row, unit] = this.hovered || [this.row, this.unit], {order} = this;
    this.title.textContent = this.kind.toUpperCase();
    this.note.textContent = say('Rows: what is computed, in its order. Columns: units.') +
      (!this.sorts || !this.keeps ? '' : ' ' + (this.kind === 'lstm' ? say('Those that forget least come first.') : say('Those that keep most come first.')));
    this.sorting.show([say('As stored'), this.kind === 'lstm' ? say('By forget gate') : say('By update gate')], this.sorts ? 1 : 0);
    this.time.draw();
    this.matrix.show({
      key: 'cell', rows: this.columns.length, columns: this.units, at: (at, column) => this.at(this.columns[at], word, order[column]),
      rowNames: this.columns.map(({kind}) => this.nameOf(kind)), rowNotes: [], columnNames: order.map((each) => String(each + 1)), columnsAreWords: false,
      rowAxis: '', columnAxis: say('unit'), scale: Scale.signed(...this.columns.map(({all}) => all)), isMasked: () => false, maskedText: '', shownRows: this.columns.length,
      isFaint: false, cell: [this.row, order.indexOf(this.unit)], label: say('%1, %2 rows, %3 columns. Arrow keys move the cell.', this.title.textContent, this.columns.length, this.units)});
    this.sentence.textContent = say('%1 of unit %2 at “%3”: %4', this.nameOf(this.columns[row].kind), unit + 1, this.tokens[word], formatPrecise(this.at(this.columns[row], word, unit)));
    this.drawStory();
    if (this.side) this.side.draw(word, unit);
    this.drawNumber(unit);
    this.onShown();
  }

  /** What the unit keeps, word by word. */
  drawStory() {
    const width = this.storyBox.clientWidth - 42, kept = this.columns.find(({kind}) => kind === (this.kind === 'lstm' ? 'memory' : 'state'));
    if (width < 120 || this.unit === undefined) return;
    const unit = this.hovered ? this.hovered[1] : this.unit, all = this.tokens.map((_, word) => this.at(kept, word, unit)), most = Scale.signed(all).max;
    const height = 180, left = 46, bottom = 128, y = (value) => 10 + (bottom - 10) * (0.5 - 0.5 * value / most), x = (at) => left + (width - left - 12) * (all.length > 1 ? at / (all.length - 1) : 0.5);
    this.storyTitle.textContent = say('%1 of unit %2, word by word', this.nameOf(kept.kind), unit + 1);
    const p = prepare(this.story, width, height);
    levels(p, [most, 0, -most], left, width - 4, y, (value) => formatNumber(value, 1));
    p.strokeStyle = theme.query;
    p.lineWidth = 2;
    p.beginPath();
    all.forEach((value, at) => (at ? p.lineTo(x(at), y(value)) : p.moveTo(x(at), y(value))));
    p.stroke();
    all.forEach((value, at) => {
      const isNow = at === this.time.at;
      p.fillStyle = isNow ? theme.nowline : theme.query;
      p.beginPath();
      p.arc(x(at), y(value), isNow ? 5 : 2.5, 0, 2 * Math.PI);
      p.fill();
      p.save();
      p.translate(x(at), bottom + 8);
      p.rotate(-Math.PI / 4);
      write(p, elided(p, this.tokens[at], NOTE_FONT, 56), 0, 0, NOTE_FONT, isNow ? theme.text : theme.text3, 'right');
      p.restore();
    });
    this.story.setAttribute('aria-label', `${this.storyTitle.textContent}: ${all.map((value, at) => `${this.tokens[at]} ${formatNumber(value)}`).join(', ')}`);
  }

  drawNumber(unit) {
    const of = (kind) => this.of(kind, unit), line = (kind) => ({text: this.nameOf(kind), value: of(kind)});
    const sums = {
      lstm: [{title: say('What it keeps and what it writes'), formula: 'c = f · c<sub>−1</sub> + i · g', vectors: [], steps: ['forget', 'before', 'kept', 'input', 'candidate', 'written', 'memory'].map(line)},
             {title: say('What it tells'), formula: 'h = o · tanh c', vectors: [], steps: ['output', 'squashed', 'state'].map(line)}],
      gru: [{title: say('What it keeps and what it writes'), formula: 'h = z · h<sub>−1</sub> + (1 − z) · n', vectors: [], steps: ['update', 'before', 'kept', 'complement', 'candidate', 'written', 'state'].map(line)}],
      rnn: [{title: say('What it keeps and what it writes'), formula: 'h = tanh(W x + U h<sub>−1</sub> + b)', vectors: [], steps: ['word', 'past', 'bias', 'sum', 'state'].map(line)}],
    }[this.kind];
    this.writeOut(this.kind.toUpperCase(), this.tokens[this.time.at], say('unit %1', unit + 1), of('state'), sums);
  }

  // A lesson's words point at values of the trace.
  cellOf({name, at}) {
    const row = this.columns.findIndex((column) => column.name === name);
    return row >= 0 && at.length === 2 && at[0] >= 1 && at[0] <= this.tokens.length && at[1] >= 1 && at[1] <= this.units ? {row, word: at[0] - 1, unit: at[1] - 1} : null;
  }
  light(number) {
    const found = number && this.cellOf(number), cell = found && found.word === this.time.at ? [found.row, this.order.indexOf(found.unit)] : null;
    this.matrix.hovered = cell;
    this.point(cell, false);
  }
  look(number) {
    const found = this.cellOf(number);
    if (!found) return;
    [this.row, this.unit] = [found.row, found.unit];
    this.time.go(found.word);
  }
  isShown(number) {
    const found = this.cellOf(number), [row, unit] = this.hovered || [this.row, this.unit];
    return found !== null && found.word === this.time.at && found.row === row && found.unit === unit;
  }
}

const LABS = {masks: Masks, positions: Positions, loss: Loss, bleu: BleuStage, forcing: Forcing, cell: CellStage, cost: Cost};
