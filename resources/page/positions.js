// SPDX-License-Identifier: GPL-3.0-or-later
// A table of positions: its cells, the wave of a column along which the playhead runs, its pairs as hands that turn,
// and how alike two rows are by their distance.

const CHART = [150, 40, 26];  // height; room at the left for numbers, and below

class Positions extends Lab {
  constructor(record, onShown) {
    super(onShown);
    Object.assign(this, record);
    this.numbers = unpack(record.numbers);
    this.begunAt = record.cell;
    this.matrix = new Matrix((cell, isKept) => this.point(cell, isKept));
    this.sentence = make('p', {class: 'sentence', role: 'status', 'aria-live': 'polite'});
    this.wave = make('canvas', {class: 'wave', role: 'img'});
    this.alikeChart = make('canvas', {class: 'alike', role: 'img'});
    this.hands = make('canvas', {class: 'hands', role: 'img'});
    this.waveTitle = make('h3', {class: 'card-title'});
    this.waveBox = make('section', {class: 'card'}, this.waveTitle, this.wave, ...(this.pairs ? [this.hands] : []));
    const time = new Ticker(this.rows, (at) => say('Position %1 of %2', at, this.rows - 1), (at) => {
      this.cell = [at, this.cell[1]];
      this.draw();
    });
    this.build(time, [], ...(this.orders ? [this.ordersBox()] : []), make('section', {class: 'card'}, this.matrix.element, this.sentence), this.waveBox,
      card(say('How alike two positions are, by their distance'), this.alikeChart));
    new ResizeObserver(() => this.draw()).observe(this.waveBox);
  }

  /** The words in other orders, as the model reads them, and as it does without positions. */
  ordersBox() {
    this.shuffle = make('button', {type: 'button', class: 'button', text: say('Shuffle the words'), onclick: () => {
      ++this.shuffled;
      this.draw();
    }});
    this.readings = make('div', {class: 'orders', role: 'status', 'aria-live': 'polite'});
    return card(say('The same words in another order'), make('div', {class: 'row-of-buttons'}, this.shuffle), this.readings);
  }

  drawOrders() {
    const order = this.orders[(this.shuffled - 1) % this.orders.length];
    if (!this.shuffled) return this.readings.replaceChildren(make('p', {class: 'quiet', text: say('This page holds %1 orders, and what the model made of each.', this.orders.length)}));
    const line = (name, text) => [make('span', {class: 'quiet', text: name}), make('strong', {text})];
    return this.readings.replaceChildren(...line(say('Read'), order.words), ...line(say('It writes'), order.reads),
      ...(order.deaf === undefined ? [] : [...line(say('Without positions'), order.deaf), ...line(say('Without positions, in the right order'), order.deafInOrder)]));
  }

  at(row, column) { return this.numbers[row * this.columns + column]; }

  show() {
    this.cell = this.begunAt.slice();
    this.hovered = null;
    this.shuffled = this.shuffles;
    this.begun = undefined;
    this.draw();
    this.begun = this.facts;
  }

  get facts() {
    const cell = {cell: `${this.cell[0] + 1},${this.cell[1] + 1}`};
    return this.orders ? {...cell, shuffles: String(this.shuffled)} : cell;
  }

  point(cell, isKept) {
    this.hovered = isKept ? null : cell;
    if (isKept && cell) this.cell = cell;
    this.draw();
  }

  draw() {
    if (!this.cell) return;
    const cell = this.hovered || this.cell;
    this.title.textContent = this.learned ? say('A learned table of positions') : say('Sinusoids');
    this.note.textContent = say('Rows: positions. Columns: dimensions.');
    this.time.at = this.cell[0];
    this.time.draw();
    this.matrix.show({
      key: 'positions', rows: this.rows, columns: this.columns, at: (row, column) => this.at(row, column), rowNames: numbersFrom(this.rows), rowNotes: [],
      columnNames: numbersFrom(this.columns), columnsAreWords: false, rowAxis: say('position'), columnAxis: say('dimension'),
      scale: this.learned ? Scale.signed(this.numbers) : new Scale(1), isMasked: () => false, maskedText: '', shownRows: this.rows, isFaint: false,
      cell: this.cell, label: say('%1, %2 rows, %3 columns. Arrow keys move the cell.', this.title.textContent, this.rows, this.columns)});
    this.sentence.textContent = say('Position %1, dimension %2: %3', ...cell, formatPrecise(this.at(...cell)));
    this.waveTitle.textContent = say('Dimension %1 over the positions', cell[1]);
    this.drawWave(cell);
    this.drawAlike();
    if (this.pairs) this.drawHands(cell[0]);
    if (this.orders) this.drawOrders();
    this.drawNumber(...cell);
    this.onShown();
  }

  pairOf(column) { return this.pairs.find(({sine, cosine}) => sine === column || cosine === column); }

  drawNumber(row, column) {
    const value = this.at(row, column), from = say('position %1', row), to = say('dimension %1', column);
    if (this.learned) {
      this.writeOut(say('Position'), from, to, value, []);
      this.number.append(make('p', {class: 'quiet', text: say('Learned, as a weight is: no formula leads to it.')}));
      return;
    }
    const pair = this.pairOf(column), at = this.pairs.indexOf(pair), isSine = pair.sine === column, angle = row * pair.frequency;
    const wave = isSine ? 'sin' : 'cos';
    this.writeOut(say('Position'), from, to, value, [{title: say('Wave %1, its %2', at, isSine ? say('sine') : say('cosine')),
      formula: `${wave}(pos / ${formatCount(this.base)}<sup>${2 * at}/${this.columns}</sup>)`, vectors: [],
      steps: [{text: say('Turned at each position by'), value: pair.frequency}, {text: say('At position %1 by', row), value: angle},
              {text: say(isSine ? 'The sine of it' : 'The cosine of it'), value: isSine ? Math.sin(angle) : Math.cos(angle)}]}]);
  }

  /** A chart's frame: −m, 0 and +m at the left; returns where a value stands. */
  frame(p, width, most, ends) {
    const [height, left, below] = CHART, y = (value) => 8 + (height - below - 8) * (0.5 - 0.5 * value / most);
    levels(p, [most, 0, -most], left, width - 4, y, (value) => formatNumber(value, most < 1 ? 2 : 1));
    ends.forEach((text, i) => write(p, text, i ? width - 4 : left, height - 8, `11px ${MONO_FONT}`, theme.text3, i ? 'right' : 'left'));
    return y;
  }

  drawWave([row, column]) {
    const width = this.waveBox.clientWidth - 42;
    if (width < 120) return;
    const p = prepare(this.wave, width, CHART[0]), all = Array.from({length: this.rows}, (_, at) => this.at(at, column));
    const most = this.learned ? Scale.signed(this.numbers).max : 1;
    const y = this.frame(p, width, most, ['0', String(this.rows - 1)]);
    const x = (at) => CHART[1] + (width - 4 - CHART[1]) * (this.rows > 1 ? at / (this.rows - 1) : 0.5);
    p.strokeStyle = theme.query;
    p.lineWidth = 2;
    p.beginPath();
    all.forEach((value, at) => (at ? p.lineTo(x(at), y(value)) : p.moveTo(x(at), y(value))));
    p.stroke();
    p.strokeStyle = theme.nowline;
    p.lineWidth = 1;
    p.beginPath();
    p.moveTo(x(row), 8);
    p.lineTo(x(row), CHART[0] - CHART[2]);
    p.stroke();
    p.fillStyle = theme.nowline;
    p.beginPath();
    p.arc(x(row), y(all[row]), 5, 0, 2 * Math.PI);
    p.fill();
    this.wave.setAttribute('aria-label', say('Dimension %1 over the positions', column) + `: ${all.map((value) => formatNumber(value)).join(' ')}`);
  }

  /** A hand for each pair: cosine to the right, sine upwards; a fainter one where it stands `offset` positions on. */
  drawHands(row) {
    const pairs = this.pairs.filter(({cosine}) => cosine >= 0), width = this.waveBox.clientWidth - 42;
    if (width < 120 || !pairs.length) return;
    const pitch = Math.max(34, Math.min(72, width / pairs.length)), radius = pitch / 2 - 5, across = Math.floor(width / pitch);
    const p = prepare(this.hands, width, Math.ceil(pairs.length / across) * (pitch + 12) + 4);
    const hand = (x, y, at, {sine, cosine}, color, line) => {
      if (at >= this.rows) return;
      p.strokeStyle = color;
      p.lineWidth = line;
      p.beginPath();
      p.moveTo(x, y);
      p.lineTo(x + radius * this.at(at, cosine), y - radius * this.at(at, sine));
      p.stroke();
    };
    pairs.forEach((pair, i) => {
      const x = (i % across + 0.5) * pitch, y = Math.floor(i / across) * (pitch + 12) + pitch / 2;
      p.strokeStyle = theme.line2;
      p.lineWidth = 1;
      p.beginPath();
      p.arc(x, y, radius, 0, 2 * Math.PI);
      p.stroke();
      if (this.offset) hand(x, y, row + this.offset, pair, theme.text3, 1.5);
      hand(x, y, row, pair, theme.nowline, 2.5);
      write(p, String(i), x, y + radius + 9, `11px ${MONO_FONT}`, theme.text3, 'center');
    });
    this.hands.setAttribute('aria-label', say('The pairs as hands, at position %1', row));
  }

  drawAlike() {
    const width = this.waveBox.clientWidth - 42;
    if (width < 120) return;
    const p = prepare(this.alikeChart, width, CHART[0]), most = Math.max(1, ...this.alike.map(Math.abs));
    const y = this.frame(p, width, most, [formatNumber(-this.reach, 0), String(this.reach)]);
    const pitch = (width - 4 - CHART[1]) / this.alike.length;
    this.alike.forEach((value, i) => {
      p.fillStyle = i === this.reach ? theme.nowline : css(theme.sequential[5]);
      p.fillRect(CHART[1] + i * pitch + 1, Math.min(y(value), y(0)), Math.max(1, pitch - 2), Math.abs(y(value) - y(0)));
    });
    this.alikeChart.setAttribute('aria-label', say('How alike two positions are, by their distance') + `: ${this.alike.map((value) => formatNumber(value)).join(' ')}`);
  }
}
