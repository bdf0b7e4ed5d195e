// SPDX-License-Identifier: GPL-3.0-or-later
// The page begins: its theme, its keys, and the reading or the lesson that it holds.

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme || (systemIsDark.matches ? 'dark' : 'light')) === 'dark';

theme.read();
const shown = record.steps ? new Lesson(record) : new Reading(new Recorded(record.reading));
if (!record.steps) {
  document.querySelector('#stage').append(shown.element);
  shown.show(record.shows);
}

const redraw = () => {
  theme.read();
  shown.redraw();
};
document.querySelector('#theme').addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  redraw();
});
systemIsDark.addEventListener('change', redraw);
document.addEventListener('keydown', (event) => {
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === ' ' && event.target.tagName === 'BUTTON') return;
  if (record.steps ? shown.key(event) : shown.time.key(event)) event.preventDefault();
});
if (document.fonts) document.fonts.ready.then(redraw);
