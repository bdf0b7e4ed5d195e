// SPDX-License-Identifier: GPL-3.0-or-later
// What the page was written with, and its own words in the language of the lesson (words/*.json).

const record = JSON.parse(document.querySelector('#record').textContent);

/** English text in the page's language; `%1`, `%2` … are what follows. */
const say = (text, ...values) => ((record.words || {})[text] || text).replace(/%(\d)/g, (_, at) => values[at - 1]);

/** The name of a value or of where it belongs, "Encoder, layer 1, self-attention", part by part. */
const named = (title) => title.split(', ').map((part) => {
  const number = part.match(/\d+/);
  return number ? say(part.replace(/\d+/, '%1'), number[0]) : say(part);
}).join(', ');
