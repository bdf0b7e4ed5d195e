#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small vocabularies of other programs' tokenizers, and what 10,000 lines of difficult text become with them.

The references are transcriptions of what was published: GPT-2's encoder.py, byte-pair encoding with byte fallback as
Llama's; and SentencePiece's own library. What BERT's, XLM-R's and the parts of a tokenizer.json make of the lines
make_library_tokenizers.mjs asks Hugging Face's library.
Debian: apt install python3-regex python3-sentencepiece. The same bytes every time:

    /usr/bin/python3 make_tokenizers.py [--out-dir DIR]
"""
import argparse
import collections
import hashlib
import io
import json
import pathlib
import random
import struct
import tempfile
import unicodedata
import zlib

import regex
import sentencepiece

SENTENCES = """
Two dogs are running across the wet grass in the early morning.
A man in a blue shirt is standing on a ladder cleaning a window.
The children don't know what they're looking at, but they've seen it before.
Why does the model's third head attend to "the previous word"? Nobody's sure; we'll see.
Tôi không biết người đàn ông ấy đang đứng ở đâu, nhưng tôi đã thấy anh ta hôm qua.
Những đứa trẻ đang chơi bóng đá trên bãi biển vào một buổi chiều mùa hè nóng nực.
Zwei Hunde laufen über die nasse Straße, während Größenordnungen später überprüft werden.
Der Überfluß an Möglichkeiten führte zur völligen Verwirrung der Käufer.
L'élève a-t-il déjà vu où cet été s'est passé ? Ça, c'est une autre œuvre.
Две собаки бегут по мокрой траве, а мужчина стоит на лестнице и моет окно.
Ο ΣΟΦΟΣ είπε ότι ο κόσμος είναι ωραίος, και οι άνθρωποι τον άκουσαν.
İstanbul'da ığdır ılık bir akşam; çocuklar şarkı söylüyor.
كلبان يركضان عبر العشب الرطب في الصباح الباكر، والرجل واقف على السلم.
שני כלבים רצים על הדשא הרטוב בבוקר, והאיש עומד על הסולם.
दो कुत्ते सुबह-सुबह गीली घास पर दौड़ रहे हैं और आदमी सीढ़ी पर खड़ा है।
สุนัขสองตัววิ่งบนสนามหญ้าเปียกในตอนเช้า และชายคนหนึ่งยืนอยู่บนบันได
两只狗在清晨的湿草地上奔跑,一个男人站在梯子上擦窗户。
男の人が梯子の上に立って窓を拭いている。カタカナとひらがなも読めますか?
두 마리의 개가 이른 아침 젖은 잔디밭을 가로질러 달리고 있습니다.
In 2017, 1,024 tokens cost $3.50 (about 50%), i.e. 7×10⁻³ each; ½ of them were №5, Ⅷ or ٤٢.
def f(x): return {'a': x**2, "b": [1, 2, 3]}  # it's fine
""".strip().split("\n")

EMOJI = ["👍", "👍🏽", "👩‍👩‍👧‍👦", "🇻🇳", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🤷🏿‍♀️", "😀", "☃", "1️⃣", "🫠"]
SPACES = [" "] * 12 + ["  ", "   ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u2028", "\u0085", "\u200b", "\u1680", "\x1c", "\x0b"]
SPECIALS = ["<|endoftext|>", "[MASK]", "[SEP]", "</s>", "<pad>", "<unk>", "<extra_id_0>", "<extra_id_7>", "<s>"]
ENDINGS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'LL", "’s", "n't", "'", "...", "!?", "--", "\"", ")", "12345", "3.14"]
LINES = 10_000
LINES_A_HASH = 100
LINES_IN_FULL = 200


def assigned_code_points():
    """All that Python's Unicode knows; those that came later could be of another kind to a newer library."""
    return [c for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs")]


class LineMaker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.words = [sentence.split(" ") for sentence in SENTENCES]
        self.assigned = assigned_code_points()

    def words_of_one(self):
        words = self.random.choice(self.words)
        begin = self.random.randrange(len(words))
        return words[begin:begin + self.random.randint(1, 12)]

    def sentence(self):
        words = [w for _ in range(self.random.randint(1, 2)) for w in self.words_of_one()]
        text = words[0]
        for word in words[1:]:
            text += self.random.choice(SPACES) + self.altered(word)
        return text

    def altered(self, word):
        kind = self.random.random()
        if kind < 0.05:
            return word.upper()
        if kind < 0.10:
            return word + self.random.choice(ENDINGS)
        if kind < 0.15:
            return unicodedata.normalize(self.random.choice(["NFD", "NFKD", "NFC"]), word)
        if kind < 0.18:
            return word * self.random.randint(2, 20)
        return word

    def symbols(self):
        return "".join(self.random.choice(EMOJI + SPACES[:14] + ["ok", "-"]) for _ in range(self.random.randint(1, 10)))

    def controls(self):
        text = list(self.sentence())
        for _ in range(self.random.randint(1, 6)):
            text.insert(self.random.randrange(len(text) + 1), chr(self.random.choice([*range(32), 127, *range(128, 160), 0x200d, 0x202e, 0xfeff, 0xfffd])))
        return "".join(text)

    def anything(self):
        return "".join(chr(self.random.choice(self.assigned)) for _ in range(self.random.randint(1, 12)))

    def specials(self):
        parts = [self.sentence()]
        for _ in range(self.random.randint(1, 3)):
            parts.insert(self.random.randrange(len(parts) + 1), self.random.choice(SPECIALS))
        return self.random.choice(["", " "]).join(parts)

    def broken(self):
        data = bytearray(self.random.choice([self.sentence, self.symbols])().encode())
        for _ in range(self.random.randint(1, 4)):
            at = self.random.randrange(len(data) + 1)
            kind = self.random.random()
            if kind < 0.4 and data:
                del data[at:at + self.random.randint(1, 2)]
            elif kind < 0.7:
                data[at:at] = bytes(self.random.randrange(256) for _ in range(self.random.randint(1, 3)))
            else:
                data[at:at] = self.random.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe1\xba", b"\xf0\x9f\x91"])
        return bytes(data)

    def lines(self, count):
        makers = [(0.40, self.sentence), (0.50, self.symbols), (0.62, self.controls), (0.74, self.anything),
                  (0.80, self.specials), (1.01, self.broken)]
        result = [b"", b" ", "\u3000".encode(), b"x" * 101 + b" " + b"y" * 100]
        while len(result) < count:
            kind = self.random.random()
            line = next(make for share, make in makers if kind < share)()
            result.append(line if isinstance(line, bytes) else line.encode())
        return result


# --- GPT-2, after encoder.py ---------------------------------------------------------------------------------------

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")


def bytes_to_unicode():
    kept = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    table = {byte: chr(byte) for byte in kept}
    for n, byte in enumerate(b for b in range(256) if b not in kept):
        table[byte] = chr(256 + n)
    return table


BYTE_NAMES = bytes_to_unicode()


def merge_pair(symbols, pair):
    merged, at = [], 0
    while at < len(symbols):
        if at + 1 < len(symbols) and (symbols[at], symbols[at + 1]) == pair:
            merged.append(symbols[at] + symbols[at + 1])
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return merged


class Bpe:
    def __init__(self, merges):
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.cache = {}

    def __call__(self, word):
        if word not in self.cache:
            symbols = list(word)
            while len(symbols) > 1:
                best = min(zip(symbols, symbols[1:]), key=lambda pair: self.ranks.get(pair, float("inf")))
                if best not in self.ranks:
                    break
                symbols = merge_pair(symbols, best)
            self.cache[word] = symbols
        return self.cache[word]


def learn_merges(words, count):
    """The most frequent pair again and again; among equals the greatest."""
    words = {tuple(word): n for word, n in collections.Counter(words).items()}
    merges = []
    while len(merges) < count:
        pairs = collections.Counter()
        for word, n in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += n
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        words = {tuple(merge_pair(word, best)): n for word, n in words.items()}
    return merges


def cut_at(text, tokens):
    """The text in parts: tokens, and what is between them."""
    pattern = "(" + "|".join(map(regex.escape, tokens)) + ")"
    return [part for part in regex.split(pattern, text) if part]


class ByteLevel:
    def __init__(self, words, merges, expression=GPT2, vocabulary=None):
        self.pattern = regex.compile(expression)
        if vocabulary is None:
            merges = learn_merges(["".join(BYTE_NAMES[b] for b in w.encode()) for w in words], merges)
            tokens = [BYTE_NAMES[b] for b in sorted(BYTE_NAMES, key=lambda b: BYTE_NAMES[b])]
            tokens += list(dict.fromkeys(a + b for a, b in merges)) + ["<|endoftext|>"]
            vocabulary = {token: i for i, token in enumerate(tokens)}
        self.vocabulary, self.merges, self.bpe = vocabulary, merges, Bpe(merges)

    def encode(self, line):
        ids = []
        # A byte that is not UTF-8 is a character of its own: a lone surrogate, neither letter, number nor space.
        for part in cut_at(line.decode("utf-8", "surrogateescape"), ["<|endoftext|>"]):
            if part == "<|endoftext|>":
                ids.append(self.vocabulary[part])
                continue
            for word in self.pattern.findall(part):
                word = "".join(BYTE_NAMES[b] for b in word.encode("utf-8", "surrogateescape"))
                ids += [self.vocabulary[token] for token in self.bpe(word)]
        return ids


# --- Llama as a tokenizer.json: characters, and bytes for those that are not known -----------------------------------

class ByteFallback:
    def __init__(self, texts, merges):
        self.merges = learn_merges(["▁" + w for text in texts for w in text.split(" ")], merges)
        counts = collections.Counter(c for text in texts for c in text.replace(" ", "▁"))
        characters = sorted(c for c, n in counts.items() if n > 1 or c.isascii())
        known = set(characters)
        self.merges = [(a, b) for a, b in self.merges if set(a + b) <= known]
        tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + characters
        tokens += list(dict.fromkeys(a + b for a, b in self.merges))
        self.vocabulary = {token: i for i, token in enumerate(tokens)}
        self.bpe = Bpe(self.merges)

    def encode(self, line):
        ids = []
        for part in cut_at(line.decode("utf-8", "replace"), ["<unk>", "<s>", "</s>"]):
            if part in ("<unk>", "<s>", "</s>"):
                ids.append(self.vocabulary[part])
                continue
            for token in self.bpe("▁" + part.replace(" ", "▁")):
                ids += ([self.vocabulary[token]] if token in self.vocabulary else
                        [self.vocabulary[f"<0x{b:02X}>"] for b in token.encode()])
        return ids

    def tokenizer_json(self):
        return tokenizer_json(
            [added(self.vocabulary[t], t) for t in ("<unk>", "<s>", "</s>")],
            {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "vocab": self.vocabulary,
             "merges": [f"{a} {b}" for a, b in self.merges]},
            normalizer={"type": "Sequence", "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
            post_processor={"type": "TemplateProcessing",
                            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                            "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                                     {"SpecialToken": {"id": "<s>", "type_id": 1}}, {"Sequence": {"id": "B", "type_id": 1}}],
                            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
            decoder={"type": "Sequence", "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})


# --- BERT, after tokenization.py -------------------------------------------------------------------------------------

def is_control(c):
    return c not in "\t\n\r" and unicodedata.category(c).startswith("C")


def is_white_space(c):
    return c in " \t\n\r" or unicodedata.category(c) == "Zs"


def is_punctuation(c):
    n = ord(c)
    return 33 <= n <= 47 or 58 <= n <= 64 or 91 <= n <= 96 or 123 <= n <= 126 or unicodedata.category(c).startswith("P")


def is_chinese(c):
    n = ord(c)
    return (0x4E00 <= n <= 0x9FFF or 0x3400 <= n <= 0x4DBF or 0x20000 <= n <= 0x2A6DF or 0x2A700 <= n <= 0x2B73F or
            0x2B740 <= n <= 0x2B81F or 0x2B820 <= n <= 0x2CEAF or 0xF900 <= n <= 0xFAFF or 0x2F800 <= n <= 0x2FA1F)


def basic_tokens(text, lowercase):
    cleaned = ""
    for c in text:
        if c in "\0\ufffd" or is_control(c):
            continue
        cleaned += " " if is_white_space(c) else f" {c} " if is_chinese(c) else c
    for token in cleaned.split():
        if lowercase:
            token = "".join(c for c in unicodedata.normalize("NFD", token.lower()) if unicodedata.category(c) != "Mn")
        word = ""
        for c in token:
            if is_punctuation(c):
                yield from filter(None, (word, c))
                word = ""
            else:
                word += c
        # What lower case or the normal form made of a character may be white space: split() again, as they do.
        yield from word.split()


class WordPiece:
    SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

    def __init__(self, texts, lowercase, words=900, pieces=500):
        self.lowercase = lowercase
        counts = collections.Counter(w for text in texts for w in basic_tokens(text, lowercase))
        ends = collections.Counter("##" + w[i:] for w in counts for i in range(1, len(w)))
        inside = collections.Counter("##" + w[i:j] for w in counts for i in range(1, len(w)) for j in range(i + 1, len(w)))
        characters = sorted({c for w in counts for c in w})
        best = lambda counter, n: sorted(counter, key=lambda t: (-counter[t], t))[:n]
        tokens = self.SPECIALS + characters + ["##" + c for c in characters if ord(c) < 0x3000]
        tokens += best(counts, words)[::2] + best(inside, pieces) + best(ends, pieces)
        self.vocabulary = {token: i for i, token in enumerate(dict.fromkeys(tokens))}

    def tokenizer_json(self):
        special = lambda name, kind=0: {"SpecialToken": {"id": name, "type_id": kind}}
        text = lambda name, kind: {"Sequence": {"id": name, "type_id": kind}}
        return tokenizer_json(
            [added(self.vocabulary[t], t) for t in self.SPECIALS],
            {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
             "vocab": self.vocabulary},
            normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                        "lowercase": self.lowercase},
            pre_tokenizer={"type": "BertPreTokenizer"},
            post_processor={"type": "TemplateProcessing",
                            "single": [special("[CLS]"), text("A", 0), special("[SEP]")],
                            "pair": [special("[CLS]"), text("A", 0), special("[SEP]"), text("B", 1), special("[SEP]", 1)],
                            "special_tokens": {t: {"id": t, "ids": [self.vocabulary[t]], "tokens": [t]} for t in ("[CLS]", "[SEP]")}},
            decoder={"type": "WordPiece", "prefix": "##", "cleanup": True})


# --- SentencePiece -----------------------------------------------------------------------------------------------------

def train_pieces(texts, **options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_writer=model, num_threads=1, minloglevel=2, hard_vocab_limit=False, **options)
    return model.getvalue()


def write_rules(texts):
    """A small table of normal forms, as a file: some of NFKC's, and letters that are put together."""
    rules = {c: unicodedata.normalize("NFKC", c) for c in "①½…ﬁ№Ⅷ×⁻³ａＢ？！～ｶﾞ㎏™\u00a0\u3000\u2003\u1e9b\ufdfa"}
    rules |= {unicodedata.normalize("NFD", c): c for text in texts for c in text if len(unicodedata.normalize("NFD", c)) > 1}
    rules |= {"ｶﾞ": "ガ", "\u200b": " ", "\t": " ", "\n": " ", "\r": " ", "\ufeff": " "} | {chr(c): "" for c in [*range(1, 9), 11, 127]}
    points = lambda text: " ".join(f"{ord(c):X}" for c in text)
    file = tempfile.NamedTemporaryFile("w", suffix=".tsv", delete=False)
    with file:
        file.writelines(f"{points(a)}\t{points(b)}\n" for a, b in sorted(rules.items()) if a != b)
    return file.name


class Pieces:
    """One part after another; what is between special tokens goes to the library, bytes as they are."""

    def __init__(self, model, specials=(), vocabulary=None, leading_language=False):
        self.processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        self.vocabulary = vocabulary or {self.processor.id_to_piece(i): i for i in range(self.processor.get_piece_size())}
        self.specials = dict(specials)
        self.leading_language = leading_language

    def encode(self, line):
        unknown = self.vocabulary["<unk>"]
        ids = []
        if self.leading_language and (mark := regex.match(rb">>.+?<<", line)):
            ids.append(self.vocabulary.get(mark.group(0).decode("utf-8", "replace"), unknown))
            line = line[mark.end():]
        for part in cut_at(line.decode("utf-8", "surrogateescape"), self.specials):
            if part in self.specials:
                ids.append(self.specials[part])
            else:
                pieces = self.processor.encode(part.encode("utf-8", "surrogateescape"), out_type=str)  # bytes, as the text is
                ids += [self.vocabulary.get(piece.decode(), unknown) for piece in pieces]
        return ids


# --- Files -------------------------------------------------------------------------------------------------------------

def added(number, content):
    return {"id": number, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
            "special": True}


def tokenizer_json(added_tokens, model, **parts):
    result = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added_tokens}
    for key in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        result[key] = parts.get(key)
    return result | {"model": model}


def compressed(data):
    """As Qt's qUncompress() reads it."""
    return struct.pack(">I", len(data)) + zlib.compress(data, 9)


def write_lines(path, lines):
    path.write_bytes(compressed(b"".join(struct.pack("<H", len(line)) + line for line in lines)))


def write_expected(path, encode, lines):
    ids = [encode(line) for line in lines]
    digests = []
    for begin in range(0, len(ids), LINES_A_HASH):
        text = "".join(" ".join(map(str, line)) + "\n" for line in ids[begin:begin + LINES_A_HASH])
        digests.append(hashlib.sha256(text.encode()).hexdigest()[:16])
    full = "\n".join(json.dumps(line, separators=(",", ":")) for line in ids[:LINES_IN_FULL])
    path.write_text('{"hashes":' + json.dumps(digests) + ',\n"lines":[' + full.replace("\n", ",\n") + "]}\n")


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out-dir", type=pathlib.Path, default=pathlib.Path(__file__).parent / "tokenizers")
    out = parser.parse_args().out_dir
    for folder in ("gpt2", "gpt2-json", "bert", "bert-cased-json", "llama-json", "t5", "llama", "marian", "xlm-roberta"):
        (out / folder).mkdir(parents=True, exist_ok=True)

    lines = LineMaker(13).lines(LINES)
    write_lines(out / "lines.qz", lines)
    learning = LineMaker(7)
    texts = [" ".join(unicodedata.normalize("NFC", learning.sentence()).split()) for _ in range(400)] + SENTENCES * 4

    gpt2 = ByteLevel([w for text in texts for w in regex.findall(GPT2, text)], 1200)
    write_json(out / "gpt2/vocab.json", gpt2.vocabulary)
    (out / "gpt2/merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in gpt2.merges))
    write_expected(out / "gpt2.expected.json", gpt2.encode, lines)
    llama3 = ByteLevel(None, gpt2.merges, LLAMA3, gpt2.vocabulary)
    write_expected(out / "gpt2-json.expected.json", llama3.encode, lines)
    write_json(out / "gpt2-json/tokenizer.json", tokenizer_json(
        [added(gpt2.vocabulary["<|endoftext|>"], "<|endoftext|>")],
        {"type": "BPE", "dropout": None, "unk_token": None, "fuse_unk": False, "byte_fallback": False,
         "ignore_merges": False, "vocab": gpt2.vocabulary, "merges": [list(pair) for pair in gpt2.merges]},
        pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": LLAMA3}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]},
        post_processor={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True},
        decoder={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}))

    uncased = WordPiece(texts, lowercase=True)
    (out / "bert/vocab.txt").write_text("".join(token + "\n" for token in uncased.vocabulary))
    cased = WordPiece(texts, lowercase=False)
    write_json(out / "bert-cased-json/tokenizer.json", cased.tokenizer_json())
    write_json(out / "bert-cased-json/tokenizer_config.json", {"do_lower_case": False})

    fallback = ByteFallback(texts, 900)
    write_json(out / "llama-json/tokenizer.json", fallback.tokenizer_json())
    write_expected(out / "llama-json.expected.json", fallback.encode, lines)

    model = train_pieces(texts, model_type="unigram", vocab_size=700, pad_id=0, eos_id=1, unk_id=2, bos_id=-1,
                         normalization_rule_name="nmt_nfkc", character_coverage=0.995)
    (out / "t5/spiece.model").write_bytes(model)
    t5 = Pieces(model)
    count = len(t5.vocabulary)
    t5.specials = {"<pad>": 0, "</s>": 1, "<unk>": 2} | {f"<extra_id_{i}>": count + 99 - i for i in range(100)}
    write_expected(out / "t5.expected.json", t5.encode, lines)

    model = train_pieces(texts, model_type="bpe", vocab_size=900, byte_fallback=True, normalization_rule_name="identity",
                         character_coverage=0.98, remove_extra_whitespaces=False, split_digits=True)
    (out / "llama/tokenizer.model").write_bytes(model)
    write_expected(out / "llama.expected.json", Pieces(model, {"<unk>": 0, "<s>": 1, "</s>": 2}).encode, lines)

    source = train_pieces(texts[::2], model_type="unigram", vocab_size=600, normalization_rule_name="identity", character_coverage=0.99)
    target = train_pieces(texts[1::2], model_type="unigram", vocab_size=600, normalization_rule_name="identity", character_coverage=0.99)
    (out / "marian/source.spm").write_bytes(source)
    (out / "marian/target.spm").write_bytes(target)
    pieces = sorted((set(Pieces(source).vocabulary) | set(Pieces(target).vocabulary)) - {"<s>", "</s>", "<unk>"})
    vocabulary = {t: i for i, t in enumerate(["</s>", "<unk>", *pieces, ">>fr<<", ">>vie<<", "<pad>"])}
    write_json(out / "marian/vocab.json", vocabulary)
    write_expected(out / "marian.expected.json", Pieces(
        source, {t: vocabulary[t] for t in ("</s>", "<unk>", "<pad>")}, vocabulary, leading_language=True).encode,
        [b">>fr<< " + line if i % 3 == 0 else b">>xx<<" + line if i % 7 == 0 else line for i, line in enumerate(lines)])

    (out / "xlm-roberta/sentencepiece.bpe.model").write_bytes(train_pieces(
        texts, model_type="unigram", vocab_size=700, character_coverage=0.995, normalization_rule_tsv=write_rules(texts)))


if __name__ == "__main__":
    main()
