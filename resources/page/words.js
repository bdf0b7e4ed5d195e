// SPDX-License-Identifier: GPL-3.0-or-later
// What the page was written with, and its own words in the language of the lesson (words/*.json).

const record = JSON.parse(document.querySelector('#record').textContent);

/** English text in the page's language; `%1`, `%2` … are what follows. */
const say = (text, ...values) => ((record.words || {})[text] || text).replace(/%(\d)/g, (_, at) => values[at - 1]);
