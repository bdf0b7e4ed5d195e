#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""MarianMT and BART: encoder-decoders with norms behind the sublayers, which bear the same names. Marian computes its
positions, sines in the first half and cosines in the second; BART looks them up two rows on, and norms its embeddings.

    /usr/bin/python3 marian.py
"""
import torch

import common
from common import ACTIVATIONS, Weights, attention, causal, layer_norm, linear, split_heads

D, LAYERS, HEADS, POSITIONS = 16, 2, 4, 24
EPSILON = 1e-5
SOURCE = [5, 9, 11, 3, 7, 9, 0]
TARGET = [7, 8, 20, 4, 31]


def make_weights(seed, vocabulary, f, dtype=torch.float32, bart=False):
    w = Weights(seed, dtype)
    w.new("model.shared.weight", vocabulary, D, std=D**-0.5 if not bart else 0.7)
    for stack in ("encoder", "decoder"):
        if bart:
            w.new(f"model.{stack}.embed_positions.weight", POSITIONS + 2, D, std=0.4)
            w.norm(f"model.{stack}.layernorm_embedding", D)
        for i in range(LAYERS):
            layer = f"model.{stack}.layers.{i}."
            for block in ("self_attn", "encoder_attn") if stack == "decoder" else ("self_attn",):
                for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    w.linear(f"{layer}{block}.{name}", D, D)
                w.norm(f"{layer}{block}_layer_norm", D)
            w.linear(layer + "fc1", f, D)
            w.linear(layer + "fc2", D, f)
            w.norm(layer + "final_layer_norm", D)
    w.new("final_logits_bias", 1, vocabulary, std=0.5)
    return w


def favour(w, biases):
    """Sets the bias of ids, so that a search comes to them."""
    values = w["final_logits_bias"]
    for token, bias in biases.items():
        values[0, token] = bias
    w.put("final_logits_bias", values.float())


def sinusoids(length):
    """Halves, not interleaved."""
    angle = torch.arange(length)[:, None] * 10000.0 ** (-2 * torch.arange(D // 2) / D)[None]
    return torch.cat([angle.sin(), angle.cos()], 1).double()


class EncoderDecoder:
    def __init__(self, w, activation, scale, bart=False, shared=True):
        self.w, self.activation, self.scale, self.bart, self.shared = w, ACTIVATIONS[activation], scale, bart, shared
        self.head = "lm_head.weight" in w

    def table(self, stack):
        return self.w["model.shared.weight" if self.shared else f"model.{stack}.embed_tokens.weight"]

    def embed(self, stack, ids):
        x = self.table(stack)[ids] * self.scale
        if not self.bart:
            return x + sinusoids(len(ids))
        x = x + self.w[f"model.{stack}.embed_positions.weight"][2:2 + len(ids)]
        return layer_norm(self.w, f"model.{stack}.layernorm_embedding", x, EPSILON)

    def attend(self, block, x, memory, mask, trace, name):
        q = split_heads(linear(self.w, block + ".q_proj", x), HEADS)
        k, v = (split_heads(linear(self.w, f"{block}.{each}_proj", memory), HEADS) for each in "kv")
        joined, weights = attention(q, k, v, mask)
        trace[name + ".weights"] = weights
        return layer_norm(self.w, block + "_layer_norm", x + linear(self.w, block + ".out_proj", joined), EPSILON)

    def feed_forward(self, layer, x):
        hidden = linear(self.w, layer + "fc2", self.activation(linear(self.w, layer + "fc1", x)))
        return layer_norm(self.w, layer + "final_layer_norm", x + hidden, EPSILON)

    def encode(self, ids, trace):
        x = self.embed("encoder", ids)
        for i in range(LAYERS):
            layer = f"model.encoder.layers.{i}."
            x = self.attend(layer + "self_attn", x, x, None, trace, f"encoder.layers.{i}.self_attn")
            x = self.feed_forward(layer, x)
        trace["encoder.output"] = x
        return x

    def decode(self, ids, memory, trace):
        x = self.embed("decoder", ids)
        for i in range(LAYERS):
            layer, name = f"model.decoder.layers.{i}.", f"decoder.layers.{i}."
            x = self.attend(layer + "self_attn", x, x, causal(len(ids)), trace, name + "self_attn")
            x = self.attend(layer + "encoder_attn", x, memory, None, trace, name + "cross_attn")
            x = self.feed_forward(layer, x)
        trace["decoder.output"] = x
        trace["logits"] = x @ (self.w["lm_head.weight"] if self.head else self.table("decoder")).T + self.w["final_logits_bias"][0]
        return trace["logits"]

    def expected(self, source, target, search):
        """Trace of a pair, and what a beam of four finds."""
        trace = {"source.ids": torch.tensor(source), "target.ids": torch.tensor([search["start"]] + target)}
        memory = self.encode(source, trace)
        self.decode([search["start"]] + target, memory, trace)
        found = common.beam_search(lambda ids: self.decode(ids, memory, {})[-1], search, 4, 12)
        print("  beam:", [(ids, round(total, 3)) for ids, total in found])
        return {**trace, **common.beam_results(found)}


def config(kind, vocabulary, f, **more):
    sizes = {f"{stack}_{key}": value for stack in ("encoder", "decoder")
             for key, value in (("layers", LAYERS), ("attention_heads", HEADS), ("ffn_dim", f))}
    return {"model_type": kind, "d_model": D, **sizes, "max_position_embeddings": POSITIONS, "vocab_size": vocabulary,
            "num_beams": 4, "dropout": 0.1, "is_encoder_decoder": True, **more}


def marian_config(vocabulary, **more):
    return config("marian", vocabulary, 32, architectures=["MarianMTModel"], activation_function="swish",
                  scale_embedding=True, decoder_start_token_id=vocabulary - 1, pad_token_id=vocabulary - 1,
                  eos_token_id=0, bad_words_ids=[[vocabulary - 1]], decoder_vocab_size=vocabulary, **more)


def main():
    # Published files are often of half precision.
    vocabulary = 49
    w = make_weights(21, vocabulary, 32, torch.float16)
    # The pad id would win, were it not forbidden.
    favour(w, {0: 2.9, vocabulary - 1: 6.0})
    search = {"start": vocabulary - 1, "eos": 0, "forbidden": [vocabulary - 1]}
    model = EncoderDecoder(w, "silu", D**0.5)
    common.save("marian", marian_config(vocabulary), w, model.expected(SOURCE, TARGET, search))

    # Each stack with words of its own.
    w = make_weights(22, vocabulary, 32)
    shared = w.stored().pop("model.shared.weight")
    for stack in ("encoder", "decoder"):
        w.new(f"model.{stack}.embed_tokens.weight", *shared.shape, std=D**-0.5)
    del w["model.shared.weight"]
    favour(w, {0: 2.0})
    model = EncoderDecoder(w, "relu", D**0.5, shared=False)
    settings = marian_config(vocabulary, share_encoder_decoder_embeddings=False)
    settings["activation_function"] = "relu"
    common.save("marian_two_vocabularies", settings, w, model.expected(SOURCE, TARGET, search))

    # None of the usual settings: words that are not made longer, and a head of its own.
    w = make_weights(24, vocabulary, 32)
    w.new("lm_head.weight", vocabulary, D)
    favour(w, {0: 4.0, vocabulary - 1: 6.0})
    settings = marian_config(vocabulary, tie_word_embeddings=False, static_position_embeddings=True,
                             normalize_embedding=False, normalize_before=False, add_final_layer_norm=False)
    settings.update(scale_embedding=False, activation_function="gelu")
    model = EncoderDecoder(w, "gelu", 1.0)
    common.save("marian_settings", settings, w, model.expected(SOURCE, TARGET, search))

    save_bart("bart", 23, {2: 6.5}, "gelu", 1.0)
    save_bart("bart_settings", 25, {2: 7.0}, "relu", D**0.5, forced=0)


def save_bart(name, seed, biases, activation, scale, forced=None):
    vocabulary = 51
    w = make_weights(seed, vocabulary, 40, bart=True)
    favour(w, biases)
    settings = config("bart", vocabulary, 40, architectures=["BartForConditionalGeneration"],
                      activation_function=activation, scale_embedding=scale != 1, bos_token_id=0, pad_token_id=1,
                      eos_token_id=2, decoder_start_token_id=2, normalize_before=False, normalize_embedding=True)
    search = {"start": 2, "eos": 2}
    if forced is not None:
        settings["forced_bos_token_id"] = search["forced"] = forced
    stored = w.stored()
    for stack in ("encoder", "decoder"):  # tied, and written all the same by some programs
        stored[f"model.{stack}.embed_tokens.weight"] = stored["model.shared.weight"]
    model = EncoderDecoder(w, activation, scale, bart=True)
    common.save(name, settings, stored, model.expected([0] + SOURCE[:-1] + [2], [0] + TARGET, search))


if __name__ == "__main__":
    main()
