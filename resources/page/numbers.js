// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the program writes them (ui/session/format/number_format.h), and those that the page brought along.

const MINUS = '\u2212';

/** The sign of print, and none in front of what rounds to zero. */
const withMinus = (digits) =>
  !digits.startsWith('-') ? digits : (/[1-9]/.test(digits.split('e')[0]) ? MINUS : '') + digits.slice(1);

const notFinite = (value) => Number.isNaN(value) ? 'NaN' : value < 0 ? MINUS + '\u221e' : '\u221e';

/** Fixed decimals: 2 in cells, 3 in sentences, 4 in worked arithmetic. */
const formatNumber = (value, decimals = 2) =>
  Number.isFinite(value) ? withMinus(value.toFixed(decimals)) : notFinite(value);

const formatSigned = (value, decimals = 2) => {
  const digits = formatNumber(value, decimals);
  return value > 0 && digits !== formatNumber(0, decimals) ? '+' + digits : digits;
};

const formatScientific = (value, decimals) => {
  if (!Number.isFinite(value)) return notFinite(value);
  if (value === 0) return '0';
  const [digits, exponent] = value.toExponential(decimals).split('e');
  return withMinus(digits) + 'e' + (exponent.startsWith('-') ? MINUS : '') + exponent.slice(1);
};

const POWER_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const powerOfTen = (exponent) => (exponent ? '10' + (exponent < 0 ? '⁻' : '') + String(Math.abs(exponent)).replace(/\d/g, (digit) => POWER_DIGITS[digit]) : '1');

/** 1.3·10⁷; 3·10⁸ and 10⁸ where nothing is rounded away. */
const formatTimesPowerOfTen = (value, decimals = 1) => {
  if (!Number.isFinite(value) || value === 0) return formatScientific(value, decimals);
  const [digits, exponent] = value.toExponential(decimals).split('e');
  const exact = value / 10 ** Number(exponent), isRound = Math.abs(exact - Math.round(exact)) < 1e-9;
  const written = withMinus(isRound ? digits.split('.')[0] : digits), power = powerOfTen(Number(exponent));
  if (power === '1') return written;
  return written === '1' ? power : `${written}\u00b7${power}`;
};

/** Six significant digits. */
const formatPrecise = (value) => {
  if (!Number.isFinite(value)) return notFinite(value);
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e6)) return formatScientific(value, 5);
  const written = value.toPrecision(6);
  return withMinus(written.includes('.') ? written.replace(/\.?0+$/, '') : written);
};

const formatCount = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

const subscript = (number) => String(number).replace(/\d/g, (digit) => String.fromCharCode(0x2080 + Number(digit)));

/** "0,385", "−0.2" and ".5" are numbers too; null: it is none. */
const readNumber = (text) => {
  const written = text.trim().replace(',', '.').replace(MINUS, '-');
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(written) ? Number(written) : null;
};

/** Little-endian float32, as base64. */
const unpack = (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({length: bytes.length / 4}, (_, i) => view.getFloat32(4 * i, true));
};

/** A traced value with its numbers at hand. */
class Value {
  constructor(record, place, words) {
    const {numbers, ...rest} = record;
    Object.assign(this, rest, {place, words});
    this.packed = numbers;
  }
  get isKept() { return this.packed !== undefined; }
  get numbers() {
    if (!this.all) this.all = unpack(this.packed);
    return this.all;
  }
  at(head, row, column) { return this.numbers[(head * this.rows + row) * this.columns + column]; }
  row(head, row) {
    const from = (head * this.rows + row) * this.columns;
    return this.numbers.subarray(from, from + this.columns);
  }
  column(head, column) { return Array.from({length: this.rows}, (_, row) => this.at(head, row, column)); }
  matrix(head) { return this.numbers.subarray(head * this.rows * this.columns, (head + 1) * this.rows * this.columns); }
  /** What rows or columns stand for: words, or numbers from 0 on. */
  names(axis, count) {
    const words = this.words[axis];
    return words && words.length === count ? words : Array.from({length: count}, (_, i) => String(i));
  }
  get rowNames() { return this.names(this.rowWords, this.rows); }
  get columnNames() { return this.names(this.columnWords, this.columns); }
}
