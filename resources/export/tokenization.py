# SPDX-License-Identifier: GPL-3.0-or-later
"""Headlight's tokenizers in Python: text to ids and back, as the program does it.

What the program learned itself (words, characters, byte-pair encoding) takes the standard library alone. The tokenizers
of other programs' models take a package: `sentencepiece`, or `tokenizers` for what came as a tokenizer.json. Where that
is not installed, ids stand for text, "5 9 11", and a line on standard error says so.
"""
import base64
import json
import os
import sys
import unicodedata

PAD, BOS, EOS, UNK = range(4)


# Marks with a width of their own that stand for themselves.
APART = {0x102B, 0x102C, 0x1038, *range(0x1062, 0x1065), *range(0x1067, 0x106E), 0x1083, *range(0x1087, 0x108D), 0x108F,
         *range(0x109A, 0x109D), 0x1A61, 0x1A63, 0x1A64, 0xAA7B, 0xAA7D, 0x11720, 0x11721}


def kind_of(character):
    """Extend, Prepend, Spacing, Joiner, Regional, Control, L, V, T, LV, LVT, Other: as Unicode's rules have them."""
    code = ord(character)
    if 0x600 <= code <= 0x605 or code in (0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0xD4E, 0x110BD, 0x110CD):
        return "Prepend"
    if code == 0x200D:
        return "Joiner"
    category = unicodedata.category(character)
    if (category in ("Mn", "Me") or code in (0x200C, 0xFF9E, 0xFF9F) or 0x1F3FB <= code <= 0x1F3FF
            or 0xE0020 <= code <= 0xE007F):
        return "Extend"
    if category == "Mc" and code not in APART or code in (0xE33, 0xEB3):
        return "Spacing"
    if category in ("Cc", "Cf", "Zl", "Zp"):
        return "Control"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "Regional"
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return "T"
    if 0xAC00 <= code <= 0xD7A3:
        return "LV" if (code - 0xAC00) % 28 == 0 else "LVT"
    return "Other"


# Hangul: which kinds go on after which.
GOES_ON = {"L": ("L", "V", "LV", "LVT"), "LV": ("V", "T"), "V": ("V", "T"), "LVT": ("T",), "T": ("T",)}


# Indic scripts where a virama joins two consonants to one character.
CONSONANTS = [(0x915, 0x939), (0x958, 0x95F), (0x978, 0x97F), (0x995, 0x9B9), (0x9DC, 0x9DF), (0x9F0, 0x9F1),
              (0xA95, 0xAB9), (0xAF9, 0xAF9), (0xB15, 0xB39), (0xB5C, 0xB5F), (0xB71, 0xB71), (0xC15, 0xC39),
              (0xC58, 0xC5A), (0xD15, 0xD3A)]
VIRAMAS = "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d"


def is_consonant(character):
    return any(first <= ord(character) <= last for first, last in CONSONANTS)


def links(cluster):
    """Does it end in a consonant that a virama joins to the next?"""
    end = len(cluster)
    while end and (unicodedata.combining(cluster[end - 1]) or cluster[end - 1] == "\u200d"):
        end -= 1
    return end > 0 and is_consonant(cluster[end - 1]) and any(mark in VIRAMAS for mark in cluster[end:])


def is_pictograph(character):
    code = ord(character)
    return 0x1F000 <= code <= 0x1FAFF or 0x1FC00 <= code <= 0x1FFFD or 0x2190 <= code <= 0x2BFF or code in (0xA9, 0xAE, 0x203C, 0x2049, 0x2122)


def graphemes(text):
    """What a reader takes for single characters: a letter with its marks, a flag, an emoji with its modifiers."""
    found, flags = [], 0
    for i, character in enumerate(text):
        kind = kind_of(character)
        before = kind_of(text[i - 1]) if i else None
        flags = flags + 1 if kind == "Regional" else 0
        joins = (
            kind in ("Extend", "Spacing", "Joiner") and before != "Control"
            or before == "Prepend" and kind != "Control"
            or kind in GOES_ON.get(before, ())
            or is_consonant(character) and links(found[-1])
            or kind == "Regional" and flags % 2 == 0
            or before == "Joiner" and is_pictograph(character) and is_pictograph(found[-1][0])
            or character == "\n" and text[i - 1] == "\r") if i else False
        if joins:
            found[-1] += character
        else:
            found.append(character)
    return found


OPENING, CLOSING, INSIDE_WORDS, INSIDE_NUMBERS = "¿¡", ".,!?;:…%", "'’-‐‑_", ".,:"
CLASSES = {"Nd": "digit", "Ps": "opening", "Pi": "opening", "Pe": "closing", "Pf": "closing",
           **dict.fromkeys(("Pd", "Pc", "Po", "Sm", "Sc", "Sk", "So"), "other")}


def classify(grapheme):
    """space, opening, closing, digit, letter, other (punctuation and symbols)"""
    first = grapheme[0]
    if unicodedata.category(first) in ("Cc", "Cf", "Zs", "Zl", "Zp"):
        return "space"
    if first in CLOSING or first in OPENING:
        return "closing" if first in CLOSING else "opening"
    return CLASSES.get(unicodedata.category(first), "letter")


def normal(text, lowercase):
    return unicodedata.normalize("NFC", text.lower() if lowercase else text)


def split_words(text, lowercase):
    characters, words, word = graphemes(normal(text, lowercase)), [], ""

    def joins(i):
        """Is the mark at i inside a word, or inside a number?"""
        if i == 0 or i + 1 == len(characters):
            return False
        around = {classify(characters[i - 1]), classify(characters[i + 1])}
        return (characters[i] in INSIDE_WORDS and around <= {"letter", "digit"}
                or characters[i] in INSIDE_NUMBERS and around == {"digit"})

    i = 0
    while i < len(characters):
        unknown = characters[i : i + 5] == list("<unk>")
        kind = classify(characters[i])
        if not unknown and (kind in ("letter", "digit") or joins(i)):
            word += characters[i]
        else:
            words += [word] if word else []
            word = ""
            if unknown or kind != "space":
                words.append("<unk>" if unknown else characters[i])
        i += 5 if unknown else 1
    return words + [word] if word else words


def join_words(words):
    text, quoted, space = "", False, False
    for word in words:
        kind = classify(word) if len(graphemes(word)) == 1 else "letter"
        closes = quoted if word == '"' else kind == "closing"
        opens = not quoted if word == '"' else kind == "opening"
        quoted ^= word == '"'
        text += (" " if space and not closes else "") + word
        space = not opens
    return text


class Own:
    """A tokenizer that Headlight learned: its first four tokens are <pad> <bos> <eos> <unk>."""

    def __init__(self, description):
        self.tokens, self.lowercase = description["tokens"], description["lowercase"]
        self.ids = {token: id for id, token in enumerate(self.tokens)}

    def keeps_lines(self):
        return "\n" in self.ids

    def split(self, text):
        """Where a line break is a token, the lines between are cut one by one."""
        if not self.keeps_lines():
            return self.split_line(text)
        tokens = []
        for number, line in enumerate(text.split("\n")):
            tokens += ["\n"] * (number > 0) + self.split_line(line.removesuffix("\r"))
        return tokens

    def join(self, tokens):
        lines = [[]]
        for token in tokens:
            if token == "\n":
                lines.append([])
            else:
                lines[-1].append(token)
        return "\n".join(map(self.join_line, lines))

    def encode(self, text):
        return [max(self.ids.get(token, UNK), UNK) for token in self.split(text)]

    encode_input = encode  # a model of Headlight's own puts around a text what it needs

    def decode(self, ids):
        return self.join([self.tokens[id] for id in ids if id > EOS])


class Words(Own):
    def split_line(self, text):
        return split_words(text, self.lowercase)

    def join_line(self, tokens):
        return join_words(tokens)


class Whitespace(Own):
    """Text that another program has cut already."""

    def split_line(self, text):
        # To Python four separators of data are white space as well.
        spaced = (" " if c.isspace() and c not in "\x1c\x1d\x1e\x1f" else c for c in normal(text, self.lowercase))
        return [token for token in "".join(spaced).split(" ") if token]

    def join_line(self, tokens):
        return " ".join(tokens)


class Characters(Own):
    def split_line(self, text):
        tokens, space = [], False
        for character in graphemes(normal(text, self.lowercase)):
            if classify(character) == "space":
                space = bool(tokens) and not self.keeps_lines()
                tokens += ["▁"] * self.keeps_lines()
                continue
            tokens += ["▁", character] if space else [character]
            space = False
        return tokens

    def join_line(self, tokens):
        return "".join(" " if token == "▁" else token for token in tokens)


class BytePairs(Own):
    """Byte-pair encoding (Sennrich, Haddow, Birch 2016): a piece that the word goes on after ends in @@."""

    def __init__(self, description):
        super().__init__(description)
        self.ranks = {}
        for rank, merge in enumerate(description["merges"]):
            self.ranks.setdefault(tuple(merge.split(" ")), rank)
        self.made_of = {left + right: (left, right) for left, right in (m.split(" ") for m in description["merges"])}
        self.words = Whitespace(description) if description.get("words") == "whitespace" else Words(description)

    def known(self, symbol):
        """The piece, or where the vocabulary does not have it, what it was merged of."""
        token = symbol[: -len("</w>")] if symbol.endswith("</w>") else symbol + "@@"
        if token in self.ids or symbol not in self.made_of:
            return [token]
        left, right = self.made_of[symbol]
        return self.known(left) + self.known(right)

    def pieces(self, word):
        symbols = list(word[:-1]) + [word[-1] + "</w>"]
        while len(symbols) > 1:
            pairs = [self.ranks.get(pair, len(self.ranks)) for pair in zip(symbols, symbols[1:])]
            best = min(pairs)
            if best == len(self.ranks):
                break
            merged, i = [], 0
            while i < len(symbols):
                fits = i < len(pairs) and pairs[i] == best
                merged.append(symbols[i] + symbols[i + 1] if fits else symbols[i])
                i += 2 if fits else 1
            symbols = merged
        return [piece for symbol in symbols for piece in self.known(symbol)]

    def split_line(self, text):
        return [piece for word in self.words.split_line(text)
                for piece in ([word] if word == "<unk>" else self.pieces(word))]

    def join_line(self, tokens):
        words, goes_on = [], False
        for token in tokens:
            more = token.endswith("@@")
            piece = token[:-2] if more else token
            words = words[:-1] + [words[-1] + piece] if goes_on else words + [piece]
            goes_on = more
        return self.words.join_line(words)


class Ids:
    """Numbers with spaces between them."""

    def encode(self, text):
        return [int(number) for number in text.split()]

    encode_input = encode

    def decode(self, ids):
        return " ".join(map(str, ids))


class Pieces:
    """SentencePiece (Kudo, Richardson 2018), by the package of that name."""

    def __init__(self, description, package):
        self.processor = package.SentencePieceProcessor()
        self.processor.LoadFromSerializedProto(base64.b64decode(description["model"]))
        self.tokens = description["tokens"] or [
            self.processor.IdToPiece(id) for id in range(self.processor.GetPieceSize())]
        self.added = sorted((token["content"] for token in description["added"]), key=len, reverse=True)
        for token in description["added"]:
            self.tokens += [""] * (token["id"] + 1 - len(self.tokens))
            self.tokens[token["id"]] = token["content"]
        self.ids = {token: id for id, token in enumerate(self.tokens)}
        self.before, self.after, self.mark = (description[key] for key in ("before", "after", "language_mark"))
        self.unknown = description["specials"].get("unk", None if description["tokens"] else self.processor.unk_id())
        self.special = set(self.before + self.after) | {
            token["id"] for token in description["added"] if token["special"] and token["id"] != self.unknown}

    def split(self, text):
        pieces = []
        if self.mark and text.startswith(">>") and "<<" in text:
            end = text.index("<<") + 2
            pieces, text = [text[:end]], text[end:]
        while text:
            at, token = min(((text.find(token), token) for token in self.added if token in text), default=(len(text), ""),
                            key=lambda found: found[0])
            pieces += self.processor.EncodeAsPieces(text[:at]) + ([token] if token else [])
            text = text[at + len(token):]
        return pieces

    def encode(self, text):
        ids = (self.ids.get(piece, self.unknown) for piece in self.split(text))
        return [id for id in ids if id is not None]

    def encode_input(self, text):
        return self.before + self.encode(text) + self.after

    def decode(self, ids):
        return self.processor.DecodePieces([self.tokens[id] for id in ids if id not in self.special])


class Pipeline:
    """What a tokenizer.json describes, by the package `tokenizers`."""

    def __init__(self, description, package):
        self.tokenizer = package.Tokenizer.from_str(json.dumps(description["tokenizer"]))

    def encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def encode_input(self, text):
        return self.tokenizer.encode(text).ids

    def decode(self, ids):
        return self.tokenizer.decode(ids, skip_special_tokens=True)


def with_package(name, make, description):
    try:
        package = __import__(name)
    except ImportError:
        print(f"note: the Python package {name} is not installed, so texts are token ids, as 5 9 11", file=sys.stderr)
        return Ids()
    return make(description, package)


def make_tokenizer(description):
    kind = description["kind"]
    if kind == "sentencepiece":
        return with_package("sentencepiece", Pieces, description)
    if kind == "pipeline":
        return with_package("tokenizers", Pipeline, description)
    if kind == "ids":
        return Ids()
    return {"word": Words, "whitespace": Whitespace, "char": Characters, "bpe": BytePairs}[kind](description)


def load_tokenizers(folder):
    """-> of the source, of the target; one and the same where both sides read alike"""
    def read(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return make_tokenizer(json.load(file))

    source = read("source_tokenizer.json")
    has_target = os.path.exists(os.path.join(folder, "target_tokenizer.json"))
    return source, read("target_tokenizer.json") if has_target else source
