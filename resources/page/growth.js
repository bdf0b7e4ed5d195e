// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of a layer of each kind as the words grow, both axes logarithmic. The amber line is dragged.

const GROWTH = {fewest: 10, most: 100000, decade: 20, left: 50, top: 24, below: 38, right: 14, height: 280};

/** The sliders' places: so many a power of ten. */
const atPlace = (place) => Math.round(10 ** (place / GROWTH.decade));
const placeOf = (value) => Math.round(GROWTH.decade * Math.log10(value));

class Growth {
  /** `onWords(n)`: the line was dragged there. */
  constructor(onWords) {
    this.canvas = make('canvas', {class: 'growth', role: 'img'});
    this.element = make('div', {}, this.canvas);
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      onWords(this.wordsAt(event));
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) onWords(this.wordsAt(event));
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(sizes) {
    this.sizes = sizes;
    this.draw();
  }

  get decades() { return Math.log10(GROWTH.most / GROWTH.fewest); }
  get plot() { return {left: GROWTH.left, right: this.width - GROWTH.right, top: GROWTH.top, bottom: GROWTH.height - GROWTH.below}; }
  x(words) { return this.plot.left + Math.log10(words / GROWTH.fewest) / this.decades * (this.plot.right - this.plot.left); }
  y(operations) {
    return this.plot.bottom - (Math.log10(operations) - this.least) / (this.greatest - this.least) * (this.plot.bottom - this.plot.top);
  }

  /** It rests where the playhead does. */
  wordsAt(event) {
    const {left, right} = this.plot, box = this.canvas.getBoundingClientRect(), share = (event.clientX - box.left - left) / (right - left);
    const place = GROWTH.decade * (1 + Math.min(Math.max(share, 0), 1) * this.decades);
    return atPlace(Math.round(place));
  }

  draw() {
    this.width = this.element.clientWidth;
    if (!this.sizes || this.width < 160) return;
    const ends = [GROWTH.fewest, GROWTH.most].flatMap((n) => layerCosts({...this.sizes, n}).map(({operations}) => Math.log10(operations)));
    this.least = Math.floor(Math.min(...ends));
    this.greatest = Math.ceil(Math.max(...ends));
    const p = prepare(this.canvas, this.width, GROWTH.height);
    this.drawAxes(p);
    this.drawLines(p);
    this.drawCrossing(p);
    this.drawNow(p);
    this.canvas.setAttribute('aria-label', say('At %1 words: %2', formatCount(this.sizes.n),
      layerCosts(this.sizes).map(({kind, operations}) => `${kind} ${formatTimesPowerOfTen(operations)}`).join(', ')));
  }

  drawAxes(p) {
    const {left, right, top, bottom} = this.plot, digits = `11px ${MONO_FONT}`;
    const apart = (bottom - top) / (this.greatest - this.least) < 22 ? 2 : 1;
    p.fillStyle = theme.line;
    for (let words = GROWTH.fewest; words <= GROWTH.most; words *= 10) {
      p.fillStyle = theme.line;
      p.fillRect(Math.round(this.x(words)), top, 1, bottom - top);
      const align = words === GROWTH.most ? 'right' : 'center';
      write(p, formatCount(words), this.x(words) + (align === 'right' ? GROWTH.right - 2 : 0), bottom + 12, digits, theme.text3, align);
    }
    for (let exponent = this.least; exponent <= this.greatest; exponent += apart) {
      const y = Math.round(this.y(10 ** exponent));
      p.fillStyle = theme.line;
      p.fillRect(left, y, right - left, 1);
      write(p, powerOfTen(exponent), left - 8, y, digits, theme.text3, 'right');
    }
    write(p, say('n, words'), (left + right) / 2, GROWTH.height - 8, NOTE_FONT, theme.text3, 'center');
  }

  static dash(kind) { return [[], [2, 3], [], [6, 4]][kind]; }
  static color(kind) { return [theme.text, theme.text3, theme.query, theme.query][kind]; }

  drawLines(p) {
    p.lineWidth = 2;
    for (let kind = 0; kind < 4; ++kind) {
      p.strokeStyle = Growth.color(kind);
      p.setLineDash(Growth.dash(kind));
      p.beginPath();
      for (let i = 0; i <= 60; ++i) {
        const n = Math.round(GROWTH.fewest * (GROWTH.most / GROWTH.fewest) ** (i / 60));
        p.lineTo(this.x(n), this.y(layerCosts({...this.sizes, n})[kind].operations));
      }
      p.stroke();
    }
    p.setLineDash([]);
  }

  /** Where attention alone takes as much as recurrence: at as many words as a word has numbers. */
  drawCrossing(p) {
    const {d} = this.sizes, {left, right, bottom} = this.plot;
    if (d < GROWTH.fewest || d > GROWTH.most) return;
    const x = this.x(d), y = this.y(d ** 3), lines = [say('n = d: attention alone'), say('takes what the RNN takes')];
    p.strokeStyle = theme.text;
    p.lineWidth = 2;
    p.beginPath();
    p.arc(x, y, 6, 0, 2 * Math.PI);
    p.stroke();
    p.font = `500 11px ${UI_FONT}`;
    const wide = Math.max(...lines.map((line) => p.measureText(line).width));
    if (right - left < wide + 60) return;
    const from = Math.min(Math.max(x + 24, left + 4), right - wide), top = Math.min(y + 40, bottom - 34);
    p.strokeStyle = theme.text2;
    p.lineWidth = 1;
    p.beginPath();
    p.moveTo(x + 5, y + 5);
    p.lineTo(from + 8, top - 2);
    p.stroke();
    p.fillStyle = theme.surface;
    p.fillRect(from - 4, top - 2, wide + 8, 34);
    lines.forEach((line, i) => write(p, line, from, top + 8 + 15 * i, `500 11px ${UI_FONT}`, theme.text));
  }

  drawNow(p) {
    const {n} = this.sizes;
    if (n < GROWTH.fewest || n > GROWTH.most) return;
    const x = this.x(n), text = `n = ${formatCount(n)}`, font = `600 11px ${UI_FONT}`;
    p.fillStyle = theme.nowline;
    p.fillRect(x - 1, GROWTH.top - 4, 2, this.plot.bottom - GROWTH.top + 4);
    p.font = font;
    const wide = p.measureText(text).width + 16, left = Math.min(Math.max(x - wide / 2, 1), this.width - wide - 1);
    p.fillStyle = theme.nowtint;
    p.strokeStyle = theme.nowline;
    p.lineWidth = 1;
    p.beginPath();
    p.roundRect(left, 1, wide, 18, 4);
    p.fill();
    p.stroke();
    write(p, text, left + wide / 2, 11, font, theme.nowtext, 'center');
    layerCosts(this.sizes).forEach(({operations}, kind) => {
      p.strokeStyle = Growth.color(kind);
      p.fillStyle = theme.surface;
      p.lineWidth = 2;
      p.beginPath();
      p.arc(x, this.y(operations), 4, 0, 2 * Math.PI);
      p.fill();
      p.stroke();
    });
  }
}
