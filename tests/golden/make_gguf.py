#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of random weights as a GGUF file, with one of the tokenizers of tests/golden/tokenizers: something that both
llama.cpp and Headlight open, to be compared (compare_llama_cpp.mjs). Nothing of it ships or is tested by itself.

    /usr/bin/python3 make_gguf.py ARCHITECTURE TYPE --out FILE.gguf [--ggml libggml-base.so] [--seed N] [--tiny]

TYPE is F32, F16 or BF16, or with ggml's own library (of any build of llama.cpp) to quantize with Q4_0, Q4_1, Q5_0, Q5_1,
Q8_0, Q4_K, Q5_K or Q6_K. Debian: apt install python3-numpy python3-sentencepiece.
"""
import argparse
import ctypes
import json
import pathlib
import struct

import numpy

TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q5_0": 6, "Q5_1": 7, "Q8_0": 8, "Q4_K": 12, "Q5_K": 13, "Q6_K": 14,
         "BF16": 30}
U32, I32, F32, BOOL, TEXT, LIST = 4, 5, 6, 7, 8, 9
TOKENIZERS = pathlib.Path(__file__).parent / "tokenizers"


def text(value):
    value = value.encode()
    return struct.pack("<Q", len(value)) + value


def key(name, kind, value):
    return text(name) + struct.pack("<I", kind) + value


def entry(name, value):
    if isinstance(value, bool):
        return key(name, BOOL, struct.pack("<B", value))
    if isinstance(value, int):
        return key(name, U32, struct.pack("<I", value))
    if isinstance(value, float):
        return key(name, F32, struct.pack("<f", value))
    if isinstance(value, str):
        return key(name, TEXT, text(value))
    kind, pack = {str: (TEXT, text), int: (I32, lambda v: struct.pack("<i", v)),
                  float: (F32, lambda v: struct.pack("<f", v))}[type(value[0])]
    return key(name, LIST, struct.pack("<IQ", kind, len(value)) + b"".join(map(pack, value)))


def byte_level(folder, pre):
    """GPT-2's two files, or a tokenizer.json."""
    if (folder / "vocab.json").exists():
        vocabulary = json.loads((folder / "vocab.json").read_text())
        merges = [line for line in (folder / "merges.txt").read_text().split("\n") if line and line[0] != "#"]
        special = {"<|endoftext|>"}
    else:
        whole = json.loads((folder / "tokenizer.json").read_text())
        vocabulary, merges = whole["model"]["vocab"], whole["model"]["merges"]
        merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in merges]
        special = {token["content"] for token in whole["added_tokens"]}
        vocabulary |= {token["content"]: token["id"] for token in whole["added_tokens"]}
    tokens = sorted(vocabulary, key=vocabulary.get)
    end = vocabulary[sorted(special)[0]]
    return {"model": "gpt2", "pre": pre, "tokens": tokens, "merges": merges,
            "token_type": [3 if token in special else 1 for token in tokens],
            "bos_token_id": end, "eos_token_id": end, "add_bos_token": False}


def sentence_pieces(folder):
    import sentencepiece
    model = sentencepiece.SentencePieceProcessor(str(folder / "tokenizer.model"))
    ids = range(model.vocab_size())
    kind = lambda i: 2 if model.IsUnknown(i) else 3 if model.IsControl(i) else 6 if model.IsByte(i) else 1
    return {"model": "llama", "pre": "default", "tokens": [model.IdToPiece(i) for i in ids],
            "scores": [model.GetScore(i) for i in ids], "token_type": [kind(i) for i in ids],
            "bos_token_id": model.bos_id(), "eos_token_id": model.eos_id(), "unknown_token_id": model.unk_id()}


def few_tokens(model):
    """Enough to begin a fuzzer with."""
    if model == "gpt2":
        return {"model": "gpt2", "pre": "gpt-2", "tokens": ["a", "b", "\u0120", "ab", "\u0120a", "<|end|>", "x y"],
                "merges": ["a b", "\u0120 a"], "token_type": [1, 1, 1, 1, 1, 3, 4], "eos_token_id": 5, "bos_token_id": 5,
                "add_bos_token": True}
    return {"model": "llama", "tokens": ["<unk>", "<s>", "</s>", "\u2581", "a", "b", "\u2581a", "x y", "[PAD8]"],
            "scores": [0.0, 0.0, 0.0, -3.0, -2.0, -2.5, -1.0, 0.0, -1000.0],
            "token_type": [2, 3, 3, 1, 1, 1, 1, 4, 5], "bos_token_id": 1, "eos_token_id": 2, "unknown_token_id": 0}


D, LAYERS, HEADS, KEYS, FEED = 256, 3, 4, 2, 512


class Model:
    def __init__(self, architecture, kind, seed, ggml):
        self.architecture, self.kind, self.ggml = architecture, kind, ggml
        self.random = numpy.random.default_rng(seed)
        self.keys, self.tensors = {"general.architecture": architecture, "general.type": "model"}, []

    def encoded(self, values, kind):
        if kind == "F32":
            return values.tobytes()
        if kind == "F16":
            return values.astype(numpy.float16).tobytes()
        if kind == "BF16":
            return (values.view(numpy.uint32) >> 16).astype(numpy.uint16).tobytes()
        if not self.ggml:
            raise SystemExit(f"{kind} is made by ggml's library: name it with --ggml")
        library = ctypes.CDLL(self.ggml)
        library.ggml_row_size.restype = library.ggml_quantize_chunk.restype = ctypes.c_size_t
        library.ggml_row_size.argtypes = [ctypes.c_int, ctypes.c_int64]
        library.ggml_quantize_chunk.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64,
                                                ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        rows, width = values.shape
        out = numpy.zeros(rows * library.ggml_row_size(TYPES[kind], width), numpy.uint8)
        library.ggml_quantize_chunk(TYPES[kind], values.ctypes.data, out.ctypes.data, 0, rows, width, None)
        return out.tobytes()

    def add(self, name, *shape, around=0.0, spread=None):
        spread = spread or (0.3 if len(shape) == 1 else 2.5 / shape[-1] ** 0.5)
        values = (around + spread * self.random.standard_normal(shape)).astype(numpy.float32)
        kind = self.kind if len(shape) > 1 else "F32"
        self.tensors.append((name, shape, TYPES[kind], self.encoded(values, kind)))

    def norm(self, name, size=None, bias=False):
        self.add(name + ".weight", size or D, around=1.0)
        if bias:
            self.add(name + ".bias", size or D)

    def linear(self, name, rows, width, bias=False):
        self.add(name + ".weight", rows, width)
        if bias:
            self.add(name + ".bias", rows)

    def set(self, **keys):
        for name, value in keys.items():
            self.keys[f"{self.architecture}." + name.replace("__", ".")] = value

    def build(self, tokenizer):
        a, words, head = self.architecture, len(tokenizer["tokens"]), D // HEADS
        for name, value in tokenizer.items():
            self.keys["tokenizer.ggml." + name] = value
        self.set(block_count=LAYERS, context_length=min(128, 2 * D), embedding_length=D, feed_forward_length=FEED,
                 attention__head_count=HEADS)
        old = a in ("gpt2", "gptneox", "phi2")  # norms with a mean, biases
        if old:
            self.set(attention__layer_norm_epsilon=1e-5)
        else:
            self.set(attention__layer_norm_rms_epsilon=1e-6)
        keys = KEYS if not old else HEADS
        if a != "gptneox":
            self.set(attention__head_count_kv=keys)
        if a not in ("gpt2",):
            self.set(rope__freq_base=20000.0, rope__dimension_count=head // 2 if a in ("gptneox", "phi2") else head)
        if a in ("qwen3", "gemma", "gemma2", "gemma3"):
            self.set(attention__key_length=head, attention__value_length=head)
        if a in ("gemma2", "gemma3"):
            self.set(attention__sliding_window=8)
        if a == "gemma2":
            self.set(attn_logit_softcapping=50.0, final_logit_softcapping=30.0)
        if a == "gemma3":
            self.set(rope__freq_base_swa=10000.0)
        if a == "gptneox":
            self.set(use_parallel_residual=True)
        self.add("token_embd.weight", words, D, spread=0.02 if a.startswith("gemma") else 1.0)
        if a == "gpt2":
            self.add("position_embd.weight", min(128, 2 * D), D, spread=0.5)
        self.norm("output_norm", bias=old)
        if a in ("llama", "gptneox", "phi3"):
            self.linear("output", words, D)
        if a == "phi2":
            self.linear("output", words, D, bias=True)
        for i in range(LAYERS):
            self.layer(f"blk.{i}.", old, head, keys)

    def layer(self, block, old, head, keys):
        a = self.architecture
        self.norm(block + "attn_norm", bias=old)
        if a in ("gpt2", "gptneox", "phi3"):
            self.linear(block + "attn_qkv", (HEADS + 2 * keys) * head, D, bias=old)
        else:
            for part, count in (("q", HEADS), ("k", keys), ("v", keys)):
                self.linear(block + "attn_" + part, count * head, D, bias=a in ("qwen2", "phi2"))
        if a in ("qwen3", "gemma3"):
            self.norm(block + "attn_q_norm", head)
            self.norm(block + "attn_k_norm", head)
        self.linear(block + "attn_output", D, HEADS * head, bias=old)
        if a in ("gemma2", "gemma3"):
            self.norm(block + "post_attention_norm")
            self.norm(block + "post_ffw_norm")
        if a != "phi2":
            self.norm(block + "ffn_norm", bias=old)
        if not old and a != "phi3":
            self.linear(block + "ffn_gate", FEED, D)
        self.linear(block + "ffn_up", FEED * (2 if a == "phi3" else 1), D, bias=old)
        self.linear(block + "ffn_down", D, FEED, bias=old)

    def write(self, path):
        out = b"GGUF" + struct.pack("<IQQ", 3, len(self.tensors), len(self.keys))
        out += b"".join(entry(name, value) for name, value in self.keys.items())
        at = 0
        for name, shape, kind, data in self.tensors:
            out += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *reversed(shape))
            out += struct.pack("<IQ", kind, at)
            at += -(-len(data) // 32) * 32
        pieces = [out + bytes(-len(out) % 32)]
        pieces += [data + bytes(-len(data) % 32) for *_, data in self.tensors]
        pathlib.Path(path).write_bytes(b"".join(pieces))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("architecture")
    parser.add_argument("type", choices=TYPES)
    parser.add_argument("--out", required=True)
    parser.add_argument("--ggml")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", choices=["gpt2", "llama3", "llama"])
    parser.add_argument("--tiny", action="store_true", help="some kilobytes, with a handful of tokens")
    options = parser.parse_args()
    a = options.architecture
    words = options.words or ("llama" if a in ("llama", "gemma", "gemma2", "gemma3", "phi3") else "gpt2")
    if options.tiny:
        global D, LAYERS, HEADS, KEYS, FEED
        D, LAYERS, HEADS, KEYS, FEED = 8 if options.type in ("F32", "F16", "BF16") else 32, 1, 2, 1, 32
    tokenizer = (few_tokens("llama" if words == "llama" else "gpt2") if options.tiny else
                 sentence_pieces(TOKENIZERS / "llama") if words == "llama" else
                 byte_level(TOKENIZERS / "gpt2-json", "llama-bpe") if words == "llama3" else
                 byte_level(TOKENIZERS / "gpt2", {"qwen2": "qwen2", "qwen3": "qwen2", "gptneox": "olmo"}.get(a, "gpt-2")))
    model = Model(a, options.type, options.seed, options.ggml)
    model.build(tokenizer)
    model.write(options.out)


if __name__ == "__main__":
    main()
