#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of Llama: Llama 3's and linearly scaled angles and biases, Mistral's window, Qwen 2's biases, Qwen 3's norms
of each head, Phi-3's fused maps. Sizes are odd, some models have one head, some heads are wider than the model.

    /usr/bin/python3 llama_like.py
"""
import math
from collections import namedtuple

import torch

import common
from common import Weights, attention, causal, linear, rms_norm, split_heads

VOCABULARY, EPSILON = 44, 1e-5
IDS = [1, 9, 11, 3, 43, 9, 9, 0, 17]
Settings = namedtuple(
    "Settings",
    "d f layers heads groups width base tied qkv_bias out_bias mlp_bias head_norms fused scaling partial windows",
    defaults=(False,) * 7 + ((lambda speeds: speeds), 1.0, {}))


def make_weights(seed, s, dtype=torch.float32):
    w = Weights(seed, dtype)
    w.new("model.embed_tokens.weight", VOCABULARY, s.d, std=0.7)
    for i in range(s.layers):
        layer = f"model.layers.{i}."
        rows = {"q": s.heads * s.width, "k": s.groups * s.width, "v": s.groups * s.width}
        if s.fused:
            w.linear(layer + "self_attn.qkv_proj", sum(rows.values()), s.d, bias=False)
            w.linear(layer + "mlp.gate_up_proj", 2 * s.f, s.d, bias=False)
        else:
            for name, out in rows.items():
                w.linear(f"{layer}self_attn.{name}_proj", out, s.d, bias=s.qkv_bias)
            for name in ("gate", "up"):
                w.linear(f"{layer}mlp.{name}_proj", s.f, s.d, bias=s.mlp_bias)
        w.linear(layer + "self_attn.o_proj", s.d, s.heads * s.width, bias=s.out_bias)
        w.linear(layer + "mlp.down_proj", s.d, s.f, bias=s.mlp_bias)
        for norm in ("input_layernorm", "post_attention_layernorm"):
            w.norm(layer + norm, s.d, bias=False)
        if s.head_norms:
            w.norm(layer + "self_attn.q_norm", s.width, bias=False)
            w.norm(layer + "self_attn.k_norm", s.width, bias=False)
    w.norm("model.norm", s.d, bias=False)
    if not s.tied:
        w.linear("lm_head", VOCABULARY, s.d, bias=False)
    return w


def turned(x, s):
    """[H, T, width]: of the first numbers the pair (i, i + half) of position t turned by t·speed; the others stay."""
    size = int(s.width * s.partial)
    speeds = s.scaling(s.base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size))
    angle = torch.arange(x.shape[1])[:, None] * speeds[None]
    first, second, rest = x[..., :size // 2], x[..., size // 2:size], x[..., size:]
    return torch.cat(
        [first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin(), rest], -1)


def window_mask(length, window):
    """A word sees itself and the window − 1 before it."""
    place = torch.arange(length)
    return causal(length).masked_fill(place[:, None] - place[None] >= window, -math.inf)


def head_norm(w, name, x):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + EPSILON) * w[name + ".weight"]


def heads_of(w, layer, x, s):
    """-> q, k, v, each [heads, T, width]"""
    if s.fused:
        sizes = [s.heads * s.width, s.groups * s.width, s.groups * s.width]
        q, k, v = linear(w, layer + "self_attn.qkv_proj", x).split(sizes, -1)
    else:
        q, k, v = (linear(w, f"{layer}self_attn.{name}_proj", x) for name in "qkv")
    q, k, v = split_heads(q, s.heads), split_heads(k, s.groups), split_heads(v, s.groups)
    if s.head_norms:
        q, k = head_norm(w, layer + "self_attn.q_norm", q), head_norm(w, layer + "self_attn.k_norm", k)
    return turned(q, s), turned(k, s), v


def network(w, layer, x, s):
    if s.fused:
        gate, up = linear(w, layer + "mlp.gate_up_proj", x).chunk(2, -1)
    else:
        gate, up = linear(w, layer + "mlp.gate_proj", x), linear(w, layer + "mlp.up_proj", x)
    return linear(w, layer + "mlp.down_proj", gate * torch.sigmoid(gate) * up)


def forward(w, ids, s):
    """-> trace"""
    trace = {"ids": torch.tensor(ids)}
    x = w["model.embed_tokens.weight"][ids]
    for i in range(s.layers):
        layer = f"model.layers.{i}."
        q, k, v = heads_of(w, layer, rms_norm(w, layer + "input_layernorm", x, EPSILON), s)
        k, v = (each.repeat_interleave(s.heads // s.groups, 0) for each in (k, v))
        mask = window_mask(len(ids), s.windows[i]) if i in s.windows else causal(len(ids))
        joined, trace[f"layers.{i}.self_attn.weights"] = attention(q, k, v, mask)
        x = x + linear(w, layer + "self_attn.o_proj", joined)
        x = x + network(w, layer, rms_norm(w, layer + "post_attention_layernorm", x, EPSILON), s)
    trace["output"] = rms_norm(w, "model.norm", x, EPSILON)
    trace["logits"] = linear(w, "model.embed_tokens" if s.tied else "lm_head", trace["output"])
    return trace


def llama3(factor, low, high, length):
    """By wavelengths: long ones grow by the factor, short ones stay, between them a share of both."""
    def scaled(speeds):
        result = []
        for speed in speeds.tolist():
            wavelength = 2 * math.pi / speed
            if wavelength < length / high:
                result.append(speed)
            elif wavelength > length / low:
                result.append(speed / factor)
            else:
                share = (length / wavelength - low) / (high - low)
                result.append((1 - share) * speed / factor + share * speed)
        return torch.tensor(result, dtype=torch.float64)
    return scaled


def config(kind, name, s, **more):
    return {"model_type": kind, "architectures": [name], "hidden_size": s.d, "num_hidden_layers": s.layers,
            "num_attention_heads": s.heads, "num_key_value_heads": s.groups, "intermediate_size": s.f,
            "max_position_embeddings": 32, "vocab_size": VOCABULARY, "hidden_act": "silu", "rms_norm_eps": EPSILON,
            "tie_word_embeddings": s.tied, "bos_token_id": 1, "eos_token_id": 2, **more}


def save(folder, seed, s, written, dtype=torch.float32, more=None):
    w = make_weights(seed, s, dtype)
    ids = list(IDS)
    for _ in range(8):
        ids.append(int(forward(w, ids, s)["logits"][-1].argmax()))
    stored = {**w.stored(), **(more or {})}
    common.save(folder, written, stored, {**forward(w, IDS, s), "continuation": torch.tensor(ids[len(IDS):])})


def main():
    s = Settings(24, 28, 2, 4, 2, 6, 500.0, False, qkv_bias=True, out_bias=True, mlp_bias=True,
                 scaling=llama3(8.0, 1.0, 4.0, 64))
    rope = {"rope_theta": s.base, "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64}
    save("llama_scaled", 201, s, config("llama", "LlamaForCausalLM", s, attention_bias=True, mlp_bias=True,
                                        rope_parameters=rope, dtype="float32"))

    s = Settings(10, 13, 1, 1, 1, 10, 10000.0, True, scaling=lambda speeds: speeds / 4)
    save("llama_linear", 202, s, config("llama", "LlamaForCausalLM", s, rope_theta=s.base, attention_bias=False,
                                        rope_scaling={"type": "linear", "factor": 4.0}))

    s = Settings(15, 21, 2, 3, 1, 6, 10000.0, False, windows={0: 4, 1: 4})
    save("mistral", 203, s, config("mistral", "MistralForCausalLM", s, head_dim=6, sliding_window=4, rope_theta=s.base),
         torch.float16)

    s = Settings(14, 17, 2, 2, 1, 7 - 1, 1000000.0, True, qkv_bias=True, windows={1: 3})
    save("qwen2", 204, s, config("qwen2", "Qwen2ForCausalLM", s, head_dim=6, use_sliding_window=True, sliding_window=3,
                                 max_window_layers=1, rope_theta=s.base))

    s = Settings(20, 23, 2, 3, 3, 6, 1000000.0, False, head_norms=True)
    save("qwen3", 205, s, config("qwen3", "Qwen3ForCausalLM", s, head_dim=6, attention_bias=False, rope_theta=s.base,
                                 use_sliding_window=False, sliding_window=None, max_window_layers=28))

    s = Settings(32, 19, 2, 4, 2, 8, 10000.0, False, fused=True, partial=0.75, windows={0: 5, 1: 5})
    inverse = 1 / s.base ** (torch.arange(0, 6, 2).float() / 6)
    save("phi3", 206, s, config("phi3", "Phi3ForCausalLM", s, rope_theta=s.base, rope_scaling=None, sliding_window=5,
                                partial_rotary_factor=0.75, pad_token_id=3), torch.bfloat16,
         {"model.layers.0.self_attn.rotary_emb.inv_freq": inverse})


if __name__ == "__main__":
    main()
