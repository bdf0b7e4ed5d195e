// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs: how far a message travels through recurrence, convolution and attention, what a layer of each takes,
// and the parameters of a model. The playhead is the number of words.

class Cost extends Lab {
  constructor(record, onShown) {
    super(onShown);
    this.record = record;
    this.d = this.slider(say('d, numbers a word'), GROWTH.decade, 4 * GROWTH.decade, (place) => this.set({d: atPlace(place)}));
    this.k = this.slider(say('k, width of a convolution'), 2, 9, (k) => this.set({k}));
    this.layering = new Choice(say('Layers of the convolution'), (at) => this.set({isDilated: at === 0}));
    this.ways = ['RNN', say('Convolution'), say('Self-attention')].map((title, kind) => this.makeWay(title, kind));
    this.growth = new Growth((n) => this.set({n}));
    this.key = make('div', {class: 'cost-key'});
    this.growthSays = make('p', {class: 'note'});
    this.parameters = new Parameters(() => this.onShown());
    this.time = new Ticker(4 * GROWTH.decade + 1, () => say('%1 words', formatCount(this.sizes.n)), (at) => this.set({n: atPlace(at + GROWTH.decade)}));
    this.element = make('div', {class: 'reading alone lab cost'}, make('div', {class: 'stage'},
      make('div', {class: 'stage-head'}, make('div', {}, this.title, this.note),
        make('div', {class: 'cost-sizes'}, this.d.element, this.k.element, this.layering.element)),
      make('div', {class: 'ways'}, ...this.ways.map(({element}) => element)),
      make('div', {class: 'cost-below'}, card(say('Operations of one layer as n grows'), this.growthSays, this.growth.element, this.key), this.parameters.element)),
      this.time.element);
  }

  slider(name, min, max, onTurned) {
    const input = make('input', {type: 'range', min, max, step: 1, 'aria-label': name, oninput: () => onTurned(Number(input.value))});
    const said = make('output', {class: 'mono'});
    return {input, said, element: make('label', {class: 'temperature quiet'}, name, input, said)};
  }

  makeWay(title, kind) {
    const note = make('p', {class: 'note'}), answer = make('p', {class: 'way-answer'}), travel = new Travel(kind), bars = make('div', {class: 'cost-bars'});
    return {note, answer, travel, bars, element: make('section', {class: 'card'}, make('h3', {text: title}), note, answer, travel.element, bars)};
  }

  show() {
    const {words, width, kernel, dilated} = this.record;
    this.begun = undefined;
    this.sizes = {n: words, d: width, k: kernel, isDilated: dilated};
    this.parameters.show(this.record);
    this.element.classList.toggle('counts', this.record.translator);  // parameters come first where the step is about them
    this.draw();
    this.begun = this.facts;
  }

  get facts() {
    const {n, d, k, isDilated} = this.sizes, {translator, sizes, biases} = this.parameters.state;
    return {cost_words: String(n), cost_width: String(d), cost_kernel: String(k), cost_layers: isDilated ? 'dilated' : 'plain',
            cost_model: translator ? 'lstm' : 'open', cost_biases: String(biases),
            cost_source: String(sizes[0]), cost_target: String(sizes[1]), cost_embedding: String(sizes[2]), cost_hidden: String(sizes[3])};
  }

  set(change) {
    Object.assign(this.sizes, change);
    this.draw();
  }

  draw() {
    const {n, d, k, isDilated} = this.sizes, costs = layerCosts(this.sizes);
    this.title.textContent = say('How far must a message travel from the first word to the last?');
    this.note.textContent = say('Each dot is a word; amber is the shortest way.');
    this.d.input.value = placeOf(d);
    this.d.said.textContent = formatCount(d);
    this.k.input.value = k;
    this.k.said.textContent = k;
    this.layering.show([say('dilated'), say('plain')], isDilated ? 0 : 1);
    this.time.at = Math.min(Math.max(placeOf(n) - GROWTH.decade, 0), 4 * GROWTH.decade);
    this.time.draw();
    this.drawWays(costs);
    this.growthSays.textContent = say('d = %1, k = %2, both axes logarithmic', formatCount(d), k);
    this.growth.show(this.sizes);
    this.key.replaceChildren(...costs.map(({kind, inNumbers, operations}, i) => make('p', {class: 'key-row'}, make('span', {class: `stroke kind${i}`}),
      make('strong', {text: kind}), make('span', {class: 'mono quiet', text: inNumbers}), make('span', {class: 'mono', text: `= ${formatTimesPowerOfTen(operations)}`}))));
    this.onShown();
  }

  drawWays(costs) {
    const {n, k, isDilated} = this.sizes, layers = formatCount(costs[1].path), most = Math.max(...costs.map(({operations}) => operations));
    const said = [[say('each word waits for the one before it'), say('%1 steps, one after another', formatCount(n)), say('full bars: %1 and %2', formatCount(n), formatTimesPowerOfTen(most))],
                  [say('each layer sees %1 places of the layer below', k), isDilated ? say('%1 layers, each %2 times as far', layers, k) : say('%1 layers, each %2 further', layers, k - 1),
                   say('one scale for the three, linear')],
                  [say('every word looks at every word, all at once'), say('1 hop, n² = %1 weights', formatCount(n * n)), say('dashed: with projections, %1', formatTimesPowerOfTen(costs[3].operations))]];
    this.ways.forEach(({note, answer, travel, bars}, i) => {
      const {path, pathFormula, steps, stepsFormula, operations, formula} = costs[i];
      [note.textContent, answer.textContent] = said[i];
      travel.show(this.sizes);
      travel.canvas.setAttribute('aria-label', said[i][1]);
      bars.replaceChildren(...this.bar(say('Path'), path / n, pathFormula, formatCount(path)), ...this.bar(say('Steps in a row'), steps / n, stepsFormula, formatCount(steps)),
        ...this.bar(say('Operations'), operations / most, formula, formatTimesPowerOfTen(operations), i === 2 ? costs[3].operations / most : 0),
        make('p', {class: 'note bars-note', text: said[i][2]}));
    });
  }

  bar(name, share, formula, text, more = 0) {
    const width = (part) => `width:max(2px,${Math.min(100, 100 * part)}%)`;
    return [make('span', {text: name}), make('span', {class: 'cost-track'}, make('span', {class: 'cost-fill', style: width(share)}), ...(more > share ? [make('span', {class: 'cost-more', style: width(more)})] : [])),
            make('span', {class: 'mono quiet', text: formula}), make('span', {class: 'mono cost-number', text})];
  }
}
