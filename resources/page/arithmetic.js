// SPDX-License-Identifier: GPL-3.0-or-later
// One number written out, from the numbers that the page brought along: the same steps, in the same words, as the
// program's own (ui/session/trace/cell_arithmetic.h). Sums are made in double precision, as there.

const written = (value) => formatNumber(value, 4);

/** The products of two vectors, their running sum, and the sum. */
const sumOfProducts = (a, b) => {
  const products = a.numbers.map((value, i) => value * b.numbers[i]);
  let sum = 0;
  const running = products.map((product) => (sum += product));
  return {
    vectors: [a, b, {name: '×', numbers: products}, {name: 'Σ', numbers: running, isSum: true}],
    steps: [{text: say('Add the %1 products', products.length), value: sum}],
    sum,
  };
};

const vector = (name, numbers, role) => ({name, numbers: Array.from(numbers), role});

/** Keys and values may have fewer heads than the queries that they serve. */
const headOf = (value, head, heads) => Math.floor(head * value.heads / Math.max(1, heads));

const scoreArithmetic = (reading, block, head, row, column) => {
  const how = block.score;
  if (!how) return null;
  if (how.kind === 'additive') {
    const inner = how.queries[row].map((value, i) => Math.tanh(value + how.keys[column][i]));
    const {vectors, steps} = sumOfProducts(vector('v', how.energy), vector('tanh', inner));
    return {formula: `v · tanh(W<sub>k</sub> h<sub>${column + 1}</sub> + W<sub>q</sub> s<sub>${row + 1}</sub>)`, vectors, steps};
  }
  const queries = reading.values[how.query], keys = reading.values[how.key];
  if (!queries.isKept || !keys.isKept) return null;
  const key = how.keys ? how.keys[column] : keys.row(headOf(keys, head, block.heads), column);
  const {vectors, steps, sum} = sumOfProducts(vector(how.queryName + subscript(row + 1), queries.row(head, row), 'query'),
                                              vector(how.keyName + subscript(column + 1), key, 'key'));
  const factor = how.factor === undefined ? 1 : how.factor;
  let divisor = '';
  if (how.root) {
    const root = Math.sqrt(how.root);
    divisor = how.layer > 1 ? ` / (${how.layer}√d<sub>k</sub>)` : ' / √d<sub>k</sub>';
    steps.push({text: say('Divide by √%1 = %2', how.root, written(root)), value: sum / root});
    if (how.layer > 1) steps.push({text: say('Divide by the layer’s number, %1', how.layer), value: sum * factor});
  } else if (factor !== 1 && how.temperature === undefined) {
    divisor = ` · ${formatNumber(factor, 3)}`;
    steps.push({text: say('Times %1', written(factor)), value: sum * factor});
  }
  if (how.temperature !== undefined && how.temperature !== 1) {
    divisor += ' / T';
    steps.push({text: say('Divide by the temperature, %1', written(how.temperature)), value: sum * factor});
  }
  if (how.bias !== undefined) {
    const biases = reading.values[how.bias], bias = biases.at(headOf(biases, head, block.heads), row, column);
    steps.push({text: say('Add what the distance counts, %1', written(bias)), value: sum * factor + bias});
  }
  return {formula: `${how.queryName}<sub>${row + 1}</sub> · ${how.keyName}<sub>${column + 1}</sub>${divisor}`, vectors, steps};
};

const weightArithmetic = (reading, block, head, row, column) => {
  // Of capped scores these become weights.
  const values = reading.values[block.values.shared ?? block.values.scores];
  if (!values || !values.isKept) return null;
  const mask = reading.maskOf(block);
  const scores = Array.from(values.row(head, row), (score, i) => (isMasked(mask, row, i) ? -Infinity : score));
  const formula = say('e<sup>s</sup> / Σ e<sup>s</sup> over row %1', row + 1);
  if (scores[column] === -Infinity)
    return {formula, vectors: [], steps: [{text: say('Masked: e to the power of %1', notFinite(-Infinity)), value: 0}]};
  const exponentials = scores.map(Math.exp), sum = exponentials.reduce((all, each) => all + each, 0);
  return {
    formula,
    vectors: [vector('s', scores), vector('eˢ', exponentials)],
    steps: [{text: say('e to the power of the score'), value: exponentials[column]},
            {text: say('Divide by the sum of the row, %1', written(sum)), value: exponentials[column] / sum}],
    marked: column,
  };
};

const outputArithmetic = (reading, block, head, row, column) => {
  const weights = reading.values[block.values.weights], values = reading.values[block.values.value];
  if (!values || !values.isKept || !weights.isKept) return null;
  const result = sumOfProducts(vector('a' + subscript(row + 1), weights.row(head, row)),
                               vector('v', values.column(headOf(values, head, block.heads), column), 'value'));
  if (block.muted.includes(head)) result.steps.push({text: say('The head is muted'), value: 0});
  return {formula: `Σ<sub>j</sub> a<sub>${row + 1}j</sub> v<sub>j${column + 1}</sub>`, ...result};
};

/** What leads to a cell of a block's value, first things first; empty: the page does not hold what it is made of. */
const arithmeticOf = (reading, block, value, head, row, column) => {
  if (!block) return [];
  const {scores, weights, output} = block.values;
  const parts = [];
  if (value.place === scores || value.place === weights)
    parts.push({title: say('Score'), ...scoreArithmetic(reading, block, head, row, column)});
  if (value.place === weights) parts.push({title: say('Its share of the row'), ...weightArithmetic(reading, block, head, row, column)});
  if (value.place === output) parts.push({title: say('What the head passes on'), ...outputArithmetic(reading, block, head, row, column)});
  return parts.filter((part) => part.steps);
};

/** Vectors below one another as strips of cells, of one scale but for the running sum, which outgrows what is added;
    pointing at an entry reads all of them there. */
class Strips {
  constructor(vectors, marked) {
    this.vectors = vectors;
    this.marked = marked === undefined ? -1 : marked;
    this.hovered = -1;
    this.canvas = make('canvas', {class: 'strips', 'aria-hidden': 'true'});
    this.readout = make('p', {class: 'readout mono'});
    this.element = make('div', {class: 'strips-box'}, this.canvas, this.readout);
    this.scale = Scale.signed(...vectors.filter((each) => !each.isSum).map((each) => each.numbers));
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', () => this.hover(null));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  get count() { return this.vectors[0].numbers.length; }

  hover(event) {
    const box = this.canvas.getBoundingClientRect();
    const at = event ? Math.floor((event.clientX - box.left - 40) / (this.width - 41) * this.count) : -1;
    this.hovered = at >= 0 && at < this.count ? at : -1;
    this.draw();
  }

  draw() {
    this.width = this.element.clientWidth;
    if (this.width < 60) return;
    const p = prepare(this.canvas, this.width, this.vectors.length * 28 + 26);
    const pitch = (this.width - 41) / this.count, colors = {query: theme.query, key: theme.key, value: theme.value};
    this.vectors.forEach(({name, numbers, role, isSum}, i) => {
      const y = i * 28 + 2, scale = isSum ? Scale.signed(numbers) : this.scale, font = `11px ${MONO_FONT}`;
      write(p, name, 0, y + 12, `600 13px ${UI_FONT}`, colors[role] || theme.text);
      numbers.forEach((value, at) => {
        const x = 40 + at * pitch, width = pitch >= 5 ? pitch - 1 : pitch;
        if (value === -Infinity) {
          hatch(p, x, y, width, 24);
        } else {
          const fill = scale.color(value), number = formatNumber(value);
          p.fillStyle = css(fill);
          p.fillRect(x, y, width, 24);
          p.font = font;
          if (pitch >= 34 && p.measureText(number).width <= width) write(p, number, x + width / 2, y + 13, font, onColor(fill), 'center');
        }
        if (at === this.hovered || at === this.marked)
          outline(p, x + 1, y + 1, width - 2, 22, at === this.hovered ? theme.text : theme.nowline, at === this.hovered ? 1 : 2);
      });
      p.strokeStyle = theme.line2;
      p.lineWidth = 1;
      p.strokeRect(39.5, y - 0.5, this.width - 40.5, 25);
    });
    this.drawScale(p, this.vectors.length * 28 + 4);
    this.readout.classList.toggle('mono', this.hovered >= 0);
    this.readout.textContent = this.hovered < 0 ? say('Point at a strip to read its numbers.') :
        `${this.hovered + 1}:  ` + this.vectors.map(({name, numbers}) => `${name} ${written(numbers[this.hovered])}`).join('   ');
  }

  drawScale(p, top) {
    const width = Math.min(180, this.width - 41);
    this.scale.stops.forEach((stop, i) => {
      p.fillStyle = css(stop);
      p.fillRect(40 + Math.round(width * i / 9), top, Math.ceil(width / 9), 6);
    });
    const [low, , high] = this.scale.ends, font = `11px ${MONO_FONT}`;
    write(p, low, 40, top + 15, font, theme.text3);
    write(p, high, 40 + width, top + 15, font, theme.text3, 'right');
  }
}

/** The lines of one part: formula, strips, and what is added and divided. */
const arithmeticLines = (part) => {
  const box = make('section', {class: 'part'}, make('h3', {text: part.title}), make('p', {class: 'formula'}, rich(part.formula)));
  if (part.vectors.length) box.append(new Strips(part.vectors, part.marked).element);
  part.steps.forEach(({text, value}, i) => box.append(make('p', {class: i + 1 === part.steps.length ? 'line last' : 'line'},
    make('span', {text}), make('span', {class: 'mono', text: written(value)}))));
  return box;
};
