# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of text -> examples of ids -> batches of tensors, as headlight-cli train makes them."""
import random
import sys
import unicodedata

import torch

IGNORED = -100  # a wanted word that no loss is asked of
POOL = 50       # batches whose examples are sorted together: little padding, and still shuffled


def fail(what):
    sys.exit(f"train.py: error: {what}")


def read_lines(path):
    try:
        with open(path, encoding="utf-8-sig", newline="\n") as file:
            return [unicodedata.normalize("NFC", line.rstrip("\n").removesuffix("\r")) for line in file]
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path} cannot be read as text in UTF-8 ({error})")


def read_pairs(path):
    """Source, tab, target; what stands behind a second tab is left out."""
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < 2 or not columns[0] or not columns[1]:
            fail(f"{path}, line {number}: write the source, a tab and the target")
        pairs.append((columns[0], columns[1]))
    return pairs


def read_parallel(source_path, target_path):
    sources, targets = read_lines(source_path), read_lines(target_path)
    if len(sources) != len(targets):
        fail(f"{source_path} has {len(sources)} lines and {target_path} {len(targets)}: they must match line by line")
    return [(source.strip(), target.strip()) for source, target in zip(sources, targets)]


def running_text(lines, reading):
    """The lines that are not blank, each with what joins it to the one before: a break, a blank line or a space."""
    blank = begun = was_indented = False
    for line in lines:
        indented = line[:1] in (" ", "\t")
        if not line.strip():
            blank = True
            continue
        if reading == "breaks":
            joint, line = "\n\n" if blank else "\n", line.rstrip(" \t")
        else:
            joint, line = "\n" if blank or indented and not was_indented else " ", line.strip()
        yield joint + line if begun else line
        blank, begun, was_indented = False, True, indented


def windows(lines, tokenizer, config, training, reading):
    """A text as one run of ids, cut into windows. Of a sentence a line each is ended by <eos>, and in training the
    windows slide by half of one; running text is seen once."""
    text = []
    if reading:
        for line in running_text(lines, reading):
            text += tokenizer.encode(line)
    else:
        for line in lines:
            ids = tokenizer.encode(line)
            text += ids + [config.eos_id] if ids else []
    length = max(1, config.max_length - 1) if config.architecture == "masked-language-model" else config.max_length
    stride, found = max(1, length // 2) if training and not reading else length, []
    for first in range(0, len(text) - 1, stride):
        found.append(([], text[first : first + length + 1]))
        if first + length + 1 >= len(text):
            break
    return found


def examples_of(options, prefix, tokenizers, config, training):
    """-> [(source ids, target ids)]; what the model cannot read is left out"""
    given = {name: getattr(options, prefix + name, None) for name in ("pairs", "source_file", "target_file", "text_file")}
    if config.architecture in ("language-model", "rnn-language-model", "masked-language-model"):
        if not given["text_file"]:
            return []
        return windows(read_lines(given["text_file"]), tokenizers[1], config, training, options.running_text)
    if not given["pairs"] and not given["source_file"]:
        return []
    pairs = read_pairs(given["pairs"]) if given["pairs"] else read_parallel(given["source_file"], given["target_file"])
    source, target = tokenizers
    # What puts nothing before a sentence by itself reads what its tokenizer puts around it.
    as_it_stands = config.architecture == "encoder-classifier" and not config.starts_at_bos
    encode = source.encode_input if as_it_stands else source.encode
    found = [(encode(a), target.encode(b)) for a, b in pairs]
    if config.architecture == "encoder-classifier":
        for (_, label), (_, ids) in zip(pairs, found):
            if len(ids) != 1 or ids[0] < config.first_label:
                fail(f"{label!r} is no label that the model knows")
        return [pair for pair in found if 0 < len(pair[0]) <= config.max_length - len(config.before)]
    return [pair for pair in found if 0 < len(pair[0]) <= config.max_length and len(pair[1]) < config.max_length]


def batches(examples, size, seed):
    """Without end: examples of like lengths together, shuffled anew for each epoch, the same for the same seed."""
    epoch = 0
    while True:
        shuffled = random.Random(f"{seed} {epoch}")
        order = list(range(len(examples)))
        shuffled.shuffle(order)
        pools = [order[start : start + size * POOL] for start in range(0, len(order), size * POOL)]
        length = lambda i: (len(examples[i][1]), len(examples[i][0]))
        order = [i for pool in pools for i in sorted(pool, key=length)]
        groups = [order[start : start + size] for start in range(0, len(order), size)]
        shuffled.shuffle(groups)
        for group in groups:
            yield [examples[i] for i in group]
        epoch += 1


def padded(rows, filler, device):
    width = max(map(len, rows))
    return torch.tensor([row + [filler] * (width - len(row)) for row in rows], device=device)


def lengths_of(rows, device):
    return torch.tensor([len(row) for row in rows], device=device)


def mask_words(window, config, chance):
    """BERT's task: 15 % of the words are asked for; of these 8 in 10 become the mask, 1 in 10 another word."""
    special = {config.pad_id, config.bos_id, config.eos_id, config.separator_id, config.mask_id}
    places = [i for i, id in enumerate(window) if id not in special]
    asked = sorted(chance.sample(places, max(1, int(0.15 * len(places) + 0.5)))) if places else [0]
    read, wanted = list(window), [IGNORED] * len(window)
    for place in asked:
        wanted[place], ticket = window[place], chance.random()
        if ticket < 0.8:
            read[place] = config.mask_id
        elif ticket < 0.9:
            read[place] = chance.randrange(config.source_vocab_size)
    return read, wanted


def tensors(batch, config, device, chance):
    """-> what the model is called with, and the ids that it should say (IGNORED: nobody asks)"""
    sources, targets = [source for source, _ in batch], [target for _, target in batch]
    if config.translates:
        inputs = [[config.decoder_start_id] + target for target in targets]
        wanted = [target + [config.eos_id] for target in targets]
        given = padded(sources, config.pad_id, device), padded(inputs, config.pad_id, device)
        return (*given, lengths_of(sources, device)), padded(wanted, IGNORED, device)
    if config.architecture == "encoder-classifier":
        read = [config.before + source for source in sources]
        wanted = torch.tensor([target[0] - config.first_label for target in targets], device=device)
    elif config.architecture == "masked-language-model":
        read, answers = zip(*(mask_words(target, config, chance) for target in targets))
        wanted = padded(answers, IGNORED, device)
    else:
        read = [target[:-1] for target in targets]
        wanted = padded([target[1:] for target in targets], IGNORED, device)
    return (padded(read, config.pad_id, device), lengths_of(read, device)), wanted
