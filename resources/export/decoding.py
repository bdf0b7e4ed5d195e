# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing: translations by beam search, texts word by word. What is read is computed anew at each word: plain, and for
sentences fast enough."""
import math

import torch


def penalized(log_prob, length, penalty):
    """The score of a hypothesis of `length` words, <eos> among them: none, average, gnmt:ALPHA (Wu et al. 2016), or
    power:ALPHA."""
    kind, _, alpha = penalty.partition(":")
    if kind == "none":
        return log_prob
    if kind == "average":
        return log_prob / length
    if kind == "power":
        return log_prob / length ** float(alpha)
    return log_prob / ((5 + length) / 6) ** float(alpha)


class Hypothesis:
    def __init__(self, tokens=(), log_prob=0.0):
        self.tokens, self.log_prob, self.score, self.finished = list(tokens), log_prob, 0.0, False

    def extended(self, token, log_prob, penalty):
        longer = Hypothesis(self.tokens + [token], self.log_prob + log_prob)
        longer.score = penalized(longer.log_prob, len(longer.tokens), penalty)
        return longer


def log_probs_of(logits, forbidden):
    """Words that are never written have no probability, and the others share theirs."""
    logits = logits.clone()
    logits[:, forbidden] = -math.inf
    return torch.log_softmax(logits, dim=-1).double()


def best_continuations(live, log_probs, count):
    """The likeliest (parent, word, log probability), best first; equals by parent, then by word."""
    sums = torch.tensor([each.log_prob for each in live], dtype=torch.float64)[:, None] + log_probs.cpu()
    values, places = sums.flatten().topk(min(count, sums.numel()))
    order = sorted(range(len(places)), key=lambda i: (-values[i].item(), places[i].item()))
    words = log_probs.shape[1]
    found = [(int(places[i]) // words, int(places[i]) % words) for i in order if values[i] > -math.inf]
    return [(parent, word, log_probs[parent, word].item()) for parent, word in found]


@torch.no_grad()
def beam_search(model, config, source, beam=1, penalty="average", max_length=0):
    """Hypotheses of one sentence of ids, the best first. Of the 2K best continuations of the K that are kept, those
    among the first K that end are finished, and the best K others go on."""
    device = next(model.parameters()).device
    memory = model.encode(torch.tensor([source], device=device))
    limit = min(max_length or config.max_length, config.max_length)
    live, finished = [Hypothesis()], []
    for step in range(limit):
        rows = torch.tensor([[config.decoder_start_id] + each.tokens for each in live], device=device)
        shared = {name: value.expand(len(live), *value.shape[1:]) for name, value in memory.items()}
        log_probs = log_probs_of(model.decode(rows, shared)[:, -1], config.forbidden_ids)
        if step == 0 and config.forced_first_id >= 0:
            live = [live[0].extended(config.forced_first_id, 0.0, penalty)]  # no other is possible: it costs nothing
            continue
        going_on = []
        for rank, (parent, word, log_prob) in enumerate(best_continuations(live, log_probs, 2 * beam)):
            longer = live[parent].extended(word, log_prob, penalty)
            if word in config.ends:
                longer.finished = True
                finished += [longer] if rank < beam else []
            elif len(going_on) < beam:
                going_on.append(longer)
        live = going_on
        if not live or len(finished) >= beam:
            break
    best_first = lambda some: sorted(some, key=lambda each: -each.score)
    return best_first(finished) + best_first(live)


def candidates(logits, config, temperature, top_k, top_p):
    """-> words, their probabilities: the likeliest first"""
    never = list({*config.forbidden_ids, *({config.pad_id, config.bos_id} - config.ends)})
    logits = logits.double().cpu().clone()
    logits[never] = -math.inf
    probabilities = torch.softmax(logits / (temperature or 1), dim=-1)
    probabilities, words = probabilities.sort(descending=True, stable=True)
    kept = 1 if temperature == 0 else top_k or len(words)
    probabilities, words = probabilities[:kept], words[:kept]
    if top_p < 1:
        before = (probabilities / probabilities.sum()).cumsum(0) - probabilities / probabilities.sum()
        probabilities, words = probabilities[before < top_p], words[before < top_p]
    return words, probabilities / probabilities.sum()


@torch.no_grad()
def generate(model, config, prompt, max_length=50, temperature=1.0, top_k=0, top_p=1.0, seed=1):
    """The words behind a prompt of ids, with <eos> where it was reached. A text that has grown longer than the model
    reads is read from its last half on."""
    device = next(model.parameters()).device
    random = torch.Generator().manual_seed(seed)
    text = ([config.eos_id] if config.starts_at_end else []) + list(prompt)
    text = text or [config.bos_id]
    window, written = list(text), []
    while len(written) < max_length and not config.ends.intersection(written):
        logits = model(torch.tensor([window], device=device))[0, -1]
        words, probabilities = candidates(logits, config, temperature, top_k, top_p)
        written.append(int(words[torch.multinomial(probabilities, 1, generator=random)]))
        if len(window) == config.max_length:
            window = (text + written[:-1])[-(config.max_length // 2):]
        window = window + written[-1:]
    return written
