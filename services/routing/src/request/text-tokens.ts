import { rarePairs } from './rare-pairs.ts';

/** The kinds of characters that tokenizers treat alike. */
const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;
const mark = 4;
const space = 5;
const lineBreak = 6;

/** The kind of each ASCII character. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x61 && code <= 0x7a) return lower;
  if (code >= 0x41 && code <= 0x5a) return upper;
  if (code >= 0x30 && code <= 0x39) return digit;
  if (code === 0x20 || code === 0x09) return space;
  if (code === 0x0a || code === 0x0d) return lineBreak;
  return code > 0x20 && code < 0x7f ? mark : other;
});

/** The tokens of a code unit that is no letter, digit, mark or space of ASCII, by the end of its range. */
const ranges: readonly (readonly [end: number, tokens: number])[] = [
  // Control characters, and Latin letters with accents, which also divide a word.
  [0x370, 1],
  // Greek and Cyrillic.
  [0x530, 0.45],
  // Armenian to Tibetan.
  [0x1000, 0.6],
  [0x1e00, 1.5],
  // Vietnamese.
  [0x1f00, 0.8],
  [0x2000, 1],
  // Symbols.
  [0x2e80, 1.5],
  // Chinese characters and kana.
  [0xa000, 1.15],
  [0xac00, 2],
  // Korean syllables.
  [0xd7b0, 0.75],
  // The first halves of emoji and of rare characters, and their second halves.
  [0xdc00, 2.5],
  [0xe000, 0],
  [0xfe00, 2],
  [0x10000, 1],
];

/** Words of one kind have a token, and a part of one for each letter after the first few. */
const wordLettersMin = 5;
const tokensPerLetter = 0.15;
const tokensPerCapital = 0.4;
const tokensPerRarePair = 0.95;
/** A word with more rare pairs is made of random letters. */
const scrambledPairsMin = 2;
const scrambledLettersPerToken = 1.5;
const digitsPerToken = 3;

/** The pieces of an id are short. With numbers between its letters they may be longer. */
const idPieceMax = 3;
const numberedIdPieceMax = 5;
const idCharactersPerToken = 1.25;

const repeatedMin = 4;
const tokensPerMark = 0.55;
const tokensPerRepeatedMark = 0.05;
const tokensPerSpace = 0.02;

/**
 * Estimates the tokens of a text by the kinds of its characters. It errs upwards: texts hardly ever have more tokens
 * (decision 102).
 */
export function countTextUpwards(text: string): number {
  const counter = new TextCounter(text);
  while (!counter.isDone) counter.countRun();
  return Math.ceil(counter.tokens);
}

class TextCounter {
  tokens = 0;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Counts the characters from here on that belong together. */
  countRun(): void {
    switch (this.#kind(this.#at)) {
      case lower:
      case upper:
      case digit:
        return this.#countWord();
      case mark:
        return this.#countMarks();
      case space:
      case lineBreak:
        return this.#countSpace();
      default:
        this.tokens += tokensOf(this.#text.charCodeAt(this.#at));
        this.#at += 1;
    }
  }

  #kind(at: number): number {
    const code = at < this.#text.length ? this.#text.charCodeAt(at) : 128;
    return code < 128 ? (kinds[code] ?? other) : other;
  }

  /** Counts letters and digits: a word, a name of several words, or an id. */
  #countWord(): void {
    const from = this.#at;
    let pieces = 0;
    let numbers = 0;
    let tokens = 0;
    for (
      let kind = this.#kind(from);
      kind === lower || kind === upper || kind === digit;
      kind = this.#kind(this.#at)
    ) {
      tokens += this.#pieceTokens(kind);
      pieces += 1;
      if (kind === digit) numbers += 1;
    }
    const characters = this.#at - from;
    const piece = characters / pieces;
    const isId = (pieces > 1 && piece < idPieceMax) || (numbers > 1 && piece < numberedIdPieceMax);
    this.tokens += isId ? Math.max(tokens, characters / idCharactersPerToken) : tokens;
  }

  /** Moves over a piece of one kind, and returns its tokens. A capital letter begins a word. */
  #pieceTokens(first: number): number {
    const from = this.#at;
    let kind = first;
    this.#at += 1;
    if (first === upper && this.#kind(this.#at) === lower) kind = lower;
    while (this.#kind(this.#at) === kind) this.#at += 1;
    const length = this.#at - from;
    if (kind === digit) return Math.ceil(length / digitsPerToken);
    const pairs = this.#rarePairs(from);
    const rare = pairs * tokensPerRarePair;
    const scrambled = pairs >= scrambledPairsMin ? length / scrambledLettersPerToken : 0;
    const more =
      kind === upper
        ? (length - 1) * tokensPerCapital
        : Math.max(0, length - wordLettersMin) * tokensPerLetter;
    return Math.min(length, Math.max(1 + more + rare, scrambled));
  }

  #rarePairs(from: number): number {
    let found = 0;
    for (let at = from + 1; at < this.#at; at += 1)
      if (rarePairs.has(this.#text.charCodeAt(at - 1), this.#text.charCodeAt(at))) found += 1;
    return found;
  }

  /** Counts punctuation. A line of one character is few tokens. */
  #countMarks(): void {
    let repeated = 0;
    this.tokens += 1;
    for (this.#at += 1; this.#kind(this.#at) === mark; this.#at += 1) {
      const isSame = this.#text.charCodeAt(this.#at) === this.#text.charCodeAt(this.#at - 1);
      repeated = isSame ? repeated + 1 : 0;
      this.tokens += repeated < repeatedMin ? tokensPerMark : tokensPerRepeatedMark;
    }
  }

  /** Counts white space. A word or a mark has the one space before it in its token. */
  #countSpace(): void {
    const from = this.#at;
    let groups = 0;
    let previous = other;
    for (
      let kind = this.#kind(from);
      kind === space || kind === lineBreak;
      kind = this.#kind(this.#at)
    ) {
      if (kind !== previous) groups += 1;
      previous = kind;
      this.#at += 1;
    }
    const length = this.#at - from;
    const next = this.#kind(this.#at);
    const isTaken =
      length === 1 && previous === space && (next === mark || next === lower || next === upper);
    if (!isTaken) this.tokens += groups + length * tokensPerSpace;
  }
}

function tokensOf(code: number): number {
  for (let at = 0; at < ranges.length; at += 1) {
    const range = ranges[at];
    if (range && code < range[0]) return range[1];
  }
  return 0;
}
