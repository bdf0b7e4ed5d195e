# SPDX-License-Identifier: GPL-3.0-or-later
"""What every check of a page does: compare, point at cells, read what is written out."""

import json

SEES, ELSEWHERE, DONE = "The page sees it when you have done it.", "This is done in the program.", "✓ Done"


def same(is_, wanted, what):
    if is_ != wanted:
        raise AssertionError(f"{what}: {is_!r}, not {wanted!r}")


def holds(truth, what):
    if not truth:
        raise AssertionError(what)


def simplified(text):
    return " ".join(text.split())


def place(page):
    """Of the playhead: (which, of how many)."""
    return [int(each) for each in page.text(".time-line .place").split("/")]


def at_cell(page, act, row, column):
    """Points at, or clicks, a cell of the matrix."""
    page.run("document.querySelector('.matrix canvas').scrollIntoView({block: 'center'})")
    x, y, _, _ = page.box(".matrix canvas")
    left, top, width, height = page.run(
        "(({left, top, width, height}) => [left, top, width, height].map(Number))(document.querySelector('.matrix canvas').dataset)")
    act(x + left + (column + 0.5) * width, y + top + (row + 0.5) * height)


def choose(page, word):
    page.run(f"[...document.querySelectorAll('.choice:not([hidden]) button')].find((each) => each.textContent === {json.dumps(word)}).click()")
    page.settle()


def lines(page):
    return [[simplified(each) for each in line.split("\n")] for line in page.texts(".number-box .line")]


def nothing_leaves(page, path):
    """No request was made; and where a script tries, the page's policy holds it back."""
    for address in page.requests:
        holds(address.startswith(("file://", "data:")), f"a request went to {address}")
    same(page.mistakes, [], "what the page's script complained of")
    blocked = page.run("""new Promise((done) => {
        let count = 0;
        document.addEventListener('securitypolicyviolation', () => { if (++count === 3) done(count); });
        setTimeout(() => done(count), 5000);
        fetch('http://127.0.0.1:9/').catch(() => {});
        document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/x.png'}));
        document.body.append(Object.assign(document.createElement('script'), {src: 'http://127.0.0.1:9/x.js'}));
    })""")
    same(blocked, 3, "requests that the policy held back")


def states(page):
    return page.texts(".step:not([hidden]) .try .state")
