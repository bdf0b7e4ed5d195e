#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays an exported page in Chromium and holds it to what the program says:

    check_page.py CHROMIUM reading|lesson|tried|laboratories|decoders|cost|actions|language|names|pieces PAGE.html EXPECTED.json

The tests beside it write both files. Ends with status 1, and what differs, where something does."""

import json
import sys
import time

from actions import check_actions, check_cost
from browser import Browser
from laboratories import check_decoders, check_laboratories
from played import DONE, ELSEWHERE, SEES, at_cell, choose, holds, lines, nothing_leaves, place, same, simplified, states


def scrubs(page, expected):
    steps = expected["steps"]
    same(place(page), [len(steps)] * 2, "the playhead at first")
    page.run("document.activeElement.blur()")
    page.key("Home")
    for at, words in enumerate(steps):
        same(place(page), [at + 1, len(steps)], "the playhead")
        holds(page.text(".time-line").split("\n")[0].replace(" ", "").find(words.replace(" ", "")) >= 0 or
              words in simplified(page.text(".time-line")), f"step {at + 1} says {page.text('.time-line')!r}, not {words!r}")
        if at == 2:  # nothing of the decoder is there yet
            page.run("[...document.querySelectorAll('.head')].at(-1).click()")
            page.settle()
            same(page.text(".sentence"), "Computed in a later step: move the playhead on.", "a later head")
        page.key("ArrowRight")
    left, top, width, height = page.box("input[type=range]")
    page.click(left + width / 2, top + height / 2)
    holds(abs(place(page)[0] - len(steps) / 2) < 3, f"the middle of the slider is step {place(page)[0]}")
    page.run("document.activeElement.blur()")
    page.key("Home")
    # By the page's own clock: a timer may come late, never early.
    began = page.run("performance.now()")
    page.key(" ")
    deadline = time.monotonic() + page.seconds
    while place(page)[0] < 3:
        holds(time.monotonic() < deadline, "it does not play")
    page.key(" ")
    played, seconds = place(page)[0], (page.run("performance.now()") - began) / 1000
    holds(played - 1 <= seconds / 0.9, f"after {seconds:.1f} seconds it played to step {played}")
    choose(page, "Layer")
    page.key("End")
    holds(place(page)[1] < 20, f"{place(page)[1]} layers")
    choose(page, "Operation")
    page.key("End")


def points(page, expected):
    for cell in expected["cells"]:
        where = f"{cell['head']}, {cell['part']} {cell['row']},{cell['column']}"
        page.run(f"document.querySelector('.head[aria-label={json.dumps(cell['head'])}]').click()")
        page.settle()
        choose(page, cell["part"])
        at_cell(page, page.point, cell["row"], cell["column"])
        same(page.text(".pair .value"), cell["value"], where)
        same(lines(page), cell["lines"], where)
    # The keyboard does the same: a cell is kept, and moved.
    choose(page, "Weights")
    at_cell(page, page.click, 1, 1)
    chips = page.texts(".pair .chip")
    page.key("ArrowRight")
    holds(page.texts(".pair .chip") != chips, "the arrow key moved nothing")


def masks(page):
    """A masked cell is hatched and says why; an open one is of one colour."""
    page.run("document.querySelector('.head[aria-label=\"Decoder, layer 1, self-attention, head 1\"]').click()")
    page.settle()
    choose(page, "Weights")
    at_cell(page, page.click, 0, 3)
    holds("comes later" in page.text(".sentence"), page.text(".sentence"))
    same(lines(page)[-1], ["Masked: e to the power of −∞", "0.0000"], "a masked weight")
    page.point(2, 2)
    colors = "(({width, height, left, top}) => { const canvas = document.querySelector('.matrix canvas'); const ratio = devicePixelRatio;" \
             " const data = canvas.getContext('2d').getImageData((+left + COLUMN * width + 4) * ratio, (+top + 4) * ratio, 12, 12).data;" \
             " return new Set(Array.from({length: 144}, (_, i) => data.slice(4 * i, 4 * i + 3).join())).size; })" \
             "(document.querySelector('.matrix canvas').dataset)"
    holds(page.run(colors.replace("COLUMN", "4")) > 1, "a masked cell is not hatched")
    same(page.run(colors.replace("COLUMN", "0")), 1, "colours of an open cell")


def writes(page, expected):
    choose(page, "Words")
    page.run("document.activeElement.blur()")
    page.key("Home")
    for at, (word, probability) in enumerate(expected["words"]):
        same(place(page), [at + 1, len(expected["words"])], "the word")
        holds(f"Writing “{word}”" in page.text(".time-line"), page.text(".time-line"))
        best = simplified(page.text(".best .bar"))
        same(best, f"{word} {probability}", "the likeliest word")
        same(page.run("document.querySelectorAll('.token.later').length"), len(expected["words"]) - at - 1, "words to come")
        page.key("ArrowRight")


def turns(page):
    ground = page.run("getComputedStyle(document.body.parentElement).backgroundColor")
    page.press_on("#theme")
    holds(page.run("getComputedStyle(document.body.parentElement).backgroundColor") != ground, "the theme stays")
    page.press_on("#theme")
    same(page.run("getComputedStyle(document.body.parentElement).backgroundColor"), ground, "the theme again")


def check_reading(page, path, expected):
    page.open(path)
    scrubs(page, expected)
    points(page, expected)
    masks(page)
    writes(page, expected)
    turns(page)
    page.open(path, width=390, height=844, phone=True)
    same(page.run("document.documentElement.scrollWidth"), 390, "the width that a phone's page takes")
    nothing_leaves(page, path)


def verdict(page, step, check):
    return simplified(page.run(f"document.querySelectorAll('.step')[{step}].querySelectorAll('.check')[{check}].querySelector('.verdict').innerText"))


def answer(page, step, at, question):
    find = f"document.querySelectorAll('.step')[{step}].querySelectorAll('.check')[{at}]"
    if "number" in question:
        def give(text):
            page.run(f"{find}.querySelector('input').value = ''; {find}.querySelector('input').focus()")
            page.write(text)
            page.key("Enter", text="\r")
        give("many")
        same(verdict(page, step, at), "✕ “many” is no number. Write it like 0.385.", "no number")
        give("123.5")
        same(verdict(page, step, at), "✕ " + question["wrong"], "a wrong number")
        give(question["elsewhere"][0])
        same(verdict(page, step, at), "✕ " + question["elsewhere"][1], "a number from elsewhere")
        give(question["solution"].replace(".", ","))
    elif "cell" in question:
        row, column = question["cell"]
        at_cell(page, page.click, row, (column + 1) % 5)
        same(verdict(page, step, at), "", "another cell")
        at_cell(page, page.click, row, column)
    else:
        choices = page.run(f"[...{find}.querySelectorAll('.answer')].map((each) => each.textContent)")
        page.run(f"{find}.querySelectorAll('.answer')[{question['wrongChoice']}].click()")
        same(verdict(page, step, at), "✕ " + question["wrong"], "a wrong choice")
        page.run(f"{find}.querySelectorAll('.answer')[{choices.index(question['solution'])}].click()")
    same(verdict(page, step, at), "✓ " + question["right"], f"step {step + 1}, the right answer")


def points_at_its_numbers(page, step):
    """Words that point light their cell, under the pointer and by a click, and both say the same number. How many."""
    each = f"document.querySelectorAll('.step')[{step}].querySelectorAll('.pointer')"
    seen = 0
    for at in range(page.run(f"{each}.length")):
        pointer, what = f"{each}[{at}]", f"step {step + 1}, number {at + 1}"
        is_lit = lambda: page.run(f"{pointer}.classList.contains('lit')")
        page.run(f"{pointer}.click()")
        if not page.run(f"{pointer}.classList.contains('there')"):
            holds(not is_lit(), f"{what} is lit, and of no value of the page")
            continue
        holds(is_lit(), f"{what} is not lit once it was clicked")
        words, value = page.run(f"{pointer}.textContent"), page.text(".pair .value")
        if words.replace("\u2212", "-").replace(".", "").lstrip("-").isdigit():
            apart = abs(float(words.replace("\u2212", "-")) - float(value.replace("\u2212", "-")))
            holds(apart < 0.006, f"{what} says {words}, its cell {value}")
        page.run("document.querySelector('.matrix canvas').focus()")
        page.key("ArrowRight" if page.run(f"{pointer}.dataset.at.split(',').at(-1)") == "1" else "ArrowLeft")
        holds(not is_lit(), f"{what} is lit while another cell is kept")
        page.run(f"{pointer}.dispatchEvent(new PointerEvent('pointerenter'))")
        holds(is_lit(), f"{what} lights no cell")
        same(page.text(".pair .value"), value, f"{what}, pointed at")
        page.run(f"{pointer}.dispatchEvent(new PointerEvent('pointerleave'))")
        holds(not is_lit(), f"{what} stays lit")
        seen += 1
    page.run(f"location.hash = '{step + 2 if step == 0 else step}'")
    page.settle()
    page.run(f"location.hash = '{step + 1}'")
    page.settle()
    return seen


def check_lesson(page, path, expected):
    page.open(path)
    same(page.text("h1"), expected["title"], "the title")
    count = sum(len(step["questions"]) for step in expected["steps"])
    solved = pointed = 0
    for at, step in enumerate(expected["steps"]):
        same(page.text(f".step:not([hidden]) h2"), step["title"], "the step's title")
        pointed += points_at_its_numbers(page, at)
        for number, question in enumerate(step["questions"]):
            answer(page, at, number, question)
            solved += 1
            same(page.text("#progress"), f"{solved} of {count} questions answered", "progress")
        page.run("document.activeElement.blur()")
        page.key("PageDown")
    holds(pointed > 0, "no words of this lesson point at a number")
    # Pictures as the program drew them, in both themes.
    choose(page, "Picture")
    light = page.run("document.querySelector('.figure').src")
    holds(page.run("document.querySelector('.figure').naturalWidth") > 500, "the picture is not there")
    page.press_on("#theme")
    holds(page.run("document.querySelector('.figure').src") != light, "the picture keeps its theme")
    page.key("PageUp")
    same(page.text(".step:not([hidden]) h2"), expected["steps"][-2]["title"], "one step back")
    changes_numbers_by_hand(page, expected["byHand"])
    nothing_leaves(page, path)


def changes_numbers_by_hand(page, expected):
    """A number of Q is written in: the weights follow, and what there was to try is done."""
    page.run(f"location.hash = '{expected['step'] + 1}'")
    page.settle()
    choose(page, "Live")
    same(states(page), [SEES], "what there is to try")
    choose(page, "Q")
    at_cell(page, page.click, *expected["cell"])
    page.run("document.querySelector('.by-hand').value = '" + expected["number"] + "';"
             "document.querySelector('.by-hand').dispatchEvent(new Event('change'))")
    same(states(page), [DONE], "what was tried")
    choose(page, "Weights")
    at_cell(page, page.point, expected["cell"][0], 0)
    same(float(page.text(".pair .value")[:6]), float(expected["weight"][:6]), "the weight that follows")
    page.run("location.hash = '1'")
    page.settle()
    page.run(f"location.hash = '{expected['step'] + 1}'")
    page.settle()
    choose(page, "Q")
    at_cell(page, page.point, *expected["cell"])
    same(page.text(".pair .value"), expected["before"], "the number, when the step begins anew")


def check_tried(page, path, expected):
    """What there is to try is seen where the page can do it, and said to be the program's where it cannot."""
    page.open(path)
    same(states(page), [SEES, ELSEWHERE], "the network's")
    same(page.run("document.querySelectorAll('.part-button.later').length"), 0, "parts that are still to come")
    page.press_on(".part-button")
    same(place(page)[0], expected["firstPart"], "the operation that a part of the network leads to")
    holds(page.run("document.querySelectorAll('.part-button.later').length") > 5, "nothing is still to come")
    same(page.texts(".part-button.now"), ["Embed"], "the part where the playhead stands")
    same(states(page), [DONE, ELSEWHERE], "the network's, after a step")
    page.key("PageDown")
    same(states(page), [SEES], "the head's")
    page.run("document.querySelectorAll('.head')[1].click()")
    page.settle()
    same(states(page), [SEES], "the head's, at another one")
    page.run("document.querySelectorAll('.head')[2].click()")
    page.settle()
    same(states(page), [DONE], "the head's, found")
    choose(page, "Picture")
    same(states(page), [DONE], "the head's, beside its picture")
    page.key("PageDown")
    same(states(page), [ELSEWHERE], "the search's")
    same(page.run("document.querySelectorAll('.node').length"), expected["nodes"], "words that the search looked at")
    same([simplified(each) for each in page.texts(".hypothesis")], expected["hypotheses"], "what was found")
    same(page.text(".pair .value"), expected["scores"][0], "the answer's score")
    page.press_on(".hypothesis:last-child")
    same(page.text(".pair .value"), expected["scores"][-1], "the last one's score")
    same([each[1] for each in lines(page)][-2:], expected["lastLines"], "how it comes about")
    pointer = "document.querySelector('.step:not([hidden]) .pointer')"
    page.run(pointer + ".dispatchEvent(new PointerEvent('pointerenter'))")
    same(page.text(".pair .value"), expected["scores"][0], "the score that the words point at")
    page.run(pointer + ".dispatchEvent(new PointerEvent('pointerleave'))")
    page.run("document.activeElement.blur()")
    page.key("Home")
    same(page.text(".search .time-line"), f"Word 1 of {expected['words']}", "the search's playhead")
    same(page.run("[...document.querySelectorAll('.node')].filter((each) => !each.hidden).length"), expected["firstNodes"], "words of the first step")
    nothing_leaves(page, path)


def check_language(page, path, expected):
    """The page speaks the language of its lesson."""
    page.open(path)
    same(page.run("document.documentElement.lang"), expected["language"], "the language")
    for selector, text in expected["texts"]:
        holds(text in page.text(selector), f"{selector} says {page.text(selector)!r}, not {text!r}")
    page.press_on(".step:not([hidden]) .answer")
    choose(page, expected["weights"])
    at_cell(page, page.click, 0, 0)
    same([each[0] for each in lines(page)][-2:], expected["lines"], "the arithmetic")
    nothing_leaves(page, path)


def check_names(page, path, expected):
    """Values, and where they belong, are called what the lesson's language calls them."""
    page.open(path)
    for selector, text in expected["texts"]:
        holds(text in page.text(selector), f"{selector} says {page.text(selector)!r}, not {text!r}")
    page.run("document.activeElement.blur()")
    page.key("Home")
    for text in expected["steps"]:
        holds(text in simplified(page.text(".time-line")), f"a step says {page.text('.time-line')!r}, not {text!r}")
        page.key("ArrowRight")
    nothing_leaves(page, path)


def check_pieces(page, path, expected):
    """Pieces of a word lie against each other, words do not, and no chip has a mark where it touches."""
    page.open(path)
    for kind in ("source", "written"):
        words = [text.split("\n")[0] for text in page.texts(f".token.{kind}")]  # its probability stands below
        same(words, expected[kind], f"the chips of what is {kind}")
    for row in page.run("[...document.querySelectorAll('.tokens')].map((row) => [...row.querySelectorAll('.token')].map((chip) => {"
                        " const box = chip.getBoundingClientRect();"
                        " return [box.left, box.right, box.top, chip.parentElement.className === 'pieces' && chip.previousElementSibling !== null]; }))"):
        for before, chip in zip(row, row[1:]):
            if before[2] == chip[2]:
                same(chip[0] <= before[1], chip[3], f"a chip at {chip[0]} behind one that ends at {before[1]}")
    holds(page.run("document.querySelectorAll('.pieces').length") > 0, "no word is in pieces")
    nothing_leaves(page, path)


def main():
    program, what, path, wanted = sys.argv[1:]
    with open(wanted, encoding="utf-8") as file:
        expected = json.load(file)
    with Browser(program) as page:
        try:
            {"reading": check_reading, "lesson": check_lesson, "tried": check_tried, "laboratories": check_laboratories, "decoders": check_decoders,
             "cost": check_cost, "actions": check_actions, "language": check_language, "names": check_names,
             "pieces": check_pieces}[what](page, path, expected)
        except (AssertionError, TimeoutError) as wrong:
            print(wrong, *page.mistakes)
            sys.exit(1)


main()
