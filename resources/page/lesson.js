// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson: its words stand in the page already, one section a step; here they are gone through, and questions judged.

/** What the reader answered, in the places that a hint has for it. */
const fillGiven = (element, given) => {
  for (const place of element.querySelectorAll('.given')) place.textContent = given;
};

/** A page that was opened from a file may have no clipboard: then the lines are selected, to be copied by hand. */
const copyText = (element) => {
  getSelection().selectAllChildren(element);
  return navigator.clipboard ? navigator.clipboard.writeText(element.textContent) : Promise.reject();
};

class Check {
  constructor(element, question, onSolved) {
    this.element = element;
    this.question = question;
    this.onSolved = onSolved;
    this.isSolved = false;
    this.verdict = element.querySelector('.verdict');
    this.choices = [...element.querySelectorAll('.answer')];
    this.choices.forEach((button, i) => button.addEventListener('click', () => this.judgeChoice(i)));
    this.input = element.querySelector('input');
    const form = element.querySelector('form');
    if (form) form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.judgeNumber(this.input.value);
    });
    element.querySelector('.show-me').addEventListener('click', () => this.showSolution());
  }

  judgeChoice(i) {
    this.choices.forEach((button, at) => button.setAttribute('aria-pressed', String(at === i)));
    const given = this.choices[i].textContent;
    this.tell(given === this.question.solution, given, '', i);
  }

  judgeNumber(text) {
    if (!text.trim()) return;
    const given = readNumber(text), {answer, tolerance} = this.question;
    if (given === null) {
      this.say('wrong', say('“%1” is no number. Write it like 0.385.', text.trim()));
      return;
    }
    const isRight = Math.abs(given - answer) <= tolerance;
    this.tell(isRight, text.trim(), isRight ? '' : this.elsewhere(given));
  }

  /** The answer stands in another place of the same matrix, or has the wrong sign: then that is what went wrong. */
  elsewhere(given) {
    const {answer, tolerance, swapped, row} = this.question, is = (value) => Math.abs(value - given) <= tolerance;
    if (is(-answer)) return this.question.signWords;
    if (swapped && is(swapped.value)) return swapped.words.replace('{{given}}', given);
    const column = row.values.findIndex(is);
    return column < 0 ? '' : row.words.replace('{{given}}', given).replace('{{column}}', column + 1);
  }

  /** A number of the stage was clicked. */
  point(name, head, row, column) {
    const {cell} = this.question;
    if (cell && cell.name === name && cell.row === row && cell.column === column && cell.head === head) this.tell(true, '');
  }

  /** Of a choice each wrong answer may have a hint of its own. */
  hintOf(choice) {
    const own = this.element.querySelectorAll('.own-hint')[choice];
    return own && own.textContent.trim() ? own : this.element.querySelector('.hint');
  }

  tell(isRight, given, more = '', choice = -1) {
    const words = isRight ? this.element.querySelector('.right') : this.hintOf(choice);
    fillGiven(words, given);
    this.say(isRight ? 'right' : 'wrong', words, more);
    if (isRight && !this.isSolved) {
      this.isSolved = true;
      this.element.classList.add('solved');
      this.onSolved();
    }
  }

  say(kind, words, more = '') {
    this.verdict.className = `verdict ${kind}`;
    const said = typeof words === 'string' ? [make('p', {text: words})] : [...words.cloneNode(true).childNodes];
    this.verdict.replaceChildren(make('span', {class: 'sign', text: {right: '✓', wrong: '✕', shown: '?'}[kind]}),
                                 make('div', {}, ...said, ...(more ? [make('p', {text: more})] : [])));
    this.verdict.hidden = false;
  }

  showSolution() {
    if (this.input) this.input.value = this.question.solution;
    this.say('shown', say('It is %1.', this.question.solution));
  }
}

/** Words that point at a number of the stage, and are lit while it is what the stage looks at. */
class Pointer {
  constructor(element, lesson) {
    this.element = element;
    this.number = {name: element.dataset.name, at: element.dataset.at.split(',').map(Number)};
    const light = (number) => () => lesson.live && lesson.live.light(number);
    const look = () => lesson.live && lesson.live.look(this.number);
    element.addEventListener('pointerenter', light(this.number));
    element.addEventListener('pointerleave', light(null));
    element.addEventListener('focus', light(this.number));
    element.addEventListener('blur', light(null));
    element.addEventListener('click', look);
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      look();
    });
  }

  show(live) {
    const isThere = Boolean(live && live.cellOf(this.number));
    this.element.classList.toggle('there', isThere);
    this.element.classList.toggle('lit', isThere && live.isShown(this.number));
    this.element.tabIndex = isThere ? 0 : -1;
  }
}

class Lesson {
  constructor(record) {
    this.record = record;
    this.sections = [...document.querySelectorAll('.step')];
    this.host = document.querySelector('#stage');
    this.readings = new Map();
    this.checks = this.sections.map((section, step) => [...section.querySelectorAll('.check')].map((element, i) =>
      new Check(element, record.steps[step].checks[i], () => this.showProgress())));
    this.tasks = this.sections.map((section, step) => [...section.querySelectorAll('.try')].map((element, i) =>
      new Task(element, record.steps[step].tasks[i])));
    this.pointers = this.sections.map((section) => [...section.querySelectorAll('.pointer')].map((each) => new Pointer(each, this)));
    this.picture = make('img', {class: 'figure', alt: ''});
    this.choice = new Choice(say('The stage'), (i) => this.showStage(i === 0));
    document.querySelector('#stage-choice').append(this.choice.element);
    this.dots = this.sections.map((section, step) => make('button', {type: 'button', class: 'dot',
      'aria-label': say('Step %1: %2', step + 1, section.querySelector('h2').textContent), onclick: () => this.go(step)}));
    document.querySelector('#dots').append(...this.dots);
    document.querySelector('#previous').addEventListener('click', () => this.go(this.step - 1));
    document.querySelector('#next').addEventListener('click', () => this.go(this.step + 1));
    window.addEventListener('hashchange', () => this.go(this.stepOfHash()));
    for (const program of document.querySelectorAll('.program')) {
      const button = program.querySelector('.copy');
      button.addEventListener('click', () => copyText(program.querySelector('.code')).then(() => {
        button.textContent = say('Copied');
      }));
    }
    for (const term of document.querySelectorAll('.term'))
      term.addEventListener('keydown', (event) => event.key === 'Escape' && term.blur());
    this.showProgress();
    this.go(this.stepOfHash());
  }

  stepOfHash() { return (Number.parseInt(location.hash.slice(1), 10) || 1) - 1; }

  go(step) {
    step = Math.min(Math.max(step, 0), this.sections.length - 1);
    if (step === this.step) return;
    this.step = step;
    this.sections.forEach((section, at) => { section.hidden = at !== step; });
    this.dots.forEach((dot, at) => {
      dot.classList.toggle('past', at < step);
      dot.setAttribute('aria-current', at === step ? 'step' : 'false');
    });
    document.querySelector('#previous').disabled = step === 0;
    document.querySelector('#next').disabled = step === this.sections.length - 1;
    document.querySelector('#words').scrollTop = 0;
    if (this.stepOfHash() !== step) location.hash = String(step + 1);
    this.showStage(!this.state.prefersPicture);
  }

  get state() { return this.record.steps[this.step]; }

  /** Live where the step's numbers came along; else, or where the reader prefers it, as the program drew it. */
  showStage(isLive) {
    const {reading, figure} = this.state, hasBoth = reading !== undefined && figure !== undefined;
    isLive = isLive && reading !== undefined;
    this.isLive = isLive;
    this.choice.element.hidden = !hasBoth;
    this.choice.show([say('Live'), say('Picture')], isLive ? 0 : 1);
    if (this.live) this.live.time.pause();
    this.live = isLive ? this.readingOf(reading) : null;
    this.host.replaceChildren(isLive ? this.live.element : this.picture);
    if (isLive) this.live.show(this.state.shows);
    else this.showPicture();
    this.stageMoved();
  }

  showPicture() {
    if (this.isLive || this.state.figure === undefined) return;
    this.picture.src = this.record.figures[this.state.figure][isDark() ? 'dark' : 'light'];
    this.picture.alt = say('The stage of step %1, as Headlight shows it', this.step + 1);
  }

  readingOf(at) {
    const recorded = this.record.readings[at];
    if (!this.readings.has(at) && recorded.nodes) this.readings.set(at, new Search(recorded, () => this.stageMoved()));
    if (!this.readings.has(at) && recorded.lab) this.readings.set(at, new LABS[recorded.lab](recorded, () => this.stageMoved()));
    if (!this.readings.has(at)) {
      const all = new (recorded.example ? Example : Recorded)(recorded);
      this.readings.set(at, new Reading(all, (...number) => this.checks[this.step].forEach((check) => check.point(...number)),
                                        () => this.stageMoved()));
    }
    return this.readings.get(at);
  }

  /** Words point at what is there, and what there is to try may be done. */
  stageMoved() {
    for (const pointer of this.pointers[this.step]) pointer.show(this.live);
    for (const task of this.tasks[this.step]) task.show(this.live, this.state.reading !== undefined);
  }

  showProgress() {
    const all = this.checks.flat(), solved = all.filter((check) => check.isSolved).length;
    document.querySelector('#progress').textContent = all.length ? say('%1 of %2 questions answered', solved, all.length) : '';
  }

  key(event) {
    if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      this.go(this.step + (event.key === 'ArrowLeft' ? -1 : 1));
      return true;
    }
    if (event.key === 'PageDown' || event.key === 'PageUp') {
      this.go(this.step + (event.key === 'PageUp' ? -1 : 1));
      return true;
    }
    if (this.live && this.live.time.key(event)) return true;
    return false;
  }

  redraw() {
    if (this.live) this.live.redraw();
    this.showPicture();
  }
}
