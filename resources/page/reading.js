// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded reading: every head small, one value large, one number written out, and the steps that led to them.

/** A value's names as the page's language has them; `name` is the trace's own and stays. */
const inItsLanguage = (value) => {
  const level = (each) => each && {...each, label: named(each.label)};
  return {...value, title: named(value.title), scope: named(value.scope), sentence: value.sentence && say(value.sentence),
          model: level(value.model), layer: level(value.layer), sublayer: level(value.sublayer)};
};

/** What the page brought along of one reading (ui/session/page/reading_record.h). */
class Recorded {
  constructor(record) {
    Object.assign(this, record);
    const words = {source: record.source, target: record.target};
    this.values = record.values.map((value, place) => new Value(inItsLanguage(value), place, words));
    this.blocks = record.blocks.map((block) => ({...block, title: named(block.title)}));
    this.blockAt = new Map();
    for (const block of this.blocks)
      for (const place of Object.values(block.values)) this.blockAt.set(place, block);
  }
  maskOf(block) { return block && block.values.mask !== undefined ? this.values[block.values.mask] : null; }
  placeOf(name) { return this.values.findIndex((value) => value.name === name); }
  get hasSteps() { return this.values.length > 0 && this.values[0].layer !== undefined; }
}

const KINDS = {encoder: 'Encoder self', decoder: 'Decoder self', cross: 'Cross', self: 'Self-attention'};
const PARTS = [['weights', 'Weights'], ['scores', 'Scores'], ['query', 'Q'], ['key', 'K'], ['value', 'V'], ['output', 'Z']];

class Reading {
  /** `onPoint(name, head, row, column)`: a number was kept. `onShown()`: what is looked at may be another. */
  constructor(record, onPoint = () => {}, onShown = () => {}) {
    this.recorded = record;
    this.onPoint = onPoint;
    this.onShown = onShown;
    this.heads = new Heads(record, (block, head) => this.choose({block, head}));
    this.words = new Words(record, (row) => this.time.goToWord(row));
    this.time = new Time(record, () => this.follow());
    this.network = record.hasSteps ? new Network(record, (place) => this.time.goTo(place)) : null;
    this.matrix = new Matrix((cell, isKept) => this.point(cell, isKept));
    this.lines = new Lines(this.matrix);
    this.pictures = make('div', {class: 'pictures'}, this.matrix.element, this.lines.element);
    this.parts = new Choice(say('What the cells show'), (i) => this.choosePart(this.partKeys[i]));
    this.title = make('h2');
    this.note = make('p', {class: 'note'});
    this.headTitle = make('h3', {class: 'card-title'});
    this.sentence = make('p', {class: 'sentence', role: 'status', 'aria-live': 'polite'});
    this.number = make('div', {class: 'number-box'});
    this.temperature = record.example ? new Temperature(record, (value) => this.setTemperature(value)) : null;
    const isAlone = this.heads.element.hidden && !record.answers.length;  // nothing to choose from
    this.element = make('div', {class: isAlone ? 'reading alone' : 'reading'},
      make('div', {class: 'side', hidden: isAlone}, ...(this.network ? [this.network.element] : []), this.words.element, this.heads.element),
      make('div', {class: 'stage'},
        make('div', {class: 'stage-head'}, make('div', {}, this.title, this.note),
             ...(this.temperature ? [this.temperature.element] : []), this.parts.element),
        make('div', {class: 'cards'},
          make('section', {class: 'card matrix-card'}, this.headTitle, this.pictures, this.sentence),
          make('section', {class: 'card number-card', 'aria-label': say('The number, written out')}, this.number))),
      this.time.element);
  }

  /** Begins with what the program showed: `value`, or `block` and its `part`; `head`, `cell`, `at`. */
  show(state = {}) {
    const {blocks, values} = this.recorded;
    if (this.recorded.example) this.recorded.restore();
    this.hasStepped = false;
    if (this.network) this.network.element.hidden = !state.network;
    this.block = blocks.find((block) => block.scope === state.block) ||
                 blocks.findLast((block) => block.kind === 'cross') || blocks[blocks.length - 1];
    this.head = state.head || 0;
    const place = state.value ? this.recorded.placeOf(state.value) : -1;
    this.place = this.isKept(place) ? place : this.block ? this.block.values[state.part || 'weights'] : values.findLastIndex((value) => value.isKept);
    if (this.blockOfValue) this.block = this.blockOfValue;
    if (this.block) this.head = Math.min(this.head, this.block.heads - 1);
    this.cell = state.cell || (place < 0 && this.block ? this.heaviestCell() : null);
    this.hovered = null;
    this.time.start(state.at);
    this.begun = null;
    this.draw();
    this.begun = this.facts;
  }

  get value() { return this.recorded.values[this.place]; }
  get shownHead() { return this.value.heads > 1 ? headOf(this.value, this.head, this.blockOfValue ? this.blockOfValue.heads : 1) : 0; }
  get blockOfValue() { return this.recorded.blockAt.get(this.place); }
  get isComputed() { return !this.recorded.hasSteps || this.place <= this.time.place; }

  /** What the middle row looks at most. */
  heaviestCell() {
    const weights = this.recorded.values[this.block.values.weights], row = Math.floor((weights.rows - 1) / 2);
    const numbers = weights.row(this.head, row);
    return [row, numbers.indexOf(Math.max(...numbers))];
  }

  choose({block, head}) {
    const part = PARTS.map(([key]) => key).find((key) => this.block.values[key] === this.place) || 'weights';
    this.block = block;
    this.head = head;
    this.place = block.values[part] === undefined ? block.values.weights : block.values[part];
    this.draw();
  }

  get partKeys() { return !this.block ? [] : PARTS.map(([key]) => key).filter((key) => this.isKept(this.block.values[key])); }
  isKept(place) { return place !== undefined && place >= 0 && this.recorded.values[place].isKept; }

  choosePart(key) {
    this.place = this.block.values[key];
    this.draw();
  }

  /** What there is to try here, as it stands; of these alone can a task be seen to be done. */
  get facts() {
    const {example, changed} = this.recorded;
    return {step: this.hasStepped ? 'moved' : '', focus: this.value.name,
            ...(this.block && this.block.heads > 1 ? {head: String(this.head + 1)} : {}),
            cell: this.cell ? `${this.cell[0] + 1},${this.cell[1] + 1}` : '',
            ...(example ? {numbers: [...changed].join(), sharpness: String(this.recorded.temperature)} : {})};
  }
  canMeet(key) { return key === 'step' ? this.recorded.hasSteps : key in this.facts; }
  isMet(key, value) {
    const now = this.begun && this.facts[key];
    if (!this.begun || now === this.begun[key]) return false;  // as the step left it
    if (key === 'numbers') return this.recorded.changed.has(value);
    return key === 'sharpness' ? Math.abs(now - value) < 1e-9 : now === value.replace(/\s/g, '');
  }

  change(value, row, column, number) {
    this.recorded.change(value, row, column, number);
    this.draw();
  }
  setTemperature(temperature) {
    this.recorded.setTemperature(temperature);
    this.draw();
  }

  /** The playhead moved: what was computed there is shown. */
  follow() {
    this.hasStepped = this.hasStepped || this.time.isMoving;
    const place = this.time.place;
    if (this.time.isMoving && this.time.mode === 0 && this.isKept(place)) {
      this.place = place;
      if (this.blockOfValue) {
        this.block = this.blockOfValue;
        this.head = Math.min(this.head, this.block.heads - 1);
      }
    }
    const {weights, scores} = this.block ? this.block.values : {};
    if (this.time.isMoving && this.time.mode === 1 && this.block && this.block.writes && [weights, scores].includes(this.place)) {
      const numbers = this.recorded.values[weights].row(this.head, this.time.word);
      this.cell = [this.time.word, numbers.indexOf(Math.max(...numbers))];
    }
    this.draw();
  }

  point(cell, isKept) {
    if (!this.isComputed || (cell && cell[0] >= this.shownRows)) cell = null;
    this.hovered = isKept ? null : cell;
    if (isKept && cell) {
      this.cell = cell;
      this.onPoint(this.value.name, this.head, ...cell);
    }
    this.draw();
  }

  /** Where a number of a lesson's words stands, `name` with indices from 1; null: not on this page. */
  cellOf({name, at}) {
    const place = this.recorded.placeOf(name), value = this.recorded.values[place];
    if (!this.isKept(place) || at.length < 2) return null;
    const [head, row, column] = at.length > 2 ? at.map((index) => index - 1) : [0, at[0] - 1, at[1] - 1];
    const isThere = head < value.heads && row < value.rows && column < value.columns && (at.length > 2 || value.heads === 1);
    return isThere ? {place, head, cell: [row, column]} : null;
  }

  isAt(found) { return found !== null && found.place === this.place && found.head === this.shownHead; }

  /** The reader points at a number of the words: its cell is lit where it is seen; null: no longer. */
  light(number) {
    const found = number && this.cellOf(number);
    const cell = number && this.isAt(found) ? found.cell : null;
    this.matrix.hovered = cell;
    this.point(cell, false);
  }

  /** The reader clicked it: that is what is shown. */
  look(number) {
    const found = this.cellOf(number);
    if (!found) return;
    this.place = found.place;
    if (this.blockOfValue) this.block = this.blockOfValue;
    if (this.value.heads > 1) this.head = Math.ceil(found.head * (this.blockOfValue ? this.blockOfValue.heads : 1) / this.value.heads);
    this.cell = found.cell;
    this.onPoint(this.value.name, found.head, ...found.cell);
    this.draw();
  }

  /** Whether that number is what is pointed at, or kept. */
  isShown(number) {
    const found = this.cellOf(number), cell = this.hovered || this.cell;
    return this.isComputed && this.isAt(found) && cell !== null && cell.join() === found.cell.join();
  }

  /** While words are written, later rows are not there yet. */
  get shownRows() {
    const byWords = this.time.mode === 1 && this.value.rowWords === 'target';
    return !this.isComputed ? 0 : byWords ? Math.min(this.time.word + 1, this.value.rows) : this.value.rows;
  }

  draw() {
    if (this.place === undefined) return;
    const value = this.value, block = this.blockOfValue;
    if (this.cell && (this.cell[0] >= value.rows || this.cell[1] >= value.columns)) this.cell = null;
    this.title.textContent = value.scope || value.title;
    this.note.textContent = this.noteText();
    this.headTitle.textContent = this.cardTitle();
    this.parts.element.hidden = !block || this.partKeys.length < 2;
    this.parts.show(this.partKeys.map((key) => say(PARTS.find(([each]) => each === key)[1])),
                    this.partKeys.findIndex((key) => block && block.values[key] === this.place));
    this.heads.show(this.block, this.head, block !== undefined, this.time.place);
    if (this.network) this.network.show(this.time.place, this.place);
    this.words.show(this.time.mode === 1 ? this.time.word : this.answeringRow(), this.time.mode === 1);
    const data = this.matrixData();
    this.matrix.show(data);
    this.drawLines(data);
    this.sentence.textContent = this.sentenceText();
    if (this.temperature) this.temperature.draw();
    this.drawNumber();
    this.onShown();
  }

  /** The theme is another one. */
  redraw() {
    this.heads.paint();
    this.draw();
  }

  /** The row of the text that is looked at, where it is one that writes. */
  answeringRow() {
    const cell = this.hovered || this.cell;
    return cell && this.value.rowWords === (this.recorded.written.length ? 'target' : 'source') ? cell[0] : -1;
  }

  noteText() {
    const block = this.blockOfValue;
    if (!block || !['weights', 'scores', 'mask'].includes(Object.keys(block.values).find((key) => block.values[key] === this.place)))
      return this.value.sentence || '';
    if (block.kind === 'cross') return say('Rows: the word being written. Columns: the source word it reads.');
    if (block.kind === 'decoder') return say('Rows: the word being written. Columns: the words written before it.');
    return say('Rows: the word that looks. Columns: the word it looks at.');
  }

  cardTitle() {
    const block = this.blockOfValue, name = PARTS.find(([key]) => block && block.values[key] === this.place);
    const what = name && name[0] === 'weights' ? '' : `, ${this.value.title}`;
    if (!block || block.heads < 2 || this.value.heads === 1) return this.value.title;
    return say(block.muted.includes(this.head) ? 'Head %1, muted' : 'Head %1', this.head + 1) + what;
  }

  matrixData() {
    const value = this.value, block = this.blockOfValue, head = this.shownHead;
    const squares = block && [block.values.weights, block.values.scores, block.values.mask].includes(this.place);
    const mask = squares ? this.recorded.maskOf(block) : null;
    const isClosed = (row, column) => isMasked(mask, row, column);
    const open = squares ? Array.from(value.matrix(head)).filter((_, i) => !isClosed(Math.floor(i / value.columns), i % value.columns))
                         : value.matrix(head);
    return {
      key: `${this.place}.${head}`,
      rows: value.rows,
      columns: value.columns,
      at: (row, column) => value.at(head, row, column),
      rowNames: squares ? block.rows : value.rowNames,
      rowNotes: squares ? block.rowNotes : [],
      columnNames: squares ? block.columns : value.columnNames,
      columnsAreWords: value.columnWords !== 'number',
      rowAxis: squares && block.writes ? say('writes') : value.rowWords === 'number' ? '' : say('word'),
      columnAxis: squares ? (block.kind === 'cross' ? say('reads') : say('looks at')) : '',
      scale: value.weights ? Scale.weights() : Scale.signed(open),
      isMasked: isClosed,
      maskedText: value.weights ? '0' : notFinite(-Infinity),
      shownRows: this.shownRows,
      isFaint: Boolean(block && block.muted.includes(this.head) && value.weights),
      cell: this.cell && this.cell[0] < this.shownRows ? this.cell : null,
      label: say('%1, %2 rows, %3 columns. Arrow keys move the cell.', `${value.scope} ${value.title}`.trim(), value.rows, value.columns),
    };
  }

  /** Weights have lines beside them, where there is room. */
  drawLines(data) {
    const hasLines = this.value.weights && data.rows <= MOST_WORDS && data.columns <= MOST_WORDS;
    this.pictures.classList.toggle('both', hasLines);
    if (!hasLines) return;
    const {kind, writes} = this.blockOfValue, ink = {encoder: theme.encoder, cross: theme.decoder, decoder: theme.decoder, self: theme.encoder};
    this.lines.show(data, this.hovered || data.cell, {from: kind === 'cross' ? say('Source') : say('Looked at'), to: writes ? say('Being written') : say('Word'),
      fromColor: kind === 'cross' ? theme.encoder : ink[kind], toColor: ink[kind]});
  }

  sentenceText() {
    if (!this.isComputed) return say('Computed in a later step: move the playhead on.');
    const cell = this.hovered || this.cell, value = this.value, block = this.blockOfValue;
    if (!cell) return say('Point at a cell to read it. Click to keep it.');
    const [row, column] = cell, {rowNames, columnNames, isMasked: isClosed} = this.matrixData();
    const number = value.at(this.shownHead, row, column), from = rowNames[row], to = columnNames[column];
    const head = this.headWords();
    if (isClosed(row, column))
      return block.writes ? say('“%1” comes later: while writing “%2” it may not be looked at.', to, from) : say('“%1” may not look at “%2”.', from, to);
    if (block && this.place === block.values.scores) return say('For “%1”, %2 scores “%3” %4.', from, head, to, formatNumber(number, 3));
    if (block && this.place === block.values.weights)
      return say(block.writes ? 'Writing “%1”, %2 puts %3 of its weight on “%4”.' : 'Reading “%1”, %2 puts %3 of its weight on “%4”.', from, head,
                 formatNumber(number, 3), to);
    return say('%1, column %2: %3', value.rowWords === 'number' ? say('Row %1', row + 1) : `“${from}”`, column + 1, formatPrecise(number));
  }

  headWords() {
    return this.block.heads > 1 ? say('head %1', this.head + 1) : say('attention');
  }

  drawNumber() {
    const cell = this.hovered || this.cell;
    if (!cell || !this.isComputed || cell[0] >= this.shownRows) {
      this.number.replaceChildren(make('h3', {class: 'card-title', text: say('Where a number comes from')}),
                                  make('p', {class: 'quiet', text: say('Point at a cell: it is written out here, from its own inputs.')}));
      return;
    }
    const [row, column] = cell, value = this.value, {rowNames, columnNames} = this.matrixData();
    const number = value.at(this.shownHead, row, column);
    const parts = arithmeticOf(this.recorded, this.blockOfValue, value, this.shownHead, row, column);
    const squares = value.columnWords !== 'number';
    this.number.replaceChildren(
      make('h3', {class: 'card-title', text: value.title}),
      make('p', {class: 'pair'}, make('span', {class: 'chip query', text: rowNames[row]}), squares ? '→' : '·',
           make('span', {class: 'chip key', text: squares ? columnNames[column] : say('column %1', column + 1)}),
           make('span', {class: 'value mono', text: formatPrecise(number)})),
      ...parts.map(arithmeticLines),
      ...(parts.length ? [] : [make('p', {class: 'formula'}, rich(value.formula || '')),
                               make('p', {class: 'quiet', text: value.sentence || ''})]),
      ...(this.recorded.example && !this.hovered && this.recorded.canChange(value) ? [numberField(this, value, row, column)] : []));
  }
}
