// SPDX-License-Identifier: GPL-3.0-or-later
// What the laboratories of a page share: a picture, a number written out beside it, and a playhead below.

/** A stage of `left`, what belongs to its heading, and the number's card. */
class Lab {
  /** `onShown()`: what is looked at may be another. */
  constructor(onShown) {
    this.onShown = onShown;
    this.title = make('h2');
    this.note = make('p', {class: 'note'});
    this.number = make('div', {class: 'number-box'});
    this.beside = [];  // cards above it
  }

  build(time, heading, ...left) {
    this.time = time;
    this.element = make('div', {class: 'reading alone lab'},
      make('div', {class: 'stage'},
        make('div', {class: 'stage-head'}, make('div', {}, this.title, this.note), ...heading),
        make('div', {class: 'cards'}, make('div', {class: 'lab-cards'}, ...left),
          make('div', {class: 'lab-cards'}, ...this.beside, make('section', {class: 'card number-card', 'aria-label': say('The number, written out')}, this.number)))),
      time.element);
  }

  /** A number and what leads to it: `parts` as arithmeticLines() has them. */
  writeOut(title, from, to, value, parts) {
    this.number.replaceChildren(make('h3', {class: 'card-title', text: title}),
      make('p', {class: 'pair'}, make('span', {class: 'chip query', text: from}), '·', make('span', {class: 'chip key', text: to}),
           make('span', {class: 'value mono', text: formatPrecise(value)})),
      ...parts.map(arithmeticLines));
  }
  writeNothing() {
    this.number.replaceChildren(make('h3', {class: 'card-title', text: say('Where a number comes from')}),
                                make('p', {class: 'quiet', text: say('Point at a cell: it is written out here, from its own inputs.')}));
  }

  // Words of a lesson that point at a number, and what there is to try: see Reading.
  cellOf() { return null; }
  light() {}
  look() {}
  isShown() { return false; }
  get facts() { return {}; }
  canMeet(key) { return key in this.facts; }
  isMet(key, value) {
    const is = this.facts[key];
    return this.begun !== undefined && is !== this.begun[key] && (value === 'changed' || is === value.replace(/\s/g, ''));
  }
  redraw() { this.draw(); }
}

const card = (title, ...inside) => make('section', {class: 'card'}, make('h3', {class: 'card-title', text: title}), ...inside);
const numbersFrom = (count) => Array.from({length: count}, (_, at) => String(at));
