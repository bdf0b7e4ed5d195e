// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters: of the open model part by part, or of a translator of two LSTMs as matrices at one scale.

const BLOCKS = {between: 10, above: 46, below: 42, narrow: 40, height: 210};

class Blocks {
  constructor() {
    this.canvas = make('canvas', {role: 'img'});
    this.element = make('div', {}, this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(blocks) {
    this.blocks = blocks;
    this.draw();
  }

  draw() {
    const width = this.element.clientWidth;
    if (!this.blocks || width < 200) return;
    const p = prepare(this.canvas, width, BLOCKS.height), all = this.blocks;
    const rows = all.reduce((sum, block) => sum + block.rows, 0), total = Math.max(1, parametersOf(all));
    const across = (width - BLOCKS.between * (all.length - 1)) / Math.max(1, rows), up = (BLOCKS.height - BLOCKS.above - BLOCKS.below) / Math.max(...all.map(({columns}) => columns));
    let left = 0;
    for (const block of all) {
      const area = {left, width: block.rows * across, height: block.columns * up};
      area.top = BLOCKS.height - BLOCKS.below - area.height;
      this.drawBlock(p, block, area, countOf(block) / total, width);
      left += area.width + BLOCKS.between;
    }
    this.canvas.setAttribute('aria-label', all.map((block) => `${block.name} ${formatCount(countOf(block))}`).join(', '));
  }

  drawBlock(p, block, {left, top, width, height}, share, room) {
    const color = block.decodes ? theme.decoder : theme.encoder, shape = `${formatCount(block.rows)}×${formatCount(block.columns)}`;
    const name = `600 11px ${UI_FONT}`, digits = `11px ${MONO_FONT}`, bottom = BLOCKS.height - BLOCKS.below, middle = left + width / 2;
    p.fillStyle = block.decodes ? theme.decodertint : theme.encodertint;
    p.fillRect(left, top, width, height);
    p.strokeStyle = color;
    p.lineWidth = 1;
    p.strokeRect(left + 0.5, top + 0.5, Math.max(0, width - 1), Math.max(0, height - 1));
    if (width < BLOCKS.narrow) {
      p.font = digits;
      const shapeWide = p.measureText(shape).width;
      p.font = name;
      const wide = p.measureText(`${block.name}  `).width + shapeWide, from = Math.min(Math.max(middle - wide / 2, 0), room - wide);
      write(p, block.name, from, 8, name, color);
      write(p, shape, from + wide, 8, digits, theme.text3, 'right');
      p.fillStyle = theme.line2;
      p.fillRect(middle, 16, 1, Math.max(0, top - 18));
      p.fillRect(middle, bottom + 2, 1, 20);
      write(p, formatCount(countOf(block)), middle, bottom + 32, `500 12px ${MONO_FONT}`, theme.text, 'center');
      return;
    }
    p.font = name;
    const lines = p.measureText(block.name).width <= width ? [block.name] : block.name.split(' ');
    lines.forEach((line, i) => write(p, line, left, top - 8 - 13 * (lines.length - i), name, color));
    write(p, elided(p, shape, digits, width + BLOCKS.between), left, top - 8, digits, theme.text3);
    write(p, `${formatNumber(100 * share, 1)} %`, middle, top + height / 2, `600 12px ${MONO_FONT}`, theme.text, 'center');
    write(p, formatCount(countOf(block)), middle, bottom + 14, `500 12px ${MONO_FONT}`, theme.text, 'center');
  }
}

/** A model's parts as rows. */
const partsTable = (parts, total) => make('table', {class: 'parts'},
  make('thead', {}, make('tr', {}, ...[say('Part'), say('Shapes'), say('Parameters'), say('Share')].map((text) => make('th', {text})))),
  make('tbody', {}, ...parts.map(({name, shapes, parameters}) => {
    const share = parameters / Math.max(1, total), count = shapes.split(', ').length;
    return make('tr', {}, make('td', {text: name}), make('td', {class: 'mono', text: count <= 2 ? shapes : say('%1 tensors', count), title: shapes}),
      make('td', {class: 'mono', text: formatCount(parameters)}),
      make('td', {class: 'mono', text: share > 0 && share < 0.0005 ? '< 0.1 %' : `${formatNumber(100 * share, 1)} %`}));
  })));

/** Whose parameters: the open model's, or those of a translator whose sizes are the reader's. */
class Parameters {
  constructor(onChanged) {
    this.onChanged = onChanged;
    this.whose = new Choice(say('Whose parameters'), (at) => this.set({translator: at === 1}));
    this.bias = new Choice(say('Biases of a gate'), (at) => this.set({biases: at + 1}));
    this.inputs = [say('source'), say('target'), say('embedding'), say('hidden')].map((name, i) => {
      const input = make('input', {class: 'by-hand mono', inputmode: 'numeric', autocomplete: 'off', maxlength: 9, 'aria-label': name});
      input.addEventListener('change', () => this.resize(i, readNumber(input.value.replaceAll(',', ''))));
      return make('label', {class: 'quiet size'}, name, input);
    });
    this.blocks = new Blocks();
    this.table = make('div', {class: 'parts-box'});
    this.sum = make('p', {class: 'sentence', role: 'status'});
    this.said = make('p', {class: 'note'});
    this.sizes = make('div', {class: 'sizes'}, ...this.inputs, this.bias.element);
    this.element = make('section', {class: 'card'}, make('div', {class: 'stage-head'}, make('div', {}, make('h3', {text: say('Parameters')}), this.said), this.whose.element),
      this.table, this.sizes, this.blocks.element, this.sum);
  }

  show(record) {
    this.parts = record.parts;
    this.state = {translator: record.translator, sizes: record.sizes.slice(), biases: record.biases};
    this.draw();
  }
  set(change) {
    Object.assign(this.state, change);
    this.draw();
    this.onChanged();
  }
  resize(at, size) {
    if (size !== null && Number.isInteger(size) && size >= 1 && size <= 1e6) this.state.sizes[at] = size;
    this.set({});
  }

  draw() {
    const {translator, sizes, biases} = this.state, isModel = !translator;
    this.whose.show([say('The open model'), say('An LSTM translator')], translator ? 1 : 0);
    this.bias.show([say('1 bias'), say('2 biases')], biases - 1);
    this.inputs.forEach((label, i) => { label.querySelector('input').value = formatCount(sizes[i]); });
    this.table.hidden = !isModel;
    this.sizes.hidden = this.blocks.element.hidden = this.sum.hidden = isModel;
    if (isModel) this.drawModel();
    else this.drawTranslator();
  }

  drawModel() {
    const total = this.parts.reduce((sum, {parameters}) => sum + parameters, 0);
    this.said.textContent = say('%1 in all: %2 MB, %3 MB while it trains', formatCount(total), formatNumber(total * 4 / 1e6, 1), formatNumber(total * 16 / 1e6, 1));
    this.table.replaceChildren(partsTable(this.parts, total));
  }

  drawTranslator() {
    const {sizes, biases} = this.state, [, , embedding, hidden] = sizes.map(formatCount), blocks = weightBlocks(this.state);
    const total = parametersOf(blocks), lstm = countOf(blocks[1]), other = parametersOf(weightBlocks({sizes, biases: 3 - biases}));
    this.said.textContent = say('%1 in all', formatCount(total));
    this.blocks.show(blocks);
    this.sum.textContent = say('LSTM: 4·(%1·(%2 + %1) + %3) = %4. With %5: %6. %7 of it is vocabulary.', hidden, embedding,
      biases === 1 ? hidden : `2·${hidden}`, formatCount(lstm), biases === 1 ? say('two biases') : say('one bias'), formatCount(other),
      `${formatNumber(100 * (total - 2 * lstm) / total, 1)} %`);
  }
}
