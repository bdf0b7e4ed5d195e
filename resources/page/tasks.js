// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to try: the page sees it where its own stage can do it; the rest is done in the program.

class Task {
  /** `when`: [key, value] of each condition (lessons/AUTHORING.md). */
  constructor(element, when) {
    this.element = element;
    this.when = when;
    this.line = element.querySelector('.state');
    this.isDone = false;
  }

  /** `live`: the stage that shows; `hasLive`: the step has one, which the reader may have put away for its picture. */
  show(live, hasLive) {
    const canSee = this.when.length > 0 && live !== null && this.when.every(([key]) => live.canMeet(key));
    if (canSee && this.when.every(([key, value]) => live.isMet(key, value))) this.isDone = true;
    this.element.classList.toggle('solved', this.isDone);
    this.line.classList.toggle('done', this.isDone);
    this.line.textContent = this.isDone ? say('✓ Done') : canSee ? say('The page sees it when you have done it.')
                          : hasLive && !live ? say('The page may see it where its stage is live.') : say('This is done in the program.');
  }
}
