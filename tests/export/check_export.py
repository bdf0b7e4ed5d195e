#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the folders that `headlight-cli export --format pytorch` writes to the program that wrote them.

    /usr/bin/python3 check_export.py HEADLIGHT-CLI [NAME…]      (Debian: python3-torch, python3-numpy)

Prints a line a finding with its figures; exit status 1 where one is wrong. NAME: logits, tokenizers, texts,
training, masked, traces, lessons.
"""
import argparse
import contextlib
import glob
import io
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import traceback
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))
GOLDEN, SHIPPED = os.path.join(SOURCES, "tests", "golden"), os.path.join(SOURCES, "resources", "models")
sys.path[:0] = [os.path.join(SOURCES, "resources", "export"), GOLDEN]

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import data  # noqa: E402
import make_golden_kinds  # noqa: E402
import modeling  # noqa: E402
import safetensors_file  # noqa: E402
import tokenization  # noqa: E402
import train  # noqa: E402

TOLERANCE = 1e-5
wrong = 0


def tell(right, what):
    global wrong
    wrong += not right
    print(("ok     " if right else "WRONG  ") + what, flush=True)


def run(*command, text=None, folder=None, environment=()):
    """-> standard output, where the command succeeds"""
    done = subprocess.run(command, input=text, cwd=folder, capture_output=True, encoding="utf-8",
                          env={**os.environ, "OMP_NUM_THREADS": "1", **dict(environment)}, check=False)
    if done.returncode:
        raise SystemExit(f"check_export: error: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def json_lines(text):
    return [json.loads(line) for line in text.strip().split("\n")]


class Exported:
    """A model, and its folder."""

    def __init__(self, cli, model, folder):
        self.cli, self.model, self.name = cli, model, os.path.splitext(os.path.basename(model))[0]
        self.folder = os.path.join(folder, self.name)
        if not os.path.exists(self.folder):
            run(cli, "export", model, "--format", "pytorch", "--out", self.folder)

    def program(self, script, *arguments, text=None):
        return run(sys.executable, os.path.join(self.folder, script), *arguments, text=text, folder=self.folder)

    def random_sentences(self, count):
        with open(os.path.join(self.folder, "source_tokenizer.json"), encoding="utf-8") as file:
            words = [word for word in json.load(file)["tokens"][4:] if word.isalpha()]
        chance = random.Random(1)
        return [" ".join(chance.choice(words) for _ in range(chance.randint(1, 9))) for _ in range(count)]


def check_logits(cli, folder):
    """What PyTorch computed with the golden models, the exported code computes."""
    for path in sorted(glob.glob(os.path.join(GOLDEN, "*.expected.safetensors"))):
        exported = Exported(cli, path.replace(".expected", ""), folder)
        model, config = modeling.load_model(exported.folder), modeling.Config.read(exported.folder)
        expected, _ = safetensors_file.load(path)
        with torch.no_grad():
            read = ["ids"] if "trace.ids" in expected else ["source.ids", "target.ids"]
            logits = model(*(expected["trace." + name][None] for name in read))[0]
            wanted = expected["trace.logits"]
            apart = (logits.reshape(wanted.shape) - wanted).abs().max().item()
            loss_apart = 0.0
            if "batch.source" in expected:
                lengths = (expected["batch.source"] != config.pad_id).sum(1)
                logits = model(expected["batch.source"], expected["batch.target_input"], lengths)
                loss = F.cross_entropy(logits.flatten(0, 1), expected["batch.target_output"].flatten(), ignore_index=0)
                loss_apart = (loss - expected["loss_unsmoothed"]).abs().item()
        tell(max(apart, loss_apart) < TOLERANCE, f"{exported.name}: logits {apart:.2g} apart, batch's loss {loss_apart:.2g}")


def difficult_lines():
    with open(os.path.join(GOLDEN, "tokenizers", "lines.qz"), "rb") as file:
        text = zlib.decompress(file.read()[4:]).decode("utf-8", "replace")
    lines = (line.replace("\t", " ").replace("\r", " ").replace("\0", "").strip() for line in text.split("\n"))
    return [line for line in lines if line]


def check_tokenizers(cli, folder):
    """Python cuts difficult lines as the program does: every fourth, seven ways."""
    path, model = os.path.join(folder, "lines"), os.path.join(folder, "lines.safetensors")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(difficult_lines()[::4]) + "\n")
    codes = os.path.join(folder, "codes")
    with open(codes, "w", encoding="utf-8", newline="\n") as file:
        file.write(run(cli, "bpe", "learn", "--merges", "200", text="\n".join(difficult_lines()[::4]) + "\n"))
    for kind in (["word"], ["word", "--lowercase"], ["char"], ["bpe:300"], ["bpe:300", "--min-count", "4"],
                 ["bpe:300", "--joint-bpe"], ["whitespace", "--source-codes", codes]):
        run(cli, "train", "--source-file", path, "--target-file", path, "--arch", "rnn", "--hidden-size", "4",
            "--embedding-size", "4", "--steps", "1", "--batch-size", "1", "--max-length", "9000", "--out", model,
            "--tokenizer", *kind)
        description = json.loads(safetensors_file.load(model)[1]["headlight.tokenizer.source"])
        tokenizer = tokenization.make_tokenizer(description)
        lines = [line for line in difficult_lines()[::4] if tokenizer.split(line)]
        told = json_lines(run(cli, "translate", model, "-", "--json", "--max-length", "1", text="\n".join(lines) + "\n"))
        same = sum([tokenizer.tokens[id] for id in tokenizer.encode(line)] == each["tokens"]
                   for line, each in zip(lines, told))
        tell(same == len(lines) == len(told), f"{' '.join(kind[:2])}: {same} of {len(lines)} lines cut alike")


def alike(ours, theirs):
    """The same lines; a score before a tab may end in another digit."""
    rows = [[line.split("\t") for line in text.split("\n")] for text in (ours, theirs)]
    return len(rows[0]) == len(rows[1]) and all(
        a[-1] == b[-1] and (len(a) == len(b) == 1 or abs(float(a[0]) - float(b[0])) < 2e-4) for a, b in zip(*rows))


def check_texts(cli, folder):
    """The programs of a folder say what headlight-cli says."""
    for name in ("vi-en-transformer", "vi-en-rnn", "vi-en-gru", "vi-en-long-lstm-attention", "chat-gru-attention"):
        exported = Exported(cli, os.path.join(SHIPPED, name + ".safetensors"), folder)
        lines = "\n".join(exported.random_sentences(20)) + "\n"
        for options in ([], ["--beam", "4", "--n-best", "2"], ["--beam", "3", "--length-penalty", "gnmt:0.6"],
                        ["--beam", "3", "--length-penalty", "power:0.5", "--n-best", "3"]):
            ours = run(cli, "translate", exported.model, "-", *options, text=lines)
            theirs = exported.program("translate.py", *options, text=lines)
            tell(alike(ours, theirs) and len(ours) > 100, f"{name}: 20 sentences translated alike {' '.join(options)}")
    for name in ("stories-lstm", "stories-transformer"):
        exported = Exported(cli, os.path.join(SHIPPED, name + ".safetensors"), folder)
        for prompt in exported.random_sentences(3):
            options = ["--prompt", prompt, "--temperature", "0", "--max-length", "90"]
            tell(run(cli, "generate", exported.model, *options) == exported.program("generate.py", *options),
                 f"{name}: goes on alike with {prompt!r}")
    exported = Exported(cli, os.path.join(SHIPPED, "sentiment-transformer.safetensors"), folder)
    config, trace = modeling.Config.read(exported.folder), os.path.join(folder, "trace")
    _, target = tokenization.load_tokenizers(exported.folder)
    for sentence in exported.random_sentences(5):
        run(cli, "trace", exported.model, "--source", sentence, "--out", trace)
        log_probs = safetensors_file.load(trace)[0]["log_probs"].flatten()
        ours = f"{target.tokens[config.first_label + int(log_probs.argmax())]}\t{log_probs.max().exp().item():.4f}\n"
        tell(ours == exported.program("classify.py", sentence), f"classifier: the same label for {sentence!r}")


def training_corpus(exported, kind):
    """Sentences that the model can read, as a file of its kind -> options that name it."""
    sentences, path = exported.random_sentences(32), os.path.join(exported.folder, "corpus")
    with open(path, "w", encoding="utf-8") as file:
        for i, sentence in enumerate(sentences):
            other = exported.target_words[i % len(exported.target_words)]
            file.write(sentence + ("\n" if kind == "--text-file" else f"\t{other}\n"))
    return [kind, path]


def check_training(cli, folder):
    """The first loss is headlight-cli's of the same file; two processes make the steps of one."""
    for name, kind in (("vi-en-transformer", "--pairs"), ("chat-gru-attention", "--pairs"),
                       ("stories-transformer", "--text-file"), ("stories-lstm", "--text-file"),
                       ("sentiment-transformer", "--pairs")):
        exported = Exported(cli, os.path.join(SHIPPED, name + ".safetensors"), folder)
        exported.target_words = tokenization.load_tokenizers(exported.folder)[1].tokens[4:]
        data = training_corpus(exported, kind)
        measured = [data[0].replace("--", "--validation-"), data[1]]
        ours = json.loads(run(cli, "evaluate", exported.model, *data, "--json"))["loss"]
        options = [*data, *measured, "--steps", "10", "--dropout", "0", "--label-smoothing", "0", "--report-every", "1"]
        # In training windows of text overlap: the loss of the first step is of other windows than evaluate's.
        first = 1 if kind == "--pairs" else 0
        losses = []
        for processes in (1, 2):
            train, out = os.path.join(exported.folder, "train.py"), os.path.join(exported.folder, f"out{processes}")
            start = [sys.executable, train] if processes == 1 else [
                sys.executable, "-m", "torch.distributed.run", "--redirects", "1", "--tee", "1", "--nproc_per_node",
                "2", "--standalone", train]
            lines = run(*start, *options, "--out", out, folder=exported.folder).strip().split("\n")
            told = [json.loads(line[line.index("{"):]) for line in lines]
            losses.append([line.get("loss", line.get("validation_loss")) for line in told[:-1]])
            tell(abs(losses[-1][first] - ours) < TOLERANCE,
                 f"{name}, {processes} process(es): first loss {losses[-1][first]:.7f}, headlight-cli's {ours:.7f}")
            behind = json.loads(run(cli, "evaluate", out, *data, "--json"))["loss"]
            tell(abs(losses[-1][-1] - behind) < TOLERANCE and behind < ours,
                 f"{name}: after ten steps {losses[-1][-1]:.7f}, headlight-cli opens it and finds {behind:.7f}")
        apart = max(abs(a - b) for a, b in zip(*losses))
        tell(apart < 1e-3 and len(losses[0]) == len(losses[1]) == 12,
             f"{name}: ten losses on one process and on two at most {apart:.2g} apart")


def check_masked(cli, folder):
    """fill.py fills in what headlight-cli's trace finds likeliest; train.py's loss is the engine's."""
    for path, words in ((os.path.join(GOLDEN, "kind_bert.safetensors"), None),
                        (os.path.join(GOLDEN, "foreign", "bert"), range(47)),
                        (os.path.join(GOLDEN, "foreign", "distilbert_settings"), range(45))):
        exported = Exported(cli, path, folder)
        config, (tokenizer, _) = modeling.Config.read(exported.folder), tokenization.load_tokenizers(exported.folder)
        ordinary = [tokenizer.tokens[id] for id in range(4, 11)] if words is None else [str(id) for id in words]
        mask = tokenizer.tokens[config.mask_id] if words is None else str(config.mask_id)
        chance, same = random.Random(2), 0
        for _ in range(5):
            text = [chance.choice(ordinary) for _ in range(8)]
            text[chance.randrange(8)] = text[chance.randrange(8)] = mask
            trace = os.path.join(folder, "trace")
            run(cli, "trace", exported.model, "--source", " ".join(text), "--out", trace)
            traced, _ = safetensors_file.load(trace)
            best = traced["log_probs"].argmax(-1)
            filled = torch.where(traced["ids"] == config.mask_id, best, traced["ids"]).tolist()
            same += tokenizer.decode(filled) + "\n" == exported.program("fill.py", " ".join(text))
        tell(same == 5, f"{exported.name}: {same} of 5 texts filled in alike")
    check_masked_training(cli, Exported(cli, os.path.join(GOLDEN, "kind_bert.safetensors"), folder))


def check_masked_training(cli, exported):
    """Which words are taken out follows from random numbers, which are PyTorch's there: the loss is compared on the words
    that the engine takes out, which the golden file's maker repeats."""
    config, model = modeling.Config.read(exported.folder), modeling.load_model(exported.folder)
    expected, _ = safetensors_file.load(exported.model.replace(".safetensors", ".expected.safetensors"))
    windows = make_golden_kinds.WINDOWS
    read, asked = make_golden_kinds.mask_words(windows)
    drawn = [(ids, [dict((place, word) for b, place, word in asked if b == each).get(i, data.IGNORED)
                    for i in range(len(ids))]) for each, ids in enumerate(read)]
    ours, draws = data.mask_words, iter(drawn)
    data.mask_words = lambda *_: next(draws)
    loss, count = train.summed_loss(model, [([], window) for window in windows], config, "cpu", None)
    data.mask_words = ours
    apart = abs(loss.item() / count.item() - expected["loss_unsmoothed"].item())
    tell(apart < TOLERANCE and count == len(asked), f"{exported.name}: train.py's loss {apart:.2g} apart from the engine's")
    # As many words are asked for as there, of whatever draw.
    counts = [(length, sum(word != data.IGNORED for word in data.mask_words([5] * length, config, random.Random(1))[1]))
              for length in range(1, 64)]
    tell(all(count == max(1, math.floor(0.15 * length + 0.5)) for length, count in counts),
         f"{exported.name}: train.py asks for as many words as the engine, of 1 to 63")
    text, out = os.path.join(exported.folder, "text"), os.path.join(exported.folder, "out")
    words = [tokenization.load_tokenizers(exported.folder)[0].tokens[id] for id in range(4, 11)]
    with open(text, "w", encoding="utf-8") as file:
        file.write("\n".join(" ".join(words[(i + j) % 7] for j in range(7)) for i in range(30)) + "\n")
    evaluated = lambda model: json.loads(run(cli, "evaluate", model, "--text-file", text, "--json"))["loss"]
    lines = exported.program("train.py", "--text-file", text, "--steps", "60", "--out", out)
    losses = [each["loss"] for each in json_lines(lines) if "loss" in each]
    before, behind = evaluated(exported.model), evaluated(out)
    tell(behind < before - 0.5, f"{exported.name}: after 60 steps of train.py {losses[0]:.3f} became {losses[-1]:.3f}, and "
         f"headlight-cli's loss of the file {before:.3f} became {behind:.3f}")


def check_traces(cli, folder):
    """NumPy and JSON read what safetensors holds."""
    import numpy

    model, paths = os.path.join(SHIPPED, "vi-en-transformer.safetensors"), {}
    for end in ("npz", "json", "safetensors"):
        paths[end] = os.path.join(folder, "trace." + end)
        run(cli, "trace", model, "--source", "tôi yêu bạn", "--out", paths[end])
    tensors, metadata = safetensors_file.load(paths["safetensors"])
    with open(paths["json"], encoding="utf-8") as file:
        lists = json.load(file)
    with numpy.load(paths["npz"]) as arrays:
        same = all(numpy.array_equal(arrays[name], tensor.numpy()) and arrays[name].dtype == tensor.numpy().dtype
                   for name, tensor in tensors.items())
        tokens = {side: arrays["tokens." + side].tolist() for side in ("source", "target")}
        tell(same and len(arrays.files) == len(tensors) + 2, f"traces: NumPy reads {len(tensors)} values as they are")
    def numbers(name):
        values = numpy.array(lists["values"][name]["values"], dtype=object)
        values[values == None] = -numpy.inf  # noqa: E711
        return values.astype(tensors[name].numpy().dtype)

    tell(all(numpy.array_equal(numbers(name), tensor.numpy()) for name, tensor in tensors.items())
         and len(lists["values"]) == len(tensors), "traces: JSON holds the same numbers")
    tell(tokens == lists["tokens"] == {side: json.loads(metadata["headlight.tokens." + side]) for side in tokens},
         "traces: and the same words")


def printed_alike(ours, theirs):
    """The same text; of a number the last digit may be another, as it was rounded from another sum."""
    number = re.compile(r"-?\d+\.\d+")
    if number.sub("#", ours) != number.sub("#", theirs):
        return False
    return all(len(a) == len(b) and abs(float(a) - float(b)) < 1.5 * 10 ** -len(a.partition(".")[2])
               for a, b in zip(number.findall(ours), number.findall(theirs)))


def run_lines(code, folder):
    """-> what the lines print, as a file of that folder would; the traceback where they fail. In this process, as to
    import torch anew takes longer than all that they do; the folder's modules are its own each time."""
    names = {name[: -len(".py")] for name in os.listdir(os.path.join(SOURCES, "resources", "export"))}
    ours, here = {name: sys.modules.pop(name) for name in names & set(sys.modules)}, os.getcwd()
    printed, mistake = io.StringIO(), ""
    sys.path.insert(0, folder)
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "lesson.py", "exec"), {"__name__": "__main__"})
    except Exception:
        mistake = traceback.format_exc()
    finally:
        os.chdir(here)
        sys.path.remove(folder)
        for name in names & set(sys.modules):
            del sys.modules[name]
        sys.modules.update(ours)
    return printed.getvalue(), mistake


def check_lessons(cli, folder):
    """The lines of PyTorch in each lesson print, on the exported model, what the lesson says."""
    programs = json_lines(run(cli, "lessons", "programs", os.path.join(SOURCES, "lessons")))
    for program in programs:
        exported = Exported(cli, os.path.join(SHIPPED, program["model"] + ".safetensors"), folder)
        printed, mistake = run_lines(program["code"], exported.folder)
        where = f"{os.path.relpath(program['lesson'], SOURCES)}:{program['line']}"
        same = not mistake and printed_alike(program["prints"], printed.strip())
        tell(same, where + (" prints what the lesson says" if same else
                            f" prints\n{printed}{mistake}where the lesson says\n{program['prints']}"))
    # A program that fails is noticed (nothing of ours is there), and an answer that is another by a little more.
    failed = run_lines("print(1)\nprint(math.pi)", folder)
    tell(failed[0] == "1\n" and "NameError" in failed[1], "lines that need what they do not import fail")
    tell(programs and not printed_alike("0.1234 a", "0.1236 a") and not printed_alike("0.1 a", "0.1 b")
         and printed_alike("0.1234 a", "0.1235 a"), f"{len(programs)} programs of lessons")


CHECKS = {"logits": check_logits, "tokenizers": check_tokenizers, "texts": check_texts, "training": check_training,
          "masked": check_masked, "traces": check_traces, "lessons": check_lessons}


def main():
    parser = argparse.ArgumentParser(description="Holds exported folders to headlight-cli.")
    parser.add_argument("cli", metavar="HEADLIGHT-CLI")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CHECKS)}; none: all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or CHECKS:
            CHECKS[name](os.path.abspath(options.cli), folder)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
