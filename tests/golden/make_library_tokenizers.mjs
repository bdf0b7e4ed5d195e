// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines of tokenizers/lines.qz become with Hugging Face's own library: with the vocabularies that
// make_tokenizers.py made (run that first), with one of Unigram, and with every part of a tokenizer.json by itself
// (tokenizers/parts.json). Node, and in any folder: npm install @anush008/tokenizers@0.6.0 (the library's 0.22.2), then
// there: node /PATH/TO/make_library_tokenizers.mjs
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const { Tokenizer } = createRequire(path.resolve('package.json'))('@anush008/tokenizers');
const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'tokenizers');
const linesInFull = 200, linesAHash = 100, linesAHashOfParts = 1000;

// Bytes that are not UTF-8 are read as U+FFFD.
function readLines() {
  const bytes = inflateSync(fs.readFileSync(path.join(folder, 'lines.qz')).subarray(4));
  const lines = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const length = bytes.readUInt16LE(at);
    lines.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return lines;
}
const lines = readLines();

// The pieces of a SentencePiece model with their scores, and its table of normal forms.
function readPieces(file) {
  const fields = function* (bytes) {
    let at = 0;
    const varint = () => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++];
        value |= BigInt(byte & 127) << shift;
        if (byte < 128) return Number(value & 0xffffffffn);
      }
    };
    while (at < bytes.length) {
      const tag = varint(), number = tag >> 3, kind = tag & 7;
      if (kind === 0) yield [number, varint()];
      if (kind === 1) at += 8;
      if (kind === 2) {
        const length = varint();
        yield [number, bytes.subarray(at, at += length)];
      }
      if (kind === 5) yield [number, bytes.readFloatLE((at += 4) - 4)];
    }
  };
  const pieces = [];
  let table = '';
  for (const [number, value] of fields(fs.readFileSync(path.join(folder, file)))) {
    if (number === 1) {
      const piece = Object.fromEntries(fields(value));
      pieces.push([piece[1].toString(), piece[2] ?? 0]);
    }
    if (number === 3) table = (Object.fromEntries(fields(value))[2] ?? Buffer.alloc(0)).toString('base64');
  }
  return { pieces, table };
}

async function encode(json) {
  const tokenizer = Tokenizer.fromString(JSON.stringify(json));
  const ids = [];
  for (let at = 0; at < lines.length; at += linesAHash)
    for (const each of await tokenizer.encodeBatch(lines.slice(at, at + linesAHash), { addSpecialTokens: false }))
      ids.push(each.getIds());
  return ids;
}

function hashes(ids, each) {
  const result = [];
  for (let at = 0; at < ids.length; at += each) {
    const text = ids.slice(at, at + each).map(line => line.join(' ') + '\n').join('');
    result.push(createHash('sha256').update(text).digest('hex').slice(0, 16));
  }
  return result;
}

async function writeExpected(name, json) {
  const ids = await encode(json);
  const full = ids.slice(0, linesInFull).map(line => JSON.stringify(line)).join(',\n');
  fs.writeFileSync(path.join(folder, `${name}.expected.json`),
    `{"hashes":${JSON.stringify(hashes(ids, linesAHash)).replaceAll(',', ', ')},\n"lines":[${full}]}\n`);
}

const added = (id, content, more = {}) => ({ id, content, single_word: false, lstrip: false, rstrip: false,
  normalized: false, special: true, ...more });
const whole = (model, parts) => ({ version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null,
  pre_tokenizer: null, post_processor: null, decoder: null, ...parts, model });
const sequence = (key, ...parts) => ({ type: 'Sequence', [key]: parts });

const read = name => fs.readFileSync(path.join(folder, name), 'utf8');
const bertTokens = read('bert/vocab.txt').trimEnd().split('\n');
const bert = options => ({ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null,
  lowercase: true, ...options });
await writeExpected('bert', whole(
  { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100,
    vocab: Object.fromEntries(bertTokens.map((token, id) => [token, id])) },
  { added_tokens: bertTokens.slice(0, 5).map((token, id) => added(id, token)), normalizer: bert({}),
    pre_tokenizer: { type: 'BertPreTokenizer' } }));
await writeExpected('bert-cased-json', JSON.parse(read('bert-cased-json/tokenizer.json')));

// XLM-R's, as Hugging Face's programs convert it.
const xlmRoberta = readPieces('xlm-roberta/sentencepiece.bpe.model');
const xlmRobertaTokens = [['<s>', 0], ['<pad>', 0], ['</s>', 0], ['<unk>', 0], ...xlmRoberta.pieces.slice(3), ['<mask>', 0]];
const precompiled = { type: 'Precompiled', precompiled_charsmap: xlmRoberta.table };
const spaces = { type: 'Replace', pattern: { Regex: ' {2,}' }, content: '▁' };
await writeExpected('xlm-roberta', whole(
  { type: 'Unigram', unk_id: 3, vocab: xlmRobertaTokens, byte_fallback: false },
  { added_tokens: [...xlmRobertaTokens.slice(0, 4).map(([token], id) => added(id, token)),
      added(xlmRobertaTokens.length - 1, '<mask>', { lstrip: true })],
    normalizer: sequence('normalizers', precompiled, { type: 'Strip', strip_left: false, strip_right: true }, spaces),
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true } }));

// Unigram with bytes for what it lacks, and added tokens of every kind.
const { pieces } = readPieces('marian/target.spm');
const bytes = [...Array(256).keys()].map(byte => [`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 0]);
const unigramTokens = [['<pad>', 0], ['</s>', 0], ['<unk>', 0], ...bytes, ...pieces.slice(3)];
const plain = { special: false };
const unigram = whole(
  { type: 'Unigram', unk_id: 2, vocab: unigramTokens, byte_fallback: true },
  { added_tokens: [added(0, '<pad>', { lstrip: true }), added(1, '</s>', { rstrip: true }), added(2, '<unk>'),
      ...[added(0, '<s>', { lstrip: true, rstrip: true }), added(0, '[MASK]', { normalized: true, lstrip: true }),
        added(0, '<extra_id_0>', { single_word: true }), added(0, 'DOGS', { ...plain, normalized: true }),
        added(0, 'the', { ...plain, single_word: true }), added(0, 'it', { ...plain, single_word: true, normalized: true }),
        added(0, '...', { ...plain, rstrip: true }), added(0, 'Ο', plain)]
        .reduce((list, token) => {
          const own = unigramTokens.findIndex(([text]) => text === token.content);
          const more = list.filter(({ id }) => id >= unigramTokens.length).length;
          return [...list, { ...token, id: own >= 0 ? own : unigramTokens.length + more }];
        }, [])],
    normalizer: sequence('normalizers', { type: 'NFC' }, { type: 'Lowercase' }),
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: false },
    decoder: sequence('decoders', { type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' },
      { type: 'Fuse' }, { type: 'Strip', content: ' ', start: 1, stop: 0 }) });
fs.mkdirSync(path.join(folder, 'unigram-json'), { recursive: true });
fs.writeFileSync(path.join(folder, 'unigram-json/tokenizer.json'), JSON.stringify(unigram) + '\n');
await writeExpected('unigram-json', unigram);

// Each part by itself, before a model whose tokens are bytes: those that do not begin a piece have ids of their own.
const kept = byte => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
let others = 0;
const byteNames = [...Array(256).keys()].map(byte => String.fromCharCode(kept(byte) ? byte : 256 + others++));
const byteTokens = Object.fromEntries([...byteNames.map((name, byte) => [name, byte]),
  ...byteNames.map((name, byte) => ['##' + name, 256 + byte])]);
const split = (type, options = {}) => ({ pre_tokenizer: { type, ...options } });
const change = (type, options = {}) => ({ normalizer: { type, ...options } });
const marks = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];
const parts = [
  ...['Lowercase', 'NFC', 'NFD', 'NFKC', 'NFKD', 'Nmt', 'StripAccents'].map(type => change(type)),
  { normalizer: precompiled }, change('Prepend', { prepend: '▁' }),
  { normalizer: bert({}) }, { normalizer: bert({ lowercase: false, strip_accents: true }) },
  { normalizer: bert({ clean_text: false, handle_chinese_chars: false, strip_accents: false }) },
  change('Strip', { strip_left: true, strip_right: true }), change('Strip', { strip_left: true, strip_right: false }),
  change('Strip', { strip_left: false, strip_right: true }),
  change('Replace', { pattern: { String: 'e' }, content: '<>' }),
  change('Replace', { pattern: { Regex: ' {2,}|\\p{Lu}' }, content: '▁' }),
  { normalizer: sequence('normalizers', { type: 'NFD' }, { type: 'StripAccents' }, { type: 'Lowercase' }) },
  ...['BertPreTokenizer', 'UnicodeScripts', 'Whitespace', 'WhitespaceSplit'].map(type => split(type)),
  split('CharDelimiterSplit', { delimiter: 'е' }), split('FixedLength', { length: 3 }),
  split('Digits', { individual_digits: true }), split('Digits', { individual_digits: false }),
  ...marks.map(behavior => split('Punctuation', { behavior })),
  ...marks.map(behavior => split('Split', { pattern: { Regex: '\\w+|\\d+|\\s{2}' }, behavior, invert: behavior === 'Contiguous' })),
  split('Split', { pattern: { String: 'a' }, behavior: 'MergedWithPrevious', invert: false }),
  split('Metaspace', { replacement: '▁', prepend_scheme: 'always', split: true }),
  split('Metaspace', { replacement: '_', prepend_scheme: 'never', split: true }),
  { pre_tokenizer: sequence('pretokenizers', { type: 'Split', pattern: { String: 'e' }, behavior: 'Isolated', invert: false },
    { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: false }) },
];
// Lines with characters of which the library's Unicode, older or newer in each of its parts, says otherwise than ICU.
const otherUnicode = { NFKC: [9626], NFKD: [9626] };
const results = [];
for (const part of parts) {
  const others = otherUnicode[(part.normalizer ?? part.pre_tokenizer).type] ?? [];
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  const pre = sequence('pretokenizers', ...(part.pre_tokenizer ? [part.pre_tokenizer] : []), byteLevel);
  const ids = await encode(whole(
    { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: '##', end_of_word_suffix: null,
      fuse_unk: false, byte_fallback: false, vocab: byteTokens, merges: [] },
    { normalizer: part.normalizer ?? null, pre_tokenizer: pre }));
  for (const line of others) ids[line] = [];
  results.push(JSON.stringify({ ...part, other_unicode: others, hashes: hashes(ids, linesAHashOfParts) }));
}
fs.writeFileSync(path.join(folder, 'parts.json'), `[${results.join(',\n')}]\n`);
