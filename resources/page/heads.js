// SPDX-License-Identifier: GPL-3.0-or-later
// Every head of the model as a small picture, layer by layer; and the text with what the model made of it.

class Heads {
  constructor(recorded, onChosen) {
    this.recorded = recorded;
    this.buttons = [];
    this.element = make('nav', {class: 'heads', 'aria-label': say('Heads')});
    const {blocks} = recorded;
    if (blocks.every((block) => block.heads === 1)) {
      this.element.hidden = true;
      return;
    }
    this.element.append(make('h2', {text: say('Heads')}),
                        make('p', {class: 'note', text: say(blocks.length === 1 ? '%1 attention block × %2 heads' : '%1 attention blocks × %2 heads', blocks.length, blocks[0].heads)}));
    for (const kind of Object.keys(KINDS)) {
      const ofKind = blocks.filter((block) => block.kind === kind);
      if (!ofKind.length) continue;
      this.element.append(make('h3', {class: `kind ${kind}`, text: say(KINDS[kind])}));
      for (const block of ofKind) this.element.append(this.row(block, onChosen));
    }
    new ResizeObserver(() => this.paint()).observe(this.element);
  }

  row(block, onChosen) {
    const buttons = Array.from({length: block.heads}, (_, head) => {
      const muted = block.muted.includes(head), name = say(muted ? '%1, head %2, muted' : '%1, head %2', block.title, head + 1);
      const button = make('button', {type: 'button', class: muted ? 'head muted' : 'head', title: name,
        'aria-label': name,
        onclick: () => onChosen(block, head)}, make('canvas'));
      this.buttons.push({button, block, head});
      return button;
    });
    return make('div', {class: 'layer'}, make('span', {class: 'layer-name', text: say('Layer %1', block.layer)}),
                make('div', {class: 'row', style: `--heads:${Math.min(block.heads, 12)}`}, ...buttons));
  }

  show(block, head, isChosen, place) {
    for (const each of this.buttons)
      each.button.setAttribute('aria-pressed', String(isChosen && each.block === block && each.head === head));
    if (this.place !== place) {
      this.place = place;
      this.paint();
    }
  }

  paint() {
    for (const {button, block, head} of this.buttons) {
      const side = Math.floor(button.clientWidth) - 2;
      if (side < 6) continue;
      const value = this.recorded.values[block.values.weights];
      const p = prepare(button.firstChild, side, side), wide = side / value.columns, high = side / value.rows;
      const mask = this.recorded.maskOf(block), isComputed = this.place === undefined || value.place <= this.place;
      p.globalAlpha = block.muted.includes(head) ? 0.35 : 1;
      for (let row = 0; isComputed && row < value.rows; ++row)
        for (let column = 0; column < value.columns; ++column) {
          p.fillStyle = isMasked(mask, row, column) ? theme.hatchground : css(between(theme.sequential, value.at(head, row, column)));
          p.fillRect(Math.round(column * wide), Math.round(row * high), Math.ceil(wide), Math.ceil(high));
        }
      p.globalAlpha = 1;
      if (!block.muted.includes(head)) continue;
      p.strokeStyle = theme.bad;
      p.lineWidth = 1.5;
      p.beginPath();
      p.moveTo(2, side - 2);
      p.lineTo(side - 2, 2);
      p.stroke();
    }
  }
}

/** On which sides a drawn word goes on, as a `‿` says (ui/session/format/piece_text.h). */
const joinsLeft = (word) => word.length > 1 && word.startsWith('‿');
const joinsRight = (word) => word.length > (joinsLeft(word) ? 2 : 1) && word.endsWith('‿');

/** Whether a word and the one before it are pieces of one. */
const touchesBefore = (words, at) => at > 0 && at < words.length && (joinsRight(words[at - 1]) || joinsLeft(words[at]));

/** What stands in the chip of a word: where it lies against its neighbour nothing else says so. */
const chipText = (words, at) => {
  const word = words[at];
  return word.slice(touchesBefore(words, at) && joinsLeft(word) ? 1 : 0, touchesBefore(words, at + 1) && joinsRight(word) ? -1 : undefined);
};

/** A row of chips, one for each word; pieces of a word lie against each other. */
const chipRow = (words, chips) => make('p', {class: 'tokens'}, ...words.flatMap((_, at) => {
  if (touchesBefore(words, at)) return [];
  let end = at + 1;
  while (touchesBefore(words, end)) ++end;
  return end === at + 1 ? [chips[at]] : [make('span', {class: 'pieces'}, ...chips.slice(at, end))];
}));

/** What was read, what was written, and how likely each word was. */
class Words {
  constructor(recorded, onChosen) {
    this.recorded = recorded;
    this.element = make('section', {class: 'words', 'aria-label': say('The text')});
    const {source, target, written, answers} = recorded;
    this.read = written.length ? target : source;  // by whose rows the model answers
    if (source.length) this.element.append(make('h3', {text: written.length ? say('Reads') : say('Words')}),
                                           chipRow(source, source.map((_, at) => make('span', {class: 'token source', text: chipText(source, at)}))));
    this.buttons = written.map((_, row) => {
      const probability = this.probabilityOf(row);
      return make('button', {type: 'button', class: 'token written', onclick: () => onChosen(row)}, make('span', {text: chipText(written, row)}),
                  ...(probability === null ? [] : [make('span', {class: 'mono', text: formatNumber(probability)})]));
    });
    if (this.buttons.length) this.element.append(make('h3', {text: source.length ? say('Writes') : say('Goes on with')}),
                                                 chipRow(written, this.buttons));
    if (!written.length && answers.length === 1) this.element.append(make('h3', {text: say('Says')}));
    this.best = make('div', {class: 'best'});
    this.element.append(this.best);
  }

  /** Of the word that was written, where it is among the likeliest that the page holds. */
  probabilityOf(row) {
    const candidates = this.recorded.answers[row] || [];
    const found = candidates.find(({word}) => word === this.recorded.written[row]);
    return found ? found.probability : null;
  }

  /** `row`: the one that is looked at, or -1; while words are written, those behind it are not there yet. */
  show(row, isWriting) {
    this.buttons.forEach((button, at) => {
      button.setAttribute('aria-pressed', String(at === row));
      button.classList.toggle('later', isWriting && at > row);
    });
    const {answers, answersBehind} = this.recorded;
    const at = answers.length === 1 ? 0 : this.buttons.length || row >= 0 ? row : answers.length - 1, candidates = answers[at];
    this.best.replaceChildren();
    if (!candidates) return;
    if (answers.length > 1) this.best.append(make('p', {class: 'note', text: say(answersBehind ? 'Likeliest behind “%1”' : 'Likeliest at “%1”', this.read[at])}));
    for (const {word, probability} of candidates)
      this.best.append(make('div', {class: 'bar'}, make('span', {class: 'bar-word', text: word}),
        make('span', {class: 'bar-track'}, make('span', {class: 'bar-fill', style: `width:${(100 * probability).toFixed(2)}%`})),
        make('span', {class: 'mono', text: formatNumber(probability, 3)})));
  }
}
