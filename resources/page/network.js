// SPDX-License-Identifier: GPL-3.0-or-later
// The network from its first operation to its last, a box for each part: where the playhead stands is lit, what is not
// computed yet is faint, and a click goes there.

class Network {
  constructor(recorded, onChosen) {
    this.parts = [];
    this.element = make('section', {class: 'network', 'aria-label': say('The network')}, make('h2', {text: say('The network')}));
    const stacks = make('div', {class: 'stacks'});
    this.element.append(stacks);
    for (const stack of this.nested(recorded.values)) {
      const column = make('div', {class: `stack ${stack.id}`}, make('h3', {text: stack.label}));
      for (const layer of stack.layers) column.append(this.layer(layer, onChosen));
      stacks.append(column);
    }
  }

  /** Stacks of layers of parts, each with the first and the last of its values, in the order in which they are computed. */
  nested(values) {
    const stacks = [];
    const last = (list, level) => {
      if (!list.length || list[list.length - 1].id !== level.id) list.push({...level, layers: [], parts: []});
      return list[list.length - 1];
    };
    values.forEach((value, place) => {
      let stack = stacks.find((each) => each.id === value.model.id);
      if (!stack) stacks.push(stack = {...value.model, layers: []});
      const part = last(last(stack.layers, value.layer).parts, value.sublayer);
      if (part.from === undefined) part.from = place;
      part.to = place;
    });
    return stacks;
  }

  layer(layer, onChosen) {
    const isOne = layer.parts.length === 1;
    const box = make('div', {class: isOne ? 'part-box alone' : 'part-box'}, ...(isOne ? [] : [make('span', {class: 'layer-name', text: layer.label})]));
    for (const part of layer.parts) {
      const button = make('button', {type: 'button', class: 'part-button', text: isOne ? layer.label : part.label, onclick: () => onChosen(part.to)});
      this.parts.push({...part, button});
      box.append(button);
    }
    return box;
  }

  /** `place`: up to where there is computed; `shown`: the value that is looked at. */
  show(place, shown) {
    for (const {from, to, button} of this.parts) {
      button.classList.toggle('later', from > place);
      button.classList.toggle('now', from <= place && place <= to);
      button.setAttribute('aria-pressed', String(from <= shown && shown <= to));
    }
  }
}
