// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and strokes that every picture of the page shares (ui/widgets/theme).

const UI_FONT = 'Inter, "Noto Sans", system-ui, sans-serif';
const MONO_FONT = '"JetBrains Mono", "Noto Sans Mono", ui-monospace, monospace';

/** Makes an element; text is always text, never markup. */
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') element.textContent = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

/** Text in which <sub> and <sup> stand as the program writes its formulas; all else is text. */
const rich = (text) => {
  const result = make('span', {class: 'formula-line'});
  let at = 0;
  for (const match of text.matchAll(/<(sub|sup)>(.*?)<\/\1>/g)) {
    result.append(text.slice(at, match.index), make(match[1], {text: match[2]}));
    at = match.index + match[0].length;
  }
  result.append(text.slice(at));
  return result;
};

/** Drawings of this file alone: never anything that came with the record. */
const ICONS = {
  start: '<path d="M6 4v12M15 4.5v11L7.5 10z"/>',
  back: '<path d="M14 4.5v11L6.5 10z"/>',
  play: '<path d="M6.5 4.5v11l9-5.5z" fill="currentColor"/>',
  pause: '<path d="M7 5v10M13 5v10" stroke-width="3"/>',
  next: '<path d="M6 4.5v11l7.5-5.5z"/>',
};
const icon = (name) => {
  const holder = document.createElement('template');
  holder.innerHTML = `<svg width="16" height="16" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.5"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${ICONS[name]}</svg>`;
  return holder.content.firstChild;
};

/** The colours of the theme that shows, from the style sheet. */
const theme = {
  read() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue('--' + name).trim();
    for (const name of ['bg', 'surface', 'line', 'line2', 'text', 'text2', 'text3', 'nowline', 'nowtint', 'nowtext', 'query',
                        'querytint', 'key', 'keytint', 'value', 'encoder', 'encodertint', 'decoder', 'decodertint', 'bad', 'badtint', 'hatch', 'hatchground'])
      this[name] = color(name);
    const stops = (name) => Array.from({length: 9}, (_, i) => bytesOf(color(`${name}${i}`)));
    this.sequential = stops('sequential');
    this.diverging = stops('diverging');
  },
};

const bytesOf = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

const between = (stops, position) => {
  const at = Math.min(Math.max(position, 0), 1) * (stops.length - 1);
  const lower = Math.min(Math.floor(at), stops.length - 2);
  return stops[lower].map((from, i) => Math.round(from + (stops[lower + 1][i] - from) * (at - lower)));
};

/** How numbers become colours: weights 0..1 on the sequential scale, signed values up to ±max on the diverging one. */
class Scale {
  static weights() { return new Scale(null); }
  static signed(...lists) {
    let largest = 0;
    for (const list of lists)
      for (const value of list)
        if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
    return new Scale(Math.max(0.5, Math.ceil(largest * 2) / 2));
  }
  constructor(max) { this.max = max; }
  get stops() { return this.max === null ? theme.sequential : theme.diverging; }
  color(value) {
    if (Number.isNaN(value)) return bytesOf(theme.badtint);
    return between(this.stops, this.max === null ? value : 0.5 + 0.5 * value / this.max);
  }
  get ends() {
    if (this.max === null) return ['0', '0.5', '1'];
    return this.max < 1e5 ? [formatNumber(-this.max, 1), '0', formatSigned(this.max, 1)]
                          : [formatPrecise(-this.max), '0', '+' + formatPrecise(this.max)];
  }
}

const css = ([red, green, blue]) => `rgb(${red},${green},${blue})`;

const luminance = (bytes) => {
  const [red, green, blue] = bytes.map((byte) => {
    const share = byte / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Black or white, whichever contrasts more with that fill. */
const onColor = (bytes) => {
  const light = luminance(bytes) + 0.05;
  return light * light >= 0.05 * 1.05 ? '#000000' : '#ffffff';
};

/** A canvas of that size in CSS pixels, sharp on any screen; returns what it is drawn with. */
const prepare = (canvas, width, height) => {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const p = canvas.getContext('2d');
  p.setTransform(ratio, 0, 0, ratio, 0, 0);
  p.clearRect(0, 0, width, height);
  p.textBaseline = 'middle';
  return p;
};

const write = (p, text, x, y, font, color, align = 'left') => {
  p.font = font;
  p.fillStyle = color;
  p.textAlign = align;
  p.fillText(text, x, y);
};

/** Lines across a chart at these values, that of 0 stronger, each with its words at the left. */
const levels = (p, values, left, right, y, words) => {
  for (const value of values) {
    p.strokeStyle = value === 0 ? theme.line2 : theme.line;
    p.lineWidth = 1;
    p.beginPath();
    p.moveTo(left, y(value));
    p.lineTo(right, y(value));
    p.stroke();
    write(p, words(value), left - 6, y(value), `11px ${MONO_FONT}`, theme.text3, 'right');
  }
};

/** As much of the text as fits. */
const elided = (p, text, font, width) => {
  p.font = font;
  if (p.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length && p.measureText(letters.join('') + '…').width > width) letters.pop();
  return letters.join('') + '…';
};

/** A masked cell: ground, and lines at 45 degrees, 6 px apart. */
const hatch = (p, x, y, width, height) => {
  p.save();
  p.beginPath();
  p.rect(x, y, width, height);
  p.clip();
  p.fillStyle = theme.hatchground;
  p.fillRect(x, y, width, height);
  p.strokeStyle = theme.hatch;
  p.lineWidth = 1;
  p.beginPath();
  for (let at = 6; at < width + height; at += 6) {
    p.moveTo(x + at, y);
    p.lineTo(x + at - height, y + height);
  }
  p.stroke();
  p.restore();
};

/** A line just outside of a cell. */
const outline = (p, x, y, width, height, color, line) => {
  p.strokeStyle = color;
  p.lineWidth = line;
  p.strokeRect(x - line / 2, y - line / 2, width + line, height + line);
};

/** Is a cell one that no query may look at? `mask`: the values of the block's mask, or null. */
const isMasked = (mask, row, column) => mask !== null && mask.at(0, row, column) === -Infinity;

/** A row of choices of which one is chosen. */
class Choice {
  constructor(name, onChosen) {
    this.element = make('div', {class: 'choice', role: 'radiogroup', 'aria-label': name});
    this.onChosen = onChosen;
  }
  show(words, chosen) {
    const key = JSON.stringify(words);
    if (key !== this.key) {
      this.key = key;
      this.element.replaceChildren(...words.map((word, i) => make('button', {
        type: 'button', role: 'radio', text: word, onclick: () => this.onChosen(i)})));
    }
    [...this.element.children].forEach((button, i) => button.setAttribute('aria-checked', String(i === chosen)));
  }
}
