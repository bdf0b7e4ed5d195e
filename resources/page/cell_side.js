// SPDX-License-Identifier: GPL-3.0-or-later
// Beside a recurrent cell: how each gate of a unit comes about, the words at which it writes, and how far back the
// gradient reaches (ui/views/recurrent/cell_side.h).

const REACH = {left: 44, right: 62, top: 10, below: 30, height: 220, smallest: -12, apart: 14};
const OFTEN = 10, MOST_WRITES = 5;

class CellSide {
  constructor(cell) {
    this.cell = cell;
    this.sums = cell.sums.map((gate) => ({...gate, all: unpack(gate.numbers)}));
    this.writes = cell.writes && {...cell.writes, words: cell.writes.words.map((word) => ({...word, all: unpack(word.means)}))};
    this.gates = make('div', {class: 'gates'});
    this.gatesTitle = make('h3', {class: 'card-title'});
    this.writesTitle = make('h3', {class: 'card-title'});
    this.writesSay = make('p', {class: 'note'});
    this.bars = make('div', {class: 'write-bars'});
    this.reach = make('canvas', {class: 'wave', role: 'img'});
    this.reachSays = make('p', {class: 'sentence'});
    this.reachBox = card(say('How far back the gradient reaches'), this.reachSays, this.reach);
    this.elements = [make('section', {class: 'card'}, this.gatesTitle, this.gates), ...(cell.reach.length ? [this.reachBox] : []),
                     ...(this.writes ? [make('section', {class: 'card'}, this.writesTitle, this.writesSay, this.bars)] : [])];
    new ResizeObserver(() => this.drawReach()).observe(this.reachBox);
  }

  draw(word, unit) {
    this.drawGates(word, unit);
    if (this.writes) this.drawWrites(word, unit);
    this.drawReach();
  }

  drawGates(word, unit) {
    const {cell} = this, isPlain = cell.kind === 'rnn', head = ['', 'W x', 'U h₋₁', 'b', say('sum'), isPlain ? say('state') : say('gate')];
    this.gatesTitle.textContent = say('What decides at “%1” in unit %2', cell.tokens[word], unit + 1);
    this.gates.replaceChildren(...head.map((text) => make('span', {class: 'quiet', text})), ...this.sums.flatMap(({kind, squash, all, parts}) => {
      const from = (word * cell.units + unit) * parts, [ofWord, past, bias, sum] = all.subarray(from, from + parts);
      const most = Math.max(Math.abs(ofWord), Math.abs(past), Math.abs(bias));
      const part = (value, text) => make('span', {class: Math.abs(value) === most ? 'mono strong' : 'mono', text});
      return [make('span', {text: cell.nameOf(kind)}), part(ofWord, formatNumber(ofWord)), part(past, formatSigned(past)), part(bias, formatSigned(bias)),
              make('span', {class: 'mono', text: formatNumber(sum)}), make('span', {class: 'mono strong', text: `${squash} ${formatNumber(cell.of(kind, unit), 3)}`})];
    }));
  }

  /** The words at which a unit writes most: those that come often, where any does. */
  writesOf(unit) {
    const {words} = this.writes, isAnyOften = words.some(({count}) => count >= OFTEN);
    return words.filter(({count}) => !isAnyOften || count >= OFTEN).map(({word, count, all}) => ({word, count, mean: all[unit]}))
      .sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean)).slice(0, MOST_WRITES);
  }

  drawWrites(word, unit) {
    this.writesTitle.textContent = this.cell.kind === 'rnn' ? say('Largest after these words') : say('Words at which it writes');
    this.writesSay.textContent = this.writes.isOfOne ? say('mean') : say('mean, %1 sentences', formatCount(this.writes.sentences));
    this.bars.replaceChildren(...this.writesOf(unit).flatMap(({word: text, count, mean}) => {
      const width = 50 * Math.min(1, Math.abs(mean)), left = mean < 0 ? 50 - width : 50;
      return [make('span', {class: text === this.cell.tokens[word] ? 'strong' : '', text}), make('span', {class: 'write-track'}, make('span', {class: 'write-fill', style: `left:${left}%;width:max(1px,${width}%)`})),
              make('span', {class: 'mono', text: formatSigned(mean)}), make('span', {class: 'quiet', text: say('%1 times', formatCount(count))})];
    }));
  }

  nameOfLine({name, gain}) { return gain === undefined ? name : `U × ${gain}`; }

  drawReach() {
    const {cell} = this, width = this.reachBox.clientWidth - 42, lines = cell.reach;
    if (!lines.length || width < 200) return;
    const exponents = lines.flatMap(({share}) => share.filter((each) => each > 0).map(Math.log10));
    const lowest = Math.max(REACH.smallest, Math.min(-1, Math.floor(Math.min(0, ...exponents)))), highest = Math.ceil(Math.max(0, ...exponents) - 1e-9);
    const farthest = Math.max(2, ...lines.map(({share}) => share.length)) - 1, bottom = REACH.height - REACH.below;
    const p = prepare(this.reach, width, REACH.height), right = width - REACH.right;
    const x = (back) => REACH.left + (right - REACH.left) * back / farthest, y = (exponent) => REACH.top + (bottom - REACH.top) * (highest - exponent) / (highest - lowest);
    const step = highest - lowest > 8 ? 4 : highest - lowest > 4 ? 2 : 1;
    for (let exponent = highest; exponent >= lowest; --exponent) {
      if (exponent % step) continue;
      p.fillStyle = exponent === 0 ? theme.line2 : theme.line;
      p.fillRect(REACH.left, Math.round(y(exponent)), right - REACH.left, 1);
      write(p, powerOfTen(exponent), REACH.left - 8, y(exponent), `11px ${UI_FONT}`, theme.text3, 'right');
    }
    for (let back = 0; back <= farthest; back += farthest > 12 ? 5 : 2) write(p, String(back), x(back), bottom + 10, `11px ${MONO_FONT}`, theme.text3, 'center');
    write(p, say('words back'), (REACH.left + right) / 2, REACH.height - 7, NOTE_FONT, theme.text3, 'center');
    const ends = lines.map((line, at) => this.drawLine(p, line, at, x, y, lowest));
    this.writeEnds(p, ends, bottom);
    this.say(lines);
  }

  /** What falls below the axis leaves it. Returns where it ends. */
  drawLine(p, line, at, x, y, lowest) {
    const color = line.gain !== undefined ? theme.text3 : at === 0 ? theme.nowline : theme.text2;
    p.strokeStyle = color;
    p.lineWidth = at === 0 ? 2.5 : 1.5;
    p.setLineDash(line.gain === undefined ? [] : [5, 4]);
    p.beginPath();
    let end = [x(0), y(0)];
    for (const [back, share] of line.share.entries()) {
      const exponent = share > 0 ? Math.log10(share) : -Infinity;
      end = [x(back), y(Math.max(exponent, lowest))];
      p.lineTo(...end);
      if (exponent < lowest) break;
    }
    p.stroke();
    p.setLineDash([]);
    return {end, name: this.nameOfLine(line), color};
  }

  /** Names at the ends of their lines, apart from one another. */
  writeEnds(p, ends, bottom) {
    let above = -Infinity;
    for (const {end: [x, y], name, color} of ends.sort((a, b) => a.end[1] - b.end[1])) {
      above = Math.max(y, above + REACH.apart);
      write(p, name, x + 6, Math.min(above, bottom + 4), `600 11px ${UI_FONT}`, color === theme.nowline ? theme.nowtext : color);
    }
  }

  say(lines) {
    const {share} = lines[0], left = share[share.length - 1], of = this.cell.ofDecoder ? say('log p of the last word') : say('log p of the translation');
    const state = this.cell.kind === 'lstm' ? '(h, c)' : 'h', words = [say('Norm of ∂ %1 by each earlier state %2, that by the last being 1.', of, state)];
    if (share.length > 1) words.push(say('%1 words back %2 is left.', share.length - 1, left < 0.001 ? formatScientific(left, 0) : formatNumber(left, 3)));
    const others = lines.filter(({model}) => model), same = others.every(({isOfSameTask}) => isOfSameTask);
    const named = others.map(({name, model}) => `${name}: ${model}`).join(', ');
    if (others.length) words.push(same ? say('Other models of this task: %1.', named) : say('On another task: %1.', named));
    this.reachSays.textContent = words.join(' ');
    this.reach.setAttribute('aria-label', lines.map((line) => `${this.nameOfLine(line)}: ${formatScientific(line.share[line.share.length - 1], 1)}`).join('; '));
  }
}
