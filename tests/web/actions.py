# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lesson asks its reader to do, done in its page: sizes, orders, words that are handed in, references."""

import json

from played import DONE, SEES, choose, holds, lines, nothing_leaves, same, states


def press(page, word):
    page.run(f"[...document.querySelectorAll('.lab button')].find((each) => each.textContent === {json.dumps(word)}).click()")
    page.settle()


def next_step(page):
    page.run("document.activeElement.blur()")
    page.key("PageDown")
    page.settle()


def bars(page):
    """Formula and number of each bar, of all three kinds of layers."""
    texts = page.texts(".cost-bars > .mono")
    return [list(pair) for pair in zip(texts[::2], texts[1::2])]


def drag_to(page, words):
    """The amber line, from 10 words on: the axis has four decades."""
    left, top, width, height = page.box(".growth")
    begin, end = left + 50, left + width - 14
    at = {10: begin, 1000: (begin + end) / 2, 10000: begin + 0.75 * (end - begin)}[words]
    page.run("document.querySelector('.growth').scrollIntoView({block: 'center'})")
    left, top, width, height = page.box(".growth")
    page.point(begin, top + height / 2)
    page.mouse("mousePressed", begin, top + height / 2, 1)
    page.mouse("mouseMoved", (begin + at) / 2, top + height / 2, 1)
    page.mouse("mouseMoved", at, top + height / 2, 1)
    page.mouse("mouseReleased", at, top + height / 2)
    page.settle()


def check_cost(page, path, expected):
    """What layers cost is counted anew as their sizes change; so are the parameters of a translator."""
    page.open(path)
    same(page.run("document.querySelector('.figure') === null"), True, "whether the stage is live")
    same(states(page), [SEES, SEES], "what there is to try")
    same(bars(page), expected["bars"], "what nine words take")
    rows = page.run("[...document.querySelectorAll('.parts tbody tr')].map((row) => [0, 2, 3].map((at) => row.cells[at].textContent))")
    same(rows, expected["parts"], "the open model's parts")
    choose_in(page, "Layers of the convolution", "plain")
    same(bars(page), expected["plain"], "a plain convolution")
    same(states(page), [DONE, SEES], "what was tried")
    drag_to(page, 10000)
    same(page.text(".time-line"), "10,000 words", "where the amber line was dragged to")
    same(bars(page), expected["many"], "what ten thousand words take")
    same(states(page), [DONE, DONE], "what was tried")
    page.run("document.activeElement.blur()")
    page.key("Home")
    same(page.text(".time-line"), "10 words", "the playhead")
    page.key("ArrowRight")
    same(page.text(".time-line"), "11 words", "the playhead")
    next_step(page)
    holds(expected["one"]["total"] in page.text(".cost-below"), "the sum with one bias")
    told = page.run("[...document.querySelectorAll('.cost-below canvas')].at(-1).getAttribute('aria-label')")
    holds(all(count in told for count in expected["one"]["blocks"]), f"{told!r} lacks a block")
    choose_in(page, "Biases of a gate", "2 biases")
    holds(expected["two"]["total"] in page.text(".cost-below"), "the sum with two biases")
    same(states(page), [DONE], "what was tried")
    page.press_on("#theme")
    page.open(path, width=390, height=844, phone=True)
    same(page.run("document.documentElement.scrollWidth"), 390, "the width that a phone's page takes")
    nothing_leaves(page, path)


def choose_in(page, group, word):
    page.run(f"[...document.querySelector('[aria-label={json.dumps(group)}]').children].find((each) => each.textContent === {json.dumps(word)}).click()")
    page.settle()


def check_actions(page, path, expected):
    """Units are sorted, words shuffled, the truth is handed in and references are added."""
    page.open(path)
    sorts_units(page, expected["cell"])
    next_step(page)
    shuffles_words(page, expected["shuffled"])
    next_step(page)
    hands_in(page, expected["free"])
    next_step(page)
    adds_references(page, expected["bleu"])
    page.open(path, width=390, height=844, phone=True)
    same(page.run("document.documentElement.scrollWidth"), 390, "the width that a phone's page takes")
    nothing_leaves(page, path)


def sorts_units(page, expected):
    same(states(page), [SEES], "what there is to try")
    rows = len(expected["sums"])
    gates = page.texts(".gates > *")[6:]
    found = [gates[6 * row + 1:6 * row + 5] + [gates[6 * row + 5].split(" ")[1]] for row in range(rows)]
    same(found, expected["sums"], "how each gate comes about")
    writes = page.texts(".write-bars > *")
    same([[writes[at], writes[at + 2]] for at in range(0, len(writes), 4)], expected["writes"], "what the unit writes at")
    told = page.run("[...document.querySelectorAll('canvas')].map((each) => each.getAttribute('aria-label') || '').find((each) => each.startsWith('LSTM: '))")
    same(told.split("; "), expected["lines"], "how far the gradient reaches")
    # The order: the arrow keys go through the units as they stand.
    page.run("document.querySelector('.matrix canvas').focus()")
    for _ in range(len(expected["order"])):
        page.run("document.querySelector('.matrix canvas').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))")
    for unit in expected["order"][:6]:
        holds(f"of unit {unit} at" in page.text(".sentence"), f"{page.text('.sentence')!r} is not of unit {unit}")
        page.key("ArrowRight")
    page.run("document.activeElement.blur()")
    choose(page, "As stored")
    same(states(page), [DONE], "what was tried")


def shuffles_words(page, expected):
    same(states(page), [SEES], "what there is to try")
    for order in expected:
        press(page, "Shuffle the words")
        same(page.texts(".orders strong"), order, "the words in another order, and what is read")
    same(states(page), [DONE], "what was tried")


def hands_in(page, expected):
    read = lambda: page.run("""(() => {
        const all = [...document.querySelectorAll('.forcing > *')].map((each) => each.textContent.replace(/^[✕✓] /, ''));
        const columns = all.length / 5, row = (at) => all.slice(at * columns + 1, (at + 1) * columns);
        return row(3).map((word, at) => [word, row(4)[at]]).filter(([word]) => word);
    })()""")
    same(states(page), [SEES], "what there is to try")
    same(read(), expected[0], "what it reads and writes by itself")
    press(page, "Hand in the truth here")
    same(read(), expected[1], "what it reads and writes with the third word handed in")
    same(states(page), [DONE], "what was tried")
    same(page.text(".lab .sentence"), "With the truth handed in, every word it reads is right.", "what is said of it")
    press(page, "Let it read its own word")
    same(read(), expected[0], "what it reads and writes by itself again")
    page.run("document.activeElement.blur()")
    page.key("ArrowRight")
    press(page, "Hand in the truth here")
    same(read(), expected[2], "with the fourth word handed in")
    page.run("document.activeElement.blur()")
    page.key("ArrowRight")
    press(page, "Hand in the truth here")
    same(read(), expected[3], "with the fourth and the fifth word handed in")


def adds_references(page, expected):
    def scores():
        page.run("document.activeElement.blur()")
        page.key("Home")
        found = []
        for _ in range(4):
            found.append(page.text(".pair .value"))
            page.key("ArrowRight")
        return found

    same(states(page), [SEES], "what there is to try")
    for at, text in enumerate(["", "that cup of milk is on the table", 'A 3-day-old cup, (that) is: 2.5 "on" the table.']):
        if text:
            page.run("document.querySelector('.reference').focus()")
            page.write(text)
            page.key("Enter")
            page.settle()
        same(scores(), expected[at]["scores"], f"the scores with {at} references more")
        same(page.run("document.querySelectorAll('.gram.found').length"), expected[at]["found"], "sequences that are found")
        if at == 1:
            same(states(page), [DONE], "what was tried")
    press(page, "Remove it")
    same(scores(), expected[1]["scores"], "the scores with the last one taken away")
