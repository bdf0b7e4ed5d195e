// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices by hand: their numbers can be changed, and what attention makes of them follows.

class Example extends Recorded {
  constructor(record) {
    super(record);
    this.changed = new Set();  // what the reader changed: names of matrices, `temperature`
    this.how = this.blocks[0].score;
    this.begun = {temperature: this.how.temperature, matrices: this.inputs.map((value) => value.numbers.slice())};
  }

  get inputs() { return this.values.slice(0, 3); }
  get temperature() { return this.how.temperature; }
  canChange(value) { return this.inputs.includes(value); }

  change(value, row, column, number) {
    if (!Number.isFinite(number) || value.at(0, row, column) === Math.fround(number)) return;
    value.numbers[row * value.columns + column] = number;
    this.changed.add(value.name);
    this.compute();
  }

  setTemperature(temperature) {
    this.how.temperature = temperature;
    this.how.factor = 1 / ((this.how.root ? Math.sqrt(this.how.root) : 1) * temperature);
    this.changed.add('temperature');
    this.compute();
  }

  /** As the step began: steps share their matrices. */
  restore() {
    if (!this.changed.size) return;
    this.setTemperature(this.begun.temperature);
    this.inputs.forEach((value, i) => value.numbers.set(this.begun.matrices[i]));
    this.changed.clear();
    this.compute();
  }

  compute() {
    const [queries, keys, , scores, weights, output] = this.values, v = this.values[2];
    for (let row = 0; row < queries.rows; ++row) {
      const score = Array.from({length: keys.rows}, (_, at) =>
        queries.row(0, row).reduce((sum, number, i) => sum + number * keys.at(0, at, i), 0) * this.how.factor);
      const most = Math.max(...score), powers = score.map((each) => Math.exp(each - most));
      const sum = powers.reduce((all, each) => all + each, 0);
      scores.row(0, row).set(score);
      weights.row(0, row).set(powers.map((each) => each / sum));
      output.row(0, row).set(Array.from({length: v.columns}, (_, column) =>
        powers.reduce((all, each, at) => all + each / sum * v.at(0, at, column), 0)));
    }
  }
}

/** A number that is written in by hand, below where it comes from. */
const numberField = (reading, value, row, column) => {
  const input = make('input', {class: 'by-hand mono', inputmode: 'decimal', autocomplete: 'off', maxlength: 12,
    'aria-label': say('Another number'), value: formatPrecise(value.at(0, row, column))});
  input.addEventListener('change', () => {
    const number = readNumber(input.value);
    if (number === null) input.value = formatPrecise(value.at(0, row, column));
    else reading.change(value, row, column, number);
  });
  return make('label', {class: 'quiet field'}, say('Another number:'), input);
};

/** The temperature of the softmax, on a slider. */
class Temperature {
  constructor(example, onTurned) {
    this.example = example;
    this.slider = make('input', {type: 'range', min: 0.1, max: 5, step: 0.1, 'aria-label': say('Temperature')});
    this.said = make('output', {class: 'mono'});
    this.element = make('label', {class: 'temperature quiet'}, say('Temperature'), this.slider, this.said);
    this.slider.addEventListener('input', () => onTurned(Number(this.slider.value)));
  }
  draw() {
    this.slider.value = this.example.temperature;
    this.said.textContent = formatNumber(this.example.temperature, 1);
  }
}
