#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""state_dicts of torch.nn.Transformer, nn.LSTM and nn.GRU as somebody's own program holds them: under its names, with
the JSON beside that says what the file does not (docs/contracts.md).

    /usr/bin/python3 state_dicts.py
"""
import json
import math
import os

import torch
from torch import nn

import common

SPECIAL = {"pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3}
IDS = [5, 9, 11, 3, 7, 9]
TARGET = [1, 7, 8, 20, 4]


class Translator(nn.Module):
    """As PyTorch's tutorial has it: post-norm, with the norms that nn.Transformer has behind its stacks."""
    D, HEADS, F, LAYERS, SOURCES, TARGETS, LONGEST = 16, 4, 24, 2, 23, 27, 20

    def __init__(self):
        super().__init__()
        self.src_tok_emb = nn.Embedding(self.SOURCES, self.D)
        self.tgt_tok_emb = nn.Embedding(self.TARGETS, self.D)
        self.transformer = nn.Transformer(self.D, self.HEADS, self.LAYERS, self.LAYERS, self.F, 0.0, batch_first=True)
        self.out = nn.Linear(self.D, self.TARGETS)
        angle = torch.arange(self.LONGEST)[:, None] * 10000.0 ** (-torch.arange(0, self.D, 2) / self.D)[None]
        self.register_buffer("pe", torch.stack([angle.sin(), angle.cos()], -1).reshape(self.LONGEST, self.D))

    def embed(self, table, ids):
        return table(ids) * math.sqrt(self.D) + self.pe[:ids.shape[1]]

    def forward(self, source, target):
        mask = torch.full((target.shape[1],) * 2, -math.inf, dtype=torch.float64).triu(1)
        memory = self.transformer.encoder(self.embed(self.src_tok_emb, source))
        x = self.transformer.decoder(self.embed(self.tgt_tok_emb, target), memory, tgt_mask=mask)
        return {"source.ids": source[0], "target.ids": target[0], "encoder.output": memory[0], "decoder.output": x[0],
                "logits": self.out(x)[0]}

    config = {"architecture": "transformer", "d_model": D, "num_heads": HEADS, "num_encoder_layers": LAYERS,
              "num_decoder_layers": LAYERS, "d_ff": F, "activation": "relu", "norm_order": "post", "final_norm": True,
              "layer_norm_eps": 1e-5, "positional_encoding": "sinusoidal", "scale_embeddings": True,
              "max_length": LONGEST, "source_vocab_size": SOURCES, "target_vocab_size": TARGETS, **SPECIAL}
    names = {"source_embedding": "src_tok_emb", "target_embedding": "tgt_tok_emb", "generator": "out"}
    ignored = ["pe"]


class Words(nn.Module):
    """A language model on nn.LSTM, both of whose biases have numbers."""
    E, H, LAYERS, VOCABULARY = 8, 12, 2, 29

    def __init__(self):
        super().__init__()
        self.encoder = nn.Embedding(self.VOCABULARY, self.E)
        self.lstm = nn.LSTM(self.E, self.H, self.LAYERS, batch_first=True)
        self.decoder = nn.Linear(self.H, self.VOCABULARY)

    def forward(self, ids):
        hidden = self.lstm(self.encoder(ids))[0]
        return {"ids": ids[0], "layers.1.hidden": hidden[0], "logits": self.decoder(hidden)[0]}

    config = {"architecture": "rnn-language-model", "cell": "lstm", "embedding_size": E, "hidden_size": H,
              "num_layers": LAYERS, "max_length": 32, "source_vocab_size": VOCABULARY, "target_vocab_size": VOCABULARY,
              **SPECIAL}
    names = {"embedding": "encoder", "rnn": "lstm", "generator": "decoder"}
    ignored = []


class Recurrent(nn.Module):
    """An encoder and a decoder on nn.GRU: the decoder begins with the encoder's last state."""
    E, H, LAYERS, VOCABULARY = 8, 12, 1, 29

    def __init__(self):
        super().__init__()
        self.words, self.target_words = nn.Embedding(self.VOCABULARY, self.E), nn.Embedding(self.VOCABULARY, self.E)
        self.encode = nn.GRU(self.E, self.H, self.LAYERS, batch_first=True)
        self.decode = nn.GRU(self.E, self.H, self.LAYERS, batch_first=True)
        self.out = nn.Linear(self.H, self.VOCABULARY)

    def forward(self, source, target):
        memory, state = self.encode(self.words(source))
        hidden = self.decode(self.target_words(target), state)[0]
        return {"source.ids": source[0], "target.ids": target[0], "encoder.layers.0.hidden": memory[0],
                "decoder.layers.0.hidden": hidden[0], "logits": self.out(hidden)[0]}

    config = {"architecture": "rnn", "cell": "gru", "embedding_size": E, "hidden_size": H, "num_layers": LAYERS,
              "bidirectional": False, "context": "initial_state", "attention": "none", "max_length": 32,
              "source_vocab_size": VOCABULARY, "target_vocab_size": VOCABULARY, **SPECIAL}
    names = {"source_embedding": "words", "target_embedding": "target_words", "encoder": "encode",
             "decoder": "decode", "generator": "out"}
    ignored = []


def main():
    for index, (name, kind) in enumerate((("pytorch_transformer", Translator), ("pytorch_lstm", Words),
                                          ("pytorch_gru", Recurrent))):
        torch.manual_seed(50 + index)
        model = kind().double()
        with torch.no_grad():
            for weight in model.parameters():
                weight.copy_((weight + torch.randn_like(weight) * 0.2).float())
        inputs = [torch.tensor([IDS])] + ([torch.tensor([TARGET])] if kind is not Words else [])
        model.train()  # PyTorch's fast path of inference is another program
        expected = {key: value.detach() for key, value in model(*inputs).items()}
        state = {key: value.float() for key, value in model.state_dict().items()}
        common.write_safetensors(os.path.join(common.HERE, name + ".safetensors"), state, {"format": "pt"})
        with open(os.path.join(common.HERE, name + ".json"), "w") as file:
            described = {"model_type": "pytorch", "config": kind.config, "names": kind.names, "ignored": kind.ignored}
            file.write(json.dumps(described, indent=1) + "\n")
        common.save_expected(name, expected)


if __name__ == "__main__":
    main()
