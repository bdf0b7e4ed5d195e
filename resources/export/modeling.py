# SPDX-License-Identifier: GPL-3.0-or-later
"""Headlight's models in PyTorch: what config.json says, computed as Headlight computes it, under the names of the
tensors in model.safetensors.

    model = load_model()                   # the folder that this file stands in
    memory = model.encode(source)          # ids [batch, words]
    logits = model.decode(target, memory)  # [batch, words, vocabulary]

Of an encoder-decoder `model(source, target, lengths)` does both; all other models are called with ids alone. `lengths`
say how many words of each row count, where rows were filled up to one length.
"""
import json
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

import safetensors_file
from recurrent import RecurrentLanguageModel, RecurrentSeq2Seq

FOLDER = os.path.dirname(os.path.abspath(__file__))

# What a config.json does not say, as it is usual: everything else is always there.
USUAL = {
    "norm": "layer", "bias": "all", "gated_ffn": False, "num_kv_heads": 0, "head_size": 0,
    "scale_scores_by_layer": False, "sinusoid_layout": "interleaved", "position_offset": 0, "relative_buckets": 32,
    "relative_max_distance": 128, "embedding_norm": False, "output_bias": True, "scale_output": False,
    "share_positions": True, "share_embeddings": False, "decoder_start_id": -1, "forced_first_id": -1,
    "forbidden_ids": [], "more_end_ids": [], "starts_at_end": True, "token_types": 0, "separator_id": -1, "mask_id": -1,
    "pooler": "none", "starts_at_bos": True, "qkv_bias": "as_others", "out_proj_bias": "as_others",
    "ffn_bias": "as_others", "norm_from_one": False, "output_norms": False, "parallel": "none", "head_norms": False,
    "query_scale": 0, "score_cap": 0, "logit_cap": 0, "sliding_window": 0, "window_layers": [], "window_base": 0,
    "rotary_size": 0, "rotary_scaling": "none", "rotary_factor": 1, "rotary_low_factor": 1, "rotary_high_factor": 4,
    "rotary_original_length": 8192, "first_norm": True, "word_width": 0,
    "tie_embeddings": False, "scale_scores": True, "residuals": True,
}


class Config:
    """The keys of config.json as attributes."""

    def __init__(self, values):
        self.__dict__.update({**USUAL, **values})
        if self.decoder_start_id < 0:
            self.decoder_start_id = self.bos_id
        if self.mask_id < 0:
            self.mask_id = self.unk_id
        self.first_label = max(self.pad_id, self.bos_id, self.eos_id, self.unk_id) + 1
        if not self.recurrent:
            self.head_size = self.head_size or self.d_model // self.num_heads
            self.num_kv_heads = self.num_kv_heads or self.num_heads
            beside = self.positional_combine == "concat" and self.positional_encoding in ("sinusoidal", "learned")
            self.embedding_width = self.word_width or (self.d_model // 2 if beside else self.d_model)

    @property
    def recurrent(self):
        return self.architecture in ("rnn", "rnn-language-model")

    @property
    def ends(self):
        """What ends a text."""
        return {self.eos_id, *self.more_end_ids}

    @property
    def before(self):
        """What a classifier puts before a sentence."""
        return [self.bos_id] if self.starts_at_bos else []

    @property
    def translates(self):
        return self.architecture in ("transformer", "rnn")

    def biased(self, part):
        """Has that part's map a bias? `qkv`, `out_proj`, `ffn`."""
        own = getattr(self, part + "_bias")
        return (self.bias if own == "as_others" else own) == "all"

    def windowed(self, layer):
        """Does that layer see the last words alone?"""
        return self.sliding_window > 0 and (not self.window_layers or layer in self.window_layers)

    @classmethod
    def read(cls, folder=FOLDER):
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            return cls(json.load(file))


ACTIVATIONS = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
}


def visible_keys(lengths, keys, queries, causal, window=0):
    """[batch, queries, keys], true where a query sees a key: none sees padding, nor, where `causal`, what comes later.
    With a `window` it sees itself and the window - 1 before, and as many behind where it sees those."""
    visible = (torch.arange(keys, device=lengths.device) < lengths[:, None])[:, None].expand(-1, queries, -1)
    if causal:
        visible = visible & torch.ones(queries, keys, dtype=torch.bool, device=lengths.device).tril()
    if window:
        near = torch.ones(queries, keys, dtype=torch.bool, device=lengths.device).triu(1 - window)
        visible = visible & near & near.T
    return visible


def capped(x, cap):
    """Bent so that nothing goes beyond the cap, where there is one."""
    return cap * torch.tanh(x / cap) if cap else x


def all_of(ids, lengths):
    return torch.full((ids.shape[0],), ids.shape[1], device=ids.device) if lengths is None else lengths


class Norm(nn.Module):
    """A layer norm, or a root mean square norm (no mean, no bias), which may scale by 1 + its weight."""

    def __init__(self, config, width=None):
        super().__init__()
        width = width or config.d_model
        self.rms, self.eps, self.plus = config.norm == "rms", config.layer_norm_eps, float(config.norm_from_one)
        self.weight = nn.Parameter(torch.ones(width) - self.plus)
        self.bias = nn.Parameter(torch.zeros(width)) if not self.rms and config.bias == "all" else None

    def forward(self, x):
        if self.rms:
            return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * (self.plus + self.weight)
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


class HeadNorm(nn.Module):
    """The root mean square norm of each head."""

    def __init__(self, config):
        super().__init__()
        self.eps, self.plus = config.layer_norm_eps, float(config.norm_from_one)
        self.weight = nn.Parameter(torch.ones(config.head_size) - self.plus)

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * (self.plus + self.weight)


class Attention(nn.Module):
    """Multi-head attention; several queries may share a head of keys and values (Ainslie et al. 2023)."""

    def __init__(self, config, layer):
        super().__init__()
        self.heads, self.groups, self.size = config.num_heads, config.num_kv_heads, config.head_size
        self.factor = (config.query_scale or self.size)**-0.5 if config.scale_scores else 1
        self.factor /= layer + 1 if config.scale_scores_by_layer else 1
        self.cap, self.windowed = config.score_cap, config.windowed(layer)
        if config.head_norms:
            self.q_norm, self.k_norm = HeadNorm(config), HeadNorm(config)
        self.widths = [self.heads * self.size, self.groups * self.size, self.groups * self.size]
        self.in_proj_weight = nn.Parameter(torch.empty(sum(self.widths), config.d_model))
        self.in_proj_bias = nn.Parameter(torch.zeros(sum(self.widths))) if config.biased("qkv") else None
        self.out_proj = nn.Linear(self.widths[0], config.d_model, bias=config.biased("out_proj"))
        self.dropout = nn.Dropout(config.dropout)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def project(self, x, part, heads):
        """-> [batch, heads, words, size]"""
        weight = self.in_proj_weight.split(self.widths)[part]
        bias = None if self.in_proj_bias is None else self.in_proj_bias.split(self.widths)[part]
        return F.linear(x, weight, bias).unflatten(-1, (heads, self.size)).transpose(1, 2)

    def forward(self, x, memory, visible, places=None):
        """x [batch, queries, d_model], memory [batch, keys, d_model], visible [batch, queries, keys]"""
        q, k, v = (self.project(side, part, heads) for part, (side, heads) in
                   enumerate(((x, self.heads), (memory, self.groups), (memory, self.groups))))
        if hasattr(self, "q_norm"):
            q, k = self.q_norm(q), self.k_norm(k)
        if places and places.turns:
            q, k = places.turn(q), places.turn(k)
        k, v = (kept.repeat_interleave(self.heads // self.groups, dim=1) for kept in (k, v))
        scores = q @ k.transpose(-1, -2) * self.factor
        if places and places.bias is not None:
            scores = scores + places.bias
        scores = capped(scores, self.cap)
        hidden = ~visible[:, None]
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), dim=-1)
        weights = weights.masked_fill(hidden, 0)  # a query that sees nothing attends to nothing
        return self.out_proj((self.dropout(weights) @ v).transpose(1, 2).flatten(2))


class Places:
    """What self-attention is told of positions: angles (Su et al. 2021) or a bias (Raffel et al. 2020), or neither."""

    def __init__(self, angles=None, bias=None):
        self.cosines, self.sines = (None, None) if angles is None else (angles.cos().float(), angles.sin().float())
        self.bias = bias

    @property
    def turns(self):
        return self.cosines is not None

    def turn(self, x):
        """Of the first n numbers of each head i and i + n/2 turned by the angle of their position; the others stay."""
        half = self.cosines.shape[-1]
        a, b, rest = x[..., :half], x[..., half:2 * half], x[..., 2 * half:]
        return torch.cat([a * self.cosines - b * self.sines, b * self.cosines + a * self.sines, rest], dim=-1)


class Layer(nn.Module):
    """A layer of an encoder, or with `crosses` of a decoder."""

    def __init__(self, config, number, crosses):
        super().__init__()
        self.pre, self.residuals, self.parallel = config.norm_order == "pre", config.residuals, config.parallel
        biased = config.biased("ffn")
        self.self_attn = Attention(config, number)
        if crosses:
            self.multihead_attn = Attention(config, number)
        self.linear1 = nn.Linear(config.d_model, config.d_ff, bias=biased)
        self.linear_up = nn.Linear(config.d_model, config.d_ff, bias=biased) if config.gated_ffn else None
        self.linear2 = nn.Linear(config.d_ff, config.d_model, bias=biased)
        self.activation = ACTIVATIONS[config.activation]
        self.norm1 = Norm(config) if config.first_norm or number > 0 else nn.Identity()
        if self.parallel != "one_norm":
            self.norm2 = Norm(config)
        if crosses:
            self.norm3 = Norm(config)
        if config.output_norms:
            self.output_norm1, self.output_norm2 = Norm(config), Norm(config)
        self.dropout = nn.Dropout(config.dropout)

    def around(self, norm, block, x, of_output=None):
        """x + block(norm(x)), or norm(x + block(x)), the paper's."""
        made = block(norm(x) if self.pre else x)
        made = self.dropout(made if of_output is None else of_output(made))
        joined = x + made if self.residuals else made
        return joined if self.pre else norm(joined)

    def feed_forward(self, x):
        active = self.activation(self.linear1(x))
        if self.linear_up is not None:
            active = active * self.linear_up(x)
        return self.linear2(self.dropout(active))

    def forward(self, x, visible, places, memory=None, visible_memory=None):
        attend = lambda y: self.self_attn(y, y, visible, places)
        if self.parallel != "none":
            first = self.norm1(x)
            second = first if self.parallel == "one_norm" else self.norm2(x)
            return x + self.dropout(attend(first)) + self.dropout(self.feed_forward(second))
        x = self.around(self.norm1, attend, x, getattr(self, "output_norm1", None))
        if memory is None:
            return self.around(self.norm2, self.feed_forward, x, getattr(self, "output_norm2", None))
        x = self.around(self.norm2, lambda y: self.multihead_attn(y, memory, visible_memory), x)
        return self.around(self.norm3, self.feed_forward, x)


class Stack(nn.Module):
    """Layers, and what they are told of positions."""

    def __init__(self, config, layers, causal, crosses=False):
        super().__init__()
        self.config, self.causal = config, causal
        self.layers = nn.ModuleList(Layer(config, i, crosses) for i in range(layers))
        self.norm = Norm(config) if config.final_norm else None
        if config.positional_encoding == "relative":
            self.relative_bias = nn.Embedding(config.relative_buckets, config.num_heads)

    def speeds(self, windowed, device):
        """Radians a position, of each pair of numbers that rotary positions turn."""
        config = self.config
        size, own = config.rotary_size or config.head_size, windowed and config.window_base
        half = torch.arange(size // 2, dtype=torch.float64, device=device)
        speeds = (own or config.positional_base) ** (-2 * half / size)
        if own or config.rotary_scaling == "none":
            return speeds
        if config.rotary_scaling == "linear":
            return speeds / config.rotary_factor
        low, high = config.rotary_low_factor, config.rotary_high_factor
        turns = config.rotary_original_length * speeds / (2 * math.pi)
        kept = ((turns - low) / (high - low)).clamp(0, 1)
        return (1 - kept) * speeds / config.rotary_factor + kept * speeds

    def places(self, length, device, windowed=False):
        config = self.config
        if config.positional_encoding == "rotary":
            return Places(angles=torch.arange(length, device=device)[:, None] * self.speeds(windowed, device))
        if config.positional_encoding == "relative":
            position = torch.arange(length, device=device)
            buckets = self.buckets(position[None, :] - position[:, None])
            return Places(bias=self.relative_bias(buckets).permute(2, 0, 1))
        return Places()

    def buckets(self, distance):
        """T5's: near distances have one each, far ones share them, wider and wider."""
        share = self.config.relative_buckets if self.causal else self.config.relative_buckets // 2
        first = torch.zeros_like(distance) if self.causal else (distance > 0) * share
        far = (-distance).clamp(min=0) if self.causal else distance.abs()
        exact = share // 2
        wide = (far.clamp(min=1).float() / exact).log() / math.log(self.config.relative_max_distance / exact)
        wide = exact + (wide * (share - exact)).long()
        return first + torch.where(far < exact, far, wide.clamp(max=share - 1))

    def forward(self, x, lengths, memory=None, memory_lengths=None):
        length, seen = x.shape[1], None
        visible = visible_keys(lengths, length, length, self.causal)
        if memory is not None:
            seen = visible_keys(memory_lengths, memory.shape[1], length, causal=False)
        places, within, near = self.places(length, x.device), visible, None
        if self.config.sliding_window:
            within = visible_keys(lengths, length, length, self.causal, self.config.sliding_window)
            near = self.places(length, x.device, windowed=True)
        for layer in self.layers:
            windowed = layer.self_attn.windowed
            x = layer(x, within if windowed else visible, near if windowed else places, memory, seen)
        return x if self.norm is None else self.norm(x)


class WordHead(nn.Module):
    """Logits of every word; a tied one reads the embedding that it is handed."""

    def __init__(self, config):
        super().__init__()
        masked = config.architecture == "masked-language-model"
        shape = (config.target_vocab_size, config.embedding_width if masked else config.d_model)
        self.weight = None if config.tie_embeddings else nn.Parameter(torch.empty(shape))
        if self.weight is not None:
            nn.init.uniform_(self.weight, -config.d_model**-0.5, config.d_model**-0.5)
        self.bias = nn.Parameter(torch.zeros(shape[0])) if config.output_bias else None
        self.factor, self.cap = config.d_model**-0.5 if config.scale_output else 1, config.logit_cap

    def forward(self, x, embedding):
        weight = embedding.weight if self.weight is None else self.weight
        return capped(F.linear(x * self.factor, weight, self.bias), self.cap)


class Reader(nn.Module):
    """What all Transformers do with ids before the first layer."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.dropout = nn.Dropout(config.dropout)

    def new_embedding(self, rows):
        embedding = nn.Embedding(rows, self.config.embedding_width)
        nn.init.normal_(embedding.weight, std=self.config.d_model**-0.5)
        return embedding

    def new_positions(self):
        return self.new_embedding(self.config.max_length + self.config.position_offset)

    def positions_of(self, length, table, device):
        """[length, width], or nothing where the kind has none."""
        config = self.config
        if config.positional_encoding == "learned":
            return table.weight[config.position_offset:][:length]
        if config.positional_encoding != "sinusoidal":
            return None
        column = torch.arange(config.embedding_width, dtype=torch.float64, device=device)
        speeds = config.positional_base ** (-(column - column % 2) / config.embedding_width)
        angles = config.position_offset + torch.arange(length, device=device)[:, None]
        angles = angles * speeds
        rows = torch.where(column % 2 == 0, angles.sin(), angles.cos()).float()
        return rows if config.sinusoid_layout == "interleaved" else torch.cat([rows[:, 0::2], rows[:, 1::2]], dim=1)

    def read(self, ids, embedding, table=None, norm=None, types=None, word_map=None):
        """-> [batch, words, d_model]"""
        x = embedding(ids)
        if self.config.scale_embeddings:
            x = x * math.sqrt(self.config.d_model)
        if types is not None:
            separators = ids == self.config.separator_id
            behind = separators.long().cumsum(1) - separators.long() > 0
            x = x + types(behind.long())
        positions = self.positions_of(ids.shape[1], table, ids.device)
        if positions is not None and self.config.positional_combine == "concat":
            x = torch.cat([x, positions.expand(len(ids), -1, -1)], dim=-1)
        elif positions is not None:
            x = x + positions
        x = x if norm is None else norm(x)
        return self.dropout(x if word_map is None else word_map(x))


class Stacks(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoder = Stack(config, config.num_encoder_layers, causal=False)
        self.decoder = Stack(config, config.num_decoder_layers, causal=True, crosses=True)


class Transformer(Reader):
    """Encoder and decoder (Vaswani et al. 2017)."""

    def __init__(self, config):
        super().__init__(config)
        if config.share_embeddings:
            self.embedding = self.new_embedding(config.source_vocab_size)
        else:
            self.source_embedding = self.new_embedding(config.source_vocab_size)
            self.target_embedding = self.new_embedding(config.target_vocab_size)
        if config.positional_encoding == "learned" and config.share_positions:
            self.positions = self.new_positions()
        elif config.positional_encoding == "learned":
            self.source_positions, self.target_positions = self.new_positions(), self.new_positions()
        if config.embedding_norm:
            self.source_embedding_norm, self.target_embedding_norm = Norm(config), Norm(config)
        self.transformer = Stacks(config)
        self.generator = WordHead(config)

    def part(self, side, name):
        """The encoder's or the decoder's own, or the one that they share; nothing where there is none."""
        return getattr(self, f"{side}_{name}", getattr(self, name, None))

    def read_side(self, side, ids):
        return self.read(ids, self.part(side, "embedding"), self.part(side, "positions"), self.part(side, "embedding_norm"))

    def encode(self, source, lengths=None):
        lengths = all_of(source, lengths)
        return {"output": self.transformer.encoder(self.read_side("source", source), lengths), "lengths": lengths}

    def decode(self, target, memory):
        x = self.transformer.decoder(self.read_side("target", target), all_of(target, None), memory["output"],
                                     memory["lengths"])
        return self.generator(x, self.part("target", "embedding"))

    def forward(self, source, target, lengths=None):
        return self.decode(target, self.encode(source, lengths))


class OneStack(Reader):
    """What the models without an encoder of their own have in common."""

    def __init__(self, config):
        super().__init__(config)
        self.embedding = self.new_embedding(config.source_vocab_size)
        if config.positional_encoding == "learned":
            self.positions = self.new_positions()
        if config.token_types:
            self.token_types = self.new_embedding(config.token_types)
        if config.embedding_norm:
            self.embedding_norm = Norm(config, config.embedding_width)
        if config.word_width:
            self.word_map = nn.Linear(config.word_width, config.d_model)
        self.transformer = Stack(config, config.num_layers, causal=config.architecture == "language-model")

    def states(self, ids, lengths):
        parts = (getattr(self, name, None) for name in ("positions", "embedding_norm", "token_types", "word_map"))
        return self.transformer(self.read(ids, self.embedding, *parts), all_of(ids, lengths))


class LanguageModel(OneStack):
    """Row t says what follows word t."""

    def __init__(self, config):
        super().__init__(config)
        self.generator = WordHead(config)

    def forward(self, ids, lengths=None):
        return self.generator(self.states(ids, lengths), self.embedding)


class Classifier(OneStack):
    """Reads a sentence, behind <bos> where it starts_at_bos -> logits of its labels, which are the target's words from
    first_label on."""

    def __init__(self, config):
        super().__init__(config)
        if config.pooler != "none":
            normed = config.pooler == "gelu_norm"
            self.pooler = nn.Linear(config.d_model, config.d_model, bias=not normed or config.bias == "all")
            self.pooler_norm = Norm(config) if normed else nn.Identity()
        self.classifier = nn.Linear(config.d_model, config.target_vocab_size - config.first_label)

    def pooled(self, first):
        """One vector for a sentence, of its first position."""
        if self.config.pooler == "none":
            return first
        function = {"tanh": torch.tanh, "relu": F.relu}.get(self.config.pooler, F.gelu)
        return self.pooler_norm(function(self.pooler(first)))

    def forward(self, ids, lengths=None):
        return self.classifier(self.pooled(self.states(ids, lengths)[:, 0]))


class MaskedLanguageModel(OneStack):
    """Row t says which word stands at t, wherever the mask may be."""

    def __init__(self, config):
        super().__init__(config)
        self.transform = nn.Linear(config.d_model, config.embedding_width, bias=config.bias == "all")
        self.transform_norm = Norm(config, config.embedding_width)
        self.generator = WordHead(config)

    def forward(self, ids, lengths=None):
        hidden = ACTIVATIONS[self.config.activation](self.transform(self.states(ids, lengths)))
        return self.generator(self.transform_norm(hidden), self.embedding)


ARCHITECTURES = {
    "transformer": Transformer,
    "rnn": RecurrentSeq2Seq,
    "language-model": LanguageModel,
    "rnn-language-model": RecurrentLanguageModel,
    "encoder-classifier": Classifier,
    "masked-language-model": MaskedLanguageModel,
}


def load_model(folder=FOLDER, weights=None, device="cpu", **changes):
    """The model of a folder, ready to be used (model.train() for training). `weights`: another file of the same model,
    as train.py writes it. `changes`: keys of config.json, as dropout=0."""
    config = Config.read(folder)
    config.__dict__.update(changes)
    model = ARCHITECTURES[config.architecture](config)
    tensors, _ = safetensors_file.load(weights or os.path.join(folder, "model.safetensors"))
    model.load_state_dict(tensors)
    return model.to(device).eval()
