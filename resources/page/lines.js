// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of one head as lines between words: as thick, and as dark, as each is large.

const MOST_WORDS = 24, WORD_WIDTH = 104;

class Lines {
  /** A row of the matrix beside it keeps its height. */
  constructor(matrix) {
    this.matrix = matrix;
    this.canvas = make('canvas', {'aria-hidden': 'true'});
    this.element = make('div', {class: 'lines'}, this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** `data`: what the matrix shows; `words`: what stands above both sides, and their colours. */
  show(data, cell, words) {
    this.data = data;
    this.cell = cell;
    this.words = words;
    this.draw();
  }

  draw() {
    const width = Math.min(this.element.clientWidth, 440);
    if (!this.data || width < 280) {
      this.canvas.hidden = true;
      return;
    }
    this.canvas.hidden = false;
    const {rows, columns, rowNames, columnNames, shownRows} = this.data;
    const {top, cellHeight} = this.matrix, height = top + rows * cellHeight + 4;
    const p = prepare(this.canvas, width, height), right = width - WORD_WIDTH - 1;
    const y = (at, count) => top + ((at + 0.5) * rows * cellHeight) / count;
    write(p, this.words.from, 1 + WORD_WIDTH / 2, top - 18, NOTE_FONT, theme.text3, 'center');
    write(p, this.words.to, right + WORD_WIDTH / 2, top - 18, NOTE_FONT, theme.text3, 'center');
    const chosen = this.cell ? this.cell[0] : -1;
    for (const isChosen of [false, true])
      for (let row = 0; row < shownRows; ++row)
        for (let column = 0; (row === chosen) === isChosen && column < columns; ++column)
          this.line(p, WORD_WIDTH + 3, y(column, columns), right - 2, y(row, rows), row, column, isChosen);
    columnNames.forEach((word, at) => this.word(p, word, 1, y(at, columns), this.words.fromColor, this.cell && this.cell[1] === at));
    rowNames.forEach((word, at) => this.word(p, word, right, y(at, rows), this.words.toColor, chosen === at));
  }

  line(p, x1, y1, x2, y2, row, column, isChosen) {
    const weight = this.data.isMasked(row, column) ? 0 : this.data.at(row, column);
    if (weight < 0.005) return;
    const middle = (x1 + x2) / 2;
    p.globalAlpha = Math.max(0.06, weight) * (this.data.isFaint ? 0.35 : 1);
    p.strokeStyle = isChosen ? theme.nowline : css(theme.sequential[5]);
    p.lineWidth = 1 + 4 * weight;
    p.beginPath();
    p.moveTo(x1, y1);
    p.bezierCurveTo(middle, y1, middle, y2, x2, y2);
    p.stroke();
    p.globalAlpha = 1;
  }

  word(p, word, x, y, color, isOn) {
    p.beginPath();
    const height = Math.min(30, this.matrix.cellHeight - 2);
    p.roundRect(x + 0.5, y - height / 2, WORD_WIDTH - 1, height, Math.min(6, height / 3));
    p.fillStyle = isOn ? theme.nowtint : theme.surface;
    p.fill();
    p.strokeStyle = isOn ? theme.nowline : color;
    p.lineWidth = 1;
    p.stroke();
    const font = isOn ? LABEL_BOLD : LABEL_FONT;
    write(p, elided(p, word, font, WORD_WIDTH - 12), x + WORD_WIDTH / 2, y + 1, font, theme.text, 'center');
  }
}
