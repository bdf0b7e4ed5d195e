#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a model with random weights in the layout and the size of GPT-2 small (124 million parameters), as a folder
that every command of headlight-cli takes: config.json and model.safetensors. The same bytes every time.

    /usr/bin/python3 make_gpt2.py FOLDER [--dtype F32|F16|BF16] [--layers 12 --width 768 --heads 12 --vocabulary 50257 --positions 1024]
        (Debian: python3-numpy)
"""
import argparse
import json
import os
import struct

import numpy as np


def shapes(o):
    """-> (name, shape, mean, deviation) of every tensor: what Radford et al. initialise with."""
    d, small = o.width, 0.02
    yield "wte.weight", (o.vocabulary, d), 0, small
    yield "wpe.weight", (o.positions, d), 0, small
    for i in range(o.layers):
        for name, inner, out in (("attn.c_attn", d, 3 * d), ("attn.c_proj", d, d), ("mlp.c_fc", d, 4 * d),
                                 ("mlp.c_proj", 4 * d, d)):
            yield f"h.{i}.{name}.weight", (inner, out), 0, small
            yield f"h.{i}.{name}.bias", (out,), 0, small
        for name in ("ln_1", "ln_2"):
            yield f"h.{i}.{name}.weight", (d,), 1, small
            yield f"h.{i}.{name}.bias", (d,), 0, small
    yield "ln_f.weight", (d,), 1, small
    yield "ln_f.bias", (d,), 0, small


def stored(values, dtype):
    """The bytes of float32 numbers as the file keeps them."""
    if dtype == "F32":
        return values.astype("<f4").tobytes()
    if dtype == "F16":
        return values.astype("<f2").tobytes()
    bits = values.astype("<f4").view("<u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2").tobytes()  # to the nearest, ties to even


def config(o):
    return {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": o.width, "n_layer": o.layers,
            "n_head": o.heads, "n_inner": None, "n_positions": o.positions, "vocab_size": o.vocabulary,
            "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "bos_token_id": o.vocabulary - 1,
            "eos_token_id": o.vocabulary - 1}


def main():
    parser = argparse.ArgumentParser(description="Writes a random model of GPT-2's layout.")
    parser.add_argument("folder")
    parser.add_argument("--dtype", choices=("F32", "F16", "BF16"), default="F32")
    for name, size in (("layers", 12), ("width", 768), ("heads", 12), ("vocabulary", 50257), ("positions", 1024)):
        parser.add_argument("--" + name, type=int, default=size, help=f"{size} unless said otherwise")
    options = parser.parse_args()

    tensors = list(shapes(options))
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, shape, _, _ in tensors:
        size = int(np.prod(shape)) * (4 if options.dtype == "F32" else 2)
        header[name] = {"dtype": options.dtype, "shape": list(shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)

    os.makedirs(options.folder, exist_ok=True)
    random = np.random.Generator(np.random.PCG64(1))
    with open(os.path.join(options.folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, shape, mean, deviation in tensors:
            file.write(stored(random.standard_normal(shape, np.float32) * np.float32(deviation) + np.float32(mean),
                              options.dtype))
    with open(os.path.join(options.folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config(options), file, indent=1)


if __name__ == "__main__":
    main()
