import { taskTypes } from './task-types.ts';

/** A phrase of the table in a text. */
export interface Found {
  readonly phrase: string;
  readonly at: number;
  readonly hits: readonly Hit[];
}

export interface Hit {
  /** The place of the task type in the list. */
  readonly index: number;
  readonly weight: number;
}

export const phraseWeights = { strong: 3, words: 2, weak: 0.7 } as const;
const prefixLength = 4;

interface Sequence {
  readonly phrase: string;
  /** The words after the second one. */
  readonly rest: readonly string[];
  readonly hits: Hit[];
}

/** The phrases that begin with one word. */
interface Entry {
  readonly hits: Hit[];
  /** Phrases of more words, by the second one. */
  readonly sequences: Map<string, Sequence[]>;
}

const byWord = new Map<string, Entry>();
/** Phrases that end with a star, by their first letters. */
const byPrefix = new Map<string, { readonly prefix: string; readonly hits: Hit[] }[]>();
interface Unspaced {
  readonly phrase: string;
  /** The place in the phrase of the character by which it is found. */
  readonly offset: number;
  readonly hits: Hit[];
}

/** Phrases of scripts without spaces, by their first character of such a script. */
const unspaced = new Map<number, Unspaced[]>();

const unspacedFrom = 0x30_40;
const withoutSpaces = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

for (const [index, type] of taskTypes.entries())
  for (const kind of ['strong', 'words', 'weak'] as const)
    for (const phrase of type[kind]) addPhrase(phrase, { index, weight: phraseWeights[kind] });

function addPhrase(phrase: string, hit: Hit): void {
  if (withoutSpaces.test(phrase)) {
    addUnspaced(phrase, hit);
    return;
  }
  if (phrase.endsWith('*')) {
    addPrefix(phrase.slice(0, -1), hit);
    return;
  }
  const [first = '', second, ...rest] = phrase.split(' ');
  const entry = byWord.get(first) ?? { hits: [], sequences: new Map<string, Sequence[]>() };
  byWord.set(first, entry);
  if (second === undefined) {
    entry.hits.push(hit);
    return;
  }
  const sequences = entry.sequences.get(second) ?? [];
  entry.sequences.set(second, sequences);
  const known = sequences.find((one) => one.phrase === phrase);
  if (known) known.hits.push(hit);
  else sequences.push({ phrase, rest, hits: [hit] });
}

function addUnspaced(phrase: string, hit: Hit): void {
  const offset = phrase.search(withoutSpaces);
  const code = phrase.charCodeAt(offset);
  const all = unspaced.get(code) ?? [];
  unspaced.set(code, all);
  const known = all.find((one) => one.phrase === phrase);
  if (known) known.hits.push(hit);
  else all.push({ phrase, offset, hits: [hit] });
}

function addPrefix(prefix: string, hit: Hit): void {
  const key = prefix.slice(0, prefixLength);
  const all = byPrefix.get(key) ?? [];
  byPrefix.set(key, all);
  const known = all.find((one) => one.prefix === prefix);
  if (known) known.hits.push(hit);
  else all.push({ prefix, hits: [hit] });
}

/** Returns the known phrases of a text with their places. One that comes again is there again. */
export function phrasesIn(text: string): readonly Found[] {
  const lower = text.toLowerCase().replaceAll('\u2019', "'");
  const found: Found[] = [];
  const { words, places } = wordsOf(lower);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const at = places[index] ?? 0;
    const entry = byWord.get(word);
    if (entry) {
      if (entry.hits.length > 0) found.push({ phrase: word, at, hits: entry.hits });
      const sequences = entry.sequences.get(words[index + 1] ?? '');
      if (sequences)
        for (const { phrase, rest, hits } of sequences)
          if (follows(words, index + 1, rest)) found.push({ phrase, at, hits });
    }
    const part = partOf(word);
    if (part !== undefined) {
      const ofPart = byWord.get(part);
      if (ofPart && ofPart.hits.length > 0) found.push({ phrase: part, at, hits: ofPart.hits });
    }
    if (word.length < prefixLength) continue;
    const begun = byPrefix.get(word.slice(0, prefixLength));
    if (!begun) continue;
    for (const { prefix, hits } of begun)
      if (word.startsWith(prefix)) found.push({ phrase: prefix, at, hits });
  }
  if (withoutSpaces.test(lower)) addUnspacedIn(lower, found);
  return found;
}

function addUnspacedIn(lower: string, found: Found[]): void {
  for (let index = 0; index < lower.length; index += 1) {
    const code = lower.charCodeAt(index);
    if (code < unspacedFrom) continue;
    for (const { phrase, offset, hits } of unspaced.get(code) ?? []) {
      const at = index - offset;
      if (at >= 0 && lower.startsWith(phrase, at)) found.push({ phrase, at, hits });
    }
  }
}

/** Returns the first part of `tsh-wert`, and the unit of `10mg`. Undefined: the word has neither. */
function partOf(word: string): string | undefined {
  const hyphen = word.indexOf('-');
  if (hyphen > 0) return word.slice(0, hyphen);
  let at = 0;
  while (at < word.length && isDigit(word.charCodeAt(at))) at += 1;
  return at > 0 && at < word.length ? word.slice(at) : undefined;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function follows(words: readonly string[], index: number, rest: readonly string[]): boolean {
  for (let offset = 0; offset < rest.length; offset += 1)
    if (words[index + offset + 1] !== rest[offset]) return false;
  return true;
}

interface Words {
  readonly words: readonly string[];
  /** The place of each word in the text. */
  readonly places: readonly number[];
}

/** Splits a text in words. `c++`, `ci/cd`, `e-mail` and `what's` are words. An expression takes three times as long. */
function wordsOf(lower: string): Words {
  const words: string[] = [];
  const places: number[] = [];
  let from = -1;
  for (let at = 0; at <= lower.length; at += 1) {
    const kind = at < lower.length ? kindOf(lower.charCodeAt(at)) : other;
    if (from < 0) {
      if (kind === letter) from = at;
    } else if (kind === other) {
      let to = at;
      while (kindOf(lower.charCodeAt(to - 1)) === joint) to -= 1;
      words.push(lower.slice(from, to));
      places.push(from);
      from = -1;
    }
  }
  return { words, places };
}

const other = 0;
const letter = 1;
/** A part of a word, but not its end. */
const joint = 2;

const asciiMax = 128;
const kinds = Uint8Array.from({ length: asciiMax }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z0-9_+#]/.test(character)) return letter;
  return ";'./-".includes(character) ? joint : other;
});
/** Latin letters with marks, Greek, Cyrillic and others that have spaces between their words. */
const lettersFrom = 0xc0;
const lettersTo = 0x20_00;

function kindOf(code: number): number {
  if (code < asciiMax) return kinds[code] ?? other;
  return code >= lettersFrom && code < lettersTo ? letter : other;
}
