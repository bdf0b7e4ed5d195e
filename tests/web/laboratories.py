# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays pages of stages that are no reading: masks, positions, a loss; a cell, a decoder fed two ways, a score."""

import json

from played import DONE, SEES, at_cell, choose, holds, lines, nothing_leaves, same, states


def check_laboratories(page, path, expected):
    """Masks, positions and a loss answer as the engine does, and scrub."""
    page.open(path)
    closes_cells(page, expected["mask"])
    page.key("PageDown")
    page.settle()
    runs_through_positions(page, expected["positions"])
    page.key("PageDown")
    page.settle()
    takes_a_loss_apart(page, expected["loss"])
    page.press_on("#theme")
    holds(page.run("document.querySelector('.loss-column')") is not None, "the dark page has no loss")
    page.open(path, width=390, height=844, phone=True)
    same(page.run("document.documentElement.scrollWidth"), 390, "the width that a phone's page takes")
    nothing_leaves(page, path)


def press(page, word):
    page.run(f"[...document.querySelectorAll('.lab button')].find((each) => each.textContent === {json.dumps(word)}).click()")
    page.settle()


def closes_cells(page, expected):
    same(states(page), [SEES], "what there is to try")
    names = ["Add −∞", "Add −10⁹", "Multiply by −∞", "After the softmax"]
    for name, way in zip(names, expected["ways"]):
        choose(page, name)
        at_cell(page, page.point, 2, 0)
        same(page.text(".pair .value"), way["before"], f"a weight, {name}")
        same(lines(page)[0], ["Score", expected["score"]], "the score that leads to it")
    choose(page, "Add −∞")
    same([each[1] for each in lines(page)][-1], f"{float(expected['ways'][0]['before']):.4f}", "the sum of its lines")
    page.run("document.activeElement.blur()")
    page.key("Home")
    same(page.text(".time-line"), "The mask", "the first place of the playhead")
    page.key("ArrowRight")
    same(page.text(".time-line"), "Scores", "the next one")
    page.key("End")
    at_cell(page, page.click, 2, 1)
    press(page, "Close this cell")
    same(states(page), [DONE], "what was tried")
    for name, way in zip(names, expected["ways"]):
        choose(page, name)
        at_cell(page, page.point, 2, 0)
        same(page.text(".pair .value") == "NaN", way["after"] is None, f"whether it is a number, {name}")
        if way["after"] is not None:
            holds(abs(float(page.text(".pair .value")) - way["after"]) < 1e-5, f"a weight beside a closed cell, {name}")
    page.point(2, 2)
    page.run("document.activeElement.blur()")


def runs_through_positions(page, expected):
    row = expected["row"]
    same(page.text(".pair .value"), expected["values"][row], "the chosen cell")
    same([each[1] for each in lines(page)], expected["lines"], "how it comes about")
    page.key("Home")
    for at, value in enumerate(expected["values"]):
        same(page.text(".time-line"), f"Position {at} of {len(expected['values']) - 1}", "the playhead")
        same(page.text(".pair .value"), value, f"position {at}")
        page.key("ArrowRight")
    holds(page.run("document.querySelector('.hands').width") > 100, "no hands are drawn")


def takes_a_loss_apart(page, expected):
    costs = lambda: page.texts(".loss-column > .mono")
    same(costs(), expected["losses"], "what the words cost")
    same(states(page), [SEES], "what there is to try")
    page.run("const slider = document.querySelector('.temperature input'); slider.value = 0.3; slider.dispatchEvent(new Event('input'))")
    page.settle()
    same(states(page), [DONE], "what was tried")
    same(costs(), expected["turned"], "what they cost with another ε")
    same(page.text(".pair .value"), expected["logP"], "log p of the target")
    numbers = [each[1] for each in lines(page)]
    same(numbers[3:6], expected["parts"], "the parts of the loss")
    same(numbers[-1], expected["gradient"], "p − q")
    pointer = "document.querySelector('.step:not([hidden]) .pointer')"
    page.run(pointer + ".click()")
    same(page.text(".pair .value"), expected["other"], "what the words point at")
    page.run("document.activeElement.blur()")
    page.key("Home")
    page.key("ArrowRight")
    page.key("ArrowRight")
    press(page, "Take a step")
    page.run("document.querySelector('.loss-row.target').dispatchEvent(new PointerEvent('pointerenter'))")
    same(page.text(".pair .value"), expected["stepped"], "log p after a step")


def check_decoders(page, path, expected):
    """A cell, a decoder fed two ways and a score say what the engine says, and scrub."""
    page.open(path)
    cell = expected["cell"]
    same(page.text(".time-line").split(":")[0], f"Word {cell['word'] + 1} of {cell['words']}", "the cell's word")
    same([each[1] for each in lines(page)], cell["lines"], "what the unit keeps and writes")
    pointer = "document.querySelector('.step:not([hidden]) .pointer')"
    page.run(pointer + ".click()")
    same(page.text(".time-line").split(":")[0], f"Word 3 of {cell['words']}", "the word that the lesson points at")
    apart = float(page.run(pointer + ".textContent").replace("\u2212", "-")) - float(page.text(".pair .value").replace("\u2212", "-"))
    holds(abs(apart) < 0.0006 and page.run(pointer + ".classList.contains('lit')"), "the number that the lesson points at")
    page.run("document.activeElement.blur()")
    page.key("PageDown")
    page.settle()
    same(page.text(".time-line"), f"Word 2 of {len(expected['forcing']['steps'])}", "the step that is chosen")
    page.key("Home")
    for at, chances in enumerate(expected["forcing"]["steps"]):
        same([each[1] for each in lines(page)][:2], chances, f"p of the right word, step {at + 1}")
        page.key("ArrowRight")
    holds(expected["forcing"]["writes"] in page.text(".forcing"), "what is written first")
    page.key("PageDown")
    page.settle()
    bleu = expected["bleu"]
    same([page.run(f"document.querySelectorAll('.gram.{kind}').length") for kind in ("found", "absent", "clipped")], bleu["kinds"], "sequences")
    page.run("document.querySelector('.gram.found').dispatchEvent(new PointerEvent('pointerenter'))")
    same(page.run("document.querySelectorAll('.token.lit').length"), 2, "words that are lit, here and in the reference")
    page.key("Home")
    for order, score in enumerate(bleu["scores"]):
        same(page.text(".pair .value"), score, f"BLEU with sequences of up to {order + 1}")
        page.key("ArrowRight")
    page.open(path, width=390, height=844, phone=True)
    same(page.run("document.documentElement.scrollWidth"), 390, "the width that a phone's page takes")
    nothing_leaves(page, path)
