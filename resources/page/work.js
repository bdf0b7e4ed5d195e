// SPDX-License-Identifier: GPL-3.0-or-later
// What a layer costs (core/experiment/cost.h), and how a message travels through it (ui/session/trace/cost.h).

/** Layers of a convolution of width k until the last of n words has heard of the first. */
const convolutionLayers = (n, k, isDilated) => {
  if (!isDilated) return Math.floor((n + k - 3) / (k - 1));
  let layers = 0;
  for (let seen = 1; seen < n; seen *= k) ++layers;
  return layers;
};
const spacingOf = (layer, k, isDilated) => (isDilated ? k ** (layer - 1) : 1);

/** At which place the message of the first word is in each layer, from the words themselves up. */
const convolutionWay = (n, k, isDilated) => {
  const way = [n - 1];
  for (let layer = convolutionLayers(n, k, isDilated); layer > 0; --layer) {
    const spacing = spacingOf(layer, k, isDilated), at = way[way.length - 1];
    way.push(at - spacing * Math.min(k - 1, Math.floor(at / spacing)));
  }
  return way.reverse();
};

/** RNN, convolution, attention alone, and with its projections: Vaswani et al. 2017, table 1. */
const layerCosts = ({n, d, k, isDilated}) => {
  const layers = convolutionLayers(n, k, isDilated), ns = formatCount(n), ds = formatCount(d);
  return [
    {kind: 'RNN', operations: n * d * d, steps: n, path: n, formula: 'n·d²', inNumbers: `${ns}·${ds}²`, pathFormula: 'n', stepsFormula: 'n'},
    {kind: say('Convolution'), operations: k * n * d * d, steps: 1, path: layers, formula: 'k·n·d²', inNumbers: `${k}·${ns}·${ds}²`,
     pathFormula: isDilated ? '⌈log n/log k⌉' : '⌈(n−1)/(k−1)⌉', stepsFormula: '1'},
    {kind: say('Attention'), operations: n * n * d, steps: 1, path: 1, formula: 'n²·d', inNumbers: `${ns}²·${ds}`, pathFormula: '1', stepsFormula: '1'},
    {kind: say('with projections'), operations: n * n * d + 4 * n * d * d, steps: 1, path: 1, formula: 'n²·d + 4·n·d²',
     inNumbers: `${ns}²·${ds} + 4·${ns}·${ds}²`, pathFormula: '1', stepsFormula: '1'},
  ];
};

/** The matrices of a translator of two LSTMs, a bias being one column more. */
const weightBlocks = ({sizes: [source, target, embedding, hidden], biases}) => {
  const lstm = {rows: 4 * hidden, columns: embedding + hidden + biases};
  return [{name: say('Source embedding'), rows: source, columns: embedding}, {name: 'LSTM', ...lstm},
          {name: say('Target embedding'), rows: target, columns: embedding, decodes: true}, {name: 'LSTM', ...lstm, decodes: true},
          {name: say('Output layer'), rows: target, columns: hidden + 1, decodes: true}];
};
const countOf = ({rows, columns}) => rows * columns;
const parametersOf = (blocks) => blocks.reduce((sum, block) => sum + countOf(block), 0);

/** A message from the first word to the last: a dot a word, upwards what comes one after another, in amber the way. */
const MOST_DOTS = 128, TRAVEL = {side: 8, top: 8, below: 24, numbers: 18, height: 164, room: 10};

class Travel {
  /** `kind`: 0 recurrence, 1 convolution, 2 attention. */
  constructor(kind) {
    this.kind = kind;
    this.canvas = make('canvas', {role: 'img'});
    this.element = make('div', {class: 'travel'}, this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(sizes) {
    this.sizes = sizes;
    this.draw();
  }

  get dots() { return Math.min(this.sizes.n, MOST_DOTS); }
  get layers() { return convolutionLayers(this.dots, this.sizes.k, this.sizes.isDilated); }
  get rise() { return (TRAVEL.height - TRAVEL.below - TRAVEL.top) / Math.max(1, [this.dots, this.layers, 1][this.kind]); }
  x(word) {
    const wide = this.width - 2 * TRAVEL.side - (this.kind === 1 ? TRAVEL.numbers : 0);
    return TRAVEL.side + wide * word / Math.max(1, this.dots - 1);
  }
  y(height) { return TRAVEL.height - TRAVEL.below - height; }

  /** The amber line, from the first word to the last. */
  get way() {
    const words = Array.from({length: this.dots}, (_, word) => word), last = this.dots - 1, {k, isDilated} = this.sizes;
    if (this.kind === 0) return words.flatMap((word) => [[this.x(word), this.y(this.rise * word)], [this.x(word), this.y(this.rise * (word + 1))]]);
    if (this.kind === 1) return convolutionWay(this.dots, k, isDilated).map((place, layer) => [this.x(place), this.y(this.rise * layer)]);
    const middle = (this.x(0) + this.x(last)) / 2, half = (this.x(last) - this.x(0)) / 2;
    return Array.from({length: 61}, (_, i) => [middle - Math.cos(Math.PI * i / 60) * half, this.y(Math.sin(Math.PI * i / 60) * this.rise)]);
  }

  draw() {
    this.width = this.element.clientWidth;
    if (!this.sizes || this.width < 120) return;
    const p = prepare(this.canvas, this.width, TRAVEL.height), way = this.way, words = this.dots;
    [() => this.drawGround(p), () => this.drawSeen(p), () => this.drawArcs(p)][this.kind]();
    p.strokeStyle = theme.nowline;
    p.lineWidth = 2.5;
    p.beginPath();
    way.forEach(([x, y], i) => (i ? p.lineTo(x, y) : p.moveTo(x, y)));
    p.stroke();
    const dot = (x, y, radius, color) => {
      p.fillStyle = color;
      p.beginPath();
      p.arc(x, y, radius, 0, 2 * Math.PI);
      p.fill();
    };
    for (let word = 0; word < words; ++word) dot(this.x(word), this.y(0), 1.5, theme.text2);
    if (this.kind === 1 && this.rise >= TRAVEL.room) way.forEach(([x, y]) => dot(x, y, 4, theme.nowline));
    for (const word of [0, words - 1]) dot(this.x(word), this.y(0), 4, theme.nowline);
    this.drawWords(p);
  }

  drawWords(p) {
    const below = TRAVEL.height - 8, {n} = this.sizes, first = say('word %1', 1), last = say('word %1', formatCount(this.dots));
    const drawn = n > this.dots ? say('%1 of %2 words drawn', this.dots, formatCount(n)) : '';
    write(p, first, TRAVEL.side - 4, below, NOTE_FONT, theme.text2);
    write(p, last, this.x(this.dots - 1) + 4, below, NOTE_FONT, theme.text2, 'right');
    const from = TRAVEL.side + p.measureText(first).width, to = this.x(this.dots - 1) - p.measureText(last).width;
    if (drawn) write(p, elided(p, drawn, NOTE_FONT, to - from - 12), (from + to) / 2, below, NOTE_FONT, theme.text2, 'center');
  }

  /** Each word waits, at the height of the step that it is read in. */
  drawGround(p) {
    p.strokeStyle = theme.line2;
    p.lineWidth = 0.75;
    p.beginPath();
    for (let word = 0; word < this.dots; ++word) {
      p.moveTo(this.x(word), this.y(0));
      p.lineTo(this.x(word), this.y(this.rise * word));
    }
    p.stroke();
  }

  /** What the last word of the uppermost layer has heard of. */
  drawSeen(p) {
    const {k, isDilated} = this.sizes;
    let hearing = new Set([this.dots - 1]);
    for (let layer = this.layers; layer > 0; --layer) {
      const spacing = spacingOf(layer, k, isDilated), y = this.y(this.rise * layer), heard = new Set();
      p.strokeStyle = theme.line2;
      p.lineWidth = 1;
      p.setLineDash([1, 2]);
      p.beginPath();
      p.moveTo(TRAVEL.side, y);
      p.lineTo(this.x(this.dots - 1), y);
      p.stroke();
      p.setLineDash([]);
      p.strokeStyle = theme.text3;
      p.globalAlpha = 0.55;
      p.lineWidth = 0.75;
      p.beginPath();
      for (const place of hearing)
        for (let back = 0; back < k && place >= back * spacing; ++back) {
          heard.add(place - back * spacing);
          p.moveTo(this.x(place), y);
          p.lineTo(this.x(place - back * spacing), this.y(this.rise * (layer - 1)));
        }
      p.stroke();
      p.globalAlpha = 1;
      p.fillStyle = theme.text2;
      for (const place of hearing) {
        p.beginPath();
        p.arc(this.x(place), y, Math.min(2, this.rise / 4), 0, 2 * Math.PI);
        p.fill();
      }
      if (this.rise >= TRAVEL.room || layer === this.layers)
        write(p, String(layer), this.width - 1, y, `11px ${MONO_FONT}`, theme.text3, 'right');
      hearing = heard;
    }
  }

  /** Every pair of words. */
  drawArcs(p) {
    const most = this.dots - 1, ground = this.y(0);
    p.strokeStyle = css(theme.sequential[6]);
    p.globalAlpha = Math.min(0.8, Math.max(0.1, 8 / this.dots));
    p.lineWidth = 0.75;
    for (let apart = 1; apart < most; ++apart) {
      const half = (this.x(apart) - this.x(0)) / 2;
      p.beginPath();
      for (let from = 0; from + apart <= most; ++from) {
        p.moveTo(this.x(from), ground);
        p.ellipse(this.x(from) + half, ground, half, this.rise * apart / most, 0, Math.PI, 2 * Math.PI);
      }
      p.stroke();
    }
    p.globalAlpha = 1;
  }
}
