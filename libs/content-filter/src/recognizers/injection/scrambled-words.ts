import type { Span } from '../../span.ts';

type Role = 'action' | 'target' | 'time' | 'filler';

interface KnownWord {
  readonly word: string;
  readonly role: Role;
}

const vocabulary: Readonly<Record<Role, string>> = {
  action:
    'ignore disregard forget override bypass reveal discard disclose ignoring bypassing pretend',
  target:
    'instructions instruction system prompt prompts guidelines restrictions directives directive ' +
    'unrestricted developer jailbreak guardrails safeguards programming unfiltered uncensored',
  time: 'previous preceding',
  filler:
    'all any the your you are now act as with without rules rule above prior earlier initial secret ' +
    'hidden safety filters everything show print repeat tell me mode dan no do anything not follow ' +
    'original what is verbatim display output policy policies told before enter enable limits text',
};

/** Letters and the signs that stand for them; `i` and `l` are one letter, as both may be a 1. */
const letterOf = letterTable();
const weights = Int32Array.from({ length: 27 }, (_, at) => (at * 2_654_435_761) % 1_000_003);
const lengthsOf = new Uint32Array(27);
const wordsOf = new Map<number, KnownWord[]>();

for (const role of ['action', 'target', 'time', 'filler'] as const)
  for (const word of vocabulary[role].split(' ')) {
    const letters = letterCodes(word);
    const first = letters[0] ?? 0;
    if (role !== 'filler') lengthsOf[first] = (lengthsOf[first] ?? 0) | (1 << word.length);
    const sum = letters.reduce((total, letter) => total + (weights[letter] ?? 0), 0);
    wordsOf.set(sum, [...(wordsOf.get(sum) ?? []), { word, role }]);
  }

function letterTable(): Uint8Array {
  const table = new Uint8Array(0x80);
  for (let letter = 0; letter < 26; letter += 1) table[97 + letter] = letter + 1;
  const [i = 0, signs] = [table[105], '1i0o3e4a5s7t8b@a$s!i|il'] as const;
  for (let at = 0; at + 1 < signs.length; at += 2)
    table[signs.charCodeAt(at)] = table[signs.charCodeAt(at + 1)] ?? 0;
  table[108] = i;
  return table;
}

function letterCodes(word: string): readonly number[] {
  return Array.from(word, (letter) => letterOf[letter.charCodeAt(0)] ?? 0);
}

/** Returns the word that the written one stands for. Fillers are known in their order only. */
function knownWord(written: string, candidates: readonly KnownWord[]): KnownWord | undefined {
  const letters = letterCodes(written);
  return candidates.find(({ word, role }) => {
    const known = letterCodes(word);
    if (known.length !== letters.length) return false;
    if (known.every((letter, at) => letter === letters[at])) return true;
    if (role === 'filler' || known[0] !== letters[0] || known.at(-1) !== letters.at(-1))
      return false;
    const ordered = letters.toSorted((one, other) => one - other);
    return known
      .toSorted((one, other) => one - other)
      .every((letter, at) => letter === ordered[at]);
  });
}

interface Hit extends Span {
  readonly at: number;
  readonly role: Role;
  readonly isScrambled: boolean;
}

/** A text whose scrambled words are put right, and what that showed. */
export interface Unscrambled {
  /** The text with these words put right. It is as long as the scrambled text. */
  readonly text: string;
  /** The words that were put right, in the order of the text. */
  readonly places: readonly Span[];
  /** The places of scrambled key words that stand close to others. */
  readonly pairs: readonly Span[];
}

const wordsApartMax = 6;

/** Two scrambled words are no slip; one is an attack only if the pair asks for something. */
function isSuspicious(one: Hit, other: Hit): boolean {
  if (one.isScrambled && other.isScrambled) return one.role === 'action' || other.role === 'target';
  return one.isScrambled !== other.isScrambled && one.role === 'action' && other.role === 'target';
}

function isSign(text: string, at: number): boolean {
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return next < 0x80 && next !== text.charCodeAt(at) && letterOf[next] !== 0;
}

interface Search {
  readonly text: string;
  readonly pieces: string[];
  readonly places: Span[];
  readonly pairs: Span[];
  /** The key words not far behind. */
  recent: Hit[];
  copied: number;
}

/** Notes a word that has the letters of a known one. */
function note(search: Search, word: Span, at: number, sum: number): void {
  const candidates = wordsOf.get(sum);
  if (!candidates) return;
  const written = search.text.slice(word.start, word.end);
  const known = knownWord(written, candidates);
  if (!known) return;
  const isScrambled = written !== known.word;
  if (isScrambled) {
    search.pieces.push(search.text.slice(search.copied, word.start), known.word);
    search.places.push(word);
    search.copied = word.end;
  }
  if (known.role === 'filler') return;
  const hit: Hit = { ...word, at, role: known.role, isScrambled };
  search.recent = search.recent.filter((other) => at - other.at <= wordsApartMax);
  const partner = search.recent.find((other) => isSuspicious(other, hit));
  if (partner) search.pairs.push({ start: partner.start, end: word.end });
  search.recent.push(hit);
}

/** Returns null if no key word of the folded, lower-case text is scrambled. */
export function unscrambled(text: string): Unscrambled | null {
  const search: Search = { text, pieces: [], places: [], pairs: [], recent: [], copied: 0 };
  let [count, start, sum, first] = [0, -1, 0, 0];
  let hasSign = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    let letter = code < 0x80 ? (letterOf[code] ?? 0) : 0;
    if ((code === 33 || code === 124) && !isSign(text, at)) letter = 0;
    if (letter > 0) {
      if (start < 0) {
        start = at;
        sum = 0;
        first = letter;
        hasSign = false;
      }
      sum = (sum + (weights[letter] ?? 0)) | 0;
      if (code < 97) hasSign = true;
    } else if (start >= 0) {
      count += 1;
      const length = at - start;
      // Fillers matter only in signs, and few words are as long as a key word of their letter.
      if (length < 32 && (hasSign || (((lengthsOf[first] ?? 0) >>> length) & 1) === 1))
        note(search, { start, end: at }, count, sum);
      start = -1;
    }
  }
  if (search.places.length === 0) return null;
  search.pieces.push(text.slice(search.copied));
  return { text: search.pieces.join(''), places: search.places, pairs: search.pairs };
}
