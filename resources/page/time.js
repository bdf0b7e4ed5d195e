// SPDX-License-Identifier: GPL-3.0-or-later
// The playhead: over the operations of the recorded computation, or over the words as they were written.

const GRAINS = [['layer', 'Layer'], ['sublayer', 'Sublayer'], ['operation', 'Operation']];
const STEP_MS = 900;

class Time {
  constructor(recorded, onMoved) {
    this.recorded = recorded;
    this.onMoved = onMoved;
    this.mode = 0;
    this.grain = 2;
    this.place = recorded.values.length - 1;
    this.word = Math.max(0, recorded.written.length - 1);
    this.isMoving = false;  // it was the reader, or the clock, who moved it
    this.modes = new Choice(say('What is stepped through'), (mode) => this.setMode(mode));
    this.grains = new Choice(say('Step by'), (grain) => this.setGrain(grain));
    const button = (label, drawing, act) => make('button', {type: 'button', class: `step-button ${drawing}`, 'aria-label': label, title: label, onclick: act},
                                                 icon(drawing));
    this.play = button(say('Play (Space)'), 'play', () => this.toggle());
    this.slider = make('input', {type: 'range', min: 0, step: 1, 'aria-label': say('Playhead'), oninput: () => this.go(Number(this.slider.value))});
    this.track = make('div', {class: 'track', 'aria-hidden': 'true'});
    this.line = make('p', {class: 'time-line', role: 'status'});
    this.element = make('footer', {class: 'time', hidden: !recorded.hasSteps},
      make('div', {class: 'time-buttons'},
        button(say('To the first step'), 'start', () => this.go(0)), button(say('Previous step (←)'), 'back', () => this.step(-1)), this.play,
        button(say('Next step (→)'), 'next', () => this.step(1))),
      make('div', {class: 'time-middle'}, this.track, this.slider, this.line),
      make('div', {class: 'time-choices'}, this.modes.element, this.grains.element));
  }

  /** At a step, or at the end: everything computed. */
  start(at) {
    this.pause();
    this.mode = 0;
    this.isMoving = false;
    this.place = at === undefined || at < 0 ? this.recorded.values.length - 1 : Math.min(at, this.recorded.values.length - 1);
    this.drawTrack();
    this.draw();
  }

  /** The places where the playhead rests: the last value of each scope, where its result is complete. */
  get stops() {
    if (this.mode === 1) return this.recorded.written.map((_, row) => row);
    const key = GRAINS[this.grain][0], {values} = this.recorded;
    if (key === 'operation') return values.map((_, place) => place);
    return values.map((_, place) => place).filter((place) =>
      place + 1 === values.length || values[place][key].id !== values[place + 1][key].id);
  }

  get index() {
    const at = this.mode === 1 ? this.word : this.place;
    const found = this.stops.findIndex((stop) => stop >= at);
    return found < 0 ? this.stops.length - 1 : found;
  }

  go(index) {
    const stop = this.stops[Math.min(Math.max(index, 0), this.stops.length - 1)];
    if (this.mode === 1) this.word = stop;
    else this.place = stop;
    this.moved();
  }

  step(by) {
    this.pause();
    this.go(this.index + by);
  }

  goToWord(row) {
    this.pause();
    this.mode = 1;
    this.place = this.recorded.values.length - 1;
    this.word = row;
    this.moved();
  }

  /** The operation that made that value. */
  goTo(place) {
    this.pause();
    this.mode = 0;
    this.place = place;
    this.moved();
  }

  setMode(mode) {
    this.pause();
    this.mode = mode;
    this.place = this.recorded.values.length - 1;
    this.word = mode === 1 ? 0 : this.recorded.written.length - 1;
    this.moved();
  }

  setGrain(grain) {
    this.grain = grain;
    this.draw();
  }

  moved() {
    this.isMoving = true;
    this.draw();
    this.onMoved();
    this.isMoving = false;
  }

  toggle() {
    if (this.clock) {
      this.pause();
      return;
    }
    if (this.index === this.stops.length - 1) this.go(0);
    this.clock = setInterval(() => {
      if (this.index >= this.stops.length - 1) this.pause();
      else this.go(this.index + 1);
    }, STEP_MS);
    this.draw();
  }

  pause() {
    clearInterval(this.clock);
    this.clock = undefined;
    this.draw();
  }

  /** Left and right step, space plays; whoever has the focus comes first. */
  key(event) {
    if (this.element.hidden || event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'ArrowLeft') this.step(-1);
    else if (event.key === 'ArrowRight') this.step(1);
    else if (event.key === ' ') this.toggle();
    else if (event.key === 'Home') this.go(0);
    else if (event.key === 'End') this.go(this.stops.length - 1);
    else return false;
    return true;
  }

  draw() {
    if (this.element.hidden) return;
    const count = this.stops.length;
    this.slider.max = count - 1;
    this.slider.value = this.index;
    this.play.replaceChildren(icon(this.clock ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', this.clock ? say('Pause') : say('Play'));
    this.modes.show(this.recorded.written.length ? [say('Operations'), say('Words')] : [say('Operations')], this.mode);
    this.modes.element.hidden = !this.recorded.written.length;
    this.grains.show(GRAINS.map(([, word]) => say(word)), this.grain);
    this.grains.element.hidden = this.mode === 1;
    this.line.replaceChildren(make('span', {class: 'mono place', text: `${this.index + 1} / ${count}`}), ...this.words());
    this.track.hidden = this.mode === 1;
    for (const piece of this.track.children) piece.classList.toggle('now', this.isIn(piece));
  }

  words() {
    if (this.mode === 1)
      return [make('span', {text: say('Writing “%1” after “%2”', this.recorded.written[this.word], this.recorded.target[this.word])})];
    const {scope, title, formula} = this.recorded.values[this.place];
    return [make('span', {text: scope ? `${scope}: ${title}` : title}), ' ', rich(formula)];
  }

  isIn(piece) { return Number(piece.dataset.from) <= this.place && this.place <= Number(piece.dataset.to); }

  /** The layers of the model, each as long as its steps are many. */
  drawTrack() {
    if (this.element.hidden) return;
    const {values} = this.recorded;
    const pieces = [];
    values.forEach((value, place) => {
      const last = pieces[pieces.length - 1];
      if (last && last.id === value.layer.id) last.to = place;
      else pieces.push({id: value.layer.id, label: value.layer.label, stack: value.model.id, from: place, to: place});
    });
    this.track.replaceChildren(...pieces.map(({label, stack, from, to}) => make('span', {
      class: `piece ${stack}`, style: `flex:${to - from + 1}`, 'data-from': from, 'data-to': to, title: label, text: label})));
  }
}

/** A playhead over a few places that are all there already: words of a search, positions, target words. */
class Ticker {
  /** `sayAt(at)`: the words for a place, from 0. `onMoved(at)`: it is another one, whoever moved it. */
  constructor(count, sayAt, onMoved) {
    this.count = count;
    this.sayAt = sayAt;
    this.onMoved = onMoved;
    this.at = 0;
    this.slider = make('input', {type: 'range', min: 0, max: Math.max(0, count - 1), step: 1, 'aria-label': say('Playhead'),
                                 oninput: () => this.go(Number(this.slider.value))});
    this.line = make('p', {class: 'time-line', role: 'status'});
    const button = (label, drawing, act) => make('button', {type: 'button', class: `step-button ${drawing}`, 'aria-label': label, title: label, onclick: act}, icon(drawing));
    this.play = button(say('Play (Space)'), 'play', () => this.toggle());
    this.element = make('footer', {class: 'time'},
      make('div', {class: 'time-buttons'}, button(say('To the first step'), 'start', () => this.go(0)), button(say('Previous step (←)'), 'back', () => this.go(this.at - 1)),
           this.play, button(say('Next step (→)'), 'next', () => this.go(this.at + 1))),
      make('div', {class: 'time-middle'}, this.slider, this.line));
  }

  go(at) {
    this.at = Math.min(Math.max(at, 0), this.count - 1);
    this.draw();
    this.onMoved(this.at);
  }

  toggle() {
    if (this.clock) return this.pause();
    if (this.at === this.count - 1) this.go(0);
    this.clock = setInterval(() => (this.at >= this.count - 1 ? this.pause() : this.go(this.at + 1)), STEP_MS);
    return this.draw();
  }
  pause() {
    clearInterval(this.clock);
    this.clock = undefined;
    this.draw();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    const act = {ArrowLeft: () => this.go(this.at - 1), ArrowRight: () => this.go(this.at + 1), ' ': () => this.toggle(), Home: () => this.go(0),
                 End: () => this.go(this.count - 1)}[event.key];
    if (act) act();
    return Boolean(act);
  }

  draw() {
    this.slider.value = this.at;
    this.line.textContent = this.sayAt(this.at);
    this.play.replaceChildren(icon(this.clock ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', this.clock ? say('Pause') : say('Play'));
  }
}
