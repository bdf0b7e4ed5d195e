// SPDX-License-Identifier: GPL-3.0-or-later
// One matrix: cells, words at its rows and columns, the cell that is pointed at, and the one that is kept.

const LABEL_FONT = `500 13px ${UI_FONT}`, LABEL_BOLD = `600 13px ${UI_FONT}`, NOTE_FONT = `11px ${UI_FONT}`;
const SMALLEST_WITH_NUMBER = [34, 20];
const GAP = 8;

class Matrix {
  /** `onPoint(cell, isKept)`: the reader points at a cell, or keeps it by a click or the arrow keys; null: at none. */
  constructor(onPoint) {
    this.onPoint = onPoint;
    this.canvas = make('canvas', {tabindex: 0, role: 'application'});
    this.element = make('div', {class: 'matrix'}, this.canvas);
    this.hovered = null;
    this.canvas.addEventListener('pointermove', (event) => this.hover(this.cellAt(event)));
    this.canvas.addEventListener('pointerleave', () => this.hover(null));
    this.canvas.addEventListener('click', (event) => {
      const cell = this.cellAt(event);
      if (cell) this.onPoint(cell, true);
    });
    this.canvas.addEventListener('keydown', (event) => this.move(event));
    this.canvas.addEventListener('focus', () => this.draw());
    this.canvas.addEventListener('blur', () => this.draw());
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  /** `data`: rows, columns, at(row, column), rowNames, rowNotes, columnNames, rowAxis, columnAxis, scale, isMasked(row,
      column), maskedText, shownRows, isFaint, cell (the one that is kept) and label (of the whole). */
  show(data) {
    const other = !this.data || data.key !== this.data.key;
    this.data = data;
    if (other) this.hovered = null;
    this.canvas.setAttribute('aria-label', data.label);
    this.fit();
    this.bringIntoSight();
  }

  /** The column of the cell that is kept, once it is another, where the matrix is wider than its room. */
  bringIntoSight() {
    const column = this.data.cell ? this.data.cell[1] : -1, place = `${this.data.key} ${column}`;
    if (place === this.seen || column < 0 || !this.cellWidth) return;
    this.seen = place;
    const from = this.left + column * this.cellWidth, {scrollLeft, clientWidth} = this.element;
    if (from < scrollLeft + this.left || from + this.cellWidth > scrollLeft + clientWidth) this.element.scrollLeft = from - clientWidth / 2;
  }

  hover(cell) {
    if (JSON.stringify(cell) === JSON.stringify(this.hovered)) return;
    this.hovered = cell;
    this.canvas.style.cursor = cell ? 'pointer' : 'default';
    this.draw();
    this.onPoint(cell, false);
  }

  get shown() { return this.hovered || this.data.cell; }

  /** Arrow keys move the cell that is kept. */
  move(event) {
    const by = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (!by || event.altKey || event.ctrlKey || !this.data) return;
    event.preventDefault();
    event.stopPropagation();
    const {rows, columns, cell} = this.data;
    this.hovered = null;
    this.onPoint(cell ? [Math.min(Math.max(cell[0] + by[0], 0), rows - 1), Math.min(Math.max(cell[1] + by[1], 0), columns - 1)]
                      : [0, 0], true);
  }

  cellAt(event) {
    if (!this.data || !this.cellWidth) return null;
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - this.left) / this.cellWidth);
    const row = Math.floor((event.clientY - box.top - this.top) / this.cellHeight);
    return row >= 0 && row < this.data.rows && column >= 0 && column < this.data.columns ? [row, column] : null;
  }

  fit() {
    const room = this.element.clientWidth - 5;  // within its padding
    if (!this.data || room < 40) return;
    const {rows, columns, rowNames, rowNotes, columnNames, rowAxis} = this.data;
    const p = this.canvas.getContext('2d');
    const widest = (texts, font) => {
      p.font = font;
      return texts.reduce((most, text) => Math.max(most, p.measureText(text).width), 0);
    };
    this.left = Math.ceil(Math.min(Math.max(widest(rowNames, LABEL_BOLD), widest(rowNotes || [], NOTE_FONT),
                                            widest([rowAxis], NOTE_FONT)) + 2 * GAP, Math.min(150, room * 0.34)));
    const widestName = widest(columnNames, LABEL_BOLD);
    const byWords = this.data.columnsAreWords;
    this.cellWidth = Math.min(byWords ? 76 : 60, Math.max((room - this.left - 6) / columns, byWords ? 14 : 4));
    this.cellHeight = byWords ? Math.min(Math.max(this.cellWidth, 18), 62) : Math.min(Math.max(320 / rows, 16), 40);
    if (rows > 14) this.cellHeight = Math.max(14, Math.min(this.cellHeight, 560 / rows));
    this.turned = byWords && widestName + 4 > this.cellWidth;
    this.top = 24 + (this.turned ? Math.min(Math.ceil(widestName) + 14, 130) : 30);
    this.width = Math.ceil(this.left + columns * this.cellWidth + 6);
    this.height = Math.ceil(this.top + rows * this.cellHeight + 44);
    // Where the cells are, for whoever points at them by a program.
    Object.assign(this.canvas.dataset, {left: this.left, top: this.top, width: this.cellWidth, height: this.cellHeight});
    this.draw();
  }

  draw() {
    if (!this.data || !this.cellWidth) return;
    const p = prepare(this.canvas, this.width, this.height);
    const {rows, columns, shownRows} = this.data;
    for (let row = 0; row < rows; ++row)
      for (let column = 0; column < columns; ++column)
        this.drawCell(p, row, column, row < shownRows);
    p.strokeStyle = theme.line2;
    p.lineWidth = 1;
    p.strokeRect(this.left - 0.5, this.top - 0.5, columns * this.cellWidth + 1, rows * this.cellHeight + 1);
    this.drawMarks(p);
    this.drawRowNames(p);
    this.drawColumnNames(p);
    this.drawLegend(p);
  }

  box(row, column) {
    const left = Math.round(this.left + column * this.cellWidth), top = Math.round(this.top + row * this.cellHeight);
    const gap = this.cellWidth >= 8 ? 1 : 0;
    return [left, top, Math.round(this.left + (column + 1) * this.cellWidth) - left - gap,
            Math.round(this.top + (row + 1) * this.cellHeight) - top - gap];
  }

  drawCell(p, row, column, isShown) {
    const [x, y, width, height] = this.box(row, column);
    if (!isShown) {
      p.strokeStyle = theme.line;
      p.lineWidth = 1;
      if (width > 6) p.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
      return;
    }
    const {at, isMasked, maskedText, scale, isFaint} = this.data;
    const hasRoom = width >= SMALLEST_WITH_NUMBER[0] && height >= SMALLEST_WITH_NUMBER[1];
    const size = width >= 66 && height >= 40 ? 14 : width >= 48 && height >= 26 ? 13 : 11;
    const font = `${size > 11 ? 500 : 400} ${size}px ${MONO_FONT}`;
    if (isMasked(row, column)) {
      hatch(p, x, y, width, height);
      if (!hasRoom) return;
      p.font = font;
      const wide = p.measureText(maskedText).width + 10;
      p.fillStyle = theme.hatchground;
      p.beginPath();
      p.roundRect(x + width / 2 - wide / 2, y + height / 2 - 9, wide, 18, 3);
      p.fill();
      write(p, maskedText, x + width / 2, y + height / 2 + 1, font, theme.text2, 'center');
      return;
    }
    const value = at(row, column), fill = scale.color(value);
    p.globalAlpha = isFaint ? 0.35 : 1;
    p.fillStyle = css(fill);
    p.fillRect(x, y, width, height);
    p.globalAlpha = 1;
    if (hasRoom)
      write(p, formatNumber(value), x + width / 2, y + height / 2 + 1, font, isFaint ? theme.text : onColor(fill), 'center');
  }

  drawMarks(p) {
    const {rows, columns, cell} = this.data;
    if (this.shown) {
      const [row, column] = this.shown;
      const [x, y, width, height] = this.box(row, column);
      p.strokeStyle = theme.text;
      p.lineWidth = 1;
      if (rows > 1 && columns > 1) {
        p.strokeRect(this.left - 0.5, y - 0.5, columns * this.cellWidth, height + 1);
        p.strokeRect(x - 0.5, this.top - 0.5, width + 1, rows * this.cellHeight);
      }
      if (this.hovered) outline(p, x, y, width, height, theme.text, 1);
    }
    if (cell) outline(p, this.box(...cell)[0] - 1, this.box(...cell)[1] - 1, this.box(...cell)[2] + 2,
                      this.box(...cell)[3] + 2, theme.nowline, 2);
    if (document.activeElement === this.canvas && this.canvas.matches(':focus-visible'))
      outline(p, this.left - 4, this.top - 4, columns * this.cellWidth + 8, rows * this.cellHeight + 8, theme.text, 2);
  }

  /** Which names have room, the one in question always among them. */
  hasName(at, chosen, pitch) {
    const step = Math.max(1, Math.ceil(15 / pitch));
    return at === chosen || (at % step === 0 && (chosen < 0 || Math.abs(at - chosen) >= step));
  }

  drawRowNames(p) {
    const {rows, rowNames, rowNotes, rowAxis} = this.data;
    const chosen = this.shown ? this.shown[0] : -1, right = this.left - GAP, room = this.left - GAP - 2;
    const twoLines = rowNotes && rowNotes.length > 0 && this.cellHeight >= 34;
    write(p, rowAxis, right, this.top - 18, NOTE_FONT, theme.text3, 'right');
    for (let row = 0; row < rows; ++row) {
      if (!this.hasName(row, chosen, this.cellHeight)) continue;
      const middle = this.top + (row + 0.5) * this.cellHeight, on = row === chosen;
      if (on) {
        p.fillStyle = theme.querytint;
        p.beginPath();
        p.roundRect(0, middle - Math.min(this.cellHeight, 44) / 2 + 1, this.left - 3, Math.min(this.cellHeight, 44) - 2, 5);
        p.fill();
      }
      const font = on ? LABEL_BOLD : LABEL_FONT;
      write(p, elided(p, rowNames[row], font, room), right, middle + (twoLines ? -7 : 1), font,
            on ? theme.query : theme.text, 'right');
      if (twoLines) write(p, elided(p, rowNotes[row], NOTE_FONT, room), right, middle + 9, NOTE_FONT, theme.text3, 'right');
    }
  }

  drawColumnNames(p) {
    const {columns, columnNames, columnAxis, columnsAreWords} = this.data;
    const chosen = this.shown ? this.shown[1] : -1;
    write(p, columnAxis, this.left + columns * this.cellWidth / 2, 9, NOTE_FONT, theme.text3, 'center');
    const pitch = columnsAreWords ? (this.turned ? this.cellWidth : 1000) : this.cellWidth / 2;
    for (let column = 0; column < columns; ++column) {
      const on = column === chosen, font = columnsAreWords ? (on ? LABEL_BOLD : LABEL_FONT) : NOTE_FONT;
      if (!this.hasName(column, chosen, pitch)) continue;
      const x = this.left + (column + 0.5) * this.cellWidth, color = on ? theme.key : columnsAreWords ? theme.text : theme.text3;
      if (on) {
        const height = this.turned ? this.top - 26 : 24, wide = Math.max(this.cellWidth - 2, 18);
        p.fillStyle = theme.keytint;
        p.beginPath();
        p.roundRect(x - wide / 2, this.top - 5 - height, wide, height, 5);
        p.fill();
      }
      if (!this.turned) {
        write(p, columnNames[column], x, this.top - 16, font, color, 'center');
        continue;
      }
      p.save();
      p.translate(x, this.top - 9);
      p.rotate(-Math.PI / 2);
      write(p, elided(p, columnNames[column], font, this.top - 34), 0, 1, font, color);
      p.restore();
    }
  }

  drawLegend(p) {
    const {rows, columns, scale} = this.data;
    const width = Math.min(columns * this.cellWidth, 260), top = this.top + rows * this.cellHeight + 14;
    if (width < 60) return;
    scale.stops.forEach((stop, i) => {
      const from = Math.round(this.left + width * i / 9), to = Math.round(this.left + width * (i + 1) / 9);
      p.fillStyle = css(stop);
      p.fillRect(from, top, to - from, 8);
    });
    p.strokeStyle = theme.line2;
    p.lineWidth = 1;
    p.strokeRect(this.left - 0.5, top - 0.5, width + 1, 9);
    const [low, middle, high] = scale.ends, font = `11px ${MONO_FONT}`;
    write(p, low, this.left, top + 20, font, theme.text3);
    if (width >= 90) write(p, middle, this.left + width / 2, top + 20, font, theme.text3, 'center');
    write(p, high, this.left + width, top + 20, font, theme.text3, 'right');
  }
}
