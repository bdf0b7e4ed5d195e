# SPDX-License-Identifier: GPL-3.0-or-later
"""Headlight's recurrent models, on nn.RNN, nn.GRU and nn.LSTM. See modeling.py."""
import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

CELLS = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


def make_cells(config, width, bidirectional=False):
    cells = CELLS[config.cell](width, config.hidden_size, config.num_layers, batch_first=True,
                               bidirectional=bidirectional, dropout=config.dropout if config.num_layers > 1 else 0)
    if config.cell != "gru":
        # One bias a gate says all that two can: the other stays zero.
        for name, weight in cells.named_parameters():
            if name.startswith("bias_hh"):
                weight.requires_grad_(False).zero_()
    return cells


class Alignment(nn.Module):
    """Scores of queries [batch, T, h] over keys [batch, S, h] -> [batch, T, S]"""

    def __init__(self, kind, width):
        super().__init__()
        self.kind = kind
        if kind == "additive":  # Bahdanau, Cho, Bengio 2015
            self.query = nn.Linear(width, width, bias=False)
            self.energy = nn.Linear(width, 1, bias=False)
        if kind in ("additive", "general"):  # general, dot: Luong, Pham, Manning 2015
            self.key = nn.Linear(width, width, bias=False)

    def forward(self, queries, keys):
        if self.kind == "additive":
            return self.energy(torch.tanh(self.query(queries)[:, :, None] + self.key(keys)[:, None])).squeeze(-1)
        scores = queries @ (self.key(keys) if self.kind == "general" else keys).transpose(1, 2)
        return scores / math.sqrt(keys.shape[-1]) if self.kind == "scaled_dot" else scores


class RecurrentSeq2Seq(nn.Module):
    """Encoder and decoder (Sutskever, Vinyals, Le 2014; Cho et al. 2014), with attention where the kind has it."""

    def __init__(self, config):
        super().__init__()
        self.config, width = config, config.hidden_size
        self.every_input = config.context == "every_input"
        self.source_embedding = nn.Embedding(config.source_vocab_size, config.embedding_size)
        self.target_embedding = nn.Embedding(config.target_vocab_size, config.embedding_size)
        self.encoder = make_cells(config, config.embedding_size, config.bidirectional)
        self.decoder = make_cells(config, config.embedding_size + (width if self.every_input else 0))
        if config.bidirectional:
            self.bridge = nn.Linear(2 * width, width)
        if config.attention != "none":
            self.attention = Alignment(config.attention, width)
            self.combine = nn.Linear(2 * width, width)
        self.generator = nn.Linear(width, config.target_vocab_size)
        self.dropout = nn.Dropout(config.dropout)

    def bridged(self, x):
        """Both directions -> one width: outputs, last states and last cells alike."""
        return torch.tanh(self.bridge(x)) if self.config.bidirectional else x

    def encode(self, source, lengths=None):
        if lengths is None:
            lengths = torch.full((source.shape[0],), source.shape[1], device=source.device)
        packed = pack_padded_sequence(self.dropout(self.source_embedding(source)), lengths.cpu(), batch_first=True,
                                      enforce_sorted=False)
        outputs, last = self.encoder(packed)
        outputs, _ = pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])

        def by_sentence(states):  # [layers * directions, batch, h] -> [batch, layers, h]
            rows = states.unflatten(0, (self.config.num_layers, -1)).permute(2, 0, 1, 3)
            return self.bridged(rows.flatten(2))

        memory = {"output": self.bridged(outputs), "lengths": lengths}
        if self.config.cell == "lstm":
            memory["hidden"], memory["cell"] = (by_sentence(states) for states in last)
        else:
            memory["hidden"] = by_sentence(last)
        return memory

    def start(self, memory):
        """What the decoder's layers begin with; nothing: zeros."""
        if self.every_input:
            return None
        states = [memory[name].transpose(0, 1).contiguous() for name in ("hidden", "cell") if name in memory]
        return tuple(states) if self.config.cell == "lstm" else states[0]

    def decode(self, target, memory):
        x = self.dropout(self.target_embedding(target))
        if self.every_input:
            x = torch.cat([x, memory["hidden"][:, -1:].expand(-1, x.shape[1], -1)], dim=-1)
        states, _ = self.decoder(x, self.start(memory))
        if self.config.attention != "none":
            keys = memory["output"]
            hidden = torch.arange(keys.shape[1], device=keys.device) >= memory["lengths"][:, None]
            scores = self.attention(states, keys).masked_fill(hidden[:, None], -math.inf)
            context = torch.softmax(scores, dim=-1) @ keys
            states = torch.tanh(self.combine(torch.cat([context, states], dim=-1)))
        return self.generator(self.dropout(states))

    def forward(self, source, target, lengths=None):
        return self.decode(target, self.encode(source, lengths))


class RecurrentLanguageModel(nn.Module):
    """Row t says what follows word t. What stands behind a row's length is computed too, and nobody asks for it."""

    def __init__(self, config):
        super().__init__()
        self.embedding = nn.Embedding(config.source_vocab_size, config.embedding_size)
        self.rnn = make_cells(config, config.embedding_size)
        self.generator = nn.Linear(config.hidden_size, config.target_vocab_size)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids, lengths=None):
        states, _ = self.rnn(self.dropout(self.embedding(ids)))
        return self.generator(self.dropout(states))
