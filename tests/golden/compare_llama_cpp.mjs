// SPDX-License-Identifier: GPL-3.0-or-later
// llama.cpp and headlight-cli on the same GGUF files: the ids of a text, and the 32 likeliest tokens that follow it.
// Nothing of this ships or runs in CI. In any folder: npm install node-llama-cpp, then there
//
//     node /PATH/TO/compare_llama_cpp.mjs [--cli /PATH/TO/headlight-cli] [--prompt TEXT] FILE.gguf…
//
// Where a token differs it is told how likely each program took both to be: after a near tie they may part.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const source = createRequire(path.resolve('package.json')).resolve('node-llama-cpp');
const { getLlama } = await import(pathToFileURL(source));

const count = 32;
let cli = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../build/release/headlight-cli');
let prompt = 'Two dogs are running in 2017';
const files = [];
for (let i = 2; i < process.argv.length; ++i) {
  if (process.argv[i] === '--cli') cli = process.argv[++i];
  else if (process.argv[i] === '--prompt') prompt = process.argv[++i];
  else files.push(process.argv[i]);
}

const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });

async function theirs(file) {
  const model = await llama.loadModel({ modelPath: file });
  const text = model.tokenize(prompt);
  const ids = model.tokens.shouldPrependBosToken ? [model.tokens.bos, ...text] : text;
  const context = await model.createContext({ contextSize: ids.length + count + 8, threads: 2 });
  const words = [], likely = [];
  for await (const each of context.getSequence().evaluateWithMetadata(ids, { probabilities: true },
    { temperature: 0, yieldEogToken: true })) {
    words.push(each.token);
    likely.push(each.probabilities);
    if (words.length === count) break;
  }
  await model.dispose();
  return { ids, words, likely };
}

function ours(file) {
  const out = JSON.parse(execFileSync(cli, ['generate', file, '--prompt', prompt, '--allow-unknown', '--temperature', '0',
    '--max-length', String(count), '--json'], { maxBuffer: 1 << 26 }));
  return { ids: out.prompt_ids, words: out.ids, likely: out.log_probs.map(Math.exp) };
}

for (const file of files) {
  console.log(file);
  let one, other;
  try {
    [one, other] = [await theirs(file), ours(file)];
  } catch (error) {
    console.log(`  failed: ${String(error.stderr ?? error.message).trim().split('\n')[0]}`);
    continue;
  }
  const same = JSON.stringify(one.ids) === JSON.stringify(other.ids);
  console.log(`  ids       ${same ? 'the same' : 'DIFFER'}: ${one.ids.join(' ')}${same ? '' : `\n  headlight ${other.ids.join(' ')}`}`);
  let alike = 0, worst = 0;
  while (alike < other.words.length && one.words[alike] === other.words[alike]) {
    worst = Math.max(worst, Math.abs((one.likely[alike].get(one.words[alike]) ?? 0) - other.likely[alike]));
    ++alike;
  }
  console.log(`  llama.cpp ${one.words.join(' ')}\n  headlight ${other.words.join(' ')}`);
  console.log(`  ${alike} of ${count} tokens alike, their probabilities to ${worst.toExponential(1)}`);
  if (alike < count && alike < other.words.length) {
    const at = one.likely[alike], told = (id) => (at.get(id) ?? 0).toFixed(4);
    console.log(`  then llama.cpp takes ${one.words[alike]} (${told(one.words[alike])}), headlight ${other.words[alike]} ` +
      `(llama.cpp ${told(other.words[alike])}, headlight ${other.likely[alike].toFixed(4)})`);
  } else if (other.words.length < count) {
    console.log(`  headlight ends after ${other.words.length}`);
  }
}
process.exit(0);
