#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the golden files of Transformers that are not the paper's: of the shapes of GPT-2, Llama, BERT, Marian, BART,
T5, Gemma, GPT-NeoX, Phi, ELECTRA and ModernBERT, with random weights, as make_golden.py and make_golden_stack.py do for the others. The model is written here in
PyTorch, over whole padded batches; the numpy recomputation of check_trace.py, sentence by sentence, must agree with it.

    /usr/bin/python3 make_golden_kinds.py [--out-dir DIR]
"""
import argparse
import json
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

import check_trace
import make_golden as golden
import make_golden_stack as stacks
from safetensors_file import save

VOCABULARY, MASK, SEPARATOR = 13, 12, 11
SPECIAL = {"pad_id": golden.PAD, "bos_id": golden.BOS, "eos_id": golden.EOS, "unk_id": golden.UNK}
COMMON = {
    **SPECIAL, "d_model": 16, "num_heads": 4, "d_ff": 24, "dropout": 0.0, "activation": "gelu", "norm_order": "post",
    "final_norm": False, "layer_norm_eps": 1e-5, "positional_encoding": "learned", "positional_base": 10000,
    "positional_combine": "add", "scale_embeddings": False, "max_length": 12, "tie_embeddings": True,
    "source_vocab_size": VOCABULARY, "target_vocab_size": VOCABULARY}
PAIR = {**COMMON, "architecture": "transformer", "num_encoder_layers": 2, "num_decoder_layers": 2,
        "share_embeddings": True, "decoder_start_id": golden.EOS}
LABELS = 3
LABELLED = {**{key: value for key, value in COMMON.items() if key != "tie_embeddings"}, "architecture": "encoder-classifier",
            "starts_at_bos": False, "target_vocab_size": 4 + LABELS}
CASES = {
    "kind_gpt2": {
        **COMMON, "architecture": "language-model", "num_layers": 2, "norm_order": "pre", "final_norm": True,
        "activation": "gelu_tanh", "output_bias": False, "scale_scores_by_layer": True, "starts_at_end": False},
    # As nanoGPT trains it with bias=False, and with CLIP's activation, which nobody else here has.
    "kind_gpt2_without_biases": {
        **COMMON, "architecture": "language-model", "num_layers": 1, "norm_order": "pre", "final_norm": True,
        "activation": "quick_gelu", "output_bias": False, "bias": "none", "starts_at_end": False},
    "kind_llama": {
        **COMMON, "architecture": "language-model", "num_layers": 2, "norm_order": "pre", "final_norm": True,
        "norm": "rms", "layer_norm_eps": 1e-6, "activation": "silu", "gated_ffn": True, "num_kv_heads": 2,
        "bias": "none", "output_bias": False, "positional_encoding": "rotary", "tie_embeddings": False,
        "starts_at_end": False},
    "kind_bert": {
        **COMMON, "architecture": "masked-language-model", "num_layers": 2, "layer_norm_eps": 1e-12,
        "embedding_norm": True, "token_types": 2, "separator_id": SEPARATOR, "mask_id": MASK},
    "kind_marian": {
        **PAIR, "activation": "silu", "positional_encoding": "sinusoidal", "sinusoid_layout": "halves",
        "scale_embeddings": True, "forbidden_ids": [golden.PAD]},
    "kind_bart": {**PAIR, "position_offset": 2, "share_positions": False, "embedding_norm": True},
    "kind_t5": {
        **PAIR, "norm": "rms", "layer_norm_eps": 1e-6, "norm_order": "pre", "final_norm": True, "bias": "none",
        "activation": "gelu_tanh", "gated_ffn": True, "head_size": 6, "positional_encoding": "relative",
        "relative_buckets": 8, "relative_max_distance": 10, "scale_scores": False, "output_bias": False,
        "scale_output": True},
    "kind_bert_classifier": {
        **LABELLED, "num_layers": 2, "layer_norm_eps": 1e-12, "embedding_norm": True, "token_types": 2,
        "separator_id": SEPARATOR, "pooler": "tanh"},
    "kind_distilbert_classifier": {
        **LABELLED, "num_layers": 1, "layer_norm_eps": 1e-12, "embedding_norm": True, "pooler": "relu"},
    # Gemma's, with all that one layer or another of its generations has, and Llama 3's scaled angles.
    "kind_gemma": {
        **COMMON, "architecture": "language-model", "num_layers": 2, "norm_order": "pre", "final_norm": True,
        "norm": "rms", "layer_norm_eps": 1e-6, "norm_from_one": True, "output_norms": True, "head_norms": True,
        "activation": "gelu_tanh", "gated_ffn": True, "num_kv_heads": 2, "head_size": 6, "bias": "none",
        "output_bias": False, "positional_encoding": "rotary", "positional_base": 500, "scale_embeddings": True,
        "sliding_window": 3, "window_layers": [0], "window_base": 50, "rotary_scaling": "llama3", "rotary_factor": 4,
        "rotary_low_factor": 1, "rotary_high_factor": 3, "rotary_original_length": 20, "query_scale": 5,
        "score_cap": 2, "logit_cap": 3, "starts_at_end": False},
    # GPT-NeoX's, and Phi's with one norm; maps that have biases and maps that have none.
    "kind_neox": {
        **COMMON, "architecture": "language-model", "num_layers": 2, "norm_order": "pre", "final_norm": True,
        "parallel": "two_norms", "positional_encoding": "rotary", "rotary_size": 2, "output_bias": False,
        "tie_embeddings": False, "out_proj_bias": "none", "starts_at_end": False},
    "kind_phi": {
        **COMMON, "architecture": "language-model", "num_layers": 2, "norm_order": "pre", "final_norm": True,
        "parallel": "one_norm", "activation": "gelu_tanh", "positional_encoding": "rotary", "rotary_size": 2,
        "rotary_scaling": "linear", "rotary_factor": 2.5, "sliding_window": 4, "bias": "none", "qkv_bias": "all",
        "ffn_bias": "all", "tie_embeddings": False, "starts_at_end": False},
    # ELECTRA's generator, whose words are narrower than its layers.
    "kind_electra": {
        **COMMON, "architecture": "masked-language-model", "num_layers": 1, "layer_norm_eps": 1e-12,
        "embedding_norm": True, "word_width": 6, "token_types": 2, "separator_id": SEPARATOR, "mask_id": MASK},
    # ModernBERT's classifier: windows on both sides, no norm before the first attention, a head with a norm.
    "kind_modernbert_classifier": {
        **LABELLED, "num_layers": 3, "norm_order": "pre", "final_norm": True, "embedding_norm": True, "bias": "none",
        "first_norm": False, "gated_ffn": True, "positional_encoding": "rotary", "positional_base": 500,
        "sliding_window": 2, "window_layers": [1, 2], "window_base": 50, "pooler": "gelu_norm"},
}
ACTIVATIONS = {**golden.ACTIVATIONS, "silu": F.silu, "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x)}


def shapes(config):
    """The tensors of the model file, in any order."""
    d, f, v = config["d_model"], config["d_ff"], VOCABULARY
    heads, groups = config["num_heads"], config.get("num_kv_heads") or config["num_heads"]
    width = config.get("head_size") or d // heads
    found = {}

    def biased(key):
        own = config.get(key, "as_others")
        return config.get("bias", "all") == "all" if own == "as_others" else own == "all"

    def linear(name, out, into, key="bias"):
        found[name + ".weight"] = (out, into)
        if biased(key):
            found[name + ".bias"] = (out,)

    def norm(name, width=d):
        found[name + ".weight"] = (width,)
        if config.get("norm") != "rms" and config.get("bias") != "none":
            found[name + ".bias"] = (width,)

    def attention(name):
        found[name + ".in_proj_weight"] = ((heads + 2 * groups) * width, d)
        if biased("qkv_bias"):
            found[name + ".in_proj_bias"] = ((heads + 2 * groups) * width,)
        linear(name + ".out_proj", d, heads * width, "out_proj_bias")
        if config.get("head_norms"):
            found[name + ".q_norm.weight"] = found[name + ".k_norm.weight"] = (width,)

    def stack(scope, count, blocks):
        for i in range(count):
            name = f"transformer.{scope}layers.{i}"
            for block in blocks:
                attention(f"{name}.{block}")
            linear(name + ".linear1", f, d, "ffn_bias")
            linear(name + ".linear2", d, f, "ffn_bias")
            if config.get("gated_ffn"):
                linear(name + ".linear_up", f, d, "ffn_bias")
            for number in range(1, len(blocks) + (1 if config.get("parallel") == "one_norm" else 2)):
                if number > 1 or i > 0 or config.get("first_norm", True):
                    norm(f"{name}.norm{number}")
                if config.get("output_norms"):
                    norm(f"{name}.output_norm{number}")
        if config["final_norm"]:
            norm(f"transformer.{scope}norm")
        if config["positional_encoding"] == "relative":
            found[f"transformer.{scope}relative_bias.weight"] = (config["relative_buckets"], heads)

    words = config.get("word_width") or d
    found["embedding.weight"] = (v, words)
    pair = config["architecture"] == "transformer"
    for side in ("source_", "target_") if pair else ("",):
        if config["positional_encoding"] == "learned":
            name = "positions.weight" if config.get("share_positions", True) else side + "positions.weight"
            found[name] = (config["max_length"] + config.get("position_offset", 0), words)
        if config.get("embedding_norm"):
            norm(side + "embedding_norm", words)
    if config.get("token_types"):
        found["token_types.weight"] = (config["token_types"], words)
    if words != d:
        found["word_map.weight"], found["word_map.bias"] = (d, words), (d,)
    if pair:
        stack("encoder.", config["num_encoder_layers"], ["self_attn"])
        stack("decoder.", config["num_decoder_layers"], ["self_attn", "multihead_attn"])
    else:
        stack("", config["num_layers"], ["self_attn"])
    if config["architecture"] == "masked-language-model":
        linear("transform", words, d)
        norm("transform_norm", words)
    if config["architecture"] == "encoder-classifier":
        found["pooler.weight"] = (d, d)
        if config["pooler"] == "gelu_norm":
            norm("pooler_norm")
        else:
            found["pooler.bias"] = (d,)
        found["classifier.weight"], found["classifier.bias"] = (LABELS, d), (LABELS,)
        return found
    if not config["tie_embeddings"]:
        found["generator.weight"] = (v, d)
    if config.get("output_bias", True):
        found["generator.bias"] = (v,)
    return found


def random_weight(name, shape, from_one):
    if "norm" in name and name.endswith("weight"):
        value = torch.empty(shape).uniform_(0.5, 1.5) - (1 if from_one else 0)
    elif len(shape) == 1:
        value = torch.empty(shape).uniform_(-0.4, 0.4)
    else:
        value = torch.empty(shape).normal_(0, 0.4)
    return value.float().double().requires_grad_()


class Model:
    def __init__(self, config):
        self.config = config
        from_one = config.get("norm_from_one", False)
        self.weights = {name: random_weight(name, shape, from_one) for name, shape in shapes(config).items()}

    def linear(self, name, x):
        return F.linear(x, self.weights[name + ".weight"], self.weights.get(name + ".bias"))

    def norm(self, name, x):
        weight, epsilon = self.weights[name + ".weight"], self.config["layer_norm_eps"]
        if self.config.get("norm") == "rms":
            weight = 1.0 + weight if self.config.get("norm_from_one") else weight
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight
        return F.layer_norm(x, weight.shape, weight, self.weights.get(name + ".bias"), epsilon)

    def speeds(self, width, windowed):
        config = self.config
        base = config["window_base"] if windowed and "window_base" in config else config["positional_base"]
        speeds = 1.0 / base ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
        scaling = "none" if windowed and "window_base" in config else config.get("rotary_scaling", "none")
        if scaling == "linear":
            return speeds / config["rotary_factor"]
        if scaling == "none":
            return speeds
        # Llama 3's, by wavelengths.
        length, low, high = (config[f"rotary_{key}"] for key in ("original_length", "low_factor", "high_factor"))
        wavelength = 2 * math.pi / speeds
        smooth = (length / wavelength - low) / (high - low)
        between = (1 - smooth) * speeds / config["rotary_factor"] + smooth * speeds
        slow = torch.where(wavelength > length / low, speeds / config["rotary_factor"], between)
        return torch.where(wavelength < length / high, speeds, slow)

    def rotate(self, x, windowed=False):
        """x [B, H, T, width], as Llama's rotate_half has it; what stands behind rotary_size stays."""
        width = self.config.get("rotary_size") or x.shape[-1]
        x, rest = x[..., :width], x[..., width:]
        speeds = self.speeds(width, windowed)
        angles = torch.outer(torch.arange(x.shape[-2], dtype=torch.float64), speeds)
        angles = torch.cat([angles, angles], dim=-1)
        turned = torch.cat([-x[..., width // 2:], x[..., : width // 2]], dim=-1)
        return torch.cat([x * angles.cos() + turned * angles.sin(), rest], dim=-1)

    def relative_bias(self, scope, length, both_ways):
        """T5's, with float32 where T5 has it."""
        buckets, farthest = self.config["relative_buckets"], self.config["relative_max_distance"]
        place = torch.arange(length)
        distance = place[None, :] - place[:, None]
        first = torch.zeros_like(distance)
        if both_ways:
            buckets //= 2
            first += (distance > 0).long() * buckets
            distance = distance.abs()
        else:
            distance = -torch.min(distance, torch.zeros_like(distance))
        exact = buckets // 2
        wide = exact + (torch.log(distance.float() / exact) / math.log(farthest / exact) * (buckets - exact)).long()
        wide = torch.min(wide, torch.full_like(wide, buckets - 1))
        bucket = first + torch.where(distance < exact, distance, wide)
        return self.weights[f"transformer.{scope}relative_bias.weight"][bucket].permute(2, 0, 1)[None]

    def attention(self, name, x, memory, hidden, layer, bias):
        """hidden [B, 1, Tq, Tk]: True where a key may not be looked at."""
        config = self.config
        heads, groups = config["num_heads"], config.get("num_kv_heads") or config["num_heads"]
        width = config.get("head_size") or config["d_model"] // heads
        sizes = [heads * width, groups * width, groups * width]
        weights = self.weights[name + ".in_proj_weight"].split(sizes)
        biases = self.weights[name + ".in_proj_bias"].split(sizes) if name + ".in_proj_bias" in self.weights else [None] * 3
        split = lambda y, count: y.unflatten(-1, (count, width)).transpose(1, 2)
        q = split(F.linear(x, weights[0], biases[0]), heads)
        k, v = (split(F.linear(memory, weights[i], biases[i]), groups) for i in (1, 2))
        if config.get("head_norms"):
            q, k = self.norm(name + ".q_norm", q), self.norm(name + ".k_norm", k)
        windowed = "sliding_window" in config and layer in config.get("window_layers", [layer])
        if config["positional_encoding"] == "rotary" and memory is x:
            q, k = self.rotate(q, windowed), self.rotate(k, windowed)
        if windowed:
            place = torch.arange(x.shape[1])
            hidden = hidden | ((place[:, None] - place[None]).abs() >= config["sliding_window"])
        k, v = (y.repeat_interleave(heads // groups, dim=1) for y in (k, v))
        scores = q @ k.transpose(-1, -2)
        if config.get("scale_scores", True):
            scores = scores / math.sqrt(config.get("query_scale", width))
        if config.get("scale_scores_by_layer"):
            scores = scores / float(layer + 1)
        if bias is not None:
            scores = scores + bias
        if "score_cap" in config:
            scores = torch.tanh(scores / config["score_cap"]) * config["score_cap"]
        # A padded query may see nothing but padding.
        shares = torch.softmax(scores.masked_fill(hidden, -1e30), dim=-1).masked_fill(hidden, 0)
        mixed = shares @ v
        return self.linear(name + ".out_proj", mixed.transpose(1, 2).flatten(-2))

    def feed_forward(self, name, x):
        active = ACTIVATIONS[self.config["activation"]](self.linear(name + ".linear1", x))
        if self.config.get("gated_ffn"):
            active = active * self.linear(name + ".linear_up", x)
        return self.linear(name + ".linear2", active)

    def layers(self, scope, x, hidden, memory=None, hidden_memory=None, both_ways=False):
        config = self.config
        bias = None
        if config["positional_encoding"] == "relative":
            bias = self.relative_bias(scope, x.shape[1], both_ways)
        for i in range(config["num_layers" if not scope else f"num_{scope}layers".replace(".", "_")]):
            name = f"transformer.{scope}layers.{i}"
            blocks = [lambda y: self.attention(name + ".self_attn", y, y, hidden, i, bias)]
            if memory is not None:
                blocks.append(lambda y: self.attention(name + ".multihead_attn", y, memory, hidden_memory, i, None))
            blocks.append(lambda y: self.feed_forward(name, y))
            if config.get("parallel"):
                second = name + (".norm1" if config["parallel"] == "one_norm" else ".norm2")
                x = x + blocks[0](self.norm(name + ".norm1", x)) + blocks[1](self.norm(second, x))
                continue
            for number, block in enumerate(blocks, start=1):
                norm = f"{name}.norm{number}"
                if config["norm_order"] == "pre":
                    made = block(self.norm(norm, x) if norm + ".weight" in self.weights else x)
                    x = x + (self.norm(f"{name}.output_norm{number}", made) if config.get("output_norms") else made)
                else:
                    x = self.norm(norm, x + block(x))
        return self.norm(f"transformer.{scope}norm", x) if config["final_norm"] else x

    def start(self, side, ids):
        config = self.config
        x = self.weights["embedding.weight"][ids] * (math.sqrt(config["d_model"]) if config["scale_embeddings"] else 1)
        if config.get("token_types"):
            separators = ids == config["separator_id"]
            types = (separators.cumsum(-1) - separators.long()).clamp(max=1)
            x = x + self.weights["token_types.weight"][types]
        if config["positional_encoding"] == "learned":
            table = self.weights[("" if config.get("share_positions", True) else side) + "positions.weight"]
            first = config.get("position_offset", 0)
            x = x + table[first: first + ids.shape[1]]
        elif config["positional_encoding"] == "sinusoidal":
            d = config["d_model"]
            angles = torch.arange(ids.shape[1])[:, None] / 10000 ** (2 * torch.arange(d // 2, dtype=torch.float64) / d)
            x = x + torch.cat([angles.sin(), angles.cos()], dim=-1)
        if config.get("embedding_norm"):
            x = self.norm(side + "embedding_norm", x)
        return self.linear("word_map", x) if config.get("word_width") else x

    def predict(self, x):
        if self.config.get("scale_output"):
            x = x * self.config["d_model"] ** -0.5
        table = "embedding.weight" if self.config["tie_embeddings"] else "generator.weight"
        logits = F.linear(x, self.weights[table], self.weights.get("generator.bias"))
        cap = self.config.get("logit_cap")
        return logits if cap is None else torch.tanh(logits / cap) * cap

    def pair(self, source, target, read):
        """read: how many words of each source there are."""
        padding = (torch.arange(source.shape[1])[None] >= read[:, None])[:, None, None]
        future = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).triu(1)[None, None]
        memory = self.layers("encoder.", self.start("source_", source), padding, both_ways=True)
        return self.predict(self.layers("decoder.", self.start("target_", target), future, memory, padding))

    def stack(self, ids, read):
        masked, reads = (self.config["architecture"] == name for name in ("masked-language-model", "language-model"))
        hidden = (torch.arange(ids.shape[1])[None] >= read[:, None])[:, None, None]
        if reads:
            hidden = hidden | torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu(1)[None, None]
        x = self.layers("", self.start("", ids), hidden, both_ways=not reads)
        if not reads and not masked:
            pooled = self.linear("pooler", x[:, 0])
            pooler = self.config["pooler"]
            pooled = {"tanh": torch.tanh, "relu": torch.relu, "gelu_norm": F.gelu}[pooler](pooled)
            return self.linear("classifier", self.norm("pooler_norm", pooled) if pooler == "gelu_norm" else pooled)
        if masked:
            x = self.norm("transform_norm", ACTIVATIONS[self.config["activation"]](self.linear("transform", x)))
        return self.predict(x)


class Random:
    """The program's random numbers: splitmix64 (Steele, Lea, Flood 2014)."""

    def __init__(self, seed):
        self.state = self.mix(seed)

    @staticmethod
    def mix(x):
        wrap = (1 << 64) - 1
        x = (x + 0x9E3779B97F4A7C15) & wrap
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & wrap
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & wrap
        return x ^ (x >> 31)

    def uniform(self):
        self.state += 1
        return (self.mix(self.state - 1) >> 11) * 2.0**-53

    def below(self, n):
        return int(self.uniform() * n)


def mask_words(windows):
    """-> what is read, and (window, place, word) of all that is asked for: BERT's recipe, of the pass with seed 0."""
    random, read, asked = Random(Random.mix(0)), [], []
    for b, window in enumerate(windows):
        places = [i for i, word in enumerate(window) if word not in (golden.PAD, golden.BOS, golden.EOS, SEPARATOR, MASK)]
        wanted = max(1, math.floor(0.15 * len(places) + 0.5))
        for i in range(wanted):
            j = i + random.below(len(places) - i)
            places[i], places[j] = places[j], places[i]
        ids = list(window)
        for place in sorted(places[:wanted]):
            asked.append((b, place, window[place]))
            ticket = random.uniform()
            ids[place] = MASK if ticket < 0.8 else random.below(VOCABULARY) if ticket < 0.9 else window[place]
        read.append(ids)
    return read, asked


def lengths(rows):
    return torch.tensor([len(row) for row in rows])


def losses(logits, wanted):
    return (F.cross_entropy(logits, wanted, ignore_index=-1, label_smoothing=golden.LABEL_SMOOTHING),
            F.cross_entropy(logits, wanted, ignore_index=-1))


def pad_with(rows, value):
    width = max(map(len, rows))
    return torch.tensor([row + [value] * (width - len(row)) for row in rows])


PAIRS = [(source, target) for source, target in golden.PAIRS]
WINDOWS = [[4, 9, 11, 5, 2, 8, 10, 6, 4, 7], [7, 4, 4, 11], [10, 2, 6]]
SENTENCES = [([4, 9, 12, 5], 5), ([7, 4, SEPARATOR, 5, 3, 8], 4), ([10, 6], 6)]


def learn(model):
    """-> the batch, logits of it, what each row is to be"""
    config = model.config
    if config["architecture"] == "transformer":
        sources, targets = [s for s, _ in PAIRS], [t for _, t in PAIRS]
        inputs = [[config["decoder_start_id"]] + t for t in targets]
        outputs = [t + [golden.EOS] for t in targets]
        logits = model.pair(stacks.pad(sources), stacks.pad(inputs), lengths(sources))
        batch = {"batch.source": stacks.pad(sources), "batch.target_input": stacks.pad(inputs),
                 "batch.target_output": stacks.pad(outputs)}
        return batch, logits.flatten(0, 1), pad_with(outputs, -1).flatten()
    if config["architecture"] == "encoder-classifier":
        sentences, labels = [s for s, _ in SENTENCES], torch.tensor([label for _, label in SENTENCES])
        batch = {"examples.source": stacks.pad(sentences), "examples.target": labels[:, None]}
        return batch, model.stack(stacks.pad(sentences), lengths(sentences)), labels - 4
    batch = {"examples.target": stacks.pad(WINDOWS)}
    if config["architecture"] == "masked-language-model":
        read, asked = mask_words(WINDOWS)
        logits = model.stack(stacks.pad(read), lengths(read))
        return batch, torch.stack([logits[b, place] for b, place, _ in asked]), torch.tensor([w for _, _, w in asked])
    read = [window[:-1] for window in WINDOWS]
    wanted = pad_with([window[1:] for window in WINDOWS], -1)
    return batch, model.stack(stacks.pad(read), lengths(read)).flatten(0, 1), wanted.flatten()


def make(case, index, folder):
    torch.manual_seed(500 + index)
    model = Model(CASES[case])
    batch, logits, wanted = learn(model)
    loss, plain = losses(logits, wanted)
    loss.backward()
    expected = {**{name: value.numpy() for name, value in batch.items()}, "loss": loss.detach().numpy(),
                "loss_unsmoothed": plain.detach().numpy()}
    for name, weight in model.weights.items():
        expected["gradient." + name] = (weight.grad if weight.grad is not None else torch.zeros_like(weight)).numpy()
    path = os.path.join(folder, case + ".safetensors")
    save(path, {name: weight.detach().numpy() for name, weight in model.weights.items()}, {
        "format": "headlight", "headlight.version": "0.1.0", "headlight.config": json.dumps(model.config),
        "headlight.tokenizer.source": golden.tokenizer(VOCABULARY),
        "headlight.tokenizer.target": golden.tokenizer(model.config["target_vocab_size"]),
        "headlight.training": json.dumps({"data": "none: random weights", "steps": 0, "seed": 500 + index}),
    })
    if model.config["architecture"] == "transformer":
        source, target = PAIRS[0][0], [model.config["decoder_start_id"]] + PAIRS[0][1]
        trace = check_trace.recompute(path, np.array(source), np.array(target))
        alone = model.pair(torch.tensor([source]), torch.tensor([target]), torch.tensor([len(source)]))
    else:
        ids = [4, 9, SEPARATOR, MASK, 5] if "bert" in case else [4, 9, 12, 5, 10, 7]
        trace = check_trace.recompute(path, np.array(ids))
        alone = model.stack(torch.tensor([ids]), torch.tensor([len(ids)]))
    assert np.allclose(trace["logits"], alone[0].reshape(trace["logits"].shape).detach().numpy(), atol=1e-10), case
    expected.update({"trace." + name: value for name, value in trace.items()})
    save(os.path.join(folder, case + ".expected.safetensors"), expected, {"format": "headlight-golden"})
    print(f"{case}: loss {float(loss):.6f}, unsmoothed {float(plain):.6f}, {len(trace)} traced values")


def main():
    parser = argparse.ArgumentParser(description="Makes the golden files of Transformers that are not the paper's.")
    parser.add_argument("--out-dir", default=os.path.dirname(os.path.abspath(__file__)))
    arguments = parser.parse_args()
    for index, case in enumerate(CASES):
        make(case, index, arguments.out_dir)


if __name__ == "__main__":
    main()
