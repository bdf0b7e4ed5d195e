#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GPT-2: Conv1D weights [in, out], one matrix for queries, keys and values, norms before the sublayers. And the same in
the layout of nanoGPT: nn.Linear, [out, in], GELU by the error function. And one whose settings are none of the usual.

    /usr/bin/python3 gpt2.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, layer_norm, split_heads

D, LAYERS, HEADS, VOCABULARY, POSITIONS = 16, 2, 4, 53, 24
IDS = [5, 9, 11, 3, 52, 9, 9, 0, 17]


def make_weights(seed, linear_layout, inner_size=4 * D):
    w = Weights(seed)
    w.new("wte.weight", VOCABULARY, D, std=0.6)
    w.new("wpe.weight", POSITIONS, D, std=0.4)
    for i in range(LAYERS):
        for name, inner, out in (("attn.c_attn", D, 3 * D), ("attn.c_proj", D, D),
                                 ("mlp.c_fc", D, inner_size), ("mlp.c_proj", inner_size, D)):
            w.new(f"h.{i}.{name}.weight", *((out, inner) if linear_layout else (inner, out)), std=1.5 / inner**0.5)
            w.new(f"h.{i}.{name}.bias", out)
        for name in ("ln_1", "ln_2"):
            w.norm(f"h.{i}.{name}", D)
    w.norm("ln_f", D)
    return w


def forward(w, ids, activation, linear_layout=False, by_layer=False, scaled=True, epsilon=1e-5):
    """-> trace"""
    def conv1d(name, x):
        matrix = w[name + ".weight"]
        return x @ (matrix.T if linear_layout else matrix) + w[name + ".bias"]

    trace = {"ids": torch.tensor(ids)}
    x = w["wte.weight"][ids] + w["wpe.weight"][:len(ids)]
    for i in range(LAYERS):
        q, k, v = conv1d(f"h.{i}.attn.c_attn", layer_norm(w, f"h.{i}.ln_1", x, epsilon)).split(D, -1)
        q, k, v = (split_heads(each, HEADS) for each in (q, k, v))
        scale = ((D // HEADS) ** -0.5 if scaled else 1.0) / (i + 1 if by_layer else 1)
        joined, weights = attention(q, k, v, causal(len(ids)), scale)
        trace[f"layers.{i}.self_attn.weights"] = weights
        x = x + conv1d(f"h.{i}.attn.c_proj", joined)
        hidden = activation(conv1d(f"h.{i}.mlp.c_fc", layer_norm(w, f"h.{i}.ln_2", x, epsilon)))
        x = x + conv1d(f"h.{i}.mlp.c_proj", hidden)
    trace["output"] = layer_norm(w, "ln_f", x, epsilon)
    trace["logits"] = trace["output"] @ w["lm_head.weight" if "lm_head.weight" in w else "wte.weight"].T
    return trace


def config(**more):
    return {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": D, "n_layer": LAYERS,
            "n_head": HEADS, "n_inner": None, "n_positions": POSITIONS, "n_ctx": POSITIONS, "vocab_size": VOCABULARY,
            "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "scale_attn_weights": True,
            "bos_token_id": 52, "eos_token_id": 52, "attn_pdrop": 0.1, "embd_pdrop": 0.1, "resid_pdrop": 0.1, **more}


def buffers():
    """What older files keep of the causal mask."""
    one = {}
    for i in range(LAYERS):
        one[f"h.{i}.attn.bias"] = torch.ones(1, 1, POSITIONS, POSITIONS).tril().bool()
        one[f"h.{i}.attn.masked_bias"] = torch.tensor(-1e4)
    return one


def main():
    w = make_weights(1, linear_layout=False)
    # A language model's tensors bear a prefix; two shards, and the mask of older files.
    stored = {"transformer." + name: value for name, value in {**w.stored(), **buffers()}.items()}
    common.save("gpt2", config(), stored, forward(w, IDS, ACTIVATIONS["gelu_new"]), shards=2)

    # Older published files have no prefix; scores divided by the layer's number too.
    w = make_weights(2, linear_layout=False)
    common.save("gpt2_by_layer", config(scale_attn_by_inverse_layer_idx=True), w,
                forward(w, IDS, ACTIVATIONS["gelu_new"], by_layer=True))

    w = make_weights(3, linear_layout=True)
    stored = {"transformer." + name: value for name, value in w.stored().items()}
    stored["lm_head.weight"] = stored["transformer.wte.weight"]
    common.save("nanogpt", config(activation_function="gelu"), stored,
                forward(w, IDS, ACTIVATIONS["gelu"], linear_layout=True))

    w = make_weights(4, linear_layout=False, inner_size=24)
    w.new("lm_head.weight", VOCABULARY, D)
    settings = config(n_inner=24, activation_function="relu", scale_attn_weights=False,
                      scale_attn_by_inverse_layer_idx=True, reorder_and_upcast_attn=True, layer_norm_epsilon=1e-2,
                      tie_word_embeddings=False)
    common.save("gpt2_settings", settings, w, forward(w, IDS, ACTIVATIONS["relu"], by_layer=True, scaled=False,
                                                      epsilon=1e-2))


if __name__ == "__main__":
    main()
