#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recomputes a whole forward pass of an encoder-decoder from its model file and compares every value of a trace with it.

    check_trace.py MODEL.safetensors TRACE.safetensors [--mute decoder.layers.1.cross_attn.0 ...] [--quiet]

Needs numpy only, and nothing of the program's: the second opinion must not share the first one's mistakes. Computes in
double precision. Exit status 0: the trace has every name and no other, and each value is within 2e-4 of (1 + its size).
"""
import argparse
import json
import math
import sys

import numpy as np

import check_trace_rnn
from check_trace_rnn import log_softmax, softmax
from safetensors_file import load

TOLERANCE = 2e-4


def activation(kind, x):
    if kind == "relu":
        return np.maximum(x, 0)
    if kind == "gelu":
        return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    if kind == "gelu_tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    if kind in ("silu", "quick_gelu"):
        return x / (1 + np.exp(-(1.702 if kind == "quick_gelu" else 1) * x))
    raise SystemExit(f"check_trace: error: unknown activation {kind!r}: use relu, gelu, gelu_tanh, silu or quick_gelu")


def sinusoids(length, width, base, layout="interleaved"):
    """Row p: sin(p base^(-2i/width)) in column 2i, the cosine of the same angle in column 2i + 1; in halves the sines
    of all i come first."""
    columns = np.arange(width)
    angles = np.arange(length)[:, None] * base ** (-2.0 * (columns // 2) / width)
    table = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
    return table if layout == "interleaved" else np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


def bucket(distance, buckets, farthest, both_ways):
    """Which of T5's buckets a key falls into that stands so far behind its query."""
    first = 0
    if both_ways:
        buckets //= 2
        first, distance = (buckets if distance > 0 else 0), abs(distance)
    else:
        distance = max(-distance, 0)
    exact = buckets // 2
    if distance < exact:
        return first + distance
    wide = math.log(distance / exact) / math.log(farthest / exact) * (buckets - exact)
    return first + min(buckets - 1, exact + int(wide + 1e-9))


def rotary_speeds(config, windowed, width):
    """Radians a position, of each pair."""
    base = config.get("window_base") if windowed else 0
    speeds = (base or config["positional_base"]) ** (-2.0 * np.arange(width // 2) / width)
    scaling, factor = config.get("rotary_scaling", "none"), config.get("rotary_factor", 1)
    if base or scaling == "none":
        return speeds
    if scaling == "linear":
        return speeds / factor
    low, high = config.get("rotary_low_factor", 1), config.get("rotary_high_factor", 4)
    turns = config.get("rotary_original_length", 8192) * speeds / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0, 1)
    return (1 - kept) * speeds / factor + kept * speeds


def rotated(x, speeds):
    """[heads, T, width]: numbers i and i + n of the first 2n turned by position * speeds[i]; the others stay."""
    half = len(speeds)
    angles = np.arange(x.shape[1])[:, None] * speeds
    a, b, rest = x[..., :half], x[..., half: 2 * half], x[..., 2 * half:]
    return np.concatenate(
        [a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles), rest], axis=-1)


class Recomputation:
    def __init__(self, weights, config, muted):
        self.weights = {name: values.astype(np.float64) for name, values in weights.items()}
        self.config = config
        self.muted = set(muted)
        self.values = {}

    def put(self, name, value):
        self.values[name] = value
        return value

    def linear(self, x, prefix, separator="."):
        return x @ self.weights[f"{prefix}{separator}weight"].T + self.weights.get(f"{prefix}{separator}bias", 0)

    def layer_norm(self, x, prefix):
        if self.config.get("norm") == "rms":
            return self.rms_norm(x, prefix)
        mean = x.mean(axis=-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(variance + self.config["layer_norm_eps"])
        return scaled * self.weights[prefix + ".weight"] + self.weights.get(prefix + ".bias", 0)

    def rms_norm(self, x, prefix):
        size = np.sqrt((x**2).mean(axis=-1, keepdims=True) + self.config["layer_norm_eps"])
        return x / size * (self.weights[prefix + ".weight"] + (1 if self.config.get("norm_from_one") else 0))

    def windowed(self, name):
        """Does that layer see the last words alone?"""
        layers = self.config.get("window_layers")
        return bool(self.config.get("sliding_window")) and (not layers or int(name.split(".")[-2]) in layers)

    def attention(self, name, prefix, queries, keys, causal):
        """-> the block's output [Tq, d]; queries [Tq, d], keys [Tk, d] (and the values are of the keys' tokens)"""
        config = self.config
        heads, groups = config["num_heads"], config.get("num_kv_heads") or config["num_heads"]
        width = config.get("head_size") or config["d_model"] // heads
        weight = self.weights[prefix + ".in_proj_weight"]
        bias = self.weights.get(prefix + ".in_proj_bias", np.zeros(len(weight)))
        projected, row = {}, 0
        for letter, x, count in (("q", queries, heads), ("k", keys, groups), ("v", keys, groups)):
            rows = slice(row, row + count * width)
            row += count * width
            y = x @ weight[rows].T + bias[rows]
            projected[letter] = self.put(f"{name}.{letter}", y.reshape(len(x), count, width).transpose(1, 0, 2))
        if config.get("head_norms"):
            for letter in "qk":
                projected[letter] = self.put(
                    f"{name}.{letter}_normed", self.rms_norm(projected[letter], f"{prefix}.{letter}_norm"))
        if config["positional_encoding"] == "rotary" and keys is queries:
            speeds = rotary_speeds(config, self.windowed(name), config.get("rotary_size") or width)
            for letter in "qk":
                projected[letter] = self.put(f"{name}.{letter}_rotated", rotated(projected[letter], speeds))
        for letter in "kv":
            projected[letter] = projected[letter].repeat(heads // groups, axis=0)
        scores = projected["q"] @ projected["k"].transpose(0, 2, 1)
        if config.get("scale_scores", True):
            scores = scores / math.sqrt(config.get("query_scale") or width)
        if config.get("scale_scores_by_layer"):
            scores = scores / (int(name.split(".")[-2]) + 1)
        if config["positional_encoding"] == "relative" and keys is queries:
            scores = scores + self.values[name.split("layers.")[0] + "relative_bias"]
        self.put(f"{name}.scores", scores)
        if config.get("score_cap"):
            scores = self.put(f"{name}.scores_capped", config["score_cap"] * np.tanh(scores / config["score_cap"]))
        mask = np.zeros((len(queries), len(keys)))
        if causal:
            mask[np.triu_indices(len(queries), 1)] = -np.inf
            if self.windowed(name):
                mask[np.tril_indices(len(queries), -config["sliding_window"])] = -np.inf
        elif self.windowed(name) and keys is queries:
            places = np.arange(len(queries))
            mask[np.abs(places[:, None] - places[None]) >= config["sliding_window"]] = -np.inf
        self.put(f"{name}.mask", mask)
        weights = self.put(f"{name}.weights", softmax(scores + mask))
        by_head = weights @ projected["v"]
        for head in range(heads):
            if f"{name}.{head}" in self.muted:
                by_head[head] = 0
        self.put(f"{name}.heads", by_head)
        concat = self.put(f"{name}.concat", by_head.transpose(1, 0, 2).reshape(len(queries), heads * width))
        return self.put(f"{name}.output", self.linear(concat, prefix + ".out_proj"))

    def feed_forward(self, name, prefix, x):
        hidden = self.put(f"{name}.ffn.hidden", self.linear(x, prefix + ".linear1"))
        active = self.put(f"{name}.ffn.activation", activation(self.config["activation"], hidden))
        if self.config.get("gated_ffn"):
            active = self.put(f"{name}.ffn.gated",
                              active * self.put(f"{name}.ffn.up", self.linear(x, prefix + ".linear_up")))
        return self.put(f"{name}.ffn.output", self.linear(active, prefix + ".linear2"))

    def residual(self, name, x, output):
        return self.put(name, x + output) if self.config.get("residuals", True) else output

    def sublayer(self, name, prefix, number, x, block):
        """One residual block: x + block(norm(x)) where norms come first, norm(x + block(x)) where they come after."""
        norm_name, norm_prefix = f"{name}.norm{number}", f"{prefix}.norm{number}"
        if self.config["norm_order"] == "pre":
            # ModernBERT's first attention reads without one.
            normed = norm_prefix + ".weight" in self.weights
            output = block(self.put(norm_name, self.layer_norm(x, norm_prefix)) if normed else x)
            if self.config.get("output_norms"):
                output = self.put(
                    f"{name}.output_norm{number}", self.layer_norm(output, f"{prefix}.output_norm{number}"))
            return self.residual(f"{name}.residual{number}", x, output)
        residual = self.residual(f"{name}.residual{number}", x, block(x))
        return self.put(norm_name, self.layer_norm(residual, norm_prefix))

    def parallel(self, name, prefix, x, attend, network):
        """Attention and network read the same x, each through its norm or both through one."""
        first = self.put(f"{name}.norm1", self.layer_norm(x, f"{prefix}.norm1"))
        attended = self.put(f"{name}.residual1", x + attend(first))
        second = first
        if self.config["parallel"] == "two_norms":
            second = self.put(f"{name}.norm2", self.layer_norm(x, f"{prefix}.norm2"))
        return self.put(f"{name}.residual2", attended + network(second))

    def stack_input(self, stack, ids, table):
        config = self.config
        embedding = self.weights[table][ids]
        if config["scale_embeddings"]:
            embedding = embedding * math.sqrt(config["d_model"])
        self.put(f"{stack}embedding", embedding)
        kind, concat = config["positional_encoding"], config["positional_combine"] == "concat"
        side = {"": "", "encoder.": "source_", "decoder.": "target_"}[stack]
        joined = embedding
        if config.get("token_types"):
            behind = np.cumsum(ids == config.get("separator_id", -1)) - (ids == config.get("separator_id", -1))
            types = self.put(f"{stack}token_type_ids", np.minimum(behind, 1))
            joined = joined + self.put(f"{stack}token_type_embedding", self.weights["token_types.weight"][types])
        if kind in ("learned", "sinusoidal"):
            if kind == "learned":
                table = self.weights[("" if config.get("share_positions", True) else side) + "positions.weight"]
                positions = table[config.get("position_offset", 0):][: len(ids)]
            else:
                width = config["d_model"] // 2 if concat else config["d_model"]
                first = config.get("position_offset", 0)
                positions = sinusoids(first + len(ids), width, config["positional_base"],
                                      config.get("sinusoid_layout", "interleaved"))[first:]
            self.put(f"{stack}positional_encoding", positions)
            joined = np.concatenate([joined, positions], axis=1) if concat else joined + positions
        if (config.get("embedding_norm") or config.get("word_width")) and joined is not embedding:
            self.put(f"{stack}embedding_sum", joined)
        if config.get("embedding_norm"):
            joined = self.layer_norm(joined, side + "embedding_norm")
        if config.get("word_width"):
            if config.get("embedding_norm"):
                self.put(f"{stack}embedding_norm", joined)
            joined = self.linear(joined, "word_map")
        if kind == "relative":
            self.put(f"{stack}relative_bias", self.relative_bias(stack, len(ids)))
        return self.put(f"{stack}input", joined)

    def relative_bias(self, stack, length):
        config = self.config
        both_ways = stack == "encoder." or (stack == "" and config["architecture"] != "language-model")
        table = self.weights[f"transformer.{stack}relative_bias.weight"]
        buckets = [[bucket(key - query, config.get("relative_buckets", 32), config.get("relative_max_distance", 128),
                           both_ways) for key in range(length)] for query in range(length)]
        return table[np.array(buckets)].transpose(2, 0, 1)

    def stack_output(self, stack, x):
        if self.config["final_norm"]:
            x = self.layer_norm(x, f"transformer.{stack}norm")
        return self.put(f"{stack}output", x)

    def encoder(self, ids):
        x = self.stack_input("encoder.", ids, self.table("source"))
        for i in range(self.config["num_encoder_layers"]):
            x = self.encoder_layer(f"encoder.layers.{i}", x, causal=False)
        return self.stack_output("encoder.", x)

    def encoder_layer(self, name, x, causal):
        prefix = f"transformer.{name}"
        attend = lambda y: self.attention(f"{name}.self_attn", f"{prefix}.self_attn", y, y, causal)
        network = lambda y: self.feed_forward(name, prefix, y)
        if self.config.get("parallel", "none") != "none":
            return self.parallel(name, prefix, x, attend, network)
        return self.sublayer(name, prefix, 2, self.sublayer(name, prefix, 1, x, attend), network)

    def decoder(self, ids, memory):
        x = self.stack_input("decoder.", ids, self.table("target"))
        for i in range(self.config["num_decoder_layers"]):
            name, prefix = f"decoder.layers.{i}", f"transformer.decoder.layers.{i}"
            attend = lambda y: self.attention(f"{name}.self_attn", f"{prefix}.self_attn", y, y, causal=True)
            cross = lambda y: self.attention(f"{name}.cross_attn", f"{prefix}.multihead_attn", y, memory, causal=False)
            x = self.sublayer(name, prefix, 1, x, attend)
            x = self.sublayer(name, prefix, 2, x, cross)
            x = self.sublayer(name, prefix, 3, x, lambda y: self.feed_forward(name, prefix, y))
        return self.stack_output("decoder.", x)

    def run(self, source, target):
        self.put("source.ids", source)
        self.put("target.ids", target)
        output = self.decoder(target, self.encoder(source))
        return self.predict(output, self.table("target") if self.config["tie_embeddings"] else "generator.weight")

    def table(self, side):
        return "embedding.weight" if self.config.get("share_embeddings") else f"{side}_embedding.weight"

    def predict(self, output, table, head="generator"):
        if self.config.get("scale_output"):
            output = output / math.sqrt(self.config["d_model"])
        logits = output @ self.weights[table].T + self.weights.get(head + ".bias", 0)
        cap = self.config.get("logit_cap")
        if cap:
            logits = cap * np.tanh(self.put("logits_uncapped", logits) / cap)
        self.put("logits", logits)
        self.put("log_probs", log_softmax(logits))
        return self.values

    def run_stack(self, ids):
        """A decoder-only Transformer, one that fills in words, one whose head reads the first position, or one without
        a head."""
        self.put("ids", ids)
        reads = self.config["architecture"] == "language-model"
        fills = self.config["architecture"] == "masked-language-model"
        x = self.stack_input("", ids, "embedding.weight")
        for i in range(self.config["num_layers"]):
            x = self.encoder_layer(f"layers.{i}", x, causal=reads)
        output = self.stack_output("", x)
        if fills:
            hidden = self.put("head.hidden", self.linear(output, "transform"))
            active = self.put("head.activation", activation(self.config["activation"], hidden))
            output = self.put("head.norm", self.layer_norm(active, "transform_norm"))
        elif not reads:
            pooler = self.config.get("pooler", "none")
            if pooler != "none":
                hidden = self.put("head.hidden", self.linear(output[:1], "pooler"))
                function = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}.get(pooler, lambda x: activation("gelu", x))
                output = self.put("head.activation", function(hidden))
            if pooler == "gelu_norm":
                output = self.put("head.norm", self.layer_norm(output, "pooler_norm"))
            if self.config.get("finds_replaced"):
                hidden = self.put("head.hidden", self.linear(output, "replaced_dense"))
                active = self.put("head.activation", activation(self.config["activation"], hidden))
                self.put("replaced", self.linear(active, "replaced"))
            if self.config["architecture"] == "encoder":
                return self.values
            return self.predict(output[:1], "classifier.weight", "classifier")
        return self.predict(output, "embedding.weight" if self.config["tie_embeddings"] else "generator.weight")


def difference(got, expected):
    """The largest |got - expected| / (1 + |expected|); equal infinities differ by nothing, a NaN by everything."""
    if got.shape != expected.shape:
        return math.inf
    with np.errstate(invalid="ignore"):
        relative = np.abs(got.astype(np.float64) - expected) / (1 + np.abs(expected))
    relative = np.where(got == expected, 0, relative)
    relative = np.where(np.isnan(relative), np.inf, relative)
    return float(relative.max(initial=0))


def compare(trace, expected, quiet=False):
    """Prints every name with its worst difference; -> whether the trace is right."""
    right, worst, worst_name = True, 0.0, "nothing"
    for name, values in expected.items():
        if name not in trace:
            print(f"MISSING   {name}")
            right = False
            continue
        apart = difference(trace[name], values)
        good = apart <= TOLERANCE
        if name.endswith("ids") and trace[name].dtype != np.int64:
            print(f"NOT I64   {name}")
            right = False
        if not good or not quiet:
            shapes = "" if trace[name].shape == values.shape else f" shape {trace[name].shape}, not {values.shape}"
            print(f"{'ok       ' if good else 'DIFFERENT'} {name} {apart:.3g}{shapes}")
        right = right and good
        if apart >= worst:
            worst, worst_name = apart, name
    for name in sorted(set(trace) - set(expected)):
        print(f"SURPLUS   {name}")
        right = False
    print(f"{'right' if right else 'WRONG'}: {len(expected)} names, worst difference {worst:.3g} ({worst_name})")
    return right


def check_muted(muted, config):
    """A slip in the name of a head would go unnoticed: it would mute nothing."""
    known = check_trace_rnn.heads(config) if "rnn" in config["architecture"] else transformer_heads(config)
    for name in muted:
        if name not in known:
            raise SystemExit(f"check_trace: error: the model has no head {name!r}: use one of {sorted(known)}")


def transformer_heads(config):
    if config["architecture"] != "transformer":
        return {f"layers.{i}.self_attn.{head}" for i in range(config["num_layers"]) for head in range(config["num_heads"])}
    kinds = [f"encoder.layers.{i}.self_attn" for i in range(config["num_encoder_layers"])]
    for i in range(config["num_decoder_layers"]):
        kinds += [f"decoder.layers.{i}.self_attn", f"decoder.layers.{i}.cross_attn"]
    return {f"{kind}.{head}" for kind in kinds for head in range(config["num_heads"])}


def recompute(model_path, source, target=None, muted=()):
    weights, metadata = load(model_path)
    config = json.loads(metadata["headlight.config"])
    check_muted(muted, config)
    kind = check_trace_rnn.Recomputation if "rnn" in config["architecture"] else Recomputation
    recomputation = kind(weights, config, muted)
    if config["architecture"] in ("transformer", "rnn"):
        return recomputation.run(source, target)
    return recomputation.run_stack(source)


def main():
    parser = argparse.ArgumentParser(description="Recomputes a forward pass and checks a trace of it.")
    parser.add_argument("model")
    parser.add_argument("trace")
    parser.add_argument("--mute", nargs="+", action="extend", default=[], metavar="LAYER.HEAD")
    parser.add_argument("--quiet", action="store_true", help="only what is wrong, and the summary")
    arguments = parser.parse_args()
    trace, _ = load(arguments.trace)
    read = [name for name in ("ids", "source.ids", "target.ids") if name in trace]
    if read not in (["ids"], ["source.ids", "target.ids"]):
        raise SystemExit(f"check_trace: error: {arguments.trace} has no token ids: it is no trace of a forward pass")
    expected = recompute(arguments.model, *(trace[name].astype(np.int64) for name in read), muted=arguments.mute)
    sys.exit(0 if compare(trace, expected, arguments.quiet) else 1)


if __name__ == "__main__":
    main()
